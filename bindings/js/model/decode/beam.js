// Beam search: the likeliest sequences, of which a few are followed at a time.

import { rowOf } from './decoder.js';
import { decoding } from './decoding.js';
import { checkScores } from './sample.js';

/** @typedef {import('../config/config.js').Config} Config */
/** @typedef {import('../weights.js').Weights} Weights */
/** @typedef {import('./generate.js').Generation} Generation */

/**
 * @typedef {object} Hypothesis
 * @property {number[]} tokens with the stop token, if it came to one
 * @property {number} logProb of all of them
 * @property {number} score logProb / ((5 + tokens) / 6)^lengthPenalty
 * @property {boolean} finished by a stop token
 */

/** @typedef {{ parent: number, token: number, logProb: number }} Candidate */

/** The best continuations, best first; of equals the one further left.
 * @param {{ logProb: number }[]} beams @param {Float32Array} logProbs [beams,V] @param {number} count
 * @returns {Candidate[]} */
function bestOf(beams, logProbs, count, vocab = logProbs.length / beams.length) {
  /** @type {Candidate[]} */
  const list = [];
  for (const [parent, beam] of beams.entries()) {
    for (let token = 0; token < vocab; token++) {
      const logProb = beam.logProb + logProbs[parent * vocab + token];
      if (list.length === count && !(logProb > list[count - 1].logProb)) continue;
      const index = list.findIndex((other) => logProb > other.logProb);
      list.splice(index < 0 ? list.length : index, 0, { parent, token, logProb });
      if (list.length > count) list.pop();
    }
  }
  return list;
}

/** The hypotheses that were found, as many as there are beams, best first. Pauses after each token.
 * @param {Weights} weights @param {Config} config @param {Generation} generation
 * @returns {Generator<null | void, Hypothesis[]>} */
export function* search(weights, config, generation) {
  const { source, prompt, most, beams: size, lengthPenalty, stops } = generation;
  if (!most) return [];
  /** Wu et al. 2016, equation 14. @param {number} length */
  const penalty = (length) => ((5 + length) / 6) ** lengthPenalty;
  /** @type {Hypothesis[]} */
  let hypotheses = [];
  /** @param {number[]} tokens @param {number} logProb @param {boolean} finished */
  const keep = (tokens, logProb, finished) => {
    hypotheses.push({ tokens, logProb, score: logProb / penalty(tokens.length), finished });
    hypotheses = hypotheses.sort((a, b) => b.score - a.score).slice(0, size);
  };
  const decoder = decoding(weights, config, generation, { size, source });
  try {
    yield* weights.read(decoder, prompt.slice(0, -1), size);
    let feed = Array(size).fill(prompt.at(-1));
    /** @type {{ tokens: number[], logProb: number }[]} */
    let live = [{ tokens: [], logProb: 0 }];
    for (let length = 1; ; length++) {
      const scores = decoder.feed(feed);
      for (const beam of live.keys()) {
        checkScores('generate', rowOf(scores, beam, size), prompt.length + length - 1);
      }
      const used = scores.logProbs.subarray(0, (scores.logProbs.length / size) * live.length);
      /* So many that `size` of them go on, even if each beam comes to every stop. */
      const candidates = bestOf(live, used, size * (1 + stops.size));
      for (const { parent, token, logProb } of candidates.slice(0, size)) {
        if (stops.has(token)) keep([...live[parent].tokens, token], logProb, true);
      }
      const going = candidates.filter(({ token }) => !stops.has(token)).slice(0, size);
      const next = going.map(({ parent, token, logProb }) => ({
        tokens: [...live[parent].tokens, token],
        logProb,
      }));
      if (!next.length) break;
      if (length === most) {
        for (const { tokens, logProb } of next) keep(tokens, logProb, false);
        break;
      }
      /* A longer sequence is no likelier, and the penalty forgives at most so much. */
      if (
        hypotheses.length === size &&
        next[0].logProb / penalty(most) <= hypotheses[size - 1].score
      )
        break;
      live = next;
      /* Rows without a beam follow the first. */
      const row = Array.from({ length: size }, (_, i) => going[i] ?? going[0]);
      decoder.reorder(row.map(({ parent }) => parent));
      feed = row.map(({ token }) => token);
      yield;
    }
    return hypotheses;
  } finally {
    decoder.dispose();
  }
}
