// Path patching: what goes from a sender to a receiver directly, through the residual stream alone, while all else
// stays as it was. Every way from a sender to the metric has one first receiver, so over all of them paths add up to
// the sender's whole effect, as far as what lies behind is linear.

import { checkArray, checkInteger, checkOptions, checkWord } from '../../js/base/errors.js';
import { asPart } from '../../js/base/turn.js';
import { gridOfRows, measured } from './ablate.js';
import { attentionsOf, projectionOf } from './attention.js';
import { Bench, experiment, floatsOf } from './bench.js';
import { Metric } from './metric.js';
import { region, regionsOf, rowsOf } from './places.js';
import { changesOf, secondRun, valuesOn } from './replace.js';
import { MAX_LAYER, PARTS, prefixOf } from './stream.js';
import { rangeError, typeError } from './texts.js';

/** @typedef {import('./bench.js').Inputs} Inputs */
/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./bench.js').Model} Model */
/** @typedef {import('./lens.js').Grid} Grid */
/** @typedef {import('./metric.js').Measured} Measured */
/** @typedef {import('./metric.js').MetricOptions} MetricOptions */
/** @typedef {import('./places.js').Place} Place */
/** @typedef {import('./places.js').Region} Region */
/** @typedef {import('./replace.js').Values} Values */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */

/** What a head reads. @typedef {'query' | 'key' | 'value'} HeadInput */

/** 'logits'; or what a head reads as query, key or value (of grouped heads: the number of the shared key or value);
 * or, with part 'feed_forward' and no head, what a feed-forward reads.
 * @typedef {'logits' | { layer: number, head?: number, input?: HeadInput, part?: 'self_attn' | 'cross_attn' | 'feed_forward',
 *   stack?: 'encoder' | 'decoder' }} Receiver */

/**
 * @typedef {object} PathOptions
 * @property {Inputs} from the run that the sender's values are taken from, of the same length
 * @property {Place} [sender] a head, or a layer with a part; each head in turn by default
 * @property {readonly Receiver[]} [receivers] with a sender: all behind it by default, each alone; without one they are
 *   changed together, and 'logits' stands alone
 * @property {MetricOptions} [metric]
 */

/** What reaches the metric through one receiver first. @typedef {{ name: string, value: number }} PathPart */

/**
 * @typedef {object} Paths
 * @property {'paths'} experiment
 * @property {Measured} metric what is measured
 * @property {number} before in the unchanged run
 * @property {PathPart[] | null} parts with a sender: what changes through each receiver
 * @property {number | null} total what changes if the sender is patched and all else computed
 * @property {number | null} sum of the parts
 * @property {number | null} remainder total - sum: what the parts do together, through norms, softmax and activations
 * @property {Grid | null} grid without a sender: what changes by each head as the sender
 */

/** A receiver on a bench: the regions that it reads. @typedef {{ name: string, regions: Region[] }} Reader */

const OPTIONS = ['from', 'sender', 'receivers', 'metric'];
const RECEIVER = ['layer', 'head', 'input', 'part', 'stack'];
const INPUT = /** @type {const} */ (['query', 'key', 'value']);

/** What a sublayer computes inside: held, it passes nothing on.
 * @param {Bench} bench */
const insides = ({ nodes }) =>
  nodes.filter(
    ({ role, kind, layer }) =>
      kind === 'op' && layer !== null && (role === 'mix' || role === 'activation'),
  );

/** @typedef {Reader & { stack: string, layer: number, part: string, head: number | null, input: string | null }} Receiving */

/** All that can receive. Pauses between sublayers.
 * @param {Bench} bench
 * @returns {Generator<number, Receiving[]>} */
