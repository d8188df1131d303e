// Generation: greedy, sampled, or by beam search.

import {
  checkInteger,
  checkListener,
  checkNumber,
  checkReal,
  rangeError,
  readOptions,
  typeError,
} from '../../base/errors.js';
import { atOnce, checkSignal, inTurnsUntil, turns } from '../../base/turn.js';
import { isList, UINT32 } from '../../base/values.js';
import { architectureOf, reads } from '../config/architecture.js';
import { checkRemovals } from '../config/remove.js';
import { checkId, readSequences } from '../inputs/sequences.js';
import { search } from './beam.js';
import { decoding } from './decoding.js';
import { checkScores, choose, choosing } from './sample.js';

/** @typedef {import('./beam.js').Hypothesis} Hypothesis */
/** @typedef {import('../config/config.js').Config} Config */
/** @typedef {import('../config/config.js').Removal} Removal */
/** @typedef {import('../weights.js').Weights} Weights */
/** @typedef {import('./hooks.js').HooksOn} HooksOn */

/**
 * @typedef {object} GenerateOptions
 * @property {number} [maxNewTokens] at most so many; by default, and at most, as many as maxLength leaves room for
 * @property {number} [temperature] 0 takes the best token; 1 by default if topK or topP is given
 * @property {number} [topK] draw from the best so many; 0, the default, from all
 * @property {number} [topP] then from the fewest that have this much of the probability; 1, the default, from all
 * @property {number} [seed] of the draws, 0 to 2^32 - 1: a random one by default, which the stream or the result tells
 * @property {number | readonly number[]} [start] transformer: what the target begins with, 1 by default
 * @property {readonly number[]} [stopTokens] end the text, and are not part of it; by default those of the tokenizer, if one
 *   is used, and [2] of a transformer
 * @property {readonly Removal[]} [remove] steps to leave out, besides those that the model does without
 * @property {import('./hooks.js').Hooks} [hooks] experimental: your own functions by the names of steps, which read their
 *   values or change them in place: `{ 'decoder.layers.3.residual2': (values, step) => … }`. Not with beams, and not at once
 * @property {AbortSignal} [signal] ends the loop
 * @property {number} [beams] above 1: beam search, 1 to 1024; 1 by default, and 4 of model.search
 * @property {number} [lengthPenalty] of the beam search, the alpha of Wu et al. 2016: 0.6 by default
 * @property {(step: GeneratedStep) => void} [onStep] receives each token with its logits, before the loop does
 */

/**
 * @typedef {object} GeneratedStep
 * @property {number} token
 * @property {number} logProb the model's, whatever the temperature
 * @property {Float32Array} logits of all tokens, a copy
 */

const MAX_BEAMS = 1024;
/** Far enough from the ends of float32 that no logit overflows. */
const MIN_TEMPERATURE = 1e-6;
const MAX_TEMPERATURE = 1e6;

/** 0 takes the best token.
 * @param {string} where @param {unknown} temperature */
function checkTemperature(where, temperature) {
  const [low, high] = [MIN_TEMPERATURE, MAX_TEMPERATURE];
  const number = checkNumber(where, temperature);
  if (number === 0 || (number >= low && number <= high)) return;
  throw rangeError('zeroOrFrom', { where, low, high, given: temperature });
}

/** @type {Record<string, import('../../base/errors.js').Rule>} */
const OPTIONS = {
  maxNewTokens: [checkInteger, 0, UINT32],
  temperature: [checkTemperature],
  topK: [checkInteger, 0, UINT32],
  topP: [checkReal, 0, 1],
  seed: [checkInteger, 0, UINT32],
  beams: [checkInteger, 1, MAX_BEAMS],
  lengthPenalty: [checkReal, 0, 100],
  start: null,
  stopTokens: null,
  remove: [checkRemovals],
  signal: [checkSignal],
  onStep: [checkListener],
  hooks: null,
};

/** Of what is written at once, or by a search. */
export const WITHOUT_HOOKS = Object.fromEntries(
  Object.entries(OPTIONS).filter(([key]) => key !== 'hooks'),
);

/** One token, or several. @param {unknown} start */
const listOf = (start) => (isList(start) ? start : [start]);

/** @param {string} where @param {unknown} ids @param {number} vocab */
function checkIds(where, ids, vocab) {
  if (!isList(ids)) throw typeError('ids', { where, given: ids });
  for (let i = 0; i < ids.length; i++) checkInteger(`${where}[${i}]`, ids[i], 0, vocab - 1);
}

/** @param {string} where @param {Config} config @param {unknown} input @param {GenerateOptions} options
 * @param {{ most?: number, rules?: typeof OPTIONS }} [how] most: beams where they are not given; rules: of the options */
