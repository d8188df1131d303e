// glassformer inside: experiments on a running model.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { jsonValue, parse } from '../base/file.js';
import { load, readModel } from '../index.js';
import * as inside from '../inside/index.js';
import { load as loadModels } from '../models.js';
import { storyInputs, tokenize, vocabulary } from '../stories/index.js';
import { START } from '../tasks/index.js';
import { FILES, modelOf, opened } from './models.js';
import { asCsv, asSvg, asTable } from './sheets.js';
import { COURSES, courseOf, openModel, STORIES, taskOf } from './tasks.js';
import { MAX_TEXT } from './terminal.js';
import {
  defined,
  Failure,
  integer,
  Missing,
  onOneLine,
  reasonOf,
  refusing,
  string,
  UsageError,
  unknown,
  word,
} from './usage.js';

/** @typedef {import('../inside/index.js').Grid} Grid */
/** @typedef {import('../model/inputs/inputs.js').Inputs} Inputs */
/** @typedef {import('../model/model.js').Model} Model */
/** @typedef {import('./sheets.js').Facts} Facts */
/** @typedef {import('./sheets.js').Sheet} Sheet */
/** @typedef {import('./terminal.js').Terminal} Terminal */
/** @typedef {import('./usage.js').Flags} Flags */

/** What experiments need of a model: texts to inputs, tokens to texts.
 * @typedef {object} Subject
 * @property {Model} model
 * @property {(prompt: string, target: string) => Inputs} read
 * @property {(id: number) => string} nameOf
 * @property {(text: string) => number[]} idsOf
 */

/** One call of an experiment.
 * @typedef {object} Given
 * @property {Subject} subject
 * @property {Inputs} inputs
 * @property {() => Inputs} against
 * @property {Flags} flags
 * @property {Terminal} terminal
 * @property {{ signal?: AbortSignal, onProgress: (part: number) => void }} listener
 */

/** What is printed of a result. @typedef {{ facts?: Facts, sheets: Sheet[] }} View */

/** Characters of a token in a heading. */
const MAX_TOKEN_CHARACTERS = 16;
/** Unknown words that an error names. */
const MAX_NAMED_WORDS = 5;

const FORMATS = ['table', 'json', 'csv', 'svg'];

