/* Binding parameters to stored matrices, and looking at the numbers of these. */
#include "stored.h"
#include "tape.h"

static gf_error fail(gf_tape *t, gf_error error, const node *n, sentence says, int number) {
  return gfi_tape_fail_about(t, error, n->name, "bind_stored", says, "type", number);
}

/* Tells "q4_k stores 256 numbers together, which do not divide 96". */
static gf_error refuse_size(gf_tape *t, const node *n, int type, int size) {
  int block = 1;
  while (!gf_stored_bytes(type, 1, block)) block *= 2;
  fail(t, GF_ESHAPE, n, SAYS_blocksUnfit, type);
  t->problem.numbers[1] = block;
  t->problem.numbers[2] = size;
  return t->error;
}

gf_error gf_bind_stored(gf_tape *t, int leaf, int type, int along, const void *memory) {
  if (t->error) return t->error;
  if (!is_node(t, leaf) || !gfi_tape_is_parameter(&t->nodes[leaf]))
    return gfi_tape_fail(t, GF_ENODE, "tape", "bind_stored", SAYS_notStorable);
  const node *n = &t->nodes[leaf];
  if (t->plan) return gfi_tape_tell(t, GF_ESTATE, n->name, "bind_stored", SAYS_plannedAlready);
  if (is_stored(&n->y)) return fail(t, GF_ESTATE, n, SAYS_storedAlready, (int)n->y.type);
  if (!gf_stored_bytes(type, 1, 256)) return fail(t, GF_ERANGE, n, SAYS_typeUnstored, type);
  if (n->y.rank != 2) return fail(t, GF_ESHAPE, n, SAYS_notStorable, 0);
  if (along != 0 && along != 1)
    return gfi_tape_fail_about(t, GF_ERANGE, n->name, "bind_stored", SAYS_notFlag, "along", along);
  if (!memory)
    return gfi_tape_fail_about(t, GF_ERANGE, n->name, "bind_stored", SAYS_argumentNull, "memory",
                               0);
  if (is_misaligned(memory))
    return gfi_tape_fail(t, GF_ERANGE, n->name, "bind_stored", SAYS_misaligned);
  if (!gf_stored_bytes(type, 1, n->y.shape[along]))
    return refuse_size(t, n, type, n->y.shape[along]);
  tensor y = n->y;
  y.type = (gf_type)type;
  y.along = along;
  y.strips = memory;
  y.grad = NULL;
  return gfi_tape_store(t, leaf, y);
}

gf_error gf_use_integers(gf_tape *t, int leaf, int on) {
  if (t->error) return t->error;
  if (!is_node(t, leaf) || !is_stored(&t->nodes[leaf].y))
    return gfi_tape_fail(t, GF_ENODE, "tape", "use_integers", SAYS_notStored);
  node *n = &t->nodes[leaf];
  if (t->plan) return gfi_tape_tell(t, GF_ESTATE, n->name, "use_integers", SAYS_plannedAlready);
  if (on && n->y.type < GF_Q4_0) {
    gfi_tape_fail_about(t, GF_ENODE, n->name, "use_integers", SAYS_notMultiplied, NULL,
                        (int)n->y.type);
    return t->error;
  }
  n->y.integer = on;
  return GF_OK;
}

gf_error gf_node_weight(const gf_tape *t, int i, int row, int column, gf_weight *weight) {
  if (!is_node(t, i) || !is_stored(&t->nodes[i].y)) return GF_ENODE;
  const tensor *y = &t->nodes[i].y;
  if (row < 0 || column < 0 || row >= y->shape[0] || column >= y->shape[1]) return GF_ERANGE;
  const bool turned = y->along == 0;
  *weight = gfi_stored_weight(stored_of(y), (size_t)(turned ? column : row),
                              (size_t)(turned ? row : column));
  return GF_OK;
}

gf_error gf_node_line(const gf_tape *t, int i, int line, float *to) {
  if (!is_node(t, i) || !is_stored(&t->nodes[i].y)) return GF_ENODE;
  const stored b = stored_of(&t->nodes[i].y);
  if (line < 0 || (size_t)line >= b.rows) return GF_ERANGE;
  gfi_stored_row(to, b, (size_t)line);
  return GF_OK;
}
