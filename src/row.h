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

/* log sum_k exp x_k, in two parts that are each in every lane. Their sum would lose the digits that
 * large numbers leave no room for. */
typedef struct log_sum {
  f4 max; /* of x */
  f4 log; /* of sum_k exp(x_k - max), so that nothing overflows */
} log_sum;

static inline log_sum row_log_sum_exp(const float *x, size_t n) {
  f4 max = f4_splat(row_max(x, n)), sum = f4_splat(0);
  for (size_t j = 0; j < n; j += 4) sum += f4_exp(f4_load_n(x + j, n - j, minus_infinity) - max);
  return (log_sum){max, f4_log(f4_splat(f4_sum(sum)))};
}

/* x_j - log sum_k exp x_k */
static inline f4 log_share(f4 x, log_sum s) {
  return x - s.max - s.log;
}

#endif
