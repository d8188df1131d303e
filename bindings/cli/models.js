// What the commands that open models of others share: from a name on the command line to a model and its tokenizer.

import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { GlassformerError } from '../js/base/errors.js';
import { ARITHMETICS } from '../js/stored/matrix.js';
import { importTokenizer } from '../models/formats/tokenizer-package.js';
import { openModel } from '../models/open/index.js';
import { load } from '../models.js';
import {
  defined,
  Failure,
  integer,
  number,
  onOneLine,
  reasonOf,
  UsageError,
  word,
} from './usage.js';

/** @typedef {import('../models/checkpoints/open.js').Checkpoint} Checkpoint */
/** @typedef {import('../js/model/model.js').Model} Model */
/** @typedef {import('../models.js').ModelOpener} ModelOpener */
/** @typedef {import('./terminal.js').Terminal} Terminal */

export const FILES = `Files:

  NAME.gguf   a model of llama.cpp, with its tokenizer
  NAME.bin    a model of llama2.c, with tokenizer.bin beside it
  FOLDER      a model of Hugging Face: config.json, model.safetensors and
              tokenizer.json, which needs the package @huggingface/tokenizers
  NAME.safetensors   such a file of weights, or a model that model.save() wrote
              with its vocabulary
  stories     the shipped model that writes short stories`;

/** The names that Hugging Face gives weights. */
const WEIGHTS = ['model.safetensors', 'model.safetensors.index.json'];

/** Without the function that JavaScript calls. @param {string} message */
const withoutPlace = (message) => message.replace(/^open: (tokenizer: )?/, '');

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
    const said = withoutPlace(error.message);
    throw new Failure(isNamed ? said : `${file}: ${said}`);
  }
}

/** The file of a model that comes with the package; undefined if there is none of this name.
 * @param {string} course that it was trained on */
export function shippedFile(course) {
  if (!/^[\w-]+$/.test(course)) return undefined;
  const file = fileURLToPath(new URL(`../data/models/${course}.safetensors`, import.meta.url));
  return existsSync(file) ? file : undefined;
}

/** The file or folder of a model: what is named, or else a shipped model.
 * @param {string} place */
function modelAt(place) {
  if (place === '-') throw new UsageError('a model is not read from standard input: name its file');
  try {
    return { path: place, isFolder: statSync(place).isDirectory() };
  } catch (error) {
    const shipped = shippedFile(place);
    if (shipped) return { path: shipped, isFolder: false };
    throw reasonOf(`cannot read ${place}`, error);
  }
}

/** The file of the weights: in a folder, what Hugging Face calls so.
 * @param {string} place */
export function weightsIn(place) {
  const model = modelAt(place);
  if (!model.isFolder) return model.path;
  const files = WEIGHTS.map((weights) => path.join(place, weights));
  const file = files.find((candidate) => existsSync(candidate));
  if (!file) throw new Failure(`${place}: the folder has no ${WEIGHTS.join(' or ')}`);
  return file;
}

/** The tokens of llama2.c that lie beside a file, as openCheckpoint takes them.
 * @param {string} file */
export function tokensBeside(file) {
  const tokens = path.join(path.dirname(file), 'tokenizer.bin');
  return file.endsWith('.bin') && existsSync(tokens) ? { tokenizer: tokens } : {};
}

/** Tells what a file does not say.
 * @param {string} file @param {{ warnings: readonly string[] }} checkpoint @param {Terminal} terminal */
export function noteWarnings(file, { warnings }, terminal) {
  for (const warning of warnings) terminal.note(`${file}: ${warning}`);
}

/** Tells how much of a file is read.
 * @param {string} file @param {Terminal} terminal
 * @returns {(part: number) => void} */
function reading(file, terminal) {
  let shown = 0;
  return (part) => {
    const percent = Math.floor(100 * part);
    if (percent > shown) terminal.progress(`reading ${file}  ${percent} %`);
    shown = percent;
  };
}

