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
problems, answers to another of them are found. One of the two may be -,
standard input.

  --lang LANG   ${LANG}
  --json        {"points", "max", "steps": {STEP: {"points", "max"}},
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

/** @param {import('../learn/exercises/index.js').Marks} marks @param {any} answers @param {boolean} quiet */
function textOf({ points, max, steps, cells, next }, answers, quiet) {
  const total = `${points} of ${max} points\n`;
  if (quiet) return total;
  const parts = Object.entries(steps).map(([step, one]) => `${step} ${one.points}/${one.max}`);
  const split = points < max && parts.length > 1 ? `  ${parts.join(', ')}\n` : '';
  const rows = Object.entries(cells)
    .filter(([, { state }]) => state !== 'right')
    .map(([cell, { message }]) => [
      cell,
      onOneLine(String(answers.cells[cell] ?? ''), MAX_SHOWN_CHARACTERS),
      message,
    ]);
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column].length)));
  const lines = rows.map(
    ([cell, answer, message]) =>
      `  ${cell.padEnd(widths[0])}  ${answer.padEnd(widths[1])}  ${message}\n`,
  );
  return `${total}${split}${lines.join('')}${next ? `${next.hint}\n` : ''}`;
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
    if (problems.length !== 1 && problems.length !== answers.length) {
      throw new Failure(`${answersFile}: ${answers.length} answers to ${problems.length} problems`);
    }
    if (!answers.length) throw new Failure(`${answersFile}: expected answers, received none`);
    const gf = await load();
    const turn = turns();
    const marks = [];
    for (const [i, answer] of answers.entries()) {
      await turn();
      terminal.signal?.throwIfAborted();
      terminal.progress(`answers ${i + 1} of ${answers.length}`);
      const problem = problems[problems.length === 1 ? 0 : i];
      const place = (/** @type {string} */ file, /** @type {unknown[]} */ { length }) =>
        length > 1 ? `${file}: ${i + 1}` : file;
      /* A refusal of answers says that it is one. */
      const refused = (/** @type {unknown} */ error) =>
        String(Object(error).params?.where).startsWith('mark: answers')
          ? place(answersFile, answers)
          : place(problemFile, problems);
      marks.push(
        refusing(refused, () => markAnswers(gf, problem, answer, { lang, variants: problems })),
      );
    }
    const many = Array.isArray(problemData) && problemData.length !== 1;
    if (flags.json) {
      const result = many || Array.isArray(written) ? marks : marks[0];
      return terminal.print(`${JSON.stringify(result, jsonValue)}\n`);
    }
    const texts = marks.map((one, i) => {
      const head = marks.length > 1 ? `${i + 1}: ` : '';
      return head + textOf(one, answers[i], flags.quiet === true);
    });
    await terminal.print(texts.join(''));
  },
};
