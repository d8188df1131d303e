// glassformer embed: what an encoder makes of texts, as one vector each.

import { load } from '../models.js';
import { modelOf, opened } from './models.js';
import { Failure, UsageError, word } from './usage.js';

/** @typedef {import('../checkpoints/open.js').Checkpoint} Checkpoint */
/** @typedef {import('../formats/tokenizer.js').TextTokenizer} TextTokenizer */
/** @typedef {import('../model/model.js').Model} Model */

const POOLINGS = ['mean', 'first'];

const HELP = `glassformer embed FOLDER [TEXT]

Prints the vector that an encoder makes of a text: its numbers on one line. With
- in place of the text, or without one, each line of standard input is a text.
FOLDER holds config.json, model.safetensors and tokenizer.json of Hugging Face,
and needs the package @huggingface/tokenizers.

  --pooling WHICH   mean, the default, of all tokens, or the first token
  --raw             vectors of any length; otherwise their length is 1
  --json            one object a line: text and embedding
  --quiet           nothing but the vectors and errors

Examples
  glassformer embed all-MiniLM-L6-v2 "The cat sat on the mat"
  printf 'a cat\\na kitten\\n' | glassformer embed all-MiniLM-L6-v2 - --json
`;

/** One vector of the vectors of all tokens.
 * @param {Float32Array} rows @param {number} width @param {string} pooling */
function pooled(rows, width, pooling) {
  const count = pooling === 'first' ? 1 : rows.length / width;
  return Array.from({ length: width }, (_, i) => {
    let sum = 0;
    for (let row = 0; row < count; row++) sum += rows[row * width + i];
    return sum / count;
  });
}

/** @param {readonly number[]} vector */
function normalized(vector) {
  const length = Math.hypot(...vector);
  return length ? vector.map((x) => x / length) : vector;
}

/** What embeds texts.
 * @param {Model} model @param {TextTokenizer} tokenizer @param {string} pooling @param {boolean} raw
 * @returns {(text: string) => number[]} */
function embedding(model, tokenizer, pooling, raw) {
  const { layers, dModel, maxLength } = model.config;
  const last = `encoder.layers.${layers - 1}.norm2`;
  return (text) => {
    const ids = tokenizer.encode(text);
    if (!ids.length) throw new UsageError('expected a text, received none');
    if (ids.length > maxLength) {
      throw new UsageError(`expected at most ${maxLength} tokens, received ${ids.length}`);
    }
    const run = model.forward({ target: ids, steps: [last] });
    try {
      const { data } = run.tensor(last);
      const vector = pooled(/** @type {Float32Array} */ (data), dModel, pooling);
      return (raw ? vector : normalized(vector)).map(Math.fround);
    } finally {
      run.dispose();
    }
  };
}

/** @type {import('./usage.js').Command} */
export const embed = {
  help: HELP,
  flags: { pooling: { type: 'string' }, raw: { type: 'boolean' } },
  async run({ flags, words, terminal }) {
    const [file, ...rest] = words;
    if (!file) throw new UsageError('missing folder');
    const pooling = word(flags, 'pooling', POOLINGS) ?? POOLINGS[0];
    const { checkpoint, tokenizer } = await opened(file, terminal);
    const { kind, layers } = checkpoint.config;
    if (kind !== 'bert' || !layers) throw new Failure(`${file}: expected an encoder such as BERT`);
    const model = await modelOf(await load(), file, checkpoint, terminal);
    const vectorOf = embedding(model, tokenizer, pooling, flags.raw === true);
    /** @param {string} text */
    const print = (text) => {
      const vector = vectorOf(text);
      const told = flags.json ? JSON.stringify({ text, embedding: vector }) : vector.join(' ');
      return terminal.print(`${told}\n`);
    };
    const given = rest.join(' ');
    if (given && given !== '-') return print(given);
    for await (const { line, text } of terminal.lines()) {
      if (text === null) throw new UsageError(`line ${line}: expected at most 1 MiB`);
      await print(text);
    }
  },
};
