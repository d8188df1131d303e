// Operators that move and choose numbers.

/** @type {Record<string, import('./index.js').Adapter>} */
export const moving = {
  Transpose: (gf, { perm }, [x]) => [gf.transpose(x, perm)],
  Gather: (gf, { axis }, [x, ids]) => [gf.gather(x, ids, axis)],
  Where: (gf, _, [condition, x, y]) => [gf.where(condition, x, y)],
  Trilu: (gf, { upper = 1 }, [x, k]) => [gf[upper ? 'triu' : 'tril'](x, k?.data[0])],
  OneHot(gf, { axis }, [ids, depth, { data }]) {
    const [off, on] = data;
    return [gf.oneHot(ids, depth.data[0], { axis, on, off })];
  },
};
