// How much of a long list one run tries: `make test` a part that changes with each commit, `make test-all` everything.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';

/** Whether everything is tried. */
export const full = process.env.FULL === '1';

const root = path.resolve(import.meta.dirname, '../..');
const commit = full
  ? ''
  : execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();

/** Where an element comes in the order of this commit. @param {number | string} i */
const rank = (i) => createHash('sha256').update(`${commit} ${i}`).digest('hex');

/**
 * Some of a list, in its order: others with each commit, the same ones as long as it is at hand; all with FULL=1.
 * @template T
 * @param {readonly T[]} list
 * @param {number} count
 * @returns {T[]}
 */
export function sample(list, count) {
  if (full || list.length <= count) return [...list];
  const chosen = new Set(
    list
      .map((_, i) => i)
      .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
      .slice(0, count),
  );
  return list.filter((_, i) => chosen.has(i));
}

/**
 * Whether what takes long leaves its turn to another commit: it is tried with one of three or so, and always with FULL=1.
 * @param {string} name
 */
export const isLater = (name) => !full && rank(name) >= '55';

/**
 * Whether a long test leaves its turn to another commit.
 * @param {import('node:test').TestContext} t which is told that it was skipped
 */
export function waits(t) {
  const later = isLater(t.name);
  if (later) t.skip('it has its turn with another commit');
  return later;
}
