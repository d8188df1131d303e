#include "elementwise.h"

static int push(gf_tape *t, int x, float c, const char *name) {
  (void)c;
  return gf_softplus(t, x, name);
}

static double exact(double x, double c) {
  (void)c;
  return log1p(exp(x));
}

static void run(void) {
  const elementwise softplus = {push, exact, 0, 0};
  try_range(softplus, -3, 3);
  try_points(softplus, 4, (const double[]){0, -1e-4, 1e-4, -20});
  expect_digits(softplus, -20);
  expect_digits(softplus, -80);
  EXPECT_NEAR(value_at(softplus, 100), 100, 0);
  EXPECT_NEAR(value_at(softplus, -INFINITY), 0, 0);
  EXPECT(isnan(value_at(softplus, NAN)));
  refuse_operands(softplus);
}

const spec spec_softplus = {"softplus", run};
