// What the heads of each layer do: bars of what each head looks at, beside a head that attends to all words alike; the lines
// of the chosen head in the sentence; what the model writes without that head; and what this says of what texts claim.
import { html, nothing } from 'lit';
import { brings, text } from '../../app/locale/text.js';
import { display } from '../../stage/draw/format.js';
import { Base } from '../../stage/elements/base.js';
import { headBars } from '../../stage/elements/head-bars.js';
import { labelsOf } from './labels.js';
import { lines } from './lines.js';
import './roles.css';
import { CLAIMS, TranslatorRoles } from './roles-model.js';
import { ROLES } from './state.js';

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
    query: '?chapters/roles',
    import: 'default',
    eager: true,
  }),
);

/** @typedef {import('./roles-model.js').HeadRoles} HeadRoles */
/** @typedef {import('./roles-model.js').Head} Head */
/** @typedef {import('./roles-model.js').Answers} Answers */
/** @typedef {HeadRoles['verdicts']} Verdicts */

/** @type {Readonly<Record<string, string>>} */
const MEASURE_TEXTS = {
  distance: 'chapters/roles/measures/distance',
  previous: 'chapters/roles/measures/previous',
  nounDeterminer: 'chapters/roles/measures/nounDeterminer',
  determinerNoun: 'chapters/roles/measures/determinerNoun',
  adjectiveNoun: 'chapters/roles/measures/adjectiveNoun',
  prepositionObject: 'chapters/roles/measures/prepositionObject',
  objectPreposition: 'chapters/roles/measures/objectPreposition',
  verbSubject: 'chapters/roles/measures/verbSubject',
  subjectVerb: 'chapters/roles/measures/subjectVerb',
  far: 'chapters/roles/measures/far',
};

/** @type {Readonly<Record<string, string>>} */
const CLAIM_TEXTS = {
  reach: 'chapters/roles/claims/reach',
  order: 'chapters/roles/claims/order',
  determiners: 'chapters/roles/claims/determiners',
  prepositions: 'chapters/roles/claims/prepositions',
  subjects: 'chapters/roles/claims/subjects',
  far: 'chapters/roles/claims/far',
};

/** @type {Readonly<Record<string, string>>} */
const SAYS_TEXTS = {
  holds: 'chapters/roles/says/holds',
  partly: 'chapters/roles/says/partly',
  fails: 'chapters/roles/says/fails',
  few: 'chapters/roles/says/few',
};

/** What the bars are called; the page counts from 1. */
const NAMES = {
  layer: (/** @type {number} */ layer) => text('chapters/roles/layer', { layer: layer + 1 }),
  head: (/** @type {number} */ head) => text('chapters/roles/head', { head: head + 1 }),
  even: (/** @type {string} */ value) => text('chapters/roles/even', { value }),
};

/** ms that each measure is shown while all are played. */
const PLAYED_MS = 2000;

/** @param {number} part */
const percent = (part) => Math.round(100 * part);

/** What a head has of a measure. @param {HeadRoles['heads'][number]} head @param {string} measure */
const amountOf = (head, measure) =>
  measure === 'distance' || measure === 'previous'
    ? head[measure]
    : head.relations[measure].attention;

/** The same of a head that attends to all words alike. @param {HeadRoles} roles @param {string} measure */
const evenOf = ({ even, relations }, measure) =>
  measure === 'distance' || measure === 'previous' ? even[measure] : relations[measure].even;

/** @param {Head} a @param {Head} b */
const isSame = (a, b) => a.layer === b.layer && a.head === b.head;

class Roles extends Base {
  static properties = {
    view: { attribute: false },
    subject: { attribute: false },
    roles: { state: true },
    played: { state: true },
    intact: { state: true },
    changed: { state: true },
  };

  constructor() {
    super();
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {import('./translator.js').Translator} */
    this.subject = /** @type {any} */ (null);
    /** @type {TranslatorRoles | null} */
    this.model = null;
    /** What was measured. @type {HeadRoles | null} */
    this.roles = null;
    /** The measure that is played; null if none is. @type {string | null} */
    this.played = null;
    /** What the model writes, and what it writes without the head. @type {Answers | null} */
    this.intact = null;
    /** @type {Answers | null} */
    this.changed = null;
    this.asked = '';
    this.stop = new AbortController();
    this.bar = document.createElement('progress');
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stop.abort();
    this.asked = '';
    this.#pause();
  }

