#include "tape.h"
#include "text.h"

#include <string.h>

/* ---- Errors ---- */

gf_error gfi_tape_tell(gf_tape *t, gf_error error, const char *name, const char *where,
                       sentence says) {
  t->problem = (gf_problem){.sentence = says, .where = where};
  text s = text_begin(t->problem.name, sizeof t->problem.name);
  text_add(&s, name && *name ? name : "(no name)");
  return error;
}

gf_error gfi_tape_fail(gf_tape *t, gf_error error, const char *name, const char *where,
                       sentence says) {
  if (!t->error) t->error = gfi_tape_tell(t, error, name, where, says);
  return t->error;
}

gf_error gfi_tape_fail_about(gf_tape *t, gf_error error, const char *name, const char *where,
                             sentence says, const char *about, int number) {
  if (t->error) return t->error;
  gfi_tape_fail(t, error, name, where, says);
  t->problem.about = about;
  t->problem.numbers[0] = number;
  return error;
}

/* The attribute that may not fit the operands: the op's first that is a number. */
static const gf_attribute *numeric(const node *n) {
  const gf_attribute *const *row = row_of(n->op)->attributes;
  while (row[0]->kind == GF_FLAG || row[0]->kind == GF_WORD) row++;
  return row[0];
}

/* An op's refusal, told with what it was given: "shapes do not fit: [2,8] x [6,4]". */
static gf_error refuse(gf_tape *t, gf_error error, const node *n, const tensor *const *x) {
  const char *op = row_of(n->op)->name;
  if (error == GF_ENODE) {
    int k = 0;
    while (!x[k] || !is_stored(x[k])) k++;
    return gfi_tape_fail_about(t, error, n->name, op, SAYS_storedAcross,
                               row_of(n->op)->operands[k].name, (int)x[k]->type);
  }
  if (error == GF_ESHAPE) {
    gfi_tape_fail(t, error, n->name, op, SAYS_unfit);
  } else if (error == GF_EMEMORY) {
    gfi_tape_fail(t, error, n->name, op, SAYS_sizeOutOf);
  } else {
    const gf_attribute *which = numeric(n);
    bool digits = which->kind == GF_INTEGER;
    gfi_tape_fail_about(t, error, n->name, op, digits ? SAYS_attributeUnfit : SAYS_listUnfit,
                        which->name, digits ? (int)gfi_attribute(&n->attributes, which) : 0);
  }
  for (int k = 0; k < GF_MAX_INPUTS; k++) {
    if (!x[k]) continue;
    t->problem.ranks[k] = x[k]->rank;
    t->problem.types[k] = x[k]->type;
    memcpy(t->problem.shapes[k], x[k]->shape, sizeof x[k]->shape);
  }
  return error;
}

/* Tells "offset -1 is not 0 or above": a real has no digits here. */
static gf_error refuse_attribute(gf_tape *t, const node *n, const gf_attribute *which) {
  bool digits = which->kind != GF_REAL && which->kind != GF_AXES;
  gfi_tape_fail_about(t, GF_ERANGE, n->name, row_of(n->op)->name, which->range, which->name,
                      digits ? (int)gfi_attribute(&n->attributes, which) : 0);
  t->problem.numbers[1] = digits ? (int)which->low : 0;
  return t->error;
}

/* ---- Building ---- */

const node *gfi_tape_at(const gf_tape *t, int i) {
  static const node none = {.op = &gfi_op_leaf, .bypass = GF_NONE};
  return is_node(t, i) ? &t->nodes[i] : &none;
}

int gfi_rank_of(const gf_tape *t, int node) {
  return gfi_tape_at(t, node)->y.rank;
}

/* The bucket of a name, on a tape with room for a node at least. */
static int *bucket_of(const gf_tape *t, uint32_t hash) {
  int *buckets = (int *)(t->nodes + t->capacity);
  return &buckets[hash % (uint32_t)t->capacity];
}

int gfi_tape_find(const gf_tape *t, const char *name) {
  if (!t->count) return GF_ENAME;
  uint32_t hash = hash_of(name);
  for (int i = *bucket_of(t, hash); i != GF_NONE; i = t->nodes[i].same)
    if (t->nodes[i].hash == hash && !strcmp(t->nodes[i].name, name)) return i;
  return GF_ENAME;
}

static void index_node(gf_tape *t, int i) {
  int *bucket = bucket_of(t, t->nodes[i].hash);
  t->nodes[i].same = *bucket;
  *bucket = i;
}

