/* What the specs of elementwise ops with two operands share: the second is repeated over leading dimensions, and
 * where it has a 1. */
#ifndef GF_SPEC_PAIR_H
#define GF_SPEC_PAIR_H

#include "harness.h"

#include <math.h>
#include <string.h>

typedef struct pair_case {
  int (*push)(gf_tape *t, int a, int b, const char *name);
  double (*exact)(double a, double b);
  double low, high; /* of b */
  int a[GF_MAX_RANK], b[GF_MAX_RANK];
} pair_case;

static inline int pair_build(gf_tape *t, const int *x, const void *at) {
  return ((const pair_case *)at)->push(t, x[0], x[1], "y");
}

static inline int pair_build_twice(gf_tape *t, const int *x, const void *at) {
  return ((const pair_case *)at)->push(t, x[0], x[0], "y");
}

static inline int pair_rank(const int *shape) {
  int rank = 0;
  while (rank < GF_MAX_RANK && shape[rank]) rank++;
  return rank;
}

/* Axis by axis, from the last: where a cell of a lies, and which of b's is beside it. */
static inline void pair_reference(const double *const *x, double *y, const void *at) {
  const pair_case *c = at;
  int rank = pair_rank(c->a), lead = rank - pair_rank(c->b), size = 1;
  for (int i = 0; i < rank; i++) size *= c->a[i];
  for (int i = 0; i < size; i++) {
    int rest = i, place = 0, stride = 1;
    for (int axis = rank - 1; axis >= lead; axis--) {
      int index = rest % c->a[axis], own = c->b[axis - lead];
      place += (own == 1 ? 0 : index) * stride;
      stride *= own;
      rest /= c->a[axis];
    }
    y[i] = c->exact(x[0][i], x[1][place]);
  }
}

static inline void pair_reference_twice(const double *const *x, double *y, const void *at) {
  for (int i = 0; i < 7; i++) y[i] = ((const pair_case *)at)->exact(x[0][i], x[0][i]);
}

static inline void try_pair(const pair_case *like, const int *a, const int *b) {
  pair_case c = *like;
  memcpy(c.a, a, sizeof c.a);
  memcpy(c.b, b, sizeof c.b);
  trial made = {.at = &c, .build = pair_build, .reference = pair_reference};
  memcpy(made.operands[0].shape, a, sizeof c.a);
  made.operands[1] = (operand){.low = c.low, .high = c.high};
  memcpy(made.operands[1].shape, b, sizeof c.b);
  check(&made);
}

static inline void try_pairs(const pair_case *c) {
  static const int shapes[][2][GF_MAX_RANK] = {{{2, 3, 5}, {2, 3, 5}}, {{2, 3, 5}, {3, 5}},
                                               {{7, 2, 3, 5}, {3, 5}}, {{7, 2, 3, 5}, {5}},
                                               {{3, 1}, {1}},          {{2, 3}, {1}},
                                               {{2, 3}, {2, 1}},       {{2, 3}, {1, 3}},
                                               {{2, 3, 9}, {2, 1, 1}}, {{2, 3, 9}, {2, 1, 9}},
                                               {{2, 3, 9}, {1, 3, 1}}, {{2, 3, 9}, {3, 1}},
                                               {{2, 1, 3}, {2, 1, 1}}, {{2, 3, 4, 5}, {3, 1, 5}},
                                               {{1, 1}, {1, 1}}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    try_pair(c, shapes[i][0], shapes[i][1]);
  for (const int *n = tails; *n; n++) {
    try_pair(c, (int[GF_MAX_RANK]){3, *n}, (int[GF_MAX_RANK]){*n});
    try_pair(c, (int[GF_MAX_RANK]){3, *n}, (int[GF_MAX_RANK]){3, 1});
  }
  /* Both operands are one node, and its gradient comes twice. */
  check(&(trial){.operands = {{.shape = {7}, .low = 0.5, .high = 2}},
                 .at = c,
                 .build = pair_build_twice,
                 .reference = pair_reference_twice});

  REFUSES(GF_ESHAPE, c->push(t, IN(t, 2, 3), IN(t, 2), "bad"));
  REFUSES(GF_ESHAPE, c->push(t, IN(t, 3), IN(t, 2, 3), "bad"));
  REFUSES(GF_ESHAPE, c->push(t, IN(t, 1, 3), IN(t, 2, 3), "bad"));
  REFUSES(GF_ESHAPE, c->push(t, IN(t, 2, 3), IN(t, 3, 1), "bad"));
  REFUSES(GF_ENODE, c->push(t, IDS(t, 3), IN(t, 3), "bad"));
  REFUSES(GF_ENODE, c->push(t, IN(t, 3), IDS(t, 3), "bad"));
  REFUSES(GF_ENODE, c->push(t, IN(t, 3), GF_NONE, "bad"));
  REFUSES(GF_ENODE, c->push(t, GF_NONE, IN(t, 3), "bad"));
  REFUSES(GF_ENODE, c->push(t, IN(t, 3), 1, "bad"));
}

#endif
