// A question folder for PrairieLearn. Its server.py marks like mark(): by bands, and by the learner's own numbers,
// which it carries forward through the steps of the recipe in variants.json.

import { LANGUAGES } from '../../../generated/languages.js';
import { SERVER } from '../../../generated/server-py.js';
import { jsonValue } from '../../../js/base/file.js';
import { readyFor } from '../marking/states.js';
import { decimalsOf, short } from '../problem/problem.js';
import { escaped, html, introduction, table, workingList } from './html.js';
import { pageOf } from './page.js';
import { digest } from './zip.js';

/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('./page.js').Speech} Speech */

const QUESTION = `<pl-question-panel>
{{{params.given}}}
</pl-question-panel>
{{{params.asked}}}
<pl-submission-panel>
<ul>{{#feedback.findings}}<li>{{cell}}: {{text}}</li>{{/feedback.findings}}</ul>
</pl-submission-panel>
<pl-answer-panel>
{{{params.working}}}
</pl-answer-panel>
`;

/** The same for the same text, in the form of version 4. @param {string} text */
function uuidOf(text) {
  const hex = [0, 1, 2, 3].map((i) => digest(`${i} ${text}`)).join('');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}

/** The steps as server.py runs them: with their numbers where none of a learner's goes in.
 * @param {Glassformer} gf @param {Problem} problem */
function programOf(gf, problem) {
  const { work } = readyFor('exportQuiz', gf, problem);
  const { machine, program, recipe } = work;
  machine.run();
  /** Steps that a learner's numbers may change. @type {Set<string>} */
  const open = new Set();
  const isOpen = (/** @type {string} */ name) => open.has(name) || recipe.asked.includes(name);
  const leaves = Object.keys(program.leaves).map((name) => ({ name, fixed: true }));
  const steps = machine.steps.map(({ name, of, op, with: options = {} }) => {
    if (!of.some(isOpen)) return { name, fixed: true };
    open.add(name);
    const { factor } = options;
    return { name, of, op: op ?? `${problem.recipe}.${name}`, ...(factor && { factor }) };
  });
  return [...leaves, ...steps].map((step) => ({
    ...step,
    shape: machine.shape(step.name),
    numbers: Array.from(machine.values(step.name), short),
  }));
}

/** @param {Glassformer} gf @param {Problem} problem @param {Speech} speech */
function variantOf(gf, problem, speech) {
  const { words } = speech;
  const page = pageOf(gf, problem, speech);
  const { asked } = readyFor('exportQuiz', gf, problem);
  const decimals = decimalsOf(problem.policy);
  const cells = asked.map(({ name: cell, step, offset }, i) => {
    const { value, band } = problem.solution[cell];
    const wrong = Object.entries(problem.misconceptions).flatMap(([name, made]) =>
      cell in made && !Number.isNaN(made[cell])
        ? [{ number: made[cell], sentence: speech.misconception(name) }]
        : [],
    );
    return {
      id: `cell${i + 1}`,
      cell,
      step,
      at: offset,
      value,
      band,
      answer: speech.number(value, Number.isInteger(value) ? 0 : decimals),
      wrong,
    };
  });
  const ids = new Map(cells.map(({ cell, id }) => [cell, id]));
  const input = (/** @type {string} */ cell) =>
    `<pl-string-input answers-name="${ids.get(cell)}" aria-label="${escaped(cell)}" allow-blank="true" remove-leading-trailing="true" size="7" show-help-text="false"></pl-string-input>`;
  return {
    recipe: problem.recipe,
    seed: problem.seed,
    given: [...introduction(page, speech), `<h4>${html(words.sheet.asked)}</h4>`].join('\n'),
    asked: page.asked
      .map((matrix) => table(matrix, ({ name, text }) => (name ? input(name) : html(text))))
      .join('\n'),
    working: workingList(page),
    /* Half a point where a step before was rounded to one digit less, unless that is none. */
    early: decimals !== undefined && decimals > 1,
    decimals: decimals ?? null,
    cells,
    steps: programOf(gf, problem),
  };
}

/** @param {unknown} value */
const json = (value) => `${JSON.stringify(value, jsonValue)}\n`;

/** The files of the question.
 * @param {Glassformer} gf
 * @param {readonly Problem[]} problems @param {Speech} speech @param {{ title: string }} options
 * @returns {{ path: string, text: string }[]} */
export function write(gf, problems, speech, { title }) {
  const { right, carried, 'early-rounding': early, wrong, unreadable } = speech.words.states;
  /* The server fills in the braces. */
  const holes = { at: '{at}', follows: '{follows}', value: '{value}' };
  const sentences = { right, carried, early, wrong, unreadable };
  const uuid = uuidOf(JSON.stringify([speech.lang, title, problems]));
  const folder = `glassformer-${uuid.slice(0, 8)}`;
  const info = { uuid, title, topic: 'Transformers', tags: [], type: 'v3' };
  const variants = {
    sentences: Object.fromEntries(
      Object.entries(sentences).map(([name, words]) => [name, speech.say(words, holes)]),
    ),
    comma: LANGUAGES[speech.lang].decimal === ',',
    variants: problems.map((problem) => variantOf(gf, problem, speech)),
  };
  return [
    { path: `${folder}/info.json`, text: `${JSON.stringify(info, null, 2)}\n` },
    { path: `${folder}/question.html`, text: QUESTION },
    { path: `${folder}/server.py`, text: SERVER },
    { path: `${folder}/variants.json`, text: json(variants) },
  ];
}
