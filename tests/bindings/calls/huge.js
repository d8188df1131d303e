// Calls every function of one group with sizes that no memory holds, in each number of each argument. Prints a call before it
// is made, so that whoever reads knows at which one the process ended. Run by huge-calls.test.js, as a process of its own.

import { writeSync } from 'node:fs';
import { load } from '../../../bindings/models.js';
import { unforeseen } from '../../support/foreseen.js';
import { tableOf } from './table.js';
import { resolve } from './wrong.js';

const SIZES = [1e9, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 31)];
const LISTS = [
  [1e5, 1e5],
  [1e5, 1e5, 1e5, 1e5],
];

/** A value with one of its numbers, or lists of numbers, replaced. The numbers in a long list are all alike.
 * @param {any} good
 * @returns {Generator<any>} */
function* hugeOf(good) {
  if (typeof good === 'number') yield* SIZES;
  else if (Array.isArray(good)) {
    if (good.every((one) => typeof one === 'number')) yield* LISTS;
    for (const [i, one] of good.slice(0, 2).entries()) {
      for (const huge of hugeOf(one)) yield good.with(i, huge);
    }
  } else if (good?.constructor === Object) {
    for (const [key, one] of Object.entries(good)) {
      for (const huge of hugeOf(one)) yield { ...good, [key]: huge };
    }
  }
}

const [group] = process.argv.slice(2);
const gf = await load();
const table = await tableOf(gf);
const rows = table[group];
let calls = 0;
for (const { name, make, args = [], call } of rows) {
  const good = args.map((kind) => kind.good);
  for (const [i, kind] of args.entries()) {
    for (const huge of hugeOf(kind.good)) {
      const what = `${name}, argument ${i}: ${JSON.stringify(huge, (_, v) => (v?.length > 99 ? `${v.length} holes` : v))}`;
      writeSync(1, `${what}\n`);
      const { on, refs = {}, done } = await make();
      try {
        calls += 1;
        await call(on, resolve(good.with(i, huge), refs));
      } catch (error) {
        const fault = unforeseen(error);
        if (fault) writeSync(2, `${what}: ${fault}\n`);
      }
      done?.();
    }
  }
}
writeSync(1, `${calls} calls, ${Math.round(process.resourceUsage().maxRSS / 1024)} MB\n`);
