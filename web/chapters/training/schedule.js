// The formula of a learning rate, and the same with its numbers.
import { mathml } from 'lit';
import { display } from '../../draw/format.js';

/** @typedef {import('../../trainer/protocol.js').Recipe['training']} Options */

const n = (/** @type {number} */ value) => mathml`<mn>${display(value)}</mn>`;
const i = (/** @type {string} */ letter) => mathml`<mi>${letter}</mi>`;
const times = mathml`<mo>×</mo>`;
const comma = mathml`<mo>,</mo>`;

/** a to the power of −p */
const inverse = (/** @type {unknown} */ a, /** @type {string} */ p) =>
  mathml`<msup>${a}<mn>−${p}</mn></msup>`;
const min = (/** @type {unknown} */ a, /** @type {unknown} */ b) =>
  mathml`<mi>min</mi><mo stretchy="false">(</mo>${a}${comma}${b}<mo stretchy="false">)</mo>`;
const over = (/** @type {unknown} */ a, /** @type {unknown} */ b) =>
  mathml`<mfrac><mrow>${a}</mrow><mrow>${b}</mrow></mfrac>`;
const less = (/** @type {unknown} */ a, /** @type {unknown} */ b) => mathml`${a}<mo>−</mo>${b}`;

/**
 * r: the rate, t: the step, w: the steps of the warm-up, T: all steps, d: d_model.
 * @typedef {{ r: unknown, t: unknown, w: unknown, T: unknown, d: unknown }} Letters
 */

/** Once the warm-up is over; before it, all but Noam rise straight.
 * @type {globalThis.Record<string, (letters: Letters) => unknown>} */
const AFTER = {
  constant: ({ r }) => r,
  linear: ({ r, t, w, T }) =>
    mathml`${r}${times}<mo stretchy="false">(</mo><mn>1</mn><mo>−</mo>${over(less(t, w), less(T, w))}<mo stretchy="false">)</mo>`,
  cosine: ({ r, t, w, T }) =>
    mathml`${over(r, mathml`<mn>2</mn>`)}${times}<mo stretchy="false">(</mo><mn>1</mn><mo>+</mo><mi>cos</mi><mo stretchy="false">(</mo><mi>π</mi>${over(less(t, w), less(T, w))}<mo stretchy="false">)</mo><mo stretchy="false">)</mo>`,
  'inverse-sqrt': ({ r, t, w }) => mathml`${r}${times}<msqrt>${over(w, t)}</msqrt>`,
};

/**
 * @param {Letters} letters
 * @param {{ schedule: string, rising: boolean, warm: boolean }} how
 */
function formula(letters, { schedule, rising, warm }) {
  const { r, t, w, d } = letters;
  if (schedule === 'noam') {
    const late = inverse(t, '0.5');
    const both = warm ? min(late, mathml`${t}${times}${inverse(w, '1.5')}`) : late;
    return mathml`${r}${times}${inverse(d, '0.5')}${times}${both}`;
  }
  return rising ? mathml`${r}${times}${over(t, w)}` : AFTER[schedule](letters);
}

/**
 * @param {Options} options
 * @param {{ step: number, dModel: number }} place
 */
export function scheduleOf(
  { schedule = 'constant', rate = 0, warmup = 0, total = 0 },
  { step, dModel },
) {
  const how = { schedule, rising: step < warmup, warm: warmup > 0 };
  /* Without a warm-up, the inverse root counts from step 1. */
  const from = schedule === 'inverse-sqrt' ? Math.max(1, warmup) : warmup;
  return {
    symbols: formula({ r: i('r'), t: i('t'), w: i('w'), T: i('T'), d: i('d') }, how),
    numbers: formula({ r: n(rate), t: n(step), w: n(from), T: n(total), d: n(dModel) }, how),
  };
}
