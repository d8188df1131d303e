// A program that computes the present numbers again: one line per step, in a language. Edited steps stand there as
// values, removed ones as copies.
import { codes } from '../../../bindings/generated/codes.js';
import { shortest } from '../draw/format.js';

/** @typedef {import('../../app/session.js').Step} Step */

/**
 * @typedef {object} Language
 * @property {'numpy' | 'pytorch' | 'javascript'} name as the files of the ops call it
 * @property {string} comment what begins a comment
 * @property {Record<string, string>} imports by the name that they bring
 * @property {(variable: string, expression: string) => string} assign
 * @property {(step: Step, nested: string) => string} literal the values of a step; `nested` are they as
 *   nested lists
 * @property {(value: string) => string} number a float32 constant
 * @property {(value: number) => string} special an infinity, or what is no number
 * @property {(label: string, variable: string) => string} show prints one step
 */

/** Functions that expressions call, by name.
 * @param {'numpy' | 'pytorch'} language
 * @returns {Record<string, string>} */
const helpersIn = (language) =>
  Object.assign({}, ...Object.values(codes).map(({ helpers }) => helpers?.[language]));
const HELPERS = { numpy: helpersIn('numpy'), pytorch: helpersIn('pytorch'), javascript: {} };

/** Columns that a row of numbers may take in one line. */
const WIDTH = 96;

/** A node's name as a variable: 'scores.scaled' is scores_scaled.
 * @param {string} node @param {Language} language */
export function variable(node, { imports, name: language }) {
  const name = node.replace(/\W/g, '_').replace(/^(\d)/, '_$1');
  return name in imports || name in HELPERS[language] ? `${name}_` : name;
}

/** @param {string} text */
const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

/** Row-major numbers as nested lists, a row per line.
 * @param {Step} step @param {(value: number) => string} special */
function nested({ data, shape, kind }, special) {
  const write = (/** @type {number} */ value) => {
    if (kind === 'ids') return String(value);
    return Number.isFinite(value) ? shortest(value) : special(value);
  };
  /** @type {(depth: number, first: number, indent: string) => string} */
  const list = (depth, first, indent) => {
    const inner = `${indent}  `;
    if (depth === shape.length - 1) {
      const numbers = Array.from(data.slice(first, first + shape[depth]), write);
      const row = `[${numbers.join(', ')}]`;
      return row.length + indent.length <= WIDTH ? row : folded(numbers, indent);
    }
    const size = shape.slice(depth + 1).reduce((product, d) => product * d, 1);
    const rows = Array.from({ length: shape[depth] }, (_, i) =>
      list(depth + 1, first + i * size, inner),
    );
    return `[\n${rows.map((row) => `${inner}${row},\n`).join('')}${indent}]`;
  };
  return list(0, 0, '');
}

/** @param {string[]} numbers @param {string} indent */
function folded(numbers, indent) {
  /** @type {string[]} */
  const lines = [];
  for (const number of numbers) {
    const last = lines.at(-1);
    if (last !== undefined && indent.length + last.length + number.length + 4 <= WIDTH) {
      lines[lines.length - 1] = `${last} ${number},`;
    } else lines.push(`${number},`);
  }
  return `[\n${lines.map((line) => `${indent}  ${line}\n`).join('')}${indent}]`;
}

/** The comment on a step.
 * @param {Step} step */
function remark({ name, op, kind, formula, bypassed, frozen, removed, inputs, shape }) {
  const size = `[${shape.join(', ')}]`;
  if (kind !== 'op') return `${name} ${size}`;
  if (frozen) return `${name} ${size}: ${removed ? 'removed' : 'held fast by an edit'}`;
  if (bypassed !== null) return `${name} ${size}: removed, a copy of ${inputs[bypassed]}`;
  return `${name} ${size}: ${op}, ${formula}`;
}

/**
 * @param {{ steps: Step[], example: { title: string, source: string } }} run a trace
 * @param {Language} language
 * @param {string[]} [only] names of the steps to compute; what else they need is there as values
 */
export function snippet({ steps, example }, language, only = steps.map(({ name }) => name)) {
  const find = (/** @type {string} */ name) =>
    /** @type {Step} */ (steps.find((step) => step.name === name));
  const wanted = new Set(only);
  const needed = new Set(only.flatMap((name) => [name, ...find(name).inputs]));
  const chosen = steps.filter(({ name }) => needed.has(name));
  const body = chosen.flatMap((step) => {
    const computed = step.kind === 'op' && !step.frozen && wanted.has(step.name);
    return [
      '',
      `${language.comment} ${oneLine(remark(step))}`,
      language.assign(
        variable(step.name, language),
        computed
          ? expressionOf(step, language, find)
          : language.literal(step, nested(step, language.special)),
      ),
    ];
  });
  const shown = chosen
    .filter(({ name, kind }) => kind === 'op' && wanted.has(name))
    .map(({ name }) => language.show(name, variable(name, language)));
  const helpers = used(HELPERS[language.name], '(', body.join('\n')).map((lines) => `\n${lines}`);
  const imports = used(language.imports, '.', [...helpers, ...body].join('\n'));
  return `${[
    `${language.comment} ${oneLine(example.title)}`,
    ...(example.source ? [`${language.comment} ${oneLine(example.source)}`] : []),
    '',
    ...imports,
    ...helpers,
    ...body,
    '',
    ...shown,
  ].join('\n')}\n`;
}

/** Those that a text uses: their name stands there, followed by a mark.
 * @param {Record<string, string>} all @param {string} mark @param {string} text */
const used = (all, mark, text) =>
  Object.keys(all)
    .filter((name) => new RegExp(`\\b${name}\\${mark}`).test(text))
    .map((name) => all[name]);

/** @param {Step} step @param {Language} language @param {(name: string) => Step} find */
function expressionOf(step, language, find) {
  const inputs = step.inputs.map((name) => (name === null ? '' : variable(name, language)));
  if (step.bypassed !== null) return inputs[step.bypassed];
  const code = codes[step.op];
  if (!code) throw new RangeError(`no line for the op ${step.op}`);
  const operands = step.inputs.map((name) => (name === null ? null : find(name)));
  const float = (/** @type {number} */ value) => language.number(shortest(value));
  return code[language.name]({ step, inputs, operands, shortest, float });
}
