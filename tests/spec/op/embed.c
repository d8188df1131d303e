#include "harness.h"

typedef struct sizes {
  int rows, channels, ids;
} sizes;

static int build(gf_tape *t, const int *x, const void *at) {
  (void)at;
  return gf_embed(t, x[0], x[1], "y");
}

static void reference(const double *const *x, double *y, const void *at) {
  const sizes *n = at;
  for (int i = 0; i < n->ids; i++) {
    for (int c = 0; c < n->channels; c++) {
      y[i * n->channels + c] = x[0][(int)x[1][i] * n->channels + c];
    }
  }
}

static void try_shape(int rows, int channels, const int *ids) {
  sizes n = {rows, channels, 1};
  trial c = {
      .operands = {{.shape = {rows, channels}}, {.ids = true, .high = rows}},
      .at = &n,
      .build = build,
      .reference = reference,
  };
  for (int i = 0; i < 3 && ids[i]; i++) {
    c.operands[1].shape[i] = ids[i];
    n.ids *= ids[i];
  }
  check(&c);
}

static void run(void) {
  for (const int *n = tails; *n; n++) try_shape(4, *n, (int[3]){6}); /* 6 of 4: ids repeat */
  try_shape(1, 3, (int[3]){5});
  try_shape(7, 5, (int[3]){2, 3});
  try_shape(7, 5, (int[3]){2, 3, 4});

  REFUSES(GF_ENODE, gf_embed(t, IN(t, 4, 3), IN(t, 2), "bad"));
  REFUSES(GF_ENODE, gf_embed(t, IDS(t, 4, 3), IDS(t, 2), "bad"));
  REFUSES(GF_ENODE, gf_embed(t, IN(t, 4, 3), GF_NONE, "bad"));
  REFUSES(GF_ENODE, gf_embed(t, 5, IDS(t, 2), "bad"));
  REFUSES(GF_ESHAPE, gf_embed(t, IN(t, 4), IDS(t, 2), "bad"));
  REFUSES(GF_ESHAPE, gf_embed(t, IN(t, 4, 3, 2), IDS(t, 2), "bad"));
  REFUSES(GF_ESHAPE, gf_embed(t, IN(t, 4, 3), IDS(t, 2, 2, 2, 2), "bad"));
}

const spec spec_embed = {"embed", run};
