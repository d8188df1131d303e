// What a package says of itself, in its page.
import { unmasked } from '../../../bindings/learn/exercises/formats/masked.js';

/**
 * @typedef {object} Package
 * @property {string} id
 * @property {string} title
 * @property {import('../../app/locale/text.js').Code} lang
 * @property {'scorm12' | 'scorm2004'} standard
 * @property {import('../../../bindings/learn/exercises/index.js').Problem[]} problems each learner gets one of them
 * @property {number} [attempts] how often it may be handed in, where it is an exam
 */

/** @returns {Package} */
export const readPackage = () =>
  JSON.parse(unmasked(JSON.parse(document.getElementById('package')?.textContent ?? '')));
