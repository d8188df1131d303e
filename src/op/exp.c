#include "map.h"

static f4 value(f4 x, float c) {
  (void)c;
  return f4_exp(x);
}

static f4 derivative(f4 x, f4 y, float c) {
  (void)x, (void)c;
  return y;
}

/* y = e^x  =>  dx += dy y */
MAPPED(value, derivative, 0)

const op gfi_op_exp = {OP_exp, shape_as_operand, forward, backward};

/* The exponential function.   x [...]  ->  y [...]     y = e^x
 * Gradient: dx += dy y. */
int gf_exp(gf_tape *t, int x, const char *name) {
  return gfi_push(t, &gfi_op_exp, (int[]){x}, (attributes){0}, name);
}
