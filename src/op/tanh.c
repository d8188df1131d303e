#include "map.h"

static f4 value(f4 x, float c) {
  (void)c;
  return f4_tanh(x);
}

static f4 derivative(f4 x, f4 y, float c) {
  (void)x, (void)c;
  return 1.0f - y * y;
}

/* y = tanh x  =>  dx += dy (1 - y^2) */
MAPPED(value, derivative, 0)

const op gfi_op_tanh = {OP_tanh, shape_as_operand, forward, backward};

/* The hyperbolic tangent.   x [...]  ->  y [...]     y = tanh x
 * Gradient: dx += dy (1 - y^2). */
int gf_tanh(gf_tape *t, int x, const char *name) {
  return gfi_push(t, &gfi_op_tanh, (int[]){x}, (attributes){0}, name);
}
