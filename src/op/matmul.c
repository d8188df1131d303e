#include "op.h"
#include "gemm.h"
#include "stored.h"

/* For so few rows it pays to lay a b out once that stays as it is, in the order in which it is read. */
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

/* a->transposed: b is [...,N,K] instead of [...,K,N]. Grouped heads: where a has H matrices, b may
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
  if (a != b) y->work = depth; /* else both gradients are the same numbers */
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
  const range c = part_of(y, s.n, GEMM_STRIP);
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
  return s.batch > 1 ? part_of(y, s.batch, unit) : (range){0, 1};
}
/* Of a single pair, some columns out of n. */
static inline range columns_of(const tensor *y, sizes s, size_t n) {
  return s.batch > 1 ? (range){0, n} : part_of(y, n, GEMM_GROUP);
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
  const range pairs = pairs_of(y, s, 1), c = columns_of(y, s, s.n);
  for (size_t i = pairs.first; i < pairs.first + pairs.count; i++) {
    matrix a = matrix_of(x[0]->value + i * s.m * s.depth, s.depth);
    const float *b = x[1]->value + i / s.group * s.depth * s.n;
    gfi_gemm(y->value + i * s.m * s.n + c.first, s.n, s.m, c.count, s.depth, a,
             attributes->transposed ? matrix_transposed(b + c.first * s.depth, s.depth)
                                    : matrix_of(b + c.first, s.n),
             GEMM_SET);
  }
}

/* y = a b    =>  da += dy b^T, db += a^T dy
 * y = a b^T  =>  da += dy b,   db += dy^T a */
static void backward(const tensor *y, const tensor *const *x, const attributes *attributes) {
  sizes s = sizes_of(y, x);
  bool transposed = attributes->transposed;
  const range pairs = pairs_of(y, s, s.group); /* they add to one db */
  const range k = columns_of(y, s, s.depth), c = columns_of(y, s, s.n);
  if (is_stored(x[1])) {
    if (x[0]->grad) gfi_stored_product_back(x[0]->grad, s.m, y->grad, stored_of(x[1]), k);
    return;
  }
  for (size_t i = pairs.first; i < pairs.first + pairs.count; i++) {
    const size_t at_a = i * s.m * s.depth, at_b = i / s.group * s.depth * s.n;
    const size_t at_c = at_b + (transposed ? c.first * s.depth : c.first);
    const float *dy = y->grad + i * s.m * s.n, *a = x[0]->value + at_a, *b = x[1]->value + at_b;
    if (x[0]->grad)
      gfi_gemm(x[0]->grad + at_a + k.first, s.depth, s.m, k.count, s.n, matrix_of(dy, s.n),
               transposed ? matrix_of(b + k.first, s.depth)
                          : matrix_transposed(b + k.first * s.n, s.n),
               GEMM_ADD);
    if (!x[1]->grad) continue;
    if (transposed)
      gfi_gemm(x[1]->grad + at_c, s.depth, c.count, s.depth, s.m,
               matrix_transposed(dy + c.first, s.n), matrix_of(a, s.depth), GEMM_ADD);
    else
      gfi_gemm(x[1]->grad + at_c, s.n, s.depth, c.count, s.m, matrix_transposed(a, s.depth),
               matrix_of(dy + c.first, s.n), GEMM_ADD);
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
