// Tests a claim about what breaks without a step, with several seeds: what the claim says about each quantity, curves
// with and without the step, how many seeds show it, and the verdict. The computation pauses after each part, so that the
// page responds; closing the sheet stops it.
import { html, nothing } from 'lit';
import { brings, text } from '../../app/locale/text.js';
import { claims } from '../experiments/claims.js';
import { spread, verdict } from '../experiments/evidence.js';
import { typeset } from '../telling/number.js';
import './plot.js';
import './sharpness.js';
import { SWITCH_TEXTS } from '../telling/switch-texts.js';
import { Sheet } from './sheet.js';

/** Where the texts about each claim are. plots: what each of them is called, and what the claim says about it. instead: what the third curve is
 * called, and what it shows.
 * @type {Readonly<Record<string, { limits: string, across: string, instead?: [string, string],
 *   plots: Record<string, [string, string]> }>>} */
const CLAIM_TEXTS = {
  embedding: {
    limits: 'claims/embedding/limits',
    across: 'claims/embedding/across',
    plots: {
      fixed: ['claims/embedding/plots/fixed', 'claims/embedding/tests/fixed'],
      loss: ['claims/embedding/plots/loss', 'claims/embedding/tests/loss'],
    },
  },
  positions: {
    limits: 'claims/positions/limits',
    across: 'claims/positions/across',
    plots: { moved: ['claims/positions/plots/moved', 'claims/positions/tests/moved'] },
  },
  projections: {
    limits: 'claims/projections/limits',
    across: 'claims/projections/across',
    plots: {
      own: ['claims/projections/plots/own', 'claims/projections/tests/own'],
      one: ['claims/projections/plots/one', 'claims/projections/tests/one'],
    },
  },
  scores: {
    limits: 'claims/scores/limits',
    across: 'claims/scores/across',
    plots: { found: ['claims/scores/plots/found', 'claims/scores/tests/found'] },
  },
  scale: {
    limits: 'claims/scale/limits',
    across: 'claims/scale/across',
    instead: ['claims/scale/instead', 'claims/scale/flat'],
    plots: {
      spread: ['claims/scale/plots/spread', 'claims/scale/tests/spread'],
      entropy: ['claims/scale/plots/entropy', 'claims/scale/tests/entropy'],
      gradient: ['claims/scale/plots/gradient', 'claims/scale/tests/gradient'],
    },
  },
  mask: {
    limits: 'claims/mask/limits',
    across: 'claims/mask/across',
    plots: {
      noticed: ['claims/mask/plots/noticed', 'claims/mask/tests/noticed'],
      moved: ['claims/mask/plots/moved', 'claims/mask/tests/moved'],
    },
  },
  softmax: {
    limits: 'claims/softmax/limits',
    across: 'claims/softmax/across',
    plots: {
      reach: ['claims/softmax/plots/reach', 'claims/softmax/tests/reach'],
      negative: ['claims/softmax/plots/negative', 'claims/softmax/tests/negative'],
      off: ['claims/softmax/plots/off', 'claims/softmax/tests/off'],
    },
  },
  mix: {
    limits: 'claims/mix/limits',
    across: 'claims/mix/across',
    plots: { words: ['claims/mix/plots/words', 'claims/mix/tests/words'] },
  },
  w_o: {
    limits: 'claims/w_o/limits',
    across: 'claims/w_o/across',
    plots: { heads: ['claims/w_o/plots/heads', 'claims/w_o/tests/heads'] },
  },
  residual: {
    limits: 'claims/residual/limits',
    across: 'claims/residual/across',
    plots: {
      apart: ['claims/residual/plots/apart', 'claims/residual/tests/apart'],
      gradient: ['claims/residual/plots/gradient', 'claims/residual/tests/gradient'],
    },
  },
  norm: {
    limits: 'claims/norm/limits',
    across: 'claims/norm/across',
    plots: { size: ['claims/norm/plots/size', 'claims/norm/tests/size'] },
  },
};

