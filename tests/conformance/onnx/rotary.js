// Rotary position embedding, from caches of cosines and sines.

/** [..., R/2] each, as [..., R/2, 2]; of wider caches the first columns.
 * @param {any} cosines @param {any} sines @param {number} pairs */
function stack(cosines, sines, pairs) {
  const width = cosines.shape.at(-1);
  const columns = pairs || width;
  const shape = [...cosines.shape.slice(0, -1), columns, 2];
  const rows = cosines.data.length / width;
  const data = new Float32Array(rows * columns * 2);
  for (let i = 0; i < rows * columns; i++) {
    const from = Math.floor(i / columns) * width + (i % columns);
    data.set([cosines.data[from], sines.data[from]], 2 * i);
  }
  return { data, shape };
}

/** @type {Record<string, import('./index.js').Adapter>} */
export const rotary = {
  RotaryEmbedding(gf, attrs, [x, cosines, sines, positions]) {
    const { interleaved = 0, num_heads: heads, rotary_embedding_dim: dimensions = 0 } = attrs;
    const cache = stack(cosines, sines, dimensions / 2);
    const rotation = positions ? gf.gather(cache, positions) : cache;
    const options = { interleaved: Boolean(interleaved), heads: heads || undefined };
    if (x.shape.length === 4) delete options.heads;
    return [gf.rope(x, rotation, options)];
  },
};
