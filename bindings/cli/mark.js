// glassformer mark: marks what learners wrote.

import { load } from '../index.js';
import { csvOf } from '../js/base/csv.js';
import { jsonValue, parse } from '../js/base/file.js';
import { languages } from '../js/base/speech.js';
import { turns } from '../js/base/turn.js';
import { mark as markAnswers, worksheet } from '../learn/exercises/index.js';
import { Failure, LANG, onOneLine, refusing, UsageError, word } from './usage.js';

const HELP = `glassformer mark PROBLEM.json ANSWERS.json

Marks the answers to an exercise that glassformer quiz wrote. ANSWERS.json is
{"cells": {"scores[0,1]": "4", ...}}: each cell as the learner wrote it. Either
file may hold a list; one problem with many answers marks a class. In a list of
problems, "variant" in each of the answers pairs them, {"variant": 4, "cells":
...}, as the sheet has it, or "seed"; without these, their order. "name" stands
in the output. Answers to another problem of the list are found, and sheets with
the same wrong numbers. One of the two may be -, standard input.

  --lang LANG   ${LANG}
  --json        {"name", "points", "max", "steps": {STEP: {"points", "max"}},
                "cells": {CELL: {"state", "points", "message"}}}: docs/schemas/
                result.schema.json describes it, and answers.schema.json what
                ANSWERS.json may hold
  --csv         a line for each learner: name, points, max, percent
  --quiet       the points alone

Examples
  glassformer quiz scores > scores.json
  glassformer mark scores.json answers.json
  glassformer mark scores.json class.json --json
`;

/** Fewer wrong numbers that two sheets have are chance. */
const LEAST_WRONG = 3;
/** Characters of an answer that are shown. */
const MAX_SHOWN_CHARACTERS = 40;

/** @param {string} file @param {import('./terminal.js').Terminal} terminal
 * @returns {Promise<unknown>} */
async function read(file, terminal) {
  const text = await terminal.text(file);
  return refusing(file, () => parse('JSON', text));
}

/** The one thing in a list of one; a list otherwise. @param {unknown} value */
const listOf = (value) => (Array.isArray(value) ? value : [value]);

/** A sentence for several cells, whose numbers differ: these become dots. @param {readonly string[]} messages */
function joined(messages) {
  const [first, ...others] = [...new Set(messages)];
  if (!others.length) return first;
  const words = others.map((message) => message.split(' '));
  const theirs = first
    .split(' ')
    .map((word, i) => (words.every((one) => one[i] === word) ? word : '…'));
  return theirs.join(' ');
}

/** Cells by what the sheet calls them, with what was written into them; those of a step after the first by their place alone.
 * @param {readonly string[]} cells @param {Record<string, unknown>} written @param {ReadonlyMap<string, string>} labels */
function listOfCells(cells, written, labels) {
  let title = '';
  return cells
    .map((cell) => {
      const label = labels.get(cell) ?? cell;
      const end = label.lastIndexOf(' [');
      const short = label.slice(0, end) === title ? label.slice(end + 1) : label;
      title = label.slice(0, end);
      return `${short} ${onOneLine(String(written[cell] ?? ''), MAX_SHOWN_CHARACTERS)}`.trimEnd();
    })
    .join(', ');
}

/** How many cells of each step. @param {readonly string[]} cells */
function countOf(cells) {
  const steps = cells.map((cell) => cell.split('[')[0]);
  return [...new Set(steps)]
    .map((step) => `${step} (${steps.filter((one) => one === step).length})`)
    .join(', ');
}

/** @param {import('../learn/exercises/index.js').Marks} marks @param {any} answers @param {boolean} quiet
 * @param {ReadonlyMap<string, string>} labels what the sheet calls each cell */
function textOf({ points, max, steps, cells, next }, answers, quiet, labels) {
  const total = `${points} of ${max} points\n`;
  if (quiet) return total;
  const parts = Object.entries(steps).map(([step, one]) => `${step} ${one.points}/${one.max}`);
  const split = points < max && parts.length > 1 ? `  ${parts.join(', ')}\n` : '';
  /** The cells that are told the same, but for a number. @type {Map<string, string[]>} */
  const groups = new Map();
  for (const [cell, { state, points: part, why, follows }] of Object.entries(cells)) {
    if (state === 'right' && part && follows === undefined) continue;
    const key = [state, part, why].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), cell]);
  }
  const lines = [...groups.values()].map((group) => {
    const message = joined(group.map((cell) => cells[cell].message));
    const isEmpty = cells[group[0]].state === 'empty';
    const list = isEmpty ? countOf(group) : listOfCells(group, answers.cells, labels);
    return `  ${message}\n    ${list}\n`;
  });
  return `${total}${split}${lines.join('')}${next ? `  ${labels.get(next.cell)}: ${next.hint}\n` : ''}`;
}

/** The name of a learner, where the answers have one. @param {unknown} answers
 * @returns {{ name?: string }} */
function nameOf(answers) {
  const { name } = Object(answers);
  return typeof name === 'string' && name.trim() ? { name } : {};
}

/** The problem of each of the answers: that of their seed, or the one in their place.
 * @param {string} file @param {readonly any[]} problems @param {readonly any[]} answers */
