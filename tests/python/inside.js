// One list of cases for tests/python/test_inside.py: experiments on a running model, and what they give in Node.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { load } from '../../bindings/index.js';
import * as inside from '../../bindings/lab/inside/index.js';

const gf = await load();
const CALLS = { ...inside };

const SIZE = { vocab: 12, dModel: 16, heads: 2, layers: 2, dFF: 24, maxLength: 12, seed: 4 };
const MODELS = {
  gpt: { kind: 'gpt', ...SIZE },
  post: { kind: 'gpt', ...SIZE, preNorm: false, positions: 'rotary', kvHeads: 1, seed: 9 },
  transformer: { kind: 'transformer', ...SIZE },
};
const INPUTS = {
  one: { target: [1, 5, 3, 7] },
  two: { source: [3, 4, 5], target: [1, 5, 3, 7] },
};
const others = (/** @type {keyof typeof INPUTS} */ which) => ({
  ...INPUTS[which],
  target: [1, 2, 3, 9],
});

/** @param {keyof typeof INPUTS} which */
const cases = (which) => {
  const from = others(which);
  return {
    ablate: [
      ...['head', 'neuron', 'layer', 'position'].map((each) => ({ each })),
      { each: 'head', layers: [1], value: { mean: [INPUTS[which], from] } },
      { each: 'layer', metric: { kind: 'loss', token: 3 }, value: { run: from } },
      {
        at: [
          { layer: 0, head: 0 },
          { layer: 1, head: 1, value: { run: from } },
        ],
      },
      { at: [{ layer: 1, part: 'feed_forward' }], metric: { against: 2, position: 1 } },
      {
        at: [
          { layer: 0, neuron: 3 },
          { layer: 1, position: 2 },
        ],
        metric: { kind: 'probability' },
      },
      { at: [{ node: 'decoder.layers.1.norm1', index: [0, 2] }] },
      ...(which === 'two'
        ? [
            {
              at: [
                { layer: 0, head: 1, part: 'cross_attn' },
                { layer: 1, head: 0, stack: 'encoder' },
              ],
            },
          ]
        : []),
    ],
    patch: [
      ...['head', 'layer', 'position'].map((each) => ({ from, each })),
      { from, at: [{ layer: 0, position: 1 }], metric: { kind: 'difference', against: 4 } },
    ],
    logitLens: [{}, { position: 1, token: 4, top: 3 }],
  };
};

/** Vectors with labels, for probe and labelShares. */
const EXAMPLES = Array.from({ length: 12 }, (_, i) => ({
  inputs: { target: [i % 8, (3 * i) % 8, (5 * i + 1) % 8] },
  label: i % 8 < 4 ? 'low' : 'high',
  ...(i % 3 === 0 && { position: 1 }),
}));
const LINKS = [
  { relation: 'to the first', query: 2, keys: [0] },
  { relation: 'back', query: 3, keys: [1, 2] },
];
const TEXTS = Array.from({ length: 31 }, (_, i) => ({
  inputs: { target: [1, i % 12, 3, (5 * i) % 12] },
  links: LINKS,
}));
const LEVELS = { words: ['previous', 'back'], whole: ['to the first'] };

/** What takes more than inputs, or other ones: its arguments behind the model, options last.
 * @param {keyof typeof INPUTS} which */
