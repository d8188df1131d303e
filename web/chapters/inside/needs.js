// What the trained model needs the head for whose induction score rose most, and which head it could build on.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { display } from '../../stage/draw/format.js';
import { numbered } from './words.js';

/** @type {Readonly<Record<string, string>>} */
const NEED_TEXTS = {
  needed: 'chapters/inside/birth/needed',
  spare: 'chapters/inside/birth/spare',
  wrong: 'chapters/inside/birth/wrong',
};

/** Whether the trained model needs the head whose score rose most, and which head of the layer below it could build on: the
 * one that attends most to the letter before.
 * @param {import('../../workers/birth/protocol.js').Reading} trained
 * @param {import('../../workers/birth/core.js').Change} change
 * @param {string} answer the right letter */
export function needs({ steps, before, alone }, { layer, head }, answer) {
  const without = alone[layer][head];
  const values = { answer, before: display(before), without: display(without) };
  const isNeeded = without <= before / 2;
  const verdict = before < 1 / 2 ? 'wrong' : isNeeded ? 'needed' : 'spare';
  const partner = partnerOf({ steps, alone }, layer);
  return html`${text(NEED_TEXTS[verdict], values)}
    ${
      partner
        ? text('chapters/inside/birth/previous', {
            ...numbered({ layer: layer - 1, head: partner.head }),
            score: display(partner.score),
            value: display(partner.without),
          })
        : nothing
    }`;
}

/** The head of the layer below that attends most to the letter before, how much it does, and the probability of the right letter
 * without it; null where there is no layer below.
 * @param {Pick<import('../../workers/birth/protocol.js').Reading, 'steps' | 'alone'>} trained @param {number} layer */
export function partnerOf({ steps, alone }, layer) {
  const below = steps.find((step) => step.role === 'weight' && step.layer === layer - 1);
  if (!below) return null;
  const scores = previousOf(below);
  const score = Math.max(...scores);
  const head = scores.indexOf(score);
  return { head, score, without: alone[layer - 1][head] };
}

/** Of each head, its attention to the token before: the mean over the positions from 1 on, as headScores has it.
 * @param {import('../../app/session.js').Step} weights */
function previousOf({ data, shape }) {
  const [heads, queries, keys] = shape.slice(-3);
  const mean = (/** @type {number} */ head) => {
    let sum = 0;
    for (let i = 1; i < queries; i++) sum += data[(head * queries + i) * keys + i - 1];
    return sum / (queries - 1);
  };
  return Array.from({ length: heads }, (_, head) => mean(head));
}
