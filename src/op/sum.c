#include "reduce.h"

/* y = sum x */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  reduce_sum(y, x[0], a);
}

/* y = sum x  =>  dx += dy */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  reduce_sum_backward(y, x[0], a, 1);
}

const op gfi_op_sum = {OP_sum, shape_of_reduction, forward, backward};

/* The sum over an axis, or over all.   x [..,N,..]  ->  y [..,..], or [..,1,..] with keep_dims     y = sum x
 * axis: -rank <= axis < rank, negative ones from the end; GF_ALL: y is one number, [1].  Gradient: dx += dy. */
int gf_sum(gf_tape *t, int x, int axis, int keep_dims, const char *name) {
  attributes a = {.axis = axis, .keep_dims = keep_dims};
  return gfi_push(t, &gfi_op_sum, (int[]){x}, a, name);
}
