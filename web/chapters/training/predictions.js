// What the model answers to a few held-out pairs, as it learns; one of them is the one whose attention is
// shown.
import { html } from 'lit';
import { text } from '../../app/locale/text.js';
import { change } from '../../stage/elements/ask.js';
import { TrainingPart } from './part.js';

export class Predictions extends TrainingPart {
  render() {
    const { started, sides, shown, pair } = this.now;
    const tried = sides.map(({ side, record }) => ({
      side,
      record,
      evaluation: record.evaluationAt(shown),
    }));
    const step = tried[0]?.evaluation?.step ?? 0;
    return html`<h2 class="label">${text('chapters/training/predictions/label', { step })}</h2>
      <div class="scroll edged" tabindex="0" role="group" aria-label=${text('chapters/training/predictions/label', { step })}>
        <table>
          <thead>
            <tr>
              <th scope="col">${text('chapters/training/predictions/source')}</th>
              <th scope="col">${text('chapters/training/predictions/due')}</th>
              ${tried.map(
                ({ side }) => html`<th scope="col" class="run-${side}">
                  ${tried.length > 1 ? text('chapters/training/predictions/answerOf', { side: side.toUpperCase() }) : text('chapters/training/predictions/answer')}
                </th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${started?.examples.map(
              (
                { source, target, sourceTokens, targetTokens },
                i,
              ) => html`<tr class=${i === pair ? 'chosen' : ''}>
                <th scope="row">
                  <button
                    class="pick"
                    aria-pressed=${i === pair ? 'true' : 'false'}
                    title=${text('chapters/training/predictions/choose')}
                    @click=${() => change(this, { pair: i }, { passing: true })}
                  >
                    ${source}
                  </button>
                </th>
                <td>${target}</td>
                ${tried.map(({ side, record, evaluation }) => {
                  const answer = evaluation?.answers[i];
                  if (answer === undefined) return html`<td></td>`;
                  const since = record.since(i, /** @type {any} */ (evaluation));
                  const right = [...answer, END].join() === targetTokens.join();
                  /* Letters stand close, words apart. */
                  const between = sourceTokens.join('') === source.toLowerCase() ? '' : ' ';
                  return html`<td
                    class="answer run-${side} ${right ? 'right' : 'wrong'}"
                    data-side=${side}
                    title=${text('chapters/training/predictions/since', { step: since })}
                  >
                    <span class="text ${between ? '' : 'letters'}">${marked(answer, targetTokens, between)}</span>
                    <span class="hidden">${right ? text('chapters/training/predictions/right') : text('chapters/training/predictions/wrong')}</span>
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
 * An answer, with its wrong tokens underlined, and a gap for each that is missing at its end.
 * @param {string[]} answer
 * @param {string[]} due its end sign included
 * @param {string} between
 */
function marked(answer, due, between) {
  if (answer.length === 0)
    return html`<span class="quiet">${text('chapters/training/predictions/nothing')}</span>`;
  const written = answer.map((token, i) => {
    const shown = token === due[i] ? token : html`<u>${token}</u>`;
    return i > 0 && between ? [between, shown] : shown;
  });
  return [
    ...written,
    ...due.slice(answer.length, -1).map(() => html`${between}<u class="missing"></u>`),
  ];
}

customElements.define('gf-predictions', Predictions);
