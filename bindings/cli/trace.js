// glassformer trace: worked examples, sentences of one's own, and examples of one's own.

import { examples, explain, load, sentence, traceExample } from '../index.js';
import { jsonValue } from '../js/base/file.js';
import { removableOf } from '../js/trace/example.js';
import { exampleIn } from '../js/trace/example-text.js';
import { explanationText, traceText } from './print.js';
import { MAX_TEXT } from './terminal.js';
import { defined, integer, Missing, refusing, string, UsageError, unknown } from './usage.js';

/** @typedef {import('../js/trace/example.js').Example} Example */
/** @typedef {import('../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('./terminal.js').Terminal} Terminal */
/** @typedef {import('./usage.js').Flags} Flags */

const HELP = `glassformer trace NAME | FILE.json | - | --sentence TEXT

Prints every step of an example: its formula, its numbers, and each number that
the source text prints wrong. NAME is one that glassformer examples lists. A
file, or - for standard input, holds your own example: matrices with names, such
as X = 1 0; 0 1, JSON, or what --json printed. docs/own-examples.md lists its
fields.

  --sentence TEXT   your own words instead, 1 to 24; - is standard input
    --d-model N     channels of a word (8)
    --heads N       heads of attention (1)
    --seed N        of embeddings and weights (1)
    --causal        a word sees only itself and earlier words
  --remove A,B      leave out: embedding, positions, projections, scores,
                    scale, mask, softmax, mix, w_o
  --cell NODE/I,J   show how one cell is computed, term by term
  --json            the same as JSON, where -inf is the string "-Infinity"
  --quiet           the steps alone, without what the example is about

Examples
  glassformer trace three-tokens
  glassformer trace masked --remove scale,mask
  glassformer trace three-tokens --cell scores/0,1
  glassformer trace --sentence "my own words" --heads 2 --causal
  echo "Q = 1 2; 0 1; K = 1 0; 3 1; V = 2 0; 0 3" | glassformer trace -
  echo "my own words" | glassformer trace --sentence - --json
  glassformer trace masked --json | glassformer trace - --remove mask
`;

const SENTENCE_FLAGS = ['d-model', 'heads', 'seed', 'causal'];

/** @param {string} text @param {Flags} flags */
function sentenceOf(text, flags) {
  const options = {
    dModel: integer(flags, 'd-model'),
    heads: integer(flags, 'heads'),
    seed: integer(flags, 'seed'),
    causal: flags.causal,
  };
  return sentence(text, defined(options));
}

/** An example from a file. It is traced at once, as it is: what is wrong with it is not the words' fault.
 * @param {Glassformer} gf @param {string} file @param {Terminal} terminal
 * @returns {Promise<Example>} */
async function exampleOf(gf, file, terminal) {
  const text = await terminal.text(file);
  return refusing(file, () => {
    const example = exampleIn(text);
    traceExample(gf, example).dispose();
    return example;
  });
}

/** @param {Glassformer} gf @param {Flags} flags @param {string[]} words @param {Terminal} terminal */
async function chooseExample(gf, flags, words, terminal) {
  const text = string(flags, 'sentence');
  if (words.length > 1) throw new UsageError(`expected one example, received ${words.join(' ')}`);
  const [word] = words;
  if (text !== undefined) {
    if (word) throw new UsageError(`expected "${word}" or --sentence, received both`);
    return sentenceOf(text === '-' ? await terminal.text('-', MAX_TEXT) : text, flags);
  }
  const stray = SENTENCE_FLAGS.find((name) => flags[name] !== undefined);
  if (stray) throw new UsageError(`--${stray} goes with --sentence only`);
  const names = Object.keys(examples);
  if (word === undefined) throw new Missing(`example. Choose from ${names.join(', ')}`);
  /* No name of ours has a dot or a slash. */
  if (word === '-' || /[./\\]/.test(word)) return exampleOf(gf, word, terminal);
  return names.includes(word) ? word : unknown('example', word, names);
}

/** @param {string} text */
function parseCell(text) {
  const match = /^(.+)\/(\d+(?:,\d+)*)$/.exec(text);
  if (!match)
    throw new UsageError(`--cell: expected NODE/I,J such as scores/0,1, received "${text}"`);
  return { node: match[1], index: match[2].split(',').map(Number) };
}

/** @type {import('./usage.js').Command} */
export const trace = {
  help: HELP,
  flags: {
    sentence: { type: 'string' },
    'd-model': { type: 'string' },
    heads: { type: 'string' },
    seed: { type: 'string' },
    causal: { type: 'boolean' },
    remove: { type: 'string' },
    cell: { type: 'string' },
  },
  async run({ flags, words, terminal }) {
    const cellText = string(flags, 'cell');
    const cell = cellText === undefined ? null : parseCell(cellText);
    const remove = /** @type {any} */ (string(flags, 'remove')?.split(',') ?? []);
    const gf = await load();
    const example = await chooseExample(gf, flags, words, terminal);
    const removals = removableOf(typeof example === 'string' ? examples[example] : example);
    const names = removals.map(({ name }) => name);
    for (const name of remove) if (!names.includes(name)) unknown('removal', name, names);
    const seen = traceExample(gf, example, { remove });
    const steps = seen.steps.map(({ name }) => name);
    if (cell && !steps.includes(cell.node)) unknown('step', cell.node, steps);
    const explanation = cell && explain(seen, cell.node, cell.index, gf);
    if (flags.json) return terminal.print(`${JSON.stringify(explanation ?? seen, jsonValue)}\n`);
    const { look } = terminal;
    await terminal.print(
      explanation
        ? explanationText(explanation, look)
        : traceText(seen, { look, quiet: flags.quiet === true }),
    );
  },
};
