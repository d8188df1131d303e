// Defines the elements for course pages, and makes links in their prose drive them.
import './reset.css';
import '../style/page.css';
import '../style/matrix.css';
import '../style/panels.css';
import '../style/gradient.css';
import '../style/chapters.css';
import './figure.css';
import { Exhibit } from './exhibit.js';
import { followLinks } from './links.js';

class Attention extends Exhibit {}

class Transformer extends Exhibit {
  static chapter = 'transformer';
}

customElements.define('gf-attention', Attention);
customElements.define('gf-transformer', Transformer);
followLinks();
