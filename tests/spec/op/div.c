#include "pairs.h"

static double exact(double a, double b) {
  return a / b;
}

static void run(void) {
  try_pairs(&(pair_case){.push = gf_div, .exact = exact, .low = 0.5, .high = 2});
}

const spec spec_div = {"div", run};
