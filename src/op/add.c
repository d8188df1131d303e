#include "pair.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  const gf_error error = shape_of_pair(y, x, a);
  if (!error && x[1]->about.role == GF_ROLE_POSITION) {
    role_is(y, GF_ROLE_INPUT);
    removed_by(y, GF_REMOVE_POSITIONS, 0);
  }
  return error;
}

static f4 value(f4 a, f4 b) {
  return a + b;
}

static f4 of_a(f4 dy, f4 a, f4 b) {
  (void)a, (void)b;
  return dy;
}

static f4 of_b(f4 dy, f4 a, f4 b) {
  (void)a, (void)b;
  return dy;
}

/* y = a + b  =>  da += dy, db += dy of each repeat */
PAIRED(value, of_a, of_b)

const op gfi_op_add = {OP_add, shape, forward, backward};

/* Adds; b is repeated over the leading dimensions that it lacks, and where it has a 1.
 *   a [...,S], b [S]  ->  y [...,S]             y = a + b
 * S: b's whole shape, the trailing part of a's, or 1.  Gradient: da += dy, db += sum of dy over the
 * repeats. */
int gf_add(gf_tape *t, int a, int b, const char *name) {
  return gfi_push(t, &gfi_op_add, (int[]){a, b}, (attributes){0}, name);
}
