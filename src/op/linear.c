#include "op.h"
#include "gemm.h"
#include "patch.h"
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
  if (x != w)
    y->work = (double)x->size * w->shape[1]; /* else both gradients are the same numbers */
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
  patches all = gfi_patches(y, m, n);
  for (patch p; gfi_next_patch(&all, &p);) {
    const range c = p.columns;
    float *to = y->value + p.rows.first * n;
    const float *from = x->value + p.rows.first * depth;
    gfi_gemm(to + c.first, n, p.rows.count, c.count, depth, matrix_of(from, depth),
             matrix_of(w->value + c.first, n), GEMM_SET);
    gfi_add_row(to + c.first, n, p.rows.count, b ? b->value + c.first : NULL, c.count);
  }
}

/* dx += dy w^T: some of dx, m x depth */
static void backward_x(const tensor *y, const tensor *x, const tensor *w, patches all) {
  const size_t depth = all.n, n = (size_t)w->shape[1];
  for (patch p; gfi_next_patch(&all, &p);) {
    const range k = p.columns;
    float *dx = x->grad + p.rows.first * depth;
    const float *dy = y->grad + p.rows.first * n;
    if (is_stored(w))
      gfi_stored_product_back(dx, p.rows.count, dy, stored_of(w), k);
    else
      gfi_gemm(dx + k.first, depth, p.rows.count, k.count, n, matrix_of(dy, n),
               matrix_transposed(w->value + k.first * n, n), GEMM_ADD);
  }
}

/* dw += x^T dy: some of dw, depth x n */
static void backward_w(const tensor *y, const tensor *x, const tensor *w, patches all) {
  const size_t m = row_count(x), depth = all.m, n = all.n;
  for (patch p; gfi_next_patch(&all, &p);) {
    const size_t k = p.rows.first, c = p.columns.first;
    gfi_gemm(w->grad + k * n + c, n, p.rows.count, p.columns.count, m,
             matrix_transposed(x->value + k, depth), matrix_of(y->grad + c, n), GEMM_ADD);
  }
}

/* y = x w + b  =>  dx += dy w^T, dw += x^T dy, db += each row of dy */
static void backward(const tensor *y, const tensor *const *operand, const attributes *a) {
  (void)a;
  const tensor *x = operand[0], *w = operand[1], *b = operand[2];
  size_t m = row_count(x), depth = (size_t)w->shape[0], n = (size_t)w->shape[1];
  if (x->grad) backward_x(y, x, w, gfi_patches(y, m, depth));
  if (w->grad) backward_w(y, x, w, gfi_patches(y, depth, n));
  if (!b || !b->grad) return;
  const range c = gfi_part_of(y, n, TOGETHER);
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
