// Which token comes next, when more is asked for than the model's scores say: penalties, tokens that are banned, a
// function of your own, and draws from the likely tokens alone.

import { choices, scoresOf } from '../../js/model/decode/decoder.js';
import { checkReturned } from '../../js/model/decode/hooks.js';
import { checkScores, choose, ranked } from '../../js/model/decode/sample.js';
import { Tape } from '../../js/tape/tape.js';
import { valuesOf } from '../../js/tape/tensor.js';
import { rangeError } from './texts.js';

/** @typedef {import('../../js/model/decode/decoder.js').Scores} Scores */
/** @typedef {import('../../js/runtime/engine.js').Engine} Engine */

/** Changes the logits of all tokens in place.
 * @callback Process
 * @param {Float32Array} logits of each token of the vocabulary
 * @param {readonly number[]} tokens written so far, without the prompt
 * @returns {void} */

/** How a token is chosen.
 * @typedef {object} Choosing
 * @property {import('../../js/model/decode/sample.js').Chance | null} chance null takes the best
 * @property {number} minP
 * @property {number} repetitionPenalty
 * @property {number} frequencyPenalty
 * @property {number} presencePenalty
 * @property {readonly number[]} banned
 * @property {Process} [process] */

/** Divides the logits of tokens that are there, so that they are less likely: Keskar et al. 2019, section 4.1.
 * @param {Float32Array} logits @param {Iterable<number>} tokens @param {number} penalty */
function penalize(logits, tokens, penalty) {
  for (const id of new Set(tokens)) {
    logits[id] = logits[id] < 0 ? logits[id] * penalty : logits[id] / penalty;
  }
}

/** Lowers the logits of written tokens: by one number for each time, by another for once or more.
 * @param {Float32Array} logits @param {readonly number[]} tokens @param {number} frequency @param {number} presence */
function penalizeCounts(logits, tokens, frequency, presence) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const id of tokens) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [id, count] of counts) logits[id] -= count * frequency + presence;
}

/** @param {Float32Array} logits @param {unknown} returned by the user's function */
function checkWritten(logits, returned) {
  checkReturned('process', logits, returned);
  for (let id = 0; id < logits.length; id++) {
    if (logits[id] < Number.POSITIVE_INFINITY) continue;
    throw rangeError('notANumber', { where: 'process', value: logits[id], id });
  }
}

export class Chooser {
  #engine;
  #choosing;
  #room;
  #plain;
  /** @type {Tape | undefined} computes the probabilities of changed logits */
  #tape;

  /** @param {Engine} engine @param {number} room @param {Choosing} choosing */
  constructor(engine, room, choosing) {
    this.#engine = engine;
    this.#room = room;
    this.#choosing = choosing;
    const { minP, repetitionPenalty, frequencyPenalty, presencePenalty, banned, process } =
      choosing;
    const isChanged = repetitionPenalty !== 1 || frequencyPenalty !== 0 || presencePenalty !== 0;
    this.#plain = !isChanged && !banned.length && !process && !minP;
  }

  /** @param {Scores} scores of one sequence
   * @param {readonly number[]} prompt @param {readonly number[]} tokens that follow it already
   * @param {(logits: Float32Array) => void} [mask] leaves the tokens that may follow
   * @returns {number} */
  choose(scores, prompt, tokens, mask) {
    const { chance } = this.#choosing;
    const isPlain = this.#plain && !mask;
    const changed = isPlain ? scores : this.#changed(scores, prompt, tokens, mask);
    return choose(this.#engine, this.#room, changed, chance, tokens.length);
  }

  /** The likeliest tokens, best first.
   * @param {Scores} scores @param {number} count */
  likeliest({ logProbs }, count) {
    if (!count) return [];
    const ids = ranked(this.#engine, this.#room, logProbs, count);
    return ids.map((token) => ({ token, logProb: logProbs[token] }));
  }

  /** @param {Scores} scores @param {readonly number[]} prompt @param {readonly number[]} tokens
   * @param {(logits: Float32Array) => void} [mask]
   * @returns {Scores} */
  #changed(scores, prompt, tokens, mask) {
    const { chance, minP, repetitionPenalty, frequencyPenalty, presencePenalty, banned, process } =
      this.#choosing;
    const logits = scores.logits.slice();
    if (repetitionPenalty !== 1) penalize(logits, [...prompt, ...tokens], repetitionPenalty);
    penalizeCounts(logits, tokens, frequencyPenalty, presencePenalty);
    for (const id of banned) logits[id] = Number.NEGATIVE_INFINITY;
    if (process) {
      checkWritten(logits, process(logits, tokens));
    }
    mask?.(logits);
    if (logits.every((logit) => logit === Number.NEGATIVE_INFINITY)) {
      throw rangeError('nothingLeft', { where: 'generate' });
    }
    if (!chance) return { ...scores, logits };
    const made = this.#probabilities(logits, chance.temperature);
    checkScores('generate', { ...made, logits }, prompt.length + tokens.length);
    if (!minP) return { ...made, logits };
    const least = minP * made.probabilities.reduce((most, p) => Math.max(most, p));
    for (const [id, p] of made.probabilities.entries()) {
      if (p < least) made.probabilities[id] = 0;
    }
    return {
      ...made,
      logits: logits.map((logit, id) =>
        made.probabilities[id] ? logit : Number.NEGATIVE_INFINITY,
      ),
    };
  }

  /** By the core, whose numbers are the same everywhere.
   * @param {Float32Array} logits @param {number} temperature
   * @returns {Scores} */
  #probabilities(logits, temperature) {
    if (!this.#tape) {
      this.#tape = new Tape(this.#engine);
      this.#tape.input('logits', [1, logits.length]);
      choices(this.#tape, temperature);
      this.#tape.plan();
    }
    const tape = this.#tape;
    valuesOf(tape.find('logits')).set(logits);
    tape.forward();
    return scoresOf((name) => valuesOf(tape.find(name)));
  }

  dispose() {
    this.#tape?.dispose();
  }
}
