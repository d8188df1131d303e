// The microscope: one number, and how it arises term by term. Its operands can be entered in turn.
import { html, nothing } from 'lit';
import { rich, text } from '../../app/locale/text.js';
import { beside, numeral, shortest } from '../draw/format.js';
import { largestAmong } from '../draw/largest.js';
import { axes, labelAt, role, symbol } from '../draw/names.js';
import { cellKey, offset, sameCell } from '../draw/tensor.js';
import { caption } from '../telling/captions.js';
import { CAUSE_TEXTS } from '../telling/cause-texts.js';
import { chip, numbersOf, plain, typeset } from '../telling/number.js';
import { describe, knownOf } from '../telling/words.js';
import { runNameOf } from './branch.js';
import { DeferredElement } from './deferred.js';
import { explained as terms } from './explained.js';

/** The rows of a norm: where it is taken of the deviations from the mean, and where not. */
const NORM_TEXTS = {
  x: { norm: 'microscope/norm/x', rms: 'microscope/rms/x' },
  mean: { norm: 'microscope/norm/mean', rms: 'microscope/rms/mean' },
  deviation: { norm: 'microscope/norm/deviation', rms: 'microscope/rms/deviation' },
  normalised: { norm: 'microscope/norm/normalised', rms: 'microscope/rms/normalised' },
  gain: { norm: 'microscope/norm/gain', rms: 'microscope/rms/gain' },
  shift: { norm: 'microscope/norm/shift', rms: 'microscope/rms/shift' },
  result: { norm: 'microscope/norm/result', rms: 'microscope/rms/result' },
};

/** @type {Readonly<Record<string, string>>} */
const REASON_TEXTS = {
  kept: 'microscope/kept',
  causal: 'microscope/causal',
  padding: 'microscope/padding',
  mask: 'microscope/mask',
  added: 'microscope/added',
};

/** @typedef {import('../../app/session.js').Explanation} Explanation */

/** Longer tables than this are told in part. */
const MAX_ROWS = 160;
/** Of a long row of shares, so many of the largest are told. */
const MAX_LARGEST = 12;

const GAP_ROW = html`<tr class="gap">
  <td colspan="5">⋯</td>
</tr>`;

/**
 * Places to show of so many, with null where some are left out: those around one.
 * @param {number} count
 * @param {number} centre
 * @returns {(number | null)[]}
 */
function near(count, centre) {
  if (count <= MAX_ROWS) return Array.from({ length: count }, (_, k) => k);
  const from = Math.max(0, Math.min(count - MAX_ROWS, centre - MAX_ROWS / 2));
  const shown = Array.from({ length: MAX_ROWS }, (_, k) => from + k);
  return [...(from > 0 ? [null] : []), ...shown, ...(from + MAX_ROWS < count ? [null] : [])];
}

/**
 * The same of a long row: the largest first, and those that are wanted anyhow.
 * @param {{ value: number }[]} row
 * @param {number[]} wanted
 * @returns {(number | null)[]}
 */
function foremost(row, wanted) {
  if (row.length <= MAX_ROWS / 4) return row.map((_, k) => k);
  const largest = largestAmong(
    row.map(({ value }) => value),
    MAX_LARGEST,
  );
  const places = [...new Set([...largest, ...wanted])].filter((k) => k in row);
  return [...places.sort((a, b) => row[b].value - row[a].value), null];
}

export class Microscope extends DeferredElement {
  static properties = { editing: { state: true } };
  /** It has the most to draw of all that stand beside the stage. */
  static later = 2;

  constructor() {
    super();
    /** @type {import('../draw/tensor.js').Cell | null} the cell whose field is open */
    this.editing = null;
  }

  render() {
    const { explained } = this.view;
    return html`<h2 class="label">${text('microscope/label')}${runNameOf(this.view)}</h2>
      ${explained ? this.#cell(explained) : html`<p class="quiet">${text('microscope/empty')}</p>`}`;
  }

  /** @param {Explanation} explanation */
  #cell(explanation) {
    const { example, trace } = this.view;
    const step = trace.step(explanation.node);
    const name = describe(explanation, { example, trace });
    return html`
      ${this.#trail()}
      <div class="now">
        ${chip(symbol(step), role(step))}
        <span class="what">${terms(name)}</span>
        <span class="big">${this.#adding(explanation) ? nothing : numbersOf(trace)(explanation)}</span>
      </div>
      ${this.#adding(explanation) ? nothing : [this.#before(explanation), this.#printed(explanation)]}
      ${
        this.view.state.gradient
          ? nothing
          : html`<div class="terms" tabindex="0" role="group" aria-label=${name}>
            ${this.#terms(explanation)}
          </div>`
      }
      ${sameCell(this.editing, explanation) ? this.#form(explanation, name) : this.#tools(explanation)}
    `;
  }

