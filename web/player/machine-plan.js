// The machine in one picture, purely: where the rows of tokens stop on their way up, what attention crosses between them, and
// where all of it stands.
import { blocksOf, isAttention } from '../stage/draw/blocks.js';
import { meanOfHeads } from '../stage/draw/mean-heads.js';

/** @typedef {import('../app/session.js').Step} Step */
/** @typedef {import('../stage/draw/blocks.js').Block} Block */
/** @typedef {'encoder' | 'decoder'} Side */
/** Where rows stop: what they are by then, and what part of the machine has just added to them; null for what enters.
 * weights: of each row, where that part attends to; null where it works on each row alone.
 * @typedef {{ step: Step, work: Block | null, weights: number[][] | null }} Stop */
/** A place of a token's row: its token and its stop. @typedef {{ side: Side, lane: number, stop: number }} Place */

/** @type {readonly Side[]} */
export const SIDES = ['encoder', 'decoder'];

/** The stops of a stack, from below. @param {readonly Step[]} steps @param {Side} side @returns {Stop[]} */
export function stopsOf(steps, side) {
  const blocks = blocksOf([...steps]).filter(({ stack }) => stack === side);
  const enters = blocks.findLast(({ layer }) => layer === null);
  /** @type {Stop[]} */
  const stops = enters
    ? [{ step: /** @type {Step} */ (enters.steps.at(-1)), work: null, weights: null }]
    : [];
  /** @type {Block | null} */
  let work = null;
  for (const block of blocks) {
    if (block.layer === null) continue;
    if (block.kind !== 'norm') work = block;
    else if (work) {
      const attention = isAttention(work) && work.steps.find(({ role }) => role === 'weight');
      stops.push({
        step: /** @type {Step} */ (block.steps.at(-1)),
        work,
        weights: attention ? meanOfHeads(attention) : null,
      });
      work = null;
    }
  }
  return stops;
}

/** px of the design. labels: the names beside the stacks; narrow: where those have two lines each */
const PX = {
  words: 30,
  aslant: 56,
  labels: { encoder: 112, decoder: 140 },
  between: 48,
  tile: 40,
  lane: 76,
  gap: 40,
  row: 60,
  narrow: 560,
};
/** The same on a narrow screen. */
const NARROW = { labels: { encoder: 60, decoder: 68 }, between: 10, gap: 28 };
/** How wide a letter is, of the design's px, and what is between words. */
const LETTER = { wide: 9.5, narrow: 8.5, space: 6 };
/** Words that are wider than their lane stand aslant, unless they only have to be a little smaller on a slide. */
const LEAST_ON_SLIDE = 0.7;

/**
 * Where everything stands, in px.
 * @param {{ width: number, height: number, unit: number, type?: number }} room height: 0 if it is as high as it likes; type: how
 *   large names are, of their usual size
 * @param {Record<Side, { lanes: number, stops: number }>} sizes
 * @param {number} letters of the longest word
 */
export function layoutOf({ width, height, unit: usual, type = 1 }, sizes, letters) {
  const rows = Math.max(sizes.encoder.stops, sizes.decoder.stops);
  /* Where type is large, as on slides, the room may be too low for it. */
  const unit = height > 0 ? Math.min(usual, height / (rows * PX.row + 2 * PX.words)) : usual;
  const isNarrow = width < PX.narrow * unit;
  const { labels, between: wide, gap } = isNarrow ? NARROW : PX;
  const [before, behind] = SIDES.map((side) => labels[side] * unit * type);
  const between = wide * unit;
  const lanes = sizes.encoder.lanes + sizes.decoder.lanes;
  const lane = Math.min(PX.lane * unit, (width - before - behind - between) / lanes);
  const letter = isNarrow ? LETTER.narrow : LETTER.wide;
  const fitting = (lane / unit - LETTER.space) / (letters * letter);
  const isAslant = fitting < (type === 1 ? 1 : LEAST_ON_SLIDE);
  const word = isAslant ? type : Math.min(1, fitting);
  const words = (isAslant ? PX.aslant * type : PX.words) * unit;
  const space = height - 2 * words;
  const tile = Math.floor(
    Math.min(0.75 * lane, PX.tile * unit, height > 0 ? space / (1.9 * rows) : Infinity),
  );
  const rise = height > 0 ? (space - tile) / (rows - 1) : tile + gap * unit;
  const whole = (rows - 1) * rise + tile + 2 * words;
  const left = (width - lanes * lane - between + before - behind) / 2;
  const start = { encoder: left, decoder: left + sizes.encoder.lanes * lane + between };
  /** The middle of a place. @param {Place} place */
  const pointOf = ({ side, lane: k, stop }) => ({
    x: start[side] + (k + 0.5) * lane,
    y: whole - words - tile / 2 - stop * rise,
  });
  return { unit, height: whole, tile, lane, rise, word, words, isNarrow, isAslant, pointOf, start };
}

/** @typedef {ReturnType<typeof layoutOf>} Layout */

/** Ticks of the film: of each stop of the encoder, through which all tokens go at once, and of each stop of the decoder and
 * a word that is written, which go one after the other. */
const TICKS = { together: 3, word: 3 };

/** The film.
 * @param {Record<Side, { lanes: number, stops: number }>} sizes */
export function filmOf({ encoder, decoder }) {
  const read = encoder.stops * TICKS.together;
  const each = decoder.stops + TICKS.word;
  return {
    ticks: read + decoder.lanes * each,
    /** When a token's row is at a place. @param {Place} place */
    reaches: ({ side, lane, stop }) =>
      side === 'encoder' ? stop * TICKS.together : read + lane * each + stop,
    /** When a lane of the decoder writes its word. @param {number} lane */
    writes: (lane) => read + lane * each + decoder.stops,
    /** Which box of the map a tick is about.
     * @param {number} tick @returns {'x' | 'layers' | 'decoder' | 'next'} */
    beatOf: (tick) => {
      if (tick < read) return tick < TICKS.together ? 'x' : 'layers';
      return tick - read < decoder.lanes * each && (tick - read) % each < decoder.stops
        ? 'decoder'
        : 'next';
    },
  };
}
