// Defines the elements for course pages, and makes links in their prose drive them.
import './reset.css';
import '../../style/page.css';
import '../../style/matrix.css';
import '../../style/panels.css';
import '../../style/gradient.css';
import '../../style/chapters.css';
import './figure.css';
import { LEARN } from '../../app/state/store.js';
import { Exhibit } from './figure-element.js';
import { followLinks } from './links.js';

class Attention extends Exhibit {}

class Transformer extends Exhibit {
  static chapter = 'transformer';
}

class Lesson extends Exhibit {
  static properties = {
    ...Exhibit.properties,
    name: { reflect: true, useDefault: true },
    scene: { reflect: true, useDefault: true },
  };

  static chapter = LEARN;
  static written = { name: 'lesson', scene: 'scene' };

  constructor() {
    super();
    this.name = '';
    this.scene = '';
  }
}

customElements.define('gf-attention', Attention);
customElements.define('gf-transformer', Transformer);
customElements.define('gf-lesson', Lesson);
followLinks();