  /** Resolves once everything that the state asks for is computed. */
  async getUpdateComplete() {
    await super.getUpdateComplete();
    while (this.work) await this.work;
    return super.getUpdateComplete();
  }

  /** The measures that are taken; a head is chosen by the state, or is the one that has most. */
  get measure() {
    return this.played ?? this.view.state.role;
  }

  /** @returns {Head | null} */
  get head() {
    const { roles, measure } = this;
    if (!roles) return null;
    const { roleHead } = this.view.state;
    const [layer, head] = roleHead.split('.').map(Number);
    const chosen = roles.heads.find((one) => isSame(one, { layer, head }));
    if (chosen && !this.played) return chosen;
    return roles.heads.reduce((a, b) => (amountOf(b, measure) > amountOf(a, measure) ? b : a));
  }

  willUpdate() {
    const { text: sentence, headOff } = this.view.state;
    const { head } = this;
    const removed = headOff && head ? `${head.layer}.${head.head} ${sentence}` : '';
    const asked = `${!!this.roles} ${removed}`;
    if (asked === this.asked || !this.isConnected || this.played) return;
    this.asked = asked;
    this.stop.abort();
    this.stop = new AbortController();
    this.changed = null;
    const { signal } = this.stop;
    const work = !this.roles
      ? this.#measure(signal)
      : removed
        ? this.#remove(sentence, /** @type {Head} */ (head), signal)
        : null;
    this.work = work
      ?.catch(() => this.#lost(signal))
      .finally(() => {
        if (asked === this.asked) this.work = null;
      });
  }

  /** @type {Promise<void> | null | undefined} */
  work = null;

  /** @param {AbortSignal} signal */
  #listener(signal) {
    return {
      signal,
      onProgress: (/** @type {number} */ part) => {
        this.bar.value = part;
      },
    };
  }

