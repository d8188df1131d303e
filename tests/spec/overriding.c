/* What holds for the two overrides: bypass and freeze. */
#include "harness.h"

#include <string.h>

/* x [4], b [4] -> y = softmax x -> z = y + b */
static gf_tape *chain(void) {
  room_reset();
  gf_tape *t = new_tape();
  int x = IN(t, 4), b = IN(t, 4), y = gf_softmax(t, x, "y");
  gf_add(t, y, b, "z");
  place(t);
  for (int i = 0; i < 4; i++) {
    gf_node_value(t, x)[i] = (float)(i + 1);
    gf_node_value(t, b)[i] = (float)(10 * i);
  }
  return t;
}
enum { X, B, Y, Z };

static void back(gf_tape *t) {
  gf_zero_grad(t);
  for (int i = 0; i < 4; i++) gf_node_grad(t, Z)[i] = (float)(i + 1);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
}

static void check_bypass(void) {
  gf_tape *t = chain();
  EXPECT_INT(gf_node_bypassed(t, Y), GF_NONE);
  EXPECT_INT(gf_bypass(t, Y, 0), GF_OK);
  EXPECT_INT(gf_node_bypassed(t, Y), 0);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  back(t);
  for (int i = 0; i < 4; i++) {
    EXPECT_NEAR(gf_node_value(t, Y)[i], i + 1, 0);
    EXPECT_NEAR(gf_node_value(t, Z)[i], 11 * i + 1, 0);
    EXPECT_NEAR(gf_node_grad(t, X)[i], i + 1, 0);
  }
  EXPECT_INT(gf_backward(t, Y, Y), GF_OK); /* adds, as any backward does */
  EXPECT_NEAR(gf_node_grad(t, X)[3], 8, 0);

  /* The second operand: the gradient follows the copy and nothing else. */
  EXPECT_INT(gf_bypass(t, Z, 1), GF_OK);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  back(t);
  for (int i = 0; i < 4; i++) {
    EXPECT_NEAR(gf_node_value(t, Z)[i], 10 * i, 0);
    EXPECT_NEAR(gf_node_grad(t, B)[i], i + 1, 0);
    EXPECT_NEAR(gf_node_grad(t, Y)[i], 0, 0);
  }

  EXPECT_INT(gf_bypass(t, Z, GF_NONE), GF_OK);
  EXPECT_INT(gf_bypass(t, Y, GF_NONE), GF_OK);
  EXPECT_INT(gf_node_bypassed(t, Y), GF_NONE);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_NEAR(gf_node_value(t, Y)[3], 0.64391426, 1e-6);
  EXPECT_NEAR(gf_node_value(t, Z)[3], 30.64391426, 1e-5);
}

/* The same number of cells will do, whatever the shape: scores may stand for weights. */
static void check_bypass_refused(void) {
  room_reset();
  gf_tape *t = new_tape();
  int x = IN(t, 2, 3), w = IN(t, 3, 4), ids = IDS(t, 2), square = IN(t, 3, 3), table = IN(t, 5, 1);
  int y = gf_linear(t, x, w, GF_NONE, "y"), z = gf_linear(t, x, square, GF_NONE, "z");
  int rows = gf_embed(t, table, ids, "rows"), split = gf_split_heads(t, x, 3, "split");
  EXPECT_INT(gf_bypass(t, y, 0), GF_ERANGE); /* [2,3] for [2,4] */
  EXPECT_INT(gf_bypass(t, y, 1), GF_ERANGE);
  EXPECT_INT(gf_bypass(t, z, 1), GF_ERANGE);
  EXPECT_INT(gf_bypass(t, z, 2), GF_ERANGE); /* the bias was left out */
  EXPECT_INT(gf_bypass(t, z, GF_MAX_INPUTS), GF_ERANGE);
  EXPECT_INT(gf_bypass(t, z, -2), GF_ERANGE);
  EXPECT_INT(gf_bypass(t, x, 0), GF_ERANGE);    /* a leaf has no operand */
  EXPECT_INT(gf_bypass(t, rows, 1), GF_ERANGE); /* ids of the right size */
  EXPECT_INT(gf_bypass(t, 99, 0), GF_ENODE);
  EXPECT_INT(gf_bypass(t, GF_NONE, 0), GF_ENODE);
  for (int i = 0; i < gf_tape_count(t); i++) EXPECT_INT(gf_node_bypassed(t, i), GF_NONE);
  EXPECT_INT(gf_tape_error(t), GF_OK); /* an experiment that fails spoils no tape */
  EXPECT_INT(gf_bypass(t, z, 0), GF_OK);
  EXPECT_INT(gf_bypass(t, split, 0), GF_OK); /* another shape of the same size */
  place(t);
  gf_node_value(t, x)[5] = 8;
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_NEAR(gf_node_value(t, z)[5], 8, 0);
  EXPECT_NEAR(gf_node_value(t, split)[5], 8, 0);
}

static void check_freeze(void) {
  gf_tape *t = chain();
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_freeze(t, Y, 1), GF_OK);
  EXPECT(gf_node_frozen(t, Y));
  gf_node_value(t, Y)[3] = 5;
  gf_node_value(t, X)[3] = 100;
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_NEAR(gf_node_value(t, Y)[3], 5, 0);
  EXPECT_NEAR(gf_node_value(t, Z)[3], 35, 0); /* downstream recomputes */
  EXPECT_NEAR(gf_node_value(t, Y)[2], 0.23688282, 1e-6);
  back(t);
  EXPECT_NEAR(gf_node_grad(t, Y)[3], 4, 0); /* arrives, and goes no further */
  EXPECT_NEAR(gf_node_grad(t, B)[3], 4, 0);
  for (int i = 0; i < 4; i++) EXPECT_NEAR(gf_node_grad(t, X)[i], 0, 0);

  /* Frozen outweighs bypassed. */
  EXPECT_INT(gf_bypass(t, Y, 0), GF_OK);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_NEAR(gf_node_value(t, Y)[3], 5, 0);
  back(t);
  EXPECT_NEAR(gf_node_grad(t, X)[3], 0, 0);

  EXPECT_INT(gf_freeze(t, Y, 0), GF_OK);
  EXPECT(!gf_node_frozen(t, Y));
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_NEAR(gf_node_value(t, Y)[3], 100, 0);
  EXPECT_INT(gf_freeze(t, 4, 1), GF_ENODE);
  EXPECT_INT(gf_freeze(t, -1, 1), GF_ENODE);
  EXPECT_INT(gf_tape_error(t), GF_OK);
}

/* A lookup that is overridden needs no good ids. */
static void check_overridden_lookup(void) {
  room_reset();
  gf_tape *t = new_tape();
  int table = IN(t, 3, 2), ids = IDS(t, 3), rows = gf_embed(t, table, ids, "rows");
  place(t);
  gf_node_ids(t, ids)[0] = 99;
  EXPECT_INT(gf_freeze(t, rows, 1), GF_OK);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_freeze(t, rows, 0), GF_OK);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_EID);
  EXPECT_INT(gf_bypass(t, rows, 0), GF_OK);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
}

static void run(void) {
  check_bypass();
  check_bypass_refused();
  check_freeze();
  check_overridden_lookup();
}

const spec spec_overriding = {"overriding", run};
