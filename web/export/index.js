// What can be taken away from a walkthrough: the figure, a tensor, the worked solution, a program.

import { sizeOf } from '../draw/tensor.js';
import { runName } from '../telling/words.js';
import { figure } from './figure.js';
import { javascript } from './javascript.js';
import { latex } from './latex.js';
import { numpy } from './numpy.js';
import { pytorch } from './pytorch.js';
import { snippet } from './snippet.js';
import { csv, json } from './tables.js';

/** @typedef {import('../state/view.js').View} View */
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

/** More numbers than this make a text that no one can use. */
export const MOST = 1e6;

/** @param {import('./snippet.js').Language} language
 * @returns {Format['write']} */
const program =
  (language) =>
  (view, { alone }) => {
    const { trace, stage } = view;
    const run = { steps: trace.steps, example: titled(view) };
    return snippet(run, language, alone ? [stage.name] : undefined);
  };

/** What a program is given: its leaves, or the operands of its one step.
 * @type {Format['count']} */
const given = ({ trace, stage }, { alone }) =>
  trace.steps
    .filter(({ name, kind }) => (alone ? stage.inputs.includes(name) : kind !== 'op'))
    .reduce((sum, step) => sum + sizeOf(step), 0);

/** @type {Format['count']} */
const own = ({ trace }, { node }) => sizeOf(trace.step(node));

/** By name. @type {Record<string, Format>} */
export const formats = {
  svg: { type: 'image/svg+xml', extension: 'svg', write: figure },
  csv: {
    type: 'text/csv',
    extension: 'csv',
    count: own,
    write: (view, { node }) => csv(view.trace.step(node), runName(view)),
  },
  json: {
    type: 'application/json',
    extension: 'json',
    count: own,
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
  numpy: { type: 'text/x-python', extension: 'py', write: program(numpy), count: given },
  pytorch: { type: 'text/x-python', extension: 'py', write: program(pytorch), count: given },
  javascript: {
    type: 'text/javascript',
    extension: 'mjs',
    write: program(javascript),
    count: given,
  },
};

/** What a file is called: 'the-cat-sat-without-scale-scores.csv'.
 * @param {View} view @param {string} format @param {Wishes} wishes */
export function fileName({ example, stage, state }, format, { node, alone }) {
  const part =
    {
      svg: stage.name,
      csv: node,
      json: node,
      latex: '',
    }[format] ?? (alone ? stage.name : '');
  const without = state.remove.map((removal) => removal.replace('_', '-'));
  const removed = without.length > 0 ? ['without', ...without] : [];
  const words = [example.name, ...removed, part, format === 'pytorch' ? 'pytorch' : ''].filter(
    (word) => word,
  );
  return `${words.join('-').replace(/[^\w-]+/g, '-')}.${formats[format].extension}`;
}