  /** @param {AbortSignal} signal */
  #lost(signal) {
    if (signal.aborted) return;
    this.tell(text('page/notLoaded'), () => {
      this.asked = '';
      this.requestUpdate();
    });
  }

  /** @param {AbortSignal} signal */
  async #measure(signal) {
    this.model ??= new TranslatorRoles(
      this.subject,
      this.view.session.saved(/** @type {Uint8Array} */ (this.subject.weights)),
    );
    this.roles = await this.model.measure(this.#listener(signal));
  }

  /** @param {string} sentence @param {Head} head @param {AbortSignal} signal */
  async #remove(sentence, { layer, head }, signal) {
    const model = /** @type {TranslatorRoles} */ (this.model);
    const changed = await model.answers(sentence, { layer, head }, this.#listener(signal));
    const intact = changed && (await model.answers(sentence, null, this.#listener(signal)));
    if (!changed || !intact || signal.aborted) return;
    this.intact = intact;
    this.changed = changed;
  }

  // ---- All measures, one after the other ----

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {string} measure */
  #play(measure) {
    this.played = measure;
    const next = ROLES[ROLES.indexOf(measure) + 1];
    this.#timer = setTimeout(() => (next ? this.#play(next) : this.#pause()), PLAYED_MS);
  }

  /** What was played last stays. */
  #pause = () => {
    clearTimeout(this.#timer);
    const { played } = this;
    if (!played) return;
    this.played = null;
    if (this.isConnected) this.#set({ role: played, roleHead: '', headOff: false });
  };

  /** @param {{ role?: string, roleHead?: string, headOff?: boolean }} change */
  #set(change) {
    this.act({ do: 'set', change });
  }

  // ---- What is seen ----

  render() {
    const { roles } = this;
    const n = this.model?.count ?? 0;
    return html`<div class="panel">
      <h2>${text('chapters/roles/title')}</h2>
      <p class="prose">${text('chapters/roles/about')}</p>
      ${
        roles
          ? this.#measured(roles)
          : html`<p role="status">${text('chapters/roles/measuring', { n })} ${this.bar}</p>`
      }
    </div>`;
  }

  /** @param {HeadRoles} roles */
  #measured(roles) {
    const { measure } = this;
    const head = /** @type {Head} */ (this.head);
    return html`
      <div class="controls" role="group" aria-label=${text('chapters/roles/choose')}>
        ${ROLES.map(
          (one) => html`<button
            aria-pressed=${one === measure}
            @click=${() => {
              this.#pause();
              this.#set({ role: one, roleHead: '', headOff: false });
            }}
          >${text(MEASURE_TEXTS[one])}</button>`,
        )}
        <button class="main" @click=${() => (this.played ? this.#pause() : this.#play(ROLES[0]))}>
          ${this.played ? text('chapters/roles/stop') : text('chapters/roles/play')}
        </button>
      </div>
      <div class="beside">
        <section>${this.#bars(roles, measure, head)} ${this.#verdict(roles, measure)}</section>
        <section>
          ${this.#sentence(measure, head)} ${this.#removal(head)} ${this.#claims(roles)}
        </section>
      </div>
    `;
  }

  /** @param {HeadRoles} roles @param {string} measure @param {Head} chosen */
  #bars(roles, measure, chosen) {
    return html`
      <p class="quiet">${this.#unit(roles, measure)}</p>
      ${headBars({
        bars: roles.heads.map((one) => ({ ...one, value: amountOf(one, measure) })),
        names: NAMES,
        even: evenOf(roles, measure),
        isChosen: (one) => isSame(one, chosen),
        choose: ({ layer, head }) => this.#set({ role: measure, roleHead: `${layer}.${head}` }),
      })}`;
  }

  /** @param {HeadRoles} roles @param {string} measure */
  #unit({ relations, texts }, measure) {
    if (measure === 'distance') return text('chapters/roles/unit/distance', { n: texts });
    if (measure === 'previous') return text('chapters/roles/unit/previous', { n: texts });
    return text('chapters/roles/unit/relation', { n: relations[measure].count });
  }

  /** What the sentences say of the measure. @param {HeadRoles} roles @param {string} measure */
  #verdict(roles, measure) {
    const { verdicts } = roles;
    if (measure === 'previous') return nothing;
    if (measure === 'distance') return said(verdicts.reach.says, reachOf(verdicts));
    const verdict = verdicts.relations[measure];
    if (!verdict) return said('few', '');
    const head = /** @type {HeadRoles['heads'][number]} */ (
      roles.heads.find((one) => isSame(one, verdict))
    );
    const { even, offset, fixed } = roles.relations[measure];
    const { attention, largest } = head.relations[measure];
    const numbers = text('chapters/roles/relation', {
      ...{ layer: verdict.layer + 1, head: verdict.head + 1 },
      ...{ attention: display(attention), even: display(even) },
      ...{ largest: percent(largest), fixed: percent(fixed), offset: Math.abs(offset) },
    });
    return html`${said(verdict.says, numbers)}
      <p class="quiet">${text('chapters/roles/rule')}</p>`;
  }

  /** The lines of a head in the sentence above. @param {string} measure @param {Head} head */
  #sentence(measure, { layer, head }) {
    const { view } = this;
    const step = view.trace.steps.find(
      (one) =>
        one.role === 'weight' &&
        one.stack === 'encoder' &&
        one.part === 'self_attn' &&
        one.layer === layer,
    );
    if (!step) return nothing;
    const links = this.model?.links(view.state.text) ?? null;
    const isRelation = measure !== 'distance' && measure !== 'previous';
    const lit = new Set(
      (links ?? [])
        .filter(({ relation }) => relation === measure)
        .map(({ query, keys }) => `${query} ${keys[0]}`),
    );
    const isLit = (/** @type {number} */ i, /** @type {number} */ j) =>
      measure === 'previous' ? j === i - 1 : lit.has(`${i} ${j}`);
    const { rows, columns } = labelsOf(step, view);
    const [, n] = step.shape;
    const weights = rows.map((_, i) =>
      columns.map((_, j) => step.data[(head * n + i) * columns.length + j]),
    );
    const missing = !isRelation
      ? ''
      : links === null
        ? text('chapters/roles/outside')
        : lit.size === 0
          ? text('chapters/roles/noPair')
          : '';
    const what = { layer: layer + 1, head: head + 1 };
    return html`<h3>${text('chapters/roles/here', what)}</h3>
      ${lines({ above: columns, below: rows, weights, isLit: measure === 'distance' || missing ? null : isLit })}
      <p class="quiet">${missing || (measure === 'distance' ? '' : text('chapters/roles/lit'))}</p>`;
  }

  /** @param {Head} head */
  #removal({ layer, head }) {
    const { headOff } = this.view.state;
    const { intact, changed, model, work } = this;
    const n = model?.count ?? 0;
    const outcome = () => {
      if (!changed || !intact) return work ? html`<p role="status">${this.bar}</p>` : nothing;
      return html`<p role="status">
        ${
          changed.text === intact.text
            ? text('chapters/roles/stays', { answer: intact.text })
            : text('chapters/roles/becomes', { answer: changed.text, intact: intact.text })
        }
        ${text('chapters/roles/right', { n, right: changed.right, intact: intact.right })}
      </p>`;
    };
    return html`<div class="removal">
      <button
        aria-pressed=${headOff}
        ?disabled=${!!this.played}
        @click=${() =>
          this.#set({ role: this.measure, roleHead: `${layer}.${head}`, headOff: !headOff })}
      >${text('chapters/roles/remove', { layer: layer + 1, head: head + 1 })}</button>
      ${headOff ? outcome() : nothing}
    </div>`;
  }

  /** @param {HeadRoles} roles */
  #claims({ verdicts }) {
    const { reach, order } = verdicts;
    const rows = [
      { name: 'reach', says: reach.says, role: 'distance' },
      ...(order ? [{ name: 'order', says: order.says, role: '' }] : []),
      ...Object.entries(CLAIMS).map(([name, relations]) => ({
        name,
        ...bestOf(verdicts, relations),
      })),
    ];
    return html`<h3>${text('chapters/roles/claimed')}</h3>
      <table class="claims">
        ${rows.map(
          ({ name, says, role }) => html`<tr>
            <th scope="row">${text(CLAIM_TEXTS[name])}</th>
            <td class=${says}>${
              role
                ? html`<button @click=${() => this.#set({ role, roleHead: '', headOff: false })}>
                    ${text(SAYS_TEXTS[says])}
                  </button>`
                : html`<b>${text(SAYS_TEXTS[says])}</b> ${orderOf(verdicts)}`
            }</td>
          </tr>`,
        )}
      </table>`;
  }
}