const calls = (which) => {
  const inputs = INPUTS[which];
  const from = others(which);
  const cross =
    which === 'two' ? [{ layer: 1, head: 0, part: 'cross_attn', query: 2, key: 1 }] : [];
  const feed = { layer: 1, part: 'feed_forward' };
  const reads = [
    { layer: 1, head: 0, input: 'query' },
    { layer: 1, head: 0, input: 'value' },
    feed,
  ];
  return {
    attributionPatch: [
      [inputs, { from, each: 'head', compare: true }],
      [inputs, { from, each: 'position', layers: [1], metric: { kind: 'loss', token: 3 } }],
      [inputs, { from, each: 'neuron', metric: { kind: 'probability', position: 1 } }],
      [inputs, { from, each: 'layer', metric: { against: 2 }, compare: true }],
    ],
    paths: [
      [inputs, { from, sender: { layer: 0, head: 0 } }],
      [inputs, { from, sender: { layer: 0, part: 'feed_forward' }, receivers: ['logits', feed] }],
      [inputs, { from, receivers: reads, metric: { kind: 'loss' } }],
      [inputs, { from, receivers: ['logits'] }],
    ],
    logitAttribution: [
      [inputs, {}],
      [inputs, { position: 1, token: 4, against: 2, keys: true, products: true }],
      [inputs, { products: `${which === 'two' ? 'decoder ' : ''}layer 1 head 0` }],
      [
        inputs,
        {
          at: [
            { layer: 1, head: 1 },
            { node: 'decoder.layers.0.norm1', index: [0, 3] },
          ],
        },
      ],
    ],
    why: [
      { layer: 0, head: 1 },
      { layer: 1, head: 0, query: 2, key: -1 },
      { layer: 1, head: 1, query: 3, key: 1 },
      ...cross,
    ].map((options) => [
      inputs,
      which === 'two' && !('part' in options)
        ? { ...options, stack: 'encoder', query: 1 }
        : options,
    ]),
    headScores: [
      [inputs, {}],
      [{ ...inputs, target: [1, 2, 1, 2] }, { repeat: { length: 3, seed: 5 } }],
      [{ ...inputs, target: [4] }, {}],
    ],
    symmetry: [
      [inputs, {}],
      [from, {}],
      [{ ...inputs, target: [4] }, {}],
    ],
    rollout: [
      [inputs, {}],
      [inputs, { flow: true }],
      [from, { flow: true }],
    ],
    circuits: [
      { layer: 0, head: 1 },
      { layer: 1, head: 0, tokens: [3, 1, 7] },
      { layer: 1, head: 1 },
    ].map((one) => [one]),
    contexts: [
      [inputs, from, {}],
      [inputs, from, { positions: [1, -2] }],
      [inputs, from, { stack: 'decoder', positions: [0, 0] }],
    ],
    neighbours: [{ token: 3 }, { token: 0, top: 3 }, { token: 5, among: [1, 2, 5] }].map((one) => [
      one,
    ]),
    ...(which === 'one' && {
      probe: [
        [EXAMPLES, { node: 'decoder.embedding', steps: 30 }],
        [EXAMPLES, { node: 'decoder.layers.0.norm1', heldOut: 0.5, seed: 4, steps: 20, decay: 0 }],
      ],
      labelShares: [
        [EXAMPLES, { nodes: ['decoder.embedding', 'decoder.layers.0.self_attn.q'] }],
        [EXAMPLES, { nodes: ['decoder.layers.1.norm1'], byPosition: true, shuffles: 3, seed: 9 }],
      ],
      headRoles: [
        [TEXTS, {}],
        [TEXTS, { levels: LEVELS }],
        [TEXTS.slice(0, 2), { stack: 'decoder' }],
      ],
    }),
  };
};

/** Arrays as lists. @param {string} _ @param {unknown} value */
const plain = (_, value) =>
  ArrayBuffer.isView(value) ? Array.from(/** @type {any} */ (value)) : value;

/** What needs no model. */
function alone() {
  const rows = [[0.02, 0.87, 0.11], [1], [0.5, 0, 0.25, 0.25]];
  const networks = [{}, { gain: 2, units: 5, steps: 12, seed: 3 }].map((options) => {
    const network = inside.recurrence(gf, options);
    const { steps } = network;
    const last = steps.length;
    const reached = [1, last].map((t) => network.reach(t));
    network.dispose();
    return { options, steps, reached };
  });
  return { information: rows.map((row) => [row, inside.information(row)]), networks };
}

/** @param {string} folder */
export async function insideCases(folder) {
  mkdirSync(path.join(folder, 'inside'), { recursive: true });
  const told = [];
  for (const [name, options] of Object.entries(MODELS)) {
    const model = gf.model(options);
    const file = path.join(folder, `inside/${name}.safetensors`);
    writeFileSync(file, model.save());
    const which = name === 'transformer' ? 'two' : 'one';
    for (const [call, list] of Object.entries(cases(which))) {
      for (const given of list) {
        const found = await CALLS[call](model, INPUTS[which], given);
        if (found.rows) for (const row of found.rows) row.logits = Array.from(row.logits);
        told.push({ file, call, inputs: INPUTS[which], options: given, found });
      }
    }
    for (const [call, list] of Object.entries(calls(which))) {
      for (const all of list) {
        const found = await CALLS[call](model, ...all);
        told.push({ file, call, arguments: all.slice(0, -1), options: all.at(-1), found });
      }
    }
    const work = () => model.generateSync(which === 'two' ? [3, 4] : [1, 5], { maxNewTokens: 5 });
    const place = { stack: 'decoder', layer: 0, head: 1 };
    told.push({
      file,
      call: 'withoutHead',
      options: place,
      found: await inside.withoutHead(model, place, work),
    });
    const run = model.forward(INPUTS[which]);
    const patterns = run.tape.nodes
      .filter(({ role, op }) => role === 'weight' && op === 'softmax')
      .map(({ data, shape }) => ({ shape: shape.slice(1), data: Array.from(data) }));
    told.push({
      file,
      call: 'attentionPatterns',
      inputs: INPUTS[which],
      options: {},
      found: patterns,
    });
    run.dispose();
    model.dispose();
  }
  return JSON.parse(JSON.stringify({ names: Object.keys(CALLS), cases: told, ...alone() }, plain));
}
