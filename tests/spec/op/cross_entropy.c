#include "harness.h"

#include <math.h>
#include <string.h>

typedef struct loss {
  int rows, classes;
  bool probabilities; /* as targets, instead of ids */
  bool weighted;
  int reduction, ignore;
  float smoothing;
} loss;

static int build(gf_tape *t, const int *x, const void *at) {
  const loss *s = at;
  int y = gf_cross_entropy(t, x[0], x[1], s->weighted ? x[2] : GF_NONE, s->reduction, s->ignore,
                           s->smoothing, "y");
  EXPECT_NEAR(gf_node_attribute(t, y, "reduction"), s->reduction, 0);
  EXPECT_NEAR(gf_node_attribute(t, y, "ignore_index"), s->ignore, 0);
  EXPECT_NEAR(gf_node_attribute(t, y, "smoothing"), s->smoothing, 0);
  return y;
}

static double log_sum_exp(const double *row, int n) {
  double max = -INFINITY, total = 0;
  for (int j = 0; j < n; j++) max = fmax(max, row[j]);
  for (int j = 0; j < n; j++) total += exp(row[j] - max);
  return max + log(total);
}

/* As PyTorch tells it, save that a class which is not wanted at all may have any probability, 0 too. */
static void reference(const double *const *x, double *y, const void *at) {
  const loss *s = at;
  const double *weight = s->weighted ? x[2] : NULL;
  double total = 0, count = 0, kept = 1 - (double)s->smoothing;
  for (int r = 0; r < s->rows; r++) {
    const double *row = x[0] + r * s->classes;
    const double *q = s->probabilities ? x[1] + r * s->classes : NULL;
    double each = 0, from = log_sum_exp(row, s->classes);
    bool ignored = !q && x[1][r] == s->ignore;
    for (int j = 0; j < s->classes && !ignored; j++) {
      double wanted = kept * (q ? q[j] : j == x[1][r]) + (double)s->smoothing / s->classes;
      double share = (weight ? weight[j] : 1) * wanted, surprise = from - row[j];
      if (share != 0 || !isinf(surprise)) each += share * surprise;
    }
    if (!ignored) count += q || !weight ? 1 : weight[(int)x[1][r]];
    if (s->reduction == GF_EACH) y[r] = each;
    total += each;
  }
  if (s->reduction == GF_SUM) y[0] = total;
  if (s->reduction == GF_MEAN) y[0] = total / count;
}

/* Random targets for logits whose last dimension is the classes. */
static void try_logits(loss s, operand logits) {
  double targets[600];
  trial c = {.operands = {logits}, .at = &s, .build = build, .reference = reference};
  operand *target = &c.operands[1];
  int rank = 0;
  while (rank < GF_MAX_RANK && logits.shape[rank]) rank++;
  for (int i = 0; i < rank; i++) target->shape[i] = logits.shape[i];
  if (s.probabilities) {
    target->high = 1;
    target->constant = true;
  } else {
    target->shape[rank - 1] = rank == 1;
    target->ids = true;
    target->given = targets;
    for (int r = 0; r < s.rows; r++) {
      targets[r] = random_between(0, 1) < 0.2 ? s.ignore : floor(random_between(0, s.classes));
    }
  }
  if (s.weighted) {
    c.operands[2] = (operand){.shape = {s.classes}, .low = 0.2, .high = 2, .constant = true};
  }
  check(&c);
}

/* Every reduction, every kind of target, with and without weights and smoothing. */
static void try_all(int rows, int classes, operand logits) {
  static const float smoothings[] = {0, 0.1f, 1};
  for (int i = 0; i < 3 * 2 * 2 * 3; i++) {
    loss s = {.rows = rows, .classes = classes, .ignore = GF_IGNORE};
    s.reduction = i % 3;
    s.probabilities = i / 3 % 2;
    s.weighted = i / 6 % 2;
    s.smoothing = smoothings[i / 12];
    try_logits(s, logits);
  }
}

/* The loss [rows] of logits [rows,V] with ids for targets, forth and back with dy = 1. */
typedef struct outcome {
  float y[8], dlogits[40];
} outcome;

static outcome losses(int rows, int classes, const float *logits, const int32_t *targets,
                      const float *weights, int reduction, float smoothing) {
  outcome out = {0};
  room_reset();
  gf_tape *t = new_tape();
  int x = IN(t, rows, classes), ids = IDS(t, rows), w = IN(t, classes);
  int y = gf_cross_entropy(t, x, ids, weights ? w : GF_NONE, reduction, GF_IGNORE, smoothing, "y");
  place(t);
  size_t size = (size_t)gf_node_size(t, y);
  memcpy(gf_node_value(t, x), logits, (size_t)(rows * classes) * sizeof *logits);
  memcpy(gf_node_ids(t, ids), targets, (size_t)rows * sizeof *targets);
  if (weights) memcpy(gf_node_value(t, w), weights, (size_t)classes * sizeof *weights);
  for (size_t i = 0; i < size; i++) gf_node_grad(t, y)[i] = 1;
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  memcpy(out.y, gf_node_value(t, y), size * sizeof *out.y);
  memcpy(out.dlogits, gf_node_grad(t, x), (size_t)(rows * classes) * sizeof *out.dlogits);
  return out;
}

