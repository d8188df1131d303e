// How a number is derived, in four forms: symbols, indices, numbers, result. A form is a list of
// pieces, between which a long line may break.
import { mathml, nothing } from 'lit';
import { stem } from '../draw/names.js';
import { derivations } from '../ops.js';
import { cell, element, matrix, plainNumber, value } from './mathml.js';

/** @typedef {import('../state/view.js').View & { many?: number }} View */
/** @typedef {import('../session.js').Explanation} Explanation */
/** @typedef {import('../session.js').Valued} Valued */
/** @typedef {import('../session.js').Step} Step */
/** @typedef {import('./mathml.js').Math} Math */
/** @typedef {{ symbols: Math[], indices: Math[], numbers: Math[], result: Math[] }} Derivation */
/** @typedef {import('../../bindings/ops/kit/page.js').Side} Side */

const is = mathml`<mo>=</mo>`;
const plus = mathml`<mo form="infix">+</mo>`;
const minus = mathml`<mo form="infix">−</mo>`;

/**
 * @param {View} view
 * @returns {Derivation} only symbols while there is no cell yet
 */
export function derivation(view) {
  const { explained: told, trace, hover } = view;
  const step = told ? trace.step(told.node) : view.stage;
  const side = sideOf(step);
  const self = matrix(step.name);
  /** @type {Derivation} */
  const forms = {
    symbols: [side ? mathml`${self}${is}${side.symbols(step, view)}` : self],
    indices: [],
    numbers: [],
    result: [],
  };
  if (!told) return forms;
  const own = cell(told, hover);
  const [first, ...rest] = side ? side.indices(told, view, step) : [];
  forms.indices = side ? [mathml`${own}${is}${first}`, ...rest] : [own];
  const [number, ...numbers] = side ? side.numbers(told, view) : [];
  if (side) forms.numbers = [mathml`${is}${number}`, ...numbers];
  forms.result = [mathml`${is}${value(told, hover)}`];
  return forms;
}

/**
 * @param {Step} step
 * @returns {Side | undefined} nothing for what is given or held fast
 */
function sideOf(step) {
  if (step.frozen) return undefined;
  if (step.bypassed !== null) return copied;
  return derivations[step.op]?.(notation);
}

/**
 * @param {Step} step
 * @param {number} k
 */
const operand = (step, k) => matrix(String(step.inputs[k]));

/** @type {Side} */
const copied = {
  symbols: (step) => operand(step, step.bypassed ?? 0),
  indices: (told, { hover }) => [cell(told.from, hover)],
  numbers: (told, { hover }) => [value(told.from, hover)],
};

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

/** How the files of the ops write formulas. @type {import('../../bindings/ops/kit/page.js').Notation} */
const notation = {
  mathml,
  nothing,
  plus,
  minus,
  matrix,
  operand,
  element,
  cell,
  value,
  plainNumber,
  fraction,
  root,
  power,
  call,
  isOfScores: ({ name }) => stem(name) === 'scores.scaled',
};
