#include "op.h"
#include "f4.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *attributes) {
  const tensor *a = x[0], *b = x[1];
  if (a->rank != b->rank) return GF_ESHAPE;
  if (attributes->axis < 0 || attributes->axis >= a->rank) return GF_ERANGE;
  for (int i = 0; i < a->rank; i++)
    if (i != attributes->axis && a->shape[i] != b->shape[i]) return GF_ESHAPE;
  if (a->shape[attributes->axis] > INT32_MAX - b->shape[attributes->axis]) return GF_EMEMORY;
  shape_like(y, a);
  role_like(y, a);
  y->shape[attributes->axis] += b->shape[attributes->axis];
  return GF_OK;
}

/* How many numbers of x lie together: the axis and all after it. */
static size_t run_of(const tensor *x, int axis) {
  size_t run = 1;
  for (int i = axis; i < x->rank; i++) run *= (size_t)x->shape[i];
  return run;
}

/* y = a, then b, along the axis */
static void forward(const tensor *y, const tensor *const *x, const attributes *attributes) {
  size_t a = run_of(x[0], attributes->axis), b = run_of(x[1], attributes->axis);
  for (size_t i = 0; i < y->size / (a + b); i++) {
    memcpy(y->value + i * (a + b), x[0]->value + i * a, a * sizeof(float));
    memcpy(y->value + i * (a + b) + a, x[1]->value + i * b, b * sizeof(float));
  }
}

/* y = a, then b  =>  da += the first part of dy, db += the second */
static void backward(const tensor *y, const tensor *const *x, const attributes *attributes) {
  size_t a = run_of(x[0], attributes->axis), b = run_of(x[1], attributes->axis);
  for (size_t i = 0; i < y->size / (a + b); i++) {
    const float *dy = y->grad + i * (a + b);
    for (size_t j = 0; x[0]->grad && j < a; j++) x[0]->grad[i * a + j] += dy[j];
    for (size_t j = 0; x[1]->grad && j < b; j++) x[1]->grad[i * b + j] += dy[a + j];
  }
}

const op gfi_op_concat = {OP_concat, shape, forward, backward};

/* Joins two tensors along an axis: past keys or values and new ones.
 *   a [..,P,..], b [..,T,..]  ->  y [..,P+T,..]     The other dimensions are equal.
 * 0 <= axis < rank.  Gradient: each gets its part of dy. */
int gf_concat(gf_tape *t, int a, int b, int axis, const char *name) {
  return gfi_push(t, &gfi_op_concat, (int[]){a, b}, (attributes){.axis = axis}, name);
}
