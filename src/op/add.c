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
  if (r->about.role == GF_ROLE_POSITION) {
    role_is(y, GF_ROLE_INPUT);
    removed_by(y, GF_REMOVE_POSITIONS, 0);
  }
  return GF_OK;
}

static void add_to(float *to, const float *a, const float *b, size_t n) {
  size_t i = 0;
  for (; i + 4 <= n; i += 4) f4_store(to + i, f4_load(a + i) + f4_load(b + i));
  for (; i < n; i++) to[i] = a[i] + b[i];
}

/* y = a + b, b over and over. A part has some numbers of b, wherever they are repeated: they add to one db. */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  const tensor *l = x[0], *r = x[1];
  const range part = gfi_part_of(y, r->size, TOGETHER);
  for (size_t i = part.first; i < y->size; i += r->size)
    add_to(y->value + i, l->value + i, r->value + part.first, part.count);
}

/* y = a + b  =>  da += dy, db += dy of each repeat */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  const tensor *l = x[0], *r = x[1];
  const range part = gfi_part_of(y, r->size, TOGETHER);
  for (size_t i = part.first; l->grad && i < y->size; i += r->size)
    add_to(l->grad + i, l->grad + i, y->grad + i, part.count);
  if (!r->grad) return;
  float *dr = r->grad + part.first;
  for (size_t i = part.first; i < y->size; i += r->size) add_to(dr, dr, y->grad + i, part.count);
}

const op gfi_op_add = {OP_add, shape, forward, backward};

/* Adds; b is repeated over the leading dimensions that it lacks.
 *   a [...,S], b [S]  ->  y [...,S]             y = a + b
 * S: b's whole shape, the trailing part of a's.  Gradient: da += dy, db += sum of dy over the
 * repeats. */
int gf_add(gf_tape *t, int a, int b, const char *name) {
  return gfi_push(t, &gfi_op_add, (int[]){a, b}, (attributes){0}, name);
}
