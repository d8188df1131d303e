#include "map.h"
#include "score.h"

/* y = cap tanh(x / cap) */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  map(y, x[0], softcap_value, a->cap);
}

/* y = cap t, t = tanh(x / cap)  =>  dx += dy (1 - t^2) */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  map_backward(y, x[0], softcap_slope, a->cap);
}

const op gfi_op_softcap = {shape_as_operand, forward, backward};
