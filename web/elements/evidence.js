// A claim about what breaks without a step, put to the test with several seeds: what it says of each quantity, curves
// with and without the step, how many seeds show it, and a verdict that follows from them. It is computed in slices,
// so that the page stays free; closing it stops it.
import { html, nothing } from 'lit';
import { claims } from '../experiments/claims.js';
import { spread, verdict } from '../experiments/evidence.js';
import { brings, text } from '../locale/text.js';
import { typeset } from '../telling/number.js';
import './plot.js';
import { SWITCH_CLAIMS, SWITCH_TEXTS } from '../telling/switch-texts.js';
import { Sheet } from './sheet.js';

/** @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */
const PLOT_TEXTS = {
  embedding: {
    loss: 'claims/embedding/plots/loss',
  },
  positions: {
    moved: 'claims/positions/plots/moved',
  },
  projections: {
    own: 'claims/projections/plots/own',
    one: 'claims/projections/plots/one',
  },
  scores: {
    found: 'claims/scores/plots/found',
  },
  scale: {
    spread: 'claims/scale/plots/spread',
    entropy: 'claims/scale/plots/entropy',
    gradient: 'claims/scale/plots/gradient',
  },
  mask: {
    noticed: 'claims/mask/plots/noticed',
    moved: 'claims/mask/plots/moved',
  },
  softmax: {
    reach: 'claims/softmax/plots/reach',
    negative: 'claims/softmax/plots/negative',
    off: 'claims/softmax/plots/off',
  },
  mix: {
    words: 'claims/mix/plots/words',
  },
  w_o: {
    heads: 'claims/w_o/plots/heads',
  },
  residual: {
    apart: 'claims/residual/plots/apart',
    gradient: 'claims/residual/plots/gradient',
  },
  norm: {
    size: 'claims/norm/plots/size',
  },
};

/** @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */
const TEST_TEXTS = {
  embedding: {
    loss: 'claims/embedding/tests/loss',
  },
  positions: {
    moved: 'claims/positions/tests/moved',
  },
  projections: {
    own: 'claims/projections/tests/own',
    one: 'claims/projections/tests/one',
  },
  scores: {
    found: 'claims/scores/tests/found',
  },
  scale: {
    spread: 'claims/scale/tests/spread',
    entropy: 'claims/scale/tests/entropy',
    gradient: 'claims/scale/tests/gradient',
  },
  mask: {
    noticed: 'claims/mask/tests/noticed',
    moved: 'claims/mask/tests/moved',
  },
  softmax: {
    negative: 'claims/softmax/tests/negative',
    off: 'claims/softmax/tests/off',
    reach: 'claims/softmax/tests/reach',
  },
  mix: {
    words: 'claims/mix/tests/words',
  },
  w_o: {
    heads: 'claims/w_o/tests/heads',
  },
  residual: {
    apart: 'claims/residual/tests/apart',
    gradient: 'claims/residual/tests/gradient',
  },
  norm: {
    size: 'claims/norm/tests/size',
  },
};

/** @type {Readonly<Record<string, string>>} */
const VERDICT_TEXTS = {
  holds: 'claims/holds',
  partly: 'claims/partly',
  fails: 'claims/fails',
};

/** @type {Readonly<Record<string, string>>} */
const CLAIM_LIMITS_TEXTS = {
  embedding: 'claims/embedding/limits',
  positions: 'claims/positions/limits',
  projections: 'claims/projections/limits',
  scores: 'claims/scores/limits',
  scale: 'claims/scale/limits',
  mask: 'claims/mask/limits',
  softmax: 'claims/softmax/limits',
  mix: 'claims/mix/limits',
  w_o: 'claims/w_o/limits',
  residual: 'claims/residual/limits',
  norm: 'claims/norm/limits',
};

/** @type {Readonly<Record<string, string>>} */
const CLAIM_ACROSS_TEXTS = {
  embedding: 'claims/embedding/across',
  positions: 'claims/positions/across',
  projections: 'claims/projections/across',
  scores: 'claims/scores/across',
  scale: 'claims/scale/across',
  mask: 'claims/mask/across',
  softmax: 'claims/softmax/across',
  mix: 'claims/mix/across',
  w_o: 'claims/w_o/across',
  residual: 'claims/residual/across',
  norm: 'claims/norm/across',
};

/** @type {Readonly<Record<string, string>>} */
const SHOWN_TEXTS = {
  everywhere: 'claims/shown/everywhere',
  from: 'claims/shown/from',
  some: 'claims/shown/some',
  nowhere: 'claims/shown/nowhere',
};

brings(
  import.meta.glob('../../bindings/words/en/page.json', {
    query: '?claims',
    import: 'default',
    eager: true,
  }),
);

export { evidence } from '../experiments/evidence.js';

/** @typedef {import('../experiments/evidence.js').Evidence} Evidence */

/** @typedef {import('../experiments/evidence.js').Shown} Shown */

const SEED = 7;

/** @param {Evidence} evidence */
const seedsOf = ({ seeds }) => ({
  n: seeds.length,
  first: seeds[0],
  last: seeds[seeds.length - 1],
});

/** Lets the page breathe. */
const breath = () => new Promise((done) => setTimeout(done));

export class EvidenceSheet extends Sheet {
  static properties = {
    ...Sheet.properties,
    view: { attribute: false },
    seed: { state: true },
    found: { state: true },
    at: { state: true },
  };

  constructor() {
    super();
    this.open = true;
    /** @type {import('../state/view.js').View} */
    this.view = /** @type {any} */ (null);
    this.seed = SEED;
    /** @type {Evidence | null} */
    this.found = null;
    /** The place that is picked on the plots. */
    this.at = 0;
    /** What is computed now; another one begins when it changes. */
    this.run = 0;
  }

