#include "op.h"
#include "fmath.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  if (x[0]->is_ids || (x[1] && !x[1]->is_ids)) return GF_ENODE;
  if (x[0]->rank < 3 || (x[1] && x[1]->size != 1)) return GF_ESHAPE;
  shape_like(y, x[0]);
  return GF_OK;
}

/* Powers of 2^(-8/n) for n heads; where n is no power of two, those of the largest one below, then
 * every other one of twice that. */
static float slope(size_t head, size_t heads) {
  const double log_2 = 0.69314718055994530942;
  size_t power = 1;
  while (power * 2 <= heads) power *= 2;
  double exponent = head < power ? (double)(head + 1) / (double)power
                                 : (double)(2 * (head - power) + 1) / (double)(2 * power);
  return (float)f64_exp(-8 * exponent * log_2);
}

/* y[h,i,j] = x[h,i,j] - slope_h |i + at - j| */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  size_t heads = (size_t)y->shape[y->rank - 3], queries = (size_t)y->shape[y->rank - 2];
  size_t keys = (size_t)last_dimension(y);
  for (size_t r = 0; r < row_count(y); r++) {
    float s = slope(r / queries % heads, heads);
    float place = (float)(r % queries) + (float)(x[1] ? x[1]->ids[0] : 0);
    for (size_t j = 0; j < keys; j++) {
      float distance = place - (float)j;
      y->value[r * keys + j] =
          x[0]->value[r * keys + j] - s * (distance < 0 ? -distance : distance);
    }
  }
}

/* y = x - something fixed  =>  dx += dy */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  if (!x[0]->grad) return;
  for (size_t i = 0; i < y->size; i += 4)
    f4_add_n(x[0]->grad + i, f4_load_n(y->grad + i, y->size - i, 0), y->size - i);
}

const op op_alibi = {shape, forward, backward};
