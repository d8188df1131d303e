#include "map.h"

static f4 value(f4 x, float c) {
  return c * f4_tanh(x / c);
}

static f4 slope(f4 x, f4 y, float c) {
  (void)x;
  f4 t = y / c;
  return 1.0f - t * t;
}

/* y = cap tanh(x / cap) */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  map(y, x[0], value, a->cap);
}

/* y = cap t, t = tanh(x / cap)  =>  dx += dy (1 - t^2) */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  map_backward(y, x[0], slope, a->cap);
}

const op op_softcap = {shape_as_operand, forward, backward};
