// The looks of figures: the page's own styles, as the build rewrites them for shadow roots, in one sheet.

/** @type {string[]} */
const texts = [];

/** @type {CSSStyleSheet | null} */
let sheet = null;

/** @param {string} text called by each CSS file, in the order of imports; those of parts that are loaded later come last */
export function addStyle(text) {
  texts.push(text);
  sheet?.replaceSync(texts.join('\n'));
}

/** What every figure adopts. */
export function styleSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(texts.join('\n'));
  }
  return sheet;
}
