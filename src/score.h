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
static inline float alibi_slope(size_t head, size_t heads) {
  const double log_2 = 0.69314718055994530942;
  size_t power = 1;
  while (power * 2 <= heads) power *= 2;
  double exponent = head < power ? (double)(head + 1) / (double)power
                                 : (double)(2 * (head - power) + 1) / (double)(2 * power);
  return (float)f64_exp(-8 * exponent * log_2);
}

/* Of the four keys from j on. */
static inline f4 alibi_distance(float place, size_t j) {
  return f4_abs(place - ((float)j + (f4){0, 1, 2, 3}));
}

/* ---- Masks: y = x where kept, -inf where masked ---- */

/* Whether mask and lengths, which may be left out, fit scores of this shape. */
static inline gf_error mask_check(const tensor *scores, const tensor *mask, const tensor *lengths) {
  if (mask) {
    if (mask->rank > scores->rank) return GF_ESHAPE;
    for (int i = 1; i <= mask->rank; i++) {
      int d = mask->shape[mask->rank - i];
      if (d != 1 && d != scores->shape[scores->rank - i]) return GF_ESHAPE;
    }
  }
  if (lengths && (scores->rank < 3 || lengths->rank != 1 || lengths->shape[0] != scores->shape[0]))
    return GF_ESHAPE;
  return GF_OK;
}

/* One row of scores: query i of the batch entry b, keys 0..keys-1. */
typedef struct mask_row {
  size_t keys;       /* from here on they are masked by causality or padding */
  const float *bias; /* of key 0: what is added to the scores, or NULL */
  const int32_t *keep;
  size_t step; /* from key to key in either: 0 or 1 */
} mask_row;

/* Row r of scores of the given shape, whose product may exceed the address space: a fused op never
 * holds them all. */
static inline mask_row mask_row_of(const tensor *scores, const tensor *mask, const tensor *lengths,
                                   const attributes *a, size_t r) {
  size_t queries = (size_t)scores->shape[scores->rank - 2];
  mask_row row = {.keys = (size_t)last_dimension(scores)};
  size_t seen = r % queries + 1 + (size_t)a->offset;
  if (a->causal && seen < row.keys) row.keys = seen;
  if (lengths) {
    size_t matrices = scores->rank == 4 ? (size_t)scores->shape[1] : 1;
    int32_t length = lengths->ids[r / (matrices * queries)];
    size_t keys = length < 0 ? 0 : (size_t)length;
    if (keys < row.keys) row.keys = keys;
  }
  if (!mask) return row;
  /* Walks the row's coordinates from the right; a mask's dimension of 1 stands still. */
  size_t rest = r, stride = (size_t)last_dimension(mask), at = 0;
  row.step = last_dimension(mask) > 1;
  for (int i = 2; i <= mask->rank; i++) {
    size_t size = (size_t)scores->shape[scores->rank - i], d = (size_t)mask->shape[mask->rank - i];
    if (d > 1) at += rest % size * stride;
    rest /= size;
    stride *= d;
  }
  if (is_ids(mask))
    row.keep = mask->ids + at;
  else
    row.bias = mask->value + at;
  return row;
}

/* What the mask adds to the scores of the keys j, j+1, .. j+3: a bias, or -inf. `left` of them, at
 * least one, are there. */
static inline f4 mask_added(mask_row row, size_t j, size_t left) {
  const f4 masked = f4_splat(minus_infinity);
  f4 added = f4_splat(0);
  if (row.bias) added = row.step ? f4_load_n(row.bias + j, left, 0) : f4_splat(*row.bias);
  if (row.keep)
    for (size_t i = 0; i < left && i < 4; i++)
      if (!row.keep[(j + i) * row.step]) added[i] = minus_infinity;
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
static inline void mask_backward(mask_row row, const tensor *mask, const float *dy, size_t n) {
  if (!row.bias || !mask->grad) return;
  float *dmask = mask->grad + (row.bias - mask->value);
  for (size_t j = 0; j < n && j < row.keys; j++)
    if (row.bias[j * row.step] != minus_infinity) dmask[j * row.step] += dy[j];
}

/* ---- Softmax: y_j = exp(x_j - max x) / sum_k exp(x_k - max x) ---- */

/* Of factor x, factor > 0; y may be x. A row that is all -inf gives 0; a NaN, or inf, gives NaN
 * throughout, whatever else is there. */
static inline void softmax_row(float *y, const float *x, size_t n, float factor) {
  float max = factor * row_max(x, n);
  if (max == minus_infinity) {
    gfi_row_masked(y, x, n);
    return;
  }
  size_t whole = n / 4 * 4;
  f4 sum = exp_vectors(y, x, whole, factor, f4_splat(max), f4_splat(0));
  if (whole < n) {
    float end[4];
    f4_store(end, f4_load_n(x + whole, n - whole, minus_infinity));
    sum = exp_vectors(end, end, 4, factor, f4_splat(max), sum);
    f4_store_n(y + whole, f4_load(end), n - whole);
  }
  f4 total = f4_splat(f4_sum(sum));
  F4_FOR(j, left, n, f4_store_n(y + j, f4_load_n(y + j, left, 0) / total, left););
}

/* dx_j = y_j (dy_j - softmax_mean): the mean of dy, weighted by y. */
static inline float softmax_mean(const float *y, const float *dy, size_t n) {
  f4 sum = f4_splat(0);
  F4_FOR(j, left, n, sum += f4_load_n(dy + j, left, 0) * f4_load_n(y + j, left, 0););
  return f4_sum(sum);
}

#endif