void gfi_tape_index(gf_tape *t) {
  for (int i = 0; i < t->capacity; i++) *bucket_of(t, (uint32_t)i) = GF_NONE;
  for (int i = 0; i < t->count; i++) index_node(t, i);
}

void gfi_tape_rewind(gf_tape *t, int count) {
  while (t->count > count) {
    const node *n = &t->nodes[--t->count];
    *bucket_of(t, n->hash) = n->same;
  }
}

bool gfi_tape_is_parameter(const node *n) {
  return is_leaf(n) && n->attributes.kind == LEAF_PARAMETER;
}

/* What every node needs before its op is asked: an open tape, a name, room. */
static gf_error check_push(gf_tape *t, const op *op, const char *name) {
  const char *where = row_of(op)->name;
  t->asked++;
  if (t->error) return t->error;
  if (!name || !*name) return gfi_tape_fail(t, GF_ENAME, name, where, SAYS_nameless);
  if (strlen(name) > GF_MAX_NAME)
    return gfi_tape_fail_about(t, GF_ENAME, name, where, SAYS_nameTooLong, NULL, GF_MAX_NAME);
  if (t->plan) return gfi_tape_fail(t, GF_ESTATE, name, where, SAYS_tapeClosed);
  if (gfi_tape_find(t, name) >= 0) return gfi_tape_fail(t, GF_ENAME, name, where, SAYS_nameTaken);
  if (t->count == t->capacity) return gfi_tape_fail(t, GF_EMEMORY, name, where, SAYS_noRoom);
  return GF_OK;
}

/* Fills in what follows from the shape. */
static gf_error check_size(gf_tape *t, node *n) {
  int64_t size = 1;
  for (int i = 0; i < GF_MAX_RANK; i++) {
    if (i >= n->y.rank) n->y.shape[i] = 1;
    size *= n->y.shape[i];
    if (size > INT32_MAX)
      return gfi_tape_fail(t, GF_EMEMORY, n->name, row_of(n->op)->name, SAYS_sizeOut);
  }
  n->y.size = (size_t)size;
  return GF_OK;
}

static node *next_node(gf_tape *t, const op *op, const char *name) {
  node *n = &t->nodes[t->count];
  memset(n, 0, sizeof *n);
  memcpy(n->name, name, strlen(name) + 1);
  n->hash = hash_of(name);
  n->op = op;
  n->bypass = GF_NONE;
  n->y.about.layer = GF_NONE;
  for (int k = 0; k < GF_MAX_INPUTS; k++) n->input[k] = GF_NONE;
  return n;
}

/* Takes the next node, which is filled in, on to the tape. */
static int append(gf_tape *t) {
  node *n = &t->nodes[t->count];
  if (t->count) n->offset = end_in_block(n - 1);
  index_node(t, t->count);
  return t->count++;
}

int gfi_tape_push_leaf(gf_tape *t, int kind, int rank, const int *shape, const char *name) {
  const char *op = row_of(&gfi_op_leaf)->name;
  if (check_push(t, &gfi_op_leaf, name)) return t->error;
  if (!shape) return gfi_tape_fail(t, GF_ESHAPE, name, op, SAYS_shapeNull);
  if (rank < 1 || rank > GF_MAX_RANK)
    return gfi_tape_fail_about(t, GF_ESHAPE, name, op, SAYS_rankOut, NULL, rank);
  node *n = next_node(t, &gfi_op_leaf, name);
  n->attributes.kind = kind;
  n->y.rank = rank;
  n->y.stays = true;
  n->y.type = kind == LEAF_IDS ? GF_IDS : GF_F32;
  for (int i = 0; i < rank; i++) {
    if (shape[i] < 1)
      return gfi_tape_fail_about(t, GF_ESHAPE, name, op, SAYS_dimensionOut, NULL, shape[i]);
    n->y.shape[i] = shape[i];
  }
  if (check_size(t, n)) return t->error;
  return append(t);
}

/* The tensors of a node's operands; NULL where there is none. */
static void operands_of(const gf_tape *t, const node *n, const tensor **x) {
  for (int k = 0; k < GF_MAX_INPUTS; k++)
    x[k] = n->input[k] == GF_NONE ? NULL : &t->nodes[n->input[k]].y;
}

