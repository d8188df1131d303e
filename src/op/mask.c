#include "op.h"
#include "score.h"

static gf_error shape(tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *x = operand[0];
  if (x->rank < 2) return GF_ESHAPE;
  shape_like(y, x);
  role_like(y, x);
  if (a->causal) removed_by(y, GF_REMOVE_MASK, 0);
  return gfi_mask_check(x, operand[1], operand[2]);
}

/* y = x + what the mask adds; -inf wins over everything */
static void forward(const tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *x = operand[0];
  size_t n = (size_t)last_dimension(x);
  for (size_t r = 0; r < row_count(x); r++) {
    mask_row row = gfi_mask_row_of(x, operand[1], operand[2], a, r);
    const float *from = x->value + r * n;
    F4_FOR(j, left, n, {
      f4 kept = mask_apply(f4_load_n(from + j, left, 0), mask_added(row, j, left));
      f4_store_n(y->value + r * n + j, kept, left);
    });
  }
}

/* y = x + mask where kept  =>  dx += dy, dmask += dy where kept */
static void backward(const tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *x = operand[0], *mask = operand[1];
  size_t n = (size_t)last_dimension(x);
  for (size_t r = 0; r < row_count(x); r++) {
    mask_row row = gfi_mask_row_of(x, mask, operand[2], a, r);
    const float *dy = y->grad + r * n;
    if (mask) gfi_mask_backward(row, mask, dy, n);
    if (!x->grad) continue;
    F4_FOR(j, left, n, {
      f4 d = mask_passed(f4_load_n(dy + j, left, 0), mask_added(row, j, left));
      f4_add_n(x->grad + r * n + j, d, left);
    });
  }
}

const op gfi_op_mask = {OP_mask, shape, forward, backward};

/* Masks scores: a masked one becomes -inf, which softmax turns into 0.
 *   x [...,Tq,Tk]  ->  y, same shape
 *   causal    nonzero: query i sees key j only if j <= i + offset
 *   offset    >= 0: how many keys come before the first query; 0 unless keys are cached
 *   mask      GF_NONE; or float32, added to the scores (0 keeps, -inf masks, a bias shifts); or
 *             ids, boolean: 0 masks, anything else keeps. Its dimensions, aligned at the right, are
 *             1 or x's.
 *   lengths   GF_NONE; or ids [B], B = x's first dimension: keys from lengths[b] on are padding.
 *             Rank 3 or 4 x; below 0 counts as 0.
 * Gradient: dx += dy where kept; dmask likewise, summed over what it was repeated over. */
int gf_mask(gf_tape *t, int x, int causal, int offset, int mask, int lengths, const char *name) {
  attributes a = {.causal = causal, .offset = offset};
  return gfi_push(t, &gfi_op_mask, (int[]){x, mask, lengths}, a, name);
}

/* The same, with a window: of the keys that are left, query i sees only those with j > i + offset - window; without
 * `causal`, the last `window` keys before those that `lengths` calls padding.  window >= 0; 0: no window. */
int gf_mask_window(gf_tape *t, int x, int causal, int offset, int window, int mask, int lengths,
                   const char *name) {
  attributes a = {.causal = causal, .offset = offset, .window = window};
  return gfi_push(t, &gfi_op_mask, (int[]){x, mask, lengths}, a, name);
}
