// What the commands that open models of others share: from a name on the command line to a model and its tokenizer.

import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { GlassformerError } from '../js/base/errors.js';
import { parse } from '../js/base/file.js';
import { ARITHMETICS } from '../js/stored/matrix.js';
import { endsOf } from '../models/formats/tokenizer-ends.js';
import { importTokenizer } from '../models/formats/tokenizer-package.js';
import { openCheckpoint } from '../models.js';
import { textOf } from './encoding.js';
import { Failure, integer, number, reasonOf, UsageError, word } from './usage.js';

/** @typedef {import('../models/checkpoints/open.js').Checkpoint} Checkpoint */
/** @typedef {import('../models/formats/token-lists.js').ListedTokenizer} ListedTokenizer */
/** @typedef {import('../models/formats/tokenizer.js').TextTokenizer} TextTokenizer */
/** @typedef {import('../js/model/model.js').Model} Model */
/** @typedef {import('../models.js').ModelOpener} ModelOpener */
/** @typedef {import('./terminal.js').Terminal} Terminal */

export const FILES = `Files:

  NAME.gguf   a model of llama.cpp, with its tokenizer
  NAME.bin    a model of llama2.c, with tokenizer.bin beside it
  FOLDER      a model of Hugging Face: config.json, model.safetensors and
              tokenizer.json, which needs the package @huggingface/tokenizers`;

/** The names that Hugging Face gives weights. */
const WEIGHTS = ['model.safetensors', 'model.safetensors.index.json'];

/** What goes wrong with a file carries its name.
 * @template T
 * @param {string} file @param {() => Promise<T>} work */
export async function within(file, work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GlassformerError)) throw error;
    /* What reads a file may have named it already. */
    const isNamed = [file, path.basename(file)].some((name) =>
      error.message.startsWith(`${name}:`),
    );
    throw new Failure(isNamed ? error.message : `${file}: ${error.message}`);
  }
}

/** The file of the weights: what is named, or in a folder what Hugging Face calls so.
 * @param {string} place */
export function weightsIn(place) {
  if (place === '-') throw new UsageError('a model is not read from standard input: name its file');
  let isFolder;
  try {
    isFolder = statSync(place).isDirectory();
  } catch (error) {
    throw reasonOf(`cannot read ${place}`, error);
  }
  if (!isFolder) {
    const config = path.join(path.dirname(place), 'config.json');
    if (!place.endsWith('.safetensors') || existsSync(config)) return place;
    throw new Failure(
      `${place}: there is no config.json beside it, and so no tokenizer. What glassformer convert wrote, ` +
        `gf.open() reads; what glassformer train wrote, glassformer ask TASK --model ${place}`,
    );
  }
  const files = WEIGHTS.map((weights) => path.join(place, weights));
  const file = files.find((candidate) => existsSync(candidate));
  if (!file) throw new Failure(`${place}: the folder has no ${WEIGHTS.join(' or ')}`);
  return file;
}

/** @param {string} file */
const json = (file) => parse(path.basename(file), textOf(path.basename(file), readFileSync(file)));

/** A file of a folder, parsed; nothing if there is none.
 * @param {string} folder @param {string} name */
function beside(folder, name) {
  const file = path.join(folder, name);
  return existsSync(file) ? json(file) : {};
}

/** The tokenizer of Hugging Face's files, and the tokens that end a text.
 * @param {string} folder
 * @returns {Promise<{ tokenizer: TextTokenizer, stops: number[] }>} */
async function tokenizerIn(folder) {
  const file = path.join(folder, 'tokenizer.json');
  if (!existsSync(file)) throw new Failure(`${folder}: the folder has no tokenizer.json`);
  const { openTokenizer } = await importTokenizer();
  const template = path.join(folder, 'chat_template.jinja');
  const config = beside(folder, 'tokenizer_config.json');
  /* Of anything but an object the tokenizer says what is wrong. */
  if (existsSync(template) && config?.constructor === Object) {
    Object.assign(config, { chat_template: textOf('chat_template.jinja', readFileSync(template)) });
  }
  const tokenizer = openTokenizer({
    tokenizer: json(file),
    config,
    generation: beside(folder, 'generation_config.json'),
  });
  const ends = endsOf('config.json', beside(folder, 'config.json'));
  return { tokenizer, stops: [...new Set([...ends, ...tokenizer.stops])] };
}

/** The tokens of llama2.c that lie beside a file, as openCheckpoint takes them.
 * @param {string} file */
