#include "reductions.h"

static double exact(const double *x, int n, int step) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k * step];
  return sum / n;
}

static void run(void) {
  try_reductions((reduce_case){.push = gf_mean, .exact = exact});
}

const spec spec_mean = {"mean", run};
