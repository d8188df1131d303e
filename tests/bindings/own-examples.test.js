// Examples of one's own: every one of docs/own-examples.md against float64, by its schema, and what is refused.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import Ajv from 'ajv/dist/2020.js';
import { examples, explain, load, traceExample } from '../../bindings/index.js';
import { LEAVES } from '../../bindings/js/trace/example.js';
import { blocks } from '../support/markdown.js';
import { call } from './cli/call.js';

const gf = await load();
const [attention, scores, layer, loss, adam] = blocks('docs/own-examples.md', 'json').map((text) =>
  JSON.parse(text),
);

const times = (a, b) =>
  a.map((row) => b[0].map((_, j) => row.reduce((s, x, k) => s + x * b[k][j], 0)));
const turned = (a) => a[0].map((_, j) => a.map((row) => row[j]));
const sum = (row) => row.reduce((s, x) => s + x, 0);
const plus = (a, b) => a.map((row, i) => row.map((x, j) => x + b[i][j]));
const softmax = (row) => row.map((x) => Math.exp(x) / sum(row.map((y) => Math.exp(y))));
const norm = (row, epsilon = 1e-5) => {
  const mean = sum(row) / row.length;
  const variance = sum(row.map((x) => (x - mean) ** 2)) / row.length;
  return row.map((x) => (x - mean) / Math.sqrt(variance + epsilon));
};
/** Attention in float64; seen tells which key a query sees. */
function attended(q, k, v, scale, seen = () => true) {
  const all = times(q, turned(k)).map((row, i) =>
    row.map((s, j) => (seen(i, j) ? s * scale : Number.NEGATIVE_INFINITY)),
  );
  return times(all.map(softmax), v);
}

/** @param {any} example @param {string} node @param {number[][]} expected */
function holds(example, node, expected) {
  const trace = traceExample(gf, example);
  const { data } = trace.step(node);
  const flat = expected.flat(2);
  assert.equal(data.length, flat.length);
  for (const [i, x] of flat.entries()) {
    assert.ok(
      Math.abs(data[i] - x) <= 1e-5 * Math.max(1, Math.abs(x)),
      `${node} ${i}: ${data[i]}, ${x}`,
    );
  }
  /* Each number of each step is told. */
  for (const { name, shape } of trace.steps)
    explain(
      trace,
      name,
      shape.map(() => 0),
      gf,
    );
  trace.dispose();
}

test('a scale of its own, a causal mask, fractions and a block of LaTeX', () => {
  const { x, w_q, w_k } = attention.inputs;
  const v = times(x, [
    [2, 0],
    [0.5, 1],
  ]);
  holds(
    attention,
    'output',
    attended(times(x, w_q), times(x, w_k), v, 1 / 3, (i, j) => j <= i),
  );
});

test('scores that are given, behind a scale and any mask', () => {
  const { v } = scores.inputs;
  const weights = [[1, 0], softmax([0, 3])];
  holds(scores, 'weights', weights);
  holds(scores, 'output', times(weights, v));
  holds({ inputs: { scores: [[1, 2, 3]] } }, 'weights', [softmax([1, 2, 3])]);
});

test('a mask of any form in every head', () => {
  const x = [
    [1, 0],
    [0, 1],
    [1, 1],
  ];
  const w = [
    [1, 0],
    [0, 1],
  ];
  const mask = [
    [1, 1, 0],
    [0, 1, 1],
    [1, 0, 1],
  ];
  const example = { attention: { heads: 2 }, inputs: { x, w_q: w, w_k: w, w_v: w, mask } };
  const heads = [0, 1].map((h) => {
    const own = x.map((row) => [row[h]]);
    return attended(own, own, own, 1, (i, j) => mask[i][j] === 1);
  });
  holds(
    example,
    'output',
    x.map((_, i) => heads.map((head) => head[i][0])),
  );
});

