#include "map.h"

/* max(x, 0) + log(1 + u), u = exp(-|x|), so that nothing overflows. What 1 + u loses of a small u is added again. */
static f4 value(f4 x, float c) {
  (void)c;
  f4 zero = f4_splat(0);
  f4 u = f4_exp(f4_min(x, zero - x));
  f4 w = 1.0f + u;
  return f4_max(x, zero) + (f4_log(w) + (u - (w - 1.0f)) / w);
}

static f4 derivative(f4 x, f4 y, float c) {
  (void)y, (void)c;
  return f4_sigmoid(x);
}

/* y = log(1 + exp x)  =>  dx += dy sigmoid(x) */
MAPPED(value, derivative, 0)

const op gfi_op_softplus = {OP_softplus, shape_as_operand, forward, backward};

/* A smooth rectified linear unit.   x [...]  ->  y [...]     y = log(1 + exp x)
 * Gradient: dx += dy sigmoid(x). */
int gf_softplus(gf_tape *t, int x, const char *name) {
  return gfi_push(t, &gfi_op_softplus, (int[]){x}, (attributes){0}, name);
}
