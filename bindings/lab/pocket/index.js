// Pocket: a language of fourteen words, in which one attention of two channels says all. Its sentences, what a set of
// weights makes of them, and the same weights learned from random ones.

import {
  checkCore,
  checkInteger,
  checkOptions,
  checkUint32,
  checkWord,
} from '../../js/base/errors.js';
import { examples } from '../../js/trace/example.js';
import { traceExample } from '../../js/trace/trace-example.js';

/** @typedef {import('../../js/glassformer.js').Glassformer} Glassformer */
/** @typedef {import('../../js/trace/example.js').Example} Example */
/** @typedef {import('../../js/tape/tensor.js').Tensor} Tensor */
/** tokens: its words. ids: of the words, in the vocabulary of the example pocket. pair: the two names, sorted. next: the word
 * that follows.
 * @typedef {{ tokens: string[], ids: number[], pair: string, next: string }} Sentence */
/** The weights of the example pocket, by the names of its inputs.
 * @typedef {Record<'embedding.weight' | 'w_q' | 'w_k' | 'w_v' | 'w_u', number[][]>} PocketWeights */
/** loss: of the sentences plus that of the facts, before the step. inputs: the weights after it.
 * @typedef {{ step: number, loss: number, inputs: PocketWeights }} PocketStep */

const EXAMPLE = examples.pocket;
const WORDS = /** @type {string[]} */ (EXAMPLE.vocabulary);
/** What each person does, and the pronoun that means this person. */
const PEOPLE = [
  { name: 'Anna', pronoun: 'She', does: 'sings' },
  { name: 'Eva', pronoun: 'She', does: 'dances' },
  { name: 'Ben', pronoun: 'He', does: 'runs' },
  { name: 'Tom', pronoun: 'He', does: 'swims' },
];
const PRONOUNS = ['She', 'He'];
/** Channels of a word, and of queries, keys and values. */
const [CHANNELS, HEAD] = [4, 2];
/** How the weights are drawn and learned. */
const SPREAD = 0.5;
const RATE = 0.1;
const STEPS = 300;

/** @param {string} word */
const idOf = (word) => WORDS.indexOf(word);

/** Every sentence of Pocket that has an answer: two names of which one fits the pronoun, in both orders.
 * @returns {Sentence[]}
 * @example
 * import { sentences } from 'glassformer/pocket';
 *
 * sentences().length; // = 16
 * sentences()[0].tokens.join(' '); // = 'Anna and Ben are here . She'
 * sentences()[0].next; // = 'sings' */
export function sentences() {
  const pairs = PEOPLE.flatMap((one) =>
    PEOPLE.filter(({ pronoun }) => pronoun !== one.pronoun).map((other) => [one, other]),
  );
  return pairs.flatMap((both) =>
    PRONOUNS.map((said) => {
      const [first, second] = both.map(({ name }) => name);
      const tokens = [first, 'and', second, 'are', 'here', '.', said];
      const next = String(both.find(({ pronoun }) => pronoun === said)?.does);
      return { tokens, ids: tokens.map(idOf), pair: [first, second].sort().join(' '), next };
    }),
  );
}

/** The pairs of names that can be held out. */
const PAIRS = [...new Set(sentences().map(({ pair }) => pair))];

/** A sentence as an example, with the weights set by hand or with others.
 * @param {Sentence} sentence @param {Partial<PocketWeights>} inputs
 * @returns {Example} */
const exampleOf = ({ tokens, ids }, inputs) => ({
  ...EXAMPLE,
  tokens,
  inputs: { ...EXAMPLE.inputs, ...inputs, tokens: ids },
});

/** What a set of weights makes of every sentence: the word that it finds likeliest behind each.
 * @param {Glassformer} gf @param {Partial<PocketWeights>} [inputs] those set by hand where they are left out
 * @returns {{ right: number, total: number, answers: (Sentence & { answer: string, probability: number })[] }}
 *   probability: of the right word
 * @example
 * import { evaluate } from 'glassformer/pocket';
 *
 * const { right, total } = evaluate(gf);
 * [right, total]; // = [16, 16] */
