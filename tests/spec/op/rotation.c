#include "harness.h"

#include <math.h>

typedef struct turns {
  int positions, dimensions;
  float base, stretch, slow, fast;
  int span;
} turns;

static int build(gf_tape *t, const int *x, const void *at) {
  const turns *s = at;
  int y = s->stretch != 0 ? gf_rotation_stretched(t, x[0], s->dimensions, s->base, s->stretch,
                                                  s->slow, s->fast, s->span, "y")
                          : gf_rotation(t, x[0], s->dimensions, s->base, "y");
  EXPECT_NEAR(gf_node_attribute(t, y, "stretch"), s->stretch, 0);
  EXPECT_NEAR(gf_node_attribute(t, y, "dimensions"), s->dimensions, 0);
  EXPECT_NEAR(gf_node_attribute(t, y, "base"), s->base, 0);
  return y;
}

static void reference(const double *const *x, double *y, const void *at) {
  const turns *s = at;
  for (int p = 0; p < s->positions; p++) {
    for (int i = 0; i < s->dimensions / 2; i++) {
      double f = 1 / pow(s->base, 2.0 * i / s->dimensions);
      double turned = s->span * f / (2 * acos(-1));
      double share = fmax(0, fmin(1, (turned - s->slow) / (s->fast - s->slow)));
      if (s->stretch != 0) f = (1 - share) * f / s->stretch + share * f;
      double angle = x[0][p] * f;
      y[p * s->dimensions + 2 * i] = cos(angle);
      y[p * s->dimensions + 2 * i + 1] = sin(angle);
    }
  }
}

/* Every value within 1e-6: the tolerance is doubled by the cosine of size 1. */
static void try_positions(turns s, double low, double high, const double *given) {
  check(&(trial){
      .operands = {{.shape = {s.positions}, .ids = true, .low = low, .high = high, .given = given}},
      .at = &s,
      .tolerance = 0.5e-6,
      .build = build,
      .reference = reference,
  });
}

static void check_shapes(void) {
  room_reset();
  gf_tape *t = new_tape();
  int one = gf_rotation(t, IDS(t, 3), 8, 10000, "one"),
      y = gf_rotation(t, IDS(t, 2, 3), 8, 10000, "y");
  static const int expected[2][GF_MAX_RANK] = {{3, 4, 2, 1}, {2, 3, 4, 2}};
  EXPECT_INT(gf_node_rank(t, one), 3);
  EXPECT_INT(gf_node_rank(t, y), 4);
  for (int i = 0; i < GF_MAX_RANK; i++) {
    EXPECT_INT(gf_node_shape(t, one)[i], expected[0][i]);
    EXPECT_INT(gf_node_shape(t, y)[i], expected[1][i]);
  }
}

static void run(void) {
  for (const int *n = tails; *n; n++) {
    try_positions((turns){*n, 6, 10000, 0, 0, 0, 0}, 0, 50, NULL);
    try_positions((turns){3, 2 * *n, 10000, 0, 0, 0, 0}, 0, 1 << 20, NULL);
  }
  try_positions((turns){2000, 8, 10000, 0, 0, 0, 0}, -(1 << 20), 1 << 20, NULL);
  try_positions((turns){2000, 8, 500000, 0, 0, 0, 0}, 0, 1 << 20, NULL);
  try_positions((turns){2000, 8, 1e6f, 0, 0, 0, 0}, 0, 1 << 20, NULL);
  try_positions((turns){500, 8, 1.5f, 0, 0, 0, 0}, 0, 1 << 20, NULL);
  try_positions((turns){500, 8, 1, 0, 0, 0, 0}, 0, 1 << 20, NULL);
  try_positions((turns){500, 8, 0.5f, 0, 0, 0, 0}, 0, 1 << 20, NULL);
  try_positions((turns){4, 128, 10000, 0, 0, 0, 0}, 0, 0,
                (const double[]){0, 1, (1 << 20) - 1, 1 << 20});
  /* Llama 3's own, and all pairs alike. */
  try_positions((turns){500, 64, 500000, 8, 1, 4, 8192}, 0, 1 << 17, NULL);
  try_positions((turns){500, 10, 300, 2.5f, 0.5f, 3, 40}, 0, 1 << 12, NULL);
  try_positions((turns){500, 10, 10000, 4, 0, 1, 0}, 0, 1 << 12, NULL);
  check_shapes();

  REFUSES(GF_ESHAPE, gf_rotation(t, IDS(t, 1, 2, 3), 4, 10000, "bad"));
  REFUSES(GF_ESHAPE, gf_rotation(t, IDS(t, 1, 1, 2, 3), 4, 10000, "bad"));
  REFUSES(GF_ENODE, gf_rotation(t, IN(t, 3), 4, 10000, "bad"));
  REFUSES(GF_ENODE, gf_rotation(t, GF_NONE, 4, 10000, "bad"));
  REFUSES(GF_ERANGE, gf_rotation(t, IDS(t, 3), 0, 10000, "bad"));
  REFUSES(GF_ERANGE, gf_rotation(t, IDS(t, 3), 1, 10000, "bad"));
  REFUSES(GF_ERANGE, gf_rotation(t, IDS(t, 3), 5, 10000, "bad"));
  REFUSES(GF_ERANGE, gf_rotation(t, IDS(t, 3), -4, 10000, "bad"));
  REFUSES(GF_ERANGE, gf_rotation(t, IDS(t, 3), 4, 0, "bad"));
  REFUSES(GF_ERANGE, gf_rotation(t, IDS(t, 3), 4, -10000, "bad"));
  REFUSES(GF_ERANGE, gf_rotation(t, IDS(t, 3), 4, INFINITY, "bad"));
  REFUSES(GF_ERANGE, gf_rotation(t, IDS(t, 3), 4, NAN, "bad"));
}

const spec spec_rotation = {"rotation", run};
