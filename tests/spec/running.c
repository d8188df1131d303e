/* What holds when a tape runs: slices, gradients, ids, masks. */
#include "harness.h"

#include <math.h>
#include <string.h>

/* x [3] -> a = 2 x -> b = 3 a -> c = a + b */
static gf_tape *chain(void) {
  room_reset();
  gf_tape *t = new_tape();
  int x = IN(t, 3), a = gf_scale(t, x, 2, "a"), b = gf_scale(t, a, 3, "b");
  gf_add(t, a, b, "c");
  place(t);
  for (int i = 0; i < 3; i++) gf_node_value(t, x)[i] = (float)(i + 1);
  return t;
}
enum { X, A, B, C };

static void check_slices(void) {
  gf_tape *t = chain();
  EXPECT_INT(gf_forward(t, 0, A), GF_OK);
  EXPECT_NEAR(gf_node_value(t, A)[2], 6, 0);
  EXPECT_NEAR(gf_node_value(t, B)[2], 0, 0); /* behind the slice */
  gf_node_value(t, X)[2] = 10;
  EXPECT_INT(gf_forward(t, B, C), GF_OK);
  EXPECT_NEAR(gf_node_value(t, A)[2], 6, 0); /* before the slice */
  EXPECT_NEAR(gf_node_value(t, C)[2], 24, 0);
  EXPECT_INT(gf_forward(t, A, A), GF_OK);
  EXPECT_NEAR(gf_node_value(t, A)[2], 20, 0);
  EXPECT_NEAR(gf_node_value(t, B)[2], 18, 0);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_NEAR(gf_node_value(t, C)[2], 80, 0);

  EXPECT_INT(gf_forward(t, 0, 4), GF_ENODE);
  EXPECT_INT(gf_forward(t, 4, GF_LAST), GF_ENODE);
  EXPECT_INT(gf_forward(t, -1, 2), GF_ENODE);
  EXPECT_INT(gf_forward(t, 0, -2), GF_ENODE);
  EXPECT_INT(gf_forward(t, 2, 1), GF_ENODE);
  EXPECT_INT(gf_backward(t, 0, 4), GF_ENODE);
  EXPECT_INT(gf_backward(t, 2, 1), GF_ENODE);
  EXPECT_INT(gf_tape_error(t), GF_OK); /* not sticky */
}

static void expect_computed(const gf_tape *t, int x, int a, int b, int c) {
  const int expected[] = {x, a, b, c};
  for (int i = X; i <= C; i++) EXPECT_INT(gf_node_computed(t, i), expected[i]);
}

static void expect_differentiated(const gf_tape *t, int x, int a, int b, int c) {
  const int expected[] = {x, a, b, c};
  for (int i = X; i <= C; i++) EXPECT_INT(gf_node_differentiated(t, i), expected[i]);
}

