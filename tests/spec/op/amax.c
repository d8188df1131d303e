#include "reductions.h"

#include <string.h>

static double exact(const double *x, int n, int step) {
  double max = x[0];
  for (int k = 1; k < n; k++)
    if (isnan(x[k * step]) || x[k * step] > max) max = x[k * step];
  return max;
}

/* As torch.amax: each of two that are the largest gets half. */
static void shares_among_equals(void) {
  gf_tape *t = new_tape();
  int x = IN(t, 4), y = gf_amax(t, x, 0, 0, "y");
  place(t);
  memcpy(gf_node_value(t, x), (float[]){3, 1, 3, 2}, 4 * sizeof(float));
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  gf_node_grad(t, y)[0] = 5;
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  EXPECT(same(gf_node_grad(t, x), (float[]){2.5f, 0, 2.5f, 0}, 4));
}

static void run(void) {
  try_reductions((reduce_case){.push = gf_amax, .exact = exact});
  shares_among_equals();
}

const spec spec_amax = {"amax", run};