function* readersOf(bench) {
  /** @type {Receiving[]} */
  const attentions = [];
  for (const attention of attentionsOf(bench)) {
    yield 0;
    const readers = INPUT.flatMap((input) => {
      const node = /** @type {Tensor} */ (projectionOf(bench, attention, input));
      const { stack, layer, part } = attention;
      const { heads, shape } = node;
      const width = shape[2] / heads;
      const cross = part === 'cross_attn' ? 'cross-attention ' : '';
      return Array.from({ length: heads }, (_, head) => ({
        name: `${prefixOf(bench, stack)}layer ${layer} ${cross}head ${head} ${input}`,
        ...{ stack, layer, part, head, input },
        regions: Array.from({ length: width }, (_, d) =>
          region(node, [null, null, head * width + d]),
        ),
      }));
    });
    attentions.push(...readers);
  }
  const hidden = bench.nodes.filter(
    ({ role, op, part }) => role === 'hidden' && op === 'linear' && part === 'feed_forward',
  );
  const feeds = [];
  for (const node of hidden) {
    yield 0;
    const { stack, layer, part } = node;
    const gate = projectionOf(bench, node, 'gate');
    feeds.push({
      name: `${prefixOf(bench, stack)}layer ${layer} ${PARTS.feed_forward}`,
      ...{
        stack: String(stack),
        layer: Number(layer),
        part: String(part),
        head: null,
        input: null,
      },
      regions: [node, gate].flatMap((one) => (one ? [region(one, [])] : [])),
    });
  }
  return [...attentions, ...feeds].sort((a, b) => a.regions[0].node.id - b.regions[0].node.id);
}

/** @type {Reader} */
const LOGITS = { name: 'logits', regions: [] };

/** The readers that receivers name.
 * @param {Bench} bench @param {unknown} receivers
 * @returns {Generator<number, Reader[]>} */
function* checkReceivers(bench, receivers) {
  const { where, stacks } = bench;
  checkArray(`${where}: receivers`, receivers);
  if (receivers.length === 0) throw rangeError('noReceivers', { where: `${where}: receivers` });
  const all = yield* readersOf(bench);
  return Array.from(receivers, (receiver, i) => {
    const place = `${where}: receivers[${i}]`;
    if (receiver === 'logits') return LOGITS;
    if (typeof receiver === 'string')
      throw typeError('receiver', { where: place, given: receiver });
    checkOptions(place, receiver, RECEIVER);
    const {
      layer,
      head = null,
      input = null,
      part = head === null ? 'feed_forward' : 'self_attn',
      stack,
    } = /** @type {Exclude<Receiver, 'logits'>} */ (receiver);
    checkInteger(`${place}: layer`, layer, 0, MAX_LAYER);
    checkWord(`${place}: part`, part, Object.keys(PARTS));
    if (head !== null) checkWord(`${place}: input`, input, INPUT);
    const stackName = stack ?? stacks[stacks.length - 1];
    const alike = all.filter(
      (one) =>
        one.stack === stackName && one.layer === layer && one.part === part && one.input === input,
    );
    const match = alike.find((one) => one.head === head);
    if (match) return match;
    if (head !== null && alike.length > 0) {
      checkInteger(`${place}: head`, head, 0, alike.length - 1);
    }
    throw rangeError('noPartAt', { where: place, part, layer, stack: stackName });
  });
}

/** What the metric is if the sender's change reaches these readers alone.
 * @param {Bench} bench @param {Metric} metric @param {readonly Region[]} sender @param {Values} values
 * @param {readonly Tensor[]} inner what else would pass the change on */
function* onPaths(bench, metric, sender, values, inner) {
  const senders = new Set(sender.map(({ node }) => node));
  const held = new Set(inner.filter((node) => !senders.has(node)));
  yield* bench.running(changesOf(sender, values), held);
  /* By way of the stream alone: the metric, and what each reader is then given. */
  const direct = metric.read();
  /** @type {Map<Tensor, Float32Array>} */
  const inputs = new Map();
  return {
    /** Takes down what readers are given, before anything else is run.
     * @param {readonly Reader[]} readers */
    note(readers) {
      for (const { node } of readers.flatMap(({ regions }) => regions)) {
        if (!inputs.has(node)) inputs.set(node, floatsOf(node).slice());
      }
    },
    /** @param {readonly Reader[]} readers
     * @returns {Generator<number, number>} */
    *through(readers) {
      if (readers.includes(LOGITS)) return direct;
      yield* bench.running(
        changesOf(
          readers.flatMap(({ regions }) => regions),
          inputs,
        ),
      );
      return metric.read();
    },
  };
}

