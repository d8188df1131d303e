// glassformer lesson: whether a lesson can be taught.

import { readFileSync } from 'node:fs';
import { load, readModel } from '../index.js';
import { checkLesson, readLesson } from '../learn/lessons/index.js';
import { refusing, UsageError, unknown } from './usage.js';

const HELP = `glassformer lesson check FILE

Checks the form of a lesson, then its content: every path exists in the trace of
its scene; every condition can hold but does not hold at first; no sentence has
more than 25 words; no number is typed; no language is missing. FILE may be -,
standard input.

  --json      [{"scene", "at", "message"}, ...]; scene 0 is the lesson itself
  --quiet     the number of findings alone

Exit status: 0 nothing found, 3 something found, 1 the file is not a lesson
or cannot be read, 2 usage error.

Examples
  glassformer lesson check one-score.json
  glassformer lesson check mine.json --json
`;

const HAS_FINDINGS = 3;

/** @param {readonly import('../learn/lessons/index.js').Finding[]} findings @param {number} scenes */
function textOf(findings, scenes) {
  const lines = findings.map(
    ({ scene, at, message }) => `${scene ? `scene ${scene}, ` : ''}${at}: ${message}\n`,
  );
  const many = (/** @type {number} */ n, /** @type {string} */ what) =>
    `${n} ${what}${n === 1 ? '' : 's'}`;
  return `${lines.join('')}${many(findings.length, 'finding')} in ${many(scenes, 'scene')}\n`;
}

/** @type {import('./usage.js').Command} */
export const lesson = {
  help: HELP,
  flags: {},
  async run({ flags, words, terminal }) {
    const [verb, file, ...more] = words;
    if (verb !== undefined && verb !== 'check') unknown('lesson command', verb, ['check']);
    if (!file || more.length) {
      throw new UsageError(
        `lesson check: expected one FILE, received ${[file, ...more].filter(Boolean).join(' ') || 'nothing'}`,
      );
    }
    const text = await terminal.text(file);
    const read = refusing(file, () => readLesson(text));
    const gf = await load();
    const shipped = (/** @type {string} */ name, /** @type {string} */ asks) =>
      read.scenes.some(({ state }) => state.includes(asks))
        ? gf.open(
            readModel(readFileSync(new URL(`../data/models/${name}.safetensors`, import.meta.url))),
          )
        : undefined;
    const findings = checkLesson(gf, read, {
      model: shipped('french-english', 'chapter=transformer'),
      stories: shipped('stories', 'example=stories'),
    });
    const summary = flags.quiet ? `${findings.length}\n` : textOf(findings, read.scenes.length);
    await terminal.print(flags.json ? `${JSON.stringify(findings)}\n` : summary);
    return findings.length ? HAS_FINDINGS : 0;
  },
};
