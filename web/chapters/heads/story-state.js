// Heads in the playground: also of the model of the stories, in which layer, and on which text.
import { match, whole } from '../../app/state/parts.js';
import { opening as ofHeads, parts as partsOfHeads } from './state.js';

/** @typedef {import('../../app/state/walk.js').State & { story: string, layer: number }} State */

/** The example that is this model. */
export const NAME = 'stories';
export const HEADS = 4;
export const LAYERS = 3;
/** Characters of a text, and tokens that a page has room for. */
export const LIMITS = { characters: 200, tokens: 32 };

export const opening = {
  ...ofHeads,
  story: 'Anna and Ben are in the park. Anna gives the ball to',
  layer: 0,
};

export const parts = {
  ...partsOfHeads,
  story: {
    write: String,
    read: (/** @type {string} */ written) => match(written, /^[\s\S]{1,200}$/)[0],
  },
  layer: whole(0, LAYERS - 1),
};
