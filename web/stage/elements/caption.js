// The sentence of this moment. While cells pass quickly, screen readers do not read it and its terms have no
// explanations.
import { html, nothing } from 'lit';
import { text } from '../../app/locale/text.js';
import { caption } from '../telling/captions.js';
import { typeset } from '../telling/number.js';
import { prose } from '../telling/words.js';
import { DeferredElement } from './deferred.js';
import { explained as terms } from './explained.js';
import { isPresented } from './room.js';

/** Moments shorter than this, in ms, are not read aloud while playing. */
const MIN_READABLE_MS = 400;

export class Caption extends DeferredElement {
  get #isBesideMicroscope() {
    return this.closest('.lesson')?.querySelector('gf-microscope') != null;
  }

  /** Whether it is said what one can do here: before the first number, where nothing beside it says so. */
  get #invites() {
    const { playing, moment, explained, rows } = this.view;
    if (playing || this.#isBesideMicroscope || isPresented(this) || this.closest('gf-learn'))
      return false;
    return !explained && !rows && moment.stage === 0;
  }

  /** What the microscope beside it says is said to screen readers alone. */
  get #isTold() {
    return this.view.pinned !== null && this.#isBesideMicroscope && !isPresented(this);
  }

  render() {
    const { playing, stage, moment, duration, rows, explained } = this.view;
    const quick = playing && duration < MIN_READABLE_MS;
    const begins = !explained && !rows && moment.stage === 0;
    /* Elsewhere it stands beside the title. */
    const isTitled = isPresented(this) && !explained && moment.cell < 0;
    const about = isTitled ? [prose(stage), ' '] : [];
    return html`<p class=${begins ? 'about' : this.#isTold ? 'told' : ''} aria-live=${quick ? 'off' : 'polite'} aria-atomic="true"
        >${[...about, ...caption(this.view)].map(quick ? typeset : terms)}</p>
      ${this.#invites ? html`<small class="invites">${text('microscope/empty')}</small>` : nothing}`;
  }
}

customElements.define('gf-caption', Caption);