function paired(file, problems, answers) {
  const bySeed = new Map(problems.map((problem) => [Object(problem).seed, problem]));
  const isSeeded = answers.map(
    (answer) => Object(answer).seed !== undefined || Object(answer).variant !== undefined,
  );
  if (problems.length > 1 && problems.length !== answers.length && isSeeded.includes(false)) {
    throw new Failure(
      `${file}: ${answers.length} answers to ${problems.length} problems. The number of its variant in each of the answers pairs them: {"variant": 1, "cells": ...}`,
    );
  }
  return answers.map((answer, i) => {
    if (!isSeeded[i]) return problems[problems.length === 1 ? 0 : i];
    const { seed, variant } = answer;
    const problem = variant === undefined ? bySeed.get(seed) : problems[variant - 1];
    if (problem) return problem;
    const place = answers.length > 1 ? `${file}: ${i + 1}` : file;
    if (variant !== undefined) {
      throw new Failure(
        `${place}: no problem is variant ${JSON.stringify(variant)}; there are 1 to ${problems.length}`,
      );
    }
    const seeds = [...bySeed.keys()].join(', ');
    throw new Failure(
      `${place}: no problem has the seed ${JSON.stringify(seed)}; there are ${seeds}`,
    );
  });
}

/** Sheets of one problem with the same numbers, wrong ones among them: a line for each group.
 * @param {readonly string[]} names @param {readonly any[]} problems of each sheet @param {readonly import('../learn/exercises/index.js').Marks[]} marks */
function sameSheets(names, problems, marks) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  marks.forEach(({ cells }, i) => {
    const all = Object.values(cells);
    if (all.filter(({ state }) => state !== 'right' && state !== 'empty').length < LEAST_WRONG)
      return;
    const key = JSON.stringify([
      problems.indexOf(problems[i]),
      all.map(({ read }) => String(read)),
    ]);
    groups.set(key, [...(groups.get(key) ?? []), names[i]]);
  });
  return [...groups.values()]
    .filter(({ length }) => length > 1)
    .map((same) => `The same numbers, wrong ones too: ${same.join(', ')}\n`)
    .join('');
}

/** What each of the answers is called: by its name, with its place where others have the same; by its place alone without one.
 * @param {readonly { name?: string }[]} marks @param {number} most characters */
function namesOf(marks, most) {
  const names = marks.map(({ name }) => name && onOneLine(name, most));
  return names.map((name, i) => {
    if (!name) return String(i + 1);
    const isAlone = names.indexOf(name) === names.lastIndexOf(name);
    return isAlone ? name : `${name} (${i + 1})`;
  });
}

/** A line for each learner, for a list of marks. @param {readonly string[]} names
 * @param {readonly import('../learn/exercises/index.js').Marks[]} marks */
const listOfMarks = (names, marks) =>
  csvOf([
    ['name', 'points', 'max', 'percent'],
    ...marks.map(({ points, max }, i) => [
      names[i],
      points,
      max,
      Math.round((1000 * points) / max) / 10,
    ]),
  ]);

/** @type {import('./usage.js').Command} */
export const mark = {
  help: HELP,
  flags: { lang: { type: 'string' }, csv: { type: 'boolean' } },
  async run({ flags, words, terminal }) {
    if (words.length !== 2) {
      const received = words.length ? words.join(' ') : 'nothing';
      throw new UsageError(`mark: expected PROBLEM.json ANSWERS.json, received ${received}`);
    }
    const lang = /** @type {any} */ (word(flags, 'lang', languages) ?? 'en');
    const [problemFile, answersFile] = words;
    if (problemFile === '-' && answersFile === '-') {
      throw new UsageError('mark: only one of the two files can be -');
    }
    const problemData = await read(problemFile, terminal);
    const written = await read(answersFile, terminal);
    const [problems, answers] = [listOf(problemData), listOf(written)];
    if (!answers.length) throw new Failure(`${answersFile}: expected answers, received none`);
    const theirs = paired(answersFile, problems, answers);
    const gf = await load();
    const turn = turns();
    const marks = [];
    for (const [i, answer] of answers.entries()) {
      await turn();
      terminal.signal?.throwIfAborted();
      terminal.progress(`answers ${i + 1} of ${answers.length}`);
      const problem = theirs[i];
      const place = (/** @type {string} */ file, /** @type {unknown[]} */ { length }) =>
        length > 1 ? `${file}: ${i + 1}` : file;
      /* A refusal of answers says that it is one. */
      const refused = (/** @type {unknown} */ error) =>
        String(Object(error).params?.where).startsWith('mark: answers')
          ? place(answersFile, answers)
          : place(problemFile, problems);
      const one = refusing(refused, () =>
        markAnswers(gf, problem, answer, { lang, variants: problems }),
      );
      marks.push({ ...nameOf(answer), ...one });
    }
    const many = Array.isArray(problemData) && problemData.length !== 1;
    if (flags.json) {
      const result = many || Array.isArray(written) ? marks : marks[0];
      return terminal.print(`${JSON.stringify(result, jsonValue)}\n`);
    }
    if (flags.csv) return terminal.print(listOfMarks(namesOf(marks, Infinity), marks));
    const names = namesOf(marks, MAX_SHOWN_CHARACTERS);
    /* A class may have one problem. */
    const labels = new Map(
      [...new Set(theirs)].map((problem) => {
        const { key } = worksheet(gf, problem, { lang });
        return [problem, new Map(key.map(({ name, label }) => [name, label]))];
      }),
    );
    const texts = marks.map((one, i) => {
      const who = one.name || marks.length > 1 ? `${names[i]}: ` : '';
      const called = /** @type {Map<string, string>} */ (labels.get(theirs[i]));
      return who + textOf(one, answers[i], flags.quiet === true, called);
    });
    await terminal.print(`${texts.join('')}${sameSheets(names, theirs, marks)}`);
  },
};
