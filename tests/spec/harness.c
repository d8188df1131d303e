#include "harness.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const int tails[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                     13, 14, 15, 16, 17, 31, 32, 33, 63, 64, 65, 0};

/* ---- Complaints ---------------------------------------------------------------------------------- */

static char complaint[1000];

const char *harness_complaint(void) {
  room_reset();
  return *complaint ? complaint : NULL;
}

void complain(const char *format, ...) {
  if (*complaint) return;
  va_list values;
  va_start(values, format);
  vsnprintf(complaint, sizeof complaint, format, values);
  va_end(values);
}

void expect_int(const char *file, int line, const char *what, long long is, long long expected) {
  if (is != expected) complain("%s:%d: %s is %lld, not %lld", file, line, what, is, expected);
}

void expect_text(const char *file, int line, const char *what, const char *is,
                 const char *expected) {
  if (strcmp(is, expected)) {
    complain("%s:%d: %s is \"%s\", not \"%s\"", file, line, what, is, expected);
  }
}

static bool near(double is, double expected, double tolerance) {
  return isinf(expected) ? is == expected : fabs(is - expected) <= tolerance;
}

void expect_near(const char *file, int line, const char *what, double is, double expected,
                 double tolerance) {
  if (!near(is, expected, tolerance)) {
    complain("%s:%d: %s is %.9g, not %.9g", file, line, what, is, expected);
  }
}

/* ---- Numbers ------------------------------------------------------------------------------------- */

static uint64_t random_state;

double random_between(double low, double high) {
  /* Knuth's MMIX generator; the upper half of its state is random enough for tests. */
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(random_state >> 32) / 4294967296.0;
}

