#include "harness.h"

typedef struct rows {
  int matrices, time, width, capacity, at; /* x is [matrices,time,width] */
} rows;

static int build(gf_tape *t, const int *x, const void *at) {
  const rows *s = at;
  int y = gf_cache(t, x[0], x[1], s->capacity, "y");
  EXPECT_NEAR(gf_node_attribute(t, y, "capacity"), s->capacity, 0);
  return y;
}

/* Nothing was written before: the rest is 0. */
static void reference(const double *const *x, double *y, const void *at) {
  const rows *s = at;
  for (int m = 0; m < s->matrices; m++) {
    for (int n = 0; n < s->capacity; n++) {
      int t = n - s->at;
      for (int d = 0; d < s->width; d++) {
        *y++ = t >= 0 && t < s->time ? x[0][(m * s->time + t) * s->width + d] : 0;
      }
    }
  }
}

static void try_operand(rows s, operand x) {
  for (s.at = 0; s.at <= s.capacity - s.time; s.at++) {
    check(&(trial){.operands = {x, {{1}, .ids = true, .given = (const double[]){s.at}}},
                   .at = &s,
                   .build = build,
                   .reference = reference});
  }
}

/* Three runs on one tape, two rows each: a later one writes behind the first or over it, and keeps
 * what it does not meet. */
static void check_memory(void) {
  room_reset();
  gf_tape *t = new_tape();
  int x = IN(t, 2, 1), at = IDS(t, 1), y = gf_cache(t, x, at, 5, "y");
  static const int places[] = {0, 2, 1};
  static const float expected[][5] = {{1, 2, 0, 0, 0}, {1, 2, 3, 4, 0}, {1, 5, 6, 4, 0}};
  place(t);
  for (int run = 0; run < 3; run++) {
    gf_node_ids(t, at)[0] = places[run];
    for (int i = 0; i < 2; i++) gf_node_value(t, x)[i] = (float)(2 * run + i + 1);
    EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
    for (int i = 0; i < 5; i++) EXPECT_NEAR(gf_node_value(t, y)[i], expected[run][i], 0);
  }
  for (int i = 0; i < 5; i++) gf_node_grad(t, y)[i] = (float)(i + 1);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  EXPECT_NEAR(gf_node_grad(t, x)[0], 2, 0);
  EXPECT_NEAR(gf_node_grad(t, x)[1], 3, 0);
}

static void run(void) {
  for (const int *n = tails; *n; n++) try_operand((rows){2, 1, *n, 3, 0}, VALUES(2, 1, *n));
  try_operand((rows){1, 3, 5, 7, 0}, VALUES(3, 5));
  try_operand((rows){2, 3, 5, 4, 0}, VALUES(2, 3, 5));
  try_operand((rows){6, 2, 5, 4, 0}, VALUES(2, 3, 2, 5));
  try_operand((rows){6, 2, 5, 2, 0}, VALUES(2, 3, 2, 5)); /* no room but for one run */
  check_memory();

  REFUSES(GF_ESHAPE, gf_cache(t, IN(t, 2, 3, 4, 5), IDS(t, 2), 8, "bad"));
  REFUSES(GF_ERANGE, gf_cache(t, IN(t, 2, 3, 4, 5), IDS(t, 1), 3, "bad"));
  REFUSES(GF_ERANGE, gf_cache(t, IN(t, 2, 3, 4, 5), IDS(t, 1), -1, "bad"));
  REFUSES(GF_ESHAPE, gf_cache(t, IN(t, 5), IDS(t, 1), 8, "bad"));
  REFUSES(GF_ENODE, gf_cache(t, IDS(t, 2, 3, 4, 5), IDS(t, 1), 8, "bad"));
  REFUSES(GF_ENODE, gf_cache(t, IN(t, 2, 3, 4, 5), IN(t, 1), 8, "bad"));
  REFUSES(GF_ENODE, gf_cache(t, GF_NONE, IDS(t, 1), 8, "bad"));
  REFUSES(GF_ENODE, gf_cache(t, IN(t, 2, 3, 4, 5), GF_NONE, 8, "bad"));
}

const spec spec_cache = {"cache", run};
