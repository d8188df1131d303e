#include "map.h"

static f4 value(f4 x, float c) {
  (void)c;
  return f4_sqrt(x);
}

static f4 derivative(f4 x, f4 y, float c) {
  (void)x, (void)c;
  return 0.5f / y;
}

/* y = sqrt(x)  =>  dx += dy / (2 y) */
MAPPED(value, derivative, 0)

const op gfi_op_sqrt = {OP_sqrt, shape_as_operand, forward, backward};

/* The square root.   x [...]  ->  y [...]     y = sqrt(x)
 * Of what is below 0 it is NaN.  Gradient: dx += dy / (2 y), which is infinite at 0. */
int gf_sqrt(gf_tape *t, int x, const char *name) {
  return gfi_push(t, &gfi_op_sqrt, (int[]){x}, (attributes){0}, name);
}
