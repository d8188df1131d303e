import { Walkthrough } from '../../elements/walkthrough.js';
import { opening } from './state.js';

export class Attention extends Walkthrough {
  get opening() {
    return opening;
  }

  get examples() {
    return this.session.examples;
  }
}

customElements.define('gf-chapter-attention', Attention);
