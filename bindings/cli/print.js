// Traces and explanations as text: aligned tables, and what is wrong in plain words.

import { lines } from '../generated/ops.js';
import { flatIndex } from '../js/base/cell.js';
import { cellIndex } from '../js/base/values.js';
import { align, DIGITS, exact, matrix, round, table, wrap } from './table.js';
import { onOneLine } from './usage.js';

/** @typedef {import('../js/trace/explain.js').Cell} Cell */
/** @typedef {import('../js/trace/explain.js').Explanation} Explanation */
/** @typedef {import('../js/trace/printed.js').Mismatch} Mismatch */
/** @typedef {import('../js/trace/steps.js').Step} Step */
/** @typedef {import('../js/trace/trace-example.js').Trace} Trace */
/** @typedef {import('./terminal.js').Look} Look */

/** Words beside the numbers, where a row or a column belongs to a word.
 * @param {string[]} tokens @param {boolean} apply @param {number} count */
const labelsOf = (tokens, apply, count) =>
  Array.from({ length: count }, (_, i) =>
    apply && count === tokens.length ? `${i} ${labelOf(tokens[i])}` : String(i),
  );

/** @param {string} token */
const labelOf = (token) => (token.length > MAX_LABEL ? onOneLine(token, MAX_LABEL) : token);

/** Digits that a number is written with: more than any float32 has. */
const MAX_DIGITS = 100;
/** Characters of a word beside the numbers. */
const MAX_LABEL = 40;
/** How far a table stands in. */
const INDENT = '  ';
/** Longer lines are hard to read. */
const MAX_PROSE = 100;

/** @param {Trace} trace @param {Step} step @param {Look} look
 * @returns {string[]} */
function tables(trace, step, look) {
  const { name, kind, shape, axes, data } = step;
  const tokens = trace.example.tokens ?? [];
  const [height, width] = shape.length > 1 ? shape.slice(-2) : [1, shape[0]];
  const wrong = trace.mismatches.filter((mismatch) => mismatch.node === name);
  const places = wrong.map(({ index }) => flatIndex(name, shape, index));
  /* A wrong one is marked, and a blank keeps the others in line. */
  const mark = (/** @type {number} */ index) =>
    places.length ? (places.includes(index) ? '*' : ' ') : '';
  const texts = align([...data]).map((text, index) => text + mark(index));
  const rows = labelsOf(tokens, kind !== 'parameter' && shape.length > 1, height);
  const columns = labelsOf(tokens, axes.at(-1) === 'key', width);
  const room = { ...look, width: look.width - INDENT.length };
  const lines = [];
  for (let begin = 0; begin < data.length; begin += height * width) {
    if (shape.length > 2) lines.push(look.dim(`head ${begin / (height * width)}`));
    const body = rows.map((_, i) => texts.slice(begin + i * width, begin + (i + 1) * width));
    lines.push(matrix(shape.length > 1 ? rows : [''], columns, body, room));
  }
  return lines.flat().map((line) => INDENT + line);
}

/** What is said of a printed number that is not the exact one, rounded.
 * @type {Readonly<Record<Exclude<import('../js/trace/printed.js').Verdict, 'rounded'>, string>>} */
const VERDICTS = { wrong: '', truncated: ', truncated', working: ', from its own numbers' };

/** @param {string} printed @param {number} computed @param {keyof typeof VERDICTS} [verdict] */
function difference(printed, computed, verdict = 'wrong') {
  const digits = Math.min(Math.max(DIGITS, printed.replace(/^[-0.]+|\./g, '').length), MAX_DIGITS);
  return `the text prints ${printed}${VERDICTS[verdict]}; it is ${round(computed, digits)}`;
}

/** @param {Mismatch} mismatch */
function cause({ cause, from }) {
  if (cause === 'step') return '';
  return from === 'rounded'
    ? ' (from a number that was rounded)'
    : ' (from an earlier wrong number)';
}

/** A line on something that is wrong. @param {string} text @param {Look} look */
const remark = (text, { width, red }) => `  ${red('*')} ${wrap(text, width - 4).join('\n    ')}`;

/** A line on something that is neither wrong nor exact. @param {string} text @param {Look} look */
const note = (text, { width }) => `    ${wrap(text, width - 4).join('\n    ')}`;

/** @param {Trace} trace @param {string} name @param {Look} look */
const corrections = (trace, name, look) =>
  trace.mismatches
    .filter((mismatch) => mismatch.node === name)
    .map((mismatch) => {
      const { shape, text } = trace.printed[name];
      const index = flatIndex(name, shape, mismatch.index);
      const words = difference(/** @type {string} */ (text[index]), mismatch.computed);
      return remark(`[${mismatch.index}]: ${words}${cause(mismatch)}`, look);
    });

/** The numbers of a step that the text cuts off. @param {Trace} trace @param {Step} step @param {Look} look */
function truncations(trace, { name, shape, data }, look) {
  const { text, verdict } = trace.printed[name] ?? { text: [], verdict: [] };
  return verdict.flatMap((one, i) =>
    one === 'truncated'
      ? note(`[${cellIndex(shape, i)}]: ${difference(String(text[i]), data[i], one)}`, look)
      : [],
  );
}

