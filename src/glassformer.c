/* The public functions: each checks what the layers below take for granted, then calls them. */
#include "tape.h"
#include "text.h"
#include "fmath.h"
#include "random.h"

#include <string.h>

#define TEXT_OF(x)       #x
#define VERSION(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

const char *gf_version(void) {
  return VERSION(GF_VERSION_MAJOR, GF_VERSION_MINOR, GF_VERSION_PATCH);
}

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

const gf_problem *gf_tape_problem(const gf_tape *t) {
  return &t->problem;
}

static const char *const sentences[] = {
    [SAYS_nothing] = "",
#define GF_SENTENCE(name, text)      [SAYS_##name] = (text),
#define GF_SENTENCE_OF_C(name, text) [SAYS_##name] = (text),
#if GF_STORED
#define GF_SENTENCE_STORED(name, text) [SAYS_##name] = (text),
#endif
#include "errors.def"
};

/* [2,8] x ids [6,4] */
static void add_shapes(text *s, const gf_problem *p) {
  for (int k = 0, shown = 0; k < GF_MAX_INPUTS; k++) {
    if (!p->ranks[k]) continue;
    if (shown++) text_add(s, " x ");
    if (p->types[k] == GF_IDS) text_add(s, "ids ");
    text_add_shape(s, p->ranks[k], p->shapes[k]);
  }
}

/* A sentence, filled in where there are braces. */
static void add_sentence(text *s, const gf_problem *p) {
  const int32_t *number = p->numbers;
  for (const char *c = sentences[p->sentence]; *c; c++) {
    if (*c != '{') {
      text_add(s, (char[]){*c, 0});
      continue;
    }
    if (!strncmp(c, "{shapes}", 8))
      add_shapes(s, p);
    else if (!strncmp(c, "{about}", 7))
      text_add(s, p->about);
    else if (GF_STORED && !strncmp(c, "{type}", 6))
      text_add(s, gf_type_name(*number++));
    else
      text_add_int(s, *number++);
    while (*c != '}') c++;
  }
}

const char *gf_tape_error_text(gf_tape *t) {
  const gf_problem *p = &t->problem;
  text s = text_begin(t->message, sizeof t->message);
  if (!p->sentence) return t->message;
  text_add(&s, p->name);
  text_add(&s, ": ");
  text_add(&s, p->where);
  text_add(&s, ": ");
  add_sentence(&s, p);
  return t->message;
}

