// glassformer inside: experiments on a running model.

import { jsonValue } from '../js/base/file.js';
import { EXPERIMENTS } from './inside-experiments.js';
import { subjectOf } from './inside-models.js';
import { FILES } from './models.js';
import { asCsv, asSvg, asTable } from './sheets.js';
import { Missing, string, UsageError, unknown, word } from './usage.js';

const FORMATS = ['table', 'json', 'csv', 'svg'];

const HELP = `glassformer inside EXPERIMENT MODEL --prompt TEXT

Runs an experiment on a model while it reads a text, and checks the result.
Experimental: this command may change in any minor version.
EXPERIMENT is one of

  scores       attention of each head to the previous token, the first, copies,
               and the token behind a copy (induction); entropy
  lens         the token that each state of the residual stream would give
  logit        a logit as a sum over embedding, heads, feed-forwards, biases
  why          one score as a sum over parts of the query and parts of the key
  ablate       a metric without each head (or what --each says)
  patch        the metric with values of another run (needs --against)
  attribution  gradient times difference, and its error (needs --against)
  paths        direct effect of --sender on each receiver (needs --against)
  rollout      attention multiplied through the layers
  circuits     OV and QK of one head over some tokens
  probe        reads a label from a step by a linear map (--examples, --node)
  roles        what heads look at in generated texts, without --prompt
               (french-english, stories)
  shares       how much of a step's variance each label explains (likewise)
  contexts     the vectors of --token in two texts, and the angle between them
               (needs --against)
  neighbours   the tokens whose embeddings are nearest to that of --token
  symmetry     how far the attention of i to j is from that of j to i

MODEL is a task with a shipped model (french-english, dates, reverse, stories),
a file that train --out wrote, or one of the files below. A file of model.save()
without a vocabulary takes ids such as "3 1 4" as prompts.

  --prompt TEXT     what the model reads; with two stacks, the source
  --target TEXT     with two stacks: what is written so far (default: nothing)
  --against TEXT    the prompt of the other run, as many tokens; for ablate,
                    with --value run; for contexts of any length
  --position N      of the metric, the lens or the logit (default: the last)
  --token TEXT      whose logit is measured (default: the most probable)
  --instead TEXT    a token whose logit is subtracted
  --metric KIND     logit, difference, probability, loss
  --each KIND       head, neuron, layer, position (default: head)
  --value KIND      what replaces an ablated value: zero, run or mean
                    (default: zero)
  --set FILE        with mean: prompts, one on each line
  --layer N --head N --query N --key N --stack NAME --part NAME
                    where: for why, circuits and --sender
  --sender L.H      a head, by its layer and number
  --tokens TEXT     for circuits: rows and columns
  --flow            for rollout: the attention flow, too
  --node NAME       for probe: a step such as decoder.layers.0.residual2; for
                    shares, several joined by commas
  --texts N --seed N  for roles: how many texts, and which (default: 200, 1)
  --examples FILE   for probe and shares: lines of {"prompt", "label",
                    "position"}
  --format FORMAT   table, json, csv, svg (default: table)
  --json            the same as --format json
  --quiet           no progress

${FILES}

Examples
  glassformer inside lens french-english --prompt "le chat noir dort" --target "the black"
  glassformer inside ablate reverse --prompt abcd --target dc --format csv
  glassformer inside patch reverse --prompt abcd --against abxd --target d
  glassformer inside logit smollm2.gguf --prompt "The capital of France is" --instead " Berlin"
`;

/** Typed arrays as lists. @param {string} key @param {unknown} value */
const plain = (key, value) =>
  jsonValue(key, ArrayBuffer.isView(value) ? [.../** @type {Float32Array} */ (value)] : value);

/** Flags that some experiment uses. */
const ALL_FLAGS = [...new Set(Object.values(EXPERIMENTS).flatMap(({ uses }) => uses))];

/** The experiment and the file of its model. @param {string[]} words @param {import('./usage.js').Flags} flags */
function experimentOf([name, file, ...rest], flags) {
  const names = Object.keys(EXPERIMENTS);
  if (name === undefined) throw new Missing(`experiment. Choose from ${names.join(', ')}`);
  if (!names.includes(name)) unknown('experiment', name, names);
  if (file === undefined) throw new Missing('model');
  const { uses } = EXPERIMENTS[name];
  const unused = ALL_FLAGS.find((flag) => flag in flags && !uses.includes(flag));
  if (unused) {
    const usable = uses.map((flag) => `--${flag}`).join(', ');
    throw new UsageError(`${name} does not use --${unused}. It uses ${usable}`);
  }
  if (rest.length > 0) {
    const hint =
      'prompt' in flags || !uses.includes('prompt') ? '' : '. Write the text behind --prompt';
    throw new UsageError(`expected one model, received ${[file, ...rest].join(' ')}${hint}`);
  }
  return { name, file };
}

/** @type {import('./usage.js').Command} */
export const insideCommand = {
  help: HELP,
  flags: {
    ...Object.fromEntries(
      ALL_FLAGS.map((name) => [name, { type: name === 'flow' ? 'boolean' : 'string' }]),
    ),
    format: { type: 'string' },
  },
  async run({ flags, words, terminal }) {
    const { name, file } = experimentOf(words, flags);
    const { uses, run, view } = EXPERIMENTS[name];
    const format = flags.json ? 'json' : (word(flags, 'format', FORMATS) ?? 'table');
    const prompt = string(flags, 'prompt');
    if (prompt === undefined && uses.includes('prompt')) throw new Missing('--prompt');
    const subject = await subjectOf(file, terminal);
    if ('target' in flags && subject.model.config.kind !== 'transformer')
      throw new UsageError(`--target: ${file} has one stack. Write the whole text in --prompt`);
    const target = string(flags, 'target') ?? '';
    /** @type {import('./inside-experiments.js').Call} */
    const call = {
      subject,
      inputs: prompt === undefined ? {} : subject.read(prompt, target),
      against: () => {
        const other = string(flags, 'against');
        if (other === undefined) throw new Missing('--against');
        return subject.read(other, target);
      },
      flags,
      terminal,
      listener: {
        signal: terminal.signal,
        onProgress: (part) => terminal.progress(`${name}  ${Math.floor(100 * part)} %`),
      },
    };
    const result = await run(call);
    if (format === 'json') return terminal.print(`${JSON.stringify(result, plain)}\n`);
    const { facts = [], sheets } = view(result, call);
    if (format === 'csv') return terminal.print(asCsv(sheets));
    return terminal.print(format === 'svg' ? asSvg(sheets) : asTable(facts, sheets, terminal.look));
  },
};
