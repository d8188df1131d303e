// How many positions one turn of each pair of columns takes.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { Base } from '../../stage/elements/base.js';
import { factsTable } from '../../stage/elements/facts-table.js';
import { plain } from '../../stage/telling/number.js';

export class Wavelengths extends Base {
  static properties = { view: { attribute: false }, session: { attribute: false } };

  constructor() {
    super();
    /** @type {import('../../app/state/view.js').View} */
    this.view = /** @type {any} */ (null);
    /** @type {import('../../app/session.js').Session} */
    this.session = /** @type {any} */ (null);
  }

  render() {
    const { trace } = this.view;
    const [places, channels] = trace.step('codes').shape;
    if (places < 2) return nothing;
    const turns = Array.from({ length: channels / 2 }, (_, pair) => {
      const { angle } = this.session.explain(trace, { node: 'codes', index: [1, 2 * pair] });
      return { pair, value: (2 * Math.PI) / angle };
    });
    return html`<h2 class="label">${text('chapters/positions/wavelengths/label')}</h2>
      ${factsTable(
        text('chapters/positions/wavelengths/label'),
        [text('chapters/positions/wavelengths/pair'), text('chapters/positions/wavelengths/value')],
        turns.map(
          ({ pair, value }) => html`<tr>
            <th scope="row">
              ${text('chapters/positions/wavelengths/range', { a: 2 * pair + 1, b: 2 * pair + 2 })}
            </th>
            <td>${plain(Math.fround(value))}</td>
          </tr>`,
        ),
      )}`;
  }
}

customElements.define('gf-wavelengths', Wavelengths);
