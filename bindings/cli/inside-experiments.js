// The experiments of glassformer inside: which flags each uses, what it computes, and what is printed of it.

import { parse } from '../js/base/file.js';
import * as inside from '../lab/inside/index.js';
import { MAX_TOKEN_CHARACTERS } from './models.js';
import { round } from './table.js';
import { MAX_TEXT } from './terminal.js';
import {
  defined,
  Failure,
  integer,
  onOneLine,
  refusing,
  string,
  UsageError,
  word,
} from './usage.js';

/** @typedef {import('../js/model/inputs/inputs.js').Inputs} Inputs */
/** @typedef {import('./terminal.js').Terminal} Terminal */
/** @typedef {import('../lab/inside/index.js').Grid} Grid */
/** @typedef {import('./inside-models.js').Subject} Subject */
/** @typedef {import('./sheets.js').Facts} Facts */
/** @typedef {import('./sheets.js').Sheet} Sheet */
/** @typedef {import('./usage.js').Flags} Flags */

/** One call of an experiment.
 * @typedef {object} Call
 * @property {Subject} subject
 * @property {Inputs} inputs
 * @property {() => Inputs} against
 * @property {Flags} flags
 * @property {Terminal} terminal
 * @property {{ signal?: AbortSignal, onProgress: (part: number) => void }} listener
 */

/** What is printed of a result. @typedef {{ facts?: Facts, sheets: Sheet[] }} View */

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
  const inside = idsOf(` ${text}`).length === 1 ? `; within a text it is " ${text}"` : '';
  throw new UsageError(`--${name}: expected one token, received ${ids.length}${inside}`);
}

/** @param {Call} call */
function metricOf({ subject, flags }) {
  const kind = string(flags, 'metric');
  const against = tokenOf(subject, flags, 'instead');
  if (kind === 'difference' && against === undefined)
    throw new UsageError('--metric difference needs --instead TOKEN');
  const token = tokenOf(subject, flags, 'token');
  return defined({ kind, token, against, position: integer(flags, 'position') });
}

/** Where a token stands first in what is read.
 * @param {Inputs} inputs @param {number} token @param {string} flag */
function positionOf({ source, target }, token, flag) {
  const ids = /** @type {number[]} */ (source ?? target);
  const position = ids.indexOf(token);
  if (position >= 0) return position;
  throw new UsageError(`--${flag}: expected a text with the token of --token`);
}

/** The examples of a file, one on each line.
 * @param {Call} call @param {string} name of the experiment */
async function examplesOf({ subject, flags, terminal }, name) {
  const file = string(flags, 'examples');
  const node = string(flags, 'node');
  if (file === undefined || node === undefined)
    throw new UsageError(`${name} needs --examples FILE and --node NAME`);
  const lines = (await terminal.text(file)).split(/\r?\n/).filter(Boolean);
  const examples = refusing(file, () => lines.map((line, i) => exampleOf(line, i + 1, subject)));
  return { examples, place: node };
}

/** @param {Call} call */
const placeOf = ({ flags }) =>
  defined({
    layer: integer(flags, 'layer') ?? 0,
    stack: string(flags, 'stack'),
    part: string(flags, 'part'),
  });

/** @param {Call} call */
const patchOptions = (call) => ({
  each: /** @type {any} */ (string(call.flags, 'each') ?? 'head'),
  metric: metricOf(call),
  from: call.against(),
  ...call.listener,
});

/** Tokens beside the numbers of positions.
 * @param {Grid} grid @param {Subject} subject @param {unknown} ids of the sequence; none where rows are of two
 * @returns {Grid} */