/** @type {Readonly<Record<string, string>>} */
const VERDICT_TEXTS = {
  holds: 'claims/holds',
  partly: 'claims/partly',
  fails: 'claims/fails',
};

/** @type {Readonly<Record<string, string>>} */
const SHOWN_TEXTS = {
  everywhere: 'claims/shown/everywhere',
  from: 'claims/shown/from',
  some: 'claims/shown/some',
  nowhere: 'claims/shown/nowhere',
};

brings(
  import.meta.glob('../../../bindings/words/en/page.json', {
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

/** Lets the page respond. */
const nextTask = () => new Promise((done) => setTimeout(done));

export class EvidenceSheet extends Sheet {
  static properties = {
    view: { attribute: false },
    seed: { state: true },
    evidence: { state: true },
    at: { state: true },
  };

  constructor() {
    super();
    this.open = true;
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    this.seed = SEED;
    /** @type {Evidence | null} */
    this.evidence = null;
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
    this.evidence = null;
    this.at = claims[this.name].places.length - 1;
    const steps = await this.view.session.evidence(this.name, this.seed);
    for (const evidence of run === this.run ? steps : []) {
      this.evidence = evidence;
      await nextTask();
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
    const { evidence } = this;
    const { instead } = CLAIM_TEXTS[name];
    const judged = evidence && evidence.done === evidence.all ? verdict(evidence) : null;
    return html`
      <h2 id="evidence-title" tabindex="-1" autofocus>${typeset(text('claims/without', { what: text(SWITCH_TEXTS[name].name) }))}</h2>
      <p class="claim">${typeset(text(SWITCH_TEXTS[name].claim))}</p>
      ${instead ? html`<p>${typeset(text(instead[1]))}</p>` : nothing}
      <div class="plots">
        ${Object.keys(claims[name].plots).map((plot) => this.#plot(name, plot, judged?.shown[plot] ?? null))}
      </div>
      ${
        evidence && judged
          ? html`<p class="verdict" role="status">
              <b>${text(VERDICT_TEXTS[judged.says])}</b>
              <span>${text('claims/limits')} ${typeset(text(CLAIM_TEXTS[name].limits))}</span>
            </p>
            <p class="seeds">${text('claims/seeds', seedsOf(evidence))}</p>`
          : html`<p class="verdict" role="status">
              <progress max=${evidence?.all ?? 1} .value=${evidence?.done ?? 0}></progress>
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
    const curve = (/** @type {'intact' | 'removed' | 'instead'} */ run) => {
      const all = places.map((_, i) => spread(this.evidence?.[run][i], plot));
      const of = (/** @type {'mean' | 'low' | 'high'} */ which) =>
        all.map((one) => (one && (axis === 'linear' || one.low > 0) ? one[which] : null));
      return { values: of('mean'), band: { low: of('low'), high: of('high') } };
    };
    const what = text(SWITCH_TEXTS[name].name);
    const [label, says] = CLAIM_TEXTS[name].plots[plot].map((key) => text(key));
    const across = text(CLAIM_TEXTS[name].across);
    const { instead } = CLAIM_TEXTS[name];
    return html`<figure>
      <figcaption>
        <b>${typeset(label)}</b>
        <span class="says">${typeset(says)}</span>
      </figcaption>
      <gf-plot
        .chart=${{
          places,
          across,
          up: '',
          logs: {
            x: places.every((place, i) => i === 0 || place === 2 * places[i - 1]),
            y: axis === 'log',
          },
          curves: [
            { label: text('stage/intact'), colour: '--ink', ...curve('intact') },
            {
              label: text('stage/without', { what }),
              colour: '--curve-2',
              dashed: true,
              ...curve('removed'),
            },
            ...(instead
              ? [{ label: text(instead[0]), colour: '--curve-3', ...curve('instead') }]
              : []),
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
      n: /** @type {Evidence} */ (this.evidence).seeds.length,
      k: counts[last],
      across: text(CLAIM_TEXTS[name].across),
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