test('a batch: each sequence by itself', () => {
  const x = [
    [
      [1, 0],
      [0, 1],
    ],
    [
      [2, 1],
      [1, 3],
    ],
  ];
  const w = [
    [1, 0],
    [0, 1],
  ];
  const expected = x.map((one) => attended(one, one, one, Math.SQRT1_2));
  holds({ inputs: { x, w_q: w, w_k: w, w_v: w } }, 'output', expected);
});

/** The layer of the page in float64. */
function layerOf({ x, w_v, w_1, b_1, w_2 }, before) {
  const part = (input) => attended(input, input, times(input, w_v), Math.SQRT1_2);
  const feed = (input) =>
    times(
      times(input, w_1).map((row) => row.map((h, j) => Math.max(0, h + b_1[j]))),
      w_2,
    );
  const around = (stream, sublayer) => {
    const all = plus(stream, sublayer(before ? stream.map((row) => norm(row)) : stream));
    return before ? all : all.map((row) => norm(row));
  };
  return around(around(x, part), feed);
}

test('a whole layer with its norms before, or behind, and its loss', () => {
  const { w_u, labels } = layer.inputs;
  const last = layerOf(layer.inputs, true);
  holds(layer, 'residual_2', last);
  const logits = times(last, w_u);
  holds(layer, 'logits', logits);
  const losses = logits.map((row, i) => -Math.log(softmax(row)[labels[i]]));
  holds(layer, 'loss', [[sum(losses) / losses.length]]);
  const { loss: _, ...without } = layer;
  holds({ ...without, layer: {} }, 'norm_2', layerOf(layer.inputs, false));
  const trace = traceExample(gf, layer);
  /* The gradient of the loss reaches the weights: it moves the loss as float64 says. */
  trace.gradient('loss', [0]);
  const gradient = trace.step('w_1').grad[0];
  trace.dispose();
  const lossAt = (w) => {
    const out = times(layerOf({ ...layer.inputs, w_1: w }, true), w_u);
    return sum(out.map((row, i) => -Math.log(softmax(row)[labels[i]]))) / out.length;
  };
  const moved = (by) => layer.inputs.w_1.map((row, i) => row.map((x, j) => (i + j ? x : x + by)));
  const slope = (lossAt(moved(1e-5)) - lossAt(moved(-1e-5))) / 2e-5;
  assert.ok(Math.abs(gradient - slope) < 1e-4, `${gradient}, ${slope}`);
});

test('a loss alone', () => {
  const { logits, labels } = loss.inputs;
  const losses = logits.map((row, i) => -Math.log(softmax(row)[labels[i]]));
  holds(loss, 'loss', [[sum(losses) / 2]]);
});

test('a step of Adam, and its defaults', () => {
  const { rate, beta1, step } = adam.adam;
  const { theta, m_before, v_before } = adam.inputs;
  const stepped = (g, m0, v0, b1, t) =>
    theta.map((x, i) => {
      const m = (b1 * m0[i] + (1 - b1) * g[i]) / (1 - b1 ** t);
      const v = (0.999 * v0[i] + 0.001 * g[i] ** 2) / (1 - 0.999 ** t);
      return x - (rate * m) / (Math.sqrt(v) + 1e-8);
    });
  holds(adam, 'theta.new', [stepped([0.5, 2], m_before, v_before, beta1, step)]);
  const plain = { adam: { rate }, inputs: { theta, gradient: [0.5, 2] } };
  holds(plain, 'theta.new', [stepped([0.5, 2], [0, 0], [0, 0], 0.9, 1)]);
});

