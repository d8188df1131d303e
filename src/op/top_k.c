#include "op.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  if (x[0]->is_ids) return GF_ENODE;
  if (a->k < 1 || a->k > last_dimension(x[0])) return GF_ERANGE;
  shape_like(y, x[0]);
  y->shape[y->rank - 1] = a->k;
  y->is_ids = a->ids;
  y->limit = a->ids ? last_dimension(x[0]) : 0;
  return GF_OK;
}

/* The place of the largest number that comes after `last`, in the order: larger first, and of equals
 * the one further left. */
static size_t next_largest(const float *x, size_t n, size_t last, bool first) {
  size_t best = n;
  for (size_t j = 0; j < n; j++) {
    bool eligible = first || x[j] < x[last] || (x[j] == x[last] && j > last);
    if (eligible && (best == n || x[j] > x[best])) best = j;
  }
  return best;
}

/* y = the k largest of each row, largest first; or their places */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  size_t n = (size_t)last_dimension(x[0]), k = (size_t)a->k;
  for (size_t r = 0; r < row_count(x[0]); r++) {
    const float *row = x[0]->value + r * n;
    size_t at = 0;
    for (size_t i = 0; i < k; i++) {
      size_t next = next_largest(row, n, at, i == 0);
      if (next < n) at = next; /* NaNs have no order: the last number found is repeated */
      if (a->ids)
        y->ids[r * k + i] = (int32_t)at;
      else
        y->value[r * k + i] = row[at];
    }
  }
}

/* y_i = x[place i]  =>  dx[place i] += dy_i */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  if (!x[0]->grad) return;
  size_t n = (size_t)last_dimension(x[0]), k = (size_t)a->k;
  for (size_t r = 0; r < row_count(x[0]); r++) {
    size_t at = 0;
    for (size_t i = 0; i < k; i++) {
      size_t next = next_largest(x[0]->value + r * n, n, at, i == 0);
      if (next < n) at = next;
      x[0]->grad[r * n + at] += y->grad[r * k + i];
    }
  }
}

const op op_top_k = {shape, forward, backward};
