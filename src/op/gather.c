#include "op.h"
#include "f4.h"

static gf_error shape(tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *x = operand[0], *ids = operand[1];
  if (a->axis < 0 || a->axis >= x->rank) return GF_ERANGE;
  if (x->rank + ids->rank - 1 > GF_MAX_RANK) return GF_ESHAPE;
  for (int i = 0; i < a->axis; i++) axis_like(y, y->rank++, x, i);
  for (int i = 0; i < ids->rank; i++) axis_like(y, y->rank++, ids, i);
  for (int i = a->axis + 1; i < x->rank; i++) axis_like(y, y->rank++, x, i);
  role_like(y, x);
  y->rows = x->shape[a->axis];
  return GF_OK;
}

/* How many numbers one id brings. */
static size_t width_of(const tensor *x, int axis) {
  size_t width = 1;
  for (int i = axis + 1; i < x->rank; i++) width *= (size_t)x->shape[i];
  return width;
}

/* y[..., i, ...] = x[..., ids[i], ...] */
static void forward(const tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *x = operand[0], *ids = operand[1];
  size_t width = width_of(x, a->axis), rows = (size_t)x->shape[a->axis];
  for (size_t i = 0; i < y->size / width; i++) {
    size_t row = i / ids->size * rows + row_of_id(ids, i % ids->size, y->rows);
    memcpy(y->value + i * width, x->value + row * width, width * sizeof *y->value);
  }
}

/* y[..., i, ...] = x[..., ids[i], ...]  =>  dx[..., ids[i], ...] += dy[..., i, ...] */
static void backward(const tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *x = operand[0], *ids = operand[1];
  if (!x->grad) return;
  size_t width = width_of(x, a->axis), rows = (size_t)x->shape[a->axis];
  for (size_t i = 0; i < y->size / width; i++) {
    size_t row = i / ids->size * rows + row_of_id(ids, i % ids->size, y->rows);
    for (size_t j = 0; j < width; j++) x->grad[row * width + j] += y->grad[i * width + j];
  }
}

const op gfi_op_gather = {OP_gather, shape, forward, backward};

/* Picks along an axis.   x [..,N,..], ids [S]  ->  y [..,S,..]     y[.., i, ..] = x[.., ids[i], ..]
 * ids, of any shape S that leaves rank <= 4, in 0..N-1, checked by gf_forward.
 * Gradient: dx[.., ids[i], ..] += dy[.., i, ..]. */
int gf_gather(gf_tape *t, int x, int ids, int axis, const char *name) {
  return gfi_push(t, &gfi_op_gather, (int[]){x, ids}, (attributes){.axis = axis}, name);
}
