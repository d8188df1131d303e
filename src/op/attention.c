/* Scores, weights and mix in one: the weights of a few queries at a time, never all of them. Each
 * number is computed as the named steps compute it, so the bits are theirs. */
#include "gemm.h"
#include "score.h"

enum { Q, K, V, MASK, LENGTHS, AT };

/* Queries whose rows of scores are kept at a time; divides GEMM_BLOCK. */
enum { ROWS = 32 };
/* Queries that are not worth packing keys and values for, as in decoding. */
enum { FEW = 4 };

/* One node's matrices: `count` of queries [m,d], each with keys [n,d] and values [n,e]. */
typedef struct sizes {
  size_t count, group, m, n, d, e;
  size_t heads; /* of queries, in one batch entry */
  bool capped;
  size_t row; /* numbers from row to row of scores: n, rounded up to whole vectors */
} sizes;

static sizes sizes_of(const tensor *const *x, const attributes *a) {
  const tensor *q = x[Q], *k = x[K], *v = x[V];
  sizes s = {.m = (size_t)q->shape[q->rank - 2], .n = (size_t)k->shape[k->rank - 2]};
  s.d = (size_t)last_dimension(q);
  s.e = (size_t)last_dimension(v);
  s.count = q->size / (s.m * s.d);
  s.group = s.count / (k->size / (s.n * s.d));
  s.heads = q->rank > 2 ? (size_t)q->shape[q->rank - 3] : 1;
  s.capped = a->softcap != 0;
  s.row = (s.n + 3) / 4 * 4;
  return s;
}

/* ---- Workspace ---- */

/* What a run writes down beside its result. */
typedef struct workspace {
  gemm_panels keys;        /* k^T */
  gemm_panels values;      /* v */
  float *weights;          /* [ROWS,row]: first scores */
  float *capped;           /* [ROWS,row]: softcapped scores, if there is a cap */
  uint64_t forward;        /* numbers up to here */
  gemm_panels keys_back;   /* k */
  gemm_panels values_back; /* v^T */
  float *gradients;        /* [ROWS,row] */
  float *dk, *dv;          /* [n,d], [n,e]: sums of one block of queries */
} workspace;

static float *take(float *scratch, uint64_t *used, uint64_t rows, uint64_t columns) {
  uint64_t at = *used;
  *used += (rows * columns + 3) / 4 * 4;
  return scratch ? scratch + at : NULL;
}

/* Lays the workspace out in `scratch` and returns how many numbers it needs. */
static uint64_t lay_out(workspace *w, sizes s, float *scratch) {
  uint64_t used = 0, padded = s.n + 8;
  w->keys = (gemm_panels){take(scratch, &used, s.d, padded), s.n, s.d};
  w->values = (gemm_panels){take(scratch, &used, s.n, s.e + 8), s.e, s.n};
  w->weights = take(scratch, &used, ROWS, s.row);
  w->capped = take(scratch, &used, s.capped ? ROWS : 0, s.row);
  w->forward = used;
  w->keys_back = (gemm_panels){take(scratch, &used, s.n, s.d + 8), s.d, s.n};
  w->values_back = (gemm_panels){take(scratch, &used, s.e, padded), s.n, s.e};
  w->gradients = take(scratch, &used, ROWS, s.row);
  w->dk = take(scratch, &used, s.n, s.d);
  w->dv = take(scratch, &used, s.n, s.e);
  return used;
}

