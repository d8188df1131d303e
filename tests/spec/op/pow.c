#include "elementwise.h"

static int push(gf_tape *t, int x, float c, const char *name) {
  return gf_pow(t, x, c, name);
}

static double exact(double x, double c) {
  return pow(x, c);
}

static void run(void) {
  static const float exponents[] = {2, 3, -1, -2, 0.5f, -0.5f, 1.7f, 1, 0};
  for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
    const elementwise power = {push, exact, exponents[i], 0};
    try_range(power, 0.2, 2);
    expect_digits(power, 1e-5f);
    expect_digits(power, 1e7f);
    refuse_operands(power);
    /* As C's Annex F says it. */
    static const float ends[] = {0, -0.0f, INFINITY, -INFINITY, 1, -1, -2, 0x1p-149f};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
      double is = value_at(power, ends[k]),
             should = (float)pow((double)ends[k], (double)exponents[i]);
      EXPECT(isnan(should) ? isnan(is) : is == should && !signbit(is) == !signbit(should));
    }
  }
  const elementwise square = {push, exact, 2, 0}, cube = {push, exact, 3, 0};
  try_range(square, -2, 2);
  try_range(cube, -2, 2);
  EXPECT_NEAR(value_at(square, 3), 9, 0);
  EXPECT_NEAR(value_at(cube, -3), -27, 0);
  REFUSES(GF_ERANGE, gf_pow(t, IN(t, 3), NAN, "bad"));
  REFUSES(GF_ERANGE, gf_pow(t, IN(t, 3), INFINITY, "bad"));
}

const spec spec_pow = {"pow", run};
