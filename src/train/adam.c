#include "glassformer.h"
#include "f4.h"

#include <stdbool.h>

/* beta^step, in float64: the corrections are near 1 where float32 has few digits left. */
static double power(double beta, int step) {
  double y = 1;
  for (; step > 0; step >>= 1, beta *= beta)
    if (step & 1) y *= beta;
  return y;
}

void gf_adam_step(float *value, const float *grad, float *m, float *v, float *v_max, size_t n,
                  const gf_adam *c) {
  const float b1 = c->beta1, b2 = c->beta2, decay = c->weight_decay;
  const float root = (float)__builtin_sqrt(1 - power(b2, c->step));
  const float rate = (float)(c->learning_rate / (1 - power(b1, c->step)));
  F4_FOR(i, left, n, {
    f4 x = f4_load_n(value + i, left, 0), g = f4_load_n(grad + i, left, 0);
    if (c->decoupled)
      x -= c->learning_rate * decay * x;
    else
      g += decay * x;
    f4 mean = b1 * f4_load_n(m + i, left, 0) + (1 - b1) * g;
    f4 square = b2 * f4_load_n(v + i, left, 0) + (1 - b2) * g * g;
    f4_store_n(m + i, mean, left);
    f4_store_n(v + i, square, left);
    if (v_max) {
      square = f4_max(f4_load_n(v_max + i, left, 0), square);
      f4_store_n(v_max + i, square, left);
    }
    f4_store_n(value + i, x - rate * mean / (f4_sqrt(square) / root + c->epsilon), left);
  });
}

/* Blocks are summed in float32, the blocks' sums in float64. */
double gf_norm(const float *x, size_t n) {
  const size_t block = 1024;
  double total = 0;
  for (size_t i = 0; i < n; i += block) {
    f4 sum = f4_splat(0);
    for (size_t j = i; j < n && j < i + block; j += 4) {
      f4 a = f4_load_n(x + j, n - j, 0);
      sum += a * a;
    }
    total += f4_sum(sum);
  }
  return __builtin_sqrt(total);
}

void gf_multiply(float *x, size_t n, float factor) {
  F4_FOR(i, left, n, f4_store_n(x + i, factor * f4_load_n(x + i, left, 0), left););
}