/* What a run needs: forward up to the weights, backward all of it. */
static void measure(tensor *y, const tensor *const *x, const attributes *a) {
  workspace w;
  sizes s = sizes_of(x, a);
  y->scratch_backward = lay_out(&w, s, NULL);
  y->scratch_forward = w.forward;
}

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  const tensor *q = x[Q], *k = x[K], *v = x[V];
  if (q->rank < 2 || k->rank != q->rank || v->rank != q->rank) return GF_ESHAPE;
  int heads = q->rank - 3, time = q->rank - 2, width = q->rank - 1;
  for (int i = 0; i < time; i++) {
    bool grouped = i == heads && q->shape[i] % k->shape[i] == 0;
    if (v->shape[i] != k->shape[i] || (q->shape[i] != k->shape[i] && !grouped)) return GF_ESHAPE;
  }
  if (a->factor == 0) return GF_ERANGE;
  if (q->shape[width] != k->shape[width] || k->shape[time] != v->shape[time]) return GF_ESHAPE;
  tensor scores;
  shape_like(&scores, q);
  scores.shape[width] = k->shape[time];
  gf_error error = gfi_mask_check(&scores, x[MASK], x[LENGTHS]);
  if (error) return error;
  if (a->alibi && (q->rank < 3 || (x[AT] && x[AT]->size != 1))) return GF_ESHAPE;
  shape_like(y, q);
  axis_like(y, width, v, width);
  role_like(y, q);
  role_is(y, GF_ROLE_MIX);
  measure(y, x, a);
  if (is_ids(x[MASK])) /* else all add to one gradient */
    y->work = (double)q->size / q->shape[width] * v->shape[width] * k->shape[time];
  return GF_OK;
}

/* ---- Rows of scores ---- */

/* Rows of scores: the first of them, in this matrix and among all, and how many. */
typedef struct rows {
  size_t matrix, first, count;
  size_t keys; /* keys that are gone through */
} rows;

typedef struct run {
  sizes s;
  workspace w;
  const tensor *const *x;
  const attributes *a;
  tensor scores;      /* their shape alone */
  const float *k, *v; /* of the present matrix */
  bool packed;        /* whether keys and values are laid out in panels, as many queries want it */
  bool all;           /* whether keys are gone through that no query sees, too */
} run;

static run run_of(const tensor *y, const tensor *const *x, const attributes *a) {
  run r = {.s = sizes_of(x, a), .x = x, .a = a};
  r.packed = r.s.m > FEW;
  lay_out(&r.w, r.s, y->scratch);
  shape_like(&r.scores, x[Q]);
  r.scores.shape[x[Q]->rank - 1] = (int)r.s.n;
  return r;
}

static mask_row mask_of(const run *r, size_t matrix, size_t query) {
  return gfi_mask_row_of(&r->scores, r->x[MASK], r->x[LENGTHS], r->a, matrix * r->s.m + query);
}

__attribute__((noinline)) static rows rows_of(const run *r, size_t matrix, size_t first,
                                              size_t most) {
  rows c = {.matrix = matrix, .first = first, .count = r->s.m - first};
  if (c.count > most) c.count = most;
  if (r->all) c.keys = r->s.n;
  for (size_t i = 0; i < c.count; i++) {
    size_t keys = mask_of(r, matrix, first + i).keys;
    if (keys > c.keys) c.keys = keys;
  }
  return c;
}

static matrix row_major(const float *p, size_t row) {
  return (matrix){p, row, 1};
}
static matrix transposed(const float *p, size_t row) {
  return (matrix){p, 1, row};
}

static const float *queries_at(const run *r, rows c) {
  return r->x[Q]->value + (c.matrix * r->s.m + c.first) * r->s.d;
}

/* ---- Hidden keys ----
 *
 * What a query does not see has a weight of 0, and 0 times a number is 0: it is left out. But 0 times NaN
 * or inf is NaN, and so say the named steps. Where such numbers may arise, no key is left out. */

/* Of n numbers, in no particular order: NaN or inf if one of them, or the sum, is. */
__attribute__((noinline)) static double sum_of_squares(const float *x, size_t n) {
  f4 a = f4_splat(0), b = a, c = a, d = a; /* four sums, so that none waits for the last */
  size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    a += f4_load(x + i) * f4_load(x + i);
    b += f4_load(x + i + 4) * f4_load(x + i + 4);
    c += f4_load(x + i + 8) * f4_load(x + i + 8);
    d += f4_load(x + i + 12) * f4_load(x + i + 12);
  }
  for (; i < n; i += 4) {
    f4 v = f4_load_n(x + i, n - i, 0);
    a += v * v;
  }
  return f4_sum(a + b + c + d);
}

