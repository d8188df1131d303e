import { Walkthrough } from '../../stage/elements/walkthrough.js';
import { opening } from './state.js';

export class Attention extends Walkthrough {
  get opening() {
    return opening;
  }

  /** Those with attention; another one is there while a link shows it. */
  get examples() {
    const all = Object.entries(this.session.examples);
    const shown = this.shown?.example;
    return Object.fromEntries(all.filter(([name, { attention }]) => attention || name === shown));
  }
}

customElements.define('gf-chapter-attention', Attention);