export function tokensBeside(file) {
  const tokens = path.join(path.dirname(file), 'tokenizer.bin');
  return file.endsWith('.bin') && existsSync(tokens) ? { tokenizer: tokens } : {};
}

/** Tells what a file does not say.
 * @param {string} file @param {Checkpoint} checkpoint @param {Terminal} terminal */
export function noteWarnings(file, { warnings }, terminal) {
  for (const warning of warnings) terminal.note(`${file}: ${warning}`);
}

/** Opens a file, and finds its tokenizer, and the template of its chats if it has one.
 * @param {string} name @param {Terminal} terminal
 * @returns {Promise<{ checkpoint: Checkpoint, tokenizer: ListedTokenizer, stops: readonly number[],
 *   chatTemplate: string | null }>} */
export function opened(name, terminal) {
  const { signal } = terminal;
  return within(name, async () => {
    const file = weightsIn(name);
    const folder = path.dirname(file);
    const checkpoint = await openCheckpoint(file, { signal, ...tokensBeside(file) });
    if (!checkpoint) throw signal?.reason;
    noteWarnings(name, checkpoint, terminal);
    if (checkpoint.container === 'safetensors') {
      const { tokenizer, stops } = await tokenizerIn(folder);
      return { checkpoint, tokenizer, stops, chatTemplate: tokenizer.chatTemplate };
    }
    const { tokenizer, chatTemplate } = checkpoint;
    if (!tokenizer) throw new Failure(`${name}: there is no tokenizer`);
    return { checkpoint, tokenizer, stops: tokenizer.stops, chatTemplate };
  });
}

/** New tokens of a text, unless the call says how many. */
const DEFAULT_MAX_TOKENS = 128;

export const GENERATION_HELP = `\
  --max N           at most N new tokens: ${DEFAULT_MAX_TOKENS} by default
  --temperature T   0, the default, takes the best token each time. Above 0
                    tokens are drawn: at 1 as likely as the model finds them
  --seed N          of the draws: a random one by default, which --json tells
  --lookup          guess tokens from earlier parts of the text, and check them
                    together: faster where the text copies, and the same text`;

export const GENERATION_FLAGS = /** @type {const} */ ({
  max: { type: 'string' },
  temperature: { type: 'string' },
  seed: { type: 'string' },
  lookup: { type: 'boolean' },
});

/** How a text is written.
 * @param {import('./usage.js').Flags} flags */
export function generationOf(flags) {
  const maxNewTokens = integer(flags, 'max') ?? DEFAULT_MAX_TOKENS;
  if (maxNewTokens < 1) {
    throw new UsageError(`--max: expected 1 or more, received ${maxNewTokens}`);
  }
  const temperature = number(flags, 'temperature') ?? 0;
  return { maxNewTokens, temperature, seed: integer(flags, 'seed'), lookup: flags.lookup };
}

export const ARITHMETIC_FLAG = /** @type {const} */ ({ arithmetic: { type: 'string' } });

export const ARITHMETIC_HELP = `\
  --arithmetic HOW  exact, the default, or integer: faster, for files of Q4, Q5,
                    Q6 or Q8. Its results differ a little, and are the same
                    on every machine, too`;

/** How products are to be computed.
 * @param {import('./usage.js').Flags} flags */
export const arithmeticOf = (flags) =>
  /** @type {import('../js/stored/matrix.js').Arithmetic | undefined} */ (
    word(flags, 'arithmetic', ARITHMETICS)
  );

/** Reads the weights, and tells how far it is.
 * @param {ModelOpener} gf @param {string} file @param {Checkpoint} checkpoint @param {Terminal} terminal
 * @param {{ stored?: boolean, arithmetic?: import('../js/stored/matrix.js').Arithmetic }} [options] stored: whether
 *   matrices stay as the file has them, to be used, not to be written: true by default
 * @returns {Promise<Model>} */
export function modelOf(gf, file, checkpoint, terminal, options = {}) {
  const { stored = true, arithmetic = 'exact' } = options;
  return within(file, async () => {
    const { signal } = terminal;
    let shown = 0;
    const model = await gf.openModel(checkpoint, {
      stored,
      arithmetic,
      signal,
      onProgress: (part) => {
        const percent = Math.floor(100 * part);
        if (percent > shown) terminal.progress(`reading ${file}  ${percent} %`);
        shown = percent;
      },
    });
    if (!model) throw signal?.reason;
    return model;
  });
}
