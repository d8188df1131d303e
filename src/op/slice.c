#include "op.h"
#include "f4.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  const int axis = axis_of(x[0]->rank, a->axis);
  if (axis < 0) return GF_ERANGE;
  if (a->start >= a->end || a->end > x[0]->shape[axis]) return GF_ESHAPE;
  shape_like(y, x[0]);
  role_like(y, x[0]);
  y->shape[axis] = a->end - a->start;
  return GF_OK;
}

/* What is cut: of each block of x that the axis begins, some neighbours. */
typedef struct cut {
  size_t block, first, count;
} cut;

static cut cut_of(const tensor *x, const attributes *a) {
  const int axis = axis_of(x->rank, a->axis);
  size_t after = 1;
  for (int i = axis + 1; i < x->rank; i++) after *= (size_t)x->shape[i];
  return (cut){(size_t)x->shape[axis] * after, (size_t)a->start * after,
               (size_t)(a->end - a->start) * after};
}

/* y = x[start to end] */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  const cut c = cut_of(x[0], a);
  for (size_t i = 0; i < y->size / c.count; i++)
    memcpy(y->value + i * c.count, x[0]->value + i * c.block + c.first, c.count * sizeof(float));
}

/* y = x[start to end]  =>  dx[start to end] += dy */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  const cut c = cut_of(x[0], a);
  for (size_t i = 0; x[0]->grad && i < y->size / c.count; i++)
    for (size_t j = 0; j < c.count; j++)
      x[0]->grad[i * c.block + c.first + j] += y->grad[i * c.count + j];
}

const op gfi_op_slice = {OP_slice, shape, forward, backward};

/* A part of an axis, from start to end, which is left out.   x [..,N,..]  ->  y [..,end - start,..]
 * -rank <= axis < rank, negative ones from the end; 0 <= start < end <= N.  Gradient: dx[start to end] += dy. */
int gf_slice(gf_tape *t, int x, int axis, int start, int end, const char *name) {
  attributes a = {.axis = axis, .start = start, .end = end};
  return gfi_push(t, &gfi_op_slice, (int[]){x}, a, name);
}
