/* The public functions: each checks what the layers below take for granted, then calls them. */
#include "tape.h"
#include "text.h"
#include "fmath.h"
#include "random.h"

#include <assert.h>
#include <string.h>

int gf_abi(void) {
  return GF_ABI;
}

/* ---- The tape ---- */

size_t gf_tape_bytes(int nodes) {
  if (nodes < 0 || (size_t)nodes > (SIZE_MAX - sizeof(gf_tape)) / NODE_BYTES) return 0;
  return sizeof(gf_tape) + (size_t)nodes * NODE_BYTES;
}

static bool misaligned(const void *memory) {
  return (uintptr_t)memory % 16 != 0;
}

static void set_capacity(gf_tape *t, size_t bytes) {
  size_t nodes = (bytes - sizeof(gf_tape)) / NODE_BYTES;
  t->capacity = nodes > INT32_MAX ? INT32_MAX : (int)nodes;
  gfi_tape_index(t);
}

gf_tape *gf_tape_create(void *memory, size_t bytes) {
  if (!memory || misaligned(memory) || bytes < sizeof(gf_tape)) return NULL;
  gf_tape *t = memory;
  *t = (gf_tape){0};
  set_capacity(t, bytes);
  return t;
}

gf_tape *gf_tape_move(gf_tape *t, void *memory, size_t bytes) {
  if (!memory || misaligned(memory) || bytes < gf_tape_bytes(t->count)) return NULL;
  gf_tape *moved = memmove(memory, t, sizeof *t + (size_t)t->count * sizeof *t->nodes);
  set_capacity(moved, bytes);
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
  if (t->plan && count < t->count) return GF_ESTATE;
  gfi_tape_rewind(t, count);
  t->error = GF_OK;
  t->message[0] = 0;
  return GF_OK;
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

static bool is_node(const gf_tape *t, int i) {
  return i >= 0 && i < t->count;
}

gf_error gf_bind(gf_tape *t, int leaf, void *value, float *grad) {
  if (t->error) return t->error;
  if (!is_node(t, leaf) || t->nodes[leaf].op != OP_leaf)
    return gfi_tape_fail(t, GF_ENODE, "tape", "bind", "the node is no leaf of this tape");
  node *n = &t->nodes[leaf];
  if (t->plan) return gfi_tape_tell(t, GF_ESTATE, n->name, "bind", "the tape is planned");
  if (!value) return gfi_tape_fail(t, GF_ERANGE, n->name, "bind", "value is NULL");
  n->bound = true;
  n->y.value = value;
  n->y.grad = is_f32(&n->y) ? grad : NULL;
  return GF_OK;
}

/* ---- Ops ---- */

/* Fails a build whose argument no op would see as wrong. */
static int refuse(gf_tape *t, const char *name, enum op_id op, const char *what) {
  return gfi_tape_fail(t, GF_ERANGE, name ? name : "", gfi_op_names[op], what);
}

/* Tells "heads 3 is out of range". */
static int refuse_value(gf_tape *t, const char *name, enum op_id op, const char *what, int value) {
  char room[80];
  text s = text_begin(room, sizeof room);
  text_add(&s, what);
  text_add(&s, " ");
  text_add_int(&s, value);
  text_add(&s, " is out of range");
  return refuse(t, name, op, room);
}

static int push(gf_tape *t, enum op_id op, const char *name, int a, int b, int c,
                attributes attributes) {
  return gfi_tape_push(t, op, name, (int[GF_MAX_INPUTS]){a, b, c, GF_NONE, GF_NONE, GF_NONE},
                       attributes);
}

/* An operand that cannot be left out: GF_NONE would reach the op as NULL. */
static int required(int operand) {
  return operand == GF_NONE ? GF_ENODE : operand;
}

static bool is_finite(float x) {
  return x - x == 0;
}

int gf_embed(gf_tape *t, int table, int ids, const char *name) {
  return push(t, OP_embed, name, required(table), required(ids), GF_NONE, (attributes){0});
}

int gf_position(gf_tape *t, int positions, int channels, int halves, const char *name) {
  return push(t, OP_position, name, required(positions), GF_NONE, GF_NONE,
              (attributes){.channels = channels, .halves = halves != 0});
}

int gf_add(gf_tape *t, int a, int b, const char *name) {
  return push(t, OP_add, name, required(a), required(b), GF_NONE, (attributes){0});
}

int gf_scale(gf_tape *t, int x, float factor, const char *name) {
  if (!is_finite(factor)) return refuse(t, name, OP_scale, "the factor is not finite");
  return push(t, OP_scale, name, required(x), GF_NONE, GF_NONE, (attributes){.factor = factor});
}

int gf_linear(gf_tape *t, int x, int w, int b, const char *name) {
  return push(t, OP_linear, name, required(x), required(w), b, (attributes){0});
}

int gf_matmul(gf_tape *t, int a, int b, const char *name) {
  return push(t, OP_matmul, name, required(a), required(b), GF_NONE, (attributes){0});
}

int gf_matmul_transposed(gf_tape *t, int a, int b, const char *name) {
  return push(t, OP_matmul, name, required(a), required(b), GF_NONE, (attributes){.transposed = 1});
}

int gf_mask(gf_tape *t, int x, int causal, int offset, int mask, int lengths, const char *name) {
  if (offset < 0) return refuse_value(t, name, OP_mask, "offset", offset);
  return push(t, OP_mask, name, required(x), mask, lengths,
              (attributes){.causal = causal != 0, .offset = offset});
}

int gf_softmax(gf_tape *t, int x, const char *name) {
  return push(t, OP_softmax, name, required(x), GF_NONE, GF_NONE, (attributes){0});
}

int gf_log_softmax(gf_tape *t, int x, const char *name) {
  return push(t, OP_log_softmax, name, required(x), GF_NONE, GF_NONE, (attributes){0});
}

int gf_split_heads(gf_tape *t, int x, int heads, const char *name) {
  if (heads < 1 || (is_node(t, x) && last_dimension(&t->nodes[x].y) % heads))
    return refuse_value(t, name, OP_heads, "heads", heads);
  return push(t, OP_heads, name, required(x), GF_NONE, GF_NONE, (attributes){.heads = heads});
}

int gf_concat_heads(gf_tape *t, int x, const char *name) {
  return push(t, OP_heads, name, required(x), GF_NONE, GF_NONE, (attributes){0});
}

static bool good_epsilon(float epsilon) {
  return epsilon >= 0 && is_finite(epsilon);
}

int gf_layer_norm(gf_tape *t, int x, int gain, int bias, float epsilon, const char *name) {
  if (!good_epsilon(epsilon)) return refuse(t, name, OP_layer_norm, "epsilon is not 0 or above");
  return push(t, OP_layer_norm, name, required(x), gain, bias, (attributes){.epsilon = epsilon});
}

int gf_rms_norm(gf_tape *t, int x, int gain, float epsilon, const char *name) {
  if (!good_epsilon(epsilon)) return refuse(t, name, OP_rms_norm, "epsilon is not 0 or above");
  return push(t, OP_rms_norm, name, required(x), gain, GF_NONE, (attributes){.epsilon = epsilon});
}

int gf_relu(gf_tape *t, int x, const char *name) {
  return push(t, OP_relu, name, required(x), GF_NONE, GF_NONE, (attributes){0});
}

int gf_sigmoid(gf_tape *t, int x, const char *name) {
  return push(t, OP_sigmoid, name, required(x), GF_NONE, GF_NONE, (attributes){0});
}

int gf_tanh(gf_tape *t, int x, const char *name) {
  return push(t, OP_tanh, name, required(x), GF_NONE, GF_NONE, (attributes){0});
}

int gf_erf(gf_tape *t, int x, const char *name) {
  return push(t, OP_erf, name, required(x), GF_NONE, GF_NONE, (attributes){0});
}

int gf_exp(gf_tape *t, int x, const char *name) {
  return push(t, OP_exp, name, required(x), GF_NONE, GF_NONE, (attributes){0});
}

int gf_gelu(gf_tape *t, int x, int tanh_form, const char *name) {
  return push(t, OP_gelu, name, required(x), GF_NONE, GF_NONE,
              (attributes){.tanh_form = tanh_form != 0});
}

int gf_silu(gf_tape *t, int x, float factor, const char *name) {
  if (!is_finite(factor)) return refuse(t, name, OP_silu, "the factor is not finite");
  return push(t, OP_silu, name, required(x), GF_NONE, GF_NONE, (attributes){.factor = factor});
}

int gf_swiglu(gf_tape *t, int gate, int up, float factor, const char *name) {
  if (!is_finite(factor)) return refuse(t, name, OP_swiglu, "the factor is not finite");
  return push(t, OP_swiglu, name, required(gate), required(up), GF_NONE,
              (attributes){.factor = factor});
}

int gf_softcap(gf_tape *t, int x, float cap, const char *name) {
  if (!(cap > 0 && is_finite(cap))) return refuse(t, name, OP_softcap, "the cap is not above 0");
  return push(t, OP_softcap, name, required(x), GF_NONE, GF_NONE, (attributes){.cap = cap});
}

int gf_fused_attention(gf_tape *t, int q, int k, int v, const gf_attention_config *c,
                       const char *name) {
  const enum op_id op = OP_attention;
  if (c->offset < 0) return refuse_value(t, name, op, "offset", c->offset);
  if (!is_finite(c->scale) || c->scale == 0)
    return refuse(t, name, op, "the scale is 0 or not finite");
  if (!(c->softcap >= 0 && is_finite(c->softcap)))
    return refuse(t, name, op, "the softcap is below 0 or not finite");
  attributes a = {.causal = c->causal != 0,
                  .offset = c->offset,
                  .alibi = c->alibi != 0,
                  .cap = c->softcap,
                  .factor = c->scale};
  int at = c->alibi ? c->at : GF_NONE;
  return gfi_tape_push(
      t, op, name,
      (int[GF_MAX_INPUTS]){required(q), required(k), required(v), c->mask, c->lengths, at}, a);
}

int gf_dropout(gf_tape *t, int x, int key, float p, const char *name) {
  if (!(p >= 0 && p < 1)) return refuse(t, name, OP_dropout, "p is not in 0 <= p < 1");
  return push(t, OP_dropout, name, required(x), required(key), GF_NONE,
              (attributes){.p = p, .stream = hash_of(name)});
}

int gf_rotation(gf_tape *t, int positions, int dimensions, float base, const char *name) {
  if (!(base > 0 && is_finite(base)))
    return refuse(t, name, OP_rotation, "the base is not above 0");
  if (dimensions < 2 || dimensions % 2)
    return refuse_value(t, name, OP_rotation, "dimensions", dimensions);
  return push(t, OP_rotation, name, required(positions), GF_NONE, GF_NONE,
              (attributes){.dimensions = dimensions, .base = base});
}

int gf_rope(gf_tape *t, int x, int rotation, int interleaved, const char *name) {
  return push(t, OP_rope, name, required(x), required(rotation), GF_NONE,
              (attributes){.interleaved = interleaved != 0});
}

int gf_alibi(gf_tape *t, int x, int at, const char *name) {
  return push(t, OP_alibi, name, required(x), at, GF_NONE, (attributes){0});
}

int gf_cache(gf_tape *t, int x, int at, int capacity, const char *name) {
  return push(t, OP_cache, name, required(x), required(at), GF_NONE,
              (attributes){.capacity = capacity});
}

int gf_cross_entropy(gf_tape *t, int logits, int targets, int weights, int reduction,
                     int ignore_index, float smoothing, const char *name) {
  if (reduction < GF_MEAN || reduction > GF_EACH)
    return refuse_value(t, name, OP_cross_entropy, "reduction", reduction);
  if (!(smoothing >= 0 && smoothing <= 1))
    return refuse(t, name, OP_cross_entropy, "the smoothing is not in 0 to 1");
  return push(
      t, OP_cross_entropy, name, required(logits), required(targets), weights,
      (attributes){.reduction = reduction, .ignore_index = ignore_index, .smoothing = smoothing});
}

int gf_transpose(gf_tape *t, int x, const int *order, const char *name) {
  int rank = is_node(t, x) ? t->nodes[x].y.rank : 0, seen = 0;
  attributes a = {0};
  for (int i = 0; i < rank; i++) {
    if (order[i] < 0 || order[i] >= rank || seen >> order[i] & 1)
      return refuse(t, name, OP_transpose, "the order does not name each axis once");
    seen |= 1 << order[i];
    a.order[i] = order[i];
  }
  return push(t, OP_transpose, name, required(x), GF_NONE, GF_NONE, a);
}

int gf_concat(gf_tape *t, int a, int b, int axis, const char *name) {
  return push(t, OP_concat, name, required(a), required(b), GF_NONE, (attributes){.axis = axis});
}

int gf_gather(gf_tape *t, int x, int ids, int axis, const char *name) {
  return push(t, OP_gather, name, required(x), required(ids), GF_NONE, (attributes){.axis = axis});
}

int gf_top_k(gf_tape *t, int x, int k, const char *name) {
  return push(t, OP_top_k, name, required(x), GF_NONE, GF_NONE, (attributes){.k = k});
}

int gf_top_k_ids(gf_tape *t, int x, int k, const char *name) {
  return push(t, OP_top_k, name, required(x), GF_NONE, GF_NONE, (attributes){.k = k, .ids = 1});
}

/* ---- Plan and run ---- */

/* Whether a tape can be planned, into such memory. */
static bool check_plan(gf_tape *t, const void *memory) {
  if (t->error) return false;
  if (!t->count) return !gfi_tape_fail(t, GF_ESTATE, "tape", "plan", "the tape is empty");
  if (memory && t->plan)
    return !gfi_tape_tell(t, GF_ESTATE, "tape", "plan", "the tape is planned already");
  if (misaligned(memory))
    return !gfi_tape_fail(t, GF_ERANGE, "tape", "plan", "the memory is not aligned to 16 bytes");
  return true;
}

size_t gf_plan(gf_tape *t, void *memory) {
  return check_plan(t, memory) ? gfi_tape_plan(t, memory) : 0;
}

gf_error gf_keep(gf_tape *t, int i) {
  if (!is_node(t, i)) return gfi_tape_tell(t, GF_ENODE, "tape", "keep", "no such node");
  if (t->plan) return gfi_tape_tell(t, GF_ESTATE, t->nodes[i].name, "keep", "the tape is planned");
  t->nodes[i].kept = true;
  return GF_OK;
}

size_t gf_plan_reuse(gf_tape *t, void *memory) {
  return check_plan(t, memory) ? gfi_tape_plan_reuse(t, memory) : 0;
}

void gf_refresh(gf_tape *t) {
  gfi_tape_refresh(t);
}

/* Whether a node's value can be looked at, or held fast. */
static bool stays(const gf_tape *t, int i) {
  return t->plan != PLAN_REUSE || gfi_tape_stays(&t->nodes[i]);
}

/* Resolves GF_LAST and refuses what is no slice of a planned tape. */
static gf_error check_slice(gf_tape *t, const char *what, int first, int *last) {
  if (!t->plan) return gfi_tape_tell(t, GF_ESTATE, "tape", what, "the tape is not planned yet");
  if (*last == GF_LAST) *last = t->count - 1;
  if (is_node(t, first) && is_node(t, *last) && first <= *last) return GF_OK;
  return gfi_tape_tell(t, GF_ENODE, "tape", what, "no such slice of the tape");
}

/* How many rows an op's ids choose from, or 0 if they are no choice. */
static int rows_of(const gf_tape *t, const node *n) {
  if (n->op == OP_leaf) return 0;
  const tensor *x = &t->nodes[n->input[0]].y;
  switch (n->op) {
  case OP_embed:
    return x->shape[0];
  case OP_gather:
    return x->shape[n->attributes.axis];
  case OP_cache:
    return n->y.shape[n->y.rank - 2] - x->shape[x->rank - 2] + 1;
  case OP_cross_entropy:
    return is_ids(&t->nodes[n->input[1]].y) ? last_dimension(x) : 0;
  default:
    return 0;
  }
}

/* Tells "id 5 at element 1: there are 4 rows". */
static gf_error check_ids(gf_tape *t, const node *n, int rows) {
  const tensor *ids = &t->nodes[n->input[1]].y;
  for (size_t i = 0; i < ids->size; i++) {
    int32_t id = ids->ids[i];
    bool ignored = n->op == OP_cross_entropy && id == n->attributes.ignore_index;
    if ((id >= 0 && id < rows) || ignored) continue;
    char room[100];
    text s = text_begin(room, sizeof room);
    text_add(&s, "id ");
    text_add_int(&s, id);
    text_add(&s, " at element ");
    text_add_int(&s, (int64_t)i);
    text_add(&s, " is none of the ");
    text_add_int(&s, rows);
    text_add(&s, " rows");
    return gfi_tape_tell(t, GF_EID, n->name, gfi_op_names[n->op], room);
  }
  return GF_OK;
}

static bool is_computed(const node *n) {
  return n->op == OP_leaf || n->frozen || n->computed;
}

/* Whether a node's value is there for a run that reads it and does not make it. */
static gf_error check_value(gf_tape *t, const char *what, int i) {
  const node *n = &t->nodes[i];
  if (!is_computed(n))
    return gfi_tape_tell(t, GF_ESTATE, n->name, what,
                         "not computed yet: run forward from here first");
  if (!stays(t, i))
    return gfi_tape_tell(t, GF_ESTATE, n->name, what, "the plan did not keep its value");
  return GF_OK;
}

/* Whether node i finds its operands in a run that begins at `first`. */
static gf_error check_operands(gf_tape *t, const char *what, int i, int first) {
  const node *n = &t->nodes[i];
  gf_error error = GF_OK;
  for (int k = 0; !error && !n->frozen && k < GF_MAX_INPUTS; k++) {
    bool is_read = n->input[k] != GF_NONE && (n->bypass == GF_NONE || n->bypass == k);
    if (is_read && n->input[k] < first) error = check_value(t, what, n->input[k]);
  }
  return error;
}

/* Whether a node's ids name rows. Those that the run itself computes, from `first` on, do so by their
 * limit, and before that anything may lie in their place. The others the caller may have written. */
static gf_error check_lookup(gf_tape *t, int i, int first) {
  const node *n = &t->nodes[i];
  int rows = n->frozen || n->bypass != GF_NONE ? 0 : rows_of(t, n);
  if (!rows) return GF_OK;
  const node *ids = &t->nodes[n->input[1]];
  bool made = n->input[1] >= first && ids->op != OP_leaf && !ids->frozen;
  return made ? GF_OK : check_ids(t, n, rows);
}

gf_error gf_forward(gf_tape *t, int first, int last) {
  gf_error error = check_slice(t, "forward", first, &last);
  for (int i = first; !error && i <= last; i++) {
    error = check_operands(t, "forward", i, first);
    if (!error) error = check_lookup(t, i, first);
  }
  if (!error) gfi_tape_forward(t, first, last);
  return error;
}

void gf_zero_grad(gf_tape *t) {
  gfi_tape_zero_grad(t);
}

gf_error gf_backward(gf_tape *t, int first, int last) {
  if (t->plan == PLAN_REUSE)
    return gfi_tape_tell(t, GF_ESTATE, "tape", "backward", "the plan has no gradients");
  gf_error error = check_slice(t, "backward", first, &last);
  for (int i = first; !error && i <= last; i++) {
    error = check_value(t, "backward", i);
    if (!error) error = check_operands(t, "backward", i, t->count);
    if (!error) error = check_lookup(t, i, t->count);
  }
  if (!error) gfi_tape_backward(t, first, last);
  return error;
}

/* ---- Experiments ---- */

gf_error gf_bypass(gf_tape *t, int i, int k) {
  if (!is_node(t, i)) return gfi_tape_tell(t, GF_ENODE, "tape", "bypass", "no such node");
  node *n = &t->nodes[i];
  if (k == GF_NONE) {
    n->bypass = GF_NONE;
    return GF_OK;
  }
  if (k < 0 || k >= GF_MAX_INPUTS || n->input[k] == GF_NONE)
    return gfi_tape_tell(t, GF_ERANGE, n->name, "bypass", "no such operand");
  const tensor *x = &t->nodes[n->input[k]].y;
  if (!is_f32(x) || !is_f32(&n->y) || x->size != n->y.size)
    return gfi_tape_tell(t, GF_ERANGE, n->name, "bypass", "the operand is of another size or kind");
  n->bypass = k;
  return GF_OK;
}

gf_error gf_freeze(gf_tape *t, int i, int on) {
  if (!is_node(t, i)) return gfi_tape_tell(t, GF_ENODE, "tape", "freeze", "no such node");
  if (on && !stays(t, i))
    return gfi_tape_tell(t, GF_ESTATE, t->nodes[i].name, "freeze",
                         "the plan does not keep its value");
  t->nodes[i].frozen = on;
  return GF_OK;
}

/* ---- Looking ---- */

int gf_find(const gf_tape *t, const char *name) {
  return gfi_tape_find(t, name);
}

static const node *at(const gf_tape *t, int i) {
  assert(is_node(t, i));
  return &t->nodes[i];
}

const char *gf_node_name(const gf_tape *t, int node) {
  return at(t, node)->name;
}

const char *gf_node_op(const gf_tape *t, int node) {
  return gfi_op_names[at(t, node)->op];
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

double gf_node_attribute(const gf_tape *t, int node, const char *name) {
  const attributes *a = &at(t, node)->attributes;
#define ATTRIBUTE(field)                                                                           \
  { #field, a->field }
  const struct {
    const char *name;
    double value;
  } all[] = {
      ATTRIBUTE(kind),        ATTRIBUTE(channels),   ATTRIBUTE(halves),    ATTRIBUTE(transposed),
      ATTRIBUTE(causal),      ATTRIBUTE(offset),     ATTRIBUTE(alibi),     ATTRIBUTE(heads),
      ATTRIBUTE(capacity),    ATTRIBUTE(axis),       ATTRIBUTE(k),         ATTRIBUTE(tanh_form),
      ATTRIBUTE(interleaved), ATTRIBUTE(dimensions), ATTRIBUTE(reduction), ATTRIBUTE(ignore_index),
      ATTRIBUTE(factor),      ATTRIBUTE(cap),        ATTRIBUTE(epsilon),   ATTRIBUTE(p),
      ATTRIBUTE(base),        ATTRIBUTE(smoothing)};
#undef ATTRIBUTE
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!strcmp(all[i].name, name)) return all[i].value;
  return __builtin_nan("");
}

int gf_node_bypassed(const gf_tape *t, int node) {
  return at(t, node)->bypass;
}

int gf_node_frozen(const gf_tape *t, int node) {
  return at(t, node)->frozen;
}

gf_type gf_node_type(const gf_tape *t, int node) {
  return at(t, node)->y.type;
}

int gf_node_computed(const gf_tape *t, int node) {
  return is_computed(at(t, node));
}

int gf_node_differentiated(const gf_tape *t, int node) {
  return t->plan == PLAN_KEEP && is_f32(&at(t, node)->y) && node >= t->differentiated;
}

float *gf_node_value(const gf_tape *t, int node) {
  return is_f32(&at(t, node)->y) && stays(t, node) ? at(t, node)->y.value : NULL;
}

float *gf_node_grad(const gf_tape *t, int node) {
  return at(t, node)->y.grad;
}

int32_t *gf_node_ids(const gf_tape *t, int node) {
  return is_ids(&at(t, node)->y) && stays(t, node) ? at(t, node)->y.ids : NULL;
}

int gf_op_count(void) {
  return OP_COUNT;
}

const char *gf_op_name(int op) {
  assert(op >= 0 && op < OP_COUNT);
  return gfi_op_names[op];
}

const char *gf_op_formula(int op) {
  assert(op >= 0 && op < OP_COUNT);
  return gfi_op_formulas[op];
}

/* ---- Numbers ---- */

float gf_expf(float x) {
  return f4_exp(f4_splat(x))[0];
}
