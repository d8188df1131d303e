#include "op.h"
#include "gemm.h"
#include "patch.h"
#include "stored.h"

/* With at most so many rows of a, a b that stays as it is is copied once, into the order in which it is read. */
enum { FEW = 3 };

/* Scores have an axis of queries and one of keys; a mixture is of queries, which are tokens. */
static void describe(tensor *y, const tensor *a, bool transposed) {
  uint8_t *columns = &y->about.axes[y->rank - 1], *rows = columns - 1;
  if (a->about.role == GF_ROLE_QUERY && transposed) {
    role_is(y, GF_ROLE_SCORE);
    removed_by(y, GF_REMOVE_SCORES, GF_NONE);
    *rows = GF_AXIS_QUERY;
    *columns = GF_AXIS_KEY;
    y->about.heads = a->about.heads;
  }
  if (a->about.role == GF_ROLE_WEIGHT && !transposed) {
    role_is(y, GF_ROLE_MIX);
    removed_by(y, GF_REMOVE_MIX, 1);
    *rows = GF_AXIS_TOKEN;
    y->about.heads = a->about.heads;
  }
}

/* attributes->transposed: b is [...,N,K] instead of [...,K,N]. Grouped heads: where a has H matrices, b may
 * have fewer, each for H / theirs neighbours of a's. A b of rank 2 meets all of a's rows. */
static gf_error shape(tensor *y, const tensor *const *x, const attributes *attributes) {
  const tensor *a = x[0], *b = x[1];
  if (a->rank < 2 || b->rank < 2 || (b->rank != a->rank && b->rank != 2)) return GF_ESHAPE;
  for (int i = 0; i < b->rank - 2; i++) {
    bool grouped = i == a->rank - 3 && a->shape[i] % b->shape[i] == 0;
    if (a->shape[i] != b->shape[i] && !grouped) return GF_ESHAPE;
  }
  int rows = b->shape[b->rank - 2], columns = b->shape[b->rank - 1];
  int depth = attributes->transposed ? columns : rows, n = attributes->transposed ? rows : columns;
  if (last_dimension(a) != depth) return GF_ESHAPE;
  if (is_stored(b) && b->along != attributes->transposed) return GF_ENODE;
  shape_like(y, a);
  axis_like(y, y->rank - 1, b, b->rank - (attributes->transposed ? 2 : 1));
  describe(y, a, attributes->transposed);
  if (a != b) y->work = (double)a->size * n; /* else both gradients are the same numbers */
  if (attributes->transposed && b->rank == 2 && a->size / (size_t)depth <= FEW)
    y->layout_size = 4 + (uint64_t)n * (uint64_t)depth;
  return GF_OK;
}

/* One pair of matrices out of the batch: y [m,n], a [m,depth], b [depth,n] or its transpose. */
typedef struct sizes {
  size_t batch, m, n, depth;
  size_t group; /* matrices of a that share one of b */
} sizes;

static sizes sizes_of(const tensor *y, const tensor *const *x) {
  size_t n = (size_t)last_dimension(y), depth = (size_t)last_dimension(x[0]);
  size_t m = x[1]->rank == 2 ? y->size / n : (size_t)y->shape[y->rank - 2];
  size_t batch = y->size / (m * n);
  return (sizes){batch, m, n, depth, batch / (x[1]->size / (depth * n))};
}

/* y = a b^T by a layout of b, which is made the first time: its first number tells when all of it is. */
static void forward_laid_out(const tensor *y, const tensor *const *x, sizes s) {
  const range c = gfi_part_of(y, s.n, GEMM_STRIP);
  float *strips = y->layout + 4 + c.first * s.depth;
  if (y->layout[0] == 0) {
    gfi_gemm_lay_out(strips, c.count, s.depth, x[1]->value + c.first * s.depth);
    if (c.first + c.count == s.n) y->layout[0] = 1;
  }
  gfi_gemm_strips(y->value + c.first, s.n, s.m, c.count, s.depth, matrix_of(x[0]->value, s.depth),
                  strips);
}

/* Of a batch, some pairs of matrices, which go together by the `unit`. */
static inline range pairs_of(const tensor *y, sizes s, size_t unit) {
  return s.batch > 1 ? gfi_part_of(y, s.batch, unit) : (range){0, 1};
}
/* Of a single pair, some of the m x n numbers of y, or of a gradient. */
static inline patches patches_of(const tensor *y, sizes s, size_t m, size_t n) {
  return gfi_patches(s.batch > 1 ? NULL : y, m, n);
}

