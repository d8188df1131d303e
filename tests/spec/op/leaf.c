#include "harness.h"

static int leaf_of(gf_tape *t, int kind, int rank, const int *shape, const char *name) {
  return (kind == 0 ? gf_input : kind == 1 ? gf_parameter : gf_ids)(t, rank, shape, name);
}

static void check_looks(void) {
  static const int shape[] = {2, 3, 5, 7};
  for (int kind = 0; kind < 3; kind++) {
    for (int rank = 1, size = 1; rank <= GF_MAX_RANK; rank++) {
      size *= shape[rank - 1];
      room_reset();
      gf_tape *t = new_tape();
      EXPECT_INT(leaf_of(t, kind, rank, shape, "x"), 0);
      EXPECT_TEXT(gf_node_op(t, 0), "leaf");
      EXPECT_TEXT(gf_node_name(t, 0), "x");
      EXPECT_INT(gf_node_rank(t, 0), rank);
      EXPECT_INT(gf_node_size(t, 0), size);
      EXPECT_NEAR(gf_node_attribute(t, 0, "kind"), kind, 0);
      EXPECT_INT(gf_node_bypassed(t, 0), GF_NONE);
      EXPECT_INT(gf_node_frozen(t, 0), 0);
      for (int i = 0; i < GF_MAX_RANK; i++) {
        EXPECT_INT(gf_node_shape(t, 0)[i], i < rank ? shape[i] : 1);
        EXPECT_INT(gf_node_input(t, 0, i), GF_NONE);
      }
      EXPECT(!gf_node_value(t, 0) && !gf_node_grad(t, 0) && !gf_node_ids(t, 0));
      place(t);
      EXPECT((gf_node_value(t, 0) != NULL) == (kind != 2));
      EXPECT((gf_node_grad(t, 0) != NULL) == (kind != 2));
      EXPECT((gf_node_ids(t, 0) != NULL) == (kind == 2));
    }
  }
}

/* A run leaves alone what the caller wrote. */
static void check_stays(void) {
  room_reset();
  gf_tape *t = new_tape();
  gf_input(t, 1, (int[]){5}, "x");
  place(t);
  float *x = gf_node_value(t, 0), *dx = gf_node_grad(t, 0);
  for (int i = 0; i < 5; i++) x[i] = (float)(i + 1), dx[i] = (float)(10 * i);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  for (int i = 0; i < 5; i++) {
    EXPECT_NEAR(x[i], i + 1, 0);
    EXPECT_NEAR(dx[i], 10 * i, 0);
  }
}

static void run(void) {
  check_looks();
  check_stays();
  for (int kind = 0; kind < 3; kind++) {
    REFUSES(GF_ESHAPE, leaf_of(t, kind, 0, (int[]){1}, "bad"));
    REFUSES(GF_ESHAPE, leaf_of(t, kind, -1, (int[]){1}, "bad"));
    REFUSES(GF_ESHAPE, leaf_of(t, kind, 5, (int[]){1, 1, 1, 1, 1}, "bad"));
    REFUSES(GF_ESHAPE, leaf_of(t, kind, 1, (int[]){0}, "bad"));
    REFUSES(GF_ESHAPE, leaf_of(t, kind, 3, (int[]){2, 3, -4}, "bad"));
  }
}

const spec spec_leaf = {"leaf", run};
