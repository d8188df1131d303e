#include "map.h"

static f4 value(f4 x, float c) {
  (void)c;
  return f4_erf(x);
}

static f4 derivative(f4 x, f4 y, float c) {
  (void)y, (void)c;
  return 0x1.20dd76p0f * f4_exp(-x * x); /* 2 / sqrt(pi) */
}

/* y = erf x  =>  dx += dy 2/sqrt(pi) e^(-x^2) */
MAPPED(value, derivative, 0)

const op gfi_op_erf = {OP_erf, shape_as_operand, forward, backward};

/* The error function.   x [...]  ->  y [...]     y = erf x
 * Gradient: dx += dy 2/sqrt(pi) e^(-x^2). */
int gf_erf(gf_tape *t, int x, const char *name) {
  return gfi_push(t, &gfi_op_erf, (int[]){x}, (attributes){0}, name);
}
