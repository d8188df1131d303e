#include "harness.h"

typedef struct sizes {
  int matrices, m, k, n;
  bool transposed; /* b is [n,k] */
} sizes;

static int build(gf_tape *t, const int *x, const void *at) {
  bool transposed = ((const sizes *)at)->transposed;
  int y = (transposed ? gf_matmul_transposed : gf_matmul)(t, x[0], x[1], "y");
  EXPECT_INT(gf_node_option(t, y), transposed);
  return y;
}

static void reference(const double *const *x, double *y, const void *at) {
  const sizes *s = at;
  for (int q = 0; q < s->matrices; q++) {
    const double *a = x[0] + q * s->m * s->k, *b = x[1] + q * s->k * s->n;
    for (int i = 0; i < s->m; i++) {
      for (int j = 0; j < s->n; j++) {
        double sum = 0;
        for (int k = 0; k < s->k; k++) {
          sum += a[i * s->k + k] * (s->transposed ? b[j * s->k + k] : b[k * s->n + j]);
        }
        *y++ = sum;
      }
    }
  }
}

/* `leading`: how many matrices lie under each leading dimension; ends with 0. */
static void try_leading(const int *leading, int m, int k, int n) {
  for (int transposed = 0; transposed <= 1; transposed++) {
    sizes s = {1, m, k, n, transposed};
    operand a = {0}, b = {0};
    int rank = 0;
    for (; leading[rank]; rank++) {
      a.shape[rank] = b.shape[rank] = leading[rank];
      s.matrices *= leading[rank];
    }
    a.shape[rank] = m;
    a.shape[rank + 1] = k;
    b.shape[rank] = transposed ? n : k;
    b.shape[rank + 1] = transposed ? k : n;
    check(&(trial){.operands = {a, b}, .at = &s, .build = build, .reference = reference});
  }
}

static void try_sizes(int m, int k, int n) {
  try_leading((int[]){0}, m, k, n);
}

static void run(void) {
  for (const int *n = tails; *n; n++) {
    try_sizes(3, 5, *n);
    try_sizes(3, *n, 5);
    try_sizes(*n, 5, 3);
    try_leading((int[]){2, 0}, 2, 3, *n);
    try_leading((int[]){2, 0}, 2, *n, 3);
  }
  for (int m = 1; m <= 9; m++) {
    for (int n = 1; n <= 9; n++) try_sizes(m, 2, n);
  }
  /* Sums longer than the core's blocks of 256. */
  try_sizes(2, 256, 3);
  try_sizes(2, 257, 3);
  try_sizes(1, 600, 2);
  try_sizes(300, 1, 2);
  try_sizes(1, 2, 300);
  try_leading((int[]){2, 3, 0}, 4, 5, 6);
  try_leading((int[]){3, 1, 0}, 1, 1, 1);

  REFUSES(GF_ESHAPE, gf_matmul(t, IN(t, 2, 3), IN(t, 4, 5), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul_transposed(t, IN(t, 2, 3), IN(t, 3, 5), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul(t, IN(t, 3), IN(t, 3, 5), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul(t, IN(t, 2, 3), IN(t, 3), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul(t, IN(t, 2, 2, 3), IN(t, 3, 5), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul(t, IN(t, 2, 2, 3), IN(t, 3, 3, 5), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul_transposed(t, IN(t, 2, 1, 2, 3), IN(t, 2, 2, 5, 3), "bad"));
  REFUSES(GF_ENODE, gf_matmul(t, IDS(t, 2, 3), IN(t, 3, 5), "bad"));
  REFUSES(GF_ENODE, gf_matmul(t, IN(t, 2, 3), IDS(t, 3, 5), "bad"));
  REFUSES(GF_ENODE, gf_matmul(t, IN(t, 2, 3), GF_NONE, "bad"));
  REFUSES(GF_ENODE, gf_matmul_transposed(t, GF_NONE, IN(t, 2, 3), "bad"));
}

const spec spec_matmul = {"matmul", run};
