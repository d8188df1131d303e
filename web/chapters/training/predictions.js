// What the model answers to a few held-out pairs, as it learns; one of them is the one whose attention is
// shown.
import { html } from 'lit';
import { Base } from '../../elements/base.js';
import { change } from './ask.js';
import { say } from './words.js';

export class Predictions extends Base {
  static properties = { now: { attribute: false } };

  constructor() {
    super();
    /** @type {import('./element.js').Now} */
    this.now = /** @type {any} */ (null);
  }

  render() {
    const { started, sides, shown, pair } = this.now;
    const tried = sides.map(({ side, record }) => ({
      side,
      record,
      evaluation: record.evaluationAt(shown),
    }));
    const step = tried[0]?.evaluation?.step ?? 0;
    return html`<h2 class="label">${say('predictions/label', { step })}</h2>
      <div class="scroll edged" tabindex="0" role="group" aria-label=${say('predictions/label', { step })}>
        <table>
          <thead>
            <tr>
              <th scope="col">${say('predictions/source')}</th>
              <th scope="col">${say('predictions/due')}</th>
              ${tried.map(
                ({ side }) => html`<th scope="col" class="run-${side}">
                  ${tried.length > 1 ? say('predictions/answerOf', { side: side.toUpperCase() }) : say('predictions/answer')}
                </th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${started?.examples.map(
              (
                { source, target, sourceTokens, targetTokens },
                at,
              ) => html`<tr class=${at === pair ? 'chosen' : ''}>
                <th scope="row">
                  <button
                    class="pick"
                    aria-pressed=${at === pair ? 'true' : 'false'}
                    title=${say('predictions/choose')}
                    @click=${() => change(this, { pair: at }, { passing: true })}
                  >
                    ${source}
                  </button>
                </th>
                <td>${target}</td>
                ${tried.map(({ side, record, evaluation }) => {
                  const answer = evaluation?.answers[at];
                  if (answer === undefined) return html`<td></td>`;
                  const since = record.since(at, /** @type {any} */ (evaluation));
                  const right = [...answer, END].join() === targetTokens.join();
                  /* Letters stand close, words apart. */
                  const between = sourceTokens.join('') === source.toLowerCase() ? '' : ' ';
                  return html`<td
                    class="answer run-${side} ${right ? 'right' : 'wrong'}"
                    data-side=${side}
                    title=${say('predictions/since', { step: since })}
                  >
                    <span class="text ${between ? '' : 'letters'}">${marked(answer, targetTokens, between)}</span>
                    <span class="hidden">${right ? say('predictions/right') : say('predictions/wrong')}</span>
                  </td>`;
                })}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
  }
}

const END = '<end>';

/**
 * An answer, with the tokens that are not as they are due underlined.
 * @param {string[]} answer
 * @param {string[]} due
 * @param {string} between
 */
function marked(answer, due, between) {
  if (answer.length === 0) return html`<span class="quiet">${say('predictions/nothing')}</span>`;
  return answer.map((token, i) => {
    const shown = token === due[i] ? token : html`<u>${token}</u>`;
    return i > 0 && between ? [between, shown] : shown;
  });
}

customElements.define('gf-predictions', Predictions);
