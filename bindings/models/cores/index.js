// The entry for other cores than the inlined one, glassformer/cores, in pages: what load({ core }) takes.

export { external } from '../../js/external/index.js';
export { relaxed } from '../relaxed/index.js';
export { threads } from '../threads/index.js';

/** @typedef {import('../relaxed/index.js').Labelled} Labelled */
/** @typedef {import('../threads/load.js').Sharing} Sharing */
/** @typedef {import('../threads/load.js').Threads} Threads */
/**
 * @template {object} B
 * @typedef {import('../../js/runtime/engine.js').Core<B>} Core */
