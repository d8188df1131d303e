// Training: the state of the chapter, and how a link holds it.
import { choice, list, match, number, required, whole, within } from '../../app/state/parts.js';
import { OPENING, WALK_PARTS } from '../../app/state/walk.js';
import { MOST_STEPS, RANGES, switches, tasks } from './settings.js';

/** @typedef {import('../../app/state/parts.js').Part} Part */
/** @typedef {import('../../stage/draw/tensor.js').Cell} Cell */
/**
 * @typedef {{
 *   task: string, settings: Partial<import('./settings.js').Settings>, off: string | null,
 *   step: number | null, view: View, side: import('../../workers/trainer/protocol.js').Side,
 *   pair: number, row: number, block: string, weight: Cell | null,
 *   text: string, temperature: number, topK: number, draw: number, beams: number,
 * }} Training
 * settings: those that are not the task's own.
 * off: what the run B lacks; null: there is no B.
 * step: the one that is shown; null: the latest.
 * pair: the example whose attention is shown. row: the sequence of the batch. block: of the model.
 * text, temperature, topK, draw (a seed), beams: what the model is to write, and how.
 */
/** @typedef {'run' | 'batch' | 'values' | 'update'} View */
/** @typedef {import('../../app/state/store.js').Common & Training & Omit<import('../../app/state/walk.js').Walk, 'example' | 'sentence'>} State */

/** @type {View[]} */
export const VIEWS = ['run', 'batch', 'values', 'update'];

const { sentence, ...walk } = OPENING;
const { example, sentence: _, ...walkParts } = WALK_PARTS;

/** @type {Training & typeof walk} */
export const opening = {
  task: 'copy',
  settings: {},
  off: null,
  step: null,
  view: 'run',
  side: 'a',
  pair: 0,
  row: 0,
  block: 'encoder.embedding',
  weight: null,
  text: '',
  temperature: 1,
  topK: 0,
  draw: 1,
  beams: 4,
  ...walk,
};

/** @type {Part} name:value of one setting, as a pair */
const setting = {
  write: ([name, value]) => `${name}:${value}`,
  read(written) {
    const [, name, value] = match(written, /^(\w{1,40}):(.{1,40})$/);
    const range = required(
      Object.hasOwn(RANGES, name) ? RANGES[/** @type {keyof typeof RANGES} */ (name)] : null,
    );
    return [name, partOf(range).read(value)];
  },
};
const settings = list(setting, ',', { most: 64 });

/** @param {typeof RANGES[keyof typeof RANGES]} range */
export function partOf(range) {
  if ('choices' in range) return choice(range.choices);
  return range.whole ? whole(range.low, range.high) : within(range.low, range.high);
}

/** @type {Record<string, Part>} */
export const parts = {
  task: choice(tasks),
  settings: {
    write: (values) => settings.write(Object.entries(values)),
    read: (text, dropped) => Object.fromEntries(settings.read(text, dropped)),
  },
  off: choice(switches),
  step: whole(0, MOST_STEPS),
  view: choice(VIEWS),
  side: choice(['a', 'b']),
  pair: whole(0, 63),
  row: whole(0, 4095),
  block: { write: String, read: (text) => match(text, /^[\w.]{1,200}$/)[0] },
  weight: WALK_PARTS.open,
  text: { write: String, read: (text) => match(text, /^.{0,120}$/s)[0] },
  temperature: { write: String, read: (text) => number(text, 0.01, 100) },
  topK: whole(0, 4096),
  draw: whole(0, 2 ** 32 - 1),
  beams: whole(2, 16),
  ...walkParts,
};
