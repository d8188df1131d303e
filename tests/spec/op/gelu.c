#include "elementwise.h"

/* c: which form. */
static int push(gf_tape *t, int x, float c, const char *name) {
  int y = gf_gelu(t, x, c != 0, name);
  if (y >= 0) EXPECT_NEAR(gf_node_attribute(t, y, "tanh_form"), c != 0, 0);
  return y;
}

/* (1 + tanh u) / 2, which would be 0 for large -u by that formula. */
static double exact(double x, double tanh_form) {
  const double pi = acos(-1);
  if (tanh_form != 0) return x / (1 + exp(-2 * sqrt(2 / pi) * (x + 0.044715 * x * x * x)));
  return x / 2 * erfc(-x / sqrt(2));
}

/* The reference's derivative, as the book says it. */
static double slope(double x, double tanh_form) {
  const double pi = acos(-1);
  if (tanh_form == 0) return erfc(-x / sqrt(2)) / 2 + x * exp(-x * x / 2) / sqrt(2 * pi);
  double s = 1 / (1 + exp(-2 * sqrt(2 / pi) * (x + 0.044715 * x * x * x)));
  return s + x * s * (1 - s) * 2 * sqrt(2 / pi) * (1 + 3 * 0.044715 * x * x);
}

typedef struct outcome {
  double y, dx;
} outcome;

static outcome at(elementwise gelu, float x) {
  room_reset();
  gf_tape *t = new_tape();
  int in = IN(t, 1), y = gelu.push(t, in, gelu.c, "y");
  place(t);
  gf_node_value(t, in)[0] = x;
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  gf_node_grad(t, y)[0] = 1;
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  return (outcome){gf_node_value(t, y)[0], gf_node_grad(t, in)[0]};
}

/* Far below 0 value and gradient are small, and right in their own digits; the tanh form multiplies the
 * error of its argument, which is large there. */
static void check_tails(elementwise gelu, double tolerance) {
  static const float points[] = {-1, -2, -3.5f, -5, -7, -9.5f, 5, 12};
  for (int i = 0; i < 8; i++) {
    double x = points[i], c = (double)gelu.c, y = exact(x, c), dx = slope(x, c);
    outcome is = at(gelu, points[i]);
    EXPECT_NEAR(is.y / y, 1, tolerance);
    EXPECT_NEAR(is.dx / dx, 1, tolerance);
  }
}

static void run(void) {
  for (int tanh_form = 0; tanh_form <= 1; tanh_form++) {
    const elementwise gelu = {push, exact, (float)tanh_form, 0};
    try_range(gelu, -4, 4);
    try_points(gelu, 9, (const double[]){0, -1e-4, 1e-4, -8, 8, -100, 100, -1e4, 1e4});
    expect_digits(gelu, 1e-10f);
    check_tails(gelu, tanh_form ? 2e-5 : 1e-6);
    if (!tanh_form) expect_digits(gelu, -13);
    /* Where squares overflow. */
    for (int i = 19; i <= 38; i++) {
      float x = (float)pow(10, i);
      outcome above = at(gelu, x), below = at(gelu, -x);
      EXPECT(above.y == (double)x && above.dx == 1 && below.y == 0 && below.dx == 0);
    }
    EXPECT_NEAR(value_at(gelu, 0), 0, 0);
    EXPECT_NEAR(value_at(gelu, INFINITY), INFINITY, 0);
    EXPECT(isnan(value_at(gelu, NAN)));
    refuse_operands(gelu);
  }
}

const spec spec_gelu = {"gelu", run};