export function evaluate(gf, inputs = {}) {
  checkCore('evaluate', gf);
  checkOptions('evaluate: inputs', inputs, Object.keys(EXAMPLE.inputs ?? {}));
  const answers = sentences().map((sentence) => {
    const trace = traceExample(gf, exampleOf(sentence, inputs));
    const last = Array.from(trace.step('probabilities').data).slice(-WORDS.length);
    trace.dispose();
    const answer = WORDS[last.indexOf(Math.max(...last))];
    return { ...sentence, answer, probability: last[idOf(sentence.next)] };
  });
  const right = answers.filter(({ answer, next }) => answer === next).length;
  return { right, total: answers.length, answers };
}

/** Its facts: of each name alone, the word that follows. @type {Pick<Sentence, 'ids' | 'next'>[]} */
const FACTS = PEOPLE.map(({ name, does }) => ({ ids: [idOf(name)], next: does }));

/** Builds both losses on one tape: of sentences, in which only the last word asks, and of facts.
 * @param {Glassformer} gf @param {import('../../js/tape/tape.js').Tape} tape @param {Sentence[]} batch @param {number} seed */
function build(gf, tape, batch, seed) {
  const shapes = {
    'embedding.weight': [WORDS.length, CHANNELS],
    w_q: [CHANNELS, HEAD],
    w_k: [CHANNELS, HEAD],
    w_v: [CHANNELS, HEAD],
    w_u: [HEAD, WORDS.length],
  };
  const weights = Object.entries(shapes).map(([name, shape]) => tape.parameter(name, shape));
  const [table, wQ, wK, wV, wY] = weights;
  const parts = [batch, FACTS].map((texts, i) => {
    const words = tape.ids(`words.${i}`, [texts.length, texts[0].ids.length]);
    const last = tape.ids(`last.${i}`, [texts.length, 1]);
    const labels = tape.ids(`labels.${i}`, [texts.length, 1]);
    const [x, query] = [tape.embed(table, words, `x.${i}`), tape.embed(table, last, `asks.${i}`)];
    const output = tape.attention({ query, key: x, value: x, wQ, wK, wV }, `${i}`);
    const logits = tape.linear(output, wY, null, `logits.${i}`);
    return { texts, words, last, labels, loss: tape.crossEntropy(logits, labels, {}, `loss.${i}`) };
  });
  const loss = tape.add(parts[0].loss, parts[1].loss, 'loss');
  tape.plan();
  for (const { texts, words, last, labels } of parts) {
    words.set(texts.map(({ ids }) => ids));
    last.set(texts.map(({ ids }) => ids.slice(-1)));
    labels.set(texts.map(({ next }) => [idOf(next)]));
  }
  for (const [stream, tensor] of weights.entries()) {
    tensor.set(gf.uniform([...tensor.shape], { seed, stream, low: -SPREAD, high: SPREAD }));
  }
  return { weights, loss };
}

/** @param {Tensor[]} weights */
const inputsOf = (weights) =>
  /** @type {PocketWeights} */ (
    Object.fromEntries(weights.map((tensor) => [tensor.name, tensor.toArray()]))
  );

/** Learns Pocket from random weights, by Adam: all its sentences and, of each name alone, the word that follows. To see the
 * weights of a step, pass { ...examples.pocket, inputs: { ...examples.pocket.inputs, ...inputs } } to traceExample().
 * @param {Glassformer} gf
 * @param {{ seed?: number, steps?: number, heldOut?: string | null }} [options] heldOut: the names of a pair, sorted, of
 *   which no sentence is learned: 'Anna Ben'
 * @returns {Generator<PocketStep, void>}
 * @example
 * import { evaluate, learn } from 'glassformer/pocket';
 *
 * const [first, last] = [...learn(gf, { seed: 1, steps: 300 })].filter(({ step }) => step === 1 || step === 300);
 * first.loss > 5 && last.loss < 0.01; // = true
 * evaluate(gf, last.inputs).right; // = 16 */