/** What a step does, in words and symbols.
 * @param {Step} step */
function operationOf({ op, kind, inputs, formula, attributes, bypassed }) {
  if (bypassed !== null) return ['removed:', `a copy of ${inputs[bypassed]}`];
  if (op === 'leaf') return [kind];
  const operands = inputs.filter((input) => input !== null);
  if (op === 'scale') operands.unshift(round(attributes.factor));
  return [`${op}(${operands.join(', ')}):`, formula];
}

/** @param {Step} step @param {Look} look */
function headline(step, { width, bold, dim }) {
  const shape = `[${step.shape}]`;
  const [what, formula = ''] = operationOf(step);
  const line = `${step.name} ${shape}  ${what} ${formula}`;
  const gap = line.length > width ? `\n${INDENT}` : ' ';
  return `${bold(step.name)} ${dim(shape)}  ${what}${formula && gap}${formula}`;
}

/** @param {Trace} trace @param {Look} look */
function asides(trace, look) {
  const asides = trace.example.asides ?? [];
  if (!trace.asides.length) return [];
  const lines = trace.asides.map(({ text, computed, verdict }, i) => {
    if (verdict === 'rounded') return note(`${text} = ${round(computed)}`, look);
    const line = `${text}: ${difference(asides[i].printed, computed, verdict)}`;
    return verdict === 'wrong' ? remark(line, look) : note(line, look);
  });
  return ['', 'Beside the steps, the text prints', ...lines];
}

/** What an example is about, as far as it says so.
 * @param {Trace} trace @param {Look} look */
function introduction({ example: { name, title, source, about } }, { width, bold, dim }) {
  const prose = (/** @type {string | undefined} */ text) =>
    text ? wrap(text, Math.min(width, MAX_PROSE)) : [];
  const parts = [
    [...prose([name, title].filter(Boolean).join(': ')).map(bold), ...prose(source).map(dim)],
    prose(about),
  ];
  return parts.filter((lines) => lines.length).flatMap((lines) => [...lines, '']);
}

/** Every step with its formula and its numbers.
 * @param {Trace} trace
 * @param {{ look: Look, quiet: boolean }} how quiet: the steps alone */
export function traceText(trace, { look, quiet }) {
  const steps = trace.steps.map((step) =>
    [
      headline(step, look),
      ...tables(trace, step, look),
      ...corrections(trace, step.name, look),
      ...truncations(trace, step, look),
    ].join('\n'),
  );
  const before = quiet ? [] : introduction(trace, look);
  const lines = [...before, steps.join('\n\n'), ...asides(trace, look)];
  return `${lines.join('\n')}\n`;
}

/** @param {Cell} cell */
const place = ({ node, index }) => `${node}[${index}]`;

/** @param {Cell} cell */
const valued = (cell) => `${place(cell)} = ${exact(cell.value)}`;

/** @param {Explanation} explanation */
function products({ terms = [], bias }) {
  const rows = terms.map(({ a, b, product, sum }) => [
    `${place(a)} × ${place(b)}`,
    `${exact(a.value)} × ${exact(b.value)}`,
    exact(product),
    exact(sum),
  ]);
  const lines = table([['', '', 'product', 'sum so far'], ...rows]);
  return bias ? [...lines, `+ ${valued(bias)}`] : lines;
}

/** @param {Explanation} explanation */
function exponentials({ row, max = 0, total = 0, numerator = 0, value }) {
  const rows = [row ?? []]
    .flat()
    .map((entry) =>
      'exp' in entry
        ? [place(entry), exact(entry.value), exact(entry.shifted), exact(entry.exp)]
        : [],
    );
  return [
    ...table([['', 'x', `x - ${exact(max)}`, 'e^(that)'], ...rows]),
    `the sum of these: ${exact(total)}`,
    `${exact(numerator)} / ${exact(total)} = ${exact(value)}`,
  ];
}

/** What a cell arose from, by what is told of it, or by its op.
 * @param {Explanation} explanation
 * @returns {string[]} */
function originOf(explanation) {
  const { op, bypassed, frozen, terms, numerator, from } = explanation;
  if (frozen || op === 'leaf') return ['given'];
  if (bypassed === null && terms) return products(explanation);
  if (bypassed === null && numerator !== undefined) return exponentials(explanation);
  if (bypassed === null && lines[op])
    return lines[op]({ valued, exact })(/** @type {any} */ (explanation));
  return [from ? `a copy of ${valued(from)}` : 'left there by an earlier run'];
}

/** How one cell arose, term by term.
 * @param {Explanation} explanation @param {Look} look */
export function explanationText(explanation, { bold, dim }) {
  const { op, value } = explanation;
  const title = `${bold(`${place(explanation)} = ${exact(value)}`)}   ${dim(`(${op})`)}`;
  const text = [title, ...originOf(explanation).map((line) => INDENT + line)];
  return `${text.join('\n')}\n`;
}
