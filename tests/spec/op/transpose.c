#include "harness.h"

typedef struct order {
  int shape[GF_MAX_RANK]; /* of x; 0 beyond the rank */
  int axis[GF_MAX_RANK];
  int rank;
} order;

static int build(gf_tape *t, const int *x, const void *at) {
  const order *o = at;
  int y = gf_transpose(t, x[0], o->axis, "y");
  EXPECT_INT(gf_node_rank(t, y), o->rank);
  for (int i = 0; i < o->rank; i++) EXPECT_INT(gf_node_shape(t, y)[i], o->shape[o->axis[i]]);
  return y;
}

/* Walks x in its own order, and finds each element's place in y. */
static void reference(const double *const *x, double *y, const void *at) {
  const order *o = at;
  int size = 1;
  for (int i = 0; i < o->rank; i++) size *= o->shape[i];
  for (int i = 0; i < size; i++) {
    int index[GF_MAX_RANK], place = 0;
    for (int d = o->rank - 1, rest = i; d >= 0; d--) {
      index[d] = rest % o->shape[d];
      rest /= o->shape[d];
    }
    for (int d = 0; d < o->rank; d++) {
      place = place * o->shape[o->axis[d]] + index[o->axis[d]];
    }
    y[place] = x[0][i];
  }
}

static void try_order(order o) {
  trial c = {.at = &o, .build = build, .reference = reference};
  for (int i = 0; i < o.rank; i++) c.operands[0].shape[i] = o.shape[i];
  check(&c);
}

/* Every order of the axes that are not placed yet. */
static void try_orders(order o, int placed, unsigned taken) {
  if (placed == o.rank) try_order(o);
  for (int axis = 0; placed < o.rank && axis < o.rank; axis++) {
    if (taken >> axis & 1) continue;
    o.axis[placed] = axis;
    try_orders(o, placed + 1, taken | 1u << axis);
  }
}

static void run(void) {
  for (int rank = 1; rank <= GF_MAX_RANK; rank++)
    try_orders((order){{2, 3, 4, 5}, {0}, rank}, 0, 0);
  for (const int *n = tails; *n; n++) {
    try_order((order){{3, *n}, {1, 0}, 2});
    try_order((order){{*n, 3}, {1, 0}, 2});
  }
  try_order((order){{1, 5, 1}, {1, 2, 0}, 3});

  REFUSES(GF_ERANGE, gf_transpose(t, IN(t, 2, 3), (const int[]){0, 0}, "bad"));
  REFUSES(GF_ERANGE, gf_transpose(t, IN(t, 2, 3), (const int[]){0, 2}, "bad"));
  REFUSES(GF_ERANGE, gf_transpose(t, IN(t, 2, 3), (const int[]){-1, 0}, "bad"));
  REFUSES(GF_ERANGE, gf_transpose(t, IN(t, 2, 3, 4), (const int[]){2, 1, 2}, "bad"));
  REFUSES(GF_ERANGE, gf_transpose(t, IN(t, 3), (const int[]){1}, "bad"));
  REFUSES(GF_ERANGE, gf_transpose(t, IN(t, 2, 3), NULL, "bad"));
  REFUSES(GF_ENODE, gf_transpose(t, IDS(t, 2, 3), (const int[]){1, 0}, "bad"));
  REFUSES(GF_ENODE, gf_transpose(t, GF_NONE, (const int[]){1, 0}, "bad"));
  REFUSES(GF_ENODE, gf_transpose(t, 7, (const int[]){1, 0}, "bad"));
}

const spec spec_transpose = {"transpose", run};
