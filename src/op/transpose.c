#include "op.h"
#include "f4.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  y->rank = x[0]->rank;
  int seen = 0;
  for (int i = 0; i < y->rank; i++) {
    if (a->order[i] >= y->rank || seen >> a->order[i] & 1) return GF_ERANGE;
    seen |= 1 << a->order[i];
    axis_like(y, i, x[0], a->order[i]);
  }
  role_like(y, x[0]);
  return GF_OK;
}

/* Where in x the element i of y lies. */
static size_t place(const tensor *y, const size_t stride[GF_MAX_RANK], size_t i) {
  size_t at = 0;
  for (int d = y->rank - 1; d >= 0; d--) {
    at += i % (size_t)y->shape[d] * stride[d];
    i /= (size_t)y->shape[d];
  }
  return at;
}

static void strides(const tensor *x, const attributes *a, size_t stride[GF_MAX_RANK]) {
  for (int i = 0; i < x->rank; i++) {
    stride[i] = 1;
    for (int d = a->order[i] + 1; d < x->rank; d++) stride[i] *= (size_t)x->shape[d];
  }
}

/* y[i_0, i_1, ...] = x[...], axis i of y being axis order[i] of x */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  size_t stride[GF_MAX_RANK];
  strides(x[0], a, stride);
  for (size_t i = 0; i < y->size; i++) y->value[i] = x[0]->value[place(y, stride, i)];
}

/* y[i] = x[place i]  =>  dx[place i] += dy[i] */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  if (!x[0]->grad) return;
  size_t stride[GF_MAX_RANK];
  strides(x[0], a, stride);
  for (size_t i = 0; i < y->size; i++) x[0]->grad[place(y, stride, i)] += y->grad[i];
}

const op gfi_op_transpose = {OP_transpose, shape, forward, backward};

/* Reorders the axes: axis i of y is axis order[i] of x.   x [...]  ->  y [...]
 * order: as many numbers as x has axes, each axis once.  Gradient: the same, backwards. */
int gf_transpose(gf_tape *t, int x, const int *order, const char *name) {
  attributes a = {0};
  if (!order) return gfi_refuse_null(t, &gfi_op_transpose, name, "order");
  for (int i = 0; i < gfi_rank_of(t, x); i++) a.order[i] = order[i];
  return gfi_push(t, &gfi_op_transpose, (int[]){x}, a, name);
}
