#include "op.h"
#include "row.h"

/* y_j = exp(x_j - max x) / sum_k exp(x_k - max x) */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  size_t n = (size_t)last_dimension(y);
  for (size_t i = 0; i < y->size; i += n) {
    const float *from = x[0]->value + i;
    float *to = y->value + i;
    float max = row_max(from, n);
    if (max == minus_infinity) {
      memset(to, 0, n * sizeof *to);
      continue;
    }
    f4 sum = f4_splat(0);
    for (size_t j = 0; j < n; j += 4) {
      f4 e = f4_exp(f4_load_n(from + j, n - j, minus_infinity) - f4_splat(max));
      f4_store_n(to + j, e, n - j);
      sum += e;
    }
    f4 total = f4_splat(f4_sum(sum));
    for (size_t j = 0; j < n; j += 4)
      f4_store_n(to + j, f4_load_n(to + j, n - j, 0) / total, n - j);
  }
}

/* y_j = exp(x_j - max) / sum  =>  dx_j += y_j (dy_j - sum_k dy_k y_k) */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  if (!x[0]->grad) return;
  size_t n = (size_t)last_dimension(y);
  for (size_t i = 0; i < y->size; i += n) {
    const float *out = y->value + i, *dy = y->grad + i;
    float *dx = x[0]->grad + i;
    f4 sum = f4_splat(0);
    for (size_t j = 0; j < n; j += 4)
      sum += f4_load_n(dy + j, n - j, 0) * f4_load_n(out + j, n - j, 0);
    f4 mean = f4_splat(f4_sum(sum));
    for (size_t j = 0; j < n; j += 4) {
      f4 d = f4_load_n(out + j, n - j, 0) * (f4_load_n(dy + j, n - j, 0) - mean);
      f4_add_n(dx + j, d, n - j);
    }
  }
}

const op op_softmax = {shape_as_operand, forward, backward};
