#include "op.h"
#include "gemm.h"
#include "row.h"
#include "stored.h"

/* y is what its weight is for. */
static void describe(tensor *y, const tensor *w) {
  int role = w->about.role;
  role_is(y, role);
  if (role == GF_ROLE_QUERY || role == GF_ROLE_KEY || role == GF_ROLE_VALUE) {
    y->about.heads = w->about.heads;
    removed_by(y, GF_REMOVE_PROJECTIONS, 0);
  }
  if (role == GF_ROLE_OUTPUT && w->about.heads) removed_by(y, GF_REMOVE_OUTPUT, 0);
}

static gf_error shape(tensor *y, const tensor *const *operand, const attributes *a) {
  (void)a;
  const tensor *x = operand[0], *w = operand[1], *b = operand[2];
  if (w->rank != 2 || last_dimension(x) != w->shape[0]) return GF_ESHAPE;
  if (b && (b->rank != 1 || b->shape[0] != w->shape[1])) return GF_ESHAPE;
  if (is_stored(w) && w->along != 0) return GF_ENODE;
  shape_like(y, x);
  axis_like(y, y->rank - 1, w, 1);
  describe(y, w);
  if (x != w) y->work = w->shape[0]; /* else both gradients are the same numbers */
  return GF_OK;
}

/* y = x w + b */
static void forward(const tensor *y, const tensor *const *operand, const attributes *a) {
  (void)a;
  const tensor *x = operand[0], *w = operand[1], *b = operand[2];
  size_t m = row_count(x), depth = (size_t)w->shape[0], n = (size_t)w->shape[1];
  if (is_stored(w)) {
    gfi_stored_product(y, m, x->value, stored_of(w), b ? b->value : NULL);
    return;
  }
  const range c = part_of(y, n, GEMM_GROUP);
  gfi_gemm(y->value + c.first, n, m, c.count, depth, matrix_of(x->value, depth),
           matrix_of(w->value + c.first, n), GEMM_SET);
  gfi_add_row(y->value + c.first, n, m, b ? b->value + c.first : NULL, c.count);
}

/* y = x w + b  =>  dx += dy w^T, dw += x^T dy, db += each row of dy */
static void backward(const tensor *y, const tensor *const *operand, const attributes *a) {
  (void)a;
  const tensor *x = operand[0], *w = operand[1], *b = operand[2];
  size_t m = row_count(x), depth = (size_t)w->shape[0], n = (size_t)w->shape[1];
  const range k = part_of(y, depth, GEMM_GROUP), c = part_of(y, n, GEMM_GROUP);
  if (x->grad && is_stored(w))
    gfi_stored_product_back(x->grad, m, y->grad, stored_of(w), k);
  else if (x->grad)
    gfi_gemm(x->grad + k.first, depth, m, k.count, n, matrix_of(y->grad, n),
             matrix_transposed(w->value + k.first * n, n), GEMM_ADD);
  if (w->grad)
    gfi_gemm(w->grad + c.first, n, depth, c.count, m, matrix_transposed(x->value, depth),
             matrix_of(y->grad + c.first, n), GEMM_ADD);
  if (!b || !b->grad) return;
  for (size_t i = 0; i < m; i++)
    gfi_add_row(b->grad + c.first, 0, 1, y->grad + i * n + c.first, c.count);
}

const op gfi_op_linear = {OP_linear, shape, forward, backward};

/* A linear layer.
 *   x [...,K], w [K,N], b [N] or GF_NONE  ->  y [...,N]     y = x w + b
 * Gradient: dx += dy w^T, dw += x^T dy, db += sum of dy over the rows. */
int gf_linear(gf_tape *t, int x, int w, int b, const char *name) {
  return gfi_push(t, &gfi_op_linear, (int[]){x, w, b}, (attributes){0}, name);
}
