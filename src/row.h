/* Reductions over a row that several ops share. */
#ifndef GF_ROW_H
#define GF_ROW_H

#include "fmath.h"

static const float minus_infinity = -__builtin_inff();

/* Two maxima, so that one comparison need not wait for the last. */
static inline float row_max(const float *x, size_t n) {
  f4 even = f4_splat(minus_infinity), odd = even;
  size_t j = 0;
  for (; j + 8 <= n; j += 8) {
    even = f4_max(even, f4_load(x + j));
    odd = f4_max(odd, f4_load(x + j + 4));
  }
  for (; j < n; j += 4) even = f4_max(even, f4_load_n(x + j, n - j, minus_infinity));
  return f4_max_lane(f4_max(even, odd));
}

/* y_j = exp(factor x_j - max), n numbers in whole vectors; y may be x. Returns `sum` and all of them,
 * lane by lane. A function of its own, and two vectors at a time, so that an engine that compiles wasm
 * keeps its constants in registers. */
__attribute__((noinline, unused)) static f4 exp_vectors(float *y, const float *x, size_t n,
                                                        float factor, f4 max, f4 sum) {
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

/* log sum_k exp x_k, in two parts that are each in every lane. Their sum would lose the digits that
 * large numbers leave no room for. */
typedef struct log_sum {
  f4 max; /* of x */
  f4 log; /* of sum_k exp(x_k - max), so that nothing overflows */
} log_sum;

static inline log_sum row_log_sum_exp(const float *x, size_t n) {
  f4 max = f4_splat(row_max(x, n)), sum = f4_splat(0);
  F4_FOR(j, left, n, sum += f4_exp(f4_load_n(x + j, left, minus_infinity) - max););
  return (log_sum){max, f4_log(f4_splat(f4_sum(sum)))};
}

/* x_j - log sum_k exp x_k */
static inline f4 log_share(f4 x, log_sum s) {
  return x - s.max - s.log;
}

#endif