/* Where no target counts, because all are ignored or weigh nothing, there is no loss, and no mean of
 * losses: 0 / 0. What torch.nn.functional.cross_entropy says of the same numbers: the gradients of
 * ignored rows are 0, those of a mean of rows that weigh nothing NaN. */
static void expect_nothing(outcome out, int reduction, bool ignored) {
  for (int i = 0; i < 2; i++) {
    if (reduction == GF_MEAN && i == 0)
      EXPECT(isnan(out.y[i]));
    else
      EXPECT_NEAR(out.y[i], 0, 0);
  }
  for (int i = 0; i < 10; i++) {
    if (reduction == GF_MEAN && !ignored)
      EXPECT(isnan(out.dlogits[i]));
    else
      EXPECT_NEAR(out.dlogits[i], 0, 0);
  }
}

static void check_nothing(void) {
  static const float logits[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 9}, weights[] = {1, 0, 0, 1, 1};
  static const int32_t ignored[] = {GF_IGNORE, GF_IGNORE}, weightless[] = {1, 2};
  for (int reduction = GF_MEAN; reduction <= GF_EACH; reduction++) {
    expect_nothing(losses(2, 5, logits, ignored, NULL, reduction, 0), reduction, true);
    expect_nothing(losses(2, 5, logits, ignored, weights, reduction, 0.3f), reduction, true);
    expect_nothing(losses(2, 5, logits, weightless, weights, reduction, 0), reduction, false);
  }
}

/* A class that is masked and not wanted costs nothing and gets no gradient. */
static void check_masked(void) {
  const float logits[] = {1, -INFINITY, 2, -INFINITY, 0.5f};
  outcome out = losses(1, 5, logits, (const int32_t[]){2}, NULL, GF_MEAN, 0);
  double total = exp(1) + exp(2) + exp(0.5);
  EXPECT_NEAR(out.y[0], log(total) - 2, 1e-6);
  for (int j = 0; j < 5; j++) {
    EXPECT_NEAR(out.dlogits[j], exp((double)logits[j]) / total - (j == 2), 1e-6);
  }
}

/* Numbers from a table of logarithms: V classes alike cost log V, a sure one nothing, a wrong one the
 * distance. */
static void check_known(void) {
  const int32_t first = 0;
  EXPECT_NEAR(losses(1, 5, (const float[]){7, 7, 7, 7, 7}, &first, NULL, GF_MEAN, 0).y[0],
              1.60943791, 1e-6);
  EXPECT_NEAR(losses(1, 2, (const float[]){100, -100}, &first, NULL, GF_MEAN, 0).y[0], 0, 0);
  EXPECT_NEAR(losses(1, 2, (const float[]){-100, 100}, &first, NULL, GF_MEAN, 0).y[0], 200, 1e-4);
}

/* One loss per row, in the shape of the rows. */
static void check_shapes(void) {
  static const int expected[][GF_MAX_RANK] = {
      {1, 1, 1, 1}, {2, 1, 1, 1}, {2, 3, 1, 1}, {2, 3, 4, 1}};
  for (int rank = 1; rank <= GF_MAX_RANK; rank++) {
    room_reset();
    gf_tape *t = new_tape();
    int shape[] = {2, 3, 4, 1}, rows = rank > 1 ? rank - 1 : 1;
    int ids = gf_ids(t, rows, rank > 1 ? shape : shape + 3, "ids");
    shape[rank - 1] = 7;
    int x = gf_input(t, rank, shape, "x");
    int y = gf_cross_entropy(t, x, ids, GF_NONE, GF_EACH, GF_IGNORE, 0, "y");
    int mean = gf_cross_entropy(t, x, ids, GF_NONE, GF_MEAN, GF_IGNORE, 0, "mean");
    EXPECT_INT(gf_node_rank(t, y), rows);
    EXPECT_INT(gf_node_rank(t, mean), 1);
    EXPECT_INT(gf_node_size(t, mean), 1);
    for (int i = 0; i < GF_MAX_RANK; i++) {
      EXPECT_INT(gf_node_shape(t, y)[i], expected[rank - 1][i]);
    }
  }
}

/* Logits [3,4] and ids [3], with one argument changed. */
static int bad(gf_tape *t, int logits, int targets, int weights, int reduction, float smoothing) {
  return gf_cross_entropy(t, logits, targets, weights, reduction, GF_IGNORE, smoothing, "bad");
}

