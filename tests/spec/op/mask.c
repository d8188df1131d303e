#include "harness.h"

#include <math.h>

/* What the mask operand is. */
enum { WITHOUT, ADDED, BOOLEAN };

typedef struct masking {
  int x[GF_MAX_RANK]; /* 0 beyond the rank */
  bool causal;
  int offset;
  int kind;
  int mask[GF_MAX_RANK];
  bool lengths;
  int window;
} masking;

static int rank_of(const int *shape) {
  int rank = 0;
  while (rank < GF_MAX_RANK && shape[rank]) rank++;
  return rank;
}

static int size_of(const int *shape) {
  int size = 1;
  for (int i = 0; i < rank_of(shape); i++) size *= shape[i];
  return size;
}

static int build(gf_tape *t, const int *x, const void *at) {
  const masking *m = at;
  int mask = m->kind == WITHOUT ? GF_NONE : x[1];
  int lengths = m->lengths ? x[m->kind == WITHOUT ? 1 : 2] : GF_NONE;
  int y = m->window ? gf_mask_window(t, x[0], m->causal, m->offset, m->window, mask, lengths, "y")
                    : gf_mask(t, x[0], m->causal, m->offset, mask, lengths, "y");
  EXPECT_NEAR(gf_node_attribute(t, y, "window"), m->window, 0);
  EXPECT_NEAR(gf_node_attribute(t, y, "causal"), m->causal, 0);
  EXPECT_NEAR(gf_node_attribute(t, y, "offset"), m->offset, 0);
  return y;
}

/* The cell of the mask that belongs to cell i of x. */
static int mask_cell(const masking *m, int i) {
  int cell = 0, stride = 1, xr = rank_of(m->x), mr = rank_of(m->mask);
  for (int d = 1; d <= mr; d++) {
    int n = m->mask[mr - d];
    cell += (n == 1 ? 0 : i % m->x[xr - d]) * stride;
    stride *= n;
    i /= m->x[xr - d];
  }
  return cell;
}

static void reference(const double *const *x, double *y, const void *at) {
  const masking *m = at;
  int rank = rank_of(m->x), keys = m->x[rank - 1], queries = m->x[rank - 2];
  const double *lengths = m->lengths ? x[m->kind == WITHOUT ? 1 : 2] : NULL;
  for (int i = 0, size = size_of(m->x); i < size; i++) {
    int query = i / keys % queries, key = i % keys;
    y[i] = x[0][i];
    if (m->kind == ADDED) y[i] += x[1][mask_cell(m, i)];
    if (m->kind == ADDED && x[1][mask_cell(m, i)] == -INFINITY) y[i] = -INFINITY;
    if (m->kind == BOOLEAN && x[1][mask_cell(m, i)] == 0) y[i] = -INFINITY;
    if (m->causal && key - m->offset > query) y[i] = -INFINITY;
    double seen = lengths ? fmax(0, fmin(keys, lengths[i / (size / m->x[0])])) : keys;
    if (key >= seen) y[i] = -INFINITY;
    double end = m->causal ? (double)query + m->offset + 1 : seen;
    if (m->window && key < end - m->window) y[i] = -INFINITY;
  }
}

static void try_masking(masking m) {
  double mask[600];
  trial c = {.at = &m, .build = build, .reference = reference};
  operand *next = c.operands;
  for (int i = 0; i < rank_of(m.x); i++) next->shape[i] = m.x[i];
  next++;
  if (m.kind != WITHOUT) {
    for (int i = 0; i < size_of(m.mask); i++) {
      double p = random_between(0, 1);
      mask[i] = m.kind == BOOLEAN ? floor(5 * p) - 1 /* -1, 0, .. 3 */
                : p < 0.3         ? -INFINITY
                : p < 0.6         ? 0
                                  : random_between(-2, 2);
    }
    for (int i = 0; i < rank_of(m.mask); i++) next->shape[i] = m.mask[i];
    next->given = mask;
    next->ids = m.kind == BOOLEAN;
    next++;
  }
  if (m.lengths) {
    *next = (operand){.shape = {m.x[0]}, .ids = true, .low = -2, .high = m.x[rank_of(m.x) - 1] + 3};
  }
  check(&c);
}

/* Every mask shape that fits x [2,3,4,5], of both kinds, alone and with the others. */
static void try_broadcasts(void) {
  static const int masks[][GF_MAX_RANK] = {{5},          {1},          {4, 5},       {1, 5},
                                           {4, 1},       {3, 4, 5},    {3, 1, 1},    {1, 4, 5},
                                           {2, 3, 4, 5}, {2, 1, 1, 5}, {1, 3, 1, 5}, {2, 1, 4, 1}};
  for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
    for (int kind = ADDED; kind <= BOOLEAN; kind++) {
      for (int others = 0; others < 8; others++) {
        masking m = {{2, 3, 4, 5}, others & 1, 0, kind, {0}, others & 2, others & 4 ? 2 : 0};
        for (int d = 0; d < GF_MAX_RANK; d++) m.mask[d] = masks[i][d];
        try_masking(m);
      }
    }
  }
}

