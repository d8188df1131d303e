// The elements as an ES module. On a server it defines nothing, and both are undefined.
import './figures.js';

const elements = globalThis.customElements;
export const Attention = elements?.get('gf-attention');
export const Transformer = elements?.get('gf-transformer');
