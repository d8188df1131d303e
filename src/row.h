/* Reductions over a row that several ops share. */
#ifndef GF_ROW_H
#define GF_ROW_H

#include "fmath.h"

#include <stdbool.h>

/* Adds n numbers, if there are any, to each of m rows. */
void gfi_add_row(float *rows, size_t stride, size_t m, const float *row, size_t n);

static const float minus_infinity = -__builtin_inff();

/* The largest number; -inf if there is none. NaNs are passed over: they show in what is summed. Two
 * maxima, so that one comparison need not wait for the last. */
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

/* x_j - log sum_k exp x_k: NaN for all of a row that holds a NaN or inf, or nothing but -inf. */
static inline f4 log_share(f4 x, log_sum s) {
  return x - s.max - s.log;
}

/* ---- Rows out of the ordinary: row.c ---- */

/* z_j = (x_j - mean) / d, d^2 = the variance + epsilon; or where the mean is left alone z_j = x_j / d,
 * d^2 = the mean of x^2 + epsilon. In float64, for rows whose squares are beyond float32. Returns 1 / d.
 */
float gfi_row_normalise(float *z, const float *x, size_t n, bool centred, float epsilon);
/* Whether float32 has kept the digits of such a d^2: its squares neither overflowed nor vanished. */
static inline bool row_is_ordinary(float square) {
  return square >= 0x1p-80f && square < __builtin_inff();
}

#endif
