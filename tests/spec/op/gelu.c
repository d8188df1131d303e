#include "elementwise.h"

/* c: which form. */
static int push(gf_tape *t, int x, float c, const char *name) {
  int y = gf_gelu(t, x, c != 0, name);
  if (y >= 0) EXPECT_NEAR(gf_node_attribute(t, y, "tanh_form"), c != 0, 0);
  return y;
}

static double exact(double x, double tanh_form) {
  const double pi = acos(-1);
  if (tanh_form != 0) return x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x * x * x)));
  return x / 2 * erfc(-x / sqrt(2));
}

static void run(void) {
  for (int tanh_form = 0; tanh_form <= 1; tanh_form++) {
    const elementwise gelu = {push, exact, (float)tanh_form, 0};
    try_range(gelu, -4, 4);
    try_points(gelu, 9, (const double[]){0, -1e-4, 1e-4, -8, 8, -100, 100, -1e4, 1e4});
    expect_digits(gelu, 1e-10f);
    EXPECT_NEAR(value_at(gelu, 0), 0, 0);
    EXPECT_NEAR(value_at(gelu, INFINITY), INFINITY, 0);
    EXPECT(isnan(value_at(gelu, NAN)));
    refuse_operands(gelu);
  }
}

const spec spec_gelu = {"gelu", run};
