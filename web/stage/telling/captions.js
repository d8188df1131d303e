// The sentence of a moment, made from the explanation of its cell.
import { html } from 'lit';
import { rich, text } from '../../app/locale/text.js';
import { decimalsOf, full, rounded } from '../draw/format.js';
import { symbol } from '../draw/names.js';
import { captions, drawingOf } from '../ops.js';
import { equationOf, firstClose, moreIn, settle } from './equation.js';
import { letter, numbersOf, plain } from './number.js';
import { describe, title } from './words.js';

/** @type {Readonly<Record<string, string>>} */
const CAPTION_TEXTS = {
  introInput: 'caption/introInput',
  introSum: 'caption/introSum',
  introShares: 'caption/introShares',
  introEach: 'caption/introEach',
  introRow: 'caption/introRow',
  introAdd: 'caption/introAdd',
  introHeads: 'caption/introHeads',
  rows: 'caption/rows',
  input: 'caption/input',
  value: 'caption/value',
  sum: 'caption/sum',
  partial: 'caption/partial',
  max: 'caption/max',
  exp: 'caption/exp',
  total: 'caption/total',
  quotient: 'caption/quotient',
  quotientLess: 'caption/quotientLess',
  scale: 'caption/scale',
  divided: 'caption/divided',
  add: 'caption/add',
  kept: 'caption/kept',
  masked: 'caption/masked',
  added: 'caption/added',
  turnedLess: 'caption/turnedLess',
  turnedMore: 'caption/turnedMore',
  alibi: 'caption/alibi',
  embed: 'caption/embed',
  sinusoid: 'caption/sinusoid',
  move: 'caption/move',
  copy: 'caption/copy',
  frozen: 'caption/frozen',
  held: 'caption/held',
  leaf: 'caption/leaf',
  larger: 'caption/larger',
  gated: 'caption/gated',
  letThrough: 'caption/letThrough',
  call: 'caption/call',
  passed: 'caption/passed',
  dropped: 'caption/dropped',
  norm: 'caption/norm',
  rms: 'caption/rms',
};

/** @typedef {import('../../app/state/view.js').View} View */
/** @typedef {import('../../app/session.js').Explanation} Explanation */
/** @typedef {import('../../../bindings/js/ops/kit/page.js').Told} Told */
/** @typedef {import('../../../bindings/js/ops/kit/page.js').Words} Words */

/** Sums of more terms than this are told by their first and last ones. */
const MAX_SHOWN_TERMS = 6;

/**
 * @param {View} view
 * @returns {unknown[]} parts that a template can show
 */
export function caption(view) {
  const { explained, trace, example } = view;
  if (!explained) return introduction(view);
  const cell = describe(explained, { example, trace });
  const { more, is } = equationIn(view, explained);
  const shares = sharesIn(view);
  const words = wordsOf(trace, more, shares?.more);
  const [usual, parts] = sentence(view, explained, words);
  const name = usual === 'quotient' && shares?.isLess ? 'quotientLess' : usual;
  const value = words.result(explained);
  const said = rich(CAPTION_TEXTS[name], { cell, value, is, ...shares?.parts, ...parts });
  /* A sum has no value yet while terms are still to come. */
  const adding = explained.terms && view.term < view.terms - 1;
  const old = adding ? null : view.old(explained);
  return old === null ? said : [...said, ' ', ...rich('caption/before', { old: plain(old) })];
}

/**
 * What a stage is about to compute; at the very beginning, what this example is about.
 * @param {View} view
 */
