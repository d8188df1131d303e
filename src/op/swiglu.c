#include "op.h"
#include "fmath.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  const tensor *gate = x[0], *up = x[1];
  if (!same_shape(gate, up)) return GF_ESHAPE;
  shape_like(y, gate);
  y->work = (double)gate->size * WORK_CURVED;
  return GF_OK;
}

/* y = g s u, s = sigmoid(factor g) */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  const range part = gfi_part_of(y, y->size, TOGETHER);
  const float *gate = x[0]->value + part.first, *up = x[1]->value + part.first;
  float *to = y->value + part.first;
  F4_FOR(i, left, part.count, {
    f4 g = f4_load_n(gate + i, left, 0), u = f4_load_n(up + i, left, 0);
    f4_store_n(to + i, g * f4_sigmoid(a->factor * g) * u, left);
  });
}

/* y = g s u, s = sigmoid(factor g)  =>  dg += dy u (s + factor g s (1 - s)), du += dy g s */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  const tensor *gate = x[0], *up = x[1];
  const range part = gfi_part_of(y, y->size, TOGETHER);
  F4_FOR(j, left, part.count, {
    const size_t i = part.first + j;
    f4 g = f4_load_n(gate->value + i, left, 0), u = f4_load_n(up->value + i, left, 0);
    f4 s = f4_sigmoid(a->factor * g), dy = f4_load_n(y->grad + i, left, 0);
    f4 derivative = s + g * s * (1.0f - s) * a->factor; /* factor g may overflow, not g s */
    if (gate->grad) f4_add_n(gate->grad + i, dy * u * derivative, left);
    if (up->grad) f4_add_n(up->grad + i, dy * (g * s), left);
  });
}

const op gfi_op_swiglu = {OP_swiglu, shape, forward, backward};

/* A gated unit.   gate [...], up [...]  ->  y [...]     y = gate sigmoid(factor gate) up
 * Equal shapes; usually factor 1.  Shazeer 2020. */
int gf_swiglu(gf_tape *t, int gate, int up, float factor, const char *name) {
  return gfi_push(t, &gfi_op_swiglu, (int[]){gate, up}, (attributes){.factor = factor}, name);
}