function named({ axes, ...grid }, { nameOf }, ids) {
  const texts = /** @type {number[]} */ (ids ?? []).map(
    (id, i) => `${i} ${onOneLine(nameOf(id), MAX_TOKEN_CHARACTERS).trim()}`,
  );
  /** @param {import('../lab/inside/index.js').GridAxis} axis */
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
 * @param {import('../lab/inside/index.js').Measured} metric @param {Subject} subject
 * @returns {Facts} */
function measuredFacts({ kind, token, against, position }, { nameOf }) {
  const instead = against === null ? '' : ` instead of ${JSON.stringify(nameOf(against))}`;
  return [
    ['metric', `${kind} of ${JSON.stringify(nameOf(token))}${instead} at position ${position}`],
  ];
}

const SCORES = ['previous', 'first', 'duplicate', 'induction'];

/** @param {Call} call
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

/** A row for each thing that has a name, a column for each of its numbers.
 * @param {string} name @param {any[]} rows @param {[row: string, columns: readonly string[]]} axes @param {string} unit
 * @returns {Sheet} */
function sheetOf(name, rows, [row, columns], unit) {
  const axes = [
    { name: row, labels: rows.map((one) => one.name) },
    { name: 'score', labels: [...columns] },
  ];
  const values = rows.map((one) => columns.map((column) => one[column]));
  return { name, grid: /** @type {any} */ ({ axes, values, unit }) };
}

const TEXT = ['prompt', 'target'];
const METRIC = ['metric', 'token', 'instead', 'position'];
const PLACE = ['layer', 'head', 'stack', 'part'];

/** Generated texts that heads are compared on, and their seed. */
const [ROLE_TEXTS, ROLE_SEED] = [200, 1];

/** @param {import('../lab/inside/index.js').HeadRoles} roles
 * @returns {View} */
function rolesView({ heads, even, relations, verdicts, texts }) {
  const names = Object.keys(relations);
  /** @param {string} name @param {string[]} columns @param {number[][]} values @param {[string, number[]]} last a row to
   * compare with @param {string} unit */
  const sheet = (name, columns, values, [label, row], unit) => {
    const labels = [...heads.map(({ name: head }) => head), label];
    const axes = /** @type {Grid['axes']} */ ([
      { name: 'head', labels },
      { name: 'relation', labels: columns },
    ]);
    return { name, grid: { axes, values: [...values, row], unit } };
  };
  const { reach, order } = verdicts;
  /** @type {Facts} */
  const facts = [
    ['texts', texts],
    [
      'later layers look farther',
      `${reach.says}: ${reach.layers.map((distance) => round(distance)).join(', ')} tokens`,
    ],
    ...Object.entries(verdicts.relations).map(
      ([name, verdict]) =>
        /** @type {[string, string]} */ ([
          `a head for ${name}`,
          verdict ? `${verdict.says}: layer ${verdict.layer} head ${verdict.head}` : 'too few',
        ]),
    ),
  ];
  if (order) {
    const depths = Object.entries(order.depth).map(
      ([level, depth]) => `${level} ${depth === null ? 'nowhere' : round(depth)}`,
    );
    facts.push(['levels in the order of layers', `${order.says}: ${depths.join(', ')}`]);
  }
  return {
    facts,
    sheets: [
      sheet(
        'distance',
        ['distance'],
        heads.map(({ distance }) => [distance]),
        ['even attention', [even.distance]],
        'tokens',
      ),
      sheet(
        'attention',
        ['previous', ...names],
        heads.map(({ previous, relations: scores }) => [
          previous,
          ...names.map((name) => scores[name].attention),
        ]),
        ['even attention', [even.previous, ...names.map((name) => relations[name].even)]],
        'attention',
      ),
      sheet(
        'largest weight on a linked token',
        names,
        heads.map(({ relations: scores }) => names.map((name) => scores[name].largest)),
        ['at one distance', names.map((name) => relations[name].fixed)],
        'part of the links',
      ),
    ],
  };
}

/** The flags that an experiment uses, what it computes, and what is printed of its result.
 * @typedef {{ uses: string[], run: (call: Call) => Promise<unknown>, view: (result: unknown, call: Call) => View }} Experiment */

/** @param {string} experiment that cannot do without it @param {Pick<Call, 'subject' | 'flags'>} call */
function requiredToken(experiment, { subject, flags }) {
  const token = tokenOf(subject, flags, 'token');
  if (token === undefined) throw new UsageError(`${experiment} needs --token TEXT`);
  return token;
}

/** Each view knows the result of its own run.
 * @type {Record<string, Omit<Experiment, 'view'> & { view: (result: any, call: Call) => View }>} */
const TABLE = {
  scores: {
    uses: TEXT,
    run: ({ subject, inputs, listener }) => inside.headScores(subject.model, inputs, listener),
    view: ({ heads }) => ({
      sheets: [
        sheetOf('scores', heads, ['head', SCORES], 'attention'),
        sheetOf('entropy', heads, ['head', ['entropy']], 'nats'),
      ],
    }),
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
    run: (call) => inside.patch(call.subject.model, call.inputs, patchOptions(call)),
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
        ...patchOptions(call),
        compare: true,
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
    run: async (call) => {
      const { examples, place } = await examplesOf(call, 'probe');
      return inside.probe(call.subject.model, examples, { node: place, ...call.listener });
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
  roles: {
    uses: ['texts', 'seed'],
    run: ({ subject, flags, listener }) => {
      const { linked } = subject;
      if (!linked)
        throw new UsageError(
          'roles needs a model whose texts are generated: french-english or stories',
        );
      const count = integer(flags, 'texts') ?? ROLE_TEXTS;
      const texts = linked.texts(count, integer(flags, 'seed') ?? ROLE_SEED);
      return inside.headRoles(subject.model, texts, { ...linked.options, ...listener });
    },
    view: rolesView,
  },
  contexts: {
    uses: [...TEXT, 'against', 'token', 'stack'],
    run: (call) => {
      const token = requiredToken('contexts', call);
      const other = call.against();
      const stack = /** @type {any} */ (string(call.flags, 'stack'));
      return inside.contexts(call.subject.model, call.inputs, other, {
        positions: [positionOf(call.inputs, token, 'prompt'), positionOf(other, token, 'against')],
        ...defined({ stack }),
        ...call.listener,
      });
    },
    view: ({ states, positions }) => ({
      facts: [['positions', positions.join(', ')]],
      sheets: [sheetOf('contexts', states, ['state', ['cosine']], 'cosine')],
    }),
  },
  neighbours: {
    uses: ['token'],
    run: (call) => {
      const token = requiredToken('neighbours', call);
      return inside.neighbours(call.subject.model, { token, ...call.listener });
    },
    view: ({ neighbours }, { subject }) => {
      const rows = neighbours.map((/** @type {any} */ one) => ({
        ...one,
        name: subject.nameOf(one.token),
      }));
      return { sheets: [sheetOf('neighbours', rows, ['token', ['cosine']], 'cosine')] };
    },
  },
  shares: {
    uses: ['node', 'examples'],
    run: async (call) => {
      const { examples, place } = await examplesOf(call, 'shares');
      const nodes = place.split(',');
      return inside.labelShares(call.subject.model, examples, { nodes, ...call.listener });
    },
    view: ({ shares, labels, counts }) => {
      const rows = shares.map((/** @type {any} */ { node, head, label, ...one }) => ({
        ...one,
        name: [node, ...(head === null ? [] : [`head ${head}`]), label].join(' '),
      }));
      return {
        facts: labels.map((/** @type {any} */ label, /** @type {number} */ i) => [
          String(label),
          `${counts[i]} examples`,
        ]),
        sheets: [sheetOf('shares', rows, ['label', ['share', 'chance']], 'share of the variance')],
      };
    },
  },
  symmetry: {
    uses: TEXT,
    run: ({ subject, inputs, listener }) => inside.symmetry(subject.model, inputs, listener),
    view: ({ heads }) => ({
      sheets: [sheetOf('symmetry', heads, ['head', ['difference', 'share']], 'attention')],
    }),
  },
};

/** @type {Record<string, Experiment>} */
export const EXPERIMENTS = TABLE;