export function* learn(gf, options = {}) {
  checkCore('learn', gf);
  checkOptions('learn', options, ['seed', 'steps', 'heldOut']);
  const { seed = 1, steps = STEPS, heldOut = null } = options;
  checkUint32('learn: seed', seed);
  checkInteger('learn: steps', steps, 1, 100_000);
  if (heldOut !== null) checkWord('learn: heldOut', heldOut, PAIRS);
  const batch = sentences().filter(({ pair }) => pair !== heldOut);
  const tape = gf.tape();
  try {
    const { weights, loss } = build(gf, tape, batch, seed);
    /** @returns {import('../../js/eager/forms.js').Plain[]} */
    const zeros = () => weights.map((tensor) => flat(tensor, new Float32Array(tensor.size)));
    const [m, v] = [zeros(), zeros()];
    for (let step = 1; step <= steps; step++) {
      tape.forward();
      const [sum] = loss.data;
      tape.backward(loss, [1]);
      for (const [i, tensor] of weights.entries()) {
        const state = { value: flat(tensor, tensor.data), grad: flat(tensor, tensor.grad) };
        const next = gf.adam({ ...state, m: m[i], v: v[i] }, { learningRate: RATE, step });
        tensor.set(next.value);
        m[i] = next.m;
        v[i] = next.v;
      }
      yield { step, loss: sum, inputs: inputsOf(weights) };
    }
  } finally {
    tape.dispose();
  }
}

/** @param {Tensor} tensor @param {ArrayLike<number> | null} data */
const flat = ({ shape }, data) => ({ shape: [...shape], data: Float32Array.from(data ?? []) });

/** The example pocket as a model: its weights, each in its place. What the first head finds is added to the last two
 * channels of the pronoun, which are 0. The second head and the feed-forward are silent, and there are no norms: a model
 * has them, Pocket needs none.
 * @param {Glassformer} gf
 * @returns {import('../../js/model/model.js').Model}
 * @example
 * import { modelOf, sentences } from 'glassformer/pocket';
 *
 * const model = modelOf(gf);
 * const run = model.forward({ target: [sentences()[0].ids] });
 * const last = run.logits.data.slice(-model.config.vocab);
 * last.indexOf(Math.max(...last)); // = 10
 * run.dispose();
 * model.dispose(); */
export function modelOf(gf) {
  checkCore('modelOf', gf);
  const {
    w_q,
    w_k,
    w_v,
    w_u,
    'embedding.weight': table,
  } = /** @type {PocketWeights} */ (EXAMPLE.inputs);
  const model = gf.model({
    ...{
      kind: 'gpt',
      vocab: WORDS.length,
      maxLength: 7,
      dModel: CHANNELS,
      heads: 2,
      dFF: 1,
      layers: 1,
    },
    ...{ positions: 'none', bias: false, tied: false, scaleEmbedding: false, dropout: 0 },
    remove: ['norm'],
  });
  const none = new Array(CHANNELS).fill(0);
  const layer = 'decoder.layers.0';
  const silent = (/** @type {number[][]} */ rows) => rows.map((row) => [...row, 0, 0]);
  const attention = `${layer}.self_attn`;
  /** @type {Record<string, number[][]>} */
  const rows = {
    'embedding.weight': table,
    [`${attention}.q_proj.weight`]: silent(w_q),
    [`${attention}.k_proj.weight`]: silent(w_k),
    [`${attention}.v_proj.weight`]: silent(w_v),
    [`${attention}.out_proj.weight`]: [[0, 0, 1, 0], [0, 0, 0, 1], none, none],
    [`${layer}.linear1.weight`]: [none],
    [`${layer}.linear2.weight`]: [none],
    'logits.weight': [...w_u.map((row) => row.map(() => 0)), ...w_u],
  };
  for (const [name, values] of Object.entries(rows))
    model.parameters.get(name)?.data.set(values.flat());
  return model;
}