function introduction({ stage, moment, rows: range, example, trace }) {
  /* From the first row on that is the step itself. */
  if (range && range.from > 0) {
    const [from, to] = [range.from + 1, range.to + 1];
    return rich('caption/rows', { from, to, n: to - from + 1, symbol: letter(symbol(stage)) });
  }
  const [rows, columns] = stage.shape.slice(-2);
  /* What a text says of its example gives away how it ends, and stands with the text. */
  if (moment.stage === 0 && !range && !example.source) return [example.about];
  if (stage.inputs.length === 0)
    return rich(CAPTION_TEXTS.introInput, {
      symbol: letter(symbol(stage)),
      rows,
      columns,
      n: rows,
    });
  const from = trace.step(String(stage.inputs[stage.bypassed ?? 0]));
  const other = stage.inputs[1];
  const values = {
    symbol: letter(symbol(stage)),
    rows,
    columns,
    from: letter(symbol(from)),
    other: other ? letter(symbol(trace.step(other))) : '',
    heads: stage.shape[0],
    n: from.shape.at(-1),
  };
  const intro = drawingOf(stage).intro?.(stage) ?? 'introEach';
  return rich(CAPTION_TEXTS[intro], values);
}

/** Which sentence explains a cell, and what is filled in. @typedef {[string, Record<string, unknown>?]} Filled */

/**
 * @param {View} view
 * @param {Explanation} explanation
 * @param {Words} words
 * @returns {Filled}
 */
function sentence(view, explanation, words) {
  const { node, index, op, from, terms } = explanation;
  const { removed } = view.trace.step(node);
  if (view.tellsRow) {
    return ['input', { row: view.example.tokens[index[0]] ?? '', n: index[0] + 1 }];
  }
  if (explanation.frozen) return [removed ? 'held' : 'frozen'];
  if (typeof explanation.bypassed === 'number') return ['copy', { value: words.number(from) }];
  if (terms) return sum(view, explanation, words);
  if (explanation.normalised !== undefined) return norm(explanation, words);
  const special = captions[op]?.(words)(/** @type {Told} */ (explanation), view);
  if (special) return special;
  if (!from) return [op === 'leaf' ? 'leaf' : 'value'];
  /* What was only copied is explained by the cell it came from, which can be entered. */
  return ['move', { value: words.number(from), from: describe(from, view) }];
}

/** @param {View} view @param {Explanation} explanation @param {Words} words @returns {Filled} */
function sum({ term, adding }, { terms, bias }, words) {
  const parts = joined(terms.slice(0, term + 1), words);
  if (bias && term >= terms.length) parts.push(' + ', words.number(bias, { signed: true }));
  return [adding ? 'partial' : 'sum', { sum: parts }];
}

/** @param {Explanation} explanation @param {Words} words @returns {Filled} */
function norm({ x, mean, deviation, root, gain, bias }, { number, plain }) {
  const rest = [];
  if (gain) rest.push(' × ', number(gain, { signed: true }));
  if (bias) rest.push(' + ', number(bias, { signed: true }));
  if (root !== undefined) return ['rms', { x: number(x), root: plain(root), rest }];
  const less = plain(mean, { signed: true });
  return ['norm', { x: number(x), mean: less, deviation: plain(deviation), rest }];
}

/**
 * The equation that a sentence tells: that of the cell, or of one of the powers that it is computed from.
 * @param {View} view
 * @param {Explanation} explanation
 */
function equationIn(view, explanation) {
  const power = explanation.max === undefined ? undefined : explanation.row[view.term - 1];
  if (!power) return equationOf(view);
  const left = (/** @type {import('./equation.js').Round} */ round) =>
    Math.exp(round(power.value, power.node) - round(explanation.max));
  return settle(view.trace, left, power.exp);
}

/** Sums of powers between these are told as they are; of others, that of the powers less the largest. */
const [SMALL, LARGE] = [1e-2, 1e6];
/** So many more digits a power may have. */
const MAX_POWER_DIGITS = 4;

/**
 * The powers of a softmax, with more and more digits of the exponents, and of the powers.
 * @param {import('./equation.js').Seen} view @param {{ more: number, digits: number }} least
 */
