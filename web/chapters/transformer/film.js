// The film of a sentence: which blocks it shows, in which order, and how fast.
import { isAttention } from '../../stage/draw/blocks.js';
import { FILMS } from './state.js';

/** @typedef {import('../../stage/draw/blocks.js').Block} Block */
/** @typedef {import('../../app/session.js').Step} Step */
/** @typedef {{ film: string, blocks: Block[], written: import('./translator.js').Written | null }} Film */

/** Whether a film is cut: each block then has a part of its time. @param {string} film */
export const isCut = (film) => FILMS[film] !== null;

/**
 * What a film shows of a block: who attends to whom, and what comes out; where there is little time, one of them.
 * @param {Step[]} steps
 * @param {string} film
 */
export function pictureOf(steps, film) {
  const end = steps[steps.length - 1];
  const weights = steps.find(({ role }) => role === 'weight');
  if (!weights) return [end];
  return film === 'short' ? [weights] : [weights, end];
}

/** The blocks that are shown while a token is written: for the first one all of them, then those of the decoder. Where
 * there is little time, what it attends to in the source and what it writes.
 * @param {Film} film @param {number} step */
function blocksAt({ film, blocks }, step) {
  if (step === 0) return blocks;
  const writing = blocks.filter(({ stack }) => stack !== 'encoder');
  if (film !== 'short') return writing;
  const attention =
    writing.findLast(({ kind }) => kind === 'cross_attn') ?? writing.findLast(isAttention);
  return writing.filter((block) => block === attention || block === writing.at(-1));
}

/** The next block; after the last one, that with which the next token begins. @param {Film} film @param {string} block */
export function nextIn(film, block) {
  const { blocks, written } = film;
  const step = written?.step ?? 0;
  const place = blocks.findIndex(({ name }) => name === block);
  const after = blocksAt(film, step).find((other) => blocks.indexOf(other) > place);
  if (after) return { block: after.name, t: 0, path: [] };
  if (!written || step >= written.tokens.length) return null;
  return { step: step + 1, block: blocksAt(film, step + 1)[0].name, t: 0, path: [] };
}

/** How many blocks all tokens have together. @param {Film} film */
export const lengthOf = (film) =>
  blocksAt(film, 0).length + (film.written?.tokens.length ?? 0) * blocksAt(film, 1).length;