  /** The claim that is tested. */
  get name() {
    return /** @type {string} */ (this.view.state.claim);
  }

  /** Which claim is tested is part of the state, which opens and closes this. */
  get passing() {
    return false;
  }

  firstUpdated() {
    this.#measure();
  }

  connectedCallback() {
    super.connectedCallback();
    if (this.hasUpdated) this.#measure();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.run++;
  }

  async #measure() {
    const run = ++this.run;
    this.found = null;
    this.at = claims[this.name].places.length - 1;
    const steps = await this.view.session.evidence(this.name, this.seed);
    for (const found of run === this.run ? steps : []) {
      this.found = found;
      await breath();
      if (run !== this.run) return;
    }
  }

  #closed = () => {
    this.closed();
    if (this.open || !this.isConnected) return;
    this.run++;
    this.act({ do: 'set', change: { claim: null } });
  };

  render() {
    return html`<dialog aria-labelledby="evidence-title" @close=${this.#closed}>
      ${this.#sheet(this.name)}
    </dialog>`;
  }

  /** @param {string} name */
  #sheet(name) {
    const { found } = this;
    const judged = found && found.done === found.all ? verdict(found) : null;
    return html`
      <h2 id="evidence-title" tabindex="-1" autofocus>${typeset(text('claims/without', { what: text(SWITCH_TEXTS[name]) }))}</h2>
      <p class="claim">${typeset(text(SWITCH_CLAIMS[name]))}</p>
      <div class="plots">
        ${Object.keys(claims[name].plots).map((plot) => this.#plot(name, plot, judged?.shown[plot] ?? null))}
      </div>
      ${
        found && judged
          ? html`<p class="verdict" role="status">
              <b>${text(VERDICT_TEXTS[judged.says])}</b>
              <span>${text('claims/limits')} ${typeset(text(CLAIM_LIMITS_TEXTS[name]))}</span>
            </p>
            <p class="seeds">${text('claims/seeds', seedsOf(found))}</p>`
          : html`<p class="verdict" role="status">
              <progress max=${found?.all ?? 1} .value=${found?.done ?? 0}></progress>
              ${text('claims/measuring')}
            </p>`
      }
      <div class="tools">
        <label
          >${text('claims/seed')}
          <input
            type="number"
            min="0"
            max="4294967295"
            .value=${String(this.seed)}
            @change=${(/** @type {Event} */ event) => {
              const field = /** @type {HTMLInputElement} */ (event.currentTarget);
              if (!field.checkValidity() || field.value === '') return;
              this.seed = field.valueAsNumber;
              this.#measure();
            }}
          /></label
        >
        ${this.#switch(name)}
        <form method="dialog"><button>${text('page/close')}</button></form>
      </div>
    `;
  }

  /**
   * @param {string} name
   * @param {string} plot
   * @param {Shown | null} shown once all is measured
   */
  #plot(name, plot, shown) {
    const { places, plots } = claims[name];
    const { axis } = plots[plot];
    const curve = (/** @type {'intact' | 'removed'} */ run) => {
      const all = places.map((_, at) => spread(this.found?.[run][at], plot));
      const of = (/** @type {'mean' | 'low' | 'high'} */ which) =>
        all.map((one) => (one && (axis === 'linear' || one.low > 0) ? one[which] : null));
      return { values: of('mean'), band: { low: of('low'), high: of('high') } };
    };
    const what = text(SWITCH_TEXTS[name]);
    const label = text(PLOT_TEXTS[name][plot]);
    const across = text(CLAIM_ACROSS_TEXTS[name]);
    return html`<figure>
      <figcaption>
        <b>${typeset(label)}</b>
        <span class="says">${typeset(text(TEST_TEXTS[name][plot]))}</span>
      </figcaption>
      <gf-plot
        .chart=${{
          places,
          across,
          up: '',
          logs: {
            x: places.every((place, at) => at === 0 || place === 2 * places[at - 1]),
            y: axis === 'log',
          },
          curves: [
            { label: text('stage/intact'), colour: '--ink', ...curve('intact') },
            {
              label: text('stage/without', { what }),
              colour: '--q-ink',
              dashed: true,
              ...curve('removed'),
            },
          ],
        }}
        .at=${this.at}
        .label=${`${label}: ${across}`}
        .theme=${this.view.theme}
        @gf-place=${(/** @type {CustomEvent} */ event) => {
          this.at = event.detail.place;
        }}
      ></gf-plot>
      <p class="shown">${shown ? this.#shown(name, shown) : nothing}</p>
    </figure>`;
  }

  /**
   * How many seeds show it, and where.
   * @param {string} name
   * @param {Shown} shown
   */
  #shown(name, { says, counts, from }) {
    const { places } = claims[name];
    const last = places.length - 1;
    const values = {
      n: /** @type {Evidence} */ (this.found).seeds.length,
      k: counts[last],
      across: text(CLAIM_ACROSS_TEXTS[name]),
      place: says === 'from' ? places[from] : places[last],
    };
    return typeset(text(SHOWN_TEXTS[says], values));
  }

  /** The switch itself, where the example has that step. @param {string} name */
  #switch(name) {
    const able = this.view.trace.removable.find((entry) => entry.name === name);
    const removed = this.view.state.remove.includes(name);
    if (!able?.possible && !removed) return nothing;
    return html`<label
      ><input
        type="checkbox"
        .checked=${removed}
        @change=${() => this.act({ do: 'remove', name })}
      />
      ${text('claims/here')}</label
    >`;
  }
}

customElements.define('gf-evidence', EvidenceSheet);
