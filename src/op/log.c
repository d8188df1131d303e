#include "map.h"

static f4 value(f4 x, float c) {
  (void)c;
  return f4_log(x);
}

static f4 derivative(f4 x, f4 y, float c) {
  (void)y, (void)c;
  return 1.0f / x;
}

/* y = log x */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  map(y, x[0], value, 0);
}

/* y = log x  =>  dx += dy / x */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  map_backward(y, x[0], derivative, 0);
}

const op gfi_op_log = {OP_log, shape_as_operand, forward, backward};

/* The natural logarithm.   x [...]  ->  y [...]     y = log x
 * Of 0 it is -inf, of what is below 0 NaN.  Gradient: dx += dy / x. */
int gf_log(gf_tape *t, int x, const char *name) {
  return gfi_push(t, &gfi_op_log, (int[]){x}, (attributes){0}, name);
}
