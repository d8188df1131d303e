// What went wrong in the core: a gf_problem, as a message.

import {
  IDS,
  MAX_INPUTS,
  MAX_RANK,
  PROBLEM_ABOUT,
  PROBLEM_NAME,
  PROBLEM_NUMBERS,
  PROBLEM_RANKS,
  PROBLEM_SHAPES,
  PROBLEM_TYPES,
  PROBLEM_WHERE,
} from '../../generated/layout.js';
import { TEXTS } from '../../generated/sentences.js';

/** @typedef {import('../runtime/engine.js').Engine} Engine */
/** @typedef {import('../base/message.js').Message} Message */

/** Where the fields lie, in words of 4 bytes. */
const AT = {
  numbers: PROBLEM_NUMBERS / 4,
  about: PROBLEM_ABOUT / 4,
  where: PROBLEM_WHERE / 4,
  ranks: PROBLEM_RANKS / 4,
  types: PROBLEM_TYPES / 4,
  shapes: PROBLEM_SHAPES / 4,
};

/** label_smoothing: labelSmoothing. @param {string} word */
export const camel = (word) => word.replace(/_./g, (letter) => letter[1].toUpperCase());

/** [2,8] x ids [6,4]. @param {Int32Array} words */
function shapesIn(words) {
  const shapes = [];
  for (let k = 0; k < MAX_INPUTS; k++) {
    const rank = words[AT.ranks + k];
    const from = AT.shapes + k * MAX_RANK;
    const ids = words[AT.types + k] === IDS ? 'ids ' : '';
    if (rank) shapes.push(`${ids}[${words.subarray(from, from + rank)}]`);
  }
  return shapes.join(' x ');
}

/** The last problem of a tape: its sentence, with what fills it in; and of whom it is told.
 * @param {Engine} engine @param {number} tape
 * @returns {Message & { node: string, where: string }} */
export function problemOf(engine, tape) {
  const start = engine.core.gf_tape_problem(tape) >>> 0;
  const words = new Int32Array(engine.memory.buffer, start, PROBLEM_NAME / 4);
  const about = { node: engine.text(start + PROBLEM_NAME), where: engine.text(words[AT.where]) };
  /* From number 1 on; behind them come those that only a program in C brings about. */
  const detail = /** @type {(keyof typeof TEXTS)[]} */ (Object.keys(TEXTS))[words[0] - 1];
  if (!detail) return { detail: 'ofC', params: { number: words[0] }, ...about };
  let index = AT.numbers;
  /** @type {Message['params']} */
  const params = {};
  for (const [, name] of TEXTS[detail].matchAll(/\{(\w+)\}/g)) {
    if (name === 'shapes') params.shapes = shapesIn(words);
    else if (name === 'about') params.about = camel(engine.text(words[AT.about]));
    else if (name === 'type') params.type = engine.words('type')[words[index++]];
    else params[name] = words[index++];
  }
  return { detail, params, ...about };
}
