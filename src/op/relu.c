#include "map.h"

static f4 value(f4 x, float c) {
  (void)c;
  return f4_max(x, f4_splat(0)); /* in this order a NaN stays one */
}

static f4 derivative(f4 x, f4 y, float c) {
  (void)y, (void)c;
  /* A NaN is neither above 0 nor at most 0, and stays. */
  return f4_select(x > 0.0f, f4_splat(1), f4_select(x <= 0.0f, f4_splat(0), x));
}

/* y = max(0, x)  =>  dx += dy where x > 0, NaN where x is */
MAPPED(value, derivative, 0)

const op gfi_op_relu = {OP_relu, shape_as_operand, forward, backward};

/* Stops what is below 0.   x [...]  ->  y [...]     y = max(0, x)
 * Gradient: dx += dy where x > 0; 0 at 0. */
int gf_relu(gf_tape *t, int x, const char *name) {
  return gfi_push(t, &gfi_op_relu, (int[]){x}, (attributes){0}, name);
}
