// Karpathy's micrograd demo: two moons, a network of two hidden layers, a loss made of single steps. Writes a line for every
// tenth step, and the accuracy at the end.
//
//   node moons.js [--steps 100]

import { parseArgs } from 'node:util';
import { load, train } from 'glassformer';

const { values } = parseArgs({ options: { steps: { type: 'string', default: '100' } } });
const steps = Number(values.steps);
const POINTS = 100;
const gf = await load();

/* The upper moon is -1, the lower 1, with some noise. */
const noise = gf.normal([POINTS, 2], { seed: 1, deviation: 0.1 }).data;
const label = Array.from({ length: POINTS }, (_, i) => [i % 2 ? 1 : -1]);
const x = label.map(([side], i) => {
  const angle = (Math.PI * i) / POINTS;
  const [a, b] = [Math.cos(angle), Math.sin(angle)];
  const place = side < 0 ? [a, b] : [1 - a, 0.5 - b];
  return place.map((value, k) => value + noise[2 * i + k]);
});

const tape = gf.tape();
const parameters = [];
function layer(input, from, to, name) {
  const w = tape.parameter(`${name}.weight`, [from, to]);
  const b = tape.parameter(`${name}.bias`, [to]);
  parameters.push(w, b);
  return tape.linear(input, w, b, name);
}
const one = tape.relu(layer(tape.input('x', [POINTS, 2]), 2, 16, 'one'), 'one.relu');
const two = tape.relu(layer(one, 16, 16, 'two'), 'two.relu');
const score = layer(two, 16, 1, 'score');

/* The largest margin: the mean of max(0, 1 - label score), and a little of the sum of all squares. */
const product = tape.mul(score, tape.input('label', [POINTS, 1]), 'product');
const misses = tape.relu(
  tape.sub(tape.input('one.vector', [POINTS, 1]), product, 'rest'),
  'misses',
);
const squares = parameters.map((node) =>
  tape.sum(tape.pow(node, 2, `${node.name}.square`), {}, `${node.name}.sum`),
);
const decay = tape.scale(tape.sum(tape.stack(squares, 0, 'squares'), {}, 'size'), 1e-4, 'decay');
const loss = tape.add(tape.mean(misses, {}, 'data'), decay, 'loss');
tape.plan();
for (const [stream, node] of parameters.entries()) {
  const bound = 1 / Math.sqrt(node.shape.length > 1 ? node.shape[0] : node.size);
  node.set(gf.uniform([...node.shape], { seed: 2, stream, low: -bound, high: bound }));
}

const batch = { x, label, 'one.vector': label.map(() => [1]) };
const rate = (step) => 0.05 * (1 - (0.9 * step) / steps);
for await (const { step } of train(tape, Array(steps).fill(batch), { rate, loss })) {
  if (step % 10 === 0) console.log(`step ${step} loss ${loss.data[0].toFixed(4)}`);
}
tape.forward();
const right = label.filter(([side], i) => score.data[i] * side > 0).length;
console.log(`accuracy ${right} of ${POINTS}`);
