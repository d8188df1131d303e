// The elements as an ES module. On a server it defines nothing, and all are undefined.
import './figures.js';

const elements = globalThis.customElements;
export const Attention = elements?.get('gf-attention');
export const Transformer = elements?.get('gf-transformer');
export const Lesson = elements?.get('gf-lesson');
