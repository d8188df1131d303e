#include "op.h"
#include "f4.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  role_like(y, x[0]);
  if (y->about.role == GF_ROLE_SCORE) removed_by(y, GF_REMOVE_SCALE, 0);
  shape_as_operand(y, x, a);
  y->work = (double)x[0]->size * WORK_MOVED;
  return GF_OK;
}

/* y = factor x */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  const range part = gfi_part_of(y, y->size, TOGETHER);
  const float *from = x[0]->value + part.first;
  float *to = y->value + part.first;
  size_t i = 0;
  for (; i + 4 <= part.count; i += 4) f4_store(to + i, f4_splat(a->factor) * f4_load(from + i));
  for (; i < part.count; i++) to[i] = a->factor * from[i];
}

/* y = factor x  =>  dx += factor dy */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  if (!x[0]->grad) return;
  const range part = gfi_part_of(y, y->size, TOGETHER);
  const float *dy = y->grad + part.first;
  float *dx = x[0]->grad + part.first;
  size_t i = 0;
  for (; i + 4 <= part.count; i += 4)
    f4_store(dx + i, f4_load(dx + i) + f4_splat(a->factor) * f4_load(dy + i));
  for (; i < part.count; i++) dx[i] += a->factor * dy[i];
}

const op gfi_op_scale = {OP_scale, shape, forward, backward};

/* Multiplies by a constant.   x [...]  ->  y [...]      y = factor x
 * factor: finite.  Gradient: dx += factor dy. */
int gf_scale(gf_tape *t, int x, float factor, const char *name) {
  return gfi_push(t, &gfi_op_scale, (int[]){x}, (attributes){.factor = factor}, name);
}