gf_error gf_tape_rewind(gf_tape *t, int count) {
  if (count < 0 || count > t->count) return GF_ERANGE;
  if (t->plan && count < t->count) return GF_ESTATE;
  gfi_tape_rewind(t, count);
  t->error = GF_OK;
  t->problem.sentence = SAYS_nothing;
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

gf_error gf_bind(gf_tape *t, int leaf, void *value, float *grad) {
  if (t->error) return t->error;
  if (!is_node(t, leaf) || t->nodes[leaf].op != OP_leaf)
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

/* ---- Plan and run ---- */

/* Whether a tape can be planned, into such memory. */
static bool check_plan(gf_tape *t, const void *memory) {
  if (t->error) return false;
  if (!t->count) return !gfi_tape_fail(t, GF_ESTATE, "tape", "plan", SAYS_tapeEmpty);
  if (memory && t->plan) return !gfi_tape_tell(t, GF_ESTATE, "tape", "plan", SAYS_plannedAlready);
  if (misaligned(memory)) return !gfi_tape_fail(t, GF_ERANGE, "tape", "plan", SAYS_misaligned);
  return true;
}

size_t gf_plan(gf_tape *t, void *memory) {
  return check_plan(t, memory) ? gfi_tape_plan(t, memory) : 0;
}

gf_error gf_keep(gf_tape *t, int i) {
  if (!is_node(t, i)) return gfi_tape_tell(t, GF_ENODE, "tape", "keep", SAYS_nodeForeign);
  if (t->plan) return gfi_tape_tell(t, GF_ESTATE, t->nodes[i].name, "keep", SAYS_plannedAlready);
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
  return t->plan != PLAN_REUSE || gfi_tape_stays(gfi_tape_at(t, i));
}

/* Resolves GF_LAST and refuses what is no slice of a planned tape. */
static gf_error check_slice(gf_tape *t, const char *what, int first, int *last) {
  if (!t->plan) return gfi_tape_tell(t, GF_ESTATE, "tape", what, SAYS_notPlanned);
  if (*last == GF_LAST) *last = t->count - 1;
  if (is_node(t, first) && is_node(t, *last) && first <= *last) return GF_OK;
  return gfi_tape_tell(t, GF_ENODE, "tape", what, SAYS_noSlice);
}

/* Tells "ids[1] is 5; valid ids are 0 to 3". */
static gf_error check_ids(gf_tape *t, const node *n) {
  const tensor *ids = &t->nodes[n->input[1]].y;
  for (size_t i = 0; i < ids->size; i++) {
    int32_t id = ids->ids[i];
    /* Of ops that ignore nothing ignore_index is 0, which is a row. */
    if ((id >= 0 && id < n->y.rows) || id == n->attributes.ignore_index) continue;
    gfi_tape_tell(t, GF_EID, n->name, gfi_ops[n->op].name, SAYS_idOut);
    const int32_t numbers[] = {(int32_t)i, id, n->y.rows - 1};
    memcpy(t->problem.numbers, numbers, sizeof numbers);
    return GF_EID;
  }
  return GF_OK;
}

static bool is_computed(const node *n) {
  return n->op == OP_leaf || n->frozen || n->computed;
}

/* Whether a node's value is there for a run that reads it and does not make it. */
static gf_error check_value(gf_tape *t, const char *what, int i) {
  const node *n = &t->nodes[i];
  if (!is_computed(n)) return gfi_tape_tell(t, GF_ESTATE, n->name, what, SAYS_operandNotComputed);
  if (!stays(t, i)) return gfi_tape_tell(t, GF_ESTATE, n->name, what, SAYS_valueNotKept);
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
  if (!n->y.rows || n->frozen || n->bypass != GF_NONE) return GF_OK;
  const node *ids = &t->nodes[n->input[1]];
  bool made = n->input[1] >= first && ids->op != OP_leaf && !ids->frozen;
  return made ? GF_OK : check_ids(t, n);
}

/* A run begins, or goes on where the last one ended. */
static void go_on(gf_tape *t, int first) {
  if (first != t->next) t->begun = first;
  t->next = first;
}

gf_error gf_forward(gf_tape *t, int first, int last) {
  gf_error error = check_slice(t, "forward", first, &last);
  go_on(t, first);
  for (int i = first; !error && i <= last; i++) {
    error = check_operands(t, "forward", i, t->begun);
    if (!error) error = check_lookup(t, i, first);
  }
  if (error) return error;
  t->next = last + 1;
  gfi_tape_forward(t, first, last);
  return GF_OK;
}

void gf_zero_grad(gf_tape *t) {
  gfi_tape_zero_grad(t);
}

gf_error gf_backward(gf_tape *t, int first, int last) {
  if (t->plan == PLAN_REUSE)
    return gfi_tape_tell(t, GF_ESTATE, "tape", "backward", SAYS_gradientsNotPlanned);
  gf_error error = check_slice(t, "backward", first, &last);
  for (int i = first; !error && i <= last; i++) {
    error = check_value(t, "backward", i);
    if (!error) error = check_operands(t, "backward", i, t->count);
    if (!error) error = check_lookup(t, i, t->count);
  }
  if (!error) gfi_tape_backward(t, first, last);
  return error;
}

#if GF_STORED
/* Threads multiply the parts of a node: their number has to stay an int. */
enum { MOST_PARTS = 1 << 20 };

/* A run of node i alone that does one part of its work. */
static gf_error run_part(gf_tape *t, gf_error (*run)(gf_tape *t, int first, int last), int i,
                         int part, int parts) {
  if (part < 0 || part >= parts || parts > MOST_PARTS)
    return gfi_tape_tell(t, GF_ERANGE, "tape", "run", SAYS_partOut);
  if (!is_node(t, i)) return run(t, i, i);
  node *n = &t->nodes[i];
  const bool split = n->y.work && !n->frozen && n->bypass == GF_NONE;
  if (!split && part < parts - 1) return GF_OK;
  n->y.part = part;
  n->y.parts = split ? parts : 0;
  const gf_error error = run(t, i, i);
  n->y.parts = 0;
  return error;
}

gf_error gf_forward_part(gf_tape *t, int node, int part, int parts) {
  const gf_error error = run_part(t, gf_forward, node, part, parts);
  if (!error && part < parts - 1 && t->next == node + 1) { /* a part, if it did anything */
    t->nodes[node].computed = false;
    t->next = node;
  }
  return error;
}

gf_error gf_backward_part(gf_tape *t, int node, int part, int parts) {
  return run_part(t, gf_backward, node, part, parts);
}
#endif

/* ---- Experiments ---- */

gf_error gf_bypass(gf_tape *t, int i, int k) {
  if (!is_node(t, i)) return gfi_tape_tell(t, GF_ENODE, "tape", "bypass", SAYS_nodeForeign);
  node *n = &t->nodes[i];
  if (k == GF_NONE) {
    n->bypass = GF_NONE;
    return GF_OK;
  }
  if (k < 0 || k >= GF_MAX_INPUTS || n->input[k] == GF_NONE)
    return gfi_tape_tell(t, GF_ERANGE, n->name, "bypass", SAYS_noOperand);
  const tensor *x = &t->nodes[n->input[k]].y;
  if (!is_f32(x) || !is_f32(&n->y) || x->size != n->y.size)
    return gfi_tape_tell(t, GF_ERANGE, n->name, "bypass", SAYS_operandUnlike);
  n->bypass = k;
  return GF_OK;
}

gf_error gf_freeze(gf_tape *t, int i, int on) {
  if (!is_node(t, i)) return gfi_tape_tell(t, GF_ENODE, "tape", "freeze", SAYS_nodeForeign);
  if (on && !stays(t, i))
    return gfi_tape_tell(t, GF_ESTATE, t->nodes[i].name, "freeze", SAYS_valueNotKept);
  t->nodes[i].frozen = on;
  return GF_OK;
}

/* ---- Looking ---- */

int gf_find(gf_tape *t, const char *name) {
  int i = name ? gfi_tape_find(t, name) : GF_ENAME;
  if (i < 0) gfi_tape_tell(t, GF_ENAME, name, "find", SAYS_nameUnknown);
  return i;
}

const char *gf_node_name(const gf_tape *t, int node) {
  return gfi_tape_at(t, node)->name;
}

const char *gf_node_op(const gf_tape *t, int node) {
  return gfi_ops[gfi_tape_at(t, node)->op].name;
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
  const gf_attribute *const *row = gfi_ops[gfi_tape_at(t, node)->op].attributes;
  for (int i = 0; name && i < GF_MAX_ATTRIBUTES && row[i]; i++)
    if (!strcmp(row[i]->name, name))
      return gfi_attribute(&gfi_tape_at(t, node)->attributes, row[i]);
#if GF_STORED
  const gf_attribute *which;
  for (int i = 0; name && (which = gfi_variant_attribute(i)); i++)
    if (!strcmp(which->name, name)) return gfi_attribute(&gfi_tape_at(t, node)->attributes, which);
#endif
  return __builtin_nan("");
}

const char *gf_node_formula(const gf_tape *t, int node) {
  const gf_op *op = &gfi_ops[gfi_tape_at(t, node)->op];
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
  return is_f32(&gfi_tape_at(t, node)->y) && stays(t, node) ? gfi_tape_at(t, node)->y.value : NULL;
}

float *gf_node_grad(const gf_tape *t, int node) {
  return gfi_tape_at(t, node)->y.grad;
}

int32_t *gf_node_ids(const gf_tape *t, int node) {
  return is_ids(&gfi_tape_at(t, node)->y) && stays(t, node) ? gfi_tape_at(t, node)->y.ids : NULL;
}

const gf_op *gf_op_at(int op) {
  return op >= 0 && op < OP_COUNT ? &gfi_ops[op] : NULL;
}

int gf_push(gf_tape *t, int op, const int *operands, const double *attributes, const char *name) {
  if (t->error) return t->error;
  if (op <= OP_leaf || op >= OP_COUNT) return gfi_tape_fail(t, GF_ERANGE, name, "push", SAYS_noOp);
  return gfi_push_numbers(t, op, operands, attributes, name);
}

#if GF_STORED
int gf_copy(gf_tape *t, const gf_tape *from, int node, const int *operands, const char *name) {
  if (t->error) return t->error;
  if (!from || node < 0 || node >= from->count || !operands)
    return gfi_tape_fail(t, GF_ENODE, name, "copy", SAYS_operandForeign);
  const struct node *n = &from->nodes[node];
  int made = n->op == OP_leaf
                 ? gfi_tape_push_leaf(t, n->attributes.kind, n->y.rank, n->y.shape, name)
                 : gfi_push(t, n->op, operands, n->attributes, name);
  if (made >= 0) t->nodes[made].y.about = n->y.about;
  return made;
}
#endif

/* ---- Numbers ---- */

float gf_expf(float x) {
  return f4_exp(f4_splat(x))[0];
}
