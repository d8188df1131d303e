// A part of the sum, opened: a head into the words that it reads, and every part into products of two numbers.
import { html, nothing } from 'lit';
import { display, full } from '../../draw/format.js';
import { text } from '../../locale/text.js';
import { reason } from './why.js';
import { LEVEL_TEXTS, signed } from './words.js';

/** @type {Readonly<Record<string, string>>} */
const CHANGE_TEXTS = {
  zero: 'chapters/inside/opened/change/zero',
  story: 'chapters/inside/opened/change/story',
};

/** @typedef {import('../../inside/experiments.js').Result} Told */
/** @typedef {Told['opened']['parts'][number]} Part */
/** @typedef {import('./state.js').State} State */

/** Terms that are shown at first; the others are one line, and open. */
const SHOWN = 6;

/** What a part of the sum is called. @param {import('../../../bindings/inside/index.js').Origin} part */
export function partName({ source, part, layer, head }) {
  if (source === 'position') return text('chapters/inside/position');
  if (source === 'head') {
    return `${text('chapters/inside/layer', { layer: Number(layer) })}, ${text('chapters/inside/head', { head: Number(head) })}`;
  }
  const level = text(LEVEL_TEXTS[part ?? 'final'], { layer: layer ?? 0 });
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

/** Terms by size, the small ones behind a line with their sum, and what all come to.
 * @param {readonly Term[]} terms @param {{ of: string, a: string, b: string }} heads @param {number} value of all */
function products(terms, heads, value) {
  const sorted = [...terms].sort((x, y) => Math.abs(y.value) - Math.abs(x.value));
  const [shown, rest] = [sorted.slice(0, SHOWN), sorted.slice(SHOWN)];
  const others = rest.reduce((all, term) => all + term.value, 0);
  return html`<table class="facts terms">
      <thead>
        <tr>
          <th scope="col">${heads.of}</th>
          <th scope="col">${heads.a}</th>
          <th scope="col">${heads.b}</th>
          <th scope="col">${text('chapters/inside/opened/product')}</th>
        </tr>
      </thead>
      <tbody>${shown.map(row)}</tbody>
    </table>
    ${
      rest.length > 0
        ? html`<details>
            <summary>${text('chapters/inside/opened/others', { n: rest.length, value: signed(others) })}</summary>
            <table class="facts terms"><tbody>${rest.map(row)}</tbody></table>
          </details>`
        : nothing
    }
    <p class="total">${text('chapters/inside/opened/all', { n: terms.length, value: signed(value, { more: 2 }) })}</p>`;
}

/** The button that changes a feed-forward, or puts it back. Heads have theirs in the grid.
 * @param {Told} told @param {Part} part @param {Pick<State, 'off' | 'from'>} state @param {(place: string) => void} change */
function changing({ value }, { source, layer }, { off, from }, change) {
  if (source !== 'feed-forward') return nothing;
  const place = `${layer}.ff`;
  return html`<button aria-pressed=${[...off, ...from].includes(place)} @click=${() => change(place)}>
    ${text(CHANGE_TEXTS[value])}
  </button>`;
}

/**
 * All parts of the sum, and the one that is opened.
 * @param {Told} told
 * @param {Pick<State, 'off' | 'from'>} state
 * @param {{ press: (part: string) => void, change: (place: string) => void }} hears
 */
export function opened(told, state, { press, change }) {
  const { sum, open } = told;
  return html`<section class="sum">
    <h2 class="label">${text('chapters/inside/sum')}</h2>
    ${one(told, state, press, change) ?? html`<p class="quiet">${text('chapters/inside/opened/none')}</p>`}
    <details>
      <summary>${text('chapters/inside/parts', { n: sum.parts.length })}</summary>
      <table class="facts parts">
        ${sum.parts.map(
          ({ name, value, ...part }) => html`<tr>
            <th scope="row">
              <button aria-pressed=${name === open.split(' at ')[0]} @click=${() => press(name)}>
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
 * @param {Told} told @param {Pick<State, 'off' | 'from'>} state
 * @param {(part: string) => void} press @param {(place: string) => void} change */
function one(told, state, press, change) {
  const { sum, open, opened: every, tokens, why } = told;
  const { parts } = every;
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
  const title = partName(whole);
  if (words.length > 0) {
    const terms = words.map(({ key = 0, weight = 0, value, name }) => ({
      ...{ name: tokens[key], value, a: weight, open: () => press(name) },
      b: weight === 0 ? 0 : value / weight,
    }));
    const heads = {
      of: text('chapters/inside/token'),
      a: text('chapters/inside/opened/weight'),
      b: text('chapters/inside/opened/worth'),
    };
    return html`<h3>${title}: ${signed(whole.value)}</h3>
      <p class="quiet">${text('chapters/inside/opened/head')}</p>
      ${products(terms, heads, whole.value)}`;
  }
  const terms = (part.products ?? []).map(([a, b], c) => ({
    ...{ name: text('chapters/inside/opened/channel', { c }), a, b, value: a * b },
  }));
  const heads = {
    of: '',
    a: text('chapters/inside/opened/written'),
    b: text('chapters/inside/opened/unembedding'),
  };
  const isWord = /** @type {Part} */ (part).key;
  return html`<h3>
      ${
        isWord === undefined
          ? html`${title}: ${signed(part.value)}`
          : html`<button @click=${() => press(owner)}>${title}</button>
              ${text('chapters/inside/opened/reads', { word: tokens[isWord], value: signed(part.value) })}`
      }
    </h3>
    ${changing(told, part, state, change)}
    <p class="quiet">${text('chapters/inside/opened/part')}</p>
    ${products(terms, heads, part.value)}
    ${why && isWord !== undefined ? reason(why, tokens[isWord], partName) : nothing}
    ${!why && isWord !== undefined ? html`<p class="quiet">${text('chapters/inside/why/changed')}</p>` : nothing}`;
}
