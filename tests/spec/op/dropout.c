#include "harness.h"

#include <math.h>
#include <string.h>

/* What decides which elements are kept. */
typedef struct draw {
  int seed, step;
  float p;
  const char *name;
} draw;

static const draw usual = {7, 3, 0.3f, "layers.0.dropout"};

/* Runs a node on n numbers, and gives back what it made of them. */
static void drop(draw d, int n, const float *x, float *y) {
  room_reset();
  gf_tape *t = new_tape();
  int in = IN(t, n), key = IDS(t, 2), out = gf_dropout(t, in, key, d.p, d.name);
  place(t);
  memcpy(gf_node_value(t, in), x, (size_t)n * sizeof *x);
  gf_node_ids(t, key)[0] = d.seed;
  gf_node_ids(t, key)[1] = d.step;
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  memcpy(y, gf_node_value(t, out), (size_t)n * sizeof *y);
}

/* FNV-1a, 32 bits. */
static uint32_t stream_of(const char *name) {
  uint32_t hash = 2166136261;
  while (*name) hash = 16777619 * (hash ^ (uint8_t)*name++);
  return hash;
}

/* Which of the first `count` elements are kept, by the header; a run on ones must say the same. */
enum { MANY = 60000 };
static void draw_kept(draw d, int count, bool *kept) {
  static float ones[MANY], y[MANY];
  for (int i = 0; i < count; i++) ones[i] = 1;
  drop(d, count, ones, y);
  uint32_t stream = stream_of(d.name);
  for (int i = 0; i < count; i++) {
    uint32_t word = random_word((uint32_t)d.seed, (uint32_t)d.step, 1, stream, (uint32_t)i);
    kept[i] = (word >> 8) / 16777216.0 >= (double)d.p;
    EXPECT_INT(y[i] != 0, kept[i]);
  }
}

/* ---- Trials ---------------------------------------------------------------------------------------- */

typedef struct drops {
  draw draw;
  const bool *kept;
  int size;
} drops;

static int build(gf_tape *t, const int *x, const void *at) {
  const draw *d = &((const drops *)at)->draw;
  int y = gf_dropout(t, x[0], x[1], d->p, d->name);
  EXPECT_NEAR(gf_node_attribute(t, y, "p"), d->p, 0);
  return y;
}

static void reference(const double *const *x, double *y, const void *at) {
  const drops *s = at;
  for (int i = 0; i < s->size; i++) y[i] = s->kept[i] ? x[0][i] / (1 - (double)s->draw.p) : 0;
}

static void try_operand(draw d, operand x) {
  bool kept[120];
  drops s = {d, kept, 1};
  for (int i = 0; i < GF_MAX_RANK && x.shape[i]; i++) s.size *= x.shape[i];
  draw_kept(d, s.size, kept);
  check(&(trial){
      .operands = {x, {.shape = {2}, .ids = true, .given = (const double[]){d.seed, d.step}}},
      .at = &s,
      .build = build,
      .reference = reference,
  });
}

/* ---- Exactly ---------------------------------------------------------------------------------------- */

/* What is kept is x / (1 - p) as float32 gives it; what is dropped is 0, whatever it was. */
static void check_scaling(float p) {
  enum { N = 1000 };
  float x[N], y[N];
  bool kept[N];
  draw d = usual;
  d.p = p;
  draw_kept(d, N, kept);
  for (int i = 0; i < N; i++) x[i] = (float)random_between(-5, 5);
  drop(d, N, x, y);
  for (int i = 0; i < N; i++) EXPECT_NEAR(y[i], kept[i] ? (double)(x[i] / (1 - p)) : 0, 0);
  for (int i = 0; i < N; i++) x[i] = i % 2 ? NAN : INFINITY;
  drop(d, N, x, y);
  for (int i = 0; i < N; i++) EXPECT(kept[i] ? !(fabsf(y[i]) < INFINITY) : y[i] == 0);
}

static void check_identity(void) {
  enum { N = 33 };
  draw d = usual;
  d.p = 0;
  float x[N], y[N];
  for (int i = 0; i < N; i++) x[i] = (float)random_between(-5, 5);
  drop(d, N, x, y);
  EXPECT(!memcmp(x, y, sizeof x));
}

/* ---- Chance ----------------------------------------------------------------------------------------- */

/* A count of events of probability p in n draws, within five standard deviations. */
static void expect_count(const char *what, int count, int n, double p) {
  double deviation = sqrt(n * p * (1 - p));
  if (!(fabs(count - n * p) <= 5 * deviation)) {
    complain("%s: %d of %d, where %g are due", what, count, n, n * p);
  }
}

