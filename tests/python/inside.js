// One list of cases for tests/python/test_inside.py: experiments on a running model, and what they give in Node.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { load } from '../../bindings/index.js';
import { ablate, logitLens, patch } from '../../bindings/lab/inside/index.js';

const gf = await load();

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
    logit_lens: [{}, { position: 1, token: 4, top: 3 }],
  };
};
const CALLS = { ablate, patch, logit_lens: logitLens };

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
    const run = model.forward(INPUTS[which]);
    const patterns = run.tape.nodes
      .filter(({ role, op }) => role === 'weight' && op === 'softmax')
      .map(({ data, shape }) => ({ shape: shape.slice(1), data: Array.from(data) }));
    told.push({
      file,
      call: 'attention_patterns',
      inputs: INPUTS[which],
      options: {},
      found: patterns,
    });
    run.dispose();
    model.dispose();
  }
  return told;
}
