// What if the scores were divided by something else, or a query were longer? Everything behind it follows at once.
import { html, nothing } from 'lit';
import { isMeant } from '../../../bindings/js/number/judge.js';
import { text } from '../../app/locale/text.js';
import { display } from '../../stage/draw/format.js';
import { cellKey } from '../../stage/draw/tensor.js';
import { ViewElement } from '../../stage/elements/base.js';
import { typeset } from '../../stage/telling/number.js';
import { DIVISORS } from './state.js';
import './what-if.css';

/** @typedef {import('../../app/session.js').Step} Step */

/** Of how many times its length a query can have. */
const [MOST, GRAIN] = [4, 0.25];
/** Where the divisor is seen at work, and where the length of a query is. */
const DIVIDED = ['weight', 'mix', 'output'];
const STRETCHED = ['query', 'score', ...DIVIDED];

/** The keys of a slider move it, and go nowhere else. @param {KeyboardEvent} event */
function keepKeys(event) {
  if (/^(Arrow|Home|End)/.test(event.key)) event.stopPropagation();
}

/** How many times another row a row is; null if it is no multiple of it.
 * @param {readonly number[]} row @param {readonly number[]} other */
function timesOf(row, other) {
  const most = other.reduce((a, b, i) => (Math.abs(b) > Math.abs(other[a]) ? i : a), 0);
  const times = other[most] === 0 ? 1 : row[most] / other[most];
  const isMultiple = row.every((x, i) => isMeant(Math.fround(other[i] * times), x));
  return isMultiple && times >= 0 && times <= MOST ? times : null;
}

/** What can be asked of the present step: the step that divides, and the queries of which a row can be longer.
 * @param {import('../../app/state/view.js').View} view */
export function askable(view) {
  const { stage, trace } = view;
  const scaling = trace.steps.find(
    ({ role, attributes }) => role === 'score' && 'factor' in attributes,
  );
  const queries = trace.steps.find(
    ({ role, axes }) => role === 'query' && `${axes}` === 'token,channel',
  );
  const role = String(stage.role);
  const divides = scaling?.bypassed === null && (stage === scaling || DIVIDED.includes(role));
  const stretches = queries && STRETCHED.includes(role) && view.editable(queries);
  return { scaling: divides ? scaling : null, queries: stretches ? queries : null };
}

export class WhatIf extends ViewElement {
  constructor() {
    super();
    /** Whether a way of the slider has begun that one undo takes back. */
    this.isMoving = false;
    /** The row that was stretched last, as it was before. @type {{ key: string, row: number[] } | null} */
    this.base = null;
  }

  render() {
    const { scaling, queries } = askable(this.view);
    if (!scaling && !queries) return nothing;
    return html`<div class="what-if" role="group" aria-label=${text('whatIf/label')}>
      ${scaling ? this.#divisors(scaling) : nothing} ${queries ? this.#stretch(queries) : nothing}
      ${
        this.view.isChanged
          ? html`<button @click=${() => this.act({ do: 'reset' })}>${text('whatIf/reset')}</button>`
          : nothing
      }
    </div>`;
  }

  /** @param {Step} scaling */
  #divisors(scaling) {
    const { divide } = this.view.state;
    const width = this.#widthOf(scaling);
    const words = { root: `√d_k = √${width}`, one: '1', width: `d_k = ${width}` };
    return html`<span class="divisors">
      <span>${text('whatIf/divide')}</span>
      <span class="choice">${DIVISORS.map(
        (name) => html`<button
          aria-pressed=${divide === name}
          @click=${() => this.act({ do: 'set', change: { divide: name } })}
        >${typeset(words[name])}</button>`,
      )}</span>
      <button class="test" aria-haspopup="dialog" @click=${() => this.act({ do: 'set', change: { claim: 'scale' } })}
        >${text('claims/test')}</button>
    </span>`;
  }

  /** d_k. @param {Step} scaling */
  #widthOf({ inputs }) {
    const { trace } = this.view;
    const scores = trace.step(String(inputs[0]));
    return trace.step(String(scores.inputs[0])).shape.at(-1);
  }

  /** The row of the query that is told, times a number. @param {Step} queries */
  #stretch({ name, shape, data }) {
    const { view } = this;
    const { focus, current } = view;
    const [rows, columns] = shape;
    const row = Math.min((focus ?? current)?.index.at(-2) ?? 0, rows - 1);
    const cells = Array.from({ length: columns }, (_, i) => ({ node: name, index: [row, i] }));
    const now = cells.map((_, i) => data[row * columns + i]);
    const isStretched = cells.every((cell) => view.edited.has(cellKey(cell)));
    const before = cells.map((cell, i) => (isStretched ? view.old(cell) : null) ?? now[i]);
    const key = `${view.example.title}/${name}/${row}`;
    /* A row that is no multiple of the one before is the reader's own. */
    const usual =
      [this.base, { key, row: before }].find(
        (base) => base?.key === key && timesOf(now, base.row) !== null,
      )?.row ?? now;
    const times = timesOf(now, usual) ?? 1;
    const token = view.example.tokens[row] ?? String(row + 1);
    /** @param {Event} event @param {boolean} ends */
    const move = ({ currentTarget }, ends) => {
      const by = /** @type {HTMLInputElement} */ (currentTarget).valueAsNumber;
      const edits = cells.map((cell, i) => ({ ...cell, value: Math.fround(usual[i] * by) }));
      this.base = { key, row: usual };
      this.act({ do: 'drag', edits, begins: !this.isMoving, ends });
      this.isMoving = !ends;
    };
    return html`<label class="stretch">
      <span>${text('whatIf/query', { token })}</span>
      <input
        type="range"
        min="0"
        max=${MOST}
        step=${GRAIN}
        .value=${String(times)}
        @keydown=${keepKeys}
        @input=${(/** @type {Event} */ event) => move(event, false)}
        @change=${(/** @type {Event} */ event) => move(event, true)}
      />
      <output>${display(times)}</output>
    </label>`;
  }
}

customElements.define('gf-what-if', WhatIf);
