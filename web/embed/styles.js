// The looks of figures: the page's own styles, as the build rewrites them for shadow roots, in one sheet.

/** @type {string[]} */
const texts = [];

/** @param {string} text called by each CSS file, in the order of imports */
export const addStyle = (text) => void texts.push(text);

/** @type {CSSStyleSheet | null} */
let sheet = null;

/** What every figure adopts. */
export function styleSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(texts.join('\n'));
  }
  return sheet;
}