/* An operand of a type that the row of the op does not name: "w: expected float values, received ids". */
static gf_error refuse_type(gf_tape *t, const node *n, const gf_operand *row, const tensor *x) {
  sentence says = !(row->takes & GF_TAKES_F32) ? SAYS_floatsForIds
                  : is_stored(x)               ? SAYS_storedForFloats
                                               : SAYS_idsForFloats;
  return gfi_tape_fail_about(t, GF_ENODE, n->name, row_of(n->op)->name, says, row->name,
                             is_stored(x) ? (int)x->type : 0);
}

static bool takes(const gf_operand *row, const tensor *x) {
  return is_stored(x) ? row->takes & GF_TAKES_STORED : row->takes >> x->type & 1;
}

/* Takes up operands, each of a type that the row of the op names. */
static gf_error set_operands(gf_tape *t, node *n, const int *operands, const tensor **x) {
  const gf_operand *row = row_of(n->op)->operands;
  for (int k = 0; k < GF_MAX_INPUTS && row[k].name; k++) {
    int id = operands[k];
    bool left_out = id == GF_NONE && row[k].takes & GF_TAKES_NONE;
    if (!left_out && (id < 0 || id >= t->count))
      return gfi_tape_fail(t, GF_ENODE, n->name, row_of(n->op)->name, SAYS_operandForeign);
    if (!left_out && !takes(&row[k], &t->nodes[id].y))
      return refuse_type(t, n, &row[k], &t->nodes[id].y);
    n->input[k] = id;
  }
  operands_of(t, n, x);
  return GF_OK;
}

int gfi_refuse_null(gf_tape *t, const op *op, const char *name, const char *about) {
  return gfi_tape_fail_about(t, GF_ERANGE, name, row_of(op)->name, SAYS_argumentNull, about, 0);
}

int gfi_push(gf_tape *t, const op *op, const int *operands, attributes attributes,
             const char *name) {
  if (check_push(t, op, name)) return t->error;
  node *n = next_node(t, op, name);
  n->attributes = attributes;
  n->attributes.stream = n->hash;
  const gf_attribute *wrong = gfi_check_attributes(&n->attributes, op->id);
  if (wrong) return refuse_attribute(t, n, wrong);
  const tensor *x[GF_MAX_INPUTS];
  if (set_operands(t, n, operands, x)) return t->error;
  gf_error error = op->shape(&n->y, x, &n->attributes);
  if (!error && n->y.rows && x[1]->limit > n->y.rows) error = GF_ESHAPE;
  if (error) return refuse(t, error, n, x);
  if (check_size(t, n)) return t->error;
  return append(t);
}

int gfi_push_numbers(gf_tape *t, const op *op, const int *operands, const double *numbers,
                     const char *name) {
  attributes a = {0};
  if (!operands || !numbers)
    return gfi_refuse_null(t, op, name, operands ? "attributes" : "operands");
  const gf_attribute *wrong = gfi_set_attributes(&a, op->id, numbers);
  if (!wrong) return gfi_push(t, op, operands, a, name);
  if (check_push(t, op, name)) return t->error;
  return refuse_attribute(t, next_node(t, op, name), wrong);
}

/* ---- Stored parameters ---- */

/* Whether a node can read the parameter as it is now. */
static gf_error ask_again(gf_tape *t, const node *n, int parameter) {
  const gf_operand *row = row_of(n->op)->operands;
  const tensor *x[GF_MAX_INPUTS];
  bool reads = false;
  operands_of(t, n, x);
  for (int k = 0; k < GF_MAX_INPUTS; k++) {
    if (n->input[k] != parameter) continue;
    if (!takes(&row[k], x[k]) || n->bypass == k) return refuse_type(t, n, &row[k], x[k]);
    reads = true;
  }
  tensor y = {0};
  gf_error error = reads ? n->op->shape(&y, x, &n->attributes) : GF_OK;
  return error ? refuse(t, error, n, x) : GF_OK;
}

gf_error gfi_tape_store(gf_tape *t, int parameter, tensor y) {
  node *stored = &t->nodes[parameter];
  const tensor before = stored->y;
  stored->y = y;
  for (int i = parameter + 1; i < t->count; i++)
    if (ask_again(t, &t->nodes[i], parameter)) {
      stored->y = before;
      return t->error;
    }
  stored->bound = true;
  for (int i = parameter + 1; i < t->count; i++)
    t->nodes[i].offset = end_in_block(&t->nodes[i - 1]);
  return GF_OK;
}

/* ---- Memory ---- */