/** What goes to each reader by itself: the metric's change.
 * @param {ReturnType<typeof onPaths> extends Generator<number, infer P> ? P : never} path @param {Reader[]} readers @param {number} before
 * @returns {Generator<number, { name: string, value: number }[]>} */
function* partsOf(path, readers, before) {
  path.note(readers);
  /** @type {{ name: string, value: number }[]} */
  const parts = [];
  for (const reader of readers) {
    const value = yield* asPart(path.through([reader]), parts.length / readers.length, 0);
    parts.push({ name: reader.name, value: value - before });
    yield parts.length / readers.length;
  }
  return parts;
}

/** Runs a bench once, for the values of nodes.
 * @param {Bench} bench which is disposed of @param {readonly import('../../js/tape/tensor.js').Tensor[]} nodes
 * @returns {Generator<number, Values>} */
function* valuesOfRun(bench, nodes) {
  try {
    yield* bench.running();
    return valuesOn([...new Set(nodes)], bench);
  } finally {
    bench.dispose();
  }
}

/** What goes from a sender to receivers directly, all else being held: path patching. With a sender, one part for each
 * receiver; without, a grid over all heads as senders.
 * @param {Model} model @param {Inputs} inputs of one sequence @param {PathOptions & Listener} options
 * @returns {Promise<Paths>}
 * @example
 * import { paths } from 'glassformer/inside';
 *
 * const model = gf.model({ kind: 'gpt', vocab: 8, dModel: 8, heads: 1, layers: 2, maxLength: 16 });
 * const from = { target: [1, 5, 3] };
 * const { parts, total, sum, remainder } = await paths(model, { target: [1, 2, 3] }, { from, sender: { layer: 0, head: 0 } });
 * parts?.map(({ name }) => name).slice(0, 2); // = ['layer 0 feed-forward', 'layer 1 head 0 query']
 * parts?.at(-1)?.name; // = 'logits'
 * Number(total) - Number(sum) === remainder; // = true
 * model.dispose(); */
export function paths(model, inputs, options) {
  const where = 'paths';
  return experiment(where, options, OPTIONS, function* (use, options) {
    const { from, sender, receivers } = options;
    const metric = new Metric(where, options.metric);
    const bench = use(new Bench(where, model, inputs, metric.more));
    if (sender === undefined && receivers === undefined)
      throw typeError('sendersOrReceivers', { where });
    const named = receivers === undefined ? null : yield* checkReceivers(bench, receivers);
    if (sender === undefined && named && named.length > 1 && named.includes(LOGITS)) {
      throw rangeError('logitsAlone', { where: `${where}: receivers` });
    }
    const rows = rowsOf(bench, 'head');
    const regions = sender === undefined ? null : regionsOf(`${where}: sender`, bench, sender);
    const inner = insides(bench);
    const nodes = regions ? regions.map(({ node }) => node) : inner;
    const values = yield* valuesOfRun(secondRun(model, from, bench, 'from'), nodes);
    const measure = yield* metric.begin(bench);
    const before = metric.read();
    yield 0;
    const result = { experiment: /** @type {const} */ ('paths'), metric: measure, before };
    if (!regions) {
      const readers = /** @type {Reader[]} */ (named);
      const grid = yield* measured(rows, function* (one) {
        const path = yield* onPaths(bench, metric, one, values, inner);
        path.note(readers);
        return (yield* path.through(readers)) - before;
      });
      return {
        ...result,
        parts: null,
        total: null,
        sum: null,
        remainder: null,
        grid: gridOfRows(rows, 'head', grid, measure.kind),
      };
    }
    yield* bench.running(changesOf(regions, values));
    const total = metric.read() - before;
    const first = Math.min(...regions.map(({ node }) => node.id));
    const readers = named ?? [
      ...(yield* readersOf(bench)).filter((one) => one.regions[0].node.id > first),
      LOGITS,
    ];
    const path = yield* onPaths(bench, metric, regions, values, inner);
    const parts = yield* partsOf(path, readers, before);
    const sum = parts.reduce((all, { value }) => all + value, 0);
    return { ...result, parts, total, sum, remainder: total - sum, grid: null };
  });
}
