#include "score.h"

float gfi_alibi_slope(size_t head, size_t heads) {
  const double log_2 = 0.69314718055994530942;
  size_t power = 1;
  while (power * 2 <= heads) power *= 2;
  double exponent = head < power ? (double)(head + 1) / (double)power
                                 : (double)(2 * (head - power) + 1) / (double)(2 * power);
  return (float)f64_exp(-8 * exponent * log_2);
}

gf_error gfi_mask_check(const tensor *scores, const tensor *mask, const tensor *lengths) {
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

mask_row gfi_mask_row_of(const tensor *scores, const tensor *mask, const tensor *lengths,
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
  size_t window = (size_t)a->window, end = a->causal ? seen : row.keys;
  if (window && end > window) row.first = end - window;
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

void gfi_mask_backward(mask_row row, const tensor *mask, const float *dy, size_t n) {
  if (!row.bias || !mask->grad) return;
  float *dmask = mask->grad + (row.bias - mask->value);
  for (size_t j = row.first; j < n && j < row.keys; j++)
    if (row.bias[j * row.step] != minus_infinity) dmask[j * row.step] += dy[j];
}

/* y_j = exp(factor x_j - max), n numbers in whole vectors; y may be x. Returns `sum` and all of them,
 * lane by lane. A function of its own, and two vectors at a time, so that an engine that compiles wasm
 * keeps its constants in registers. */
__attribute__((noinline)) static f4 exp_vectors(float *y, const float *x, size_t n, float factor,
                                                f4 max, f4 sum) {
  const f4 f = f4_splat(factor);
  size_t j = 0;
  for (; j + 8 <= n; j += 8) {
    f4 first = f4_exp(f * f4_load(x + j) - max), second = f4_exp(f * f4_load(x + j + 4) - max);
    f4_store(y + j, first);
    f4_store(y + j + 4, second);
    sum = (sum + first) + second;
  }
  if (j < n) {
    f4 e = f4_exp(f * f4_load(x + j) - max);
    f4_store(y + j, e);
    sum += e;
  }
  return sum;
}

/* The softmax of a row in which no number exceeds -inf: 0, as all is masked; NaN if x holds one. */
static void softmax_masked(float *y, const float *x, size_t n) {
  float nan = 0;
  for (size_t j = 0; j < n; j++)
    if (x[j] != x[j]) nan = x[j];
  for (size_t j = 0; j < n; j++) y[j] = nan;
}

void gfi_softmax_row(float *y, const float *x, size_t n, float factor) {
  float max = factor * row_max(x, n);
  if (max == minus_infinity) {
    softmax_masked(y, x, n);
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
