// A question folder for PrairieLearn. Its server.py marks as mark() does: variants.json has the steps of the recipe and those of
// each known mistake, with the bands.

import { LANGUAGES } from '../../../generated/languages.js';
import { packed } from '../../../generated/server-py.js';
import { jsonValue } from '../../../js/base/file.js';
import { isSame } from '../../../js/number/judge.js';
import { readyFor } from '../marking/states.js';
import { decimalsOf, short } from '../problem/problem.js';
import { escaped, html, introduction, table, workingList } from './html.js';
import { inflated } from './packed.js';
import { pageOf } from './page.js';
import { rulesOf } from './rules.js';
import { digest } from './zip.js';

/** @typedef {import('../../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../problem/problem.js').Problem} Problem */
/** @typedef {import('./page.js').SheetSpeech} Speech */

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

/** @typedef {ReturnType<typeof readyFor>} PreparedProblem */
/** @typedef {import('../machine/machine.js').Step} Step */

/** The steps as server.py runs them: with their numbers where none of a learner's goes in. An op that the tape lacks goes by the
 * recipe's step, or by the mistake, that has it.
 * @param {PreparedProblem['work']} work
 * @param {(step: Step) => string} opOf a step that is a function */
function programOf({ machine, program, recipe: { asked } }, opOf) {
  machine.run();
  /** Steps that a learner's numbers may change. @type {Set<string>} */
  const open = new Set();
  const isOpen = (/** @type {string} */ name) => open.has(name) || asked.includes(name);
  const leaves = Object.keys(program.leaves).map((name) => ({ name, fixed: true, leaf: true }));
  const steps = machine.steps.map((step) => {
    const { name, of, op, whole, within, with: { factor } = {} } = step;
    const facts = { name, ...(whole && { whole }), ...(within?.as && { within: within.as }) };
    const by = factor === undefined ? { of, op } : { of, op, factor };
    if (!of.some(isOpen)) return { ...facts, ...by, fixed: true };
    open.add(name);
    return { ...facts, ...by, op: op ?? opOf(step) };
  });
  return [...leaves, ...steps].map((step) => ({
    ...step,
    shape: machine.shape(step.name),
    ...('fixed' in step && { numbers: Array.from(machine.values(step.name), short) }),
  }));
}

/** The known mistakes: their steps, by name where they are the right ones; the steps whose numbers they change; and how far
 * off the cells may be, where that is another band than the right one.
 * @param {PreparedProblem} prepared @param {string} recipe @param {ReturnType<typeof programOf>} right */
function mistakesOf(prepared, recipe, right) {
  const { work, asked, bandOf } = prepared;
  const places = new Map(work.machine.steps.map(({ by, name }) => [by, name]));
  const same = new Map(right.map((step) => [JSON.stringify(step), step.name]));
  const names = new Set(work.asked.flatMap((step) => prepared.mistakesIn(step)));
  return [...names].map((name) => {
    const mistake = /** @type {NonNullable<ReturnType<typeof prepared.mistake>>} */ (
      prepared.mistake(name)
    );
    const opOf = (/** @type {Step} */ step) => {
      const place = places.get(step.by);
      return place === undefined ? `${name}.${step.name}` : `${recipe}.${place}`;
    };
    const steps = programOf(mistake, opOf);
    const bands = asked
      .map((cell) => /** @type {const} */ ([cell, mistake.bandFor(cell)]))
      .filter(([cell, band]) => !isSame(band, bandOf(cell)));
    return {
      name,
      steps: steps.map((step) => same.get(JSON.stringify(step)) ?? step),
      changed: [...mistake.changed],
      bands: Object.fromEntries(bands.map(([cell, band]) => [cell.name, short(band)])),
    };
  });
}

/** @param {Glassformer} gf @param {Problem} problem @param {Speech} speech */
function variantOf(gf, problem, speech) {
  const { words } = speech;
  const { recipe, seed, level, policy } = problem;
  const page = pageOf(gf, problem, speech);
  const prepared = readyFor('exportQuiz', gf, problem);
  const decimals = decimalsOf(policy);
  const cells = prepared.asked.map(({ name: cell, step, offset }, i) => {
    const { value, band } = problem.solution[cell];
    const answer = speech.number(value, Number.isInteger(value) ? 0 : decimals);
    const free = prepared.free.has(cell);
    const id = `cell${i + 1}`;
    return { id, cell, step, at: offset, value, band, answer, ...(free && { free }) };
  });
  const ids = new Map(cells.map(({ cell, id }) => [cell, id]));
  const input = (/** @type {string} */ cell) =>
    `<pl-string-input answers-name="${ids.get(cell)}" aria-label="${escaped(cell)}" allow-blank="true" remove-leading-trailing="true" size="7" show-help-text="false"></pl-string-input>`;
  const steps = programOf(prepared.work, ({ name }) => `${recipe}.${name}`);
  return {
    recipe,
    seed,
    level,
    policy,
    points: prepared.points,
    follow: prepared.follow,
    copied: Object.fromEntries(prepared.copied),
    given: [
      ...introduction(page, speech),
      `<p>${html(rulesOf(gf, problem, speech))}</p>`,
      `<h4>${html(words.sheet.asked)}</h4>`,
    ].join('\n'),
    asked: page.asked
      .map((matrix) => table(matrix, ({ name, text }) => (name ? input(name) : html(text))))
      .join('\n'),
    working: workingList(page),
    cells,
    steps,
    mistakes: mistakesOf(prepared, recipe, steps),
  };
}

/** @param {unknown} value */
const json = (value) => `${JSON.stringify(value, jsonValue)}\n`;

/** The files of the question.
 * @param {Glassformer} gf
 * @param {readonly Problem[]} problems @param {Speech} speech @param {{ title: string }} options
 * @returns {Promise<{ path: string, text: string }[]>} */
export async function write(gf, problems, speech, { title }) {
  const { states, slips, worth, unreadable, misconceptions } = speech.words;
  /* The server fills in the braces. */
  const names = ['at', 'follows', 'n'];
  const holes = Object.fromEntries(names.map((name) => [name, `{${name}}`]));
  const named = (/** @type {string} */ kind, /** @type {Record<string, string>} */ all) =>
    Object.fromEntries(Object.entries(all).map(([name, words]) => [`${kind}:${name}`, words]));
  const sentences = {
    ...{ ...states, ...worth },
    ...{ ...named('slip', slips), ...named('unreadable', unreadable) },
  };
  const uuid = uuidOf(JSON.stringify([speech.lang, title, problems]));
  const folder = `glassformer-${uuid.slice(0, 8)}`;
  const info = { uuid, title, topic: 'Transformers', tags: [], type: 'v3' };
  const variants = {
    sentences: Object.fromEntries(
      Object.entries(sentences).map(([name, words]) => [name, speech.say(words, holes)]),
    ),
    mistakes: misconceptions,
    comma: LANGUAGES[speech.lang].decimal === ',',
    variants: problems.map((problem) => variantOf(gf, problem, speech)),
  };
  return [
    { path: `${folder}/info.json`, text: `${JSON.stringify(info, null, 2)}\n` },
    { path: `${folder}/question.html`, text: QUESTION },
    { path: `${folder}/server.py`, text: await inflated(packed) },
    { path: `${folder}/variants.json`, text: json(variants) },
  ];
}
