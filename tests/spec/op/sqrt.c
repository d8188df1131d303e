#include "elementwise.h"

static int push(gf_tape *t, int x, float c, const char *name) {
  (void)c;
  return gf_sqrt(t, x, name);
}

static double exact(double x, double c) {
  (void)c;
  return sqrt(x);
}

static void run(void) {
  const elementwise root = {push, exact, 0, 0};
  try_range(root, 0.1, 3);
  try_points(root, 4, (const double[]){1, 4, 1e4, 0.01});
  expect_digits(root, 1e-30f);
  EXPECT_NEAR(value_at(root, 9), 3, 0);
  EXPECT_NEAR(value_at(root, 0), 0, 0);
  EXPECT(isnan(value_at(root, -1)));
  refuse_operands(root);
}

const spec spec_sqrt = {"sqrt", run};
