/* The public functions: each checks what the layers below take for granted, then calls them. */
#include "tape.h"
#include "text.h"
#include "fmath.h"

#include <assert.h>

int gf_abi(void) {
  return GF_ABI;
}

/* ---- The tape ---- */

size_t gf_tape_bytes(int nodes) {
  if (nodes < 0 || (size_t)nodes > (SIZE_MAX - sizeof(gf_tape)) / sizeof(node)) return 0;
  return sizeof(gf_tape) + (size_t)nodes * sizeof(node);
}

static bool misaligned(const void *memory) {
  return (uintptr_t)memory % 16 != 0;
}

static int nodes_in(size_t bytes) {
  size_t nodes = (bytes - sizeof(gf_tape)) / sizeof(node);
  return nodes > INT32_MAX ? INT32_MAX : (int)nodes;
}

gf_tape *gf_tape_create(void *memory, size_t bytes) {
  if (!memory || misaligned(memory) || bytes < sizeof(gf_tape)) return NULL;
  gf_tape *t = memory;
  *t = (gf_tape){.capacity = nodes_in(bytes)};
  return t;
}

gf_tape *gf_tape_move(gf_tape *t, void *memory, size_t bytes) {
  if (!memory || misaligned(memory) || bytes < gf_tape_bytes(t->count)) return NULL;
  memmove(memory, t, gf_tape_bytes(t->count));
  gf_tape *moved = memory;
  moved->capacity = nodes_in(bytes);
  return moved;
}

int gf_tape_count(const gf_tape *t) {
  return t->count;
}

int gf_tape_capacity(const gf_tape *t) {
  return t->capacity;
}

gf_error gf_tape_error(const gf_tape *t) {
  return t->error;
}

const char *gf_tape_error_text(const gf_tape *t) {
  return t->message;
}

gf_error gf_tape_rewind(gf_tape *t, int count) {
  if (count < 0 || count > t->count) return GF_ERANGE;
  if (t->planned && count < t->count) return GF_ESTATE;
  t->count = count;
  t->error = GF_OK;
  t->message[0] = 0;
  return GF_OK;
}

/* ---- Leaves ---- */

int gf_input(gf_tape *t, int rank, const int *shape, const char *name) {
  return tape_push_leaf(t, LEAF_INPUT, rank, shape, name);
}

int gf_parameter(gf_tape *t, int rank, const int *shape, const char *name) {
  return tape_push_leaf(t, LEAF_PARAMETER, rank, shape, name);
}

int gf_ids(gf_tape *t, int rank, const int *shape, const char *name) {
  return tape_push_leaf(t, LEAF_IDS, rank, shape, name);
}

static bool is_node(const gf_tape *t, int i) {
  return i >= 0 && i < t->count;
}

gf_error gf_bind(gf_tape *t, int leaf, void *value, float *grad) {
  if (t->error) return t->error;
  if (!is_node(t, leaf) || t->nodes[leaf].op != OP_leaf)
    return tape_fail(t, GF_ENODE, "tape", "bind", "the node is no leaf of this tape");
  node *n = &t->nodes[leaf];
  if (t->planned) return tape_tell(t, GF_ESTATE, n->name, "bind", "the tape is planned");
  if (!value) return tape_fail(t, GF_ERANGE, n->name, "bind", "value is NULL");
  n->bound = true;
  n->y.value = value;
  n->y.grad = n->y.is_ids ? NULL : grad;
  return GF_OK;
}

/* ---- Ops ---- */

static int push(gf_tape *t, enum op_id op, const char *name, int a, int b, int c,
                attributes attributes) {
  return tape_push(t, op, name, (int[GF_MAX_INPUTS]){a, b, c, GF_NONE}, attributes);
}

/* An operand that cannot be left out: GF_NONE would reach the op as NULL. */
static int required(int operand) {
  return operand == GF_NONE ? GF_ENODE : operand;
}

int gf_embed(gf_tape *t, int table, int ids, const char *name) {
  return push(t, OP_embed, name, required(table), required(ids), GF_NONE, (attributes){0});
}

