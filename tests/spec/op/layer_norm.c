#include "harness.h"

#include <math.h>

typedef struct norm {
  int rows, n;
  bool gain, bias;
  float epsilon;
} norm;

static int build(gf_tape *t, const int *x, const void *at) {
  const norm *s = at;
  int gain = s->gain ? x[1] : GF_NONE, bias = s->bias ? x[1 + s->gain] : GF_NONE;
  int y = gf_layer_norm(t, x[0], gain, bias, s->epsilon, "y");
  EXPECT_NEAR(gf_node_attribute(t, y, "epsilon"), s->epsilon, 0);
  return y;
}

static void reference(const double *const *x, double *y, const void *at) {
  const norm *s = at;
  const double *gain = s->gain ? x[1] : NULL, *bias = s->bias ? x[1 + s->gain] : NULL;
  for (int r = 0; r < s->rows; r++) {
    const double *row = x[0] + r * s->n;
    double mean = 0, variance = 0;
    for (int j = 0; j < s->n; j++) mean += row[j];
    mean /= s->n;
    for (int j = 0; j < s->n; j++) variance += (row[j] - mean) * (row[j] - mean) / s->n;
    for (int j = 0; j < s->n; j++) {
      double z = (row[j] - mean) / sqrt(variance + (double)s->epsilon);
      y[r * s->n + j] = z * (gain ? gain[j] : 1) + (bias ? bias[j] : 0);
    }
  }
}

/* With and without gain and bias. */
static void try_operand(norm s, operand x) {
  for (int has = 0; has < 4; has++) {
    s.gain = has & 1;
    s.bias = has & 2;
    trial c = {.operands = {x}, .at = &s, .build = build, .reference = reference};
    for (int k = 1; k <= s.gain + s.bias; k++) c.operands[k] = VALUES(s.n);
    check(&c);
  }
}

/* Rows of one number: nothing is left of them, whatever the rounding of their mean. */
static void try_constant(int n, double number) {
  double x[2 * 65];
  for (int i = 0; i < n; i++) x[i] = number, x[n + i] = -number;
  try_operand((norm){.rows = 2, .n = n, .epsilon = 1e-3f}, (operand){.shape = {2, n}, .given = x});
}

/* Numbers that differ little, far from 0. */
static void try_offset(int n, double offset, double spread) {
  try_operand((norm){.rows = 2, .n = n, .epsilon = 1e-5f},
              (operand){.shape = {2, n}, .low = offset - spread, .high = offset + spread});
}

/* dx for y = z, by the formula: rate (dy - mean dy - z mean(dy z)). */
static void gradient(const double *z, const float *dy, int n, double rate, double *dx) {
  double mean = 0, product = 0;
  for (int j = 0; j < n; j++) mean += dy[j] / (double)n, product += dy[j] * z[j] / n;
  for (int j = 0; j < n; j++) dx[j] = rate * (dy[j] - mean - z[j] * product);
}

/* Rows whose squares, or sums, are beyond float32: what is beyond is never the result. */
static void check_range(int n, double size, float epsilon) {
  double x[65], z[65], dx[65], mean = 0, variance = 0, largest = 0;
  if (harness_complaint()) return;
  room_reset();
  gf_tape *t = new_tape();
  int in = IN(t, n), y = gf_layer_norm(t, in, GF_NONE, GF_NONE, epsilon, "y");
  place(t);
  for (int j = 0; j < n; j++) {
    x[j] = gf_node_value(t, in)[j] = (float)(random_between(-1, 1) * size);
    gf_node_grad(t, y)[j] = (float)random_between(-1, 1);
  }
  for (int j = 0; j < n; j++) mean += x[j] / n;
  for (int j = 0; j < n; j++) variance += (x[j] - mean) * (x[j] - mean) / n;
  double rate = 1 / sqrt(variance + (double)epsilon);
  for (int j = 0; j < n; j++) z[j] = (x[j] - mean) * rate;
  gradient(z, gf_node_grad(t, y), n, rate, dx);
  for (int j = 0; j < n; j++) largest = fmax(largest, rate * fabs((double)gf_node_grad(t, y)[j]));
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  for (int j = 0; j < n; j++) {
    EXPECT_NEAR(gf_node_value(t, y)[j], z[j], 2e-6);
    EXPECT_NEAR(gf_node_grad(t, in)[j], dx[j], 1e-5 * largest + 1e-44);
  }
  complain_of("n %d, size %g, epsilon %g: ", n, size, (double)epsilon);
}