/* What nothing has computed yet is 0, and nobody takes it for a number. */
static void check_computed(void) {
  gf_tape *t = chain();
  expect_computed(t, 1, 0, 0, 0); /* a leaf is the caller's */
  EXPECT_INT(gf_forward(t, B, C), GF_ESTATE);
  EXPECT_TEXT(gf_tape_error_text(t), "a: forward: not computed yet: run forward from here first");
  EXPECT_INT(gf_forward(t, 0, A), GF_OK);
  expect_computed(t, 1, 1, 0, 0);
  EXPECT_INT(gf_forward(t, C, C), GF_ESTATE);
  EXPECT(!strncmp(gf_tape_error_text(t), "b: ", 3));
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_ESTATE);
  EXPECT_TEXT(gf_tape_error_text(t), "b: backward: not computed yet: run forward from here first");
  EXPECT_INT(gf_tape_error(t), GF_OK); /* not sticky */
  expect_differentiated(t, 0, 0, 0, 0);
  EXPECT_INT(gf_backward(t, A, A), GF_OK);
  expect_differentiated(t, 0, 1, 1, 1);
  EXPECT_INT(gf_forward(t, B, B), GF_OK);
  expect_computed(t, 1, 1, 1, 0);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  expect_computed(t, 1, 1, 1, 1);
  expect_differentiated(t, 0, 1, 1, 1);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  expect_differentiated(t, 1, 1, 1, 1);
  EXPECT_INT(gf_backward(t, C, C), GF_OK);
  expect_differentiated(t, 1, 1, 1, 1);
  gf_zero_grad(t);
  expect_differentiated(t, 0, 0, 0, 0);
  expect_computed(t, 1, 1, 1, 1);

  /* A frozen node's values are the caller's while they are frozen. */
  t = chain();
  EXPECT_INT(gf_freeze(t, B, 1), GF_OK);
  expect_computed(t, 1, 0, 1, 0);
  EXPECT_INT(gf_forward(t, C, C), GF_ESTATE);
  EXPECT_INT(gf_freeze(t, A, 1), GF_OK);
  EXPECT_INT(gf_forward(t, C, C), GF_OK);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_freeze(t, A, 0), GF_OK);
  expect_computed(t, 1, 0, 1, 1);
}

static void check_gradients(void) {
  gf_tape *t = chain();
  gf_forward(t, 0, GF_LAST);
  gf_node_grad(t, C)[2] = 1;
  EXPECT_INT(gf_backward(t, B, C), GF_OK);
  EXPECT_NEAR(gf_node_grad(t, B)[2], 1, 0);
  EXPECT_NEAR(gf_node_grad(t, A)[2], 4, 0); /* both ways from c to a */
  EXPECT_NEAR(gf_node_grad(t, X)[2], 0, 0); /* before the slice */
  EXPECT_INT(gf_backward(t, 0, A), GF_OK);
  EXPECT_NEAR(gf_node_grad(t, X)[2], 8, 0);
  EXPECT_NEAR(gf_node_grad(t, X)[1], 0, 0);

  /* Backward adds to what is there; zero_grad clears all, and no value. */
  EXPECT_INT(gf_backward(t, A, A), GF_OK);
  EXPECT_NEAR(gf_node_grad(t, X)[2], 16, 0);
  gf_zero_grad(t);
  for (int i = X; i <= C; i++) EXPECT_NEAR(gf_node_grad(t, i)[2], 0, 0);
  EXPECT_NEAR(gf_node_value(t, C)[2], 24, 0);

  /* From the middle: what lies behind takes no part. */
  gf_node_grad(t, C)[0] = 1;
  gf_node_grad(t, B)[0] = 1;
  EXPECT_INT(gf_backward(t, 0, B), GF_OK);
  EXPECT_NEAR(gf_node_grad(t, X)[0], 6, 0);
}

/* An id beyond the table is refused in both directions, before anything is read or written. */
static void check_ids(void) {
  static const int32_t wrong[] = {4, -1, INT32_MAX, INT32_MIN};
  room_reset();
  gf_tape *t = new_tape();
  int table = IN(t, 4, 2), ids = IDS(t, 3), before = gf_scale(t, table, 2, "before");
  int rows = gf_embed(t, before, ids, "rows"), after = gf_scale(t, rows, 2, "after");
  place(t);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  gf_node_value(t, table)[1] = 5;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    gf_node_ids(t, ids)[2] = wrong[i];
    EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_EID);
    EXPECT(!strncmp(gf_tape_error_text(t), "rows: ", 6));
    EXPECT_INT(gf_tape_error(t), GF_OK);
    EXPECT_NEAR(gf_node_value(t, before)[1], 0, 0); /* nothing was computed */
    gf_node_grad(t, after)[0] = 1;
    EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_EID);
    EXPECT_INT(gf_tape_error(t), GF_OK);
    EXPECT_NEAR(gf_node_grad(t, rows)[0], 0, 0);
  }
  EXPECT(strstr(gf_tape_error_text(t), "-2147483648")); /* what it was, */
  EXPECT(strstr(gf_tape_error_text(t), "2"));           /* where, */
  EXPECT(strstr(gf_tape_error_text(t), "4"));           /* and how many rows there are */
  EXPECT_INT(gf_forward(t, 0, before), GF_OK);          /* the slice has no lookup */
  EXPECT_INT(gf_forward(t, after, after), GF_OK);       /* nor has this one */
  gf_node_ids(t, ids)[2] = 3;
  gf_node_value(t, table)[6] = 7;
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_NEAR(gf_node_value(t, after)[1], 20, 0);
  EXPECT_NEAR(gf_node_value(t, after)[4], 28, 0);
}

