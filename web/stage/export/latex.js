// A trace as a worked solution in LaTeX: each step in symbols, indices, numbers, and its result. Its words are those of
// the page, but its numbers have all their digits.

import { text } from '../../app/locale/text.js';
import { termsOf } from '../../app/state/timeline.js';
import { briefly, shortest } from '../draw/format.js';
import { symbol } from '../draw/names.js';
import { indexAt, matrices, sizeOf } from '../draw/tensor.js';
import { derivation } from '../telling/derivation.js';
import { leftOf } from '../telling/equation.js';
import { describe, prose, title } from '../telling/words.js';
import { exact, parse } from './formula.js';

/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {import('../../app/session.js').Trace} Trace */
/** @typedef {import('../../app/session.js').Example} Example */
/** @typedef {import('./formula.js').Node} Node */

/** A step of more cells than this is worked out for its first row only. */
const CELLS = 48;
/** A matrix shows so many rows and columns; dots stand for the rest. */
const SHOWN = 12;
/** Sums of so many terms are written out. */
const TERMS = 8;
/** Pieces of a formula in one line. */
const PIECES = 3;

const SPECIAL = /[\\{}$&#%_^~]/g;
const NAMED = { '\\': '\\textbackslash{}', '^': '\\textasciicircum{}', '~': '\\textasciitilde{}' };

/** Words that mean nothing to TeX. @param {string} words */
const plain = (words) =>
  words.replace(SPECIAL, (c) => NAMED[/** @type {'^'} */ (c)] ?? `\\${c}`).replace(/\s+/g, ' ');

/** Words in which W_Q and d_k are set as in a formula. @param {string} words */
const typeset = (words) =>
  words
    .split(/\b([A-Za-z]_[A-Za-z]+)\b/)
    .map((part, i) => (i % 2 ? `$${part[0]}_{${part.slice(2)}}$` : plain(part)))
    .join('');

/** Operators; others are written as they are. @type {Record<string, string>} */
const OPERATORS = {
  '·': '\\cdot',
  '⋯': '\\cdots',
  '∑': '\\sum',
  '−': '-',
  '×': '\\times',
  '≈': '\\approx',
  '∞': '\\infty',
  sin: '\\sin',
  cos: '\\cos',
  'sin, cos': '\\sin, \\cos',
};

/** @param {string} number */
const tex = (number) =>
  number
    .replace('Infinity', '\\infty')
    .replace('NaN', '\\mathrm{NaN}')
    .replace(/e([+-]?\d+)/, '\\cdot 10^{$1}')
    .replace('{+', '{');

/** A number as it is written down, without the digits that only float32 adds. @param {number} value */
const written = (value) => briefly(value) ?? shortest(value);

/** The same where it may stand in brackets. @param {string} shown */
const inFull = (shown) => shown.replace(/-?\d[\d.e+-]*/, (number) => written(Number(number)));

/** @param {string} word a letter with primes, or a name */
function letter(word) {
  const primed = word.replace('″', "''").replace('′', "'");
  if (OPERATORS[word]) return OPERATORS[word];
  return /^\w'*$/.test(primed) ? primed : `\\mathrm{${plain(primed).replace(/ /g, '\\ ')}}`;
}

/** How each element of a formula is written. @type {Record<string, (parts: string[], node: Node) => string>} */
const WRITERS = {
  mi: (_, { children }) => letter(children.join('')),
  mo: (_, { children }) => OPERATORS[children.join('')] ?? plain(children.join('')),
  mn: (_, node) => tex(inFull(exact(node))),
  msub: ([base, below]) => `${base}_{${below}}`,
  msup: ([base, above]) => `${base}^{${above}}`,
  msubsup: ([base, below, above]) => `${base}_{${below}}^{${above}}`,
  munder: ([base, below]) => `${base}_{${below}}`,
  munderover: ([base, below, above]) => `${base}_{${below}}^{${above}}`,
  mfrac: ([above, below]) => `\\frac{${above}}{${below}}`,
  msqrt: (parts) => `\\sqrt{${parts.join(' ')}}`,
};

/** @param {Node | string} node
 * @returns {string} */
function write(node) {
  if (typeof node === 'string') return plain(node);
  const parts = node.children.map(write);
  return (WRITERS[node.tag] ?? ((all) => all.join(' ')))(parts, node);
}

/** @param {unknown} formula what telling/ makes */
const texOf = (formula) => write(parse(formula)).replaceAll(' , ', ',');

/** @param {Step} step @param {number} [head] */
function name(step, head) {
  const { letter: main, below } = symbol(step, head);
  return below ? `${letter(main)}_{${letter(below)}}` : letter(main);
}

/** @param {number} value */
const cell = (value) => tex(written(value));

/** So many places as are shown; null where dots stand. @param {number} count
 * @returns {(number | null)[]} */
const places = (count) =>
  count <= SHOWN
    ? Array.from({ length: count }, (_, i) => i)
    : [...Array.from({ length: SHOWN - 2 }, (_, i) => i), null, count - 1];

/** @param {Step} step @param {number} [head] */
function matrix(step, head) {
  const { shape, data, kind } = step;
  const { rows, columns } = matrices(shape, kind === 'ids');
  const first = (head ?? 0) * rows * columns;
  const down = places(rows);
  const across = places(columns);
  const line = (/** @type {number | null} */ i) =>
    across.map((j) => {
      if (i === null) return j === null ? '\\ddots' : '\\vdots';
      return j === null ? '\\cdots' : cell(data[first + i * columns + j]);
    });
  const body = down.map((i) => `  ${line(i).join(' & ')}`).join(' \\\\\n');
  return `${name(step, head)} = \\begin{pmatrix}\n${body}\n\\end{pmatrix}`;
}

/** @param {Step} step */
function matricesOf(step) {
  const { count } = matrices(step.shape, step.kind === 'ids');
  const all = Array.from({ length: count }, (_, head) =>
    matrix(step, step.shape.length > 2 ? head : undefined),
  );
  return all.map((one) => `\\[\n${one}\n\\]`).join('\n');
}

/** Pieces of a formula, so many to a line.
 * @param {unknown[]} pieces */
function lines(pieces) {
  const written = pieces.map(texOf);
  const rows = [];
  for (let i = 0; i < written.length; i += PIECES)
    rows.push(written.slice(i, i + PIECES).join(' '));
  return rows.join(' \\\\\n    &\\quad ');
}

/** @typedef {{ trace: Trace, example: Example, stages: Step[],
 *   explain: (trace: Trace, cell: import('../draw/tensor.js').Cell) => any }} Run
 * stages: the steps to work out; what else they need stands there as values. */

/** The view of a step's derivation, for one of its cells or for none.
 * @param {Run} run @param {Step} stage @param {any} explained */
function viewOf({ trace, example }, stage, explained) {
  const terms = termsOf(stage, (node) => trace.step(node));
  const many = TERMS;
  const view = { explained, trace, example, stage, hover: null, term: terms - 1, terms, many };
  return /** @type {import('../telling/derivation.js').View} */ (/** @type {unknown} */ (view));
}

/** A smaller relative difference is of float64's rounding. */
const EXACT = 1e-9;

/** The signs before the numbers of a cell's equation and before its result: = where it is exact in the digits that are
 * written.
 * @param {import('../telling/derivation.js').View} view @param {Trace} trace @param {number} value */
function signsOf(view, trace, value) {
  const isWhole = (/** @type {number} */ x, /** @type {string} */ node = '') =>
    briefly(x) !== null || (node !== '' && trace.step(node).kind !== 'op');
  let isGiven = true;
  const left = leftOf(view)?.((x, node) => {
    isGiven &&= isWhole(x, node);
    return Number(written(x));
  });
  const result = Number(written(value));
  const isSame =
    left === undefined || Number.isNaN(left)
      ? isGiven && isWhole(value)
      : left === result || Math.abs(left - result) <= EXACT * Math.abs(result);
  const sign = (/** @type {boolean} */ is) => (is ? '=' : '\\approx');
  return { given: sign(isGiven), is: sign(isSame) };
}

/** A power of e, with indices in it. */
const POWER = /e\^\{((?:[^{}]|\{[^{}]*\})*)\}/g;

/** The indices of a softmax once the largest number of the row is subtracted, as the core does; nothing for other ops.
 * @param {string} indices @param {any} explained */
function shifted(indices, { numerator, max }) {
  if (numerator === undefined || !max || !Number.isFinite(max)) return [];
  const most = max < 0 ? `(${cell(max)})` : cell(max);
  return [indices.replace(/^.*? = /, '').replace(POWER, (_, of) => `e^{${of} - ${most}}`)];
}

/** One cell: its indices, numbers and result below each other.
 * @param {Run} run @param {Step} step @param {number} flat its place among all cells */
function worked(run, step, flat) {
  const { trace, explain } = run;
  const place = { node: step.name, index: indexAt(step.shape, flat) };
  const explanation = explain(trace, place);
  const view = viewOf(run, step, explanation);
  const { indices, numbers, result } = derivation(view);
  const [first, second, last] = [indices, numbers, result].map(lines);
  const { given: isGiven, is } = signsOf(view, trace, explanation.value);
  const unsigned = (/** @type {string} */ row) => row.replace(/^(?:=|\\approx) /, '');
  const [computed, value] = [second, last].map(unsigned);
  /* A copied value needs no line of its own. */
  const rows = computed === value || computed === '' ? [] : [`${isGiven} ${computed}`];
  rows.push(`${rows.length ? is : isGiven} ${value}`);
  rows.unshift(...shifted(first, explanation).map((row) => `= ${row}`));
  const comment = `  % ${describe(place, run).replace(/\s+/g, ' ')}\n`;
  return `${comment}  ${[first.replace(' = ', ' &= '), ...rows.map((row) => `&${row}`)].join(' \\\\\n    ')}`;
}

/** @param {Run} run @param {Step} step */
function section(run, step) {
  const heading = `\\section*{${plain(title(step))}}`;
  if (step.frozen) {
    const words = step.removed ? prose(step) : text('microscope/frozen');
    return [heading, plain(words), matricesOf(step)].join('\n');
  }
  const whole = sizeOf(step) <= CELLS;
  const count = Math.min(whole ? sizeOf(step) : step.shape[step.shape.length - 1], CELLS);
  const cells = Array.from({ length: count }, (_, flat) => worked(run, step, flat));
  return [
    heading,
    typeset(prose(step)),
    `\\[\n  ${texOf(derivation(viewOf(run, step, null)).symbols)}\n\\]`,
    ...(whole ? [] : [plain(text('export/firstRow'))]),
    `\\begin{align*}\n${cells.join(' \\\\[4pt]\n')}\n\\end{align*}`,
    matricesOf(step),
  ].join('\n');
}

/**
 * @param {Run} run
 * @returns {string} a document
 */
export function latex(run) {
  const { trace, example } = run;
  const stages = run.stages.filter(({ kind }) => kind === 'op');
  const needed = new Set(stages.flatMap(({ inputs }) => inputs));
  const leaves = trace.steps.filter((step) => needed.has(step.name) && !stages.includes(step));
  return `${[
    '\\documentclass{article}',
    '\\usepackage[a4paper, margin=2cm]{geometry}',
    '\\usepackage{amsmath}',
    `\\setcounter{MaxMatrixCols}{${SHOWN}}`,
    '\\allowdisplaybreaks',
    '\\begin{document}',
    `\\title{${plain(example.title)}}`,
    `\\author{${plain(example.source)}}`,
    '\\date{}',
    '\\maketitle',
    `\\noindent ${plain(text('export/latexNote'))}`,
    `\\section*{${plain(text('export/given'))}}`,
    ...leaves.map(matricesOf),
    ...stages.map((step) => section(run, step)),
    '\\end{document}',
  ].join('\n')}\n`;
}
