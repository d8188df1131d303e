#include "harness.h"

#include <math.h>
#include <string.h>

typedef struct sizes {
  int rows, n;
} sizes;

static int build(gf_tape *t, const int *x, const void *at) {
  (void)at;
  return gf_softmax(t, x[0], "y");
}

static void reference(const double *const *x, double *y, const void *at) {
  const sizes *s = at;
  for (int r = 0; r < s->rows; r++) {
    const double *row = x[0] + r * s->n;
    double max = -INFINITY, total = 0;
    bool masked = true; /* all of it; a NaN is no mask */
    for (int j = 0; j < s->n; j++) {
      max = fmax(max, row[j]);
      masked &= row[j] == -INFINITY;
    }
    for (int j = 0; j < s->n; j++) total += exp(row[j] - max);
    for (int j = 0; j < s->n; j++) y[r * s->n + j] = masked ? 0 : exp(row[j] - max) / total;
  }
}

static void try_operand(sizes s, operand x) {
  check(&(trial){.operands = {x}, .at = &s, .build = build, .reference = reference});
}

/* Some cells, or whole rows, are -inf: what a mask leaves. */
static void try_masked(sizes s) {
  double x[3 * 65];
  for (int i = 0; i < s.rows * s.n; i++) {
    bool masked = i < s.n || random_between(0, 1) < 0.4;
    x[i] = masked ? -INFINITY : random_between(-4, 4);
  }
  try_operand(s, (operand){.shape = {s.rows, s.n}, .given = x});
}

static void softmax_of(const float *x, int n, float *y) {
  room_reset();
  gf_tape *t = new_tape();
  int in = IN(t, n), out = gf_softmax(t, in, "y");
  place(t);
  memcpy(gf_node_value(t, in), x, (size_t)n * sizeof *x);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  memcpy(y, gf_node_value(t, out), (size_t)n * sizeof *y);
}

static void check_extremes(void) {
  float y[5];
  softmax_of((float[]){3e38f, -3e38f}, 2, y); /* their difference overflows */
  EXPECT_NEAR(y[0], 1, 0);
  EXPECT_NEAR(y[1], 0, 0);
  softmax_of((float[]){-1000, -1000, -1000, -1000, -1000}, 5, y);
  for (int i = 0; i < 5; i++) EXPECT_NEAR(y[i], 0.2, 1e-7);
  softmax_of((float[]){0, -20, -60}, 3, y); /* small weights keep their relative precision */
  EXPECT_NEAR(y[1] / exp(-20), 1, 1e-6);
  EXPECT_NEAR(y[2] / exp(-60), 1, 1e-6);
}

/* The one order of a sum, to the bit: four partial sums over the row, then (v0 + v2) + (v1 + v3). */
static void check_order(void) {
  enum { N = 31 };
  for (int repeat = 0; repeat < 20; repeat++) {
    float x[N], y[N], v[4] = {0}, max = -INFINITY;
    for (int i = 0; i < N; i++) {
      x[i] = (float)random_between(-5, 5);
      if (x[i] > max) max = x[i];
    }
    for (int i = 0; i < N; i++) v[i % 4] += gf_expf(x[i] - max);
    float total = (v[0] + v[2]) + (v[1] + v[3]);
    softmax_of(x, N, y);
    for (int i = 0; i < N; i++) EXPECT_NEAR(y[i], (double)(gf_expf(x[i] - max) / total), 0);
  }
}

static void run(void) {
  for (const int *n = tails; *n; n++) {
    try_operand((sizes){1, *n}, VALUES(*n));
    try_operand((sizes){3, *n}, (operand){.shape = {3, *n}, .low = -10, .high = 10});
    try_masked((sizes){3, *n});
  }
  try_operand((sizes){30, 7}, VALUES(5, 6, 7));
  try_operand((sizes){30, 7}, VALUES(5, 2, 3, 7));
  try_operand((sizes){1, 1000}, (operand){.shape = {1000}, .low = 990, .high = 1000});
  check_extremes();
  check_order();

  REFUSES(GF_ENODE, gf_softmax(t, IDS(t, 3), "bad"));
  REFUSES(GF_ENODE, gf_softmax(t, GF_NONE, "bad"));
  REFUSES(GF_ENODE, gf_softmax(t, 0, "bad"));
}

const spec spec_softmax = {"softmax", run};
