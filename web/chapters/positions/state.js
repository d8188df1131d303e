// Positions: a table of sinusoids, and a sentence that knows its order in one of five ways.
import { choice, list, whole } from '../../app/state/parts.js';
import { OPENING, OPENING_SENTENCE, WALK_PARTS } from '../../app/state/walk.js';

/** Panels about the table, and those about the sentence. */
export const OF_CODES = ['waves', 'distance', 'shift', 'stage'];
export const OF_SENTENCE = ['shuffle', 'sentence'];
export const SCHEMES = ['none', 'sinusoidal', 'learned', 'rotary', 'alibi'];
/** Words of the longest sentence. */
const MOST_WORDS = 24;
/** @type {Record<'channels' | 'count' | 'at' | 'shift', [number, number]>} */
export const LIMITS = { channels: [2, 64], count: [2, 100], at: [0, 99], shift: [1, 64] };

const EVEN = Array.from({ length: LIMITS.channels[1] / 2 }, (_, k) => 2 * (k + 1));

/** The table opens with the guide's own example: position 3 in 6 channels. */
export const opening = {
  ...OPENING,
  sentence: { ...OPENING_SENTENCE, heads: 2 },
  t: 1e6,
  panel: 'waves',
  channels: 6,
  count: 50,
  at: 3,
  shift: 4,
  scheme: 'sinusoidal',
  /** The order of the shuffled words; the first one goes to the end if there is none. @type {number[] | null} */
  order: null,
};

const { example, ...walk } = WALK_PARTS;

export const parts = {
  ...walk,
  panel: choice([...OF_CODES, ...OF_SENTENCE]),
  channels: choice(EVEN),
  count: whole(...LIMITS.count),
  at: whole(...LIMITS.at),
  shift: whole(...LIMITS.shift),
  scheme: choice(SCHEMES),
  order: list(whole(0, MOST_WORDS - 1), '.', { most: MOST_WORDS }),
};
