#include "map.h"

static f4 value(f4 x, float exponent) {
  f4 y;
  for (int i = 0; i < 4; i++) y[i] = f32_pow(x[i], exponent);
  return y;
}

static f4 derivative(f4 x, f4 y, float exponent) {
  (void)y;
  /* x^0 is 1 for every x, 0 and NaN included. */
  return exponent == 0 ? f4_splat(0) : exponent * value(x, exponent - 1);
}

/* y = x^exponent  =>  dx += dy exponent x^(exponent - 1) */
MAPPED(value, derivative, a->exponent)

const op gfi_op_pow = {OP_pow, shape_as_operand, forward, backward};

/* A power with a constant exponent.   x [...]  ->  y [...]     y = x^exponent
 * exponent: finite.  Of what is below 0 it is NaN, unless the exponent is an integer; x^0 is 1. As C's pow.
 * Gradient: dx += dy exponent x^(exponent - 1). */
int gf_pow(gf_tape *t, int x, float exponent, const char *name) {
  return gfi_push(t, &gfi_op_pow, (int[]){x}, (attributes){.exponent = exponent}, name);
}
