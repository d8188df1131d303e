/* Looking at nodes. */
#include "tape.h"

#include <string.h>

int gf_find(gf_tape *t, const char *name) {
  int i = name ? gfi_tape_find(t, name) : GF_ENAME;
  if (i < 0) gfi_tape_tell(t, GF_ENAME, name, "find", SAYS_nameUnknown);
  return i;
}

const char *gf_node_name(const gf_tape *t, int node) {
  return gfi_tape_at(t, node)->name;
}

const char *gf_node_op(const gf_tape *t, int node) {
  return row_of(gfi_tape_at(t, node)->op)->name;
}

int gf_node_rank(const gf_tape *t, int node) {
  return gfi_tape_at(t, node)->y.rank;
}

const int *gf_node_shape(const gf_tape *t, int node) {
  return gfi_tape_at(t, node)->y.shape;
}

int gf_node_size(const gf_tape *t, int node) {
  return (int)gfi_tape_at(t, node)->y.size;
}

int gf_node_input(const gf_tape *t, int node, int k) {
  return is_node(t, node) && k >= 0 && k < GF_MAX_INPUTS ? t->nodes[node].input[k] : GF_NONE;
}

double gf_node_attribute(const gf_tape *t, int node, const char *name) {
  const gf_attribute *const *row = row_of(gfi_tape_at(t, node)->op)->attributes;
  for (int i = 0; name && i < GF_MAX_ATTRIBUTES && row[i]; i++)
    if (!strcmp(row[i]->name, name))
      return gfi_attribute(&gfi_tape_at(t, node)->attributes, row[i]);
  const gf_attribute *which;
  for (int i = 0; name && (which = gfi_variant_attribute(i)); i++)
    if (!strcmp(which->name, name)) return gfi_attribute(&gfi_tape_at(t, node)->attributes, which);
  return __builtin_nan("");
}

const char *gf_node_formula(const gf_tape *t, int node) {
  const gf_op *op = row_of(gfi_tape_at(t, node)->op);
  bool other = op->chooses && gf_node_attribute(t, node, op->chooses) != 0;
  return other ? op->other_formula : op->formula;
}

int gf_node_bypassed(const gf_tape *t, int node) {
  return gfi_tape_at(t, node)->bypass;
}

int gf_node_frozen(const gf_tape *t, int node) {
  return gfi_tape_at(t, node)->frozen;
}

gf_type gf_node_type(const gf_tape *t, int node) {
  return gfi_tape_at(t, node)->y.type;
}

int gf_node_computed(const gf_tape *t, int node) {
  return is_computed(gfi_tape_at(t, node));
}

int gf_node_differentiated(const gf_tape *t, int node) {
  return t->plan == PLAN_KEEP && is_node(t, node) && is_f32(&t->nodes[node].y) &&
         node >= t->differentiated;
}

float *gf_node_value(const gf_tape *t, int node) {
  const struct node *n = gfi_tape_at(t, node);
  return is_f32(&n->y) && is_readable(t, n) ? n->y.value : NULL;
}

float *gf_node_grad(const gf_tape *t, int node) {
  return gfi_tape_at(t, node)->y.grad;
}

int32_t *gf_node_ids(const gf_tape *t, int node) {
  const struct node *n = gfi_tape_at(t, node);
  return is_ids(&n->y) && is_readable(t, n) ? n->y.ids : NULL;
}
