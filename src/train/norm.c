#include "glassformer.h"
#include "f4.h"

#include <stdbool.h>

static double sum_of_squares(const float *x, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += (double)x[i] * x[i];
  return sum;
}

/* Blocks are summed in float32, if their squares neither overflow nor vanish; the blocks' sums in float64.
 */
double gf_norm(const float *x, size_t n) {
  const size_t block = 1024;
  double total = 0;
  for (size_t i = 0; i < n; i += block) {
    f4 sum = f4_splat(0);
    for (size_t j = i; j < n && j < i + block; j += 4) {
      f4 a = f4_load_n(x + j, n - j, 0);
      sum += a * a;
    }
    float s = f4_sum(sum);
    bool ordinary = s >= 0x1p-80f && s < __builtin_inff();
    total += ordinary ? s : sum_of_squares(x + i, n - i < block ? n - i : block);
  }
  return __builtin_sqrt(total);
}

void gf_multiply(float *x, size_t n, float factor) {
  F4_FOR(i, left, n, f4_store_n(x + i, factor * f4_load_n(x + i, left, 0), left););
}
