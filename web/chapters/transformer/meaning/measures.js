// The measurements behind the panel: each on a model and a task, and of the same numbers in Node.
import {
  contexts,
  kindExamples,
  labelShares,
  neighbours,
  senseExamples,
  symmetry,
} from '../../../workers/inside/meaning.js';

/** @typedef {{ model: any, task: any, signal?: AbortSignal }} Subject */
/** @typedef {{ source: string, position: number, label: string }} Example */

/** The decoder reads no more than this: what is measured lies in the encoder. */
const START = 1;
const STACK = 'encoder';
/** States of the stream behind whose sublayers the other words count. */
const STATES = ['layers.0.norm1', 'layers.0.norm2', 'layers.1.norm1', 'layers.1.norm2'];
const VALUES = ['layers.0.self_attn.v.heads', 'layers.1.self_attn.v.heads'];
/** Sentences on which attention is measured. */
const SENTENCES = 60;

/** @param {any} task @param {string} source */
const inputsOf = (task, source) => ({
  source: task.vocabulary.encode(task.tokenize('source', source)),
  target: [START],
});

/** @param {any} task @param {readonly Example[]} examples */
const readBy = (task, examples) =>
  examples.map(({ source, position, label }) => ({
    inputs: inputsOf(task, source),
    ...{ position, label },
  }));

/**
 * The two rows of a word in two sentences, state by state.
 * @param {Subject} subject @param {string} word @param {readonly [string, string]} sentences
 */
export function twoRows({ model, task, signal }, word, sentences) {
  const positions = sentences.map((one) => task.tokenize('source', one).indexOf(word));
  const [first, second] = sentences.map((one) => inputsOf(task, one));
  return contexts(model, first, second, {
    positions: /** @type {[number, number]} */ (positions),
    ...{ stack: STACK, signal },
  });
}

/**
 * How much of the differences between the rows of a word what it means there explains, in each state.
 * @param {Subject} subject @param {string} word @param {number} seed of the sentences
 */
export async function senseShares({ model, task, signal }, word, seed) {
  const nodes = STATES.map((name) => `${STACK}.${name}`);
  const examples = readBy(task, senseExamples(word, { seed }));
  const measured = await labelShares(model, examples, { nodes, byPosition: true, signal });
  const [label] = measured.labels;
  return { count: examples.length, shares: measured.shares.filter((one) => one.label === label) };
}

/** How much of the differences between the values of words their kind explains, head by head.
 * @param {Subject} subject @param {number} seed of the sentences */
export async function valueShares({ model, task, signal }, seed) {
  const nodes = VALUES.map((name) => `${STACK}.${name}`);
  const examples = kindExamples({ seed });
  const measured = await labelShares(model, readBy(task, examples), { nodes, signal });
  const of = (/** @type {string} */ kind) => measured.shares.filter(({ label }) => label === kind);
  return {
    words: examples.map(({ word, label }) => ({ word, kind: label })),
    verbs: of('verb'),
    adjectives: of('adjective'),
    vectors: measured.vectors.map(({ rows }) => rows),
  };
}

/** The tokens nearest to a word, of both languages. @param {Subject} subject @param {string} word @param {number} top */
export async function nearest({ model, task, signal }, word, top) {
  const { vocabulary } = task;
  const [token] = vocabulary.encode([word]);
  const measured = await neighbours(model, { token, top, signal });
  return measured.neighbours.map((one) => ({
    word: vocabulary.decode([one.token])[0],
    cosine: one.cosine,
  }));
}

/** Of how many words of the dictionary the nearest French word is of the same kind, their own forms aside.
 * @param {Subject} subject */
export async function sameKind({ model, task, signal }) {
  const entries = task.dictionary.filter(
    (/** @type {any} */ { source }) =>
      !source.some((/** @type {string} */ form) => form.includes(' ')),
  );
  /** @type {Map<string, Set<string>>} */
  const kinds = new Map();
  for (const { kind, source } of entries)
    for (const form of source) kinds.set(form, (kinds.get(form) ?? new Set()).add(kind));
  let same = 0;
  const encode = (/** @type {Iterable<string>} */ words) => task.vocabulary.encode([...words]);
  for (const { kind, source } of entries) {
    const [token] = encode([source[0]]);
    const among = encode([...kinds.keys()].filter((form) => !source.includes(form)));
    const measured = await neighbours(model, { token, among, top: 1, signal });
    const [word] = task.vocabulary.decode([measured.neighbours[0].token]);
    if (kinds.get(word)?.has(kind)) same += 1;
  }
  return { part: same / entries.length, count: entries.length };
}

/** How far attention is from saying everything twice: of each head of the encoder, means over some sentences.
 * @param {Subject} subject @param {number} seed of the sentences */
export async function headSymmetry({ model, task, signal }, seed) {
  /** @type {{ layer: number, head: number, difference: number, share: number }[]} */
  let sums = [];
  for (let index = 0; index < SENTENCES; index++) {
    const inputs = inputsOf(task, task.sample(index, seed).source);
    const measured = await symmetry(model, inputs, { signal });
    const heads = measured.heads.filter(({ stack }) => stack === STACK);
    sums = heads.map(({ layer, head, difference, share }, i) => ({
      ...{ layer, head },
      difference: (sums[i]?.difference ?? 0) + Number(difference) / SENTENCES,
      share: (sums[i]?.share ?? 0) + Number(share) / SENTENCES,
    }));
  }
  return sums;
}
