// glassformer embed: what an encoder makes of texts, as one vector each.

import { load } from '../models.js';
import { embed as vectorsOf } from '../text/index.js';
import { modelOf, opened } from './models.js';
import { Failure, UsageError, word } from './usage.js';

/** @typedef {import('../text/index.js').Pooling} Pooling */

/** @type {readonly Pooling[]} */
const POOLINGS = ['mean', 'first'];

const HELP = `glassformer embed FOLDER [TEXT]

Prints the vector that an encoder makes of a text, on one line. With - in place
of the text, or without a text, each line of standard input is a text.
FOLDER holds config.json, model.safetensors and tokenizer.json of Hugging Face,
and needs the package @huggingface/tokenizers.

  --pooling WHICH   mean, the default, of all tokens, or the first token
  --truncate        leave out the end of a text that is too long for the model
  --raw             do not scale the vectors to length 1
  --json            one object a line: text and embedding
  --quiet           nothing but the vectors and errors

Examples
  glassformer embed all-MiniLM-L6-v2 "The cat sat on the mat"
  printf 'a cat\\na kitten\\n' | glassformer embed all-MiniLM-L6-v2 - --json
`;

/** @type {import('./usage.js').Command} */
export const embed = {
  help: HELP,
  flags: { pooling: { type: 'string' }, raw: { type: 'boolean' }, truncate: { type: 'boolean' } },
  async run({ flags, words, terminal }) {
    const [file, ...rest] = words;
    if (!file) throw new UsageError('missing folder');
    const given = word(flags, 'pooling', POOLINGS);
    const pooling = POOLINGS.find((one) => one === given) ?? 'mean';
    const { checkpoint, tokenizer } = await opened(file, terminal);
    const { kind, layers } = checkpoint.config;
    if (kind !== 'bert' || !layers) throw new Failure(`${file}: expected an encoder such as BERT`);
    const model = await modelOf(await load(), file, checkpoint, terminal);
    const { signal } = terminal;
    const [normalize, truncate] = [flags.raw !== true, flags.truncate === true];
    const options = { pooling, normalize, truncate, signal };
    /** @param {string} text */
    const print = async (text) => {
      const vectors = await vectorsOf(model, tokenizer, [text], options);
      if (!vectors) throw signal?.reason;
      const [vector] = vectors.map((one) => Array.from(one));
      const told = flags.json ? JSON.stringify({ text, embedding: vector }) : vector.join(' ');
      return terminal.print(`${told}\n`);
    };
    const text = rest.join(' ');
    if (text && text !== '-') return print(text);
    for await (const { line, text: one } of terminal.lines()) {
      if (one === null) throw new UsageError(`line ${line}: expected at most 1 MiB`);
      await print(one);
    }
  },
};
