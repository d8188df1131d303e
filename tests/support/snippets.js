// Code of the docs whose comments, behind a line or below it, say what it gives: `x; // = [1, 2]`.

/** What a checked line needs. Numbers count as far as they are written. */
export const PRELUDE = `
import assert from 'node:assert/strict';
let checks = 0;
const round = (value) => JSON.stringify(value, (_, x) => (typeof x === 'number' ? Math.round(x * 1e4) / 1e4 : x));
const gives = (actual, expected) => {
  checks += 1;
  assert.equal(round(actual), round(expected));
};
process.on('exit', () => console.log(checks));
`;

/** The code with a check in each line that says what it gives.
 * @param {string} code */
export const checked = (code) => code.replace(/^( *)(.+);\s+\/\/ = (.+)$/gm, '$1gives($2, $3);');

/** How many lines say what they give. @param {string} code */
export const checksIn = (code) => code.match(/\/\/ = /g)?.length ?? 0;
