/* What the specs of sum, mean and amax share: every axis of [2,3,4,5] and its shorter kin, from either end, and all. */
#ifndef GF_SPEC_REDUCE_H
#define GF_SPEC_REDUCE_H

#include "harness.h"

#include <math.h>

typedef struct reduce_case {
  int (*push)(gf_tape *t, int x, int axis, int keep_dims, const char *name);
  double (*exact)(const double *x, int n, int step);
  int axis, keep_dims;
  int before, n, after;
} reduce_case;

static inline int reduce_build(gf_tape *t, const int *x, const void *at) {
  const reduce_case *c = at;
  int y = c->push(t, x[0], c->axis, c->keep_dims, "y"), rank = gf_node_rank(t, x[0]);
  int left = c->axis == GF_ALL ? 1 : rank > 1 ? rank - 1 : 1;
  EXPECT_INT(gf_node_rank(t, y), c->keep_dims ? rank : left);
  return y;
}

static inline void reduce_reference(const double *const *x, double *y, const void *at) {
  const reduce_case *c = at;
  for (int i = 0; i < c->before; i++)
    for (int j = 0; j < c->after; j++)
      *y++ = c->exact(x[0] + i * c->n * c->after + j, c->n, c->after);
}

static inline void try_reduction(reduce_case c, operand x) {
  check(&(trial){.operands = {x}, .at = &c, .build = reduce_build, .reference = reduce_reference});
}

static inline void try_reductions(reduce_case c) {
  static const int shape[GF_MAX_RANK] = {2, 3, 4, 5};
  for (int rank = 1; rank <= GF_MAX_RANK; rank++) {
    for (int axis = -rank; axis <= rank; axis++) {
      operand x = {.low = -2, .high = 2};
      c.axis = axis == rank ? GF_ALL : axis;
      c.before = c.after = c.n = 1;
      for (int i = 0; i < rank; i++) {
        int first = axis < 0 ? axis + rank : axis;
        x.shape[i] = shape[i];
        *(axis == rank || i == first ? &c.n : i < first ? &c.before : &c.after) *= shape[i];
      }
      for (c.keep_dims = 0; c.keep_dims < 2; c.keep_dims++) try_reduction(c, x);
    }
  }
  c.keep_dims = 0;
  for (const int *n = tails; *n; n++) {
    c.axis = 1, c.before = 3, c.n = *n, c.after = 1;
    try_reduction(c, VALUES(3, *n));
    c.axis = 0, c.before = 1, c.n = 3, c.after = *n;
    try_reduction(c, VALUES(3, *n));
  }
  REFUSES(GF_ERANGE, c.push(t, IN(t, 2, 3), 2, 0, "bad"));
  REFUSES(GF_ERANGE, c.push(t, IN(t, 2, 3), -3, 0, "bad"));
  REFUSES(GF_ENODE, c.push(t, IDS(t, 2, 3), 0, 0, "bad"));
  REFUSES(GF_ENODE, c.push(t, GF_NONE, 0, 0, "bad"));
}

#endif
