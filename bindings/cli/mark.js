// glassformer mark: marks what learners wrote.

import { load } from '../index.js';
import { jsonValue, parse } from '../js/base/file.js';
import { languages } from '../js/base/speech.js';
import { turns } from '../js/base/turn.js';
import { mark as markAnswers } from '../learn/exercises/index.js';
import { Failure, LANG, onOneLine, refusing, UsageError, word } from './usage.js';

const HELP = `glassformer mark PROBLEM.json ANSWERS.json

Marks the answers to an exercise that glassformer quiz wrote. ANSWERS.json is
{"cells": {"scores[0,1]": "4", ...}}: each cell as the learner wrote it. Either
file may hold a list; one problem with many answers marks a class. In a list of
problems, "seed" in each of the answers pairs them, {"seed": 4, "cells": ...};
without it they are paired in order. "name" stands in the output. Answers to
another problem of the list are found. One of the two may be -, standard input.

  --lang LANG   ${LANG}
  --json        {"name", "points", "max", "steps": {STEP: {"points", "max"}},
                "cells": {CELL: {"state", "points", "message"}}}: docs/schemas/
                result.schema.json describes it, and answers.schema.json what
                ANSWERS.json may hold
  --quiet       the points alone

Examples
  glassformer quiz scores > scores.json
  glassformer mark scores.json answers.json
  glassformer mark scores.json class.json --json
`;

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

/** Cells with what was written into them; those of a step after the first by their index alone.
 * @param {readonly string[]} cells @param {Record<string, unknown>} written */
function listOfCells(cells, written) {
  let step = '';
  return cells
    .map((cell) => {
      const [name, index] = cell.split('[');
      const short = name === step ? `[${index}` : cell;
      step = name;
      return `${short} ${onOneLine(String(written[cell] ?? ''), MAX_SHOWN_CHARACTERS)}`.trimEnd();
    })
    .join(', ');
}

/** @param {import('../learn/exercises/index.js').Marks} marks @param {any} answers @param {boolean} quiet */
function textOf({ points, max, steps, cells, next }, answers, quiet) {
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
    return `  ${message}\n    ${listOfCells(group, answers.cells)}\n`;
  });
  return `${total}${split}${lines.join('')}${next ? `  ${next.cell}: ${next.hint}\n` : ''}`;
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
  const isSeeded = answers.map((answer) => Object(answer).seed !== undefined);
  if (problems.length > 1 && problems.length !== answers.length && isSeeded.includes(false)) {
    throw new Failure(
      `${file}: ${answers.length} answers to ${problems.length} problems. A seed in each of the answers pairs them: {"seed": ${problems[0]?.seed}, "cells": ...}`,
    );
  }
  return answers.map((answer, i) => {
    if (!isSeeded[i]) return problems[problems.length === 1 ? 0 : i];
    const { seed } = answer;
    const problem = bySeed.get(seed);
    if (problem) return problem;
    const place = answers.length > 1 ? `${file}: ${i + 1}` : file;
    const seeds = [...bySeed.keys()].join(', ');
    throw new Failure(
      `${place}: no problem has the seed ${JSON.stringify(seed)}; there are ${seeds}`,
    );
  });
}

/** @type {import('./usage.js').Command} */
export const mark = {
  help: HELP,
  flags: { lang: { type: 'string' } },
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
    const texts = marks.map((one, i) => {
      const who = one.name ? onOneLine(one.name, MAX_SHOWN_CHARACTERS) : marks.length > 1 && i + 1;
      return (who ? `${who}: ` : '') + textOf(one, answers[i], flags.quiet === true);
    });
    await terminal.print(texts.join(''));
  },
};