/* The same far out, where no central difference tells the gradient: z is 0 and dx what the mean leaves. */
static void check_constant(int n, float number) {
  room_reset();
  gf_tape *t = new_tape();
  int x = IN(t, n), y = gf_layer_norm(t, x, GF_NONE, GF_NONE, 1e-3f, "y");
  place(t);
  double mean = 0;
  for (int j = 0; j < n; j++) {
    gf_node_value(t, x)[j] = number;
    gf_node_grad(t, y)[j] = (float)random_between(-1, 1);
    mean += (double)gf_node_grad(t, y)[j] / n;
  }
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  for (int j = 0; j < n; j++) {
    EXPECT_NEAR(gf_node_value(t, y)[j], 0, 0);
    EXPECT_NEAR(gf_node_grad(t, x)[j], (gf_node_grad(t, y)[j] - mean) / sqrt(1e-3), 1e-4);
  }
}

static void run(void) {
  static const double sizes[] = {1e18, 1e19, 1e25, 1e30, 3e38, 1e-12, 1e-19, 1e-25, 1e-37};
  for (int i = 0; i < 9; i++) {
    for (const int *n = tails; *n; n++) {
      if (*n > 1) check_range(*n, sizes[i], 0), check_range(*n, sizes[i], 1e-5f);
    }
  }

  for (const int *n = tails; *n; n++) {
    try_operand((norm){.rows = 1, .n = *n, .epsilon = 1e-5f}, VALUES(*n));
    try_operand((norm){.rows = 3, .n = *n, .epsilon = 1e-5f},
                (operand){.shape = {3, *n}, .low = -3, .high = 5});
    try_constant(*n, 0.1);
    try_constant(*n, 12345.678);
    check_constant(*n, 1e30f);
    check_constant(*n, 3e38f);
    try_offset(*n, 1e4, 1);
  }
  try_operand((norm){.rows = 30, .n = 7, .epsilon = 1e-5f}, VALUES(5, 6, 7));
  try_operand((norm){.rows = 24, .n = 7, .epsilon = 1e-5f}, VALUES(2, 3, 4, 7));
  try_operand((norm){.rows = 3, .n = 5, .epsilon = 0}, VALUES(3, 5));
  try_operand((norm){.rows = 3, .n = 5, .epsilon = 0.5f}, VALUES(3, 5));
  try_offset(5, -1e4, 0.1);
  try_offset(300, -1e4, 1);
  try_offset(300, 1e5, 10);

  REFUSES(GF_ESHAPE, gf_layer_norm(t, IN(t, 2, 3), IN(t, 4), GF_NONE, 1e-5f, "bad"));
  REFUSES(GF_ESHAPE, gf_layer_norm(t, IN(t, 2, 3), IN(t, 1), GF_NONE, 1e-5f, "bad"));
  REFUSES(GF_ESHAPE, gf_layer_norm(t, IN(t, 2, 3), IN(t, 3, 1), GF_NONE, 1e-5f, "bad"));
  REFUSES(GF_ESHAPE, gf_layer_norm(t, IN(t, 2, 3), GF_NONE, IN(t, 2), 1e-5f, "bad"));
  REFUSES(GF_ESHAPE, gf_layer_norm(t, IN(t, 2, 3), IN(t, 3), IN(t, 3, 3), 1e-5f, "bad"));
  REFUSES(GF_ENODE, gf_layer_norm(t, IDS(t, 2, 3), GF_NONE, GF_NONE, 1e-5f, "bad"));
  REFUSES(GF_ENODE, gf_layer_norm(t, IN(t, 2, 3), IDS(t, 3), GF_NONE, 1e-5f, "bad"));
  REFUSES(GF_ENODE, gf_layer_norm(t, IN(t, 2, 3), GF_NONE, IDS(t, 3), 1e-5f, "bad"));
  REFUSES(GF_ENODE, gf_layer_norm(t, GF_NONE, GF_NONE, GF_NONE, 1e-5f, "bad"));
  REFUSES(GF_ENODE, gf_layer_norm(t, IN(t, 2, 3), 9, GF_NONE, 1e-5f, "bad"));
  REFUSES(GF_ENODE, gf_layer_norm(t, IN(t, 2, 3), GF_NONE, -2, 1e-5f, "bad"));
  REFUSES(GF_ERANGE, gf_layer_norm(t, IN(t, 2, 3), GF_NONE, GF_NONE, -1e-5f, "bad"));
  REFUSES(GF_ERANGE, gf_layer_norm(t, IN(t, 2, 3), GF_NONE, GF_NONE, INFINITY, "bad"));
  REFUSES(GF_ERANGE, gf_layer_norm(t, IN(t, 2, 3), GF_NONE, GF_NONE, NAN, "bad"));
}

const spec spec_layer_norm = {"layer_norm", run};
