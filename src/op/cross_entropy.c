#include "op.h"
#include "row.h"

/* One number per row: the shape without the last dimension, or [1]. */
static void shape_of_rows(tensor *y, const tensor *x) {
  shape_like(y, x);
  axis_is(y, --y->rank, 1, 0);
  if (!y->rank) y->rank = 1;
}

static kernel forward_end;

static gf_error shape(tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *logits = operand[0], *target = operand[1], *weight = operand[2];
  if (weight && (weight->rank != 1 || weight->shape[0] != last_dimension(logits))) return GF_ESHAPE;
  shape_of_rows(y, logits);
  if (!same_shape(target, is_ids(target) ? y : logits)) return GF_ESHAPE;
  y->rows = is_ids(target) ? last_dimension(logits) : 0;
  if (a->reduction != GF_EACH) {
    y->rank = 1;
    axis_is(y, 0, 1, 0);
  }
  role_is(y, GF_ROLE_LOSS);
  y->forward_end = forward_end;
  y->notes_size = (uint64_t)row_count(logits);
  y->work = (double)logits->size * WORK_CURVED;
  return GF_OK;
}

/* One row's distribution q: the target smoothed, times the class weights. */
typedef struct row {
  const float *logits;
  const float *given;  /* probabilities, or NULL */
  size_t target;       /* the id, if there are no probabilities */
  const float *weight; /* of each class, or NULL */
  bool ignored;
} row;

static row row_of(const tensor *const *operand, const attributes *a, size_t r) {
  const tensor *logits = operand[0], *target = operand[1], *weight = operand[2];
  size_t n = (size_t)last_dimension(logits);
  row out = {.logits = logits->value + r * n, .weight = weight ? weight->value : NULL};
  if (is_ids(target)) {
    out.target = row_of_id(target, r, last_dimension(logits));
    out.ignored = target->ids[r] == a->ignore_index;
  } else
    out.given = target->value + r * n;
  return out;
}

static f4 weight_at(row r, size_t j, size_t n) {
  return r.weight ? f4_load_n(r.weight + j, n - j, 0) : f4_splat(1);
}

/* w_j q_j: q is the target's distribution, (1 - smoothing) of it kept, the rest spread evenly. */
static f4 wanted(row r, size_t j, size_t n, float smoothing) {
  f4 q = f4_splat(0);
  if (r.given)
    q = f4_load_n(r.given + j, n - j, 0);
  else if (r.target - j < 4)
    q[r.target - j] = 1;
  q = (1 - smoothing) * q + smoothing / (float)n;
  return weight_at(r, j, n) * q;
}

/* Zeroes the lanes past the row's end. */
static f4 inside(f4 x, size_t left) {
  for (size_t i = left; i < 4; i++) x[i] = 0;
  return x;
}

/* What the mean divides by: the weights of the targets that count, or the rows of probabilities. */
static double denominator(const tensor *const *operand, const attributes *a) {
  const tensor *logits = operand[0];
  double sum = 0;
  for (size_t r = 0; r < row_count(logits); r++) {
    row w = row_of(operand, a, r);
    if (w.ignored) continue;
    sum += w.weight && !w.given ? w.weight[w.target] : 1;
  }
  return sum;
}

/* loss = - sum_j w_j q_j log softmax(x)_j, of some rows */
static void forward(const tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *logits = operand[0];
  size_t n = (size_t)last_dimension(logits);
  const range part = gfi_part_of(y, row_count(logits), 1);
  for (size_t i = part.first; i < part.first + part.count; i++) {
    row r = row_of(operand, a, i);
    f4 sum = f4_splat(0);
    if (!r.ignored) {
      log_sum all = row_log_sum_exp(r.logits, n);
      for (size_t j = 0; j < n; j += 4) {
        f4 q = wanted(r, j, n, a->smoothing);
        f4 share = log_share(f4_load_n(r.logits + j, n - j, 0), all);
        /* What is not wanted at all costs nothing, were it impossible too: 0 times infinity. */
        i4 free = (q == 0.0f) & (share == minus_infinity);
        sum += inside(f4_select(free, f4_splat(0), q * -share), n - j);
      }
    }
    y->notes[i] = f4_sum(sum);
  }
}

/* The losses of all rows, or their sum, or its share of each; short, so one part does it. */
static void forward_end(const tensor *y, const tensor *const *operand, const attributes *a) {
  if (!gfi_part_of(y, 1, 1).count) return;
  double total = 0;
  for (size_t i = 0; i < row_count(operand[0]); i++) {
    if (a->reduction == GF_EACH) y->value[i] = y->notes[i];
    total += y->notes[i];
  }
  if (a->reduction == GF_SUM) y->value[0] = (float)total;
  if (a->reduction == GF_MEAN) {
    y->value[0] = (float)(total / denominator(operand, a)); /* of nothing: 0 / 0 */
  }
}

/* loss = - sum_j w_j q_j log p_j, p = softmax(x)  =>  dx_j += dloss (p_j sum_k w_k q_k - w_j q_j) */
static void backward(const tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *logits = operand[0];
  if (!logits->grad) return;
  size_t n = (size_t)last_dimension(logits);
  double count = a->reduction == GF_MEAN ? denominator(operand, a) : 1;
  const range part = gfi_part_of(y, row_count(logits), 1);
  for (size_t i = part.first; i < part.first + part.count; i++) {
    row r = row_of(operand, a, i);
    if (r.ignored) continue;
    log_sum terms = row_log_sum_exp(r.logits, n);
    f4 sum = f4_splat(0);
    for (size_t j = 0; j < n; j += 4) sum += inside(wanted(r, j, n, a->smoothing), n - j);
    f4 all = f4_splat(f4_sum(sum));
    double dy = y->grad[a->reduction == GF_EACH ? i : 0];
    f4 dloss = f4_splat((float)(dy / count));
    for (size_t j = 0; j < n; j += 4) {
      f4 p = f4_exp(log_share(f4_load_n(r.logits + j, n - j, 0), terms));
      f4_add_n(logits->grad + i * n + j, dloss * (p * all - wanted(r, j, n, a->smoothing)), n - j);
    }
  }
}

const op gfi_op_cross_entropy = {OP_cross_entropy, shape, forward, backward};

/* Cross entropy of logits against targets.
 *   logits [...,V]; targets: ids [...], or float32 probabilities [...,V]; weights [V] or GF_NONE
 *   ->  y [1], or [...] for GF_EACH      loss = - sum_j w_j q_j log softmax(logits)_j
 * q is 1 at the target (or the given probabilities), smoothed: (1 - smoothing) q + smoothing / V.
 * reduction: GF_MEAN, GF_SUM, GF_EACH.  The mean divides by the sum of the targets' weights, or by the
 * rows if targets are probabilities.  A target equal to ignore_index counts for nothing; of nothing
 * but those the mean is 0.  0 <= smoothing <= 1.  As torch.nn.CrossEntropyLoss.
 * Gradient: dlogits_j += dloss (p_j sum_k w_k q_k - w_j q_j), p = softmax(logits); none for targets.
 * Szegedy et al. 2016, section 7, for the smoothing. */
int gf_cross_entropy(gf_tape *t, int logits, int targets, int weights, int reduction,
                     int ignore_index, float smoothing, const char *name) {
  attributes a = {.reduction = reduction, .ignore_index = ignore_index, .smoothing = smoothing};
  return gfi_push(t, &gfi_op_cross_entropy, (int[]){logits, targets, weights}, a, name);
}
