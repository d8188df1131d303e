// What each head, and the stream at each word of the other text, changes alone: tables of buttons that make the change.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { css, fill, ink } from '../../stage/draw/colour.js';
import { exact, progressOf } from './checks.js';
import { grid } from './grid.js';
import { differenceOf, FEW_LAYERS, largestChange } from './river.js';
import { VALUES } from './state.js';
import { changeOf, numbered, signed } from './words.js';

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

/** @type {Readonly<Record<string, string>>} */
const CHANGE_TEXTS = {
  story: 'chapters/inside/change',
  zero: 'chapters/inside/silenced',
};

/** @typedef {import('./state.js').State['value']} Value */
/** @typedef {import('../../workers/inside/experiments.js').Whole} Whole */
/** @typedef {import('./experiment.js').Experiment} Experiment */
/** @typedef {{ experiment: Experiment, theme: 'light' | 'dark', actions: import('./river.js').Actions }} Context */

/** Of a model of many layers, so many heads are named. */
const NAMED_HEADS = 5;

/**
 * A button that changes a place, or puts it back.
 * @param {Context} context
 * @param {{ place: string, label: string, change: number | null, limit: number, pressed: boolean,
 *   press: (place: string) => void, isNumber?: boolean }} cell change: of the logit; isNumber: whether it is written there
 */
function cellOf({ theme }, { place, label, change, limit, pressed, press, isNumber = true }) {
  /* As the dots of the river: what the logit loses without a place is what that speaks for it. */
  const colour = fill(-(change ?? 0), 'signed', limit, theme);
  return html`<td>
    <button
      aria-pressed=${pressed}
      aria-label=${label}
      title=${isNumber ? nothing : label}
      style="background: ${css(colour)}; color: ${ink(colour)}"
      @click=${() => press(place)}
    >${isNumber ? changeOf(change) : ''}</button>
  </td>`;
}

/** @param {Context} context @param {Whole} whole */
export function heads(context, { alone, contrast, intact, words, value, check }) {
  const { experiment, actions } = context;
  const by = (/** @type {Value} */ one) => (one === value ? alone : contrast) ?? alone;
  const limit = largestChange(intact.total, alone, contrast);
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
    ${
      contrast
        ? html`<div class="both">
              ${VALUES.map(
                (one) => html`<figure>
                  <figcaption class="quiet">${text(VALUE_TEXTS[one])}</figcaption>
                  ${headTables(context, by(one), intact.total, { value: one, limit })}
                </figure>`,
              )}
            </div>
            <p class="agreement">${agreement(by('story'), by('zero'), intact.total)}</p>`
        : headTables(context, alone, intact.total, { value, limit })
    }
    ${
      check &&
      html`<ul class="exact">
        ${exact('nothing', check.nothing)} ${exact('everything', check.everything)}
      </ul>`
    }
  </section>`;
}

/** Whether both experiments say the same of the head that changes the number most with what it does in the other text: they
 * do if it changes half as much in the same direction when it gives nothing.
 * @param {(number | null)[][]} story @param {(number | null)[][]} zero @param {number} intact */
function agreement(story, zero, intact) {
  const [first] = largestHeads(story, intact);
  const silent = first && differenceOf(zero[first.layer][first.head], intact);
  if (!first?.change || silent === null) return nothing;
  const agree = silent / first.change >= 1 / 2;
  return text(agree ? 'chapters/inside/agree/yes' : 'chapters/inside/agree/no', {
    ...{ ...numbered(first), story: signed(first.change), zero: signed(silent) },
  });
}

/** Heads whose change is computed, the largest first. @param {(number | null)[][]} alone @param {number} intact */
const largestHeads = (alone, intact) =>
  alone
    .flatMap((row, layer) =>
      row.flatMap((value, head) =>
        value === null ? [] : [{ layer, head, change: value - intact }],
      ),
    )
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change));

/** What each head does alone; of many, the largest once more with their numbers.
 * @param {Context} context @param {(number | null)[][]} alone @param {number} intact
 * @param {{ value: Value, limit: number }} how limit: the largest change of both experiments */
function headTables(context, alone, intact, { value, limit }) {
  const isDense = alone.length > FEW_LAYERS;
  const { actions, experiment } = context;
  const { off, from } = experiment.applied;
  const [changed, press] = value === 'story' ? [from, actions.patch] : [off, actions.silence];
  const cell = (/** @type {number} */ layer, /** @type {number} */ head, isNumber = true) => {
    const change = differenceOf(alone[layer][head], intact);
    const values = { ...numbered({ layer, head }), value: changeOf(change) };
    const label = text(CHANGE_TEXTS[value], values);
    const place = `${layer}.${head}`;
    const pressed = changed.includes(place);
    return cellOf(context, { place, label, change, limit, pressed, press, isNumber });
  };
  const table = grid(
    alone[0].map((_, head) =>
      isDense ? head + 1 : text('chapters/inside/head', numbered({ head })),
    ),
    alone.map((row, layer) => ({
      title: isDense ? layer + 1 : text('chapters/inside/layer', numbered({ layer })),
      cells: row.map((_, head) => cell(layer, head, !isDense)),
    })),
    isDense ? 'alone dense' : 'alone',
  );
  const largest = largestHeads(alone, intact).slice(0, NAMED_HEADS);
  if (!isDense || largest.length === 0) return table;
  return html`<p class="quiet">${text('chapters/inside/most')}</p>
    <table class="alone most">
      ${largest.map(
        ({ layer, head }) => html`<tr>
          <th scope="row">${text('chapters/inside/birth/head', numbered({ layer, head }))}</th>
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
  const limit = largestChange(intact.total, words);
  const { patch: press } = context.actions;
  const rows = tokens.flatMap((token, position) => {
    const word = others[position];
    if (first < 0 || position < first) return [];
    const cells = words.map((row, layer) => {
      const change = differenceOf(row[position], intact.total);
      const values = { ...numbered({ layer }), word, value: changeOf(change) };
      const label = text('chapters/inside/stream/one', values);
      const place = `${layer}@${position}`;
      const pressed = context.experiment.applied.from.includes(place);
      return cellOf(context, { place, label, change, limit, pressed, press });
    });
    return [{ title: html`${token}${token === word ? nothing : html` ← ${word}`}`, cells }];
  });
  return html`<details>
    <summary>${text('chapters/inside/stream/title')}</summary>
    <p class="quiet">${text('chapters/inside/stream/about')}</p>
    <div class="wide">${grid(
      words.map((_, layer) => text('chapters/inside/layer', numbered({ layer }))),
      rows,
    )}</div>
  </details>`;
}
