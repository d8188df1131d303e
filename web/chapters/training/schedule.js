// The formula of a learning rate, of letters or of numbers.
import { mathml } from 'lit';
import { onPage } from '../../stage/telling/arithmetic.js';

/** @typedef {import('../../workers/trainer/protocol.js').Recipe['training']} Options */
/** @typedef {import('../../stage/telling/arithmetic.js').Signs} Signs */

/**
 * r: the rate, t: the step, w: the steps of the warm-up, T: all steps, d: d_model.
 * @template V
 * @typedef {{ r: V, t: V, w: V, T: V, d: V }} Letters
 */

/** How much of what follows the warm-up is over. @param {Letters<any>} letters @param {Signs} signs */
const over = ({ t, w, T }, { minus, over }) => over(minus(t, w), minus(T, w));

/** Once the warm-up is over; before it, all but Noam rise straight.
 * @type {globalThis.Record<string, (letters: Letters<any>, signs: Signs) => any>} */
const AFTER = {
  constant: ({ r }) => r,
  linear(letters, signs) {
    const { number, minus, times, bracket } = signs;
    return times(letters.r, bracket(minus(number(1), over(letters, signs))));
  },
  cosine(letters, signs) {
    const { number, plus, times, over: part, cosine, bracket } = signs;
    const wave = bracket(plus(number(1), cosine(over(letters, signs))));
    return times(part(letters.r, number(2)), wave);
  },
  'inverse-sqrt': ({ r, t, w }, { times, over: part, root }) => times(r, root(part(w, t))),
};

/**
 * @param {Letters<any>} letters
 * @param {{ schedule: string, rising: boolean, warm: boolean }} how
 * @param {Signs} signs
 */
function formula(letters, { schedule, rising, warm }, signs) {
  const { r, t, w, d } = letters;
  const { times, over: part, power, least } = signs;
  if (schedule === 'noam') {
    const late = power(t, -0.5);
    const both = warm ? least(late, times(t, power(w, -1.5))) : late;
    return times(times(r, power(d, -0.5)), both);
  }
  return rising ? times(r, part(t, w)) : AFTER[schedule](letters, signs);
}

/** @type {Letters<unknown>} */
const LETTERS = {
  r: mathml`<mi>r</mi>`,
  t: mathml`<mi>t</mi>`,
  w: mathml`<mi>w</mi>`,
  T: mathml`<mi>T</mi>`,
  d: mathml`<mi>d</mi>`,
};

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
    symbols: formula(LETTERS, how, onPage()),
    /** @param {Signs} signs */
    numbers(signs) {
      const [r, t, w, T, d] = [rate, step, from, total, dModel].map((value) => signs.number(value));
      return formula({ r, t, w, T, d }, how, signs);
    },
  };
}