/** A verdict, and its numbers. @param {string} says @param {string} numbers */
const said = (says, numbers) =>
  html`<p class="verdict ${says === 'fails' ? 'against' : ''}"><b>${text(SAYS_TEXTS[says])}</b> ${numbers}</p>`;

/** @param {Verdicts} verdicts */
const reachOf = ({ reach: { layers, farther } }) =>
  text('chapters/roles/reach', {
    layers: layers.map((distance) => display(distance)).join(' → '),
    parts: farther.map((part) => `${percent(part)} %`).join(', '),
  });

/** Around which layers the levels centre. @param {Verdicts} verdicts */
function orderOf({ order }) {
  const depth = (/** @type {string} */ level) => {
    const layer = order?.depth[level];
    return typeof layer === 'number' ? display(layer + 1) : '–';
  };
  return text('chapters/roles/depth', {
    neighbours: depth('neighbours'),
    phrase: depth('phrase'),
    sentence: depth('sentence'),
  });
}

/** The better of two directions. @param {Verdicts} verdicts @param {string[]} relations */
function bestOf({ relations: all }, relations) {
  const order = ['few', 'fails', 'partly', 'holds'];
  return relations
    .map((role) => ({ role, says: /** @type {string} */ (all[role]?.says ?? 'few') }))
    .reduce((a, b) => (order.indexOf(b.says) > order.indexOf(a.says) ? b : a));
}

customElements.define('gf-roles', Roles);
