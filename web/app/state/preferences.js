// What a reader chose for all that is shown, kept in localStorage: a link has it only where its author wrote it.

/** @typedef {'theme' | 'lang' | 'characters'} Preference */

/** @param {Preference} name */
const keyOf = (name) => `glassformer.${name}`;

/** @param {Preference} name
 * @returns {string} 'auto' where nothing was chosen, or nothing can be kept */
export function keptPreference(name) {
  try {
    return localStorage.getItem(keyOf(name)) ?? 'auto';
  } catch {
    return 'auto';
  }
}

/** @param {Preference} name @param {string} value 'auto' follows the browser again */
export function keepPreference(name, value) {
  try {
    if (value === 'auto') localStorage.removeItem(keyOf(name));
    else localStorage.setItem(keyOf(name), value);
  } catch {
    /* A private window, a frame without storage. */
  }
}
