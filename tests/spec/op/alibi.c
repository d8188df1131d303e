#include "harness.h"

#include <math.h>

typedef struct scores {
  int batch, heads, queries, keys;
  bool placed; /* whether `at` is an operand; 0 otherwise */
  int at;
} scores;

/* The published rule. For 2^k heads a geometric sequence whose start 2^(-8 / heads) is its ratio, too;
 * for other numbers the slopes of the largest 2^k below, then every other slope of twice as many
 * heads, until there are enough. */
static void write_slopes(int heads, double *slope) {
  int power = 1;
  while (2 * power <= heads) power *= 2;
  for (int h = 0; h < power; h++) slope[h] = pow(pow(2, -8.0 / power), h + 1);
  if (power == heads) return;
  double twice[32];
  write_slopes(2 * power, twice);
  for (int h = power; h < heads; h++) slope[h] = twice[2 * (h - power)];
}

static int build(gf_tape *t, const int *x, const void *at) {
  return gf_alibi(t, x[0], ((const scores *)at)->placed ? x[1] : GF_NONE, "y");
}

static void reference(const double *const *x, double *y, const void *at) {
  const scores *s = at;
  double slope[32];
  write_slopes(s->heads, slope);
  for (int b = 0, cell = 0; b < s->batch; b++) {
    for (int h = 0; h < s->heads; h++) {
      for (int i = 0; i < s->queries; i++) {
        for (int j = 0; j < s->keys; j++, cell++) {
          y[cell] = x[0][cell] - slope[h] * fabs((double)(i + s->at - j));
        }
      }
    }
  }
}

/* With a batch, and without one if it is 1. */
static void try_scores(scores s) {
  const double given = s.at;
  trial c = {.operands = {VALUES(s.batch, s.heads, s.queries, s.keys)},
             .at = &s,
             .build = build,
             .reference = reference};
  if (s.placed) c.operands[1] = (operand){.shape = {1}, .ids = true, .given = &given};
  check(&c);
  if (s.batch > 1) return;
  c.operands[0] = VALUES(s.heads, s.queries, s.keys);
  check(&c);
}

/* A distance of one costs the slope, of which these are known. */
static void check_known(int heads, const double *slope) {
  room_reset();
  gf_tape *t = new_tape();
  int y = gf_alibi(t, IN(t, heads, 2, 2), GF_NONE, "y");
  place(t);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  for (int h = 0; h < heads; h++) {
    const float *matrix = gf_node_value(t, y) + 4 * h;
    EXPECT_NEAR(matrix[0], 0, 0);
    EXPECT_NEAR(matrix[1], -slope[h], 1e-7 * slope[h]);
    EXPECT_NEAR(matrix[2], -slope[h], 1e-7 * slope[h]);
    EXPECT_NEAR(matrix[3], 0, 0);
  }
}

static void check_masked(void) {
  room_reset();
  gf_tape *t = new_tape();
  int x = IN(t, 1, 1, 2), y = gf_alibi(t, x, GF_NONE, "y");
  place(t);
  gf_node_value(t, x)[1] = -INFINITY;
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_NEAR(gf_node_value(t, y)[1], -INFINITY, 0);
}

static void run(void) {
  for (const int *n = tails; *n; n++) {
    try_scores((scores){1, 2, 3, *n, false, 0});
    try_scores((scores){1, 2, *n, 3, true, 1});
  }
  for (int heads = 1; heads <= 17; heads++) try_scores((scores){2, heads, 2, 5, false, 0});
  for (int at = 0; at <= 9; at++) try_scores((scores){1, 3, 3, 7, true, at});
  try_scores((scores){1, 4, 2, 3, true, 100000});
  check_known(1, (const double[]){0x1p-8});
  check_known(2, (const double[]){0x1p-4, 0x1p-8});
  check_known(4, (const double[]){0x1p-2, 0x1p-4, 0x1p-6, 0x1p-8});
  check_known(8, (const double[]){0.5, 0.25, 0x1p-3, 0x1p-4, 0x1p-5, 0x1p-6, 0x1p-7, 0x1p-8});
  check_known(3, (const double[]){0x1p-4, 0x1p-8, 0x1p-2});
  check_known(6, (const double[]){0x1p-2, 0x1p-4, 0x1p-6, 0x1p-8, 0x1p-1, 0x1p-3});
  check_known(12, (const double[]){0x1p-1, 0x1p-2, 0x1p-3, 0x1p-4, 0x1p-5, 0x1p-6, 0x1p-7, 0x1p-8,
                                   sqrt(0x1p-1), sqrt(0x1p-3), sqrt(0x1p-5), sqrt(0x1p-7)});
  check_masked();

  REFUSES(GF_ESHAPE, gf_alibi(t, IN(t, 3, 4), GF_NONE, "bad"));
  REFUSES(GF_ESHAPE, gf_alibi(t, IN(t, 4), GF_NONE, "bad"));
  REFUSES(GF_ESHAPE, gf_alibi(t, IN(t, 2, 3, 4), IDS(t, 2), "bad"));
  REFUSES(GF_ENODE, gf_alibi(t, IDS(t, 2, 3, 4), GF_NONE, "bad"));
  REFUSES(GF_ENODE, gf_alibi(t, IN(t, 2, 3, 4), IN(t, 1), "bad"));
  REFUSES(GF_ENODE, gf_alibi(t, GF_NONE, GF_NONE, "bad"));
  REFUSES(GF_ENODE, gf_alibi(t, IN(t, 2, 3, 4), 9, "bad"));
}

const spec spec_alibi = {"alibi", run};
