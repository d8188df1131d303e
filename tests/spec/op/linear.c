#include "harness.h"

typedef struct sizes {
  int m, k, n; /* x [m,k], w [k,n] */
  bool bias;
} sizes;

static int build(gf_tape *t, const int *x, const void *at) {
  return gf_linear(t, x[0], x[1], ((const sizes *)at)->bias ? x[2] : GF_NONE, "y");
}

static void reference(const double *const *x, double *y, const void *at) {
  const sizes *s = at;
  for (int i = 0; i < s->m; i++) {
    for (int j = 0; j < s->n; j++) {
      double sum = s->bias ? x[2][j] : 0;
      for (int k = 0; k < s->k; k++) sum += x[0][i * s->k + k] * x[1][k * s->n + j];
      y[i * s->n + j] = sum;
    }
  }
}

static void try_shapes(sizes s, operand x) {
  check(&(trial){
      .operands = {x, VALUES(s.k, s.n), VALUES(s.bias ? s.n : 0)},
      .at = &s,
      .build = build,
      .reference = reference,
  });
}

static void try_sizes(int m, int k, int n) {
  try_shapes((sizes){m, k, n, false}, VALUES(m, k));
  try_shapes((sizes){m, k, n, true}, VALUES(m, k));
}

static void run(void) {
  for (const int *n = tails; *n; n++) {
    try_sizes(3, 5, *n);
    try_sizes(3, *n, 5);
    try_sizes(*n, 5, 3);
  }
  for (int m = 1; m <= 9; m++) {
    for (int n = 1; n <= 9; n++) try_sizes(m, 2, n);
  }
  /* Sums longer than the core's blocks of 256. */
  try_sizes(2, 255, 3);
  try_sizes(2, 256, 3);
  try_sizes(2, 257, 3);
  try_sizes(1, 600, 2);
  try_sizes(300, 1, 2);
  try_sizes(1, 2, 300);
  /* x of any rank. */
  try_shapes((sizes){1, 3, 2, true}, VALUES(3));
  try_shapes((sizes){10, 3, 2, true}, VALUES(2, 5, 3));
  try_shapes((sizes){40, 3, 2, true}, VALUES(4, 2, 5, 3));

  REFUSES(GF_ESHAPE, gf_linear(t, IN(t, 2, 3), IN(t, 4, 5), GF_NONE, "bad"));
  REFUSES(GF_ESHAPE, gf_linear(t, IN(t, 2, 3), IN(t, 3), GF_NONE, "bad"));
  REFUSES(GF_ESHAPE, gf_linear(t, IN(t, 2, 3), IN(t, 2, 3, 5), GF_NONE, "bad"));
  REFUSES(GF_ESHAPE, gf_linear(t, IN(t, 2, 3), IN(t, 3, 5), IN(t, 4), "bad"));
  REFUSES(GF_ESHAPE, gf_linear(t, IN(t, 2, 3), IN(t, 3, 5), IN(t, 1, 5), "bad"));
  REFUSES(GF_ENODE, gf_linear(t, IDS(t, 2, 3), IN(t, 3, 5), GF_NONE, "bad"));
  REFUSES(GF_ENODE, gf_linear(t, IN(t, 2, 3), IDS(t, 3, 5), GF_NONE, "bad"));
  REFUSES(GF_ENODE, gf_linear(t, IN(t, 2, 3), IN(t, 3, 5), IDS(t, 5), "bad"));
  REFUSES(GF_ENODE, gf_linear(t, GF_NONE, IN(t, 3, 5), GF_NONE, "bad"));
  REFUSES(GF_ENODE, gf_linear(t, IN(t, 2, 3), GF_NONE, GF_NONE, "bad"));
  REFUSES(GF_ENODE, gf_linear(t, IN(t, 2, 3), IN(t, 3, 5), 9, "bad"));
  REFUSES(GF_ENODE, gf_linear(t, IN(t, 2, 3), IN(t, 3, 5), -2, "bad"));
}

const spec spec_linear = {"linear", run};