test('a number of a step of Adam that is overwritten moves what follows, and gradients reach it', () => {
  const { rate } = adam.adam;
  const { theta } = adam.inputs;
  const moved = (g) => {
    const [m, v] = [
      (0.8 * 0.1 + 0.2 * g) / (1 - 0.8 ** 2),
      (0.999 * 0.001 + 0.001 * g * g) / (1 - 0.999 ** 2),
    ];
    return theta[0] - (rate * m) / (Math.sqrt(v) + 1e-8);
  };
  const near = (x, y, band = 1e-5) => assert.ok(Math.abs(x - y) <= band, `${x}, ${y}`);
  const trace = traceExample(gf, adam);
  trace.gradient('theta.new', [0]);
  near(trace.step('gradient').grad[0], (moved(0.501) - moved(0.499)) / 0.002, 1e-4);
  trace.edit('gradient', [0], 3);
  near(trace.step('theta.new').data[0], moved(3));
  trace.edit('v.corrected', [0], 4);
  near(trace.step('update').data[0], trace.step('m.corrected').data[0] / 2);
  near(trace.step('theta.new').data[0], theta[0] - rate * trace.step('update').data[0]);
  trace.dispose();
});

test('w_u makes logits and probabilities, with a loss or without', () => {
  const { loss: _, ...plain } = layer;
  const { labels: __, ...inputs } = layer.inputs;
  const logits = times(layerOf(layer.inputs, true), inputs.w_u);
  holds({ ...plain, inputs }, 'logits', logits);
  holds({ ...plain, inputs }, 'probabilities', logits.map(softmax));
  holds(layer, 'probabilities', logits.map(softmax));
  const { w_u } = inputs;
  assert.throws(
    () => traceExample(gf, { ...plain, inputs: { ...inputs, w_y: w_u } }),
    /unknown option "w_y"/,
  );
});

test('what is written as text is read as the same numbers', () => {
  const [x, w] = [
    [
      [1, 0.5],
      [0, 1],
    ],
    [
      [1, 0],
      [0, 1],
    ],
  ];
  const plain = traceExample(gf, { inputs: { x, w_q: w, w_k: w, w_v: w } });
  const block = '1\t0,5\n0\t1';
  const written = traceExample(gf, {
    inputs: {
      x: block,
      w_q: w,
      w_k: [
        ['1', 0],
        [0, '2/2'],
      ],
      w_v: w,
    },
  });
  assert.deepEqual(written.step('output').data, plain.step('output').data);
});

describe('what is refused says the field, the value and what was expected', () => {
  const x = [
    [1, 0],
    [0, 1],
  ];
  const w = [
    [1, 0],
    [0, 1],
  ];
  const inputs = { x, w_q: w, w_k: w, w_v: w };
  for (const [example, message] of /** @type {[any, RegExp][]} */ ([
    [
      { attention: { scale: 'x' }, inputs },
      /example\.attention\.scale: expected a number such as .* received "x"/,
    ],
    [
      { inputs: { ...inputs, w_k: 'a b' } },
      /example\.inputs\.w_k: expected a number such as .* received "a b"/,
    ],
    [
      {
        inputs: {
          ...inputs,
          w_k: [
            [1, '1/0'],
            [0, 1],
          ],
        },
      },
      /inputs\.w_k\[0\]\[1\]: expected a number/,
    ],
    [
      { inputs: { ...inputs, maks: w } },
      /example\.inputs: unknown option "maks" \(did you mean "mask"\?\)/,
    ],
    [
      { inputs: { ...inputs, mask: [[1, 0, 1]] } },
      /mask: shapes do not fit: \[2,2\] x ids \[1,3\]/,
    ],
    [
      { layer: { norm: 'middle' }, inputs },
      /layer\.norm: expected one of "before", "after", "none", received "middle"/,
    ],
    [{ layer: {}, inputs: { ...inputs, w_1: w } }, /inputs: w_2 is missing/],
    [{ loss: {}, inputs }, /inputs: labels is missing/],
    [
      { adam: { rate: 1 }, inputs: { theta: [1, 2], gradient: [1] } },
      /inputs\.gradient: expected 2 numbers, .* received 1/,
    ],
    [{ adam: { rate: 1 }, inputs: { gradient: [1] } }, /inputs: theta is missing/],
    [
      { adam: {}, inputs: { theta: [1], gradient: [1] } },
      /adam\.rate: expected a number, received undefined/,
    ],
  ])) {
    test(message.source, () => {
      assert.throws(() => traceExample(gf, example).dispose(), message);
    });
  }
});

