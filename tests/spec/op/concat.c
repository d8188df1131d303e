#include "harness.h"

typedef struct join {
  int outer, a, b, inner; /* x[0] [outer,a,inner], x[1] [outer,b,inner] */
  int axis;
} join;

static int build(gf_tape *t, const int *x, const void *at) {
  int axis = ((const join *)at)->axis, y = gf_concat(t, x[0], x[1], axis, "y");
  EXPECT_NEAR(gf_node_attribute(t, y, "axis"), axis, 0);
  return y;
}

static void reference(const double *const *x, double *y, const void *at) {
  const join *s = at;
  for (int o = 0; o < s->outer; o++) {
    for (int j = 0; j < s->a + s->b; j++) {
      for (int i = 0; i < s->inner; i++) {
        *y++ = j < s->a ? x[0][(o * s->a + j) * s->inner + i]
                        : x[1][(o * s->b + j - s->a) * s->inner + i];
      }
    }
  }
}

/* Along each axis of [2,3,4,5] and its shorter kin; b has `more` where a has the shape's own. */
static void try_axes(int rank, int more) {
  static const int shape[GF_MAX_RANK] = {2, 3, 4, 5};
  for (int axis = 0; axis < rank; axis++) {
    join s = {1, shape[axis], more, 1, axis};
    trial c = {.at = &s, .build = build, .reference = reference};
    for (int i = 0; i < rank; i++) {
      c.operands[0].shape[i] = shape[i];
      c.operands[1].shape[i] = i == axis ? more : shape[i];
      if (i < axis) s.outer *= shape[i];
      if (i > axis) s.inner *= shape[i];
    }
    check(&c);
  }
}

/* Both operands are one node, and its gradient comes from both parts. */
static int build_twice(gf_tape *t, const int *x, const void *at) {
  return gf_concat(t, x[0], x[0], ((const join *)at)->axis, "y");
}

static void reference_twice(const double *const *x, double *y, const void *at) {
  reference((const double *const[]){x[0], x[0]}, y, at);
}

static void run(void) {
  for (int rank = 1; rank <= GF_MAX_RANK; rank++) {
    for (int more = 1; more <= 6; more++) try_axes(rank, more);
  }
  for (const int *n = tails; *n; n++) {
    join last = {3, *n, 2, 1, 1}, first = {1, 2, 3, *n, 0};
    check(&(trial){.operands = {VALUES(3, *n), VALUES(3, 2)},
                   .at = &last,
                   .build = build,
                   .reference = reference});
    check(&(trial){.operands = {VALUES(2, *n), VALUES(3, *n)},
                   .at = &first,
                   .build = build,
                   .reference = reference});
  }
  check(&(trial){.operands = {VALUES(3, 5)},
                 .at = &(join){3, 5, 5, 1, 1},
                 .build = build_twice,
                 .reference = reference_twice});

  REFUSES(GF_ESHAPE, gf_concat(t, IN(t, 2, 3), IN(t, 3, 4), 0, "bad"));
  REFUSES(GF_ESHAPE, gf_concat(t, IN(t, 2, 3), IN(t, 3, 3), 1, "bad"));
  REFUSES(GF_ESHAPE, gf_concat(t, IN(t, 2, 3), IN(t, 3), 0, "bad"));
  REFUSES(GF_ESHAPE, gf_concat(t, IN(t, 3), IN(t, 1, 3), 0, "bad"));
  REFUSES(GF_ERANGE, gf_concat(t, IN(t, 2, 3), IN(t, 2, 3), 2, "bad"));
  REFUSES(GF_ERANGE, gf_concat(t, IN(t, 2, 3), IN(t, 2, 3), -1, "bad"));
  REFUSES(GF_EMEMORY, gf_concat(t, IN(t, INT32_MAX), IN(t, 1), 0, "bad"));
  REFUSES(GF_EMEMORY, gf_concat(t, IN(t, 1 << 29, 2), IN(t, 1 << 29, 2), 0, "bad"));
  REFUSES(GF_ENODE, gf_concat(t, IDS(t, 2, 3), IN(t, 2, 3), 0, "bad"));
  REFUSES(GF_ENODE, gf_concat(t, IN(t, 2, 3), IDS(t, 2, 3), 0, "bad"));
  REFUSES(GF_ENODE, gf_concat(t, GF_NONE, IN(t, 2, 3), 0, "bad"));
  REFUSES(GF_ENODE, gf_concat(t, IN(t, 2, 3), GF_NONE, 0, "bad"));
}

const spec spec_concat = {"concat", run};
