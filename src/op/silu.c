#include "map.h"

static f4 value(f4 x, float c) {
  return x * f4_sigmoid(c * x);
}

static f4 derivative(f4 x, f4 y, float c) {
  (void)y;
  f4 s = f4_sigmoid(c * x);
  return s + x * s * (1.0f - s) * c; /* c x may overflow, not x s */
}

/* y = x s, s = sigmoid(factor x)  =>  dx += dy (s + factor x s (1 - s)) */
MAPPED(value, derivative, a->factor)

const op gfi_op_silu = {OP_silu, shape_as_operand, forward, backward};

/* The sigmoid linear unit, also called swish.   x [...]  ->  y [...]     y = x sigmoid(factor x)
 * factor: finite, usually 1.  Gradient: dx += dy (s + factor x s (1 - s)), s = sigmoid(factor x). */
int gf_silu(gf_tape *t, int x, float factor, const char *name) {
  return gfi_push(t, &gfi_op_silu, (int[]){x}, (attributes){.factor = factor}, name);
}