  /** Whether terms of its sum are still to come: it has no value yet. @param {Explanation} explanation */
  #adding(explanation) {
    return explanation.terms !== undefined && this.view.adding;
  }

  /** A number, and behind it the one that it was before the edits. @param {import('../../app/session.js').Valued} cell */
  #number(cell) {
    const old = this.view.old(cell);
    const now = numbersOf(this.view.trace)(cell);
    return old === null ? now : html`${now} <s class="old">${plain(old)}</s>`;
  }

  /** What the edits made of a number. @param {Explanation} explanation */
  #before(explanation) {
    const old = this.view.old(explanation);
    if (old === null) return nothing;
    return html`<p class="before">${rich('microscope/before', { old: plain(old) })}</p>`;
  }

  /** How one came here, if one number was entered from another. */
  #trail() {
    const { state, example, trace, focus, pinned } = this.view;
    if (state.path.length < 2 || !sameCell(focus, pinned)) return nothing;
    return html`<nav class="trail" aria-label=${text('microscope/trail')}>
      ${state.path.map((cell, i) =>
        i === state.path.length - 1
          ? html`<span aria-current="true">${describe(cell, { example, trace })}</span>`
          : html`<button @click=${() => this.act({ do: 'back', depth: i + 1 })}
              >${describe(cell, { example, trace })}</button
            > ›&#32;`,
      )}
    </nav>`;
  }

  /**
   * What the text prints for this cell, right or wrong.
   * @param {Explanation} explanation
   */
  #printed(explanation) {
    const { trace, mismatches } = this.view;
    const wrong = mismatches.get(cellKey(explanation));
    const source = trace.printed[explanation.node];
    const printed = source?.text[offset(source.shape, explanation.index)] ?? null;
    if (printed === null) return nothing;
    const said = { printed: numeral(printed), value: beside(explanation.value, printed) };
    if (source.verdict[offset(source.shape, explanation.index)] === 'truncated')
      return html`<p class="quiet">${text('microscope/truncated', said)}</p>`;
    if (!wrong) return html`<p class="right">${text('microscope/right', said)}</p>`;
    return html`<p class="wrong">
      <b>${text('microscope/wrong', said)}</b>
      ${text(CAUSE_TEXTS[`${wrong.cause}${wrong.from ?? ''}`])}
    </p>`;
  }

  /** @param {Explanation} explanation */
  #terms(explanation) {
    if (explanation.frozen) {
      const { removed } = this.view.trace.step(explanation.node);
      return html`<p class="quiet">${text(removed ? 'microscope/held' : 'microscope/frozen')}</p>`;
    }
    if (explanation.weight) {
      import('./block.js');
      return html`<gf-block .view=${this.view} .explanation=${explanation}></gf-block>`;
    }
    if (explanation.op === 'leaf') return html`<p class="quiet">${text('microscope/given')}</p>`;
    if (explanation.terms) return this.#products(explanation);
    if (explanation.max !== undefined) return this.#softmax(explanation);
    if (explanation.normalised !== undefined) return this.#norm(explanation);
    if (explanation.reason) {
      return html`<p class="sentence">${this.#number(explanation.x)} <span class="quiet">${terms(text(REASON_TEXTS[explanation.reason]))}</span></p>`;
    }
    return html`<p class="sentence">${caption(this.view).map(terms)}</p>`;
  }

  /** @param {Explanation} explanation */
  #products(explanation) {
    const { view } = this;
    const [a, b] = view.trace
      .step(explanation.node)
      .inputs.map((name) => view.trace.step(String(name)));
    const head = (/** @type {import('../../app/session.js').Step} */ step) =>
      chip(symbol(step), role(step));
    return html`<table>
      <thead>
        <tr>
          <th scope="col"><i>k</i></th>
          <th scope="col">${head(a)}</th>
          <th scope="col">${head(b)}</th>
          <th scope="col">${text('microscope/product')}</th>
          <th scope="col">${text('microscope/sum')}</th>
        </tr>
      </thead>
      <tbody>
        ${near(explanation.terms.length, view.term).map((k) => {
          if (k === null) return GAP_ROW;
          const term = explanation.terms[k];
          return html`<tr class=${this.#place(k)}>
            <td>${k + 1}</td>
            <td>${this.#number(term.a)}</td>
            <td>${this.#number(term.b)}</td>
            <td>${k <= view.term ? plain(term.product) : nothing}</td>
            <td>${k <= view.term ? plain(term.sum) : nothing}</td>
          </tr>`;
        })}
        ${
          explanation.bias
            ? html`<tr class=${this.#place(explanation.terms.length)}>
              <td></td>
              <td colspan="2">${text('microscope/bias')}</td>
              <td>${this.#number(explanation.bias)}</td>
              <td>${view.term >= explanation.terms.length ? this.#number(explanation) : nothing}</td>
            </tr>`
            : nothing
        }
      </tbody>
    </table>`;
  }

  /** @param {Explanation} explanation */
  #softmax(explanation) {
    const { view } = this;
    const keys = explanation.row.length;
    const column = explanation.index[explanation.index.length - 1];
    const step = view.trace.step(explanation.node);
    const { columns } = axes(step);
    const names = knownOf(step, view);
    return html`<table>
      <thead>
        <tr>
          <td></td>
          <th scope="col">${text('microscope/score')}</th>
          <th scope="col"><i>x</i> = ${text('microscope/less')}</th>
          <th scope="col"><i>e</i><sup>x</sup></th>
        </tr>
      </thead>
      <tbody>
        ${foremost(explanation.row, [column, view.term - 1]).map((k) => {
          if (k === null) return GAP_ROW;
          const cell = explanation.row[k];
          return html`<tr class="${this.#place(k + 1)} ${k === column ? 'own' : ''}">
            <th scope="row" class="word">${labelAt(columns, k, names)}</th>
            <td>${this.#number(cell)}</td>
            <td>${k + 1 <= view.term ? plain(cell.shifted) : nothing}</td>
            <td>${k + 1 <= view.term ? plain(cell.exp) : nothing}</td>
          </tr>`;
        })}
      </tbody>
      <tfoot>
        <tr class=${this.#place(0)}>
          <th scope="row" colspan="3">${text('microscope/max')}</th>
          <td>${plain(explanation.max)}</td>
        </tr>
        <tr class=${this.#place(keys + 1)}>
          <th scope="row" colspan="3">${text('microscope/total')}</th>
          <td>${keys + 1 <= view.term ? plain(explanation.total) : nothing}</td>
        </tr>
        <tr class=${this.#place(keys + 2)}>
          <th scope="row" colspan="3">${text('microscope/quotient')}</th>
          <td>${keys + 2 <= view.term ? this.#number(explanation) : nothing}</td>
        </tr>
      </tfoot>
    </table>`;
  }

  /** @param {Explanation} explanation */
  #norm(explanation) {
    const { x, mean, deviation, root, normalised, gain, bias } = explanation;
    const kind = root === undefined ? 'norm' : 'rms';
    /** @type {(name: keyof typeof NORM_TEXTS, shown: unknown) => unknown} */
    const row = (name, shown) => html`<tr>
      <th scope="row">${typeset(text(NORM_TEXTS[name][kind]))}</th>
      <td>${shown}</td>
    </tr>`;
    return html`<table>
      <tbody>
        ${row('x', this.#number(x))}
        ${mean === undefined ? nothing : row('mean', plain(mean))}
        ${row('deviation', plain(deviation ?? root))}
        ${row('normalised', plain(normalised))}
        ${gain ? row('gain', this.#number(gain)) : nothing}
        ${bias ? row('shift', this.#number(bias)) : nothing}
        ${row('result', this.#number(explanation))}
      </tbody>
    </table>`;
  }

  /** @param {number} term */
  #place(term) {
    const { view } = this;
    if (term > view.term) return 'later';
    return term === view.term && view.term < view.terms - 1 ? 'active' : '';
  }

  /** @param {Explanation} explanation */
  #tools(explanation) {
    const step = this.view.trace.step(explanation.node);
    const edited = this.view.edited.has(cellKey(explanation));
    return html`<div class="tools">
      ${edited ? html`<span class="badge">${text('microscope/edited')}</span>` : nothing}
      ${
        !this.view.editable(step)
          ? nothing
          : html`<button
              @click=${() => {
                this.editing = { node: explanation.node, index: explanation.index };
              }}
            >${text('microscope/edit')}</button>`
      }
      ${
        step.kind === 'op'
          ? html`<button @click=${() => this.act({ do: 'open', cell: explanation })}
            >${text('microscope/open')}</button
          >`
          : nothing
      }
    </div>`;
  }

  /** @returns {HTMLInputElement | null} the field of an edit that is open */
  get #field() {
    return this.querySelector('.tools input');
  }

  /**
   * @param {Explanation} explanation
   * @param {string} name
   */
  #form(explanation, name) {
    const close = () => {
      this.editing = null;
    };
    return html`<form
      class="tools"
      @submit=${(/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const field = /** @type {HTMLInputElement} */ (this.#field);
        this.act({ do: 'edit', cell: explanation, text: field.value, done: close });
      }}
    >
      <input
        aria-label=${text('microscope/editOf', { cell: name })}
        inputmode="text"
        autocomplete="off"
        .defaultValue=${shortest(explanation.value)}
      />
      <button>${text('microscope/apply')}</button>
      <button type="button" @click=${close}>${text('microscope/cancel')}</button>
    </form>`;
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    const { state, focus, term } = this.view;
    if (changed.has('editing')) this.#field?.select();
    if (!this.changedSince(JSON.stringify([state.path, focus, term]))) return;
    const trail = this.querySelector('.trail');
    if (trail) trail.scrollTop = trail.scrollHeight;
    const row = this.querySelector('tr.active');
    const box = this.querySelector('.terms');
    if (row instanceof HTMLElement && box) {
      const room = box.clientHeight;
      if (
        row.offsetTop < box.scrollTop ||
        row.offsetTop + row.offsetHeight > box.scrollTop + room
      ) {
        box.scrollTop = row.offsetTop - room / 2;
      }
    }
  }
}

customElements.define('gf-microscope', Microscope);
