// How each state of an answer is shown: by a sign and a kind, which has a colour. The mark brings its sentence.

/** @typedef {'right' | 'early' | 'carried' | 'named' | 'slip' | 'wrong' | 'empty' | 'unreadable'} Kind */

/** @type {Record<Kind, string>} */
export const SIGNS = {
  right: '✓',
  early: '≈',
  carried: '↪',
  named: '!',
  slip: '±',
  wrong: '✗',
  empty: '·',
  unreadable: '?',
};

/** Kinds of states that have another name. @type {Record<string, Kind>} */
const KINDS = {
  'early-rounding': 'early',
  'rounded-down': 'early',
  'few-digits': 'early',
  rounded: 'early',
  stock: 'wrong',
  loose: 'wrong',
  misread: 'slip',
  variant: 'wrong',
  misconception: 'named',
};

/** @param {string} state of a mark, or the cause of what is wrong in a text @returns {Kind} */
export function kindOf(state) {
  const [name] = state.split(':');
  return KINDS[name] ?? /** @type {Kind} */ (name);
}