const HELP = `glassformer inside EXPERIMENT MODEL --prompt TEXT

Runs an experiment on a model while it reads a text, and checks the result.
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

MODEL is a task with a shipped model (french-english, dates, reverse, stories), a
file that train --out wrote, or one of the files below. For a file of train
--out, prompts are ids such as "3 1 4".

  --prompt TEXT     what the model reads; with two stacks, the source
  --target TEXT     with two stacks: what is written so far (default: nothing)
  --against TEXT    the prompt of the other run, as many tokens; for ablate, with
                    --value run
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
  --node NAME       for probe: a step such as decoder.layers.0.residual2
  --examples FILE   for probe: lines of {"prompt", "label", "position"}
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

/** A file of ours. @param {string} name
 * @returns {Promise<Subject>} */
async function ownModel(name) {
  const bytes = await readFile(name).catch((error) => {
    throw reasonOf(`cannot read ${name}`, error);
  });
  const gf = await load();
  const model = refusing(name, () => gf.open(readModel(bytes)));
  const two = model.config.kind === 'transformer';
  const idsOf = (/** @type {string} */ text) => {
    const words = text.split(/[\s,]+/).filter(Boolean);
    const stray = words.find((word) => !/^\d+$/.test(word));
    if (stray === undefined) return words.map(Number);
    throw new UsageError(
      `${name} takes ids such as "3 1 4", received "${onOneLine(stray, MAX_TOKEN_CHARACTERS)}"`,
    );
  };
  /* What is written begins with the start token, as in the models that are shipped. */
  const begun = (/** @type {number[]} */ ids) => (ids[0] === START ? ids : [START, ...ids]);
  return {
    model,
    idsOf,
    nameOf: String,
    read: (prompt, target) =>
      two ? { source: idsOf(prompt), target: begun(idsOf(target)) } : { target: idsOf(prompt) },
  };
}

/** @param {string} name
 * @returns {Promise<Subject>} */
async function shippedModel(name) {
  const file = fileURLToPath(new URL(`../models/${name}.safetensors`, import.meta.url));
  if (!existsSync(file))
    throw new UsageError(`no model of ${name} is shipped: give a file of train --out`);
  const model = await openModel(await load(), courseOf(name), file);
  return { model, ...(name === STORIES ? STORY_READING : readingOf(taskOf(name))) };
}

/** The ids of words that the model knows.
 * @param {import('../tasks/vocabulary.js').Vocabulary} vocabulary @param {string[]} words */
function knownIds(vocabulary, words) {
  const ids = vocabulary.encode(words);
  const unknown = new Set(words.filter((word, i) => vocabulary.tokens[ids[i]] !== word));
  if (unknown.size === 0) return ids;
  const quoted = Array.from(unknown, (word) => `"${onOneLine(word, MAX_TOKEN_CHARACTERS)}"`);
  const more = unknown.size > MAX_NAMED_WORDS ? ` and ${unknown.size - MAX_NAMED_WORDS} more` : '';
  throw new UsageError(
    `the model does not know ${quoted.slice(0, MAX_NAMED_WORDS).join(', ')}${more}`,
  );
}

/** How the stories are read. @type {Omit<Subject, 'model'>} */
const STORY_READING = {
  idsOf: (text) => knownIds(vocabulary, tokenize(text)),
  nameOf: (id) => vocabulary.decode([id])[0],
  read(prompt) {
    STORY_READING.idsOf(prompt);
    return storyInputs(prompt);
  },
};

/** @param {import('../tasks/task.js').Task} task
 * @returns {Omit<Subject, 'model'>} */
function readingOf(task) {
  const { vocabulary } = task;
  const idsOf = (/** @type {string} */ text, /** @type {'source' | 'target'} */ side = 'target') =>
    knownIds(vocabulary, task.tokenize(side, text));
  return {
    idsOf,
    nameOf: (id) => vocabulary.decode([id])[0],
    read: (prompt, target) => ({
      source: idsOf(prompt, 'source'),
      target: [START, ...idsOf(target)],
    }),
  };
}

/** @param {string} name @param {Terminal} terminal
 * @returns {Promise<Subject>} */
async function foreignModel(name, terminal) {
  const { checkpoint, tokenizer } = await opened(name, terminal);
  const model = await modelOf(await loadModels(), name, checkpoint, terminal);
  const idsOf = (/** @type {string} */ text) => tokenizer.encode(text);
  return {
    model,
    idsOf,
    nameOf: (id) => tokenizer.decode([id]) || `#${id}`,
    read: (prompt) => ({ target: idsOf(prompt) }),
  };
}

/** @param {string} place the name of a task, a file or a folder @param {Terminal} terminal */
function subjectOf(place, terminal) {
  if (COURSES.includes(place)) return shippedModel(place);
  if (place.endsWith('.safetensors')) return ownModel(place);
  return foreignModel(place, terminal);
}

/** A line of the examples of a probe.
 * @param {string} line @param {number} n @param {Subject} subject */
function exampleOf(line, n, subject) {
  const read = /** @type {any} */ (parse(`line ${n}`, line));
  if (typeof read?.prompt !== 'string')
    throw new Failure(
      `line ${n}: expected {"prompt": TEXT, "label": LABEL, "position": N}, received ${line}`,
    );
  const { prompt, label, position } = read;
  return { inputs: subject.read(prompt, ''), label, ...defined({ position }) };
}

/** The only token of a text, as texts have it in their midst.
 * @param {Subject} subject @param {Flags} flags @param {string} name */
function tokenOf({ idsOf }, flags, name) {
  const text = string(flags, name);
  if (text === undefined) return undefined;
  const ids = idsOf(text);
  if (ids.length === 1) return ids[0];
  throw new UsageError(`--${name}: expected one token, received ${ids.length}`);
}

/** @param {Given} given */
function metricOf({ subject, flags }) {
  const kind = string(flags, 'metric');
  const against = tokenOf(subject, flags, 'instead');
  if (kind === 'difference' && against === undefined)
    throw new UsageError('--metric difference needs --instead TOKEN');
  const token = tokenOf(subject, flags, 'token');
  return defined({ kind, token, against, position: integer(flags, 'position') });
}

