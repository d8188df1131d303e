import * as glassformer from 'glassformer';
import module from 'glassformer/core.wasm';
import { smallGguf } from '../../support/small-gguf.js';
import { golden } from '../golden.js';

/** Matrices in few bits compute in the same core, with the bits of float32. */
async function checkStored() {
  const gf = await glassformer.load({ module });
  const [few, whole] = await Promise.all(
    [true, false].map((stored) => glassformer.open(smallGguf(), { gf, stored })),
  );
  const target = [few.tokenizer.encode('the cat sat')];
  const [a, b] = [few, whole].map(({ model }) => model.forward({ target }).logits.data);
  if (!a.length || a.some((logit, i) => !Object.is(logit, b[i]))) throw new Error('other bits');
}

export default {
  async fetch() {
    await checkStored();
    return new Response(await golden(glassformer, { module }));
  },
};
