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

static bool is_within(float x, float low, float high) {
  return x >= low && x <= high;
}

gf_error gf_adam_step(float *value, const float *grad, float *m, float *v, float *v_max, size_t n,
                      const gf_adam *c) {
  const float largest = 0x1.fffffep127f, below_1 = 0x1.fffffep-1f;
  if (c->step < 1 || !is_within(c->beta1, 0, below_1) || !is_within(c->beta2, 0, below_1) ||
      !is_within(c->learning_rate, -largest, largest) || !is_within(c->epsilon, 0, largest) ||
      !is_within(c->weight_decay, -largest, largest))
    return GF_ERANGE;
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
      square = f4_max(square, f4_load_n(v_max + i, left, 0));
      f4_store_n(v_max + i, square, left);
    }
    f4 move = rate * mean / (f4_sqrt(square) / root + c->epsilon);
    /* What never had a gradient stays, without an epsilon too: 0 / 0. */
    f4_store_n(value + i, x - f4_select(mean == 0.0f, mean, move), left);
  });
  return GF_OK;
}