export function checkGeneration(where, config, input, options, { most = 1, rules = OPTIONS } = {}) {
  const { kind, vocab, sourceVocab, maxLength } = config;
  const { stacks, logits } = architectureOf(config);
  const two = reads(config, 'source');
  if (!logits || !stacks.at(-1)?.causal) {
    throw typeError('doesNotWrite', { where });
  }
  const read = readOptions(where, options, rules);
  const {
    topK = 0,
    topP = 1,
    temperature = topK || topP < 1 ? 1 : 0,
    seed = Math.floor(Math.random() * (UINT32 + 1)),
    beams = most,
    lengthPenalty = 0.6,
    start = 1,
    maxNewTokens = maxLength,
    stopTokens = two ? [2] : [],
    remove = [],
    signal,
    onStep,
    hooks,
  } = read;
  if (beams > 1 && [temperature, onStep, hooks].some(Boolean)) {
    throw typeError('beamsAlone', { where });
  }
  checkIds(`${where}: stopTokens`, stopTokens, vocab);
  /** @param {string} what @param {unknown} ids @param {number} size */
  const sequence = (what, ids, size) => {
    const form = { maxLength, check: checkId(size) };
    const { rows } = readSequences(`${where}: ${what}`, ids, form);
    if (rows.length === 1) return rows[0];
    throw rangeError('oneSequence', { where: `${where}: ${what}`, n: rows.length });
  };
  if (!two && read.start !== undefined) {
    throw typeError('startOfPrompt', { where: `${where}: start`, kind });
  }
  const source = two ? sequence('source', input, sourceVocab || vocab) : null;
  const prompt = two ? sequence('start', listOf(start), vocab) : sequence('prompt', input, vocab);
  return {
    source,
    prompt,
    /* The last token is not fed again. */
    most: Math.min(maxNewTokens, maxLength - prompt.length + 1),
    chance: temperature > 0 ? { temperature, topK, topP, seed } : null,
    beams,
    lengthPenalty,
    stops: new Set(Array.from(stopTokens)),
    remove: [...remove],
    signal,
    onStep,
    hooks,
  };
}

/** @typedef {ReturnType<typeof checkGeneration>} Generation */

/** Token by token, and null where it may pause besides.
 * @param {Weights} weights @param {Config} config @param {Generation} generation */
const tokensOf = (
  weights,
  config,
  generation,
  /** @type {HooksOn | undefined} */ hooked = undefined,
) =>
  choosing(weights.engine, config.vocab, function* (room) {
    const { source, prompt, most, chance, stops, onStep } = generation;
    if (!most) return;
    const decoder = decoding(weights, config, generation, {
      source,
      temperature: chance?.temperature,
      hooked,
    });
    try {
      yield* weights.read(decoder, prompt.slice(0, -1));
      let token = /** @type {number} */ (prompt.at(-1));
      for (let place = 0; place < most; place++) {
        const scores = yield* decoder.feeding([token]);
        checkScores('generate', scores, prompt.length + place);
        token = choose(weights.engine, room, scores, chance, place);
        onStep?.({ token, logProb: scores.logProbs[token], logits: scores.logits.slice() });
        if (stops.has(token)) return;
        yield token;
      }
    } finally {
      decoder.dispose();
    }
  });

/** The tokens of the best hypothesis.
 * @param {Hypothesis[]} found @param {Generation} generation */
const bestOf = ([hypothesis], { stops }) =>
  (hypothesis?.tokens ?? []).filter((token) => !stops.has(token));

/** Token by token; those of a beam search come when it has come to its end.
 * @param {Weights} weights @param {Config} config @param {Generation} generation
 * @returns {AsyncGenerator<number, void, undefined>} */
export async function* generate(weights, config, generation) {
  const { signal, beams } = generation;
  if (signal?.aborted) return;
  if (beams > 1) {
    const hypotheses = await inTurnsUntil(search(weights, config, generation), signal);
    for (const token of bestOf(hypotheses ?? [], generation)) {
      if (signal?.aborted) return;
      yield token;
    }
    return;
  }
  const { hooks } = generation;
  const turn = turns();
  /* Few have hooks: what calls them comes with the first. */
  let hooked;
  if (hooks) {
    const { checkHooks, hooksOn } = await import('./hooks.js');
    checkHooks('generate: hooks', hooks);
    hooked = hooksOn('generate', weights, config, generation);
  }
  for (const token of tokensOf(weights, config, generation, hooked)) {
    if (token !== null) yield token;
    await turn();
    if (signal?.aborted) return;
  }
}

/** The same, without a turn for anything else.
 * @param {Weights} weights @param {Config} config @param {Generation} generation
 * @returns {number[]} */
export function generateSync(weights, config, generation) {
  if (generation.beams > 1) return bestOf(atOnce(search(weights, config, generation)), generation);
  return [...tokensOf(weights, config, generation)].filter((token) => token !== null);
}
