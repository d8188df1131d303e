#include "op.h"
#include "row.h"

/* y_j = x_j - log sum_k exp x_k */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  size_t n = (size_t)last_dimension(y);
  for (size_t i = 0; i < y->size; i += n) {
    log_sum sum = row_log_sum_exp(x[0]->value + i, n);
    for (size_t j = 0; j < n; j += 4)
      f4_store_n(y->value + i + j, log_share(f4_load_n(x[0]->value + i + j, n - j, 0), sum), n - j);
  }
}

/* y_j = x_j - log sum_k exp x_k  =>  dx_j += dy_j - exp(y_j) sum_k dy_k */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  if (!x[0]->grad) return;
  size_t n = (size_t)last_dimension(y);
  for (size_t i = 0; i < y->size; i += n) {
    const float *out = y->value + i, *dy = y->grad + i;
    float *dx = x[0]->grad + i;
    f4 sum = f4_splat(0);
    for (size_t j = 0; j < n; j += 4) sum += f4_load_n(dy + j, n - j, 0);
    f4 total = f4_splat(f4_sum(sum));
    for (size_t j = 0; j < n; j += 4) {
      f4 d = f4_load_n(dy + j, n - j, 0) - f4_exp(f4_load_n(out + j, n - j, 0)) * total;
      f4_add_n(dx + j, d, n - j);
    }
  }
}

const op op_log_softmax = {shape_as_operand, forward, backward};
