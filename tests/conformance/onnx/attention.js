// Attention-23 and -24.

/** What qk_matmul_output is, by its mode. */
const MODES = ['scores.scaled', 'scores.capped', 'scores.masked', 'weights'];

/** @type {Record<string, import('./index.js').Adapter>} */
export const attention = {
  Attention(gf, attrs, [q, k, v, mask, pastKey, pastValue, lengths]) {
    const { is_causal: causal = 0, qk_matmul_output_mode: mode = 0 } = attrs;
    const queries = q.shape.at(-2);
    /* Keys that are counted and not past end where the queries end. */
    const offset = lengths && !pastKey ? lengths.data.map((n) => n - queries) : undefined;
    const step = MODES[mode];
    const result = gf.attention({
      q,
      k,
      v,
      heads: attrs.q_num_heads,
      kvHeads: attrs.kv_num_heads,
      causal: Boolean(causal),
      offset,
      mask,
      lengths,
      pastKey,
      pastValue,
      softcap: attrs.softcap || undefined,
      scale: attrs.scale,
      steps: [step],
    });
    return [result.output, result.presentKey, result.presentValue, result[step]];
  },
};
