// What machine this is, and what else it did while something was measured. Where the system does not tell, nothing is
// said.

import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

const CORES = '/sys/devices/system/cpu';
/** Columns of a processor's line in /proc/stat that are no work: idle, and waiting for a disk. */
const IDLE = [3, 4];
/** Guests are in the columns of their hosts, too. */
const COLUMNS = 8;
/** A thread is busy that works for more than this part of the time. */
const BUSY = 0.5;

/** @template T @param {() => T} read @returns {T | null} */
function attempt(read) {
  try {
    return read();
  } catch {
    return null;
  }
}

/** The threads of each core: "0-1", "0,4" are two on one core.
 * @param {Iterable<string>} lists one for each thread, as thread_siblings_list has them
 * @returns {number[][]} */
export function coresOf(lists) {
  return Array.from(new Set(lists), (list) =>
    list.split(',').flatMap((part) => {
      const [first, last = first] = part.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    }),
  );
}

/** How long each processor has worked since the system began, and how long it has been there, in ticks.
 * @param {string} stat /proc/stat
 * @returns {Map<number, { work: number, all: number }>} */
export function ticksOf(stat) {
  const lines = stat.matchAll(/^cpu(\d+) (.*)$/gm);
  return new Map(
    Array.from(lines, ([, id, rest]) => {
      const ticks = rest.trim().split(/\s+/).map(Number).slice(0, COLUMNS);
      const all = ticks.reduce((sum, x) => sum + x, 0);
      return [Number(id), { work: all - IDLE.reduce((sum, i) => sum + ticks[i], 0), all }];
    }),
  );
}

/** What the machine did between two moments.
 * @typedef {object} Load
 * @property {number} busy how many threads worked, in the mean
 * @property {number} others how many of them for others
 * @property {number} pairs cores both of whose threads were busy; 0 where a core has but one, as it seems in a virtual
 *   machine */

/** @param {ReturnType<typeof ticksOf>} before @param {ReturnType<typeof ticksOf>} after
 * @param {number} own threads that the measurement itself kept busy, in the mean @param {number[][]} cores
 * @returns {Load} */
export function loadOf(before, after, own, cores) {
  const parts = new Map(
    Array.from(after, ([id, { work, all }]) => {
      const { work: worked, all: passed } = before.get(id) ?? { work: 0, all: 0 };
      return [id, all > passed ? (work - worked) / (all - passed) : 0];
    }),
  );
  const busy = [...parts.values()].reduce((sum, part) => sum + part, 0);
  const isBusy = (/** @type {number} */ id) => (parts.get(id) ?? 0) > BUSY;
  const pairs = cores.filter((threads) => threads.length > 1 && threads.every(isBusy)).length;
  return { busy, others: Math.max(0, busy - own), pairs };
}

/** The cores of this machine, by their threads; none where nobody says. */
const cores = () =>
  attempt(() =>
    coresOf(
      readdirSync(CORES)
        .filter((name) => /^cpu\d+$/.test(name))
        .map((name) =>
          readFileSync(`${CORES}/${name}/topology/thread_siblings_list`, 'latin1').trim(),
        ),
    ),
  ) ?? [];

/** Whether this is a virtual machine: whose processors may share cores, and what else runs on them, it does not see. */
const virtual = () =>
  attempt(() => /^flags\b.*\bhypervisor\b/m.test(readFileSync('/proc/cpuinfo', 'latin1'))) ?? false;

/** In one line: processor, cores and their threads, engine. */
export function described() {
  const threads = cpus();
  const each = cores();
  let layout = `${threads.length} threads`;
  if (virtual()) layout = `${threads.length} processors of a virtual machine`;
  else if (each.length)
    layout = `${each.length} cores of ${each[0].length} thread${each[0].length > 1 ? 's' : ''}`;
  return `${threads[0].model}, ${layout}; Node ${process.version}, V8 ${process.versions.v8}`;
}

/** Watches from now on.
 * @returns {() => Load | null} what was done since; null where the system does not say */
export function watch() {
  const look = () => attempt(() => ticksOf(readFileSync('/proc/stat', 'latin1')));
  const [before, began, spent] = [look(), performance.now(), process.cpuUsage()];
  return () => {
    const after = look();
    if (!before?.size || !after) return null;
    const { user, system } = process.cpuUsage(spent);
    const own = (user + system) / 1000 / (performance.now() - began);
    return loadOf(before, after, own, cores());
  };
}
