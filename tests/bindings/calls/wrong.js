// Makes wrong calls out of good ones, and looks at what comes of each.

import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { unforeseen } from '../../support/foreseen.js';
import { heaps } from '../../support/heap.js';
import { full } from '../../support/sample.js';
import { Ref } from './kinds.js';

/** What a method is called on.
 * @typedef {object} Subject
 * @property {any} on
 * @property {Record<string, any>} [refs] what the arguments may refer to
 * @property {() => unknown} [look] all that can be seen of it
 * @property {() => void} [dispose] after which nothing works any more
 * @property {() => void} [done] gives back what is left */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {() => Subject | Promise<Subject>} make a subject of its own for each call
 * @property {import('./kinds.js').Kind[]} [args]
 * @property {Record<string, () => Subject | Promise<Subject>>} [states] in which the good call fails:
 *   the code of the error, and how the subject comes there
 * @property {boolean} [outlives] whether it works on what is disposed of
 * @property {(on: any, args: any[]) => unknown} call gives what can be compared */

/** Anything as text, so that two of them can be compared.
 * @param {unknown} value */
export const text = (value) =>
  JSON.stringify(value, (_, v) => {
    if (ArrayBuffer.isView(v)) {
      const bytes = Buffer.from(v.buffer, v.byteOffset, v.byteLength);
      return `${v.constructor.name} ${bytes.toString('latin1')}`;
    }
    if (v instanceof Map) return [...v];
    return typeof v === 'number' && !(Number.isFinite(v) && !Object.is(v, -0)) ? String(v) : v;
  });

/** @typedef {{ what: string, words: string[], make: Row['make'], args: any[] }} WrongCall */

/** The good arguments with one that is wrong, for each that is; and the good ones in a wrong state.
 * @param {Row} row
 * @returns {Generator<WrongCall>} */
function* wrongCalls({ make, args = [], states = {}, outlives }) {
  const good = args.map((kind) => kind.good);
  for (const [i, { wrong }] of args.entries()) {
    for (const { value, words, label } of wrong) {
      const what = `argument ${i} = ${label}`;
      yield { what, words, make, args: good.with(i, value) };
    }
  }
  for (const [code, state] of Object.entries(states)) {
    yield { what: `in a state of ${code}`, words: [code], make: state, args: good };
  }
  if (outlives) return;
  const disposed = async () => {
    const subject = await make();
    subject.dispose?.();
    /* Nothing is left to look at. */
    return { ...subject, look: undefined };
  };
  const { dispose, done } = /** @type {Subject} */ (make());
  done?.();
  if (dispose) yield { what: 'disposed', words: ['GF_EDISPOSED'], make: disposed, args: good };
}

/** @param {any} value @param {Record<string, any>} refs
 * @returns {any} */
export function resolve(value, refs) {
  if (value instanceof Ref) return refs[value.name];
  if (Array.isArray(value)) return value.map((item) => resolve(item, refs));
  if (value?.constructor !== Object) return value;
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, resolve(v, refs)]));
}

/** @param {any} error @param {string[]} words */
function fault(error, words) {
  const wrong = unforeseen(error);
  if (wrong) return wrong;
  const told = `${error.message} ${error.code}`;
  if (words.some((word) => told.includes(word))) return null;
  return `does not say ${words.join(' or ')}: ${error.name}: ${error.message}`;
}

/** Makes the good call of a row, on a subject of its own; gives the result as text.
 * @param {Row} row @param {() => void} [start] what is done between the two */
export async function goodCallOf({ make, args = [], call }, start = () => {}) {
  const { on, refs = {}, done } = await make();
  const good = resolve(
    args.map((kind) => kind.good),
    refs,
  );
  try {
    start();
    return text(await call(on, good));
  } finally {
    done?.();
  }
}

/** Makes every wrong call of a row; gives how many, and tells those that went wrong.
 * @param {Row} row @param {() => string} bystander all that can be seen of what is not called */
export async function wrongCallsOf(row, bystander) {
  const expected = await goodCallOf(row);
  const before = bystander();
  let count = 0;
  const faults = [];
  for (const { what: call, words, make, args } of wrongCalls(row)) {
    count += 1;
    const subject = await make();
    const { used } = heaps;
    const state = text(subject.look?.());
    let what;
    try {
      const result = await row.call(subject.on, resolve(args, subject.refs ?? {}));
      what = `was taken: ${inspect(result).slice(0, 100)}`;
    } catch (error) {
      what = fault(error, words);
    }
    if (!what && text(subject.look?.()) !== state) what = 'changed what it was called on';
    if (!what && heaps.used > used) what = `left ${heaps.used - used} ranges behind`;
    if (!what && bystander() !== before) what = 'changed something else';
    subject.done?.();
    if (!what && full && (await goodCallOf(row)) !== expected) what = 'spoilt the next good call';
    if (what) faults.push(`${row.name}, ${call}: ${what}`);
  }
  if ((await goodCallOf(row)) !== expected) faults.push(`${row.name}: a good call was spoilt`);
  return { count, faults };
}

/** @param {Row} row @param {() => string} bystander */
export async function check(row, bystander) {
  const { count, faults } = await wrongCallsOf(row, bystander);
  assert.equal(faults.length, 0, `${faults.length} of ${count}:\n${faults.join('\n')}`);
  return count;
}
