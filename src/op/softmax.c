#include "op.h"
#include "score.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  if (x[0]->about.role == GF_ROLE_LOGIT) role_is(y, GF_ROLE_PROBABILITY);
  if (x[0]->about.role == GF_ROLE_SCORE) {
    role_like(y, x[0]);
    role_is(y, GF_ROLE_WEIGHT);
    removed_by(y, GF_REMOVE_SOFTMAX, 0);
  }
  return shape_as_operand(y, x, a);
}

/* y_j = exp(x_j - max x) / sum_k exp(x_k - max x) */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  size_t n = (size_t)last_dimension(y);
  const range part = rows_part(y);
  for (size_t i = part.first; i < part.first + part.count; i += n)
    gfi_softmax_row(y->value + i, x[0]->value + i, n, 1);
}

/* y_j = exp(x_j - max) / sum  =>  dx_j += y_j (dy_j - sum_k dy_k y_k) */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  if (!x[0]->grad) return;
  size_t n = (size_t)last_dimension(y);
  const range part = rows_part(y);
  for (size_t i = part.first; i < part.first + part.count; i += n) {
    const float *out = y->value + i, *dy = y->grad + i;
    f4 mean = f4_splat(softmax_mean(out, dy, n));
    F4_FOR(j, left, n, {
      f4 d = f4_load_n(out + j, left, 0) * (f4_load_n(dy + j, left, 0) - mean);
      f4_add_n(x[0]->grad + i + j, d, left);
    });
  }
}

const op gfi_op_softmax = {OP_softmax, shape, forward, backward};

/* Softmax over the last dimension.
 *   x [...,N]  ->  y [...,N]                    y_j = exp(x_j - max x) / sum_k exp(x_k - max x)
 * A row that is all -inf gives 0, and passes no gradient.
 * Gradient: dx_j += y_j (dy_j - sum_k dy_k y_k). */
int gf_softmax(gf_tape *t, int x, const char *name) {
  return gfi_push(t, &gfi_op_softmax, (int[]){x}, (attributes){0}, name);
}
