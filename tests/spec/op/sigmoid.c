#include "elementwise.h"

static int push(gf_tape *t, int x, float c, const char *name) {
  (void)c;
  return gf_sigmoid(t, x, name);
}

static double exact(double x, double c) {
  (void)c;
  return 1 / (1 + exp(-x));
}

static void run(void) {
  const elementwise sigmoid = {push, exact, 0, 0};
  try_range(sigmoid, -6, 6);
  try_points(sigmoid, 9, (const double[]){0, -1e-4, 1e-4, -20, 20, -100, 100, -1e30, 1e30});
  expect_digits(sigmoid, -20);
  expect_digits(sigmoid, -80);
  EXPECT_NEAR(value_at(sigmoid, 0), 0.5, 0);
  EXPECT_NEAR(value_at(sigmoid, -INFINITY), 0, 0);
  EXPECT_NEAR(value_at(sigmoid, INFINITY), 1, 0);
  EXPECT(isnan(value_at(sigmoid, NAN)));
  refuse_operands(sigmoid);
}

const spec spec_sigmoid = {"sigmoid", run};
