#include "harness.h"

#include <math.h>
#include <string.h>

typedef struct sizes {
  int rows, n;
} sizes;

static int build(gf_tape *t, const int *x, const void *at) {
  (void)at;
  return gf_log_softmax(t, x[0], "y");
}

static void reference(const double *const *x, double *y, const void *at) {
  const sizes *s = at;
  for (int r = 0; r < s->rows; r++) {
    const double *row = x[0] + r * s->n;
    double max = -INFINITY, total = 0;
    for (int j = 0; j < s->n; j++) max = fmax(max, row[j]);
    for (int j = 0; j < s->n; j++) total += exp(row[j] - max);
    for (int j = 0; j < s->n; j++) y[r * s->n + j] = row[j] - max - log(total);
  }
}

static void try_operand(sizes s, operand x) {
  check(&(trial){.operands = {x}, .at = &s, .build = build, .reference = reference});
}

/* A masked score has probability 0, and leaves the others and their gradients as if it were not
 * there. */
static void check_masked(void) {
  enum { N = 7, MASKED = 4 };
  room_reset();
  gf_tape *t = new_tape();
  int x = IN(t, N), y = gf_log_softmax(t, x, "y"), x2 = IN(t, N - 1),
      y2 = gf_log_softmax(t, x2, "y2");
  place(t);
  for (int i = 0; i < N; i++) {
    bool masked = i == MASKED;
    int i2 = i - (i > MASKED);
    float score = (float)random_between(-4, 4), dy = (float)random_between(-1, 1);
    gf_node_value(t, x)[i] = masked ? -INFINITY : score;
    gf_node_grad(t, y)[i] = masked ? 0 : dy;
    if (masked) continue;
    gf_node_value(t, x2)[i2] = score;
    gf_node_grad(t, y2)[i2] = dy;
  }
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  EXPECT_NEAR(gf_node_value(t, y)[MASKED], -INFINITY, 0);
  EXPECT_NEAR(gf_node_grad(t, x)[MASKED], 0, 0);
  for (int i = 0; i < N; i++) {
    int i2 = i - (i > MASKED);
    if (i == MASKED) continue;
    EXPECT_NEAR(gf_node_value(t, y)[i], gf_node_value(t, y2)[i2], 1e-6);
    EXPECT_NEAR(gf_node_grad(t, x)[i], gf_node_grad(t, x2)[i2], 1e-6);
  }
}

static void run(void) {
  for (const int *n = tails; *n; n++) {
    try_operand((sizes){1, *n}, VALUES(*n));
    try_operand((sizes){3, *n}, (operand){.shape = {3, *n}, .low = -10, .high = 10});
  }
  try_operand((sizes){30, 7}, VALUES(5, 6, 7));
  try_operand((sizes){60, 7}, VALUES(5, 2, 6, 7));
  try_operand((sizes){1, 1000}, VALUES(1000));
  /* What all scores have in common costs no digits. */
  try_operand((sizes){3, 9}, (operand){.shape = {3, 9}, .low = 999, .high = 1001});
  try_operand((sizes){3, 9}, (operand){.shape = {3, 9}, .low = -10001, .high = -9999});
  try_operand((sizes){2, 3},
              (operand){.shape = {2, 3}, .given = (const double[]){-100, 0, 100, 100, 100, -100}});
  check_masked();

  REFUSES(GF_ENODE, gf_log_softmax(t, IDS(t, 3), "bad"));
  REFUSES(GF_ENODE, gf_log_softmax(t, GF_NONE, "bad"));
  REFUSES(GF_ENODE, gf_log_softmax(t, 0, "bad"));
}

const spec spec_log_softmax = {"log_softmax", run};
