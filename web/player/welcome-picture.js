// The picture of the first page: the attention of a worked example, one token after the other. The widths are the
// weights that the core computes; which token's weights are shown is a function of time.
import { html, nothing, svg } from 'lit';
import { text } from '../app/locale/text.js';
import { Base } from '../stage/elements/base.js';

/** The example whose weights differ the most from token to token. */
const EXAMPLE = 'the-cat-sat';
/** Milliseconds for each token, and of these until its lines stand. */
const PACE = 1800;
const GROW = 600;
/** px of the picture: from token to token, and its height. */
const STEP = 130;
const HEIGHT = 200;

const still = matchMedia('(prefers-reduced-motion: reduce)');

export class WelcomePicture extends Base {
  static properties = { session: { attribute: false }, clock: { state: true } };

  constructor() {
    super();
    /** @type {import('../app/session.js').Session} */
    this.session = /** @type {any} */ (null);
    /** Milliseconds since it began. */
    this.clock = 0;
    /** @type {{ tokens: string[], rows: number[][] } | null} */
    this.attention = null;
  }

  connectedCallback() {
    super.connectedCallback();
    const begun = performance.now();
    const frame = (/** @type {number} */ now) => {
      if (!this.isConnected) return;
      this.clock = Math.max(0, now - begun);
      requestAnimationFrame(frame);
    };
    if (!still.matches) requestAnimationFrame(frame);
  }

  willUpdate() {
    if (this.attention || !this.session) return;
    const example = this.session.examples[EXAMPLE];
    const { tokens } = example;
    const trace = this.session.trace(example);
    const { data } = trace.step('weights');
    const rows = tokens.map((_, i) =>
      Array.from(data.slice(i * tokens.length, (i + 1) * tokens.length)),
    );
    trace.dispose();
    this.attention = { tokens, rows };
  }

  render() {
    if (!this.attention) return nothing;
    const { tokens, rows } = this.attention;
    const now = Math.floor(this.clock / PACE) % tokens.length;
    const part = still.matches ? 1 : Math.min(1, (this.clock % PACE) / GROW);
    const grown = part * part * (3 - 2 * part);
    const x = (/** @type {number} */ i) => STEP * (i + 0.5);
    return html`<svg viewBox="0 0 ${STEP * tokens.length} ${HEIGHT}" role="img" aria-label=${text('lessons/welcome/picture')}>
      ${rows[now].map((weight, j) => {
        const width = (1 + 15 * weight) * grown;
        return svg`<path d="M${x(now)} ${HEIGHT - 46}L${x(j)} 46" stroke-width=${width} />`;
      })}
      ${tokens.map(
        (
          token,
          j,
        ) => svg`<text x=${x(j)} y="30" font-size=${19 + 12 * rows[now][j] * grown}>${token}</text>
          <text class=${j === now ? 'now' : ''} x=${x(j)} y=${HEIGHT - 18} font-size="22">${token}</text>`,
      )}
    </svg>`;
  }
}

customElements.define('gf-welcome-picture', WelcomePicture);