/* Every op that chooses by ids, of x [3,4]. */
typedef struct lookup {
  const char *op;
  int ids, choices;
  int32_t ignored; /* an id that counts as good, though it is no choice */
} lookup;

static const lookup lookups[] = {{"embed", 3, 3, 0},
                                 {"gather", 3, 4, 0},
                                 {"cross_entropy", 3, 4, GF_IGNORE},
                                 {"cross_entropy", 3, 4, -1},
                                 {"cache", 1, 3, 0}};
enum { LOOKUPS = sizeof lookups / sizeof *lookups };

static int look_up(gf_tape *t, const lookup *l, int x, int ids, const char *name) {
  if (!strcmp(l->op, "embed")) return gf_embed(t, x, ids, name);
  if (!strcmp(l->op, "gather")) return gf_gather(t, x, ids, 1, name);
  if (!strcmp(l->op, "cache")) return gf_cache(t, x, ids, 5, name);
  return gf_cross_entropy(t, x, ids, GF_NONE, GF_MEAN, l->ignored, 0, name);
}

/* A wrong id, the last of all, is refused in both directions, before anything is read or written. */
static void check_lookup(const lookup *l) {
  const int32_t wrong[] = {l->choices, -1, GF_IGNORE, INT32_MAX, INT32_MIN};
  const int32_t good[] = {l->choices - 1, l->ignored};
  room_reset();
  gf_tape *t = new_tape();
  int x = IN(t, 3, 4), ids = IDS(t, l->ids), before = gf_scale(t, x, 2, "before");
  int y = look_up(t, l, before, ids, "y");
  place(t);
  int32_t *last = gf_node_ids(t, ids) + l->ids - 1;
  EXPECT_TEXT(gf_node_op(t, y), l->op);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  gf_node_value(t, x)[1] = 5;
  for (int i = 0; i < gf_node_size(t, y); i++) gf_node_grad(t, y)[i] = 1;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    if (wrong[i] == l->ignored) continue;
    *last = wrong[i];
    EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_EID);
    EXPECT(!strncmp(gf_tape_error_text(t), "y: ", 3) && strstr(gf_tape_error_text(t), l->op));
    EXPECT_NEAR(gf_node_value(t, before)[1], 0, 0);
    EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_EID);
    for (int k = 0; k < 12; k++) EXPECT_NEAR(gf_node_grad(t, before)[k], 0, 0);
    EXPECT_INT(gf_tape_error(t), GF_OK);
  }
  for (int i = 0; i < 2; i++) {
    *last = good[i];
    EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
    EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  }
  EXPECT_NEAR(gf_node_value(t, before)[1], 10, 0);
}

/* A lookup by the places of the largest among n numbers. */
static int look_up_largest(gf_tape *t, const lookup *l, int n, const char *name) {
  int ids = gf_top_k_ids(t, IN(t, n), l->ids, "ids");
  return look_up(t, l, IN(t, 3, 4), ids, name);
}

