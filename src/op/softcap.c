#include "map.h"
#include "score.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  role_like(y, x[0]);
  return shape_as_operand(y, x, a);
}

/* y = cap t, t = tanh(x / cap)  =>  dx += dy (1 - t^2) */
MAPPED(softcap_value, softcap_derivative, a->cap)

const op gfi_op_softcap = {OP_softcap, shape, forward, backward};

/* Keeps scores within -cap..cap.   x [...]  ->  y [...]     y = cap tanh(x / cap)
 * cap: finite, > 0.  Before the mask.  Gradient: dx += dy (1 - (y / cap)^2). */
int gf_softcap(gf_tape *t, int x, float cap, const char *name) {
  return gfi_push(t, &gfi_op_softcap, (int[]){x}, (attributes){.cap = cap}, name);
}
