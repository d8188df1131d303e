// Measures the players of a workload in turn, round by round, so that whatever slows the machine down
// for a while slows all of them down. What counts are ratios of one round.

import { judge } from './measure/judgement.js';
import { watch } from './measure/machine.js';
import { summary } from './measure/statistics.js';
import { hash } from './players/player.js';

/** @typedef {import('./players/player.js').Player} Player */
/** @typedef {import('../../bindings/js/glassformer.js').Glassformer} Glassformer */

/** @typedef {Record<string, () => Player | Promise<Player>>} Makers by the players' names */

/**
 * @typedef {object} Workload
 * @property {string} name
 * @property {number} [work] of one run, in units; left out where each player has its own
 * @property {'FLOP' | 'B'} unit
 * @property {Record<string, number>} bars how many times the rate of another player ours must reach
 * @property {number} [tolerance] how far results may lie from ours, at most
 * @property {(gf: Glassformer) => Makers | Promise<Makers>} players ours first
 */

/** Milliseconds: of a sample at least; of running before anything is measured, for V8 compiles hot
 * functions anew. */
const SAMPLE = 8;
const WARM_UP = 400;
const MIN_RUNS = 3;

/** With fewer, no verdict could be sure: see medianWithin. */
const MIN_ROUNDS = 8;
const MAX_ROUNDS = 40;

/** How far the results lie from ours: a number for each other player that has one, or that its bits are
 * the same.
 * @param {Workload} workload @param {Map<string, Player>} players */
async function compare({ name, tolerance = 0 }, players) {
  const [[, ours], ...others] = players;
  const expected = (await ours.result?.())?.slice();
  /** @type {Record<string, number | 'same bits'>} */
  const differences = {};
  if (!expected) return differences;
  for (const [who, { bits, result }] of others) {
    const where = `${name}: ${who}`;
    if (bits !== undefined) {
      if (bits !== hash(expected)) throw new Error(`${where}: other bits than ours`);
      differences[who] = 'same bits';
    }
    if (!result) continue;
    const found = await result();
    if (found.length !== expected.length) throw new Error(`${where}: ${found.length} numbers`);
    const far = found.reduce((most, x, i) => Math.max(most, Math.abs(x - expected[i])), 0);
    if (!(far <= tolerance))
      throw new Error(`${where}: ${far} from ours, the tolerance is ${tolerance}`);
    differences[who] = far;
  }
  return differences;
}

/** How many runs make a sample long enough, known once the player is warm.
 * @param {Player} player */
async function warmUp(player) {
  let runs = 0;
  let last = 0;
  let count = 1;
  for (let spent = 0; spent < WARM_UP || runs < MIN_RUNS; spent += last) {
    last = await player.sample(count);
    runs += count;
    if (last < SAMPLE) count *= 2;
  }
  return Math.max(1, Math.ceil((SAMPLE * count) / last));
}

/** @param {Workload} workload @param {Glassformer} gf
 * @param {number} seconds for the rounds @param {(what: string) => void} progress */
export async function measure(workload, gf, seconds, progress) {
  /** @type {Map<string, Player>} */
  const players = new Map();
  try {
    for (const [who, make] of Object.entries(await workload.players(gf))) {
      progress(`preparing ${who}`);
      players.set(who, await make());
    }
    const differences = await compare(workload, players);
    const all = [];
    for (const [who, player] of players) {
      progress(`warming up ${who}`);
      const times = /** @type {number[]} */ ([]);
      all.push({ who, player, count: await warmUp(player), times });
    }
    const load = watch();
    const end = performance.now() + 1000 * seconds;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (round >= MIN_ROUNDS && performance.now() > end) break;
      progress(`round ${round + 1}`);
      /* There and back, so that no one always comes after the same one. */
      for (const { player, count, times } of round % 2 ? all.toReversed() : all) {
        times.push((await player.sample(count)) / count);
      }
    }
    return report(workload, all, differences, load());
  } finally {
    for (const player of players.values()) await player.dispose?.();
  }
}

/** @param {Workload} workload
 * @param {{ who: string, player: Player, count: number, times: number[] }[]} all ours first
 * @param {Record<string, number | 'same bits'>} differences
 * @param {import('./measure/machine.js').Load | null} load while the rounds were run */
function report({ name, work, unit, bars, tolerance }, all, differences, load) {
  const rates = all.map(({ player, times }) =>
    times.map((time) => /** @type {number} */ (player.work ?? work) / (time / 1000)),
  );
  const players = all.map(({ who, count, times }, i) => {
    const bar = bars[who];
    const ratios = i ? rates[i].map((rate, round) => rates[0][round] / rate) : null;
    const verdict = ratios && bar !== undefined ? judge(ratios, bar) : undefined;
    return {
      who,
      milliseconds: summary(times),
      rate: summary(rates[i]),
      ratio: ratios ? summary(ratios) : undefined,
      bar,
      verdict,
      difference: differences[who],
      runsPerSample: count,
      samples: times,
    };
  });
  return { name, unit, work, tolerance, rounds: all[0].times.length, load, players };
}
