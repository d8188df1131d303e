#include "elementwise.h"

static int push(gf_tape *t, int x, float c, const char *name) {
  (void)c;
  return gf_relu(t, x, name);
}

static double exact(double x, double c) {
  (void)c;
  return x <= 0 ? 0 : x;
}

/* At 0, where no central difference tells, the gradient is 0. */
static void check_kink(void) {
  room_reset();
  gf_tape *t = new_tape();
  int x = IN(t, 5), y = gf_relu(t, x, "y");
  place(t);
  gf_node_value(t, x)[1] = -0.0f;
  gf_node_value(t, x)[2] = 1e-30f;
  for (int i = 0; i < 5; i++) gf_node_grad(t, y)[i] = 3;
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  for (int i = 0; i < 5; i++) EXPECT_NEAR(gf_node_grad(t, x)[i], i == 2 ? 3 : 0, 0);
}

static void run(void) {
  const elementwise relu = {push, exact, 0, 0};
  double mixed[65];
  for (int i = 0; i < 65; i++)
    mixed[i] = random_between(0.1, 3) * (random_between(-1, 1) < 0 ? -1 : 1);
  for (const int *n = tails; *n; n++) try_points(relu, *n, mixed);
  try_range(relu, 0.1, 3);
  try_range(relu, -3, -0.1);
  try_points(relu, 5, (const double[]){-1e30, -1, 1, 1000, -INFINITY});
  check_kink();
  EXPECT_NEAR(value_at(relu, 1e-40f), 1e-40f, 0);
  EXPECT_NEAR(value_at(relu, INFINITY), INFINITY, 0);
  EXPECT(isnan(value_at(relu, NAN)));
  refuse_operands(relu);
}

const spec spec_relu = {"relu", run};
