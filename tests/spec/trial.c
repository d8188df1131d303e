/* Trials of one op, against a float64 reference of its value. */
#include "harness.h"

#include <math.h>
#include <string.h>

const int tails[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                     13, 14, 15, 16, 17, 31, 32, 33, 63, 64, 65, 0};

/* ---- A run --------------------------------------------------------------------------------------- */

/* The numbers of a trial: what its operands hold, in float64 and as the core's bits. */
typedef struct numbers {
  int operands;
  size_t size[MAX_OPERANDS];
  double *exact[MAX_OPERANDS];
  void *bits[MAX_OPERANDS];
} numbers;

/* What the core made of them. Arrays are NULL for operands without a gradient. */
typedef struct result {
  size_t size;
  float *y;
  float *seed; /* the gradient of y */
  float *grad[MAX_OPERANDS];
} result;

/* What stands in a gradient before backward adds to it. */
static const float STOCK = 0.5f;

static int rank_of(const operand *o) {
  int rank = 0;
  while (rank < GF_MAX_RANK && o->shape[rank]) rank++;
  return rank;
}

static numbers draw(const trial *c) {
  numbers n = {0};
  for (const operand *o = c->operands; rank_of(o); o++) {
    int k = n.operands++;
    n.size[k] = 1;
    for (int i = 0; i < rank_of(o); i++) n.size[k] *= (size_t)o->shape[i];
    n.exact[k] = room(n.size[k] * sizeof(double), 0);
    n.bits[k] = room(n.size[k] * 4, 0);
    bool unit = o->low == 0 && o->high == 0;
    for (size_t i = 0; i < n.size[k]; i++) {
      double x = o->given ? o->given[i]
                 : unit   ? random_between(-1, 1)
                          : random_between(o->low, o->high);
      if (o->ids) {
        n.exact[k][i] = ((int32_t *)n.bits[k])[i] = (int32_t)floor(x);
      } else {
        n.exact[k][i] = ((float *)n.bits[k])[i] = (float)x;
      }
    }
  }
  return n;
}

/* How a run differs from the first with the same numbers. */
typedef struct variation {
  int without;        /* this operand gets no gradient; NONE: each does */
  const float *seeds; /* the gradient of y; NULL: random numbers */
} variation;
enum { NONE = -1 };

/* Runs the core's node once, with every leaf in memory of its own, aligned to 4 bytes and no more. */
static result compute(const trial *c, const numbers *n, variation v) {
  result r = {0};
  gf_tape *t = new_tape();
  int id[MAX_OPERANDS];
  void *value[MAX_OPERANDS];
  for (int k = 0; k < n->operands; k++) {
    const operand *o = &c->operands[k];
    id[k] = made_up_leaf(t, o->ids, rank_of(o), o->shape);
    value[k] = memcpy(room(n->size[k] * 4, 4), n->bits[k], n->size[k] * 4);
    if (!o->ids && k != v.without) {
      r.grad[k] = room(n->size[k] * 4, 12);
      for (size_t i = 0; i < n->size[k]; i++) r.grad[k][i] = STOCK;
    }
    gf_bind(t, id[k], value[k], r.grad[k]);
  }
  int y = c->build(t, id, c->at);
  place(t);
  if (y < 0 || gf_tape_error(t)) {
    complain("not built: %s", gf_tape_error_text(t));
    return r;
  }
  r.size = (size_t)gf_node_size(t, y);
  size_t most = 0;
  for (int k = 0; k < n->operands; k++) most = n->size[k] > most ? n->size[k] : most;
  if (r.size > most && !may_be_larger(gf_node_op(t, y)))
    complain("%s makes more numbers than it reads, which sizes.c does not say", gf_node_op(t, y));
  r.y = gf_node_value(t, y);
  r.seed = gf_node_grad(t, y);
  float *seed = room(r.size * 4, 0), *first = room(r.size * 4, 0);
  for (size_t i = 0; i < r.size; i++) {
    seed[i] = r.seed[i] = v.seeds ? v.seeds[i] : (float)random_between(-1, 1);
  }

  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  memcpy(first, r.y, r.size * 4);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT(same(first, r.y, r.size));
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  EXPECT(same(first, r.y, r.size));
  EXPECT(!memcmp(seed, r.seed, r.size * 4));
  for (int k = 0; k < n->operands; k++) EXPECT(!memcmp(value[k], n->bits[k], n->size[k] * 4));
  room_check();
  return r;
}

/* ---- The reference's slopes ----------------------------------------------------------------------- */

/* y where a cell is a little higher, and a little lower. */
typedef struct nudged {
  double *above, *below;
} nudged;
static const double STEP = 1e-5;

