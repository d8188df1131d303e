// Traces to export: all examples, sentences, and random edits and removals of them.
import { examples, load, sentence, traceExample, traceModel } from '../../bindings/index.js';

export const gf = await load();

/** A repeatable choice of numbers below n. */
export function dice(seed) {
  let at = 0;
  return (n) => Math.floor(gf.uniform([1], { seed, stream: at++ }).data[0] * n) % n;
}

export function indexOf(shape, at) {
  const index = [];
  let rest = at;
  for (const d of [...shape].reverse()) {
    index.unshift(rest % d);
    rest = (rest - (rest % d)) / d;
  }
  return index;
}

/** Edits of a few cells that are no ids; a score may become minus infinity. */
function randomEdits(trace, roll) {
  const steps = trace.steps.filter(({ kind }) => kind !== 'ids');
  return Array.from({ length: roll(3) }, () => {
    const { name, shape, data } = steps[roll(steps.length)];
    const hidden = name.startsWith('scores') && roll(3) === 0;
    const value = hidden ? Number.NEGATIVE_INFINITY : (roll(2000) - 1000) / 250;
    return { node: name, index: indexOf(shape, roll(data.length)), value };
  });
}

/** Every example as it is, and with so many random changes.
 * @returns {{ where: string, trace: any }[]} */
export function states(count) {
  const words = [
    sentence('the robot sees the ball', { heads: 2, causal: true }),
    sentence('a “b” c', { dModel: 6, dK: 4, positions: false }),
    ...['learned', 'rotary', 'alibi'].map((positions) =>
      sentence('the robot sees the ball', { heads: 2, positions }),
    ),
  ];
  return [...Object.values(examples), ...words].flatMap((example) => {
    const intact = traceExample(gf, example);
    const roll = dice(example.name.length);
    const changed = Array.from({ length: count }, () => {
      const remove = intact.removable
        .filter(({ possible }) => possible && roll(3) === 0)
        .map(({ name }) => name);
      const edits = randomEdits(traceExample(gf, example, { remove }), roll);
      const what = [...remove, ...edits.map(({ node, value }) => `${node}=${value}`)].join(' ');
      return {
        where: `${example.name} ${what}`,
        trace: traceExample(gf, example, { remove, edits }),
      };
    });
    return [{ where: example.name, trace: intact }, ...changed];
  });
}

const sizes = { vocab: 11, maxLength: 8, dModel: 8, heads: 2, dFF: 12, layers: 1, seed: 3 };

/** Traces of models: one per family, and every choice that has an op of its own. */
export function modelTraces() {
  const kinds = [
    { kind: 'transformer' },
    { kind: 'transformer', positions: 'learned', preNorm: true, decoderLayers: 2 },
    { kind: 'transformer', positions: 'sinusoidal-halves', embeddingNorm: true },
    { kind: 'transformer', positions: 'none' },
    { kind: 'bert', pooler: true },
    {
      kind: 'gpt',
      positions: 'rotary',
      norm: 'rms',
      activation: 'swiglu',
      kvHeads: 1,
      tied: false,
    },
    { kind: 'gpt', positions: 'rotary', activation: 'silu', interleaved: true },
    { kind: 'gpt', positions: 'alibi', activation: 'gelu', heads: 4, kvHeads: 2 },
    { kind: 'gpt', activation: 'gelu-tanh' },
  ];
  return kinds.map((options) => {
    const made = gf.model({ ...sizes, dropout: 0, ...options });
    let stream = 1;
    for (const { name, data, size } of made.parameters.values()) {
      const noise = gf.uniform([size], { seed: 5, stream: stream++, low: -0.5, high: 0.5 }).data;
      data.set(name.includes('norm') ? noise.map((x) => 1 + x / 4) : noise);
    }
    const batch = { target: [[1, 4, 5, 2]], labels: [[4, 5, -100, 3]] };
    const source = options.kind === 'transformer' ? { source: [[3, 4, 5]] } : {};
    const trace = traceModel(made, { ...batch, ...source });
    trace.gradient('loss', [0]);
    const example = { title: 'A model', source: '', about: '', tokens: [] };
    return { where: JSON.stringify(options), trace: { ...trace, example, steps: trace.steps } };
  });
}
