// The door to the birth of a head; no other file of this folder imports the bindings.
export { inspect, load, readModel } from '../../../bindings/index.js';
export { ablate } from '../../../bindings/lab/inside/index.js';
export { birth, changeOf, repeats, unborn } from '../../../bindings/lab/stories/index.js';
export { TRAINING } from '../../../bindings/lab/stories/repeats.js';

/** @typedef {import('../../../bindings/index.js').Glassformer} Glassformer */
/** @typedef {import('../../../bindings/index.js').Update} Update */
/** @typedef {import('../../../bindings/lab/stories/index.js').Change} Change */
/** @typedef {import('../../../bindings/lab/stories/index.js').Point} Point */