typedef struct arena {
  char *memory; /* NULL while only counting */
  size_t used;
  size_t laid_out; /* the first byte of what the first run lays out, or 0 */
  bool overflow;
} arena;

/* The bytes of n numbers, of 4 each, rounded up to whole vectors; 0 if that exceeds the address
 * space. */
static size_t bytes_of(uint64_t n) {
  return n > (SIZE_MAX - (GF_ALIGNMENT - 1)) / 4
             ? 0
             : (n * 4 + GF_ALIGNMENT - 1) & ~(size_t)(GF_ALIGNMENT - 1);
}

/* Takes part of the arena: n numbers from `at` on; NULL while only counting. */
static void *place_at(arena *a, size_t at, uint64_t n) {
  size_t bytes = bytes_of(n);
  if ((n && !bytes) || bytes > SIZE_MAX - at) {
    a->overflow = true;
    return NULL;
  }
  if (at + bytes > a->used) a->used = at + bytes;
  return a->memory ? a->memory + at : NULL;
}

#ifdef GF_GUARD
/* Tells the address sanitizer that nobody may read or write so many bytes. */
void __asan_poison_memory_region(void const volatile *at, size_t bytes);
#endif

/* The next n numbers. A build that looks for steps beyond them leaves a gap behind, which it watches. */
static void *place(arena *a, uint64_t n) {
  char *at = place_at(a, a->used, n);
#ifdef GF_GUARD
  const size_t end = a->used;
  place_at(a, end, GF_ALIGNMENT / 4);
  if (at) __asan_poison_memory_region(at + 4 * n, (size_t)(a->memory + a->used - (at + 4 * n)));
#endif
  return at;
}

/* The most that any op wants to write down. */
static void place_scratch(gf_tape *t, arena *a, bool backward) {
  uint64_t most = 0;
  for (int i = 0; i < t->count; i++) {
    const tensor *y = &t->nodes[i].y;
    uint64_t n = y->scratch_forward;
    if (backward && y->scratch_backward > n) n = y->scratch_backward;
    if (n > most) most = n;
  }
#if GF_THREADS
  t->scratch_each = most = (most + 3) / 4 * 4; /* whole vectors */
  if (t->team) most *= (uint64_t)gfi_team_threads(t->team);
#endif
  uint64_t noted = 0;
  for (int i = 0; i < t->count; i++)
    if (t->nodes[i].y.notes_size > noted) noted = t->nodes[i].y.notes_size;
  float *scratch = place(a, most), *notes = place(a, noted);
  for (int i = 0; a->memory && i < t->count; i++) {
    t->nodes[i].y.scratch = scratch;
    t->nodes[i].y.notes = notes;
  }
}

/* Bound leaves have their memory; ids have no gradient. */
static void place_all(gf_tape *t, arena *a) {
  for (int i = 0; i < t->count; i++) {
    node *n = &t->nodes[i];
    if (n->bound) continue;
    float *value = place(a, n->y.size);
    float *grad = is_f32(&n->y) ? place(a, n->y.size) : NULL;
    if (!a->memory) continue;
    n->y.value = value;
    n->y.grad = grad;
  }
  place_scratch(t, a, true);
}

static void find_last_readers(gf_tape *t) {
  for (int i = 0; i < t->count; i++) {
    node *n = &t->nodes[i];
    n->last = GF_NONE;
    n->kept = n->kept || n->frozen;
    for (int k = 0; k < GF_MAX_INPUTS; k++)
      if (n->input[k] != GF_NONE) t->nodes[n->input[k]].last = i;
  }
}

/* Where values may go that share places: the gaps between those that are still read, each told by a node
 * that lay there, in order; GF_NONE ends them. From `end` on all is free. */
typedef struct gaps {
  int lowest;
  size_t end;
} gaps;

/* Takes the lowest gap of so many bytes. */
static size_t take_gap(gf_tape *t, gaps *g, size_t bytes) {
  for (int *link = &g->lowest; *link != GF_NONE; link = &t->nodes[*link].above) {
    node *gap = &t->nodes[*link];
    if (gap->room < bytes) continue;
    size_t at = gap->place;
    gap->place += bytes;
    gap->room -= bytes;
    if (!gap->room) *link = gap->above;
    return at;
  }
  size_t at = g->end;
  g->end += bytes;
  return at;
}

/* Lets a gap grow by the next one, if nothing lies between them. */
static void join_gaps(gf_tape *t, node *gap) {
  if (gap->above == GF_NONE) return;
  const node *next = &t->nodes[gap->above];
  if (gap->place + gap->room != next->place) return;
  gap->room += next->room;
  gap->above = next->above;
}

