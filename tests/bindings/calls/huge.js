// Calls every function of one group with huge and odd values in the place of each number, text, list and object of each
// argument. Prints a call before it is made, so that whoever reads knows at which one the process ended. Run by
// huge-calls.test.js, as a process of its own.

import { writeSync } from 'node:fs';
import { inspect } from 'node:util';
import { load } from '../../../bindings/models.js';
import { unforeseen } from '../../support/foreseen.js';
import { sample } from '../../support/sample.js';
import { Ref } from './kinds.js';
import { tableOf } from './table.js';
import { resolve } from './wrong.js';

const NUMBERS = [
  ...[1e9, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, 1e308, -(2 ** 31)],
  ...[-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY],
];
/** More than a call takes as arguments: what is spread into one fails. */
const LONG = 200_000;
const LISTS = [
  [1e5, 1e5],
  [1e5, 1e5, 1e5, 1e5],
];
const KINDS = [null, 3, 'odd', true, [], {}, new Float32Array(2)];

/** Values of another kind. @param {any} good */
const otherKinds = (good) => KINDS.filter((one) => typeof one !== typeof good || !one !== !good);

const [group] = process.argv.slice(2);
const gf = await load();

/** A value with one of its parts replaced. The parts of a long list are all alike.
 * @param {any} good
 * @returns {Generator<any>} */
function* hugeOf(good) {
  if (good instanceof Ref) return;
  if (typeof good === 'number') yield* NUMBERS;
  else if (typeof good === 'string') {
    yield* ['x'.repeat(LONG), '1 '.repeat(LONG / 2), `${good} `.repeat(LONG / (good.length + 1))];
  } else if (Array.isArray(good)) {
    if (good.every((one) => typeof one === 'number')) yield* LISTS;
    /* Work that is asked for in as many parts may take as long. */
    if (typeof good[0] !== 'object') yield Array(LONG).fill(good[0] ?? 1);
    yield Array(LONG);
    for (const [i, one] of good.slice(0, 2).entries()) {
      for (const huge of hugeOf(one)) yield good.with(i, huge);
    }
  } else if (good?.constructor === Object && good !== gf) {
    for (const [key, one] of Object.entries(good)) {
      for (const huge of hugeOf(one)) yield { ...good, [key]: huge };
    }
  }
  if (good !== undefined) yield* otherKinds(good);
}

const table = await tableOf(gf);
let calls = 0;
const rows = sample(table[group], Math.ceil(table[group].length / 3));
for (const { name, make, args = [], call } of rows) {
  const good = args.map((kind) => kind.good);
  for (const [i, kind] of args.entries()) {
    for (const huge of hugeOf(kind.good)) {
      const shown = inspect(huge, { depth: 4, maxArrayLength: 3, maxStringLength: 20 });
      const what = `${name}, argument ${i}: ${shown.replaceAll(/\s+/g, ' ')}`;
      writeSync(1, `${what}\n`);
      const { on, refs = {}, done } = await make();
      try {
        calls += 1;
        await call(on, resolve(good.with(i, huge), refs));
      } catch (error) {
        /* A call that would last is ended by a signal. */
        const fault = error.name === 'AbortError' ? null : unforeseen(error);
        if (fault) writeSync(2, `${what}: ${fault}\n`);
      }
      done?.();
    }
  }
}
writeSync(1, `${calls} calls, ${Math.round(process.resourceUsage().maxRSS / 1024)} MB\n`);
