#include "reductions.h"

static double exact(const double *x, int n, int step) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k * step];
  return sum;
}

static void run(void) {
  try_reductions((reduce_case){.push = gf_sum, .exact = exact});
}

const spec spec_sum = {"sum", run};
