// Which relations may hold between the values of a text, by what it calls them and by their shapes.

import { sameShape } from '../value.js';
import { attention, unnamed } from './attention.js';
import { layers } from './layers.js';
import { learning } from './learning.js';

/** @typedef {import('./candidate.js').Candidate} Candidate */
/** @typedef {import('./candidate.js').RelationName} RelationName */

/** @type {import('./candidate.js').Relations} */
const RELATIONS = { ...attention, ...layers, ...learning };

/** Further back nobody looks for a value. */
const MEMORY = 24;

/** What a value may have come from, the likeliest first.
 * @param {import('../../../glassformer.js').Glassformer} gf @param {import('../known.js').Known} known
 * @param {string} label @param {import('../value.js').Value} value
 * @returns {Candidate[]} */
export function candidatesFor(gf, known, label, value) {
  const entries = known.entries.slice(-MEMORY).reverse();
  const alike = entries.filter(({ printed }) => sameShape(printed, value));
  const search = { gf, known, entries, alike, label, value };
  const meaning = known.meaningOf(label);
  return meaning ? RELATIONS[meaning](search) : unnamed(search);
}
