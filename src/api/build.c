/* Adding nodes by the functions that every op shares, and giving leaves their memory. */
#include "tape.h"

static const op *const ops[OP_COUNT] = {
#define GF_OP(name, ...) &gfi_op_##name,
#include "ops.def"
};

const gf_op *gf_op_at(int op) {
  return op >= 0 && op < OP_COUNT ? &gfi_ops[op] : NULL;
}

int gf_push(gf_tape *t, int op, const int *operands, const double *attributes, const char *name) {
  if (t->error) return t->error;
  if (op <= OP_leaf || op >= OP_COUNT) return gfi_tape_fail(t, GF_ERANGE, name, "push", SAYS_noOp);
  return gfi_push_numbers(t, ops[op], operands, attributes, name);
}

int gf_copy(gf_tape *t, const gf_tape *from, int node, const int *operands, const char *name) {
  if (t->error) return t->error;
  if (!from || node < 0 || node >= from->count || !operands)
    return gfi_tape_fail(t, GF_ENODE, name, "copy", SAYS_operandForeign);
  const struct node *n = &from->nodes[node];
  int made = is_leaf(n) ? gfi_tape_push_leaf(t, n->attributes.kind, n->y.rank, n->y.shape, name)
                        : gfi_push(t, n->op, operands, n->attributes, name);
  if (made >= 0) t->nodes[made].y.about = n->y.about;
  return made;
}

/* ---- Leaves ---- */

int gf_input(gf_tape *t, int rank, const int *shape, const char *name) {
  return gfi_tape_push_leaf(t, LEAF_INPUT, rank, shape, name);
}

int gf_parameter(gf_tape *t, int rank, const int *shape, const char *name) {
  return gfi_tape_push_leaf(t, LEAF_PARAMETER, rank, shape, name);
}

int gf_ids(gf_tape *t, int rank, const int *shape, const char *name) {
  return gfi_tape_push_leaf(t, LEAF_IDS, rank, shape, name);
}

gf_error gf_bind(gf_tape *t, int leaf, void *value, float *grad) {
  if (t->error) return t->error;
  if (!is_node(t, leaf) || !is_leaf(&t->nodes[leaf]))
    return gfi_tape_fail(t, GF_ENODE, "tape", "bind", SAYS_noLeaf);
  node *n = &t->nodes[leaf];
  if (t->plan) return gfi_tape_tell(t, GF_ESTATE, n->name, "bind", SAYS_plannedAlready);
  if (is_stored(&n->y))
    return gfi_tape_fail_about(t, GF_ESTATE, n->name, "bind", SAYS_storedAlready, NULL,
                               (int)n->y.type);
  if (!value)
    return gfi_tape_fail_about(t, GF_ERANGE, n->name, "bind", SAYS_argumentNull, "value", 0);
  n->bound = true;
  n->y.value = value;
  n->y.grad = is_f32(&n->y) ? grad : NULL;
  return GF_OK;
}
