#include "op.h"
#include "f4.h"

static gf_error shape(tensor *y, const tensor *const *operand, const attributes *a) {
  (void)a;
  const tensor *x = operand[0], *mask = operand[1], *lengths = operand[2];
  if (x->is_ids || (lengths && !lengths->is_ids)) return GF_ENODE;
  if (x->rank < 2) return GF_ESHAPE;
  if (mask) {
    if (mask->rank > x->rank) return GF_ESHAPE;
    for (int i = 1; i <= mask->rank; i++) {
      int d = mask->shape[mask->rank - i];
      if (d != 1 && d != x->shape[x->rank - i]) return GF_ESHAPE;
    }
  }
  if (lengths && (x->rank < 3 || lengths->rank != 1 || lengths->shape[0] != x->shape[0]))
    return GF_ESHAPE;
  shape_like(y, x);
  return GF_OK;
}

/* One row of scores: query i of the batch entry b, keys 0..keys-1. */
typedef struct row {
  size_t start; /* its first element in x and y */
  size_t keys;  /* keys from here on are masked by causality or padding */
  size_t mask;  /* the mask's element for key 0 */
  size_t step;  /* from key to key in the mask: 0 or 1 */
} row;

static row row_of(const tensor *const *operand, const attributes *a, size_t r) {
  const tensor *x = operand[0], *mask = operand[1], *lengths = operand[2];
  size_t queries = (size_t)x->shape[x->rank - 2], width = (size_t)last_dimension(x);
  row out = {.start = r * width, .keys = width};
  size_t seen = r % queries + 1 + (size_t)a->offset;
  if (a->causal && seen < out.keys) out.keys = seen;
  if (lengths) {
    int32_t length = lengths->ids[r / (row_count(x) / (size_t)x->shape[0])];
    size_t keys = length < 0 ? 0 : (size_t)length;
    if (keys < out.keys) out.keys = keys;
  }
  if (!mask) return out;
  /* Walks the row's coordinates from the right; a mask's dimension of 1 stands still. */
  size_t rest = r, stride = (size_t)last_dimension(mask);
  out.step = last_dimension(mask) > 1;
  for (int i = 2; i <= mask->rank; i++) {
    size_t size = (size_t)x->shape[x->rank - i], d = (size_t)mask->shape[mask->rank - i];
    if (d > 1) out.mask += rest % size * stride;
    rest /= size;
    stride *= d;
  }
  return out;
}

/* What the mask adds to key j's score: a bias, or -inf. */
static float added(const tensor *mask, row r, size_t j) {
  if (j >= r.keys) return -__builtin_inff();
  if (!mask) return 0;
  size_t at = r.mask + j * r.step;
  if (mask->is_ids) return mask->ids[at] ? 0 : -__builtin_inff();
  return mask->value[at];
}

/* y = x + what the mask adds; -inf wins over everything */
static void forward(const tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *x = operand[0];
  size_t width = (size_t)last_dimension(x);
  for (size_t i = 0; i < row_count(x); i++) {
    row r = row_of(operand, a, i);
    for (size_t j = 0; j < width; j++) {
      float m = added(operand[1], r, j);
      y->value[r.start + j] = m == -__builtin_inff() ? m : x->value[r.start + j] + m;
    }
  }
}

/* y = x + mask where kept  =>  dx += dy, dmask += dy where kept */
static void backward(const tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *x = operand[0], *mask = operand[1];
  size_t width = (size_t)last_dimension(x);
  float *dmask = mask && !mask->is_ids ? mask->grad : NULL;
  for (size_t i = 0; i < row_count(x); i++) {
    row r = row_of(operand, a, i);
    for (size_t j = 0; j < width; j++) {
      if (added(mask, r, j) == -__builtin_inff()) continue;
      if (x->grad) x->grad[r.start + j] += y->grad[r.start + j];
      if (dmask) dmask[r.mask + j * r.step] += y->grad[r.start + j];
    }
  }
}

const op op_mask = {shape, forward, backward};
