import * as glassformer from 'glassformer';
import module from 'glassformer/core.wasm';
import { golden } from '../golden.js';

export default {
  async fetch() {
    return new Response(await golden(glassformer, { module }));
  },
};
