// The sentence of this moment. While cells pass quickly, screen readers do not read it and its terms have no
// explanations.
import { html } from 'lit';
import { caption } from '../telling/captions.js';
import { typeset } from '../telling/number.js';
import { DeferredElement } from './deferred.js';
import { explained as terms } from './explained.js';

/** Moments shorter than this, in ms, are not read aloud while playing. */
const MIN_READABLE_MS = 400;

export class Caption extends DeferredElement {
  render() {
    const { playing, moment, duration, rows, explained } = this.view;
    const quick = playing && duration < MIN_READABLE_MS;
    const about = !explained && !rows && moment.stage === 0 ? 'about' : '';
    return html`<p class=${about} aria-live=${quick ? 'off' : 'polite'} aria-atomic="true">${caption(this.view).map(quick ? typeset : terms)}</p>`;
  }
}

customElements.define('gf-caption', Caption);
