// The door to the birth of a head, which the trainer's worker loads when it is asked for one.
export { readModel } from '../../bindings/index.js';
export { ablate } from '../../bindings/inside/index.js';
export { birth, changeOf, repeats, unborn } from '../../bindings/stories/index.js';
export { TRAINING } from '../../bindings/stories/repeats.js';

/** @typedef {import('../../bindings/index.js').Glassformer} Glassformer */
/** @typedef {import('../../bindings/index.js').Update} Update */
/** @typedef {typeof import('../../bindings/index.js').inspect} Inspect */
/** @typedef {import('../../bindings/stories/index.js').Change} Change */
/** @typedef {import('../../bindings/stories/index.js').Point} Point */
