// The sums that the guide to "Attention is all you need" gives, against what a model of that size holds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { families, gf, model, refused } from './small.js';

const d = 512;
const dFF = 2048;
const vocab = 37_000;

/** All rows below a path, summed. */
const total = ({ rows }, path, what = 'parameters') =>
  rows.filter(({ name }) => name.startsWith(path)).reduce((sum, row) => sum + row[what], 0);

test("the paper's base model: the guide's formulas per part, and where its totals are off", () => {
  const paper = gf.model({ kind: 'transformer', vocab, dModel: d, layers: 6 });
  const summary = paper.summary({ source: 10, target: 10 });

  /* 4 d^2 per attention and 2 d d_ff per feed-forward, and the biases, which the guide leaves out. */
  const attention = 4 * d ** 2 + 4 * d;
  const feedForward = 2 * d * dFF + dFF + d;
  /* The guide counts "4 x 512" for the two norms of an encoder layer: gain and bias each, so right; and
   * "~2K" for a decoder layer too, which has three of them: 3 x 2 x 512 = 3072. */
  const norm = 2 * d;
  assert.equal(total(summary, 'encoder.layers.0.self_attn.'), attention);
  assert.equal(total(summary, 'decoder.layers.5.self_attn.'), attention);
  assert.equal(total(summary, 'decoder.layers.5.cross_attn.'), attention);
  assert.equal(total(summary, 'encoder.layers.3.linear'), feedForward);
  assert.equal(total(summary, 'encoder.layers.0.norm'), 2 * norm);
  assert.equal(total(summary, 'decoder.layers.0.norm'), 3 * norm);
  assert.equal(total(summary, 'encoder.layers.0.'), attention + feedForward + 2 * norm);
  assert.equal(total(summary, 'decoder.layers.0.'), 2 * attention + feedForward + 3 * norm);

  /* In the paper the embedding is the source's, the target's and the logits' at once, and counts once:
   * 63M. The guide's "~100M" counts it three times. */
  const layers = 6 * (3 * attention + 2 * feedForward + 5 * norm);
  assert.equal(layers, 44_138_496);
  assert.equal(summary.parameters, layers + vocab * d);
  assert.equal(summary.parameters, 63_082_496);
  assert.equal(summary.parameters, paper.size);
  const unmade = gf.summary({ kind: 'transformer', vocab }, { source: 10, target: 10 });
  assert.deepEqual(unmade, summary, 'the same of a model that is not made');
  assert.equal(layers + 3 * vocab * d, 100_970_496);
  paper.dispose();
});

test('multiply-adds: a product has one per cell and term, all else none', () => {
  const made = gf.model({ ...families.transformer, layers: 1, decoderLayers: 1 });
  const { dModel, dFF, vocab } = made.config;
  const [batch, S, T] = [2, 5, 3];
  const summary = made.summary({ batch, source: S, target: T });
  const cost = (path) => total(summary, path, 'multiplyAdds');
  /* Four projections, and two products per pair of places. */
  const attention = (q, k) =>
    batch * (2 * q * dModel ** 2 + 2 * k * dModel ** 2 + 2 * q * k * dModel);
  assert.equal(cost('encoder.layers.0.self_attn.'), attention(S, S));
  assert.equal(cost('decoder.layers.0.self_attn.'), attention(T, T));
  assert.equal(cost('decoder.layers.0.cross_attn.'), attention(T, S));
  assert.equal(cost('decoder.layers.0.linear'), batch * T * 2 * dModel * dFF);
  assert.equal(cost('decoder.layers.0.norm'), 0);
  assert.equal(cost('logits'), batch * T * dModel * vocab);
  assert.equal(
    summary.multiplyAdds,
    ['encoder.', 'decoder.', 'logits'].reduce((sum, path) => sum + cost(path), 0),
  );
  made.dispose();
});

test('a summary has the steps of a run, with their shapes', () => {
  for (const options of Object.values(families)) {
    const made = model(options);
    const two = options.kind === 'transformer';
    const { rows, parameters } = made.summary({ source: 4, target: 3 });
    const run = made.forward({ ...(two && { source: [1, 2, 3, 4] }), target: [1, 2, 3] });
    assert.deepEqual(
      rows.map(({ name, op, shape }) => [name, op, shape]),
      run.tape.nodes
        .filter(({ kind }) => kind === 'op')
        .map(({ name, op, shape }) => [name, op, shape]),
    );
    assert.equal(parameters, made.size);
    assert.deepEqual(made.summary().rows.at(-1).shape, [1, 40, 11]);
    assert.throws(() => made.summary({ target: 41 }), refused(RangeError, /target: .*received 41/));
    assert.throws(() => made.summary({ length: 4 }), refused(TypeError, /unknown option "length"/));
    made.dispose();
  }
});
