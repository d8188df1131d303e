#include "op.h"
#include "row.h"

/* y_j = x_j - log sum_k exp x_k */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  size_t n = (size_t)last_dimension(y);
  const range part = rows_part(y);
  for (size_t i = part.first; i < part.first + part.count; i += n) {
    log_sum sum = row_log_sum_exp(x[0]->value + i, n);
    F4_FOR(j, left, n,
           f4_store_n(y->value + i + j, log_share(f4_load_n(x[0]->value + i + j, left, 0), sum),
                      left););
  }
}

/* y_j = x_j - log sum_k exp x_k  =>  dx_j += dy_j - exp(y_j) sum_k dy_k */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  if (!x[0]->grad) return;
  size_t n = (size_t)last_dimension(y);
  const range part = rows_part(y);
  for (size_t i = part.first; i < part.first + part.count; i += n) {
    const float *out = y->value + i, *dy = y->grad + i;
    float *dx = x[0]->grad + i;
    f4 sum = f4_splat(0);
    F4_FOR(j, left, n, sum += f4_load_n(dy + j, left, 0););
    f4 total = f4_splat(f4_sum(sum));
    F4_FOR(j, left, n, {
      f4 d = f4_load_n(dy + j, left, 0) - f4_exp(f4_load_n(out + j, left, 0)) * total;
      f4_add_n(dx + j, d, left);
    });
  }
}

const op gfi_op_log_softmax = {OP_log_softmax, shape_as_operand, forward, backward};

/* Logarithm of the softmax over the last dimension, without the detour that loses digits.
 *   x [...,N]  ->  y [...,N]                    y_j = x_j - log sum_k exp x_k
 * Gradient: dx_j += dy_j - exp(y_j) sum_k dy_k. */
int gf_log_softmax(gf_tape *t, int x, const char *name) {
  return gfi_push(t, &gfi_op_log_softmax, (int[]){x}, (attributes){0}, name);
}
