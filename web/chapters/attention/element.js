import { Lesson } from '../../elements/lesson.js';
import { opening } from './state.js';

export class Attention extends Lesson {
  get opening() {
    return opening;
  }

  get examples() {
    return this.session.examples;
  }
}

customElements.define('gf-chapter-attention', Attention);