uint32_t random_word(uint32_t seed, uint32_t step, uint32_t use, uint32_t stream, uint32_t index) {
  uint32_t c[4] = {index / 4, use, stream, 0}, key[2] = {seed, step};
  for (int round = 0; round < 10; round++) {
    /* Multiply two words, cross the halves, advance the key. */
    uint64_t first = 0xD2511F53ull * c[0], third = 0xCD9E8D57ull * c[2];
    uint32_t next[4] = {(uint32_t)(third >> 32) ^ c[1] ^ key[0], (uint32_t)third,
                        (uint32_t)(first >> 32) ^ c[3] ^ key[1], (uint32_t)first};
    memcpy(c, next, sizeof c);
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return c[index % 4];
}

/* ---- Memory -------------------------------------------------------------------------------------- */

enum { BORDER = 64, PATTERN = 0xA5, ROOMS = 1024 };

static _Alignas(16) unsigned char arena[8 << 20];
static size_t arena_used;
static struct {
  unsigned char *memory;
  size_t bytes;
} rooms[ROOMS];
static int room_count;

/* A border holds a pattern, which must stay; AddressSanitizer sees who only reads it, too. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define watch(border)          __asan_poison_memory_region(border, BORDER)
#define unwatch(memory, bytes) __asan_unpoison_memory_region(memory, bytes)
#else
#define watch(border)          ((void)(border))
#define unwatch(memory, bytes) ((void)(memory))
#endif

void *room(size_t bytes, size_t skew) {
  size_t start = (arena_used + BORDER + 15) / 16 * 16 + skew;
  if (room_count == ROOMS || bytes > sizeof arena || start + bytes + BORDER > sizeof arena) {
    complain("the harness has no room for %zu bytes", bytes);
    room_reset();
    start = BORDER;
  }
  unsigned char *memory = arena + start;
  unwatch(memory - BORDER, BORDER);
  memset(memory - BORDER, PATTERN, bytes + 2 * BORDER);
  watch(memory - BORDER);
  watch(memory + bytes);
  rooms[room_count].memory = memory;
  rooms[room_count++].bytes = bytes;
  arena_used = start + bytes + BORDER;
  return memory;
}

static void check_border(const unsigned char *border, const char *where) {
  unwatch(border, BORDER);
  for (int i = 0; i < BORDER; i++) {
    if (border[i] != PATTERN) complain("somebody wrote %s its memory", where);
  }
  watch(border);
}

static void check_borders(void) {
  for (int i = 0; i < room_count; i++) {
    check_border(rooms[i].memory - BORDER, "before");
    check_border(rooms[i].memory + rooms[i].bytes, "behind");
  }
}

void room_reset(void) {
  check_borders();
  unwatch(arena, sizeof arena);
  room_count = 0;
  arena_used = 0;
}

void harness_reset(void) {
  *complaint = 0;
  room_count = 0;
  arena_used = 0;
  random_state = 1;
}

/* ---- Tapes --------------------------------------------------------------------------------------- */

gf_tape *new_tape(void) {
  size_t bytes = gf_tape_bytes(40);
  return gf_tape_create(room(bytes, 0), bytes);
}

void place(gf_tape *t) {
  size_t bytes = gf_plan(t, NULL);
  if (bytes == 0 || gf_plan(t, room(bytes, 0)) != bytes) {
    complain("cannot be planned: %s", gf_tape_error_text(t));
  }
}

int made_up_leaf(gf_tape *t, bool ids, int rank, const int *shape) {
  char name[20];
  snprintf(name, sizeof name, "leaf.%d", gf_tape_count(t));
  return ids ? gf_ids(t, rank, shape, name) : gf_input(t, rank, shape, name);
}

/* ---- Trials -------------------------------------------------------------------------------------- */

/* The numbers of a trial: what its operands hold, in float64 and as the core's bits. */
typedef struct numbers {
  int operands;
  size_t size[MAX_OPERANDS];
  double *exact[MAX_OPERANDS];
  void *bits[MAX_OPERANDS];
} numbers;

/* What the core made of them. Arrays are NULL for operands without a gradient. */
typedef struct result {
  size_t size;
  float *y;
  float *seed; /* the gradient of y */
  float *grad[MAX_OPERANDS];
} result;

/* What stands in a gradient before backward adds to it. */
static const float STOCK = 0.5f;

static int rank_of(const operand *o) {
  int rank = 0;
  while (rank < GF_MAX_RANK && o->shape[rank]) rank++;
  return rank;
}

static numbers draw(const trial *c) {
  numbers n = {0};
  for (const operand *o = c->operands; rank_of(o); o++) {
    int k = n.operands++;
    n.size[k] = 1;
    for (int i = 0; i < rank_of(o); i++) n.size[k] *= (size_t)o->shape[i];
    n.exact[k] = room(n.size[k] * sizeof(double), 0);
    n.bits[k] = room(n.size[k] * 4, 0);
    bool unit = o->low == 0 && o->high == 0;
    for (size_t i = 0; i < n.size[k]; i++) {
      double x = o->given ? o->given[i]
                 : unit   ? random_between(-1, 1)
                          : random_between(o->low, o->high);
      if (o->ids) {
        n.exact[k][i] = ((int32_t *)n.bits[k])[i] = (int32_t)floor(x);
      } else {
        n.exact[k][i] = ((float *)n.bits[k])[i] = (float)x;
      }
    }
  }
  return n;
}

/* Runs the core's node once, with every leaf in memory of its own, aligned to 4 bytes and no more.
 * Operand `without` gets no gradient. */
static result compute(const trial *c, const numbers *n, int without) {
  result r = {0};
  gf_tape *t = new_tape();
  int id[MAX_OPERANDS];
  void *value[MAX_OPERANDS];
  for (int k = 0; k < n->operands; k++) {
    const operand *o = &c->operands[k];
    id[k] = made_up_leaf(t, o->ids, rank_of(o), o->shape);
    value[k] = memcpy(room(n->size[k] * 4, 4), n->bits[k], n->size[k] * 4);
    if (!o->ids && k != without) {
      r.grad[k] = room(n->size[k] * 4, 12);
      for (size_t i = 0; i < n->size[k]; i++) r.grad[k][i] = STOCK;
    }
    gf_bind(t, id[k], value[k], r.grad[k]);
  }
  int y = c->build(t, id, c->at);
  place(t);
  if (y < 0 || gf_tape_error(t)) {
    complain("not built: %s", gf_tape_error_text(t));
    return r;
  }
  r.size = (size_t)gf_node_size(t, y);
  size_t most = 0;
  for (int k = 0; k < n->operands; k++) most = n->size[k] > most ? n->size[k] : most;
  if (r.size > most && !may_be_larger(gf_node_op(t, y)))
    complain("%s makes more numbers than it reads, which sizes.c does not say", gf_node_op(t, y));
  r.y = gf_node_value(t, y);
  r.seed = gf_node_grad(t, y);
  float *seed = room(r.size * 4, 0), *first = room(r.size * 4, 0);
  for (size_t i = 0; i < r.size; i++) r.seed[i] = seed[i] = (float)random_between(-1, 1);

  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  memcpy(first, r.y, r.size * 4);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT(!memcmp(first, r.y, r.size * 4));
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  EXPECT(!memcmp(first, r.y, r.size * 4));
  EXPECT(!memcmp(seed, r.seed, r.size * 4));
  for (int k = 0; k < n->operands; k++) EXPECT(!memcmp(value[k], n->bits[k], n->size[k] * 4));
  check_borders();
  return r;
}

static double loss(const trial *c, const numbers *n, const result *r, double *y) {
  c->reference((const double *const *)n->exact, y, c->at);
  double sum = 0;
  for (size_t i = 0; i < r->size; i++) {
    if (!isinf(y[i])) sum += r->seed[i] * y[i];
  }
  return sum;
}

static double largest(const double *x, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    if (!isinf(x[i]) && fabs(x[i]) > most) most = fabs(x[i]);
  }
  return most;
}

