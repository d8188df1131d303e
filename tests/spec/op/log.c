#include "elementwise.h"

static int push(gf_tape *t, int x, float c, const char *name) {
  (void)c;
  return gf_log(t, x, name);
}

static double exact(double x, double c) {
  (void)c;
  return log(x);
}

static void run(void) {
  const elementwise logarithm = {push, exact, 0, 0};
  try_range(logarithm, 0.1, 3);
  try_points(logarithm, 5, (const double[]){1, 2, 1000, 0.01, 1e30});
  expect_digits(logarithm, 1.001f);
  EXPECT_NEAR(value_at(logarithm, 0), -INFINITY, 0);
  EXPECT_NEAR(value_at(logarithm, 0x1p-149f), -103.278931, 1e-5);
  EXPECT(isnan(value_at(logarithm, -1)));
  refuse_operands(logarithm);
}

const spec spec_log = {"log", run};
