// The checker's door to the bindings; no other file of this folder imports them.
export { check, fixed } from '../../bindings/checker/index.js';
export { load } from '../../bindings/index.js';

/** @typedef {import('../../bindings/checker/index.js').Checked} Checked */
/** @typedef {import('../../bindings/checker/index.js').Flag} Flag */
/** @typedef {import('../../bindings/checker/index.js').Language} Language */
/** @typedef {import('../../bindings/index.js').Glassformer} Glassformer */