static nudged room_to_nudge(const result *r) {
  return (nudged){room(r->size * sizeof(double), 0), room(r->size * sizeof(double), 0)};
}

static void nudge(const trial *c, const numbers *n, int k, size_t i, nudged y) {
  const double *const *x = (const double *const *)n->exact;
  double *cell = &n->exact[k][i], kept = *cell;
  *cell = kept + STEP;
  c->reference(x, y.above, c->at);
  *cell = kept - STEP;
  c->reference(x, y.below, c->at);
  *cell = kept;
}

/* How the loss changes with the cell: the sum of seeds times finite values. */
static double slope_of(const float *seeds, nudged y, size_t size) {
  double sum = 0;
  for (size_t i = 0; i < size; i++) {
    if (isfinite(y.above[i])) sum += seeds[i] * (y.above[i] - y.below[i]) / (2 * STEP);
  }
  return sum;
}

static double largest(const double *x, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    if (isfinite(x[i]) && fabs(x[i]) > most) most = fabs(x[i]);
  }
  return most;
}

/* ---- Ordinary numbers ---------------------------------------------------------------------------- */

/* The value is near the reference's, and NaN or infinite just where that is. Gives the reference's. */
static const double *check_value(const trial *c, const numbers *n, const result *r) {
  double *y = room(r->size * sizeof(double), 0);
  c->reference((const double *const *)n->exact, y, c->at);
  double tolerance = (c->tolerance > 0 ? c->tolerance : 1e-6) * (1 + largest(y, r->size));
  for (size_t i = 0; i < r->size; i++) {
    if (isnan(y[i]) ? !isnan(r->y[i]) : !near(r->y[i], y[i], tolerance)) {
      complain("y[%zu] is %.9g, the reference %.9g", i, r->y[i], y[i]);
    }
  }
  return y;
}

/* What backward added to cell i of operand k. */
static double added(const result *r, int k, size_t i) {
  return (double)r->grad[k][i] - STOCK;
}

static void check_gradient(const trial *c, const numbers *n, const result *r, int k) {
  nudged y = room_to_nudge(r);
  double *slope = room(n->size[k] * sizeof(double), 0);
  for (size_t i = 0; i < n->size[k]; i++) {
    nudge(c, n, k, i, y);
    slope[i] = slope_of(r->seed, y, r->size);
  }
  double tolerance = 1e-5 * (1 + largest(slope, n->size[k]));
  for (size_t i = 0; i < n->size[k]; i++) {
    if (!near(added(r, k, i), slope[i], tolerance)) {
      complain("the gradient of operand %d[%zu] is %.9g, the slope %.9g", k, i, added(r, k, i),
               slope[i]);
    }
  }
}

static void check_no_gradient(const numbers *n, const result *r, int k) {
  for (size_t i = 0; i < n->size[k]; i++) {
    if (r->grad[k][i] != STOCK) complain("the constant operand %d[%zu] got a gradient", k, i);
  }
}

/* The same bits when nobody wants the gradient of operand k. */
static void check_without(const trial *c, const numbers *n, const result *r, int k) {
  result other = compute(c, n, (variation){.without = k, .seeds = r->seed});
  if (!other.y) return;
  EXPECT(!memcmp(other.y, r->y, r->size * 4));
  for (int i = 0; i < n->operands; i++) {
    if (other.grad[i] && memcmp(other.grad[i], r->grad[i], n->size[i] * 4)) {
      complain("the gradient of operand %d differs if operand %d wants none", i, k);
    }
  }
}

/* ---- NaN and infinity ---------------------------------------------------------------------------- */

/* Writes a number where the core and the reference read it. */
static void plant(const numbers *n, int k, size_t at, double number) {
  n->exact[k][at] = ((float *)n->bits[k])[at] = (float)number;
}

/* Whether cell i of operand k has a say in any cell of y that is NaN already. */
static bool meets_nan(const trial *c, const numbers *n, int k, size_t i, const double *y,
                      double *of_cell, size_t size) {
  double kept = n->exact[k][i];
  n->exact[k][i] = NAN;
  c->reference((const double *const *)n->exact, of_cell, c->at);
  n->exact[k][i] = kept;
  for (size_t o = 0; o < size; o++) {
    if (isnan(y[o]) && isnan(of_cell[o])) return true;
  }
  return false;
}

/* Where cell [k,at] holds a NaN and y is `planted`: the gradient of another cell is NaN if it depends on
 * that cell, which is seen by trying numbers there; it is what it ever is if it has no say in what has
 * become NaN. */
