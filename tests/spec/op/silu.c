#include "elementwise.h"

static int push(gf_tape *t, int x, float factor, const char *name) {
  int y = gf_silu(t, x, factor, name);
  if (y >= 0) EXPECT_NEAR(gf_node_attribute(t, y, "factor"), factor, 0);
  return y;
}

static double exact(double x, double factor) {
  return x / (1 + exp(-factor * x));
}

static void run(void) {
  static const float factors[] = {1, 1.702f, -0.5f, 0};
  for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
    const elementwise silu = {push, exact, factors[i], 0};
    try_range(silu, -5, 5);
    try_points(silu, 7, (const double[]){0, -1e-4, 1e-4, -30, 30, -100, 100});
    EXPECT_NEAR(value_at(silu, 0), 0, 0);
    EXPECT(isnan(value_at(silu, NAN)));
    refuse_operands(silu);
  }
  const elementwise silu = {push, exact, 1, 0};
  expect_digits(silu, -20);
  expect_digits(silu, -80);
  expect_digits(silu, 1e-10f);

  REFUSES(GF_ERANGE, gf_silu(t, IN(t, 3), INFINITY, "bad"));
  REFUSES(GF_ERANGE, gf_silu(t, IN(t, 3), -INFINITY, "bad"));
  REFUSES(GF_ERANGE, gf_silu(t, IN(t, 3), NAN, "bad"));
}

const spec spec_silu = {"silu", run};
