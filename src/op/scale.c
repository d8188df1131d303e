#include "op.h"
#include "f4.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  role_like(y, x[0]);
  if (y->about.role == GF_ROLE_SCORE) removed_by(y, GF_REMOVE_SCALE, 0);
  return shape_as_operand(y, x, a);
}

/* y = factor x */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  const float *from = x[0]->value;
  size_t i = 0;
  for (; i + 4 <= y->size; i += 4) f4_store(y->value + i, f4_splat(a->factor) * f4_load(from + i));
  for (; i < y->size; i++) y->value[i] = a->factor * from[i];
}

/* y = factor x  =>  dx += factor dy */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  float *dx = x[0]->grad;
  if (!dx) return;
  size_t i = 0;
  for (; i + 4 <= y->size; i += 4)
    f4_store(dx + i, f4_load(dx + i) + f4_splat(a->factor) * f4_load(y->grad + i));
  for (; i < y->size; i++) dx[i] += a->factor * y->grad[i];
}

const op gfi_op_scale = {OP_scale, shape, forward, backward};

/* Multiplies by a constant.   x [...]  ->  y [...]      y = factor x
 * factor: finite.  Gradient: dx += factor dy. */
int gf_scale(gf_tape *t, int x, float factor, const char *name) {
  return gfi_push(t, &gfi_op_scale, (int[]){x}, (attributes){.factor = factor}, name);
}
