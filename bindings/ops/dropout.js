// Numbers left out by chance.

import { f32, operand, single } from './kit/cells.js';
import { cut } from './kit/slopes.js';

/** @type {import('./kit/cells.js').Story} */
export const story = (question) => {
  const { x } = single(question);
  const rest = f32(1 - f32(question.step.attributes.p));
  return { x, rest, keep: Object.is(question.step.data[question.at], f32(x.value / rest)) };
};

/** y = keep x / (1 - p). Where x is 0 nothing tells what was kept, so ones are dropped alike: a node's
 * random numbers depend on its name.
 * @type {import('./kit/slopes.js').Rule[]} */
export const slopes = [
  (question) => {
    const { step, at, gf } = question;
    const { p } = step.attributes;
    const tape = gf.tape();
    const ones = tape.input('x', [...step.shape]);
    const key = tape.ids('key', [2]);
    const kept = tape.dropout(ones, key, p, step.name);
    tape.plan();
    ones.set(new Float32Array(step.data.length).fill(1));
    key.set(/** @type {Int32Array} */ (operand(question, 1).data));
    tape.forward();
    const value = kept.data[at];
    tape.dispose();
    return [value === 0 ? cut(at) : { at, value, formula: '1 / (1 - p)', parts: { p } }];
  },
];
