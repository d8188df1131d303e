#include "op.h"
#include "f4.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  size_t known = 1;
  int open = -1;
  while (y->rank < GF_MAX_RANK && a->shape[y->rank]) {
    const int size = a->shape[y->rank];
    if (size < -1 || (size < 0 && open >= 0)) return GF_ESHAPE;
    if (size < 0)
      open = y->rank;
    else if ((uint64_t)known * (uint64_t)size > x[0]->size)
      return GF_ESHAPE;
    else
      known *= (size_t)size;
    axis_is(y, y->rank++, size, GF_AXIS_NONE);
  }
  if (!y->rank || x[0]->size % known || (open < 0 && known != x[0]->size)) return GF_ESHAPE;
  if (open >= 0) y->shape[open] = (int)(x[0]->size / known);
  role_like(y, x[0]);
  return GF_OK;
}

/* y = x, number by number */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  memcpy(y->value, x[0]->value, y->size * sizeof(float));
}

/* y = x  =>  dx += dy */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  if (!x[0]->grad) return;
  F4_FOR(j, left, y->size, f4_add_n(x[0]->grad + j, f4_load_n(y->grad + j, left, 0), left););
}

const op gfi_op_reshape = {OP_reshape, shape, forward, backward};

/* The same numbers in another shape.   x [...]  ->  y [shape]
 * shape: GF_MAX_RANK sizes, 0 behind the last; one may be -1 and is as large as the others leave it.
 * Gradient: dx += dy. */
int gf_reshape(gf_tape *t, int x, const int *shape, const char *name) {
  attributes a = {0};
  if (!shape) return gfi_refuse_null(t, &gfi_op_reshape, name, "shape");
  for (int i = 0; i < GF_MAX_RANK; i++) a.shape[i] = shape[i];
  return gfi_push(t, &gfi_op_reshape, (int[]){x}, a, name);
}
