#include "elementwise.h"

static int push(gf_tape *t, int x, float c, const char *name) {
  (void)c;
  return gf_tanh(t, x, name);
}

static double exact(double x, double c) {
  (void)c;
  return tanh(x);
}

static void run(void) {
  const elementwise hyperbolic = {push, exact, 0, 0};
  try_range(hyperbolic, -3, 3);
  try_points(hyperbolic, 9, (const double[]){0, -1e-4, 1e-4, -0.625, 0.625, -9, 9, -100, 1e30});
  expect_digits(hyperbolic, 1e-3f);
  expect_digits(hyperbolic, -1e-20f);
  EXPECT_NEAR(value_at(hyperbolic, 0), 0, 0);
  EXPECT_NEAR(value_at(hyperbolic, -INFINITY), -1, 0);
  EXPECT_NEAR(value_at(hyperbolic, INFINITY), 1, 0);
  EXPECT(isnan(value_at(hyperbolic, NAN)));
  refuse_operands(hyperbolic);
}

const spec spec_tanh = {"tanh", run};
