#include "pair.h"

static f4 value(f4 a, f4 b) {
  return a / b;
}

static f4 of_a(f4 dy, f4 a, f4 b) {
  (void)a;
  return dy / b;
}

static f4 of_b(f4 dy, f4 a, f4 b) {
  return -dy * (a / b / b);
}

/* y = a / b  =>  da += dy / b, db -= dy a / b^2 of each repeat */
PAIRED(value, of_a, of_b)

const op gfi_op_div = {OP_div, shape_of_pair, forward, backward};

/* Divides number by number; b is repeated over the leading dimensions that it lacks, and where it has a 1.
 *   a [...,S], b [S]  ->  y [...,S]             y = a / b
 * S: b's whole shape, the trailing part of a's, or 1.  Gradient: da += dy / b, db -= sum of dy a / b^2
 * over the repeats. */
int gf_div(gf_tape *t, int a, int b, const char *name) {
  return gfi_push(t, &gfi_op_div, (int[]){a, b}, (attributes){0}, name);
}