int gf_position(gf_tape *t, int positions, int channels, const char *name) {
  return push(t, OP_position, name, required(positions), GF_NONE, GF_NONE,
              (attributes){.option = channels});
}

int gf_add(gf_tape *t, int a, int b, const char *name) {
  return push(t, OP_add, name, required(a), required(b), GF_NONE, (attributes){0});
}

int gf_scale(gf_tape *t, int x, float factor, const char *name) {
  if (factor - factor != 0)
    return tape_fail(t, GF_ERANGE, name ? name : "", "scale", "the factor is not finite");
  return push(t, OP_scale, name, required(x), GF_NONE, GF_NONE, (attributes){.factor = factor});
}

int gf_linear(gf_tape *t, int x, int w, int b, const char *name) {
  return push(t, OP_linear, name, required(x), required(w), b, (attributes){0});
}

int gf_matmul(gf_tape *t, int a, int b, const char *name) {
  return push(t, OP_matmul, name, required(a), required(b), GF_NONE, (attributes){0});
}

int gf_matmul_transposed(gf_tape *t, int a, int b, const char *name) {
  return push(t, OP_matmul, name, required(a), required(b), GF_NONE, (attributes){.option = 1});
}

int gf_mask(gf_tape *t, int x, int causal, int mask, int lengths, const char *name) {
  return push(t, OP_mask, name, required(x), mask, lengths, (attributes){.option = causal != 0});
}

int gf_softmax(gf_tape *t, int x, const char *name) {
  return push(t, OP_softmax, name, required(x), GF_NONE, GF_NONE, (attributes){0});
}

int gf_split_heads(gf_tape *t, int x, int heads, const char *name) {
  if (heads < 1) return tape_fail(t, GF_ERANGE, name ? name : "", "heads", "fewer than one head");
  return push(t, OP_heads, name, required(x), GF_NONE, GF_NONE, (attributes){.option = heads});
}

int gf_concat_heads(gf_tape *t, int x, const char *name) {
  return push(t, OP_heads, name, required(x), GF_NONE, GF_NONE, (attributes){0});
}

/* ---- Plan and run ---- */

size_t gf_plan(gf_tape *t, void *memory) {
  if (t->error) return 0;
  if (!t->count) {
    tape_fail(t, GF_ESTATE, "tape", "plan", "the tape is empty");
    return 0;
  }
  if (memory && t->planned) {
    tape_tell(t, GF_ESTATE, "tape", "plan", "the tape is planned already");
    return 0;
  }
  if (misaligned(memory)) {
    tape_fail(t, GF_ERANGE, "tape", "plan", "the memory is not aligned to 16 bytes");
    return 0;
  }
  return tape_plan(t, memory);
}

/* Resolves GF_LAST and refuses what is no slice of a planned tape. */
static gf_error check_slice(gf_tape *t, const char *what, int first, int *last) {
  if (!t->planned) return tape_tell(t, GF_ESTATE, "tape", what, "the tape is not planned yet");
  if (*last == GF_LAST) *last = t->count - 1;
  if (is_node(t, first) && is_node(t, *last) && first <= *last) return GF_OK;
  return tape_tell(t, GF_ENODE, "tape", what, "no such slice of the tape");
}

/* Tells "id 5 at element 1 is no row of the table, which has 4". */
static gf_error check_ids(gf_tape *t, const node *n) {
  const tensor *rows = &t->nodes[n->input[0]].y, *ids = &t->nodes[n->input[1]].y;
  for (size_t i = 0; i < ids->size; i++) {
    if (ids->ids[i] >= 0 && ids->ids[i] < rows->shape[0]) continue;
    char room[100];
    text s = text_begin(room, sizeof room);
    text_add(&s, "id ");
    text_add_int(&s, ids->ids[i]);
    text_add(&s, " at element ");
    text_add_int(&s, (int64_t)i);
    text_add(&s, " is no row of the table, which has ");
    text_add_int(&s, rows->shape[0]);
    return tape_tell(t, GF_EID, n->name, "embed", room);
  }
  return GF_OK;
}

