// Products of matrices.

/** @type {Record<string, import('./index.js').Adapter>} */
export const products = {
  MatMul: (gf, _, [a, b]) => [gf.matmul(a, b)],
  Gemm(gf, { alpha, beta, transA = 0, transB = 0 }, [a, b, c]) {
    const options = { alpha, beta, transA: Boolean(transA), transB: Boolean(transB) };
    return [gf.gemm(a, b, c, options)];
  },
};
