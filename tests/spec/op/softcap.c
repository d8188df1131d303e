#include "elementwise.h"

static int push(gf_tape *t, int x, float cap, const char *name) {
  int y = gf_softcap(t, x, cap, name);
  if (y >= 0) EXPECT_NEAR(gf_node_attribute(t, y, "cap"), cap, 0);
  return y;
}

static double exact(double x, double cap) {
  return cap * tanh(x / cap);
}

static void run(void) {
  static const float caps[] = {1, 30, 50, 0.3f};
  for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
    const elementwise softcap = {push, exact, caps[i], 0};
    double cap = caps[i];
    try_range(softcap, -2 * cap, 2 * cap);
    try_points(softcap, 9, (const double[]){0, -1e-4, 1e-4, -cap, cap, -1000, 1000, -1e30, 1e30});
    expect_digits(softcap, 1e-3f * caps[i]);
    expect_digits(softcap, -1e-20f);
    EXPECT_NEAR(value_at(softcap, -INFINITY), -cap, 0);
    EXPECT_NEAR(value_at(softcap, INFINITY), cap, 0);
    EXPECT(isnan(value_at(softcap, NAN)));
    refuse_operands(softcap);
  }
  REFUSES(GF_ERANGE, gf_softcap(t, IN(t, 3), 0, "bad"));
  REFUSES(GF_ERANGE, gf_softcap(t, IN(t, 3), -30, "bad"));
  REFUSES(GF_ERANGE, gf_softcap(t, IN(t, 3), INFINITY, "bad"));
  REFUSES(GF_ERANGE, gf_softcap(t, IN(t, 3), NAN, "bad"));
}

const spec spec_softcap = {"softcap", run};