/* What running a slice takes for granted: a planned tape, and ids that name rows. */
static gf_error check_run(gf_tape *t, const char *what, int first, int *last) {
  gf_error error = check_slice(t, what, first, last);
  for (int i = first; !error && i <= *last; i++) {
    const node *n = &t->nodes[i];
    if (n->op == OP_embed && !n->frozen && n->bypass == GF_NONE) error = check_ids(t, n);
  }
  return error;
}

gf_error gf_forward(gf_tape *t, int first, int last) {
  gf_error error = check_run(t, "forward", first, &last);
  if (!error) tape_forward(t, first, last);
  return error;
}

void gf_zero_grad(gf_tape *t) {
  tape_zero_grad(t);
}

gf_error gf_backward(gf_tape *t, int first, int last) {
  gf_error error = check_run(t, "backward", first, &last);
  if (!error) tape_backward(t, first, last);
  return error;
}

/* ---- Experiments ---- */

gf_error gf_bypass(gf_tape *t, int i, int k) {
  if (!is_node(t, i)) return tape_tell(t, GF_ENODE, "tape", "bypass", "no such node");
  node *n = &t->nodes[i];
  if (k == GF_NONE) {
    n->bypass = GF_NONE;
    return GF_OK;
  }
  if (k < 0 || k >= GF_MAX_INPUTS || n->input[k] == GF_NONE)
    return tape_tell(t, GF_ERANGE, n->name, "bypass", "no such operand");
  const tensor *x = &t->nodes[n->input[k]].y;
  if (x->is_ids || x->size != n->y.size)
    return tape_tell(t, GF_ERANGE, n->name, "bypass", "the operand is of another size or kind");
  n->bypass = k;
  return GF_OK;
}

gf_error gf_freeze(gf_tape *t, int i, int on) {
  if (!is_node(t, i)) return tape_tell(t, GF_ENODE, "tape", "freeze", "no such node");
  t->nodes[i].frozen = on;
  return GF_OK;
}

/* ---- Looking ---- */

int gf_find(const gf_tape *t, const char *name) {
  return tape_find(t, name);
}

static const node *at(const gf_tape *t, int i) {
  assert(is_node(t, i));
  return &t->nodes[i];
}

const char *gf_node_name(const gf_tape *t, int node) {
  return at(t, node)->name;
}

const char *gf_node_op(const gf_tape *t, int node) {
  return op_names[at(t, node)->op];
}

int gf_node_rank(const gf_tape *t, int node) {
  return at(t, node)->y.rank;
}

const int *gf_node_shape(const gf_tape *t, int node) {
  return at(t, node)->y.shape;
}

int gf_node_size(const gf_tape *t, int node) {
  return (int)at(t, node)->y.size;
}

int gf_node_input(const gf_tape *t, int node, int k) {
  assert(k >= 0 && k < GF_MAX_INPUTS);
  return at(t, node)->input[k];
}

int gf_node_option(const gf_tape *t, int node) {
  return at(t, node)->attributes.option;
}

float gf_node_factor(const gf_tape *t, int node) {
  return at(t, node)->attributes.factor;
}

int gf_node_bypassed(const gf_tape *t, int node) {
  return at(t, node)->bypass;
}

int gf_node_frozen(const gf_tape *t, int node) {
  return at(t, node)->frozen;
}

float *gf_node_value(const gf_tape *t, int node) {
  return at(t, node)->y.is_ids ? NULL : at(t, node)->y.value;
}

float *gf_node_grad(const gf_tape *t, int node) {
  return at(t, node)->y.grad;
}

int32_t *gf_node_ids(const gf_tape *t, int node) {
  return at(t, node)->y.is_ids ? at(t, node)->y.ids : NULL;
}

int gf_op_count(void) {
  return OP_COUNT;
}

const char *gf_op_name(int op) {
  assert(op >= 0 && op < OP_COUNT);
  return op_names[op];
}

const char *gf_op_formula(int op) {
  assert(op >= 0 && op < OP_COUNT);
  return op_formulas[op];
}

/* ---- Numbers ---- */

float gf_exp(float x) {
  return f4_exp(f4_splat(x))[0];
}
