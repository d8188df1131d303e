// How LaTeX writes numbers, in the signs that read.js reads: \frac13 is 1/3, \sqrt{2} is √(2). The Python reader does the same.

/** In braces, or one digit. */
const ARGUMENT = String.raw`\s*(?:\{([^{}]*)\}|(\d))`;
/** A fraction, behind whole ones in a mixed number: 1\frac12. */
const FRACTION = new RegExp(String.raw`(?<![\d.,])(\d+)?\\[dt]?frac${ARGUMENT}${ARGUMENT}`, 'g');
/** An argument that needs no brackets. */
const PLAIN = /^[\p{L}\d.,]+$/u;
/** What binds the first or the last number of a fraction closer than the fraction does. */
const BINDS_BEFORE = /[/÷:^)\p{L}\d]/u;

/** @type {readonly [RegExp, string][]} */
const SIGNS = [
  [/\\(?:left|right|displaystyle)(?![a-z])|\$/g, ''],
  [/\{,\}/g, ','],
  [/\\infty(?![a-z])/g, '∞'],
  [/\\pi(?![a-z])/g, 'π'],
  [/\\(?:cdot|times)(?![a-z])/g, '·'],
  [/\\(exp|ln|log|sin|cos|tanh)(?![a-z])/g, '$1'],
  [/\\%/g, '%'],
  [/\\[,;:!](?=[\s\d&-])/g, ''],
];
/** What has an argument in braces, which may hold another one. @type {readonly [RegExp, string][]} */
const IN_BRACES = [
  [/\\sqrt\s*\{([^{}]*)\}/g, '√($1)'],
  [/\\sqrt\s*(\d)/g, '√$1'],
  [/\^\{([^{}]*)\}/g, '^($1)'],
];
/** Fractions and roots within each other. */
const MAX_DEPTH = 8;

/** @param {string} all @param {(string | number | undefined)[]} parts of FRACTION, the place and the text behind them */
function quotient(all, ...parts) {
  const [whole, a, digit, b, other, place, text] =
    /** @type {[any, any, any, any, any, number, string]} */ (parts);
  const [above, below] = [a ?? digit, b ?? other].map((one) =>
    PLAIN.test(one) ? one : `(${one})`,
  );
  if (whole) return `(${whole}+${above}/${below})`;
  const isBound = BINDS_BEFORE.test(text[place - 1] ?? '') || text[place + all.length] === '^';
  return isBound ? `(${above}/${below})` : `${above}/${below}`;
}

/** @param {string} text
 * @returns {string} the same without the commands of LaTeX that stand in numbers */
export function plainLatex(text) {
  if (!/[\\$^{]/.test(text)) return text;
  let plain = SIGNS.reduce((now, [sign, by]) => now.replace(sign, by), text);
  for (let depth = 0, before = ''; depth < MAX_DEPTH && plain !== before; depth++) {
    before = plain;
    plain = IN_BRACES.reduce((now, [sign, by]) => now.replace(sign, by), plain);
    plain = plain.replace(FRACTION, quotient);
  }
  return plain;
}
