#include "tape.h"
#include "random.h"

#include <string.h>

/* ---- Parameters as one block ---- */

static bool is_parameter(const node *n) {
  return n->op == OP_leaf && n->attributes.kind == LEAF_PARAMETER;
}

size_t gf_parameter_count(const gf_tape *t) {
  uint64_t count = 0;
  for (int i = 0; i < t->count; i++)
    if (is_parameter(&t->nodes[i])) count += t->nodes[i].y.size;
  return count > SIZE_MAX / sizeof(float) ? SIZE_MAX : (size_t)count;
}

/* Where a parameter lies in the block that a tape lays out; or SIZE_MAX. */
static size_t offset_of(const gf_tape *layout, const node *parameter) {
  size_t offset = 0;
  for (int i = 0; i < layout->count; i++) {
    const node *n = &layout->nodes[i];
    if (!is_parameter(n)) continue;
    if (!strcmp(n->name, parameter->name))
      return same_shape(&n->y, &parameter->y) ? offset : SIZE_MAX;
    offset += n->y.size;
  }
  return SIZE_MAX;
}

gf_error gf_bind_parameters(gf_tape *t, const gf_tape *layout, float *values, float *grads) {
  for (int i = 0; i < t->count; i++) {
    const node *n = &t->nodes[i];
    if (!is_parameter(n)) continue;
    size_t offset = offset_of(layout, n);
    if (offset == SIZE_MAX)
      return gfi_tape_fail(t, GF_ENODE, n->name, "bind", "the layout has no such parameter");
    gf_error error = gf_bind(t, i, values + offset, grads ? grads + offset : NULL);
    if (error) return error;
  }
  return t->error;
}

/* ---- Initial values ---- */

static bool ends_with(const char *name, const char *end) {
  size_t n = strlen(name), m = strlen(end);
  return n >= m && !strcmp(name + n - m, end);
}

static void fill(float *x, size_t n, float value) {
  for (size_t i = 0; i < n; i++) x[i] = value;
}

static void initialize(const node *n, uint32_t seed) {
  const tensor *y = &n->y;
  uint32_t stream = hash_of(n->name);
  if (y->rank != 2) {
    fill(y->value, y->size, ends_with(n->name, "bias") ? 0 : 1);
  } else if (ends_with(n->name, "embedding.weight")) {
    gf_normal(y->value, y->size, seed, stream, 0, (float)(1 / __builtin_sqrt(y->shape[1])));
  } else {
    float bound = (float)__builtin_sqrt(6.0 / ((double)y->shape[0] + y->shape[1]));
    gf_uniform(y->value, y->size, seed, stream, -bound, bound);
  }
}

gf_error gf_initialize(gf_tape *t, uint32_t seed) {
  for (int i = 0; i < t->count; i++)
    if (is_parameter(&t->nodes[i]) && !t->nodes[i].y.value)
      return gfi_tape_tell(t, GF_ESTATE, t->nodes[i].name, "initialize", "it has no memory yet");
  for (int i = 0; i < t->count; i++)
    if (is_parameter(&t->nodes[i])) initialize(&t->nodes[i], seed);
  return GF_OK;
}
