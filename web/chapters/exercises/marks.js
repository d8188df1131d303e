// How each state of an answer is shown: a sign and a kind, which has a colour; the sentence comes with the mark.

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

/** @param {string} state of a mark @returns {Kind} */
export function kindOf(state) {
  if (state === 'early-rounding' || state === 'few-digits') return 'early';
  if (state.startsWith('misconception:')) return 'named';
  if (state.startsWith('slip:')) return 'slip';
  return /** @type {Kind} */ (state);
}
