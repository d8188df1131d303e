// glassformer examples, glassformer trace: worked examples and sentences of one's own.

import { examples, explain, load, sentence, traceExample } from '../index.js';
import { explanationText, traceText } from '../print.js';
import { defined, integer, parse, UsageError } from './usage.js';

/** @typedef {import('./usage.js').Flags} Flags */

const EXAMPLES_HELP = `glassformer examples

Lists the worked examples: the name that trace takes, and the title.
`;

const TRACE_HELP = `glassformer trace NAME | --sentence TEXT

Prints every step of an example: its formula, its numbers, and where the text it comes from is wrong.

  --sentence TEXT     your own words instead of an example, 1 to 24 of them
    --d-model N       channels of a word (8)
    --heads N         heads of attention (1)
    --seed N          of embeddings and weights (1)
    --causal          a word sees only itself and those before it
  --remove A,B        leave out: embedding, positions, projections, scores, scale, mask, softmax, mix, w_o
  --cell NODE/I,J     how this one cell arose, term by term: --cell scores/0,1
  --json              the same as JSON; what JSON cannot write is a string: "-Infinity"
`;

const SENTENCE_FLAGS = ['d-model', 'heads', 'seed', 'causal'];
const TRACE_FLAGS = /** @type {const} */ ({
  sentence: { type: 'string' },
  'd-model': { type: 'string' },
  heads: { type: 'string' },
  seed: { type: 'string' },
  causal: { type: 'boolean' },
  remove: { type: 'string' },
  cell: { type: 'string' },
  json: { type: 'boolean' },
});

/** @param {Flags} flags @param {string[]} words */
function chooseExample(flags, words) {
  const { sentence: text } = flags;
  if (words.length > 1) throw new UsageError(`expected one example, received ${words.join(' ')}`);
  if (typeof text === 'string') {
    if (words.length) throw new UsageError(`expected "${words[0]}" or --sentence, received both`);
    const options = {
      dModel: integer(flags, 'd-model'),
      heads: integer(flags, 'heads'),
      seed: integer(flags, 'seed'),
      causal: flags.causal,
    };
    return sentence(text, defined(options));
  }
  const stray = SENTENCE_FLAGS.find((name) => flags[name] !== undefined);
  if (stray) throw new UsageError(`--${stray} goes with --sentence only`);
  if (!words.length) throw new UsageError('trace: which example? See glassformer examples');
  return words[0];
}

/** @param {string} text */
function parseCell(text) {
  const match = /^(.+)\/(\d+(?:,\d+)*)$/.exec(text);
  if (!match)
    throw new UsageError(`--cell: expected NODE/I,J such as scores/0,1, received "${text}"`);
  return { node: match[1], index: match[2].split(',').map(Number) };
}

/** JSON has no infinities and no NaN.
 * @param {string} _ @param {unknown} value */
const jsonValue = (_, value) =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;

/** @param {string[]} args */
export async function trace(args) {
  const { flags, words } = parse(args, TRACE_FLAGS);
  if (flags.help) return TRACE_HELP;
  const example = chooseExample(flags, words);
  const cell = typeof flags.cell === 'string' ? parseCell(flags.cell) : null;
  const remove = /** @type {any} */ (
    typeof flags.remove === 'string' ? flags.remove.split(',') : []
  );
  const gf = await load();
  const run = traceExample(gf, example, { remove });
  const told = cell && explain(run, cell.node, cell.index, gf);
  if (flags.json) return `${JSON.stringify(told ?? run, jsonValue)}\n`;
  return told ? explanationText(told) : traceText(run);
}

/** @param {string[]} args */
export function list(args) {
  const { flags, words } = parse(args, {});
  if (flags.help) return EXAMPLES_HELP;
  if (words.length) throw new UsageError(`examples takes no name, received "${words[0]}"`);
  const width = Math.max(...Object.keys(examples).map((name) => name.length));
  const lines = Object.values(examples).map(({ name, title }) => `${name.padEnd(width)}  ${title}`);
  return `${lines.join('\n')}\n`;
}
