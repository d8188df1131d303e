// The checker's door to the bindings; no other file of this folder imports them.

export { load } from '../../../bindings/index.js';
export { check, fixed } from '../../../bindings/learn/checker/index.js';

/** @typedef {import('../../../bindings/learn/checker/index.js').Checked} Checked */
/** @typedef {import('../../../bindings/learn/checker/index.js').Flag} Flag */
/** @typedef {import('../../../bindings/learn/checker/index.js').Language} Language */
/** @typedef {import('../../../bindings/index.js').Glassformer} Glassformer */
