// The exports of a walkthrough: the figure, a tensor, the worked solution, a program.

import { sizeOf } from '../draw/tensor.js';
import { runName } from '../telling/words.js';
import { figure } from './figure.js';
import { javascript } from './javascript.js';
import { latex } from './latex.js';
import { numpy, pytorch } from './python.js';
import { snippet } from './snippet.js';
import { csv, json } from './tables.js';

/** @typedef {import('../../app/state/view.js').View} View */
/** @typedef {{ node: string, alone: boolean }} Wishes node: whose tensor; alone: only the present step's
 * program */
/** count: how many numbers are written, where all of them are.
 * @typedef {{ type: string, extension: string, write: (view: View, wishes: Wishes) => string,
 *   count?: (view: View, wishes: Wishes) => number }} Format */

/** An example by its title, and by what was removed. @param {View} view */
const titled = (view) => {
  const { title, ...rest } = view.example;
  return { ...rest, title: [title, runName(view)].filter(Boolean).join(', ') };
};

/** More numbers make a text that no one can use. */
export const MAX_NUMBERS = 1e6;

/** Counts the values that stand in a program: its leaves, or the operands of its one step.
 * @type {Format['count']} */
const countInputs = ({ trace, stage }, { alone }) =>
  trace.steps
    .filter(({ name, kind }) => (alone ? stage.inputs.includes(name) : kind !== 'op'))
    .reduce((sum, step) => sum + sizeOf(step), 0);

/** @type {Format['count']} */
const countTensor = ({ trace }, { node }) => sizeOf(trace.step(node));

/** @param {import('./snippet.js').Language} language
 * @returns {Pick<Format, 'write' | 'count'>} */
const program = (language) => ({
  count: countInputs,
  write(view, { alone }) {
    const { trace, stage } = view;
    const run = { steps: trace.steps, example: titled(view) };
    return snippet(run, language, alone ? [stage.name] : undefined);
  },
});

/** By name. @type {Record<string, Format>} */
export const formats = {
  svg: { type: 'image/svg+xml', extension: 'svg', write: figure },
  csv: {
    type: 'text/csv',
    extension: 'csv',
    count: countTensor,
    write: (view, { node }) => csv(view.trace.step(node), runName(view)),
  },
  json: {
    type: 'application/json',
    extension: 'json',
    count: countTensor,
    write: ({ trace, state }, { node }) => json(trace.step(node), state.remove),
  },
  latex: {
    type: 'text/x-tex',
    extension: 'tex',
    write: (view) =>
      latex({
        trace: view.trace,
        example: titled(view),
        stages: view.line.stages,
        explain: (run, cell) => view.session.explain(run, cell),
      }),
  },
  numpy: { type: 'text/x-python', extension: 'py', ...program(numpy) },
  pytorch: { type: 'text/x-python', extension: 'py', ...program(pytorch) },
  javascript: { type: 'text/javascript', extension: 'mjs', ...program(javascript) },
};

/** What begins a comment in a program. @type {Record<string, string>} */
export const comments = Object.fromEntries(
  [numpy, pytorch, javascript].map(({ name, comment }) => [name, comment]),
);

/** What a file is called: 'the-cat-sat-without-scale-scores.csv'.
 * @param {View} view @param {string} format @param {Wishes} wishes */
export function fileName({ example, stage, state }, format, { node, alone }) {
  const parts = { svg: stage.name, csv: node, json: node, latex: '' };
  const part = Object(parts)[format] ?? (alone ? stage.name : '');
  const removed = state.remove.map((removal) => removal.replace('_', '-'));
  const words = [
    example.name,
    removed.length > 0 && 'without',
    ...removed,
    part,
    format === 'pytorch' && 'pytorch',
  ].filter(Boolean);
  return `${words.join('-').replace(/[^\w-]+/g, '-')}.${formats[format].extension}`;
}