/* The values that queries of matrix i attend to. */
static const float *values_at(const run *r, size_t i) {
  return r->x[V]->value + i / r->s.group * r->s.n * r->s.e;
}

/* Whether such a value is hidden from some query of matrix i. The first query sees fewest. */
static bool hides_wild_value(const run *r, size_t i) {
  const sizes *s = &r->s;
  if (!r->a->causal && !r->x[LENGTHS]) return false;
  size_t seen = mask_of(r, i, 0).keys;
  double hidden = sum_of_squares(values_at(r, i) + seen * s->e, (s->n - seen) * s->e);
  return !(hidden < (double)__builtin_inff());
}

/* Whether any such number may arise backward. A product of two rows, and each part of its sum, is at most the product
 * of their lengths (Cauchy, Schwarz), so scores and the gradients of weights are far from the end of
 * float32 unless this says otherwise. */
static bool is_wild(const run *r, const tensor *y) {
  const double most = 1e36, f = (double)r->a->factor * r->a->factor;
  const tensor *const *x = r->x;
  double scores = sum_of_squares(x[Q]->value, x[Q]->size) * sum_of_squares(x[K]->value, x[K]->size);
  double weights = sum_of_squares(x[V]->value, x[V]->size) * sum_of_squares(y->grad, y->size);
  if (!(scores * (f > 1 ? f : 1) < most * most && weights < most * most)) return true;
  if (!x[MASK] || is_ids(x[MASK])) return false;
  for (size_t j = 0; j < x[MASK]->size; j++)
    if (!(x[MASK]->value[j] <= (float)most)) return true;
  return false;
}

/* ---- Weights of a few queries ---- */

/* Products become scores: scaled, capped, biased, masked. The row is whole vectors, n numbers; those
 * beyond the keys become -inf. Returns the factor that is still to be applied: a scale alone is left to
 * the softmax, which saves a pass over the row. */
static float finish_scores(const run *r, float *row, size_t n, mask_row mask, float *capped,
                           float slope, float place) {
  bool biased = mask.bias || mask.keep || mask.first;
  float factor = r->a->factor;
  if (factor < 0 || r->s.capped || r->a->alibi || biased) {
    for (size_t j = 0; j < n; j += 4) f4_store(row + j, factor * f4_load(row + j));
    factor = 1;
  }
  if (r->s.capped) {
    for (size_t j = 0; j < n; j += 4)
      f4_store(capped + j, softcap_value(f4_load(row + j), r->a->softcap));
    memcpy(row, capped, n * sizeof *row);
  }
  for (size_t j = 0; r->a->alibi && j < n; j += 4)
    f4_store(row + j, f4_load(row + j) - slope * alibi_distance(place, j));
  for (size_t j = biased ? 0 : mask.keys / 4 * 4; j < n; j += 4)
    f4_store(row + j, mask_apply(f4_load(row + j), mask_added(mask, j, r->s.n - j)));
  return factor;
}

/* Writes the weights of c's queries into the workspace. */
static void weigh(const run *r, rows c) {
  const sizes *s = &r->s;
  matrix queries = row_major(queries_at(r, c), s->d);
  if (r->packed)
    gfi_gemm_packed(r->w.weights, s->row, c.count, c.keys, s->d, queries, r->w.keys, GEMM_SET);
  else
    gfi_gemm(r->w.weights, s->row, c.count, c.keys, s->d, queries, transposed(r->k, s->d),
             GEMM_SET);
  float slope = r->a->alibi ? gfi_alibi_slope(c.matrix % s->heads, s->heads) : 0;
  float at = r->x[AT] ? (float)r->x[AT]->ids[0] : 0;
  for (size_t i = 0; i < c.count; i++) {
    float *row = r->w.weights + i * s->row, place = (float)(c.first + i) + at;
    mask_row mask = mask_of(r, c.matrix, c.first + i);
    size_t n = r->all ? s->row : (mask.keys + 3) / 4 * 4;
    float *capped = r->w.capped + i * s->row;
    gfi_softmax_row(row, row, n, finish_scores(r, row, n, mask, capped, slope, place));
    if (n < c.keys) memset(row + n, 0, (c.keys - n) * sizeof *row);
  }
}

