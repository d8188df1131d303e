// What each head, and the stream at each word of the other text, changes alone: tables of buttons that make the change.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { css, fill, ink } from '../../stage/draw/colour.js';
import { exact, progressOf } from './checks.js';
import { grid } from './grid.js';
import { FEW_LAYERS } from './river.js';
import { VALUES } from './state.js';
import { changeOf } from './words.js';

/** @type {Readonly<Record<string, string>>} */
const VALUE_TEXTS = {
  story: 'chapters/inside/values/story',
  zero: 'chapters/inside/values/zero',
};

/** @type {Readonly<Record<string, string>>} */
const HOW_TEXTS = {
  story: 'chapters/inside/how/story',
  zero: 'chapters/inside/how/zero',
};

/** @typedef {import('../../workers/inside/experiments.js').Whole} Whole */
/** @typedef {import('./experiment.js').Experiment} Experiment */
/** @typedef {{ experiment: Experiment, theme: 'light' | 'dark', actions: import('./river.js').Actions }} Context */

/** Of a model of many layers, so many heads are named. */
const NAMED_HEADS = 5;

/** How a value differs from another; null while it is not computed. @param {number | null} value @param {number} intact */
const differenceOf = (value, intact) => (value === null ? null : value - intact);

/** @param {(number | null)[][]} values @param {number} intact */
const largestChange = (values, intact) =>
  Math.max(...values.flat().map((value) => Math.abs(differenceOf(value, intact) ?? 0)));

/**
 * A button that changes a place, or puts it back.
 * @param {Context} context
 * @param {{ place: string, label: string, change: number | null, limit: number, press: (place: string) => void,
 *   isNumber?: boolean }} cell change: of the logit; isNumber: whether it is written there
 */
function cellOf({ experiment, theme }, { place, label, change, limit, press, isNumber = true }) {
  const colour = fill(change ?? 0, 'signed', limit, theme);
  const { off, from } = experiment.applied;
  return html`<td>
    <button
      aria-pressed=${off.includes(place) || from.includes(place)}
      aria-label=${label}
      title=${isNumber ? nothing : label}
      style="background: ${css(colour)}; color: ${ink(colour)}"
      @click=${() => press(place)}
    >${isNumber ? changeOf(change) : ''}</button>
  </td>`;
}

/** @param {Context} context @param {Whole} whole */
export function heads(context, { alone, intact, words, value, check }) {
  const { experiment, actions } = context;
  return html`<section>
    <h2 class="label">${text('chapters/inside/heads')}</h2>
    <div class="choices" role="group" aria-label=${text('chapters/inside/replacement')}>
      ${VALUES.map(
        (one) => html`<button
          aria-pressed=${one === value}
          ?disabled=${one === 'story' && !words}
          @click=${() => actions.change({ value: one })}
        >${text(VALUE_TEXTS[one])}</button>`,
      )}
    </div>
    <p class="quiet">${text(HOW_TEXTS[value])}</p>
    ${experiment.busy === 'rows' ? progressOf(experiment) : nothing}
    ${experiment.isStopped ? html`<button @click=${experiment.goOn}>${text('chapters/inside/goOn')}</button>` : nothing}
    ${headTables(context, alone, intact.total)}
    ${
      check &&
      html`<ul class="exact">
        ${exact('nothing', check.nothing)} ${exact('everything', check.everything)}
      </ul>`
    }
  </section>`;
}

/** What each head does alone; of many, the largest once more with their numbers.
 * @param {Context} context @param {(number | null)[][]} alone @param {number} intact */
function headTables(context, alone, intact) {
  const limit = largestChange(alone, intact);
  const isDense = alone.length > FEW_LAYERS;
  const { press } = context.actions;
  const cell = (/** @type {number} */ layer, /** @type {number} */ head, isNumber = true) => {
    const change = differenceOf(alone[layer][head], intact);
    const label = text('chapters/inside/change', { head, layer, value: changeOf(change) });
    return cellOf(context, { place: `${layer}.${head}`, label, change, limit, press, isNumber });
  };
  const table = grid(
    alone[0].map((_, head) => (isDense ? head : text('chapters/inside/head', { head }))),
    alone.map((row, layer) => ({
      title: isDense ? layer : text('chapters/inside/layer', { layer }),
      cells: row.map((_, head) => cell(layer, head, !isDense)),
    })),
    isDense ? 'alone dense' : 'alone',
  );
  const computed = alone.flatMap((row, layer) =>
    row.flatMap((value, head) =>
      value === null ? [] : [{ layer, head, size: Math.abs(value - intact) }],
    ),
  );
  if (!isDense || computed.length === 0) return table;
  const largest = computed.sort((a, b) => b.size - a.size).slice(0, NAMED_HEADS);
  return html`<p class="quiet">${text('chapters/inside/most')}</p>
    <table class="alone most">
      ${largest.map(
        ({ layer, head }) => html`<tr>
          <th scope="row">${text('chapters/inside/layer', { layer })}, ${text('chapters/inside/head', { head })}</th>
          ${cell(layer, head)}
        </tr>`,
      )}
    </table>
    ${table}`;
}

/** The stream of the other text, word by word from the first that differs. @param {Context} context @param {Whole} whole */
export function stream(context, { words, intact, tokens, others }) {
  if (!words) return nothing;
  const first = tokens.findIndex((token, i) => token !== others[i]);
  const limit = largestChange(words, intact.total);
  const { patch: press } = context.actions;
  const rows = tokens.flatMap((token, position) => {
    const word = others[position];
    if (first < 0 || position < first) return [];
    const cells = words.map((row, layer) => {
      const change = differenceOf(row[position], intact.total);
      const label = text('chapters/inside/stream/one', { layer, word, value: changeOf(change) });
      return cellOf(context, { place: `${layer}@${position}`, label, change, limit, press });
    });
    return [{ title: html`${token}${token === word ? nothing : html` ← ${word}`}`, cells }];
  });
  return html`<details>
    <summary>${text('chapters/inside/stream/title')}</summary>
    <p class="quiet">${text('chapters/inside/stream/about')}</p>
    <div class="wide">${grid(
      words.map((_, layer) => text('chapters/inside/layer', { layer })),
      rows,
    )}</div>
  </details>`;
}
