#include "reduce.h"

/* y = max x; a NaN stays one */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  const reduction r = reduction_of(x[0], a);
  for (size_t i = 0; i < y->size; i++) {
    const float *row = x[0]->value + i / r.after * r.n * r.after + i % r.after;
    float max = row[0];
    for (size_t k = 1; k < r.n; k++) {
      const float value = row[k * r.after];
      if (value > max || value != value) max = value;
    }
    y->value[i] = max;
  }
}

/* y = max x  =>  dx += dy / how many are the largest, to each of these; NaN to all where y is */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  if (!x[0]->grad) return;
  const reduction r = reduction_of(x[0], a);
  for (size_t i = 0; i < y->size; i++) {
    const size_t first = i / r.after * r.n * r.after + i % r.after;
    const float *row = x[0]->value + first, max = y->value[i];
    float count = 0;
    for (size_t k = 0; k < r.n; k++) count += row[k * r.after] == max ? 1.0f : 0.0f;
    for (size_t k = 0; k < r.n; k++) {
      const float is_max = row[k * r.after] == max ? 1.0f : 0.0f;
      x[0]->grad[first + k * r.after] += y->grad[i] / count * is_max;
    }
  }
}

const op gfi_op_amax = {OP_amax, shape_of_reduction, forward, backward};

/* The largest over an axis, or of all.   x [..,N,..]  ->  y [..,..], or [..,1,..] with keep_dims     y = max x
 * axis: -rank <= axis < rank, negative ones from the end; GF_ALL: y is one number, [1].  NaN if one is.
 * Gradient: dx += dy / m for each of the m that are the largest, as torch.amax. */
int gf_amax(gf_tape *t, int x, int axis, int keep_dims, const char *name) {
  attributes a = {.axis = axis, .keep_dims = keep_dims};
  return gfi_push(t, &gfi_op_amax, (int[]){x}, a, name);
}