/* Ids that an op writes cannot be checked before the run: they must fit by the shapes. */
static void check_computed_ids(const lookup *l) {
  REFUSES(GF_ESHAPE, look_up_largest(t, l, l->choices + 1, "bad"));
  gf_tape *t = new_tape();
  int y = look_up_largest(t, l, l->choices, "y");
  place(t);
  gf_node_value(t, 0)[l->choices - 1] = 1;
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  int32_t *ids = gf_node_ids(t, gf_node_input(t, y, 1));
  EXPECT_INT(ids[0], l->choices - 1);

  /* They are the caller's, and checked, where no op writes them again. */
  ids[0] = INT32_MAX;
  EXPECT_INT(gf_forward(t, y, y), GF_EID);
  EXPECT_INT(gf_backward(t, y, y), GF_EID);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(ids[0], l->choices - 1);
  EXPECT_INT(gf_freeze(t, gf_node_input(t, y, 1), 1), GF_OK);
  ids[0] = INT32_MAX;
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_EID);
}

/* Where memory is reused, other numbers lie in the place of computed ids before each run. */
static void check_recycled_ids(const lookup *l) {
  enum { RUNS = 3, N = 12 };
  room_reset();
  gf_tape *t = new_tape();
  int x = IN(t, 3, 4), ids = gf_top_k_ids(t, IN(t, l->choices), l->ids, "ids");
  int y = look_up(t, l, x, ids, "y");
  for (int i = 0; i < 3; i++) y = gf_scale(t, y, -1e30f, (char[]){(char)('a' + i), 0});
  gf_plan_reuse(t, room(gf_plan_reuse(t, NULL), 0));
  EXPECT(!gf_node_ids(t, ids));
  for (int run = 0; run < RUNS; run++) {
    for (int i = 0; i < N; i++) gf_node_value(t, x)[i] = (float)random_between(1, 2);
    EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  }
  EXPECT_TEXT(gf_tape_error_text(t), "");
}

/* Targets that are probabilities choose nothing, whatever their bits would be as ids. */
static void check_probabilities(void) {
  room_reset();
  gf_tape *t = new_tape();
  int x = IN(t, 3, 4), targets = IN(t, 3, 4);
  gf_cross_entropy(t, x, targets, GF_NONE, GF_MEAN, GF_IGNORE, 0, "y");
  place(t);
  for (int i = 0; i < 12; i++) gf_node_value(t, targets)[i] = 0.25f;
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
}

/* A query that may see no key: weights 0, output 0, gradients 0, and no NaN anywhere. */
static void check_all_masked(void) {
  room_reset();
  gf_tape *t = new_tape();
  gf_attention_config c = gf_attention_default();
  c.query = c.key = c.value = IN(t, 1, 3, 4);
  c.lengths = IDS(t, 1);
  int y = gf_attention(t, &c, ""), weights = gf_find(t, "weights");
  place(t); /* the length is 0 */
  for (int i = 0; i < 12; i++) {
    gf_node_value(t, c.query)[i] = (float)i;
    gf_node_grad(t, y)[i] = 1;
  }
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  for (int i = 0; i < 9; i++) {
    EXPECT_NEAR(gf_node_value(t, gf_find(t, "scores.masked"))[i], -INFINITY, 0);
    EXPECT_NEAR(gf_node_value(t, weights)[i], 0, 0);
    EXPECT_NEAR(gf_node_grad(t, gf_find(t, "scores.masked"))[i], 0, 0);
    EXPECT_NEAR(gf_node_grad(t, gf_find(t, "scores"))[i], 0, 0);
  }
  for (int i = 0; i < 12; i++) {
    EXPECT_NEAR(gf_node_value(t, y)[i], 0, 0);
    EXPECT_NEAR(gf_node_grad(t, c.query)[i], 0, 0);
  }
}

static void run(void) {
  check_slices();
  check_computed();
  check_gradients();
  check_ids();
  for (int i = 0; i < LOOKUPS; i++) {
    check_lookup(&lookups[i]);
    check_computed_ids(&lookups[i]);
    check_recycled_ids(&lookups[i]);
  }
  check_probabilities();
  check_all_masked();
}

const spec spec_running = {"running", run};
