// A small drawing for each lesson: what its picture is, in a few strokes.
import { nothing, svg } from 'lit';

/** Strokes in a box of 48 by 28: thin ones, strong ones, and those of attention. @type {Readonly<Record<string, { thin?: string, strong?: string, attends?: string }>>} */
const STROKES = {
  'why-attention': { thin: 'M4 26h8M20 26h8M36 26h8', attends: 'M40 21C40 3 8 3 8 21' },
  'one-score': { thin: 'M6 26h36M6 26V2', strong: 'M6 26L24 5M6 26L38 13' },
  'scores-to-weights': { thin: 'M2 26h44', attends: 'M8 26V6M18 26V18M28 26v-4M38 26v-2' },
  'the-output': {
    thin: 'M8 4h4v4h-4zM36 20h4v4h-4z',
    strong: 'M24 26L20 11',
    attends: 'M14 8L34 20',
  },
  'many-heads': { attends: 'M40 9C40 1 8 1 8 9M40 18C40 10 20 10 20 18M40 27C40 19 32 19 32 27' },
  'where-am-i': { thin: 'M24 3a11 11 0 1 0 .01 0z', strong: 'M24 14L31 7' },
  'whole-machine': {
    thin: 'M6 26V4h12v22M30 26V2h12v24M6 15h12M30 10h12M30 18h12',
    attends: 'M18 8L30 14',
  },
  'how-it-learns': { thin: 'M4 2v24h40', strong: 'M5 4C12 20 22 24 44 24', attends: 'M15 16h.01' },
  'find-the-head': {
    thin: 'M38 26V2M43 26V2',
    strong: 'M8 26C8 10 16 9 38 9M18 26C18 18 24 17 38 17',
  },
  'a-head-is-born': { thin: 'M4 24h40M4 21h40', attends: 'M4 23C26 23 20 4 44 4' },
};

/** @param {string} name of a lesson */
export function glyphOf(name) {
  const strokes = STROKES[name];
  if (!strokes) return nothing;
  const { thin = '', strong = '', attends = '' } = strokes;
  return svg`<svg class="glyph" viewBox="0 0 48 28" aria-hidden="true">
    <path class="thin" d=${thin} /><path class="strong" d=${strong} /><path class="attends" d=${attends} />
  </svg>`;
}