describe('the schema', () => {
  const file = path.resolve(import.meta.dirname, '../../docs/schemas/example.schema.json');
  const fits = new Ajv().compile(JSON.parse(readFileSync(file, 'utf8')));
  test('fits the worked examples and those of the page, as they are and as --json prints them', async () => {
    for (const example of [...Object.values(examples), attention, scores, layer, loss, adam]) {
      assert.ok(fits(JSON.parse(JSON.stringify(example))), JSON.stringify(fits.errors));
    }
    const { stdout: printed } = await call(['trace', '-', '--json'], {
      input: JSON.stringify(layer),
    });
    assert.ok(fits(JSON.parse(printed).example), JSON.stringify(fits.errors));
  });
  test('has each input that the program reads, and no other', () => {
    const { properties } = JSON.parse(readFileSync(file, 'utf8')).properties.inputs;
    assert.deepEqual(Object.keys(properties).sort(), [...LEAVES].sort());
  });
  test('refuses what the program refuses', () => {
    const wrong = [
      { layer: { norm: 'middle' } },
      { inputs: { maks: [[1]] } },
      { adam: {} },
      { other: 1 },
    ];
    for (const example of wrong) assert.ok(!fits(example), JSON.stringify(example));
  });
});

test('matrices with their names are an example, in any notation', async () => {
  for (const input of [
    'Q = 1 2; 0 1\nK = 1 0; 3 1\nV = 4 0; 0 8\nscale = 1/2\nmask = causal\ntokens = je suis',
    '{"inputs":{"q":"1 2; 0 1","k":"1 0; 3 1","v":"4 0; 0 8"},"attention":{"scale":"1/2","causal":true}}',
    'Let $Q = \\begin{pmatrix}1&2\\\\0&1\\end{pmatrix}$, $K = \\begin{pmatrix}1&0\\\\3&1\\end{pmatrix}$\nmask: causal\n### V\n\n| | a | b |\n|-|-|-|\n| je | 4 | 0 |\n| suis | 0 | 8 |\n\nscale: $\\frac12$',
  ]) {
    const { stdout, stderr } = await call(['trace', '-', '--json'], { input });
    assert.equal(stderr, '', input);
    const { data } = JSON.parse(stdout).nodes.output;
    /* The first token sees itself; the scores of the second are 0 and 1, and half of that. */
    const share = 1 / (1 + Math.exp(0.5));
    const due = [4, 0, 4 * share, 8 * (1 - share)];
    assert.ok(
      Object.values(data)
        .flat()
        .every((x, i) => Math.abs(x - due[i]) < 1e-5),
      `${input}: ${JSON.stringify(data)}`,
    );
  }
  const { stderr } = await call(['trace', '-'], { input: 'X = 1 0; 0 1\nFoo = 1 2' });
  assert.match(stderr, /^glassformer: standard input: example: an example has no numbers "Foo"/);
});

test('the command line prints every example of the page, and refuses in one line', async () => {
  for (const example of [attention, scores, layer, loss, adam]) {
    const { stdout, stderr, status } = await call(['trace', '-'], {
      input: JSON.stringify(example),
    });
    assert.deepEqual([stderr, status], ['', 0]);
    assert.match(stdout, /weights|theta\.new|loss/);
  }
  const wrong = { layer: { norm: 'middle' }, inputs: {} };
  const { stderr } = await call(['trace', '-'], { input: JSON.stringify(wrong) });
  assert.match(
    stderr,
    /^glassformer: standard input: .*layer\.norm: expected one of .* received "middle"\n$/,
  );
});
