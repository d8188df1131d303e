#include "harness.h"

#include <math.h>

typedef struct sizes {
  int positions, channels;
  bool halves; /* all sines first, then all cosines */
} sizes;

static int build(gf_tape *t, const int *x, const void *at) {
  const sizes *n = at;
  int y = gf_position(t, x[0], n->channels, n->halves, "y");
  EXPECT_NEAR(gf_node_attribute(t, y, "channels"), n->channels, 0);
  EXPECT_NEAR(gf_node_attribute(t, y, "halves"), n->halves, 0);
  return y;
}

static void reference(const double *const *x, double *y, const void *at) {
  const sizes *n = at;
  for (int p = 0; p < n->positions; p++) {
    for (int c = 0; c < n->channels; c++) {
      int sines = (n->channels + 1) / 2;
      int pair = n->halves ? c % sines : c / 2;
      bool cosine = n->halves ? c >= sines : c % 2;
      double angle = x[0][p] / pow(10000, 2.0 * pair / n->channels);
      y[p * n->channels + c] = cosine ? cos(angle) : sin(angle);
    }
  }
}

/* Every value within 1e-6: the tolerance is doubled by the sine of size 1. */
static void try_positions(sizes n, double low, double high, const double *given) {
  for (int halves = 0; halves <= 1; halves++) {
    n.halves = halves;
    check(&(trial){
        .operands = {{{n.positions}, .ids = true, .low = low, .high = high, .given = given}},
        .at = &n,
        .tolerance = 0.5e-6,
        .build = build,
        .reference = reference,
    });
  }
}

static void check_ranks(void) {
  room_reset();
  gf_tape *t = new_tape();
  int y = gf_position(t, IDS(t, 2, 3, 4), 5, 0, "y");
  EXPECT_INT(gf_node_rank(t, y), 4);
  EXPECT_INT(gf_node_size(t, y), 2 * 3 * 4 * 5);
  EXPECT_INT(gf_node_shape(t, y)[3], 5);
}

static void run(void) {
  for (const int *n = tails; *n; n++) {
    try_positions((sizes){3, *n, false}, 0, 50, NULL);
    try_positions((sizes){20, *n, false}, 0, 1 << 20, NULL);
  }
  try_positions((sizes){2000, 6, false}, 0, 0, (double[2000]){0});
  try_positions((sizes){2000, 7, false}, 0, 1 << 20, NULL);
  try_positions((sizes){4, 512, false}, 0, 0, (const double[]){0, 1, (1 << 20) - 1, 1 << 20});
  check_ranks();

  REFUSES(GF_ENODE, gf_position(t, IN(t, 3), 4, 0, "bad"));
  REFUSES(GF_ENODE, gf_position(t, GF_NONE, 4, 0, "bad"));
  REFUSES(GF_ERANGE, gf_position(t, IDS(t, 3), 0, 0, "bad"));
  REFUSES(GF_ERANGE, gf_position(t, IDS(t, 3), -4, 0, "bad"));
  REFUSES(GF_ESHAPE, gf_position(t, IDS(t, 1, 1, 1, 3), 4, 0, "bad"));
}

const spec spec_position = {"position", run};
