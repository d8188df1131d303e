// How a number is derived, in four forms: symbols, indices, numbers, result. A form is a list of
// pieces, between which a long line may break.
import { mathml, nothing } from 'lit';
import { derivations } from '../ops.js';
import { equationOf } from './equation.js';
import { plainNumber, separator, tokensOf } from './mathml.js';

/** @typedef {import('../../app/state/view.js').View & { many?: number }} View */
/** @typedef {import('../../app/session.js').Explanation} Explanation */
/** @typedef {import('../../../bindings/js/ops/kit/page.js').Told} Told */
/** @typedef {import('../../app/session.js').Valued} Valued */
/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('./mathml.js').Math} Math */
/** @typedef {{ symbols: Math[], indices: Math[], numbers: Math[], result: Math[] }} Derivation */
/** @typedef {import('../../../bindings/js/ops/kit/page.js').Side} Side */
/** @typedef {import('../../../bindings/js/ops/kit/page.js').Notation} Notation */

/** @param {'=' | '≈'} sign */
const sign = (sign) => mathml`<mo>${sign}</mo>`;
const is = sign('=');
const plus = mathml`<mo form="infix">+</mo>`;
const minus = mathml`<mo form="infix">−</mo>`;

/**
 * @param {View} view
 * @returns {Derivation} only symbols while there is no cell yet
 */
export function derivation(view) {
  const { explained, trace } = view;
  const step = explained ? trace.step(explained.node) : view.stage;
  const equation = equationOf(view);
  const notation = notationOf(view, equation.more);
  const { matrix, cell } = notation;
  const side = sideOf(step, notation);
  const self = matrix(step.name);
  /** @type {Derivation} */
  const forms = {
    symbols: [side ? mathml`${self}${is}${side.symbols(step, view)}` : self],
    indices: [],
    numbers: [],
    result: [],
  };
  if (!explained) return forms;
  const left = cell(explained);
  const all = /** @type {Told} */ (explained);
  const [first, ...rest] = side ? side.indices(all, view, step) : [];
  forms.indices = side ? [mathml`${left}${is}${first}`, ...rest] : [left];
  const [number, ...numbers] = side ? side.numbers(all, view) : [];
  if (side) forms.numbers = [mathml`${sign(equation.given)}${number}`, ...numbers];
  /* A sum has no result before its last term is added. */
  const adding = explained.terms && view.adding;
  const { value } = tokensOf(view);
  forms.result = adding ? [] : [mathml`${sign(equation.is)}${value(explained)}`];
  return forms;
}

/**
 * @param {Step} step
 * @param {Notation} notation
 * @returns {Side | undefined} nothing for what is given or held fast
 */
function sideOf(step, notation) {
  if (step.frozen) return undefined;
  if (step.bypassed !== null) return copied(notation);
  return derivations[step.op]?.(notation);
}

/** @type {(notation: Notation) => Side} */
const copied = ({ operand, cell, value }) => ({
  symbols: (step) => operand(step, step.bypassed ?? 0),
  indices: (explanation) => [cell(explanation.from)],
  numbers: (explanation) => [value(explanation.from)],
});

/**
 * @param {Math} above
 * @param {Math} below
 */
const fraction = (above, below) =>
  mathml`<mfrac><mrow>${above}</mrow><mrow>${below}</mrow></mfrac>`;

/** @param {Math} of */
const root = (of) => mathml`<msqrt>${of}</msqrt>`;

/** @param {Math} of */
const power = (of) => mathml`<msup><mi>e</mi><mrow>${of}</mrow></msup>`;

/**
 * @param {string} name
 * @param {Math} of
 */
const call = (name, of) =>
  mathml`<mi mathvariant="normal">${name}</mi><mo stretchy="false">(</mo>${of}<mo stretchy="false">)</mo>`;

/**
 * How the files of the ops write formulas of what is shown.
 * @param {View} view
 * @param {number} more digits of their numbers
 * @returns {Notation}
 */
function notationOf(view, more) {
  const tokens = tokensOf(view, more);
  return {
    mathml,
    nothing,
    plus,
    minus,
    separator: separator(),
    ...tokens,
    operand: (step, k) => tokens.matrix(String(step.inputs[k])),
    plainNumber: (number) => plainNumber(number, more),
    fraction,
    root,
    power,
    call,
  };
}
