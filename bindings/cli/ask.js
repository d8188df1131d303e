// glassformer ask: lets a trained model answer.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from '../index.js';
import { didYouMean } from '../js/base/errors.js';
import { answer } from '../lab/tasks/solver.js';
import { answersOf } from './answers.js';
import { ARITHMETIC_FLAG, ARITHMETIC_HELP, arithmeticOf } from './models.js';
import { wrap } from './table.js';
import { courseOf, NAMES, openModel, taskOf } from './tasks.js';
import { Failure, Missing, string, textOfLine, UsageError } from './usage.js';

/** @typedef {import('../js/model/model.js').Model} Model */
/** @typedef {import('../lab/tasks/task.js').Task} Task */

const HELP = `glassformer ask TASK|FILE TEXT

Asks a trained model. With - in place of the text, it answers each line of
standard input before it reads the next. A line that fails gives an empty
answer and an error; the next lines still get theirs. The tasks:
${NAMES.join(', ')}.

FILE is what glassformer generate takes. Its model answers with the labels of
its own head, with a translation, or by its chat template.

  --model FILE      a model that train --out wrote; by default the shipped one,
                    which french-english, dates and reverse have
  --vocabulary      the words, or characters, that a text may have
${ARITHMETIC_HELP}
  --json            one object a line: source, answer, the words unknown to the
                    task, and whether it accepts the text; or source and error.
                    With -, the line number too
  --quiet           nothing but answers and errors

A text with unknown words, or outside the task's grammar, gets a note before its
answer. The exit status is 1 if there was such a text, or a line failed.

Examples
  glassformer ask french-english "le chat noir dort"
  glassformer ask french-english --vocabulary
  printf 'abc\\nstressed\\n' | glassformer ask reverse -
  printf 'abc\\nstressed\\n' | glassformer ask reverse - --json
`;

/** @param {Task} task @param {string | undefined} file */
async function modelOf(task, file) {
  const shipped = fileURLToPath(
    new URL(`../data/models/${task.name}.safetensors`, import.meta.url),
  );
  if (file === undefined && !existsSync(shipped)) {
    throw new UsageError(
      `no model of ${task.name} is shipped: train one, and give it by --model FILE`,
    );
  }
  return openModel(await load(), courseOf(task.name), file ?? shipped);
}

/** @param {readonly string[]} words */
const quoted = (words) => words.map((word) => JSON.stringify(word)).join(', ');

/** Why the answer may be wrong, whatever the model is; '' if the task has such a text.
 * @param {Task} task @param {string} source @param {string[]} unknown its words that the task does not know */
function doubtOf(task, source, unknown) {
  if (unknown.length) {
    const words = task.dictionary.flatMap((entry) => entry.source);
    const hint = unknown.length === 1 ? didYouMean(unknown[0], words) : '';
    return `${task.name} does not know ${quoted(unknown)}${hint}`;
  }
  const { answer: right, fits } = task.solve(source);
  if (right !== null) return '';
  const tokens = task.tokenize('source', source);
  const where = `outside the grammar of ${task.name}`;
  if (fits === null) return `${where}: ${JSON.stringify(source)}`;
  if (fits === tokens.length) return `${where}: the sentence is not complete`;
  const before = task.detokenize('source', tokens.slice(0, fits));
  const after = fits ? ` cannot follow ${quoted([before])}` : ' cannot begin a sentence';
  return `${where}: ${quoted([tokens[fits]])}${after}`;
}

/** The words by kind, each with its forms and what they mean.
 * @param {Task} task @param {number} width */
function vocabularyOf(task, width) {
  const kinds = new Set(task.dictionary.map(({ kind }) => kind));
  return [...kinds].flatMap((kind) => {
    const entries = task.dictionary.filter((entry) => entry.kind === kind);
    const entryTexts = entries.map(({ source, target }) => {
      const [forms, meanings] = [source.join(', '), target.join(', ')];
      return forms === meanings ? forms : `${forms}: ${meanings}`;
    });
    return [kind, ...wrap(entryTexts.join('; '), width - 2).map((line) => `  ${line}`)];
  });
}

