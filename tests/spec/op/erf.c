#include "elementwise.h"

static int push(gf_tape *t, int x, float c, const char *name) {
  (void)c;
  return gf_erf(t, x, name);
}

static double exact(double x, double c) {
  (void)c;
  return erf(x);
}

static void run(void) {
  const elementwise error = {push, exact, 0, 0};
  try_range(error, -3, 3);
  try_points(error, 9, (const double[]){0, -1e-4, 1e-4, -1, 1, -5, 5, -100, 1e30});
  expect_digits(error, 1e-3f);
  expect_digits(error, -1e-20f);
  EXPECT_NEAR(value_at(error, 0), 0, 0);
  EXPECT_NEAR(value_at(error, -INFINITY), -1, 0);
  EXPECT_NEAR(value_at(error, INFINITY), 1, 0);
  EXPECT(isnan(value_at(error, NAN)));
  refuse_operands(error);
}

const spec spec_erf = {"erf", run};
