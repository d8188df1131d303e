// What the words around values say about how one came about.

import { formOf } from '../read/names.js';
import { lineBefore } from '../read/prose.js';
import { agreement, areShares, ENOUGH } from './agreement.js';

/** @typedef {import('../read/number.js').Cell} Cell */
/** @typedef {import('../read/statements.js').Statement} Statement */
/** @typedef {import('./memory.js').Memory} Memory */
/** @typedef {import('./memory.js').Entry} Entry */
/** @typedef {import('./relations/candidate.js').Candidate} Candidate */
/** @typedef {import('./value.js').Value} Value */

/** Words between a value and its result after which something else may have been done to it. */
const DOUBT =
  /temperature|temp\b|τ|\bT\s*=|mask|dropout|another|instead|top-?k|after training|epoch|second head|head [2-9]|new (?:example|sentence)|random|learn|given|sentence \d|masqu|maskier|appris|gelernt|aprend|entra[iî]n|entrena|donné|gegeben|dad[oa]s?\b|zufällig|aléatoire|aleatori|autre|\banders?|otr[oa]|nouve|\bneue|nuev|温度|掩码|随机|另|学习/i;
/** Names of attention weights that say no more than that. */
const PLAINLY_WEIGHTS =
  /^(the |attention |attn |our |final )*(weights?|softmax|softmax (output|weights)|probabilit(y|ies)|probs|α|alphas?|a)$|^(poids|pesos|pesi|gewichte|attention-?gewichte|aufmerksamkeitsgewichte|probabilit[ée]s|probabilidades|wahrscheinlichkeiten|(注意力)?(权重|權重)|(注意)?重み)( d.attention| de aten(ción|ção))?$/i;
/** Names of what the weights make of the values, and of what projects it. */
const PLAINLY_OUTPUT = /^(the |attention |our |final )*(outputs?|context( vectors?)?|o|z)$/i;
const PROJECTION = /^w ?o$|project/i;
/** The same where scores are not yet scaled. */
const UNSCALED = /√|sqrt|scal(?:e|ing)|divid|d_?k\b|skalier|échelle|geteilt|divis|escalad/i;

/** What says that numbers are divided by their sum, and no softmax. */
const SHARES = /normali[sz]|\bsum\b/i;
const SOFTMAX = /softmax|exp|e\s?(?:\^|\*\*)/i;
/** What a text is about that has such weights: others only weigh marks. */
const OF_ATTENTION = /softmax|attention|atenci|atenç|aufmerksam|logit|注意力|\bexp\b|e\s?\^/i;
/** Characters before a value that say what a text is about. */
const MAX_BEFORE = 20_000;
/** Characters behind a value that may say so. */
const BEHIND = 200;

/** Whether names alone say that a value comes from another, though no number of it agrees: shares that come directly
 * behind scores of their shape are their softmax, an output directly behind weights is these times the values, if the text
 * says of nothing else that is done to them.
 * @param {string} text @param {Memory} memory @param {Statement} statement @param {Candidate} candidate @param {Cell[][]} cells */
export function isPlainly(text, memory, { label, end }, { relation, of, sure, expected }, cells) {
  if (sure) return true;
  const [first] = of;
  if (!expected || first?.end === undefined) return false;
  const newline = text.indexOf('\n', end);
  const lineEnd = newline < 0 ? text.length : newline;
  const between = text.slice(first.end, lineEnd);
  if (DOUBT.test(between)) return false;
  const name = formOf(label.replaceAll('_', ' '));
  if (relation === 'product') return cells.length > 1 && isOutput(memory, name, first);
  if (relation !== 'softmax' || !areShares(cells) || memory.hasAfter(first)) return false;
  const isScaled = first.meaning === 'scaled' || first.meaning === 'masked';
  const isWeights = areWeights(
    name,
    between,
    text.slice(Math.max(0, lineEnd - MAX_BEFORE), lineEnd),
  );
  return isWeights && (isScaled || !UNSCALED.test(between));
}

/** Whether a name says no more than that values are attention weights; p is one, too, where the text takes a softmax.
 * @param {string} name @param {string} between scores and weights @param {string} text */
function areWeights(name, between, text) {
  const isNamed = PLAINLY_WEIGHTS.test(name) || (/^p$/i.test(name) && /softmax/i.test(between));
  return isNamed && OF_ATTENTION.test(text);
}

/** What says that a number is one that should come out, and is not computed. */
const EXPECTED = /\b(?:should|must|ideally|expect\w*|soll\w*|doit|doivent|devrai\w+)\b/i;

/** Whether a line says so before a number. @param {string} text @param {number} start */
export const isExpected = (text, start) => EXPECTED.test(lineBefore(text, start));

/** Whether a name is that of an output, and directly before it stand weights.
 * @param {Memory} memory @param {string} name @param {Entry} weights */
function isOutput({ entries }, name, weights) {
  const isLast = entries.at(-1) === weights && weights.meaning === 'weights';
  return isLast && PLAINLY_OUTPUT.test(name) && !entries.some(({ form }) => PROJECTION.test(form));
}

/** Whether the text says that numbers are divided by their sum, and they are.
 * @param {string} text @param {Entry} scores @param {Cell[][]} cells @param {Value} shares */
export function saysShares(text, { end }, cells, shares) {
  if (agreement(cells, shares) < ENOUGH.found) return false;
  const [[{ start }]] = cells;
  const isSoftmax = SOFTMAX.test(text.slice(end, start));
  return SHARES.test(text.slice(end, start + BEHIND)) && !isSoftmax;
}

/** Whether a text prints a number. @param {string} text @param {string} number */
export function hasNumber(text, number) {
  for (let from = text.indexOf(number); from >= 0; from = text.indexOf(number, from + 1)) {
    const isWhole = !/[\d.,]/.test(text[from - 1] ?? ' ');
    if (isWhole && !/^[.,]?\d/.test(text.slice(from + number.length))) return true;
  }
  return false;
}