/* Makes a gap of node i's place. */
static void leave_gap(gf_tape *t, gaps *g, int i) {
  node *n = &t->nodes[i];
  int *link = &g->lowest, *below = NULL;
  for (; *link != GF_NONE && t->nodes[*link].place < n->place; link = &t->nodes[*link].above)
    below = link;
  n->room = bytes_of(n->y.size);
  n->above = *link;
  *link = i;
  join_gaps(t, n);
  if (below) join_gaps(t, &t->nodes[*below]);
  int *last = below && t->nodes[*below].above != i ? below : link;
  const node *gap = &t->nodes[*last];
  if (gap->place + gap->room != g->end) return;
  g->end = gap->place;
  *last = GF_NONE;
}

/* Makes gaps of the operands that no node after i reads. */
static void leave_operands(gf_tape *t, gaps *g, int i) {
  for (int k = 0; k < GF_MAX_INPUTS; k++) {
    int x = t->nodes[i].input[k];
    if (x == GF_NONE || t->nodes[x].last != i || stays(&t->nodes[x])) continue;
    bool again = false;
    for (int j = 0; j < k; j++) again = again || t->nodes[i].input[j] == x;
    if (!again) leave_gap(t, g, x);
  }
}

static void place_layouts(gf_tape *t, arena *a) {
  a->laid_out = a->used;
  for (int i = 0; i < t->count; i++) {
    node *n = &t->nodes[i];
    if (!n->y.layout_size || !is_in_block(&t->nodes[n->input[1]])) continue;
    float *layout = place(a, n->y.layout_size);
    if (a->memory) n->y.layout = layout;
  }
}

void gfi_tape_refresh(gf_tape *t) {
  for (int i = 0; i < t->count; i++)
    if (t->nodes[i].y.layout) t->nodes[i].y.layout[0] = 0;
}

static void place_shared(gf_tape *t, arena *a) {
  find_last_readers(t);
  for (int i = 0; i < t->count; i++) {
    node *n = &t->nodes[i];
    if (n->bound || !stays(n)) continue;
    float *value = place(a, n->y.size);
    if (a->memory) n->y.value = value;
  }
  place_scratch(t, a, false);
  gaps gaps = {GF_NONE, a->used};
  for (int i = 0; i < t->count && !a->overflow; i++) {
    node *n = &t->nodes[i];
    if (!stays(n)) {
      n->place = take_gap(t, &gaps, bytes_of(n->y.size));
      float *value = place_at(a, n->place, n->y.size);
      if (a->memory) n->y.value = value;
    }
    leave_operands(t, &gaps, i);
  }
  place_layouts(t, a);
}

static size_t plan_by(gf_tape *t, void *memory, void (*place_nodes)(gf_tape *, arena *), plan how) {
  arena count = {0};
  place_nodes(t, &count);
  if (count.overflow) {
    gfi_tape_fail(t, GF_EMEMORY, "tape", "plan", SAYS_beyondMemory);
    return 0;
  }
  /* A tape of bound leaves alone needs nothing; 0 is kept for failure. */
  size_t bytes = count.used ? count.used : GF_ALIGNMENT;
  if (memory) {
    memset(memory, 0, count.laid_out ? count.laid_out : bytes);
    arena a = {.memory = memory};
    place_nodes(t, &a);
    gfi_tape_refresh(t);
    t->plan = how;
    t->next = t->count;
    t->differentiated = t->count;
  }
  return bytes;
}

size_t gfi_tape_plan(gf_tape *t, void *memory) {
  return plan_by(t, memory, place_all, PLAN_KEEP);
}

size_t gfi_tape_plan_reuse(gf_tape *t, void *memory) {
  return plan_by(t, memory, place_shared, PLAN_REUSE);
}

void gfi_tape_place(gf_tape *t, void *memory) {
  arena a = {.memory = memory};
  (t->plan == PLAN_REUSE ? place_shared : place_all)(t, &a);
}

/* ---- Running ---- */

static void copy(float *to, const float *from, size_t n) {
  memcpy(to, from, n * sizeof *to);
}
static void accumulate(float *to, const float *from, size_t n) {
  for (size_t i = 0; i < n; i++) to[i] += from[i];
}

enum { PIECES = 4 };

