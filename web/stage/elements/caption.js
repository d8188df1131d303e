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

  get #isPlayed() {
    return this.closest('.lesson')?.parentElement?.querySelector('gf-timeline') != null;
  }

  /** What the microscope beside it says is said to screen readers alone. */
  get #isTold() {
    return this.view.pinned !== null && this.#isBesideMicroscope && !isPresented(this);
  }

  render() {
    const { playing, stage, line, moment, duration, rows, explained } = this.view;
    const quick = playing && duration < MIN_READABLE_MS;
    const begins = !explained && !rows && moment.stage === 0;
    const isSlide = isPresented(this);
    /* A page opens before its first number, or with all of them. */
    const isOpening = !isSlide && !playing && !this.closest('gf-learn');
    const hint = begins && isOpening && !this.#isBesideMicroscope;
    const invites =
      isOpening && line.moments.at(-1) === moment && this.#isBesideMicroscope && this.#isPlayed;
    /* Elsewhere it stands beside the title. */
    const about = isSlide && !explained && moment.cell < 0 ? [prose(stage), ' '] : [];
    return html`<p class=${begins ? 'about' : this.#isTold ? 'told' : ''} aria-live=${quick ? 'off' : 'polite'} aria-atomic="true"
      >${[...about, ...caption(this.view)].map(quick ? typeset : terms)}${hint ? html` ${text('microscope/empty')}` : nothing}</p>${invites ? html`<p class="invites">${text('microscope/empty')}</p>` : nothing}`;
  }
}

customElements.define('gf-caption', Caption);
