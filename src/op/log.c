#include "map.h"

static f4 value(f4 x, float c) {
  (void)c;
  return f4_log(x);
}

static f4 derivative(f4 x, f4 y, float c) {
  (void)y, (void)c;
  return 1.0f / x;
}

/* y = log x  =>  dx += dy / x */
MAPPED(value, derivative, 0)

const op gfi_op_log = {OP_log, shape_as_operand, forward, backward};

/* The natural logarithm.   x [...]  ->  y [...]     y = log x
 * Of 0 it is -inf, of what is below 0 NaN.  Gradient: dx += dy / x. */
int gf_log(gf_tape *t, int x, const char *name) {
  return gfi_push(t, &gfi_op_log, (int[]){x}, (attributes){0}, name);
}