#if GF_THREADS
/* What another thread does is this many multiply-adds at least, so that it takes longer than to hand it over. PIECES: of
 * each thread, as not all have the same pace. But of a FEW rows weights are read as they lie, faster in long rows: few
 * and large pieces. */
enum { LEAST = 1 << 16, FEW = 3 };

/* A run of an op, or of a part of it, in pieces. */
typedef struct job {
  const gf_tape *t;
  kernel *run;
  const tensor *y, *const *x;
  const attributes *a;
  int pieces;
} job;

static void run_piece(const void *at, int piece, int thread) {
  const job *j = at;
  tensor y = *j->y;
  y.part = y.part * j->pieces + piece;
  y.parts = (y.parts ? y.parts : 1) * j->pieces;
  y.scratch += (size_t)thread * j->t->scratch_each;
  j->run(&y, j->x, j->a);
}

static void run_op(const gf_tape *t, kernel *run, const tensor *y, const tensor *const *x,
                   const attributes *a) {
  const double parts = y->parts ? y->parts : 1;
  const int each = row_count(y) <= FEW ? 1 : PIECES;
  const double worth = y->work * each / (parts * PIECES * LEAST);
  const int most = t->team ? each * gfi_team_threads(t->team) : 1;
  const int pieces = worth < most ? (int)worth : most;
  /* Laying out is for one thread: only its end tells the others that it is done. */
  if (pieces > 1 && !(y->layout && y->layout[0] == 0))
    gfi_team_run(t->team, run_piece, &(job){t, run, y, x, a, pieces}, pieces);
  else
    run(y, x, a);
}

void gf_tape_team(gf_tape *t, gf_team *team) {
  if (!t->plan) t->team = team; /* its threads need scratch, which the plan places */
}
#else
static inline void run_op(const gf_tape *t, kernel *run, const tensor *y, const tensor *const *x,
                          const attributes *a) {
  (void)t;
  run(y, x, a);
}
#endif

/* A run of an op: its work, or a part of that; and with the last part what then ends it. */
static void run_whole(const gf_tape *t, kernel *run, kernel *end, const tensor *y,
                      const tensor *const *x, const attributes *a) {
  run_op(t, run, y, x, a);
  if (!end || (y->parts && y->part < y->parts - 1)) return;
  tensor ended = *y;
  ended.part = ended.parts = 0;
  run_op(t, end, &ended, x, a);
}

void gfi_tape_forward(gf_tape *t, int first, int last) {
  for (int i = first; i <= last; i++) {
    node *n = &t->nodes[i];
    if (n->frozen) continue;
    const tensor *x[GF_MAX_INPUTS];
    operands_of(t, n, x);
    if (n->bypass == GF_NONE)
      run_whole(t, n->op->forward, n->y.forward_end, &n->y, x, &n->attributes);
    else
      copy(n->y.value, x[n->bypass]->value, n->y.size);
    n->computed = true;
  }
}

void gfi_tape_backward(gf_tape *t, int first, int last) {
  for (int i = last; i >= first; i--) {
    const node *n = &t->nodes[i];
    if (n->frozen || !n->y.grad) continue;
    const tensor *x[GF_MAX_INPUTS];
    operands_of(t, n, x);
    if (n->bypass == GF_NONE)
      run_whole(t, n->op->backward, n->y.backward_end, &n->y, x, &n->attributes);
    else if (x[n->bypass]->grad)
      accumulate(x[n->bypass]->grad, n->y.grad, n->y.size);
  }
  if (first < t->differentiated) t->differentiated = first;
}

/* Of each gradient, one of PIECES: so threads have about equal shares. */
static void zero_piece(const void *at, int piece, int thread) {
  (void)thread;
  const gf_tape *t = at;
  for (int i = 0; i < t->count; i++) {
    const node *n = &t->nodes[i];
    if (!n->y.grad || n->bound) continue;
    const size_t first = n->y.size / PIECES * (size_t)piece;
    const size_t end = piece == PIECES - 1 ? n->y.size : n->y.size / PIECES * (size_t)(piece + 1);
    memset(n->y.grad + first, 0, (end - first) * sizeof *n->y.grad);
  }
}

static void zero_all(const gf_tape *t) {
#if GF_THREADS
  if (t->team) {
    gfi_team_run(t->team, zero_piece, t, PIECES);
    return;
  }
#endif
  for (int i = 0; i < PIECES; i++) zero_piece(t, i, 0);
}

void gfi_tape_zero_grad(gf_tape *t) {
  zero_all(t);
  t->differentiated = t->count;
}
