#include "op.h"
#include "f4.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  const tensor *l = x[0], *r = x[1];
  if (r->rank > l->rank) return GF_ESHAPE;
  for (int i = 1; i <= r->rank; i++)
    if (r->shape[r->rank - i] != l->shape[l->rank - i]) return GF_ESHAPE;
  shape_like(y, l);
  y->work = (double)l->size * WORK_MOVED;
  if (l->about.role == r->about.role) role_like(y, l);
  return GF_OK;
}

/* y = a b, b over and over. A part has some numbers of b, wherever they are repeated: they add to one db. */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  const tensor *l = x[0], *r = x[1];
  const range part = gfi_part_of(y, r->size, TOGETHER);
  const float *right = r->value + part.first;
  for (size_t i = part.first; i < y->size; i += r->size)
    F4_FOR(j, left, part.count, {
      f4 product = f4_load_n(l->value + i + j, left, 0) * f4_load_n(right + j, left, 0);
      f4_store_n(y->value + i + j, product, left);
    });
}

/* y = a b  =>  da += dy b, db += dy a of each repeat */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  const tensor *l = x[0], *r = x[1];
  const range part = gfi_part_of(y, r->size, TOGETHER);
  for (size_t i = 0; i < y->size; i += r->size)
    F4_FOR(k, left, part.count, {
      const size_t j = part.first + k;
      f4 dy = f4_load_n(y->grad + i + j, left, 0);
      if (l->grad) f4_add_n(l->grad + i + j, dy * f4_load_n(r->value + j, left, 0), left);
      if (r->grad) f4_add_n(r->grad + j, dy * f4_load_n(l->value + i + j, left, 0), left);
    });
}

const op gfi_op_mul = {OP_mul, shape, forward, backward};

/* Multiplies number by number; b is repeated over the leading dimensions that it lacks.
 *   a [...,S], b [S]  ->  y [...,S]             y = a b
 * S: b's whole shape, the trailing part of a's.  Gradient: da += dy b, db += sum of dy a over the
 * repeats. */
int gf_mul(gf_tape *t, int a, int b, const char *name) {
  return gfi_push(t, &gfi_op_mul, (int[]){a, b}, (attributes){0}, name);
}