/* y = a b, or y = a b^T: of matrix i, some numbers */
static void multiply(const tensor *y, const tensor *const *x, sizes s, size_t i, bool transposed) {
  const float *b = x[1]->value + i / s.group * s.depth * s.n;
  patches all = patches_of(y, s, s.m, s.n);
  for (patch p; gfi_next_patch(&all, &p);) {
    const size_t c = p.columns.first, row = i * s.m + p.rows.first;
    gfi_gemm(y->value + row * s.n + c, s.n, p.rows.count, p.columns.count, s.depth,
             matrix_of(x[0]->value + row * s.depth, s.depth),
             transposed ? matrix_transposed(b + c * s.depth, s.depth) : matrix_of(b + c, s.n),
             GEMM_SET);
  }
}

/* y = a b, or y = a b^T */
static void forward(const tensor *y, const tensor *const *x, const attributes *attributes) {
  sizes s = sizes_of(y, x);
  if (y->layout) {
    forward_laid_out(y, x, s);
    return;
  }
  if (is_stored(x[1])) {
    gfi_stored_product(y, s.m, x[0]->value, stored_of(x[1]), NULL);
    return;
  }
  const range pairs = pairs_of(y, s, 1);
  for (size_t i = pairs.first; i < pairs.first + pairs.count; i++)
    multiply(y, x, s, i, attributes->transposed);
}

/* da += dy b^T, or da += dy b: of matrix i, some numbers */
static void backward_a(const tensor *y, const tensor *const *x, sizes s, size_t i,
                       bool transposed) {
  const float *b = x[1]->value + i / s.group * s.depth * s.n;
  patches all = patches_of(y, s, s.m, s.depth);
  for (patch p; gfi_next_patch(&all, &p);) {
    const size_t k = p.columns.first, row = i * s.m + p.rows.first;
    float *da = x[0]->grad + row * s.depth;
    const float *dy = y->grad + row * s.n;
    if (is_stored(x[1]))
      gfi_stored_product_back(da, p.rows.count, dy, stored_of(x[1]), p.columns);
    else
      gfi_gemm(da + k, s.depth, p.rows.count, p.columns.count, s.n, matrix_of(dy, s.n),
               transposed ? matrix_of(b + k, s.depth) : matrix_transposed(b + k * s.n, s.n),
               GEMM_ADD);
  }
}

/* db += a^T dy, or db += dy^T a: of matrix i, some numbers */
static void backward_b(const tensor *y, const tensor *const *x, sizes s, size_t i,
                       bool transposed) {
  const size_t m = transposed ? s.n : s.depth, n = transposed ? s.depth : s.n;
  const float *a = x[0]->value + i * s.m * s.depth, *dy = y->grad + i * s.m * s.n;
  const float *left = transposed ? dy : a, *right = transposed ? a : dy;
  float *db = x[1]->grad + i / s.group * m * n;
  patches all = patches_of(y, s, m, n);
  for (patch p; gfi_next_patch(&all, &p);)
    gfi_gemm(db + p.rows.first * n + p.columns.first, n, p.rows.count, p.columns.count, s.m,
             matrix_transposed(left + p.rows.first, m), matrix_of(right + p.columns.first, n),
             GEMM_ADD);
}

/* y = a b    =>  da += dy b^T, db += a^T dy
 * y = a b^T  =>  da += dy b,   db += dy^T a */
static void backward(const tensor *y, const tensor *const *x, const attributes *attributes) {
  sizes s = sizes_of(y, x);
  const range pairs = pairs_of(y, s, s.group); /* they add to one db */
  for (size_t i = pairs.first; i < pairs.first + pairs.count; i++) {
    if (x[0]->grad) backward_a(y, x, s, i, attributes->transposed);
    if (x[1]->grad) backward_b(y, x, s, i, attributes->transposed);
  }
}

const op gfi_op_matmul = {OP_matmul, shape, forward, backward};

/* Multiplies matrices, one pair per leading index.
 *   a [...,M,K], b [...,K,N]  ->  y [...,M,N]   y = a b
 * The leading dimensions are equal, but b may have fewer heads, the last of them: if a has H and b G
 * of them, G divides H, and head h of a meets head h / (H / G) of b (grouped-query attention).
 * Gradient: da += dy b^T, db += a^T dy. */
int gf_matmul(gf_tape *t, int a, int b, const char *name) {
  return gfi_push(t, &gfi_op_matmul, (int[]){a, b}, (attributes){0}, name);
}

/* Multiplies each query with each key.
 *   a [...,M,K], b [...,N,K]  ->  y [...,M,N]   y = a b^T
 * Not scaled: see gf_scale.  Gradient: da += dy b, db += dy^T a.  Vaswani et al. 2017, eq. 1. */
int gf_matmul_transposed(gf_tape *t, int a, int b, const char *name) {
  return gfi_push(t, &gfi_op_matmul, (int[]){a, b}, (attributes){.transposed = 1}, name);
}