static void check_refusals(void) {
  REFUSES(GF_ESHAPE, bad(t, IN(t, 3, 4), IDS(t, 4), GF_NONE, GF_MEAN, 0));
  REFUSES(GF_ESHAPE, bad(t, IN(t, 3, 4), IDS(t, 3, 4), GF_NONE, GF_MEAN, 0));
  REFUSES(GF_ESHAPE, bad(t, IN(t, 3, 4), IDS(t, 1, 3), GF_NONE, GF_MEAN, 0));
  REFUSES(GF_ESHAPE, bad(t, IN(t, 2, 3, 4), IDS(t, 6), GF_NONE, GF_MEAN, 0));
  REFUSES(GF_ESHAPE, bad(t, IN(t, 2, 3, 4), IDS(t, 3, 2), GF_NONE, GF_MEAN, 0));
  REFUSES(GF_ESHAPE, bad(t, IN(t, 4), IDS(t, 4), GF_NONE, GF_MEAN, 0));
  REFUSES(GF_ESHAPE, bad(t, IN(t, 1, 4), IDS(t, (1 << 30) + 1), GF_NONE, GF_MEAN, 0));
  REFUSES(GF_ESHAPE, bad(t, IN(t, 3, 4), IN(t, 3), GF_NONE, GF_MEAN, 0));
  REFUSES(GF_ESHAPE, bad(t, IN(t, 3, 4), IN(t, 4, 3), GF_NONE, GF_MEAN, 0));
  REFUSES(GF_ESHAPE, bad(t, IN(t, 1, 4), IN(t, 4), GF_NONE, GF_MEAN, 0));
  REFUSES(GF_ESHAPE, bad(t, IN(t, 3, 4), IDS(t, 3), IN(t, 3), GF_MEAN, 0));
  REFUSES(GF_ESHAPE, bad(t, IN(t, 3, 4), IDS(t, 3), IN(t, 4, 1), GF_MEAN, 0));
  REFUSES(GF_ENODE, bad(t, IDS(t, 3, 4), IDS(t, 3), GF_NONE, GF_MEAN, 0));
  REFUSES(GF_ENODE, bad(t, IN(t, 3, 4), IDS(t, 3), IDS(t, 4), GF_MEAN, 0));
  REFUSES(GF_ENODE, bad(t, GF_NONE, IDS(t, 3), GF_NONE, GF_MEAN, 0));
  REFUSES(GF_ENODE, bad(t, IN(t, 3, 4), GF_NONE, GF_NONE, GF_MEAN, 0));
  REFUSES(GF_ENODE, bad(t, IN(t, 3, 4), IDS(t, 3), 9, GF_MEAN, 0));
  REFUSES(GF_ERANGE, bad(t, IN(t, 3, 4), IDS(t, 3), GF_NONE, 3, 0));
  REFUSES(GF_ERANGE, bad(t, IN(t, 3, 4), IDS(t, 3), GF_NONE, -1, 0));
  REFUSES(GF_ERANGE, bad(t, IN(t, 3, 4), IDS(t, 3), GF_NONE, GF_MEAN, -0.1f));
  REFUSES(GF_ERANGE, bad(t, IN(t, 3, 4), IDS(t, 3), GF_NONE, GF_MEAN, 1.1f));
  REFUSES(GF_ERANGE, bad(t, IN(t, 3, 4), IDS(t, 3), GF_NONE, GF_MEAN, NAN));
}

static void run(void) {
  for (const int *n = tails; *n; n++) try_all(3, *n, VALUES(3, *n));
  try_all(1, 7, VALUES(7));
  try_all(12, 5, VALUES(3, 4, 5));
  try_all(24, 5, VALUES(2, 3, 4, 5));
  try_all(50, 3, VALUES(50, 3));
  static const double extreme[] = {-100, 0, 100, 100, 100, -100, -100, -100, -100, 0, 1, -100};
  try_all(4, 3, (operand){.shape = {4, 3}, .given = extreme});
  /* What all logits have in common costs no digits. */
  try_all(3, 5, (operand){.shape = {3, 5}, .low = 999, .high = 1001});
  /* The target to be ignored may be a class of its own: padding is often token 0. */
  for (int reduction = GF_MEAN; reduction <= GF_EACH; reduction++) {
    try_logits((loss){20, 3, false, true, reduction, 0, 0.1f}, VALUES(20, 3));
    try_logits((loss){20, 3, false, false, reduction, 2, 0}, VALUES(20, 3));
    try_logits((loss){20, 3, false, false, reduction, -1, 0}, VALUES(20, 3));
  }
  check_nothing();
  check_masked();
  check_known();
  check_shapes();
  check_refusals();
}

const spec spec_cross_entropy = {"cross_entropy", run};
