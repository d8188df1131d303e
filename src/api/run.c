/* Planning a tape, running it, and changing what a run does. */
#include "tape.h"

#include <string.h>

/* ---- Plan ---- */

/* Whether a tape can be planned, into such memory. */
static bool check_plan(gf_tape *t, const void *memory) {
  if (t->error) return false;
  if (!t->count) return !gfi_tape_fail(t, GF_ESTATE, "tape", "plan", SAYS_tapeEmpty);
  if (memory && t->plan) return !gfi_tape_tell(t, GF_ESTATE, "tape", "plan", SAYS_plannedAlready);
  if (is_misaligned(memory)) return !gfi_tape_fail(t, GF_ERANGE, "tape", "plan", SAYS_misaligned);
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

gf_error gf_plan_move(gf_tape *t, void *memory) {
  if (!t->plan) return gfi_tape_tell(t, GF_ESTATE, "tape", "plan_move", SAYS_notPlanned);
  if (!memory || is_misaligned(memory))
    return gfi_tape_tell(t, GF_ERANGE, "tape", "plan_move", SAYS_misaligned);
  gfi_tape_place(t, memory);
  return GF_OK;
}

void gf_refresh(gf_tape *t) {
  gfi_tape_refresh(t);
}

/* ---- Run ---- */

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
    gfi_tape_tell(t, GF_EID, n->name, row_of(n->op)->name, SAYS_idOut);
    const int32_t numbers[] = {(int32_t)i, id, n->y.rows - 1};
    memcpy(t->problem.numbers, numbers, sizeof numbers);
    return GF_EID;
  }
  return GF_OK;
}

/* Whether a node's value is there for a run that reads it and does not make it. */
static gf_error check_value(gf_tape *t, const char *what, int i) {
  const node *n = &t->nodes[i];
  if (!is_computed(n)) return gfi_tape_tell(t, GF_ESTATE, n->name, what, SAYS_operandNotComputed);
  if (!is_readable(t, n)) return gfi_tape_tell(t, GF_ESTATE, n->name, what, SAYS_valueNotKept);
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

/* Whether a node's ids name rows. Ids that this run computes, from node `first` on, are bounded by the op that makes
 * them, and until then their memory may hold anything: they are not checked. All others the caller may have written. */
static gf_error check_lookup(gf_tape *t, int i, int first) {
  const node *n = &t->nodes[i];
  if (!n->y.rows || n->frozen || n->bypass != GF_NONE) return GF_OK;
  const node *ids = &t->nodes[n->input[1]];
  bool made = n->input[1] >= first && !is_leaf(ids) && !ids->frozen;
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

/* Whether a node has a gradient: a product in integers goes by steps. */
static gf_error check_smooth(gf_tape *t, const node *n) {
  for (int k = 0; k < GF_MAX_INPUTS; k++) {
    if (n->input[k] == GF_NONE || !t->nodes[n->input[k]].y.integer || n->y.rows) continue;
    gfi_tape_tell(t, GF_ESTATE, n->name, "backward", SAYS_integerNotDifferentiated);
    t->problem.about = t->nodes[n->input[k]].name;
    return GF_ESTATE;
  }
  return GF_OK;
}

gf_error gf_backward(gf_tape *t, int first, int last) {
  if (t->plan == PLAN_REUSE)
    return gfi_tape_tell(t, GF_ESTATE, "tape", "backward", SAYS_gradientsNotPlanned);
  gf_error error = check_slice(t, "backward", first, &last);
  for (int i = first; !error && i <= last; i++) {
    error = check_value(t, "backward", i);
    if (!error) error = check_operands(t, "backward", i, t->count);
    if (!error) error = check_lookup(t, i, t->count);
    if (!error) error = check_smooth(t, &t->nodes[i]);
  }
  if (!error) gfi_tape_backward(t, first, last);
  return error;
}

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
  n->y.part = n->y.parts = 0;
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
  if (on && !is_readable(t, &t->nodes[i]))
    return gfi_tape_tell(t, GF_ESTATE, t->nodes[i].name, "freeze", SAYS_valueNotKept);
  t->nodes[i].frozen = on;
  return GF_OK;
}
