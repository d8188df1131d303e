#include "map.h"

static f4 value(f4 x, float c) {
  (void)c;
  return f4_sigmoid(x);
}

static f4 derivative(f4 x, f4 y, float c) {
  (void)x, (void)c;
  return y * (1.0f - y);
}

/* y = 1 / (1 + e^-x)  =>  dx += dy y (1 - y) */
MAPPED(value, derivative, 0)

const op gfi_op_sigmoid = {OP_sigmoid, shape_as_operand, forward, backward};

/* The logistic function.   x [...]  ->  y [...]     y = 1 / (1 + e^-x)
 * Gradient: dx += dy y (1 - y). */
int gf_sigmoid(gf_tape *t, int x, const char *name) {
  return gfi_push(t, &gfi_op_sigmoid, (int[]){x}, (attributes){0}, name);
}