static void check_spread(const trial *c, const numbers *n, const result *r, const double *planted,
                         int k, size_t at) {
  static const double usual[] = {1.5, -1.5, 25}, largest_of_all[] = {1000, 2000, 3000};
  const double *tried = c->chooses ? largest_of_all : usual;
  nudged y = room_to_nudge(r);
  for (int j = 0; j < n->operands; j++) {
    if (!r->grad[j] || c->operands[j].constant) continue;
    double *slope = room(n->size[j] * sizeof(double), 0);
    for (size_t i = 0; i < n->size[j]; i++) {
      double low = INFINITY, high = -INFINITY, is = added(r, j, i);
      for (int v = 0; v < 3; v++) {
        n->exact[k][at] = tried[v];
        nudge(c, n, j, i, y);
        slope[i] = slope_of(r->seed, y, r->size);
        low = fmin(low, slope[i]), high = fmax(high, slope[i]);
      }
      double size = fmax(fabs(low), fabs(high));
      if (high - low > 0.05 * size && size > 1e-6 && !isnan(is)) {
        complain("the gradient of operand %d[%zu] is %.9g, and depends on a NaN", j, i, is);
      }
    }
    double tolerance = 1e-5 * (1 + largest(slope, n->size[j]));
    for (size_t i = 0; i < n->size[j]; i++) {
      bool hidden = c->hides && isnan(added(r, j, i));
      if (!near(added(r, j, i), slope[i], tolerance) && !hidden &&
          !meets_nan(c, n, j, i, planted, y.above, r->size)) {
        complain("the gradient of operand %d[%zu] is %.9g, the slope %.9g", j, i, added(r, j, i),
                 slope[i]);
      }
    }
  }
}

static void check_planted(const trial *c, const numbers *n, int k, size_t at, double number) {
  if (harness_complaint()) return;
  double kept = n->exact[k][at];
  int rooms = room_count();
  plant(n, k, at, number);
  result r = compute(c, n, (variation){.without = NONE});
  if (r.y) {
    const double *y = check_value(c, n, &r);
    if (isnan(number)) check_spread(c, n, &r, y, k, at);
  }
  plant(n, k, at, kept);
  room_forget(rooms);
  complain_of("operand %d[%zu] = %g: ", k, at, number);
}

/* A NaN in the gradient of y reaches the gradient of each cell that y depends on there. */
static void check_planted_seed(const trial *c, const numbers *n, const result *ordinary) {
  if (harness_complaint()) return;
  int rooms = room_count();
  size_t at = (size_t)random_between(0, (double)ordinary->size);
  float *seeds = room(ordinary->size * 4, 0);
  memcpy(seeds, ordinary->seed, ordinary->size * 4);
  seeds[at] = NAN;
  result r = compute(c, n, (variation){.without = NONE, .seeds = seeds});
  nudged y = room_to_nudge(&r);
  for (int k = 0; k < n->operands; k++) {
    if (!r.grad[k] || c->operands[k].constant) continue;
    for (size_t i = 0; i < n->size[k]; i++) {
      nudge(c, n, k, i, y);
      double slope = (y.above[at] - y.below[at]) / (2 * STEP), is = added(&r, k, i);
      if (fabs(slope) > 1e-6 && !isnan(is)) {
        complain("the gradient of operand %d[%zu] is %.9g, and depends on a NaN", k, i, is);
      }
      if (!isnan(is) && !near(is, added(ordinary, k, i), 0)) {
        complain("the gradient of operand %d[%zu] is %.9g, not %.9g", k, i, is,
                 added(ordinary, k, i));
      }
    }
  }
  room_forget(rooms);
  complain_of("NaN in the gradient of y[%zu]: ", at);
}

static void check_wild(const trial *c, const numbers *n, const result *ordinary) {
  static const double wild[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < n->operands; k++) {
    if (c->operands[k].ids) continue;
    size_t at = (size_t)random_between(0, (double)n->size[k]);
    for (int i = 0; i < 3; i++) check_planted(c, n, k, at, wild[i]);
  }
  check_planted_seed(c, n, ordinary);
}

/* ---- All of it ----------------------------------------------------------------------------------- */

void check(const trial *c) {
  if (harness_complaint()) return;
  room_reset();
  numbers n = draw(c);
  result r = compute(c, &n, (variation){.without = NONE});
  if (r.y) {
    check_value(c, &n, &r);
    for (int k = 0; k < n.operands; k++) {
      if (!r.grad[k]) continue;
      if (c->operands[k].constant) {
        check_no_gradient(&n, &r, k);
      } else {
        check_gradient(c, &n, &r, k);
      }
      check_without(c, &n, &r, k);
    }
    check_wild(c, &n, &r);
  }
  room_reset();
  for (int k = n.operands; k-- > 0;) {
    complain_of("] ");
    for (int i = rank_of(&c->operands[k]); i-- > 0;) {
      complain_of("%s%d", i ? "," : "[", c->operands[k].shape[i]);
    }
  }
}
