#include "pair.h"

static f4 value(f4 a, f4 b) {
  return a - b;
}

static f4 of_a(f4 dy, f4 a, f4 b) {
  (void)a, (void)b;
  return dy;
}

static f4 of_b(f4 dy, f4 a, f4 b) {
  (void)a, (void)b;
  return -dy;
}

/* y = a - b  =>  da += dy, db -= dy of each repeat */
PAIRED(value, of_a, of_b)

const op gfi_op_sub = {OP_sub, shape_of_pair, forward, backward};

/* Subtracts; b is repeated over the leading dimensions that it lacks, and where it has a 1.
 *   a [...,S], b [S]  ->  y [...,S]             y = a - b
 * S: b's whole shape, the trailing part of a's, or 1.  Gradient: da += dy, db -= sum of dy over the
 * repeats. */
int gf_sub(gf_tape *t, int a, int b, const char *name) {
  return gfi_push(t, &gfi_op_sub, (int[]){a, b}, (attributes){0}, name);
}