/** Opens a file as open() does: the model, whose matrices stay as the file has them, and what lies beside it.
 * @param {string} name @param {Terminal} terminal @param {import('../js/stored/matrix.js').Arithmetic} [arithmetic]
 * @param {number} [maxLength]
 * @returns {Promise<import('../models/open/index.js').Opened>} */
export function opened(name, terminal, arithmetic, maxLength) {
  const { signal } = terminal;
  return within(name, async () => {
    const all = await openModel(load, modelAt(name).path, {
      ...defined({ stored: true, arithmetic, maxLength, signal }),
      onProgress: reading(name, terminal),
      openTokenizer: async (files) => (await importTokenizer()).openTokenizer(files),
    });
    noteWarnings(name, all, terminal);
    try {
      /* The commands read texts: without a tokenizer this is an error. */
      return { ...all, tokenizer: all.tokenizer };
    } catch (error) {
      const { detail, message } = /** @type {GlassformerError} */ (error);
      if (detail !== 'noVocabulary') throw error;
      throw new Failure(
        `${name}: ${withoutPlace(message)}. What glassformer train wrote, glassformer ask TASK --model ${name}`,
      );
    }
  });
}

/** Characters of a word or token that are shown. */
export const MAX_TOKEN_CHARACTERS = 16;
/** Unknown words that are named. */
const MAX_NAMED_WORDS = 5;

/** The words of a text that a vocabulary lacks.
 * @param {import('../models/formats/token-lists.js').ListedTokenizer} tokenizer @param {string} text */
export const unknownWords = (tokenizer, text) =>
  tokenizer.unknown === undefined
    ? []
    : text
        .split(/\s+/)
        .filter((word) => tokenizer.encode(word).includes(Number(tokenizer.unknown)));

/** The first few of some words.
 * @param {readonly string[]} words */
export function quotedWords(words) {
  const quoted = Array.from(new Set(words), (word) => `"${onOneLine(word, MAX_TOKEN_CHARACTERS)}"`);
  const more =
    quoted.length > MAX_NAMED_WORDS ? ` and ${quoted.length - MAX_NAMED_WORDS} more` : '';
  return quoted.slice(0, MAX_NAMED_WORDS).join(', ') + more;
}

/** New tokens of a text, unless the call says how many. */
const DEFAULT_MAX_TOKENS = 128;

export const GENERATION_HELP = `\
  --max N           at most N new tokens: ${DEFAULT_MAX_TOKENS} by default
  --temperature T   0, the default, takes the best token each time. Above 0
                    tokens are drawn: at 1 as likely as the model finds them
  --seed N          of the draws: a random one by default, which --json tells
  --lookup          guess tokens from earlier parts of the text, and check them
                    together: faster where the text copies, and the same text
  --context N       the most tokens that the model reads at once, the answer
                    included: by default as many as it can`;

export const GENERATION_FLAGS = /** @type {const} */ ({
  max: { type: 'string' },
  temperature: { type: 'string' },
  seed: { type: 'string' },
  lookup: { type: 'boolean' },
  context: { type: 'string' },
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

/** Prints a text as it comes, unless one object will say it; gives its result, with its times.
 * @param {import('../models/text/index.js').GenerationStream<string>} stream @param {Terminal} terminal @param {boolean} isJson */
export async function written(stream, terminal, isJson) {
  const begin = performance.now();
  const secondsSince = () => (performance.now() - begin) / 1000;
  let firstSeconds = 0;
  for await (const part of stream) {
    firstSeconds ||= secondsSince();
    if (!isJson) await terminal.print(part);
  }
  terminal.signal?.throwIfAborted();
  const tokens = stream.result.tokens.map(({ token }) => token);
  return { ...stream.result, tokens, firstSeconds, seconds: secondsSince() };
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
 * @returns {Promise<Model>} */
export function modelOf(gf, file, checkpoint, terminal) {
  const { signal } = terminal;
  return within(file, () =>
    gf.openModel(checkpoint, { signal, onProgress: reading(file, terminal) }),
  );
}
