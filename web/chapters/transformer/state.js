// Transformer: the trained French-English model at work, block by block; or a checkpoint of one's own.
import { choice, flag, match, whole, within } from '../../parts.js';
import { OPENING, PARTS } from '../../walk.js';

export const PANELS = ['attention', 'stage', 'next', 'masks', 'cost', 'paths'];
export const WAYS = ['greedy', 'sampled', 'beam'];
export const TRANSLATOR = 'translator';
/** The reader's own files: a link cannot carry them. */
export const DISK = 'disk';
/** Later than any moment: all of a block is computed. */
export const END = 1e6;

const { sentence, ...walk } = OPENING;
const { example, sentence: own, ...walkParts } = PARTS;

export const opening = {
  ...walk,
  t: END,
  model: TRANSLATOR,
  text: 'le chat noir dort',
  way: 'greedy',
  temperature: 1,
  topK: 5,
  seed: 1,
  beams: 4,
  step: null,
  beside: false,
  block: 'decoder.1.cross_attn',
  panel: 'attention',
  length: 50,
  width: 512,
  kernel: 3,
};

export const parts = {
  ...walkParts,
  /* translator, disk, or the address of a checkpoint */
  model: {
    write: String,
    read: (/** @type {string} */ text) =>
      match(text, /^(translator|disk|https?:\/\/\S{1,500})$/)[0],
  },
  text: { write: String, read: (/** @type {string} */ text) => match(text, /^[\s\S]{1,400}$/)[0] },
  way: choice(WAYS),
  temperature: within(0.01, 100),
  topK: whole(0, 1e6),
  seed: whole(0, 2 ** 32 - 1),
  beams: whole(2, 16),
  /* how many tokens are written already; all of them if it is left out */
  step: whole(0, 4096),
  beside: flag,
  block: { write: String, read: (/** @type {string} */ text) => match(text, /^[\w.]+$/)[0] },
  panel: choice(PANELS),
  length: whole(1, 1e5),
  width: whole(1, 1e5),
  kernel: whole(2, 1000),
};
