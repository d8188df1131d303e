// A part of the sum, opened: a head into the words that it reads, and every part into products of two numbers.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { display, full } from '../../stage/draw/format.js';
import { termsTable } from './terms.js';
import { reason } from './why.js';
import { LEVEL_TEXTS, numbered, signed } from './words.js';

/** @type {Readonly<Record<string, string>>} */
const CHANGE_TEXTS = {
  zero: 'chapters/inside/opened/change/zero',
  story: 'chapters/inside/opened/change/story',
};

/** @typedef {import('../../workers/inside/experiments.js').Result} Result */
/** @typedef {Result['opened']['parts'][number]} Part */
/** @typedef {Pick<import('./state.js').State, 'off' | 'from'>} Changes */
/** @typedef {Pick<import('./river.js').Actions, 'open' | 'press'>} Actions open: of the sum; press: changes a place */

/** What a part of the sum is called. @param {import('../../../bindings/lab/inside/index.js').Origin} part */
export function partName({ source, part, layer, head }) {
  if (source === 'position') return text('chapters/inside/position');
  if (source === 'head') {
    return text('chapters/inside/birth/head', numbered({ layer, head }));
  }
  const level = text(LEVEL_TEXTS[part ?? 'final'], numbered({ layer }));
  if (source === 'replaced') return text('chapters/inside/replaced', { level });
  return source === 'bias' ? text('chapters/inside/bias', { level }) : level;
}

/** A term: two numbers, their product, and what they are of.
 * @typedef {{ name: string, a: number, b: number, value: number, open?: () => void }} Term */

/** @param {Term} term */
const row = ({ name, a, b, value, open }) => html`<tr>
  <th scope="row">${open ? html`<button @click=${open}>${name}</button>` : name}</th>
  <td title=${full(a)}>${display(a)}</td>
  <td title=${full(b)}>× ${display(b)}</td>
  <td title=${full(value)}>= ${signed(value)}</td>
</tr>`;

/** Terms, and what all come to.
 * @param {readonly Term[]} terms @param {string[]} factors titles of the terms and of their two factors
 * @param {number} value of all */
const products = (terms, factors, value) => html`${termsTable(
  terms,
  [...factors, text('chapters/inside/opened/product')],
  row,
)}
    <p class="total">${text('chapters/inside/opened/all', { n: terms.length, value: signed(value, { more: 2 }) })}</p>`;

/** The button that changes a feed-forward, or puts it back. Heads have theirs in the grid.
 * @param {Result} result @param {Part} part @param {Changes} changes @param {Actions} actions */
function changeButton({ value }, { source, layer }, { off, from }, { press }) {
  if (source !== 'feed-forward') return nothing;
  const place = `${layer}.ff`;
  return html`<button aria-pressed=${[...off, ...from].includes(place)} @click=${() => press(place)}>
    ${text(CHANGE_TEXTS[value])}
  </button>`;
}

/**
 * All parts of the sum, and the one that is opened.
 * @param {Result} result
 * @param {Changes} changes
 * @param {Actions} actions
 */
export function opened(result, changes, actions) {
  const { sum, open } = result;
  return html`<section class="sum">
    <h2 class="label">${text('chapters/inside/sum')}</h2>
    ${openedPart(result, changes, actions) ?? html`<p class="quiet">${text('chapters/inside/opened/none')}</p>`}
    <details>
      <summary>${text('chapters/inside/parts', { n: sum.parts.length })}</summary>
      <table class="facts parts">
        ${sum.parts.map(
          ({ name, value, ...part }) => html`<tr>
            <th scope="row">
              <button aria-pressed=${name === open.split(' at ')[0]} @click=${() => actions.open(name)}>
                ${partName({ name, ...part })}
              </button>
            </th>
            <td title=${full(value)}>${signed(value, { more: 1 })}</td>
          </tr>`,
        )}
      </table>
    </details>
  </section>`;
}

/** The part that is opened; null if there is none of that name.
 * @param {Result} result @param {Changes} changes @param {Actions} actions */
function openedPart(result, changes, actions) {
  const { sum, open, tokens } = result;
  const { parts } = result.opened;
  const [owner, word] = open.split(' at ');
  const whole = sum.parts.find(({ name }) => name === owner);
  const words = parts.filter(
    ({ key, layer, head }) =>
      key !== undefined && word === undefined && layer === whole?.layer && head === whole?.head,
  );
  /* A head that was changed reads no words. */
  const part =
    words.length > 0
      ? whole
      : (parts.find(({ name }) => name === open) ?? parts.find(({ name }) => name === owner));
  if (!whole || !part) return null;
  return words.length > 0
    ? headWords(whole, words, tokens, actions)
    : partProducts(result, { whole, part: /** @type {Part} */ (part), changes }, actions);
}

/** A head, as a sum over the words that it reads.
 * @param {Result['sum']['parts'][number]} head @param {Part[]} words @param {string[]} tokens @param {Actions} actions */
function headWords(head, words, tokens, actions) {
  const terms = words.map(({ key = 0, weight = 0, value, name }) => ({
    ...{ name: tokens[key], value, a: weight, open: () => actions.open(name) },
    b: weight === 0 ? 0 : value / weight,
  }));
  const columns = [
    text('chapters/inside/token'),
    text('chapters/inside/opened/weight'),
    text('chapters/inside/opened/worth'),
  ];
  return html`<h3>${partName(head)}: ${signed(head.value)}</h3>
    <p class="quiet">${text('chapters/inside/opened/head')}</p>
    ${products(terms, columns, head.value)}`;
}

/** A part, or what a head writes of one word, as a sum over channels.
 * @param {Result} result
 * @param {{ whole: Result['sum']['parts'][number], part: Part, changes: Changes }} opened
 * @param {Actions} actions */
function partProducts(result, { whole, part, changes }, actions) {
  const { tokens, why } = result;
  const terms = (part.products ?? []).map(([a, b], c) => ({
    ...{ name: text('chapters/inside/opened/channel', { c }), a, b, value: a * b },
  }));
  const columns = [
    '',
    text('chapters/inside/opened/written'),
    text('chapters/inside/opened/unembedding'),
  ];
  const title = partName(whole);
  const word = part.key === undefined ? null : tokens[part.key];
  return html`<h3>
      ${
        word === null
          ? html`${title}: ${signed(part.value)}`
          : html`<button @click=${() => actions.open(whole.name)}>${title}</button>
              ${text('chapters/inside/opened/reads', { word, value: signed(part.value) })}`
      }
    </h3>
    ${changeButton(result, part, changes, actions)}
    <p class="quiet">${text('chapters/inside/opened/part')}</p>
    ${products(terms, columns, part.value)}
    ${why && word !== null ? reason(why, word, partName) : nothing}
    ${!why && word !== null ? html`<p class="quiet">${text('chapters/inside/why/changed')}</p>` : nothing}`;
}
