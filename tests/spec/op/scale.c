#include "harness.h"

#include <math.h>

typedef struct numbers {
  int size;
  float factor;
} numbers;

static int build(gf_tape *t, const int *x, const void *at) {
  int y = gf_scale(t, x[0], ((const numbers *)at)->factor, "y");
  EXPECT_NEAR(gf_node_attribute(t, y, "factor"), ((const numbers *)at)->factor, 0);
  return y;
}

static void reference(const double *const *x, double *y, const void *at) {
  const numbers *n = at;
  for (int i = 0; i < n->size; i++) y[i] = (double)n->factor * x[0][i];
}

static void try_factor(numbers n) {
  check(&(trial){.operands = {VALUES(n.size)}, .at = &n, .build = build, .reference = reference});
}

static void run(void) {
  for (const int *n = tails; *n; n++) try_factor((numbers){*n, 0.57735f});
  try_factor((numbers){5, 0});
  try_factor((numbers){5, 1});
  try_factor((numbers){5, -3.5f});
  check(&(trial){.operands = {VALUES(2, 3, 4, 5)},
                 .at = &(numbers){120, 0.25f},
                 .build = build,
                 .reference = reference});

  REFUSES(GF_ERANGE, gf_scale(t, IN(t, 3), INFINITY, "bad"));
  REFUSES(GF_ERANGE, gf_scale(t, IN(t, 3), -INFINITY, "bad"));
  REFUSES(GF_ERANGE, gf_scale(t, IN(t, 3), NAN, "bad"));
  REFUSES(GF_ENODE, gf_scale(t, IDS(t, 3), 2, "bad"));
  REFUSES(GF_ENODE, gf_scale(t, GF_NONE, 2, "bad"));
}

const spec spec_scale = {"scale", run};
