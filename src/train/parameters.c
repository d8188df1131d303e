#include "tape.h"

/* ---- Parameters as one block ---- */

size_t gf_parameter_count(const gf_tape *t) {
  if (!t->count) return 0;
  uint64_t count = end_in_block(&t->nodes[t->count - 1]);
  return count > SIZE_MAX / sizeof(float) ? SIZE_MAX : (size_t)count;
}

/* The same parameter on another tape, or NULL. */
static const node *same_parameter(const gf_tape *layout, const node *n) {
  int i = gfi_tape_find(layout, n->name);
  if (i < 0 || !gfi_tape_is_parameter(&layout->nodes[i])) return NULL;
  return same_shape(&layout->nodes[i].y, &n->y) ? &layout->nodes[i] : NULL;
}

gf_error gf_bind_parameters(gf_tape *t, const gf_tape *layout, float *values, float *grads) {
  if (!layout || !values)
    return gfi_tape_fail_about(t, GF_ERANGE, "tape", "bind", SAYS_argumentNull,
                               layout ? "values" : "layout", 0);
  for (int i = 0; i < t->count; i++) {
    const node *n = &t->nodes[i];
    if (!is_in_block(n) || n->bound) continue;
    const node *place = same_parameter(layout, n);
    if (!place) return gfi_tape_fail(t, GF_ENODE, n->name, "bind", SAYS_noSuchParameter);
    const tensor *y = &place->y;
    gf_error error =
        is_stored(y) ? gf_bind_stored(t, i, (int)y->type, y->along, y->strips)
                     : gf_bind(t, i, values + place->offset, grads ? grads + place->offset : NULL);
    if (error) return error;
    t->nodes[i].y.integer = y->integer;
  }
  return t->error;
}

/* ---- Initial values ---- */

static void fill(float *x, size_t n, float value) {
  for (size_t i = 0; i < n; i++) x[i] = value;
}

static int kind_of(const tensor *y) {
  if (y->about.parameter) return y->about.parameter;
  return y->rank == 2 ? GF_PARAMETER_WEIGHT : GF_PARAMETER_GAIN;
}

static void initialize(const node *n, uint32_t seed) {
  const tensor *y = &n->y;
  uint32_t stream = n->hash;
  size_t out = (size_t)y->shape[y->rank - 1], in = y->size / out;
  float deviation = (float)(1 / __builtin_sqrt((double)out));
  float bound = (float)__builtin_sqrt(6.0 / ((double)in + (double)out));
  switch (kind_of(y)) {
  case GF_PARAMETER_WEIGHT:
    gf_uniform(y->value, y->size, seed, stream, -bound, bound);
    break;
  case GF_PARAMETER_TABLE:
    gf_normal(y->value, y->size, seed, stream, 0, deviation);
    break;
  default:
    fill(y->value, y->size, kind_of(y) == GF_PARAMETER_GAIN ? 1 : 0);
  }
}

gf_error gf_initialize(gf_tape *t, uint32_t seed) {
  for (int i = 0; i < t->count; i++)
    if (is_in_block(&t->nodes[i]) && !t->nodes[i].y.value)
      return gfi_tape_tell(t, GF_ESTATE, t->nodes[i].name, "initialize", SAYS_unplaced);
  for (int i = 0; i < t->count; i++)
    if (is_in_block(&t->nodes[i])) initialize(&t->nodes[i], seed);
  return GF_OK;
}
