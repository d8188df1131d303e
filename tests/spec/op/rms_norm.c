#include "harness.h"

#include <math.h>

typedef struct norm {
  int rows, n;
  bool gain;
  float epsilon;
} norm;

static int build(gf_tape *t, const int *x, const void *at) {
  const norm *s = at;
  int y = gf_rms_norm(t, x[0], s->gain ? x[1] : GF_NONE, s->epsilon, "y");
  EXPECT_NEAR(gf_node_attribute(t, y, "epsilon"), s->epsilon, 0);
  return y;
}

static void reference(const double *const *x, double *y, const void *at) {
  const norm *s = at;
  for (int r = 0; r < s->rows; r++) {
    const double *row = x[0] + r * s->n;
    double squares = 0;
    for (int j = 0; j < s->n; j++) squares += row[j] * row[j];
    for (int j = 0; j < s->n; j++) {
      double z = row[j] / sqrt(squares / s->n + (double)s->epsilon);
      y[r * s->n + j] = z * (s->gain ? x[1][j] : 1);
    }
  }
}

/* With and without gain. */
static void try_operand(norm s, operand x) {
  for (int gain = 0; gain <= 1; gain++) {
    s.gain = gain;
    check(&(trial){
        .operands = {x, VALUES(gain ? s.n : 0)}, .at = &s, .build = build, .reference = reference});
  }
}

/* Rows whose squares are beyond float32: what is beyond is never the result. */
static void check_range(int n, double size, float epsilon) {
  double x[65], squares = 0, product = 0, largest = 0;
  if (harness_complaint()) return;
  room_reset();
  gf_tape *t = new_tape();
  int in = IN(t, n), y = gf_rms_norm(t, in, GF_NONE, epsilon, "y");
  place(t);
  float *dy = gf_node_grad(t, y);
  for (int j = 0; j < n; j++) {
    x[j] = gf_node_value(t, in)[j] = (float)(random_between(-1, 1) * size);
    dy[j] = (float)random_between(-1, 1);
    squares += x[j] * x[j] / n;
  }
  double rate = 1 / sqrt(squares + (double)epsilon);
  for (int j = 0; j < n; j++) {
    product += dy[j] * x[j] * rate / n;
    largest = fmax(largest, rate * fabs((double)dy[j]));
  }
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  for (int j = 0; j < n; j++) {
    EXPECT_NEAR(gf_node_value(t, y)[j], x[j] * rate, 2e-6);
    EXPECT_NEAR(gf_node_grad(t, in)[j], rate * (dy[j] - x[j] * rate * product),
                1e-5 * largest + 1e-44);
  }
  complain_of("n %d, size %g, epsilon %g: ", n, size, (double)epsilon);
}

static void run(void) {
  static const double sizes[] = {1e18, 1e19, 1e25, 1e30, 3e38, 1e-12, 1e-19, 1e-25, 1e-37};
  for (int i = 0; i < 9; i++) {
    for (const int *n = tails; *n; n++) {
      check_range(*n, sizes[i], 0), check_range(*n, sizes[i], 1e-5f);
    }
  }

  for (const int *n = tails; *n; n++) {
    try_operand((norm){.rows = 1, .n = *n, .epsilon = 1e-5f}, VALUES(*n));
    try_operand((norm){.rows = 3, .n = *n, .epsilon = 1e-5f},
                (operand){.shape = {3, *n}, .low = -3, .high = 5});
  }
  try_operand((norm){.rows = 30, .n = 7, .epsilon = 1e-5f}, VALUES(5, 6, 7));
  try_operand((norm){.rows = 24, .n = 7, .epsilon = 1e-5f}, VALUES(2, 3, 4, 7));
  try_operand((norm){.rows = 3, .n = 5, .epsilon = 0}, VALUES(3, 5));
  try_operand((norm){.rows = 3, .n = 5, .epsilon = 0.5f}, VALUES(3, 5));
  /* The mean is not subtracted. */
  try_operand((norm){.rows = 3, .n = 5, .epsilon = 1e-5f},
              (operand){.shape = {3, 5}, .low = 999, .high = 1001});
  try_operand((norm){.rows = 2, .n = 5, .epsilon = 1e-2f},
              (operand){.shape = {2, 5}, .given = (const double[10]){0}});
  try_operand((norm){.rows = 1, .n = 1000, .epsilon = 1e-6f}, VALUES(1000));

  REFUSES(GF_ESHAPE, gf_rms_norm(t, IN(t, 2, 3), IN(t, 4), 1e-5f, "bad"));
  REFUSES(GF_ESHAPE, gf_rms_norm(t, IN(t, 2, 3), IN(t, 1), 1e-5f, "bad"));
  REFUSES(GF_ESHAPE, gf_rms_norm(t, IN(t, 2, 3), IN(t, 3, 1), 1e-5f, "bad"));
  REFUSES(GF_ENODE, gf_rms_norm(t, IDS(t, 2, 3), GF_NONE, 1e-5f, "bad"));
  REFUSES(GF_ENODE, gf_rms_norm(t, IN(t, 2, 3), IDS(t, 3), 1e-5f, "bad"));
  REFUSES(GF_ENODE, gf_rms_norm(t, GF_NONE, GF_NONE, 1e-5f, "bad"));
  REFUSES(GF_ENODE, gf_rms_norm(t, IN(t, 2, 3), 9, 1e-5f, "bad"));
  REFUSES(GF_ERANGE, gf_rms_norm(t, IN(t, 2, 3), GF_NONE, -1e-5f, "bad"));
  REFUSES(GF_ERANGE, gf_rms_norm(t, IN(t, 2, 3), GF_NONE, INFINITY, "bad"));
  REFUSES(GF_ERANGE, gf_rms_norm(t, IN(t, 2, 3), GF_NONE, NAN, "bad"));
}

const spec spec_rms_norm = {"rms_norm", run};
