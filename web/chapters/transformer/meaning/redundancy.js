// The weights are redundant: the example of three tokens, whose scores are symmetric and whose weights are not; and how far
// the heads of the translator are from saying everything twice.
import { html } from 'lit';
import { text } from '../../../app/locale/text.js';
import { display } from '../../../stage/draw/format.js';
import { factsTable } from '../../../stage/elements/facts-table.js';
import { number, plain, typeset } from '../../../stage/telling/number.js';
import { headSymmetry } from './measures.js';
import { MeaningPart } from './part.js';
import { symmetryVerdict } from './verdicts.js';

const EXAMPLE = 'three-tokens';
/** Of the sentences. */
const SEED = 0;

/** @typedef {import('../../../app/session.js').Step} Step */
/** @typedef {NonNullable<Awaited<ReturnType<typeof headSymmetry>>>} Heads */

/** @extends {MeaningPart<Heads>} */
export class Redundancy extends MeaningPart {
  /** @param {AbortSignal} signal */
  measure(signal) {
    return headSymmetry({ ...this.subject, signal }, SEED);
  }

  render() {
    const { trace } = this.session.run(
      this.session.exampleOf({ example: EXAMPLE, sentence: null }),
      { remove: [], edits: [] },
    );
    const [scores, weights] = ['scores', 'weights'].map((name) => trace.step(name));
    const content = html`<p class="prose">${text('chapters/meaning/redundancy/about')}</p>
      <div class="pairs">
        ${this.#matrix(scores, text('chapters/meaning/redundancy/scores'))}
        ${this.#matrix(weights, text('chapters/meaning/redundancy/weights'))}
        ${this.#matrix(weights, text('chapters/meaning/redundancy/transposed'), true)}
      </div>
      <p class="prose">${typeset(
        text('chapters/meaning/redundancy/because', {
          one: display(weights.data[1]),
          other: display(weights.data[3]),
        }),
      )}</p>
      ${this.result ? this.#heads(this.result) : this.waiting()}`;
    trace.dispose();
    return content;
  }

  get session() {
    return /** @type {any} */ (this.view.session);
  }

  /** @param {Step} step @param {string} title @param {boolean} [transposed] */
  #matrix({ name, shape, data, role }, title, transposed = false) {
    const [n] = shape;
    const places = Array.from({ length: n }, (_, i) => i);
    return html`<figure>
      <h2 class="label">${title}</h2>
      <table class="facts cells" aria-label=${title}>
        <tbody>
          ${places.map(
            (i) => html`<tr>
              ${places.map((j) => {
                const index = transposed ? [j, i] : [i, j];
                const value = data[index[0] * n + index[1]];
                return html`<td>${number({ node: name, index, value, run: EXAMPLE }, { of: { role } })}</td>`;
              })}
            </tr>`,
          )}
        </tbody>
      </table>
    </figure>`;
  }

  /** @param {Heads} heads */
  #heads(heads) {
    const shares = heads.map(({ share }) => share);
    const shown = (/** @type {number} */ value) => display(Math.fround(value));
    const differences = heads.map(({ difference }) => difference);
    const why = text('chapters/meaning/redundancy/why', {
      least: shown(Math.min(...differences)),
      most: shown(Math.max(...differences)),
      part: shown(Math.min(...shares)),
    });
    return html`${factsTable(
      text('chapters/meaning/redundancy/table'),
      [
        text('chapters/meaning/values/head'),
        typeset(text('chapters/meaning/redundancy/difference')),
        text('chapters/meaning/redundancy/share'),
      ],
      heads.map(
        ({ layer, head, difference, share }) => html`<tr>
          <th scope="row">${text('chapters/meaning/head', { layer: layer + 1, h: head + 1 })}</th>
          <td>${plain(Math.fround(difference))}</td>
          <td><i class="portion row0" style="--share:${share}"></i> ${plain(Math.fround(share))}</td>
        </tr>`,
      ),
    )}
    ${this.verdict(symmetryVerdict(shares), why)}`;
  }
}

customElements.define('gf-redundancy', Redundancy);
