/* What happens to a row of scores on its way to weights: one query against all keys. The named steps
 * (alibi, softcap, mask, softmax) and the op that fuses them share these, so they agree to the bit. */
#ifndef GF_SCORE_H
#define GF_SCORE_H

#include "op.h"
#include "row.h"

/* ---- Softcap: y = cap tanh(x / cap) ---- */

static inline f4 softcap_value(f4 x, float cap) {
  return cap * f4_tanh(x / cap);
}
/* y = cap t  =>  y' = 1 - t^2 */
static inline f4 softcap_derivative(f4 x, f4 y, float cap) {
  (void)x;
  f4 t = y / cap;
  return 1.0f - t * t;
}

/* ---- Linear biases: y_j = x_j - slope |place - j| ---- */

/* Powers of 2^(-8/n) for n heads; where n is no power of two, those of the largest one below, then
 * every other one of twice that. */
float gfi_alibi_slope(size_t head, size_t heads);

/* Of the four keys from j on. */
static inline f4 alibi_distance(float place, size_t j) {
  return f4_abs(place - ((float)j + (f4){0, 1, 2, 3}));
}

/* ---- Masks: y = x where kept, -inf where masked ---- */

/* Whether mask and lengths, which may be left out, fit scores of this shape. */
gf_error gfi_mask_check(const tensor *scores, const tensor *mask, const tensor *lengths);

/* One row of scores: query i of the batch entry b, keys 0..keys-1. */
typedef struct mask_row {
  size_t keys;       /* from here on they are masked by causality or padding */
  size_t first;      /* and before this one by a window */
  const float *bias; /* of key 0: what is added to the scores, or NULL */
  const int32_t *keep;
  size_t step; /* from key to key in either: 0 or 1 */
} mask_row;

/* Row r of scores of the given shape, whose product may exceed the address space: a fused op never
 * holds them all. */
mask_row gfi_mask_row_of(const tensor *scores, const tensor *mask, const tensor *lengths,
                         const attributes *a, size_t r);

/* What the mask adds to the scores of the keys j, j+1, .. j+3: a bias, or -inf. `left` of them, at
 * least one, are there. */
static inline f4 mask_added(mask_row row, size_t j, size_t left) {
  const f4 masked = f4_splat(minus_infinity);
  f4 added = f4_splat(0);
  if (row.bias) added = row.step ? f4_load_n(row.bias + j, left, 0) : f4_splat(*row.bias);
  if (row.keep)
    for (size_t i = 0; i < left && i < 4; i++)
      if (!row.keep[(j + i) * row.step]) added[i] = minus_infinity;
  for (size_t i = 0; i < 4 && j + i < row.first; i++) added[i] = minus_infinity;
  if (j + 4 <= row.keys) return added;
  return f4_select((i4){0, 1, 2, 3} < i4_splat(j < row.keys ? (int32_t)(row.keys - j) : 0), added,
                   masked);
}

/* -inf wins over everything. */
static inline f4 mask_apply(f4 x, f4 added) {
  return f4_select(added == minus_infinity, added, x + added);
}

/* y = x + mask where kept  =>  dx += dy where kept */
static inline f4 mask_passed(f4 dy, f4 added) {
  return f4_select(added == minus_infinity, f4_splat(0), dy);
}

/* y = x + mask where kept  =>  dmask += dy where kept. Only a mask of values has a gradient. */
void gfi_mask_backward(mask_row row, const tensor *mask, const float *dy, size_t n);

/* ---- Softmax: y_j = exp(x_j - max x) / sum_k exp(x_k - max x) ---- */

/* Of factor x, factor > 0; y may be x. A row that is all -inf gives 0; a NaN, or inf, gives NaN
 * throughout, whatever else is there. */
void gfi_softmax_row(float *y, const float *x, size_t n, float factor);

/* dx_j = y_j (dy_j - softmax_mean): the mean of dy, weighted by y. */
static inline float softmax_mean(const float *y, const float *dy, size_t n) {
  f4 sum = f4_splat(0);
  F4_FOR(j, left, n, sum += f4_load_n(dy + j, left, 0) * f4_load_n(y + j, left, 0););
  return f4_sum(sum);
}

#endif
