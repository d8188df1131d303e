#include "gemm.h"
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

/* m x n sums of `depth` terms in their one order: k in blocks of 256, each summed from 0, block after
 * block, onto what is in y. Steps from term to term and from row to row, or column to column. */
static void sum_in_order(float *y, int m, int n, int depth, const float *a, int a_row, int a_term,
                         const float *b, int b_term, int b_column) {
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) {
      float *sum = y + i * n + j;
      for (int k = 0; k < depth;) {
        float block = 0;
        do block += a[i * a_row + k * a_term] * b[k * b_term + j * b_column];
        while (++k % 256 && k < depth);
        *sum += block;
      }
    }
  }
}

static void expect_order(const float *is, int m, int n, int depth, const float *a, int a_row,
                         int a_term, const float *b, int b_term, int b_column) {
  size_t bytes = (size_t)(m * n) * sizeof(float);
  float *y = memset(room(bytes, 0), 0, bytes);
  sum_in_order(y, m, n, depth, a, a_row, a_term, b, b_term, b_column);
  EXPECT(!memcmp(is, y, bytes));
}

/* Value and gradients, to the bit, whichever way the product takes. */
static void check_order(int m, int depth, int n) {
  for (int transposed = 0; transposed <= 1; transposed++) {
    room_reset();
    gf_tape *t = new_tape();
    int a = IN(t, m, depth), b = transposed ? IN(t, n, depth) : IN(t, depth, n);
    int y = (transposed ? gf_matmul_transposed : gf_matmul)(t, a, b, "y");
    place(t);
    float *left = gf_node_value(t, a), *right = gf_node_value(t, b), *dy = gf_node_grad(t, y);
    for (int i = 0; i < m * depth; i++) left[i] = (float)random_between(-1, 1);
    for (int i = 0; i < depth * n; i++) right[i] = (float)random_between(-1, 1);
    EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
    for (int i = 0; i < m * n; i++) dy[i] = (float)random_between(-1, 1);
    EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
    int term = transposed ? 1 : n, column = transposed ? depth : 1;
    expect_order(gf_node_value(t, y), m, n, depth, left, depth, 1, right, term, column);
    expect_order(gf_node_grad(t, a), m, depth, n, dy, n, 1, right, column, term);
    if (transposed)
      expect_order(gf_node_grad(t, b), n, depth, m, dy, 1, n, left, depth, 1);
    else
      expect_order(gf_node_grad(t, b), depth, n, m, left, 1, depth, dy, n, 1);
  }
}

/* A product without outputs writes nothing; sums of no terms are 0. */
static void check_empty(void) {
  static const size_t sizes[][3] = {{0, 64, 3}, {0, 3, 3}, {3, 0, 3},
                                    {2, 64, 0}, {2, 3, 0}, {70, 70, 0}};
  static float y[70 * 70];
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    size_t m = sizes[i][0], n = sizes[i][1], depth = sizes[i][2];
    for (int mode = GEMM_SET; mode <= GEMM_ADD; mode++) {
      for (int j = 0; j < 70 * 70; j++) y[j] = 7;
      matrix none = matrix_of(y, n);
      gfi_gemm(y, n, m, n, depth, none, none, mode);
      for (size_t j = 0; j < 70 * 70; j++) {
        bool summed = !depth && j < m * n && mode == GEMM_SET;
        EXPECT_NEAR(y[j], summed ? 0 : 7, 0);
      }
    }
  }
}

/* As many terms as wrap to 0 in 32 bits are not few. Where lanes are computed one by one, or sizes have 64
 * bits, this would take long, or tell nothing. */
static void check_many(void) {
#ifdef __wasm_simd128__
  enum { M = 1 << 16, N = 4, DEPTH = 1 << 14 };
  room_reset();
  const float tenth = 0.1f, one = 1;
  float *y = room(M * N * sizeof *y, 0), due = 0;
  gfi_gemm(y, N, M, N, DEPTH, (matrix){&tenth, 0, 0}, (matrix){&one, 0, 0}, GEMM_SET);
  sum_in_order(&due, 1, 1, DEPTH, &tenth, 0, 0, &one, 0, 0);
  for (int i = 0; i < M * N; i++) EXPECT_NEAR(y[i], due, 0);
#endif
}

static void run(void) {
  check_empty();
  check_many();
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

  check_order(1, 700, 9);
  check_order(1, 300, 1100);
  check_order(3, 257, 70);
  check_order(7, 260, 130);
  check_order(66, 5, 33);

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
