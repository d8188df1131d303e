// A lesson's sentences, filled in from what is on the page.
import { html, nothing } from 'lit';
import { language } from '../app/locale/text.js';
import { shortest } from '../stage/draw/format.js';
import { explained } from '../stage/elements/explained.js';
import { cellsOf, piecesOf, scopeOf } from './core.js';

/** @typedef {import('../app/state/view.js').View} View */
/** @typedef {ReturnType<typeof scopeOf>} Scope */
/** @typedef {import('../../bindings/learn/lessons/index.js').Text} Text */

/**
 * What the expressions of a scene read.
 * @param {Pick<View, 'trace' | 'example'>} view
 * @returns {Scope}
 */
export function scopeIn({ trace, example }) {
  const { sides, tokens, next, vocabulary } = example;
  return scopeOf(trace.steps, {
    tokens,
    ...(sides && { source: sides.source, target: sides.target.slice(1) }),
    ...(next && { next }),
    ...(vocabulary && { vocabulary }),
  });
}

/**
 * The cells that a path names; none if it is an expression of them.
 * @param {string} path
 * @param {Scope} scope
 */
export function cellsIn(path, scope) {
  try {
    return cellsOf(path, scope);
  } catch {
    return [];
  }
}

/** The token that a row of cells is of; a matrix of one row is that of the last token.
 * @param {import('../stage/draw/tensor.js').Cell[]} cells @param {Pick<View, 'trace' | 'example'>} view */
export const tokenOf = ([{ node, index }], { trace, example }) =>
  trace.step(node).shape.at(-2) === 1 ? example.tokens.length - 1 : Number(index.at(-2));

/** A number in a text, tied to its cell if it is one; the title has it in full.
 * @param {string} words @param {number} value @param {import('../stage/draw/tensor.js').Cell} [cell] */
export const numberSpan = (words, value, cell) => html`<span
  class="number"
  data-node=${cell?.node ?? nothing}
  data-index=${cell?.index.join() ?? nothing}
  data-value=${cell ? shortest(value) : nothing}
  title=${shortest(value)}
  >${words}</span
>`;

/** The number after it is a power. */
const POWER = /\^$/;

/** The words of a text in the reader's language; while that is being loaded, in the one before.
 * @param {Text} text */
export const worded = (text) => text[language()] ?? Object.values(text)[0];

/**
 * A text with its numbers, each tied to its cell, and its terms, each with what explains it.
 * @param {Text} text
 * @param {Scope | null} scope null leaves gaps for the numbers
 * @param {(words: string) => unknown} [set] sets the words: without explanations, where a button holds them
 */
export const telling = (text, scope, set = explained) =>
  piecesOf(worded(text), scope, language()).map(
    ({ text: words, term, token, value, cell }, i, all) => {
      if (term) return html`<dfn>${set(words)}</dfn>`;
      if (token) return html`<i>${words}</i>`;
      if (value === undefined) return set(words.replace(POWER, ''));
      const number = numberSpan(words, value, cell);
      return POWER.test(all[i - 1]?.text ?? '') ? html`<sup>${number}</sup>` : number;
    },
  );