/* Goes over to the keys and values of matrix i, as many as are gone through. `anew`: the last ones are not those of its group. */
static void go_to(run *r, size_t i, size_t keys, bool anew) {
  const sizes *s = &r->s;
  r->k = r->x[K]->value + i / s->group * s->n * s->d;
  r->v = values_at(r, i);
  if (!r->packed || (!anew && i % s->group != 0)) return;
  r->w.keys.n = r->w.values.depth = keys;
  gfi_gemm_pack(r->w.keys, transposed(r->k, s->d));
  gfi_gemm_pack(r->w.values, row_major(r->v, s->e));
}

/* mix = weights v */
static void mix(const run *r, rows c, float *to) {
  const sizes *s = &r->s;
  matrix weights = row_major(r->w.weights, s->row);
  if (!c.keys)
    memset(to, 0, c.count * s->e * sizeof *to);
  else if (r->packed)
    gfi_gemm_packed(to, s->e, c.count, s->e, c.keys, weights, r->w.values, GEMM_SET);
  else
    gfi_gemm(to, s->e, c.count, s->e, c.keys, weights, row_major(r->v, s->e), GEMM_SET);
}

/* y = softmax(mask(factor q k^T)) v */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  run r = run_of(y, x, a);
  const size_t groups = (r.s.m + ROWS - 1) / ROWS;
  const range part = gfi_part_of(y, r.s.count * groups, 1);
  for (size_t g = part.first; g < part.first + part.count; g++) {
    const size_t i = g / groups, first = g % groups * ROWS;
    if (g == part.first || first == 0) {
      r.all = hides_wild_value(&r, i);
      go_to(&r, i, rows_of(&r, i, 0, r.s.m).keys, g == part.first);
    }
    rows c = rows_of(&r, i, first, ROWS);
    weigh(&r, c);
    mix(&r, c, y->value + (i * r.s.m + first) * r.s.e);
  }
}

/* ---- Backward ---- */

/* From the gradients of the weights to those of the products q k^T, in place. */
static void unfinish_scores(const run *r, rows c) {
  const sizes *s = &r->s;
  for (size_t i = 0; i < c.count; i++) {
    const float *weights = r->w.weights + i * s->row, *capped = r->w.capped + i * s->row;
    float *gradients = r->w.gradients + i * s->row;
    mask_row mask = mask_of(r, c.matrix, c.first + i);
    size_t keys = r->all ? c.keys : mask.keys;
    f4 mean = f4_splat(softmax_mean(weights, gradients, keys));
    for (size_t j = 0; j < keys; j += 4) {
      f4 d = f4_load(weights + j) * (f4_load(gradients + j) - mean);
      if (r->all) d = mask_passed(d, mask_added(mask, j, s->n - j));
      f4_store(gradients + j, d);
    }
    if (r->x[MASK]) gfi_mask_backward(mask, r->x[MASK], gradients, keys);
    for (size_t j = 0; j < keys; j += 4) {
      f4 d = f4_load(gradients + j);
      if (r->s.capped) d *= softcap_derivative(d, f4_load(capped + j), r->a->softcap);
      f4_store(gradients + j, r->a->factor * d);
    }
    memset(gradients + keys, 0, (c.keys - keys) * sizeof *gradients);
  }
}

static void add(float *to, const float *from, size_t n) {
  F4_FOR(i, left, n, f4_add_n(to + i, f4_load_n(from + i, left, 0), left););
}

