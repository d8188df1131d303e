#include "harness.h"

#include <string.h>

typedef struct sizes {
  int matrices, group, m, k, n; /* group: how many matrices of a share one of b */
  bool transposed;              /* b is [n,k] */
} sizes;

static int build(gf_tape *t, const int *x, const void *at) {
  bool transposed = ((const sizes *)at)->transposed;
  int y = (transposed ? gf_matmul_transposed : gf_matmul)(t, x[0], x[1], "y");
  EXPECT_NEAR(gf_node_attribute(t, y, "transposed"), transposed, 0);
  return y;
}

static void reference(const double *const *x, double *y, const void *at) {
  const sizes *s = at;
  for (int q = 0; q < s->matrices; q++) {
    const double *a = x[0] + q * s->m * s->k, *b = x[1] + q / s->group * s->k * s->n;
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

/* b of rank 2 meets every row of a. */
static void try_shared(operand a, int rows, int k, int n) {
  for (int transposed = 0; transposed <= 1; transposed++) {
    sizes s = {1, 1, rows, k, n, transposed};
    operand b = transposed ? VALUES(n, k) : VALUES(k, n);
    check(&(trial){.operands = {a, b}, .at = &s, .build = build, .reference = reference});
  }
}

/* `leading`: how many matrices lie under each leading dimension of a; ends with 0. */
static void try_grouped(const int *leading, int group, int m, int k, int n) {
  for (int transposed = 0; transposed <= 1; transposed++) {
    sizes s = {1, group, m, k, n, transposed};
    operand a = {0}, b = {0};
    int rank = 0;
    for (; leading[rank]; rank++) {
      a.shape[rank] = b.shape[rank] = leading[rank];
      s.matrices *= leading[rank];
    }
    if (rank) b.shape[rank - 1] /= group;
    a.shape[rank] = m;
    a.shape[rank + 1] = k;
    b.shape[rank] = transposed ? n : k;
    b.shape[rank + 1] = transposed ? k : n;
    check(&(trial){.operands = {a, b}, .at = &s, .build = build, .reference = reference});
  }
}

static void try_leading(const int *leading, int m, int k, int n) {
  try_grouped(leading, 1, m, k, n);
}

static void try_sizes(int m, int k, int n) {
  try_leading((int[]){0}, m, k, n);
}

/* The one order of a sum, to the bit: k in blocks of 256, each summed from 0, block after block. */
static void check_order(void) {
  enum { DEPTH = 700, WIDTH = 9 };
  room_reset();
  gf_tape *t = new_tape();
  int a = IN(t, 1, DEPTH), b = IN(t, DEPTH, WIDTH), y = gf_matmul(t, a, b, "y");
  place(t);
  float *row = gf_node_value(t, a), *matrix = gf_node_value(t, b), expected[WIDTH];
  for (int k = 0; k < DEPTH; k++) row[k] = (float)random_between(-1, 1);
  for (int k = 0; k < DEPTH * WIDTH; k++) matrix[k] = (float)random_between(-1, 1);
  for (int j = 0; j < WIDTH; j++) {
    float sum = 0;
    for (int k = 0; k < DEPTH;) {
      float block = 0;
      do block += row[k] * matrix[k * WIDTH + j];
      while (++k % 256 && k < DEPTH);
      sum += block;
    }
    expected[j] = sum;
  }
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT(!memcmp(gf_node_value(t, y), expected, sizeof expected));
}

static void run(void) {
  for (const int *n = tails; *n; n++) {
    try_sizes(3, 5, *n);
    try_sizes(3, *n, 5);
    try_sizes(*n, 5, 3);
    try_leading((int[]){2, 0}, 2, 3, *n);
    try_leading((int[]){2, 0}, 2, *n, 3);
    try_grouped((int[]){4, 0}, 2, 2, 3, *n);
    try_grouped((int[]){4, 0}, 2, 2, *n, 3);
    try_grouped((int[]){4, 0}, 2, *n, 2, 3);
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
  /* One head of b for all, or for some, of a's. */
  try_grouped((int[]){6, 0}, 6, 2, 3, 4);
  try_grouped((int[]){6, 0}, 3, 2, 3, 4);
  try_grouped((int[]){2, 6, 0}, 6, 2, 3, 4);
  try_grouped((int[]){2, 6, 0}, 2, 2, 3, 4);
  try_grouped((int[]){3, 4, 0}, 2, 5, 1, 2);
  try_shared(VALUES(2, 5, 3), 10, 3, 4);
  try_shared(VALUES(4, 2, 5, 3), 40, 3, 9);

  check_order();

  REFUSES(GF_ESHAPE, gf_matmul(t, IN(t, 2, 3), IN(t, 4, 5), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul_transposed(t, IN(t, 2, 3), IN(t, 3, 5), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul(t, IN(t, 3), IN(t, 3, 5), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul(t, IN(t, 2, 3), IN(t, 3), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul(t, IN(t, 2, 3), IN(t, 2, 3, 5), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul(t, IN(t, 2, 2, 2, 3), IN(t, 2, 3, 5), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul(t, IN(t, 2, 2, 3), IN(t, 4, 5), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul(t, IN(t, 2, 2, 3), IN(t, 3, 3, 5), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul_transposed(t, IN(t, 2, 1, 2, 3), IN(t, 2, 2, 5, 3), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul(t, IN(t, 4, 2, 3), IN(t, 3, 3, 5), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul(t, IN(t, 2, 2, 3), IN(t, 4, 3, 5), "bad"));
  REFUSES(GF_ESHAPE, gf_matmul(t, IN(t, 4, 2, 2, 3), IN(t, 2, 2, 3, 5), "bad"));
  REFUSES(GF_ENODE, gf_matmul(t, IDS(t, 2, 3), IN(t, 3, 5), "bad"));
  REFUSES(GF_ENODE, gf_matmul(t, IN(t, 2, 3), IDS(t, 3, 5), "bad"));
  REFUSES(GF_ENODE, gf_matmul(t, IN(t, 2, 3), GF_NONE, "bad"));
  REFUSES(GF_ENODE, gf_matmul_transposed(t, GF_NONE, IN(t, 2, 3), "bad"));
}

const spec spec_matmul = {"matmul", run};
