#include "reduce.h"

/* y = sum x / n */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  reduce_sum(y, x[0], a);
  const float n = (float)reduction_of(x[0], a).n;
  for (size_t i = 0; i < y->size; i++) y->value[i] /= n;
}

/* y = sum x / n  =>  dx += dy / n */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  reduce_sum_backward(y, x[0], a, (float)reduction_of(x[0], a).n);
}

const op gfi_op_mean = {OP_mean, shape_of_reduction, forward, backward};

/* The mean over an axis, or over all.   x [..,N,..]  ->  y [..,..], or [..,1,..] with keep_dims     y = sum x / N
 * axis: -rank <= axis < rank, negative ones from the end; GF_ALL: y is one number, [1].
 * Gradient: dx += dy / N. */
int gf_mean(gf_tape *t, int x, int axis, int keep_dims, const char *name) {
  attributes a = {.axis = axis, .keep_dims = keep_dims};
  return gfi_push(t, &gfi_op_mean, (int[]){x}, a, name);
}