/* A masked score is -inf whatever it was, and passes no gradient, whatever came. */
static void check_nan(void) {
  room_reset();
  gf_tape *t = new_tape();
  int x = IN(t, 1, 2, 2), mask = IDS(t, 1, 2), lengths = IDS(t, 1);
  int y[] = {gf_mask(t, x, 1, 0, GF_NONE, GF_NONE, "causal"),
             gf_mask(t, x, 0, 0, mask, GF_NONE, "mask"),
             gf_mask(t, x, 0, 0, GF_NONE, lengths, "lengths")};
  place(t);
  gf_node_ids(t, mask)[0] = 1;
  gf_node_ids(t, lengths)[0] = 1;
  for (int i = 0; i < 3; i++) {
    gf_node_value(t, x)[1] = NAN;
    gf_node_grad(t, y[i])[1] = NAN;
  }
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  for (int i = 0; i < 3; i++) EXPECT_NEAR(gf_node_value(t, y[i])[1], -INFINITY, 0);
  EXPECT_NEAR(gf_node_grad(t, x)[1], 0, 0);
}

static void run(void) {
  for (const int *n = tails; *n; n++) {
    try_masking((masking){{3, *n}, true, 0, WITHOUT, {0}, false, 0});
    try_masking((masking){{*n, 3}, true, 0, WITHOUT, {0}, false, 0});
    try_masking((masking){{3, *n}, true, 2, WITHOUT, {0}, false, 0});
    try_masking((masking){{*n, 3}, true, 1, WITHOUT, {0}, false, 0});
    try_masking((masking){{2, *n}, false, 0, ADDED, {2, *n}, false, 0});
    try_masking((masking){{2, *n}, false, 0, BOOLEAN, {*n}, false, 0});
    try_masking((masking){{2, 2, *n}, false, 0, WITHOUT, {0}, true, 0});
    try_masking((masking){{2, 2, *n}, true, 0, ADDED, {1, *n}, true, 0});
  }
  try_masking((masking){{3, 4}, false, 0, WITHOUT, {0}, false, 0}); /* no mask at all is a copy */
  try_masking((masking){{3, 4}, false, 2, WITHOUT, {0}, false, 0}); /* no causality, no offset */
  try_masking((masking){{3, 4}, true, INT32_MAX, WITHOUT, {0}, false, 0});
  try_masking((masking){{2, 3, 4, 9}, true, 3, BOOLEAN, {4, 9}, true, 0});
  try_masking((masking){{2, 3, 4, 5}, false, 0, WITHOUT, {0}, true, 0});
  try_broadcasts();
  check_nan();

  REFUSES(GF_ERANGE, gf_mask(t, IN(t, 3, 4), 1, -1, GF_NONE, GF_NONE, "bad"));
  REFUSES(GF_ERANGE, gf_mask(t, IN(t, 3, 4), 0, INT32_MIN, GF_NONE, GF_NONE, "bad"));
  REFUSES(GF_ESHAPE, gf_mask(t, IN(t, 4), 1, 0, GF_NONE, GF_NONE, "bad"));
  REFUSES(GF_ESHAPE, gf_mask(t, IN(t, 3, 4), 0, 0, IN(t, 3), GF_NONE, "bad"));
  REFUSES(GF_ESHAPE, gf_mask(t, IN(t, 3, 4), 0, 0, IN(t, 2, 4), GF_NONE, "bad"));
  REFUSES(GF_ESHAPE, gf_mask(t, IN(t, 3, 4), 0, 0, IDS(t, 1, 3, 4), GF_NONE, "bad"));
  REFUSES(GF_ESHAPE, gf_mask(t, IN(t, 1, 4), 0, 0, IN(t, 3, 4), GF_NONE, "bad"));
  REFUSES(GF_ESHAPE, gf_mask(t, IN(t, 3, 4), 0, 0, GF_NONE, IDS(t, 3), "bad"));
  REFUSES(GF_ESHAPE, gf_mask(t, IN(t, 2, 3, 4), 0, 0, GF_NONE, IDS(t, 3), "bad"));
  REFUSES(GF_ESHAPE, gf_mask(t, IN(t, 2, 3, 4), 0, 0, GF_NONE, IDS(t, 2, 1), "bad"));
  REFUSES(GF_ENODE, gf_mask(t, IN(t, 2, 3, 4), 0, 0, GF_NONE, IN(t, 2), "bad"));
  REFUSES(GF_ENODE, gf_mask(t, IDS(t, 3, 4), 1, 0, GF_NONE, GF_NONE, "bad"));
  REFUSES(GF_ENODE, gf_mask(t, GF_NONE, 1, 0, GF_NONE, GF_NONE, "bad"));
  REFUSES(GF_ENODE, gf_mask(t, IN(t, 3, 4), 1, 0, 8, GF_NONE, "bad"));
  REFUSES(GF_ENODE, gf_mask(t, IN(t, 2, 3, 4), 1, 0, GF_NONE, 8, "bad"));
}

const spec spec_mask = {"mask", run};
