#include "map.h"

/* Phi, the distribution function of the normal: half of 1 + erf(x / sqrt 2). */
static f4 phi(f4 x) {
  return 0.5f * (1.0f + f4_erf(x * 0x1.6a09e6p-1f));
}

static f4 exact(f4 x, float c) {
  (void)c;
  return x * phi(x);
}

static f4 exact_slope(f4 x, f4 y, float c) {
  (void)y, (void)c;
  const float density = 0x1.988454p-2f; /* 1 / sqrt(2 pi) */
  return phi(x) + x * (density * f4_exp(-0.5f * x * x));
}

/* sqrt(2 / pi) (x + 0.044715 x^3) */
static f4 bent(f4 x) {
  return 0x1.988454p-1f * (x + 0.044715f * x * x * x);
}

static f4 approximate(f4 x, float c) {
  (void)c;
  return 0.5f * x * (1.0f + f4_tanh(bent(x)));
}

static f4 approximate_slope(f4 x, f4 y, float c) {
  (void)y, (void)c;
  f4 t = f4_tanh(bent(x));
  f4 inner = 0x1.988454p-1f * (1.0f + 3 * 0.044715f * x * x);
  return 0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * inner;
}

/* y = x Phi(x), or y = x/2 (1 + t), t = tanh(sqrt(2/pi) (x + 0.044715 x^3)) */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  map(y, x[0], a->tanh_form ? approximate : exact, 0);
}

/* y = x Phi(x)       =>  dx += dy (Phi(x) + x e^(-x^2/2) / sqrt(2 pi))
 * y = x/2 (1 + t)    =>  dx += dy ((1 + t)/2 + x/2 (1 - t^2) sqrt(2/pi) (1 + 3 0.044715 x^2)) */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  map_backward(y, x[0], a->tanh_form ? approximate_slope : exact_slope, 0);
}

const op gfi_op_gelu = {shape_as_operand, forward, backward};

/* The Gaussian error linear unit.   x [...]  ->  y [...]
 *   y = x Phi(x), Phi the normal distribution; or with tanh_form nonzero
 *   y = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
 * Gradient: dx += dy y'(x).  Hendrycks and Gimpel 2016. */
int gf_gelu(gf_tape *t, int x, int tanh_form, const char *name) {
  return gfi_push(t, OP_gelu, (int[]){x}, (attributes){.tanh_form = tanh_form}, name);
}