/* One matrix of queries, given its panels. */
static void backward_matrix(const run *r, const tensor *y, size_t i, size_t keys) {
  const sizes *s = &r->s;
  const workspace *w = &r->w;
  size_t kv = i / s->group;
  float *dq = r->x[Q]->grad, *dk = r->x[K]->grad, *dv = r->x[V]->grad;
  for (size_t first = 0; first < s->m; first += ROWS) {
    rows c = rows_of(r, i, first, ROWS);
    const float *dy = y->grad + (i * s->m + first) * s->e;
    if (first % GEMM_BLOCK == 0) {
      memset(w->dk, 0, keys * s->d * sizeof *w->dk);
      memset(w->dv, 0, keys * s->e * sizeof *w->dv);
    }
    weigh(r, c);
    /* mix = weights v  =>  dweights = dmix v^T, dv += weights^T dmix */
    gfi_gemm_packed(w->gradients, s->row, c.count, c.keys, s->e, row_major(dy, s->e),
                    w->values_back, GEMM_SET);
    if (dv)
      gfi_gemm(w->dv, s->e, c.keys, s->e, c.count, transposed(w->weights, s->row),
               row_major(dy, s->e), GEMM_CONTINUE);
    unfinish_scores(r, c);
    /* x = q k^T  =>  dq += dx k, dk += dx^T q */
    if (dq)
      gfi_gemm_packed(dq + (i * s->m + first) * s->d, s->d, c.count, s->d, c.keys,
                      row_major(w->gradients, s->row), w->keys_back, GEMM_ADD);
    if (dk)
      gfi_gemm(w->dk, s->d, c.keys, s->d, c.count, transposed(w->gradients, s->row),
               row_major(queries_at(r, c), s->d), GEMM_CONTINUE);
    size_t next = first + c.count;
    if (next % GEMM_BLOCK != 0 && next < s->m) continue;
    if (dk) add(dk + kv * s->n * s->d, w->dk, keys * s->d);
    if (dv) add(dv + kv * s->n * s->e, w->dv, keys * s->e);
  }
}

/* y = softmax(mask(factor q k^T)) v  =>  as the named steps say, one after the other */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  run r = run_of(y, x, a);
  const sizes *s = &r.s;
  r.all = (a->causal || x[MASK] || x[LENGTHS]) && is_wild(&r, y);
  const range part = gfi_part_of(y, s->count, s->group); /* they add to one dk */
  for (size_t i = part.first; i < part.first + part.count; i++) {
    size_t keys = rows_of(&r, i, 0, s->m).keys;
    go_to(&r, i, keys, false);
    if (i % s->group == 0) {
      r.w.keys_back.depth = r.w.values_back.n = keys;
      gfi_gemm_pack(r.w.keys_back, row_major(r.k, s->d));
      gfi_gemm_pack(r.w.values_back, transposed(r.v, s->e));
    }
    backward_matrix(&r, y, i, keys);
  }
}

const op gfi_op_attention = {OP_attention, shape, forward, backward};

static int build(gf_tape *t, int q, int k, int v, const gf_attention_config *c, int window,
                 const char *name) {
  if (!c) return gfi_refuse_null(t, &gfi_op_attention, name, "config");
  attributes a = {.factor = c->scale,
                  .causal = c->causal,
                  .offset = c->offset,
                  .alibi = c->alibi,
                  .softcap = c->softcap};
  a.window = window;
  int at = c->alibi ? c->at : GF_NONE;
  return gfi_push(t, &gfi_op_attention, (int[]){q, k, v, c->mask, c->lengths, at}, a, name);
}

/* The steps from scores to mix as one node.
 *   q [...,H,Tq,D], k [...,G,Tk,D], v [...,G,Tk,Dv]  ->  y [...,H,Tq,Dv]
 *   y = softmax(mask(scale q k^T)) v
 * c: causal, offset, mask, lengths, alibi, at, softcap and scale count, the rest is not read; scale is
 * finite and not 0, softcap >= 0.  Rank 2 to 4, with alibi or lengths at least 3.
 * Gradient: that of the steps.  Dao et al. 2022 for the idea of never holding all weights. */
int gf_fused_attention(gf_tape *t, int q, int k, int v, const gf_attention_config *c,
                       const char *name) {
  return build(t, q, k, v, c, 0, name);
}

/* The same through a window, as gf_mask_window has it. */
int gf_fused_attention_window(gf_tape *t, int q, int k, int v, const gf_attention_config *c,
                              int window, const char *name) {
  return build(t, q, k, v, c, window, name);
}