/** Asks a model of a file. @param {import('./usage.js').Call} call */
async function askFile({ flags, words: [file, ...rest], terminal }) {
  const flag = ['model', 'vocabulary'].find((flag) => flags[flag] !== undefined);
  if (flag) throw new UsageError(`--${flag} is for a task, received the file ${file}`);
  const text = rest.join(' ').trim();
  if (!text) throw new Missing('question');
  const answersTo = await answersOf(file, terminal, arithmeticOf(flags));
  /** @param {string} source @param {object} [place] */
  const respond = async (source, place) => {
    const { text: answerText, record } = await answersTo(source);
    const line = flags.json ? JSON.stringify({ ...place, source, ...record }) : answerText;
    await terminal.print(`${line}\n`);
  };
  if (text !== '-') return respond(text);
  for await (const line of terminal.lines()) {
    await respond(textOfLine(line), { line: line.line });
  }
}

/** @type {import('./usage.js').Command} */
export const ask = {
  help: HELP,
  flags: { model: { type: 'string' }, vocabulary: { type: 'boolean' }, ...ARITHMETIC_FLAG },
  async run(call) {
    const { flags, words, terminal } = call;
    const [name] = words;
    if (name && !NAMES.includes(name) && existsSync(name)) return askFile(call);
    const task = taskOf(name);
    if (flags.arithmetic !== undefined) {
      throw new UsageError(`--arithmetic is for a file, received the task ${task.name}`);
    }
    const text = words.slice(1).join(' ').trim();
    if (flags.vocabulary) {
      if (text) throw new UsageError(`--vocabulary takes no text, received ${quoted([text])}`);
      const lines = vocabularyOf(task, terminal.look.width).join('\n');
      return terminal.print(`${flags.json ? JSON.stringify(task.dictionary) : lines}\n`);
    }
    if (!text) {
      const sample = task.sample(0, 1).source;
      throw new Missing(`question. For example: ask ${task.name} "${sample}"`);
    }
    const model = await modelOf(task, string(flags, 'model'));
    /** Answers one text; whether the task has such a text. @param {string} source @param {object} [place] */
    const respond = async (source, place) => {
      /* An empty line of many has an empty answer. */
      const empty = source.trim() === '';
      const answerText = empty ? '' : await answer(model, task, source);
      const unknown = empty ? [] : task.unknown(source);
      const doubt = empty ? '' : doubtOf(task, source, unknown);
      if (doubt) terminal.note(doubt);
      const accepted = doubt === '';
      const record = { ...place, source, answer: answerText, unknown, accepted };
      await terminal.print(`${flags.json ? JSON.stringify(record) : answerText}\n`);
      return accepted;
    };
    return Number(!(await (text === '-' ? respondToLines(call, respond) : respond(text))));
  },
};

/** Answers each line of standard input; whether the task has such texts.
 * @param {import('./usage.js').Call} call
 * @param {(source: string, place: { line: number }) => Promise<boolean>} respond */
async function respondToLines({ flags, terminal }, respond) {
  let accepted = true;
  for await (const { line, text, bytes, stray } of terminal.lines()) {
    try {
      if (text === null) throw new Failure(`${bytes} bytes are too long for a question`);
      if (stray !== undefined) throw new Failure(`byte ${stray + 1} is not UTF-8`);
      if (!(await respond(text, { line }))) accepted = false;
    } catch (error) {
      const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
      if (!(code === 'GF_ERANGE' || error instanceof Failure)) throw error;
      accepted = false;
      terminal.complain(`line ${line}: ${message}`);
      const record = { line, ...(text !== null && { source: text }), error: { message } };
      await terminal.print(flags.json ? `${JSON.stringify(record)}\n` : '\n');
    }
  }
  return accepted;
}
