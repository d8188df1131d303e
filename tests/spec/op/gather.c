#include "harness.h"

typedef struct choice {
  int outer, rows, inner; /* x is [outer,rows,inner] */
  int ids, axis;
} choice;

static int build(gf_tape *t, const int *x, const void *at) {
  int axis = ((const choice *)at)->axis, y = gf_gather(t, x[0], x[1], axis, "y");
  EXPECT_NEAR(gf_node_attribute(t, y, "axis"), axis, 0);
  return y;
}

static void reference(const double *const *x, double *y, const void *at) {
  const choice *s = at;
  for (int o = 0; o < s->outer; o++) {
    for (int k = 0; k < s->ids; k++) {
      for (int i = 0; i < s->inner; i++) {
        *y++ = x[0][(o * s->rows + (int)x[1][k]) * s->inner + i];
      }
    }
  }
}

/* Along each axis of x; shapes end with 0. */
static void try_axes(const int *shape, const int *ids) {
  for (int axis = 0; shape[axis]; axis++) {
    choice s = {1, shape[axis], 1, 1, axis};
    trial c = {.at = &s, .build = build, .reference = reference};
    c.operands[1].ids = true;
    c.operands[1].high = shape[axis];
    for (int i = 0; shape[i]; i++) {
      c.operands[0].shape[i] = shape[i];
      if (i < axis) s.outer *= shape[i];
      if (i > axis) s.inner *= shape[i];
    }
    for (int i = 0; ids[i]; i++) {
      c.operands[1].shape[i] = ids[i];
      s.ids *= ids[i];
    }
    check(&c);
  }
}

/* The shape of the ids stands where the axis was. */
static void check_shapes(void) {
  static const int expected[3][GF_MAX_RANK] = {{5, 6, 3, 4}, {2, 5, 6, 4}, {2, 3, 5, 6}};
  for (int axis = 0; axis < 3; axis++) {
    room_reset();
    gf_tape *t = new_tape();
    int y = gf_gather(t, IN(t, 2, 3, 4), IDS(t, 5, 6), axis, "y");
    EXPECT_INT(gf_node_rank(t, y), 4);
    for (int i = 0; i < GF_MAX_RANK; i++) EXPECT_INT(gf_node_shape(t, y)[i], expected[axis][i]);
  }
}

static void run(void) {
  for (const int *n = tails; *n; n++) {
    try_axes((int[]){4, *n, 0}, (int[]){6, 0}); /* 6 of 4: ids repeat */
    try_axes((int[]){*n, 3, 0}, (int[]){2, 0});
  }
  try_axes((int[]){5, 0}, (int[]){7, 0});
  try_axes((int[]){5, 0}, (int[]){2, 3, 0});
  try_axes((int[]){5, 0}, (int[]){2, 3, 4, 0});
  try_axes((int[]){5, 0}, (int[]){2, 3, 2, 2, 0});
  try_axes((int[]){2, 3, 0}, (int[]){4, 2, 2, 0});
  try_axes((int[]){2, 3, 4, 0}, (int[]){5, 0});
  try_axes((int[]){2, 3, 4, 0}, (int[]){3, 2, 0});
  try_axes((int[]){2, 3, 4, 5, 0}, (int[]){3, 0});
  check_shapes();

  REFUSES(GF_ESHAPE, gf_gather(t, IN(t, 2, 3, 4), IDS(t, 1, 2, 2), 0, "bad"));
  REFUSES(GF_ESHAPE, gf_gather(t, IN(t, 1, 2, 3, 4), IDS(t, 2, 2), 0, "bad"));
  REFUSES(GF_ERANGE, gf_gather(t, IN(t, 2, 3), IDS(t, 2), 2, "bad"));
  REFUSES(GF_ERANGE, gf_gather(t, IN(t, 2, 3), IDS(t, 2), -1, "bad"));
  REFUSES(GF_EMEMORY, gf_gather(t, IN(t, 2, 1 << 16), IDS(t, 1 << 16), 0, "bad"));
  REFUSES(GF_ENODE, gf_gather(t, IN(t, 2, 3), IN(t, 2), 0, "bad"));
  REFUSES(GF_ENODE, gf_gather(t, IDS(t, 2, 3), IDS(t, 2), 0, "bad"));
  REFUSES(GF_ENODE, gf_gather(t, GF_NONE, IDS(t, 2), 0, "bad"));
  REFUSES(GF_ENODE, gf_gather(t, IN(t, 2, 3), GF_NONE, 0, "bad"));
}

const spec spec_gather = {"gather", run};
