#include "map.h"

static f4 exact(f4 x, float c) {
  (void)c;
  return x * f4_phi(x);
}

static f4 exact_derivative(f4 x, f4 y, float c) {
  (void)y, (void)c;
  const float density = 0x1.988454p-2f; /* 1 / sqrt(2 pi) */
  f4_normal n = f4_normal_of(x);
  return n.phi + x * (density * n.bell);
}

/* sqrt(2 / pi) (x + 0.044715 x^3) */
static f4 gelu_inner(f4 x) {
  return 0x1.988454p-1f * (x + 0.044715f * x * x * x);
}

/* 1/2 (1 + tanh u) = sigmoid(2 u), which keeps its digits where that is small. */
static f4 approximate(f4 x, float c) {
  (void)c;
  return x * f4_sigmoid(2.0f * gelu_inner(x));
}

static f4 approximate_derivative(f4 x, f4 y, float c) {
  (void)y, (void)c;
  f4 s = f4_sigmoid(2.0f * gelu_inner(x));
  /* Beyond 16, where s is 0 or 1, a square would overflow for nothing. */
  f4 b = f4_min(f4_max(x, f4_splat(-16)), f4_splat(16));
  return s + x * s * (1.0f - s) * (0x1.988454p0f * (1.0f + 3 * 0.044715f * b * b));
}

/* y = x Phi(x)  =>  dx += dy (Phi(x) + x e^(-x^2/2) / sqrt(2 pi))
 * y = x s, s = sigmoid(2 u), u = sqrt(2/pi) (x + 0.044715 x^3)
 *   =>  dx += dy (s + x s (1 - s) 2 u') */
MAPPED(a->tanh_form ? approximate : exact, a->tanh_form ? approximate_derivative : exact_derivative,
       0)

float gf_phif(float x) {
  return f4_phi(f4_splat(x))[0];
}

const op gfi_op_gelu = {OP_gelu, shape_as_operand, forward, backward};

/* The Gaussian error linear unit.   x [...]  ->  y [...]
 *   y = x Phi(x), Phi the normal distribution; or with tanh_form nonzero
 *   y = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
 * Gradient: dx += dy y'(x).  Hendrycks and Gimpel 2016. */
int gf_gelu(gf_tape *t, int x, int tanh_form, const char *name) {
  return gfi_push(t, &gfi_op_gelu, (int[]){x}, (attributes){.tanh_form = tanh_form}, name);
}
