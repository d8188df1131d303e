#include "elementwise.h"

static int push(gf_tape *t, int x, float c, const char *name) {
  (void)c;
  return gf_exp(t, x, name);
}

static double exact(double x, double c) {
  (void)c;
  return exp(x);
}

static void run(void) {
  const elementwise power = {push, exact, 0, 0};
  try_range(power, -3, 3);
  try_points(power, 7, (const double[]){0, -1e-4, 1e-4, -20, 10, -100, -1e30});
  expect_digits(power, -80);
  expect_digits(power, 88);
  EXPECT_NEAR(value_at(power, 0), 1, 0);
  EXPECT_NEAR(value_at(power, -INFINITY), 0, 0);
  EXPECT_NEAR(value_at(power, 89), INFINITY, 0);
  EXPECT(isnan(value_at(power, NAN)));
  refuse_operands(power);
}

const spec spec_exp = {"exp", run};