static void check_value(const trial *c, const numbers *n, const result *r) {
  double *y = room(r->size * sizeof(double), 0);
  c->reference((const double *const *)n->exact, y, c->at);
  double tolerance = (c->tolerance > 0 ? c->tolerance : 1e-6) * (1 + largest(y, r->size));
  for (size_t i = 0; i < r->size; i++) {
    if (!near(r->y[i], y[i], tolerance)) {
      complain("y[%zu] is %.9g, the reference %.9g", i, r->y[i], y[i]);
    }
  }
}

static void check_gradient(const trial *c, const numbers *n, const result *r, int k) {
  const double step = 1e-5;
  double *y = room(r->size * sizeof(double), 0);
  double *slope = room(n->size[k] * sizeof(double), 0);
  for (size_t i = 0; i < n->size[k]; i++) {
    double *x = &n->exact[k][i], kept = *x;
    *x = kept + step;
    double above = loss(c, n, r, y);
    *x = kept - step;
    double below = loss(c, n, r, y);
    *x = kept;
    slope[i] = (above - below) / (2 * step);
  }
  double tolerance = 1e-5 * (1 + largest(slope, n->size[k]));
  for (size_t i = 0; i < n->size[k]; i++) {
    double added = (double)r->grad[k][i] - STOCK;
    if (!near(added, slope[i], tolerance)) {
      complain("the gradient of operand %d[%zu] is %.9g, the slope %.9g", k, i, added, slope[i]);
    }
  }
}

static void check_no_gradient(const numbers *n, const result *r, int k) {
  for (size_t i = 0; i < n->size[k]; i++) {
    if (r->grad[k][i] != STOCK) complain("the constant operand %d[%zu] got a gradient", k, i);
  }
}

/* The same bits when nobody wants the gradient of operand k. */
static void check_without(const trial *c, const numbers *n, const result *r, int k,
                          uint64_t random_before) {
  random_state = random_before;
  result other = compute(c, n, k);
  if (!other.y) return;
  EXPECT(!memcmp(other.y, r->y, r->size * 4));
  for (int i = 0; i < n->operands; i++) {
    if (other.grad[i] && memcmp(other.grad[i], r->grad[i], n->size[i] * 4)) {
      complain("the gradient of operand %d differs if operand %d wants none", i, k);
    }
  }
}

/* Puts the shapes of a trial before what went wrong in it. */
static void name_trial(const trial *c) {
  char was[sizeof complaint], *p = complaint, *end = complaint + sizeof complaint;
  memcpy(was, complaint, sizeof was);
  for (const operand *o = c->operands; rank_of(o); o++) {
    for (int i = 0; i < rank_of(o); i++) {
      p += snprintf(p, (size_t)(end - p), "%s%d", i ? "," : "[", o->shape[i]);
    }
    p += snprintf(p, (size_t)(end - p), "] ");
  }
  snprintf(p, (size_t)(end - p), "%s", was);
}

void check(const trial *c) {
  if (*complaint) return;
  room_reset();
  numbers n = draw(c);
  uint64_t random_before = random_state;
  result r = compute(c, &n, -1);
  if (r.y) {
    check_value(c, &n, &r);
    for (int k = 0; k < n.operands; k++) {
      if (!r.grad[k]) continue;
      if (c->operands[k].constant) {
        check_no_gradient(&n, &r, k);
      } else {
        check_gradient(c, &n, &r, k);
      }
      check_without(c, &n, &r, k, random_before);
    }
  }
  room_reset();
  if (*complaint) name_trial(c);
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

void expect_refusal(const char *file, int line, gf_tape *t, int made, gf_error error) {
  int count = gf_tape_count(t);
  char text[400];
  snprintf(text, sizeof text, "%s", gf_tape_error_text(t));
  expect_int(file, line, "what the call returns", made, error);
  expect_int(file, line, "the tape's error", gf_tape_error(t), error);
  if (strncmp(text, "bad", 3)) complain("%s:%d: \"%s\" does not name the node", file, line, text);
  for (int i = 0; i < count; i++) {
    if (!strcmp(gf_node_name(t, i), "bad")) complain("%s:%d: a node was made", file, line);
  }
  /* Sticky: a good call does nothing, and an error of another kind does not replace the first. */
  expect_int(file, line, "a good call afterwards", IN(t, 1), error);
  expect_int(file, line, "another bad call", gf_softmax(t, 1000, "other"), error);
  expect_int(file, line, "a third", gf_scale(t, 0, INFINITY, "other"), error);
  expect_int(file, line, "the plan", (long long)gf_plan(t, NULL), 0);
  expect_int(file, line, "the count", gf_tape_count(t), count);
  expect_text(file, line, "the text", gf_tape_error_text(t), text);

  expect_int(file, line, "rewinding", gf_tape_rewind(t, count), GF_OK);
  expect_text(file, line, "the text after rewinding", gf_tape_error_text(t), "");
  int x = IN(t, 1);
  expect_int(file, line, "the next good node", gf_scale(t, x, 1, "good"), count + 1);
  room_reset();
}
