#include "pairs.h"

static double exact(double a, double b) {
  return a * b;
}

static void run(void) {
  try_pairs(&(pair_case){.push = gf_mul, .exact = exact, .low = -1, .high = 1});
}

const spec spec_mul = {"mul", run};
