// The style sheet of figures: the page's styles, as the build makes them for shadow roots.

/** Those of the figures, then those of parts that are loaded later. @type {string[]} */
const texts = [import.meta.env.STYLES];

/** @type {CSSStyleSheet | null} */
let sheet = null;

/** @param {string} text */
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