/* Each lane alone, and every two elements at some distance, as independent draws would be. */
static void check_chance(float p) {
  static bool kept[MANY];
  draw d = usual;
  d.p = p;
  draw_kept(d, MANY, kept);
  double q = 1 - (double)p;
  for (int lane = 0; lane < 4; lane++) {
    int count = 0;
    for (int i = lane; i < MANY; i += 4) count += kept[i];
    expect_count("kept", count, MANY / 4, q);
  }
  for (int lag = 1; lag < MANY / 2; lag += lag < 16 ? 1 : lag) {
    int both = 0;
    for (int i = 0; i + lag < MANY; i++) both += kept[i] && kept[i + lag];
    expect_count("kept together", both, MANY - lag, q * q);
  }
}

/* ---- On what it depends, and on what it does not ---------------------------------------------------- */

static void expect_other(draw d) {
  static bool one[MANY], other[MANY];
  draw_kept(usual, MANY, one);
  draw_kept(d, MANY, other);
  int both = 0;
  double q = 1 - (double)usual.p;
  for (int i = 0; i < MANY; i++) both += one[i] && other[i];
  expect_count("kept by both draws", both, MANY, q * q);
}

static void check_dependence(void) {
  draw d = usual;
  d.seed = 8;
  expect_other(d);
  d.seed = usual.seed + INT32_MIN;
  expect_other(d);
  d = usual;
  d.step = 4;
  expect_other(d);
  d.step = usual.step + INT32_MIN;
  expect_other(d);
  d.seed = usual.step, d.step = usual.seed;
  expect_other(d);
  d = usual;
  d.name = "layers.1.dropout";
  expect_other(d);
  d.name = "layers.0.dropouu";
  expect_other(d);
}

/* Other nodes around it, other shapes and other sizes keep the same elements. */
static void check_independence(void) {
  enum { N = 24 };
  static const int shapes[][GF_MAX_RANK] = {{24}, {4, 6}, {2, 3, 4}, {2, 3, 2, 2}, {1, 24}, {30}};
  bool kept[N];
  draw_kept(usual, N, kept);
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    int rank = 0;
    while (rank < GF_MAX_RANK && shapes[s][rank]) rank++;
    room_reset();
    gf_tape *t = new_tape();
    int key = IDS(t, 2), x = gf_input(t, rank, shapes[s], "x");
    int before = gf_dropout(t, x, key, 0.5f, "before");
    int y = gf_dropout(t, gf_scale(t, x, 1, "same"), key, usual.p, usual.name);
    gf_dropout(t, before, key, 0.5f, "after");
    place(t);
    for (int i = 0; i < gf_node_size(t, x); i++) gf_node_value(t, x)[i] = 1;
    gf_node_ids(t, key)[0] = usual.seed;
    gf_node_ids(t, key)[1] = usual.step;
    EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
    for (int i = 0; i < N; i++) EXPECT_INT(gf_node_value(t, y)[i] != 0, kept[i]);
  }
}

static void run(void) {
  static const float rates[] = {0, 0.1f, 0.5f, 0.9f};
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    draw d = usual;
    d.p = rates[i];
    for (const int *n = tails; *n; n++) try_operand(d, VALUES(*n));
    try_operand(d, VALUES(3, 5));
    try_operand(d, VALUES(2, 3, 5));
    try_operand(d, VALUES(2, 3, 4, 5));
    if (rates[i] > 0) check_chance(rates[i]), check_scaling(rates[i]);
  }
  check_identity();
  check_dependence();
  check_independence();

  REFUSES(GF_ESHAPE, gf_dropout(t, IN(t, 3), IDS(t, 1), 0.1f, "bad"));
  REFUSES(GF_ESHAPE, gf_dropout(t, IN(t, 3), IDS(t, 3), 0.1f, "bad"));
  REFUSES(GF_ESHAPE, gf_dropout(t, IN(t, 3), IDS(t, 2, 1), 0.1f, "bad"));
  REFUSES(GF_ENODE, gf_dropout(t, IN(t, 3), IN(t, 2), 0.1f, "bad"));
  REFUSES(GF_ENODE, gf_dropout(t, IDS(t, 3), IDS(t, 2), 0.1f, "bad"));
  REFUSES(GF_ENODE, gf_dropout(t, IN(t, 3), GF_NONE, 0.1f, "bad"));
  REFUSES(GF_ENODE, gf_dropout(t, GF_NONE, IDS(t, 2), 0.1f, "bad"));
  REFUSES(GF_ERANGE, gf_dropout(t, IN(t, 3), IDS(t, 2), 1, "bad"));
  REFUSES(GF_ERANGE, gf_dropout(t, IN(t, 3), IDS(t, 2), -0.1f, "bad"));
  REFUSES(GF_ERANGE, gf_dropout(t, IN(t, 3), IDS(t, 2), INFINITY, "bad"));
  REFUSES(GF_ERANGE, gf_dropout(t, IN(t, 3), IDS(t, 2), NAN, "bad"));
}

const spec spec_dropout = {"dropout", run};