function* powerWays({ trace, explained }, { more, digits }) {
  const { row, index, max } = /** @type {Explanation} */ (explained);
  const read = (/** @type {number} */ x, /** @type {import('../draw/format.js').As} */ as) =>
    Number(rounded(x, as).shown);
  const total = row.reduce(
    (/** @type {number} */ sum, /** @type {Explanation} */ x) => sum + Math.exp(x.value),
    0,
  );
  const isLess = !(total > SMALL && total < LARGE);
  for (let m = more; m <= MAX_POWER_DIGITS; m++) {
    const exponent = (/** @type {number} */ x) =>
      read(x, { decimals: decimalsOf(trace, row[0].node), more: m });
    const less = isLess ? exponent(max) : 0;
    const powers = row.map((/** @type {Explanation} */ x) => Math.exp(exponent(x.value) - less));
    const above = powers[Number(index.at(-1))];
    const below = powers.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0);
    for (let d = digits; d <= MAX_POWER_DIGITS; d++) {
      const worth = read(above, { more: d }) / read(below, { more: d });
      yield { more: m, digits: d, above, below, isLess, worth };
    }
  }
}

/**
 * The powers of a softmax as a pencil gets them: from the exponents as they are displayed, with so many more digits that their
 * quotient is the result.
 * @param {import('./equation.js').Seen} view
 * @param {{ more: number, digits: number }} [least] digits more of the exponents, and of the powers
 */
function powersIn(view, least = { more: 0, digits: 0 }) {
  const { value } = /** @type {Explanation} */ (view.explained);
  const closest = firstClose(value, undefined, powerWays(view, least));
  const isExact = Math.abs(closest.worth - closest.above / closest.below) < 1e-9;
  return { ...closest, as: isExact ? '=' : '≈', is: closest.away <= 1e-6 ? '=' : '≈' };
}

/** What the sentence of a softmax says, with as many digits as those of the others of its step. @param {View} view */
function sharesIn(view) {
  if (view.explained?.max === undefined) return null;
  const more = moreIn(view, 'exponents', (seen) => powersIn(seen).more);
  const digits = moreIn(
    view,
    `powers ${more}`,
    (seen) => powersIn(seen, { more, digits: 0 }).digits,
  );
  const powers = powersIn(view, { more, digits });
  const shown = { as: { more: powers.digits } };
  const [above, below] = [plain(powers.above, shown), plain(powers.below, shown)];
  const { more: exponents, isLess, as, is } = powers;
  return { more: exponents, isLess, parts: { as, is, above, below } };
}

/**
 * How the files of the ops show the numbers of a trace.
 * @param {import('../../app/session.js').Trace} trace
 * @param {number} more digits of what a result is computed from
 * @param {number} [exponents] digits of exponents
 * @returns {Words}
 */
function wordsOf(trace, more, exponents) {
  const number = numbersOf(trace, more);
  /** @type {Words['product']} */
  const product = (a, b, options) =>
    html`<span class="product">${number(a, options)} × ${number(b, { signed: true })}</span>`;
  return {
    number,
    plain: (value, options) => plain(value, { ...options, as: { more } }),
    power: (cell) => html`<i>e</i><sup>${numbersOf(trace, exponents)(cell)}</sup>`,
    result: (of) => (typeof of === 'number' ? plain(of) : numbersOf(trace)(of)),
    product,
  };
}

/**
 * 1×2 + 1×1 + 1×1, or its first and last terms.
 * @param {Explanation['terms']} terms
 * @param {Words} words
 */
function joined(terms, { product }) {
  const few = terms.length <= MAX_SHOWN_TERMS;
  /* A negative number behind a sign goes into brackets. */
  const of = (/** @type {any} */ { a, b }, /** @type {number} */ i) =>
    product(a, b, { signed: i > 0 });
  const shown = few ? terms.map(of) : terms.slice(0, 3).map(of);
  if (!few) shown.push('⋯', of(terms[terms.length - 1], terms.length));
  return shown.flatMap((/** @type {unknown} */ part, /** @type {number} */ i) =>
    i > 0 ? [' + ', part] : [part],
  );
}

/**
 * The same sentence for a title or a screen reader.
 * @param {View} view
 */
export function shortCaption({ stage, explained, example, trace, adding }) {
  if (!explained) return title(stage);
  const cell = describe(explained, { example, trace });
  return adding ? cell : text('caption/value', { cell, value: full(explained.value) });
}
