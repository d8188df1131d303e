// glassformer ask: lets a trained model answer.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from '../index.js';
import { answer } from '../tasks/solver.js';
import { UNKNOWN } from '../tasks/vocabulary.js';
import { NAMES, openModel, taskOf } from './tasks.js';
import { Failure, string, UsageError } from './usage.js';

/** @typedef {import('../model/model.js').Model} Model */
/** @typedef {import('../tasks/task.js').Task} Task */

const HELP = `glassformer ask TASK TEXT

Lets a trained model answer. In place of the text, - asks each line of standard
input, and gives its answer before the next line is read. The tasks:
${NAMES.join(', ')}.

  --model FILE   a model that train --out wrote; by default the shipped one,
                 which french-english, dates and reverse have
  --json         one object a line, with source and answer
  --quiet        nothing but answers and errors

Examples
  glassformer ask french-english "le chat noir dort"
  printf 'abc\\nstressed\\n' | glassformer ask reverse -
  printf 'abc\\nstressed\\n' | glassformer ask reverse - --json
`;

/** @param {Task} task @param {string | undefined} file */
async function modelOf(task, file) {
  const shipped = fileURLToPath(new URL(`../models/${task.name}.safetensors`, import.meta.url));
  if (file === undefined && !existsSync(shipped)) {
    throw new UsageError(
      `no model of ${task.name} is shipped: train one, and give it by --model FILE`,
    );
  }
  return openModel(await load(), task, file ?? shipped);
}

/** The words, or letters, that no training pair has.
 * @param {Task} task @param {string} source */
const unknownOf = (task, source) =>
  task
    .tokenize('source', source)
    .filter((token) => task.vocabulary.encode([token])[0] === UNKNOWN)
    .map((token) => JSON.stringify(token));

/** @type {import('./usage.js').Command} */
export const ask = {
  help: HELP,
  flags: { model: { type: 'string' } },
  async run({ flags, words, terminal }) {
    const task = taskOf(words[0]);
    const text = words.slice(1).join(' ').trim();
    if (!text)
      throw new UsageError(`ask: what? For example ask ${task.name} "${task.sample(0, 1).source}"`);
    const model = await modelOf(task, string(flags, 'model'));
    const respond = async (/** @type {string} */ source) => {
      const unknown = unknownOf(task, source);
      if (unknown.length) terminal.note(`${task.name} does not know ${unknown.join(', ')}`);
      /* An empty line of many has an empty answer. */
      const given = source.trim() && (await answer(model, task, source));
      return terminal.print(`${flags.json ? JSON.stringify({ source, answer: given }) : given}\n`);
    };
    if (text !== '-') return respond(text);
    let line = 0;
    for await (const source of terminal.lines()) {
      line += 1;
      try {
        await respond(source);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new Failure(`line ${line}: ${error.message}`);
      }
    }
  },
};
