// Words of a sentence that lead to an equation, and are no factors of it: so e^2 = 7.39, on obtient e^2 = 7,39.

/** @typedef {import('./expression.js').Expression} Expression */

/** In English, French, German, Spanish. */
const WORDS = new Set(
  [
    'so then thus and or but hence therefore also now finally next since because that this which it we is are have get gets obtain find know see gives give means follows yields ie eg',
    'donc alors ainsi et ou mais puis enfin car on nous obtient obtenons avons ce qui que donne soit là où cela aussi trouve est conséquent par',
    'dann somit daher deshalb damit und oder denn nun wir man erhalten erhält das dies es ergibt folgt gilt ist heißt haben',
    'entonces luego así por lo tanto eso esto pues también obtenemos se obtiene tenemos da resulta queda es decir ahora donde de',
  ].flatMap((words) => words.split(' ')),
);

/** Whether an expression is nothing but such words.
 * @param {Expression} expression
 * @returns {boolean} */
export function isProse(expression) {
  if (expression.kind === 'name')
    return WORDS.has(expression.text.toLowerCase().replace(/\.$/, ''));
  return (
    expression.kind === 'binary' &&
    expression.op === '·' &&
    isProse(expression.b) &&
    isProse(expression.a)
  );
}

/** Words above what a program has printed, which do not say what it is. */
export const OUTPUT =
  'outputs?|out|prints|results?|ausgabe|ergebnis|sortie|résultat|salida|resultado|saída|text';
const IS_OUTPUT = new RegExp(`^(?:${OUTPUT})$`, 'i');

/** Whether a word says no more than that a program has printed what follows. @param {string} word */
export const isOutputWord = (word) => IS_OUTPUT.test(word);

/** Characters of a line that say what stands behind them: a line may be a whole file. */
const LINE = 2000;

/** What stands on the same line before a place. @param {string} text @param {number} end */
export function lineBefore(text, end) {
  const near = text.slice(Math.max(0, end - LINE), end);
  return near.slice(near.lastIndexOf('\n') + 1);
}