/** @param {Given} given */
const placeOf = ({ flags }) =>
  defined({
    layer: integer(flags, 'layer') ?? 0,
    stack: string(flags, 'stack'),
    part: string(flags, 'part'),
  });

/** Tokens beside the numbers of positions.
 * @param {Grid} grid @param {Subject} subject @param {unknown} ids of the sequence; none where rows are of two
 * @returns {Grid} */
function named({ axes, ...grid }, { nameOf }, ids) {
  const texts = /** @type {number[]} */ (ids ?? []).map(
    (id, i) => `${i} ${onOneLine(nameOf(id), MAX_TOKEN_CHARACTERS).trim()}`,
  );
  /** @param {import('../inside/index.js').GridAxis} axis */
  const labelled = ({ name, labels }) => ({
    name,
    labels:
      name === 'position' || name === 'token'
        ? labels.map((label, i) => texts[i] ?? label)
        : labels,
  });
  return { ...grid, axes: [labelled(axes[0]), labelled(axes[1])] };
}

/** The tokens of grids whose rows are layers: of a transformer they are of two sequences.
 * @param {Inputs} inputs */
const onlySequence = ({ source, target }) => (source === undefined ? target : undefined);

/** The measured metric, in words.
 * @param {import('../inside/index.js').Measured} metric @param {Subject} subject
 * @returns {Facts} */
function measuredFacts({ kind, token, against, position }, { nameOf }) {
  const instead = against === null ? '' : ` instead of ${JSON.stringify(nameOf(against))}`;
  return [
    ['metric', `${kind} of ${JSON.stringify(nameOf(token))}${instead} at position ${position}`],
  ];
}

const SCORES = ['previous', 'first', 'duplicate', 'induction'];

/** @param {Given} given
 * @returns {Promise<object>} */
async function replacementOf({ subject, against, flags, terminal }) {
  const kind = word(flags, 'value', ['zero', 'run', 'mean']) ?? 'zero';
  for (const [flag, value] of [
    ['against', 'run'],
    ['set', 'mean'],
  ])
    if (flag in flags && kind !== value) throw new UsageError(`--${flag} needs --value ${value}`);
  if (kind === 'zero') return /** @type {any} */ (kind);
  if (kind === 'run') return { run: against() };
  const file = string(flags, 'set');
  if (file === undefined) throw new UsageError('--value mean needs --set FILE');
  const lines = (await terminal.text(file, MAX_TEXT)).split(/\r?\n/).filter(Boolean);
  return { mean: lines.map((line) => subject.read(line, string(flags, 'target') ?? '')) };
}

const TEXT = ['prompt', 'target'];
const METRIC = ['metric', 'token', 'instead', 'position'];
const PLACE = ['layer', 'head', 'stack', 'part'];

/** Each experiment: the flags that it uses, what it computes, and what is printed of it.
 * @type {Record<string, { uses: string[], run: (given: Given) => Promise<any>, view: (result: any, given: Given) => View }>} */
