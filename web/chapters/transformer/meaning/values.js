// One value matrix holds verbs, another adjectives: how much of the differences between the values of words each kind
// explains, head by head, and the values of one head in the plane of their largest differences.
import { html, svg } from 'lit';
import { text } from '../../../app/locale/text.js';
import { placeIn } from '../../../stage/draw/basis.js';
import { display } from '../../../stage/draw/format.js';
import { principal } from '../../../stage/draw/principal.js';
import { factsTable } from '../../../stage/elements/facts-table.js';
import { plain } from '../../../stage/telling/number.js';
import { valueShares } from './measures.js';
import { MeaningPart } from './part.js';
import { valuesVerdict } from './verdicts.js';

/** Of the sentences that the words stand in. */
const SEED = 0;
/** Half of the drawing, and of what is used of it. */
const [HALF, ROOM] = [100, 94];
const KIND_TEXTS = {
  verb: 'chapters/meaning/values/verb',
  adjective: 'chapters/meaning/values/adjective',
  noun: 'chapters/meaning/values/noun',
};

/** @typedef {NonNullable<Awaited<ReturnType<typeof valueShares>>>} Result */

/** @extends {MeaningPart<Result>} */
export class Values extends MeaningPart {
  /** @param {AbortSignal} signal */
  measure(signal) {
    return valueShares({ ...this.subject, signal }, SEED);
  }

  /** Of a head, counted through the layers. @param {number} head @param {number} all */
  #name(head, all) {
    const heads = all / 2;
    return text('chapters/meaning/head', {
      layer: Math.floor(head / heads) + 1,
      h: (head % heads) + 1,
    });
  }

  render() {
    const { result } = this;
    return html`<p class="prose">${text('chapters/meaning/values/about')}</p>
      ${result ? this.#shown(result) : this.waiting()}`;
  }

  /** @param {Result} result */
  #shown(result) {
    const [verbs, adjectives] = [result.verbs, result.adjectives].map((heads) =>
      heads.map(({ share, chance }) => ({ share: Number(share), chance: Number(chance) })),
    );
    const { says, verb, adjective } = valuesVerdict(verbs, adjectives);
    const shown = (/** @type {number} */ value) => display(Math.fround(value));
    const why = text('chapters/meaning/values/why', {
      n: result.words.length,
      verbHead: this.#name(verb, verbs.length),
      verb: shown(verbs[verb].share),
      adjectiveHead: this.#name(adjective, verbs.length),
      adjective: shown(adjectives[adjective].share),
    });
    return html`<div class="pairs">
        <div class="by-head">${this.#table(verbs, adjectives)}</div>
        ${this.#plane(result)}
      </div>
      ${this.verdict(says, why)}`;
  }

  /** @param {import('./verdicts.js').Share[]} verbs @param {import('./verdicts.js').Share[]} adjectives */
  #table(verbs, adjectives) {
    const bar = (
      /** @type {import('./verdicts.js').Share} */ { share, chance },
      /** @type {string} */ kind,
    ) =>
      html`<td>
        <i class="portion ${kind}" style="--share:${share};--chance:${chance}"></i> ${plain(Math.fround(share))}
      </td>`;
    return factsTable(
      text('chapters/meaning/values/table'),
      [text('chapters/meaning/values/head'), text(KIND_TEXTS.verb), text(KIND_TEXTS.adjective)],
      verbs.map(
        (share, i) => html`<tr class=${i === this.view.state.mark ? 'active' : ''}>
          <th scope="row">
            <button aria-pressed=${i === this.view.state.mark} @click=${() => this.set({ mark: i })}>
              ${this.#name(i, verbs.length)}
            </button>
          </th>
          ${bar(share, 'verb')} ${bar(adjectives[i], 'adjective')}
        </tr>`,
      ),
    );
  }

  /** The values of all words in one head. @param {Result} result */
  #plane({ words, vectors }) {
    const { mark } = this.view.state;
    const rows = vectors[mark].map((row) => [...row]);
    const mean = rows[0].map((_, c) => rows.reduce((sum, row) => sum + row[c], 0) / rows.length);
    const centred = rows.map((row) => row.map((x, c) => x - mean[c]));
    const basis = principal(centred);
    const places = centred.map((row) => placeIn(basis, row));
    const most = Math.max(...places.flat().map(Math.abs));
    const label = text('chapters/meaning/values/plane', {
      head: this.#name(mark, vectors.length),
    });
    return html`<figure class="scatter">
      <svg viewBox="${-HALF} ${-HALF} ${2 * HALF} ${2 * HALF}" role="img" aria-label=${label}>
        <path class="axis" d="M${-HALF} 0H${HALF}M0 ${-HALF}V${HALF}" />
        ${places.map(
          ([x, y], i) => svg`<circle
            class=${words[i].kind}
            cx=${(ROOM * x) / most}
            cy=${(-ROOM * y) / most}
            r="2"
          ><title>${words[i].word}</title></circle>`,
        )}
      </svg>
      <figcaption>
        <span>${label}</span>
        ${Object.entries(KIND_TEXTS).map(
          ([kind, key]) => html`<span class="kind ${kind}">${text(key)}</span>`,
        )}
      </figcaption>
    </figure>`;
  }
}

customElements.define('gf-values', Values);
