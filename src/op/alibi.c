#include "op.h"
#include "score.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  if (x[0]->rank < 3 || (x[1] && x[1]->size != 1)) return GF_ESHAPE;
  shape_like(y, x[0]);
  role_like(y, x[0]);
  removed_by(y, GF_REMOVE_POSITIONS, 0);
  return GF_OK;
}

/* y[h,i,j] = x[h,i,j] - slope_h |i + at - j| */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  size_t heads = (size_t)y->shape[y->rank - 3], queries = (size_t)y->shape[y->rank - 2];
  size_t keys = (size_t)last_dimension(y);
  for (size_t r = 0; r < row_count(y); r++) {
    float slope = gfi_alibi_slope(r / queries % heads, heads);
    float place = (float)(r % queries) + (float)(x[1] ? x[1]->ids[0] : 0);
    const float *from = x[0]->value + r * keys;
    F4_FOR(j, left, keys, {
      f4 score = f4_load_n(from + j, left, 0) - slope * alibi_distance(place, j);
      f4_store_n(y->value + r * keys + j, score, left);
    });
  }
}

/* y = x - something fixed  =>  dx += dy */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  if (!x[0]->grad) return;
  F4_FOR(i, left, y->size, f4_add_n(x[0]->grad + i, f4_load_n(y->grad + i, left, 0), left););
}

const op gfi_op_alibi = {OP_alibi, shape, forward, backward};

/* Attention with linear biases: subtracts from each score its distance times the head's slope.
 *   x [...,H,Tq,Tk], at: ids [1] or GF_NONE  ->  y as x     y[h,i,j] = x[h,i,j] - slope_h |i + at - j|
 * slope_h = 2^(-8 (h + 1) / H) for H a power of two, else as the paper interpolates.  at: how many
 * keys come before the first query, 0 if left out.  Gradient: dx += dy.  Press et al. 2022. */
int gf_alibi(gf_tape *t, int x, int at, const char *name) {
  return gfi_push(t, &gfi_op_alibi, (int[]){x, at}, (attributes){0}, name);
}
