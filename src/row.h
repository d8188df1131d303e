/* Reductions over a row that several ops share. */
#ifndef GF_ROW_H
#define GF_ROW_H

#include "fmath.h"

static const float minus_infinity = -__builtin_inff();

static inline float row_max(const float *x, size_t n) {
  f4 m = f4_splat(minus_infinity);
  for (size_t j = 0; j < n; j += 4) m = f4_max(m, f4_load_n(x + j, n - j, minus_infinity));
  return f4_max_lane(m);
}

/* log sum_k exp x_k in each lane, through the maximum, so that nothing overflows. In two parts: their
 * sum would round away what a logarithm of probability is made of, once the maximum is large. */
typedef struct log_sum {
  f4 max, rest;
} log_sum;

static inline log_sum row_log_sum_exp(const float *x, size_t n) {
  f4 max = f4_splat(row_max(x, n)), sum = f4_splat(0);
  for (size_t j = 0; j < n; j += 4) sum += f4_exp(f4_load_n(x + j, n - j, minus_infinity) - max);
  return (log_sum){max, f4_log(f4_splat(f4_sum(sum)))};
}

/* log softmax: x_j - log sum_k exp x_k */
static inline f4 log_probability(f4 x, log_sum all) {
  return (x - all.max) - all.rest;
}

#endif