const EXPERIMENTS = {
  scores: {
    uses: TEXT,
    run: ({ subject, inputs, listener }) => inside.headScores(subject.model, inputs, listener),
    view: ({ heads }) => {
      /** @param {string} name @param {readonly string[]} scores @param {string} unit */
      const sheet = (name, scores, unit) => {
        const axes = [
          { name: 'head', labels: heads.map((/** @type {any} */ { name: head }) => head) },
          { name: 'score', labels: [...scores] },
        ];
        const values = heads.map((/** @type {any} */ head) => scores.map((score) => head[score]));
        return { name, grid: /** @type {any} */ ({ axes, values, unit }) };
      };
      return {
        sheets: [sheet('scores', SCORES, 'attention'), sheet('entropy', ['entropy'], 'nats')],
      };
    },
  },
  lens: {
    uses: [...TEXT, 'position', 'token'],
    run: ({ subject, inputs, flags, listener }) =>
      inside.logitLens(subject.model, inputs, {
        ...defined({
          position: integer(flags, 'position'),
          token: tokenOf(subject, flags, 'token'),
        }),
        ...listener,
      }),
    view: ({ rows, grid, check, position }, { subject, inputs }) => ({
      facts: [
        ...rows.map((/** @type {any} */ { name, top }) => [
          name,
          top
            .map(
              (/** @type {any} */ { token, probability }) =>
                `${JSON.stringify(subject.nameOf(token))} ${probability.toFixed(3)}`,
            )
            .join('  '),
        ]),
        ['position', position],
        ['the last row has the bits of the logits', check.lastIsLogits],
      ],
      sheets: [{ name: 'lens', grid: named(grid, subject, inputs.target) }],
    }),
  },
  logit: {
    uses: [...TEXT, 'position', 'token', 'instead'],
    run: ({ subject, inputs, flags, listener }) =>
      inside.logitAttribution(subject.model, inputs, {
        ...defined({
          position: integer(flags, 'position'),
          token: tokenOf(subject, flags, 'token'),
          against: tokenOf(subject, flags, 'instead'),
        }),
        ...listener,
      }),
    view: (result, { subject }) => ({
      facts: measuredFacts(
        { kind: result.against === null ? 'logit' : 'difference', ...result },
        subject,
      ),
      sheets: [{ name: 'logit', sum: result }],
    }),
  },
  why: {
    uses: [...TEXT, ...PLACE, 'query', 'key'],
    run: (call) =>
      inside.why(call.subject.model, call.inputs, {
        .../** @type {any} */ (placeOf(call)),
        head: integer(call.flags, 'head') ?? 0,
        ...defined({ query: integer(call.flags, 'query'), key: integer(call.flags, 'key') }),
        ...call.listener,
      }),
    view: (result) => ({
      facts: [
        ['score', result.total],
        ['sum', result.sum],
        ['bound', result.bound],
        ['hidden by the mask', result.hidden],
      ],
      sheets: [{ name: 'why', grid: result.grid }],
    }),
  },
  ablate: {
    uses: [...TEXT, ...METRIC, 'each', 'value', 'against', 'set'],
    run: async (call) =>
      inside.ablate(call.subject.model, call.inputs, {
        each: /** @type {any} */ (string(call.flags, 'each') ?? 'head'),
        metric: metricOf(call),
        value: /** @type {any} */ (await replacementOf(call)),
        ...call.listener,
      }),
    view: ({ metric, before, grid, check, computed }, { subject, inputs }) => ({
      facts: [
        ...measuredFacts(metric, subject),
        ['before', before],
        ['nodes computed', computed],
        ['putting every value back changes no bit', check.nothing],
      ],
      sheets: [
        { name: 'ablate', grid: named(grid, subject, onlySequence(inputs)), middle: before },
      ],
    }),
  },
  patch: {
    uses: [...TEXT, ...METRIC, 'each', 'against'],
    run: (call) =>
      inside.patch(call.subject.model, call.inputs, {
        each: /** @type {any} */ (string(call.flags, 'each') ?? 'head'),
        metric: metricOf(call),
        from: call.against(),
        ...call.listener,
      }),
    view: ({ metric, before, other, grid, check, computed }, { subject, inputs }) => ({
      facts: [
        ...measuredFacts(metric, subject),
        ['before', before],
        ['in the other run', other],
        ['nodes computed', computed],
        ['a run into itself changes no bit', check.nothing],
        ['everything gives the other run, bit for bit', check.everything],
      ],
      sheets: [{ name: 'patch', grid: named(grid, subject, onlySequence(inputs)), middle: before }],
    }),
  },
  attribution: {
    uses: [...TEXT, ...METRIC, 'each', 'against'],
    run: (call) =>
      inside.attributionPatch(call.subject.model, call.inputs, {
        each: /** @type {any} */ (string(call.flags, 'each') ?? 'head'),
        metric: metricOf(call),
        from: call.against(),
        ...call.listener,
      }),
    view: ({ metric, before, other, grid, truth, error }, { subject, inputs }) => ({
      facts: [
        ...measuredFacts(metric, subject),
        ['before', before],
        ['in the other run', other],
        ['largest error against true patching', error.largest],
        ['mean error', error.mean],
      ],
      sheets: [
        { name: 'attribution', grid: named(grid, subject, onlySequence(inputs)) },
        { name: 'true patching', grid: named(truth, subject, onlySequence(inputs)) },
      ],
    }),
  },
  paths: {
    uses: [...TEXT, ...METRIC, 'against', 'sender', 'stack', 'part'],
    run: (call) => {
      const sender = string(call.flags, 'sender');
      const [, layer, head] = /^(\d+)\.(\d+)$/.exec(sender ?? '') ?? [];
      if (layer === undefined)
        throw new UsageError(
          `--sender: expected LAYER.HEAD such as 0.1, received ${sender ?? 'none'}`,
        );
      return inside.paths(call.subject.model, call.inputs, {
        from: call.against(),
        sender: { ...placeOf(call), layer: Number(layer), head: Number(head) },
        metric: metricOf(call),
        ...call.listener,
      });
    },
    view: (result, { subject }) => ({
      facts: [...measuredFacts(result.metric, subject), ['before', result.before]],
      sheets: [{ name: 'paths', sum: result }],
    }),
  },
  rollout: {
    uses: [...TEXT, 'flow'],
    run: ({ subject, inputs, flags, listener }) =>
      inside.rollout(subject.model, inputs, { flow: !!flags.flow, ...listener }),
    view: ({ layers, check }, { subject, inputs }) => ({
      facts: [
        ['rows are 1 but for', check.rowSums],
        ...(check.cut === null
          ? []
          : [/** @type {[string, number]} */ (['flows are the smallest cuts but for', check.cut])]),
      ],
      sheets: layers.flatMap((/** @type {any} */ { name, stack, grid, flow }) => {
        const read = stack === 'encoder' ? (inputs.source ?? inputs.target) : inputs.target;
        const sheets = [{ name, grid: named(grid, subject, read) }];
        return flow
          ? [...sheets, { name: `${name} flow`, grid: named(flow, subject, read) }]
          : sheets;
      }),
    }),
  },
  circuits: {
    uses: [...PLACE, 'tokens'],
    run: (call) => {
      const tokens = string(call.flags, 'tokens');
      return inside.circuits(call.subject.model, {
        .../** @type {any} */ (placeOf(call)),
        head: integer(call.flags, 'head') ?? 0,
        ...defined({ tokens: tokens === undefined ? undefined : call.subject.idsOf(tokens) }),
        ...call.listener,
      });
    },
    view: ({ ov, qk, check }, { subject }) => {
      const texts = (/** @type {Grid} */ { axes, ...grid }) => {
        const labelled = axes.map(({ name, labels }) => ({
          name,
          labels: labels.map((id) => subject.nameOf(Number(id))),
        }));
        return /** @type {any} */ ({ ...grid, axes: labelled });
      };
      return {
        facts: [
          ['difference of two orders', check.difference],
          ['bound', check.bound],
        ],
        sheets: [
          { name: 'OV', grid: texts(ov) },
          { name: 'QK', grid: texts(qk) },
        ],
      };
    },
  },
  probe: {
    uses: ['node', 'examples'],
    run: async ({ subject, flags, terminal, listener }) => {
      const file = string(flags, 'examples');
      const node = string(flags, 'node');
      if (file === undefined || node === undefined)
        throw new UsageError('probe needs --examples FILE and --node NAME');
      const lines = (await terminal.text(file)).split(/\r?\n/).filter(Boolean);
      const examples = refusing(file, () =>
        lines.map((line, i) => exampleOf(line, i + 1, subject)),
      );
      return inside.probe(subject.model, examples, { node, ...listener });
    },
    view: ({ accuracy, control, chance, counts, classes }) => ({
      facts: [
        ['labels', classes.join(', ')],
        ['examples trained on', counts.trained],
        ['examples held out', counts.heldOut],
        ['accuracy, trained', accuracy.trained],
        ['accuracy, held out', accuracy.heldOut],
        ['control, held out', control.heldOut],
        ['chance', chance],
      ],
      sheets: [],
    }),
  },
};

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
  if (rest.length > 0)
    throw new UsageError(`expected one model, received ${[file, ...rest].join(' ')}`);
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
    /** @type {Given} */
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
    terminal.signal?.throwIfAborted();
    if (format === 'json') return terminal.print(`${JSON.stringify(result, plain)}\n`);
    const { facts = [], sheets } = view(result, call);
    if (format === 'csv') return terminal.print(asCsv(sheets));
    return terminal.print(format === 'svg' ? asSvg(sheets) : asTable(facts, sheets, terminal.look));
  },
};
