// Attention between two rows of words as lines: keys above, queries below. A thicker line means more attention.
import { html, nothing, svg } from 'lit';
import { text } from '../../app/locale/text.js';
import { display } from '../../stage/draw/format.js';

/** Thinner lines than this share of a row are left out. */
const MIN_SHARE = 0.04;

/** From the words above to those below. */
const RISE = 84;

/** Where words stand, in the middle of each. @param {string[][]} list lines of each word */
function placesOf(list) {
  const widths = list.map((parts) => 14 + 8.5 * Math.max(2, ...parts.map(({ length }) => length)));
  let right = -widths.reduce((a, b) => a + b, 0) / 2;
  return widths.map((width) => {
    right += width;
    return right - width / 2;
  });
}

/**
 * @param {object} what
 * @param {string[]} what.above the keys
 * @param {string[]} what.below the queries; what one reads and what it predicts, with an arrow in between, are two lines
 * @param {number[][]} what.weights of each query, by keys
 * @param {((query: number, key: number) => boolean) | null} [what.isLit] the lines that stand out, and are drawn however thin;
 *   null if none does
 */
export function lines({ above, below, weights, isLit = null }) {
  /* What a row reads stands above what it predicts. */
  const parts = below.map((label) => label.split(/(?<= →) /));
  const [top, bottom] = [placesOf(above.map((word) => [word])), placesOf(parts)];
  const half = Math.max(...[...top, ...bottom].map(Math.abs)) + 40;
  const height = parts.some(({ length }) => length > 1) ? RISE + 62 : RISE + 44;
  const sentences = below.map((word, i) => {
    const most = weights[i].indexOf(Math.max(...weights[i]));
    const share = display(weights[i][most]);
    return text('chapters/transformer/maps/looks', { word, at: above[most], share });
  });
  const line = (/** @type {number} */ share, /** @type {number} */ i, /** @type {number} */ j) => {
    const lit = isLit?.(i, j);
    if (share < MIN_SHARE && !lit) return nothing;
    return svg`<line
      class=${isLit ? (lit ? 'lit' : 'faint') : nothing}
      x1=${bottom[i]} y1=${22 + RISE} x2=${top[j]} y2="22"
      style="--share:${share}"
    ><title>${`${below[i]}: ${above[j]} ${display(share)}`}</title></line>`;
  };
  return html`<svg
    class="lines"
    viewBox="${-half} 0 ${2 * half} ${height}"
    style="--wide:${2 * half}"
    role="img"
    aria-label=${sentences.join('; ')}
  >
    ${below.map((_, i) => weights[i].map((share, j) => line(share, i, j)))}
    ${above.map((word, j) => svg`<text x=${top[j]} y="14">${word}</text>`)}
    ${parts.map((all, i) =>
      all.map((part, k) => svg`<text x=${bottom[i]} y=${39 + RISE + 18 * k}>${part}</text>`),
    )}
  </svg>`;
}
