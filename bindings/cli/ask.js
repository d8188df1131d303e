// glassformer ask: lets a trained model answer.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from '../index.js';
import { answer } from '../tasks/solver.js';
import { UNKNOWN } from '../tasks/vocabulary.js';
import { NAMES, openModel, taskOf } from './tasks.js';
import { string, UsageError } from './usage.js';

/** @typedef {import('../model/model.js').Model} Model */
/** @typedef {import('../tasks/task.js').Task} Task */

const HELP = `glassformer ask TASK TEXT

Lets a trained model answer. In place of the text, - asks each line of standard
input, and gives its answer before the next line is read. A line that fails
gives an empty answer and an error; the others go on. The tasks:
${NAMES.join(', ')}.

  --model FILE   a model that train --out wrote; by default the shipped one,
                 which french-english, dates and reverse have
  --json         one object a line: source, answer, and the words unknown to
                 the task; or source and error. With -, the line number too
  --quiet        nothing but answers and errors

The exit status is 1 where a line failed or had unknown words.

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
  task.tokenize('source', source).filter((token) => task.vocabulary.encode([token])[0] === UNKNOWN);

/** @type {import('./usage.js').Command} */
export const ask = {
  help: HELP,
  flags: { model: { type: 'string' } },
  async run({ flags, words, terminal }) {
    const task = taskOf(words[0]);
    const text = words.slice(1).join(' ').trim();
    if (!text) {
      const sample = task.sample(0, 1).source;
      throw new UsageError(`ask: missing question. For example: ask ${task.name} "${sample}"`);
    }
    const model = await modelOf(task, string(flags, 'model'));
    /** Answers one text; whether the task knew all of it. @param {string} source @param {object} [place] */
    const respond = async (source, place) => {
      const words = unknownOf(task, source);
      if (words.length) {
        const shown = words.map((word) => JSON.stringify(word)).join(', ');
        terminal.note(`${task.name} does not know ${shown}`);
      }
      /* An empty line of many has an empty answer. */
      const given = source.trim() && (await answer(model, task, source));
      const record = { ...place, source, answer: given, unknown: words };
      await terminal.print(`${flags.json ? JSON.stringify(record) : given}\n`);
      return words.length === 0;
    };
    if (text !== '-') return Number(!(await respond(text)));
    let failed = false;
    for await (const { line, text: source, bytes } of terminal.lines()) {
      try {
        if (source === null) throw new RangeError(`${bytes} bytes are too long for a question`);
        if (!(await respond(source, { line }))) failed = true;
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        failed = true;
        const { message } = error;
        terminal.complain(`line ${line}: ${message}`);
        const record = { line, ...(source !== null && { source }), error: { message } };
        await terminal.print(flags.json ? `${JSON.stringify(record)}\n` : '\n');
      }
    }
    return Number(failed);
  },
};
