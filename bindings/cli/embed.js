// glassformer embed: what a model makes of texts, as one vector each.

import { embed as vectorsOf } from '../models/text/index.js';
import { ARITHMETIC_FLAG, ARITHMETIC_HELP, arithmeticOf, FILES, opened } from './models.js';
import { defined, Missing, textOfLine, UsageError, word } from './usage.js';

/** @typedef {import('../models/text/index.js').Pooling} Pooling */

/** @type {readonly Pooling[]} */
const POOLINGS = ['mean', 'first', 'last'];

const HELP = `glassformer embed FILE [TEXT]

Prints the vector that a model makes of a text, on one line. With - in place of
the text, or without a text, each line of standard input that is not blank is
a text.

  --pooling WHICH   mean of all tokens, the first token, or the last one. By
                    default what 1_Pooling/config.json of the folder says;
                    else the mean, or of a GPT the last, which has read them all
  --truncate        leave out the end of a text that is too long for the model
  --raw             do not scale the vectors to length 1
${ARITHMETIC_HELP}
  --json            one object a line: text, embedding and arithmetic
  --quiet           nothing but the vectors and errors

${FILES}

Examples
  glassformer embed all-MiniLM-L6-v2 "The cat sat on the mat"
  printf 'a cat\\na kitten\\n' | glassformer embed all-MiniLM-L6-v2 - --json
`;

/** @type {import('./usage.js').Command} */
export const embed = {
  help: HELP,
  flags: {
    pooling: { type: 'string' },
    raw: { type: 'boolean' },
    truncate: { type: 'boolean' },
    ...ARITHMETIC_FLAG,
  },
  async run({ flags, words, terminal }) {
    const [file, ...rest] = words;
    if (!file) throw new Missing('file');
    const asked = word(flags, 'pooling', POOLINGS);
    const arithmetic = arithmeticOf(flags);
    const { model, tokenizer } = await opened(file, terminal, arithmetic);
    const isLast = model.config.kind === 'gpt' && !model.embedding;
    const pooling = POOLINGS.find((one) => one === asked) ?? (isLast ? 'last' : undefined);
    const { signal } = terminal;
    const [normalize, truncate] = [flags.raw !== true, flags.truncate === true];
    const options = defined({ pooling, normalize, truncate, signal });
    /** @param {string} text @param {string} [where] */
    const print = async (text, where = '') => {
      const vectors = await vectorsOf(model, tokenizer, [text], options).catch((error) => {
        if (error.detail !== 'textTooLong') throw error;
        const { n, most } = error.params;
        throw new UsageError(
          `${where}the text has ${n} tokens, and the model takes ${most}: shorten it, or use --truncate`,
        );
      });
      const [vector] = vectors.map((one) => Array.from(one));
      const line = flags.json
        ? JSON.stringify({ text, embedding: vector, arithmetic: model.arithmetic })
        : vector.join(' ');
      return terminal.print(`${line}\n`);
    };
    const text = rest.join(' ');
    if (rest.length && !text.trim()) throw new UsageError('the text is empty');
    if (rest.length && text !== '-') return print(text);
    for await (const line of terminal.lines()) {
      const one = textOfLine(line);
      if (one.trim()) await print(one, `line ${line.line}: `);
    }
  },
};
