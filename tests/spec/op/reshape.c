#include "harness.h"

typedef struct form {
  int size, shape[GF_MAX_RANK];
} form;

static int build(gf_tape *t, const int *x, const void *at) {
  return gf_reshape(t, x[0], ((const form *)at)->shape, "y");
}

static void reference(const double *const *x, double *y, const void *at) {
  for (int i = 0; i < ((const form *)at)->size; i++) y[i] = x[0][i];
}

static void try_form(operand x, form f) {
  check(&(trial){.operands = {x}, .at = &f, .build = build, .reference = reference});
}

#define BAD(...) gf_reshape(t, IN(t, 2, 3), (int[GF_MAX_RANK]){__VA_ARGS__}, "bad")

static void run(void) {
  try_form(VALUES(2, 3), (form){6, {3, 2}});
  try_form(VALUES(2, 3), (form){6, {6}});
  try_form(VALUES(6), (form){6, {1, 2, 3, 1}});
  try_form(VALUES(2, 3, 4, 5), (form){120, {-1}});
  try_form(VALUES(2, 3, 4, 5), (form){120, {6, -1}});
  try_form(VALUES(2, 3, 4, 5), (form){120, {-1, 3, 10}});
  for (const int *n = tails; *n; n++) try_form(VALUES(2, *n), (form){2 * *n, {*n, -1}});

  gf_tape *t = new_tape();
  int y = gf_reshape(t, IN(t, 2, 3, 4), (int[GF_MAX_RANK]){4, -1}, "y");
  EXPECT_INT(gf_node_rank(t, y), 2);
  EXPECT_INT(gf_node_shape(t, y)[1], 6);

  REFUSES(GF_ESHAPE, BAD(4, 2));
  REFUSES(GF_ESHAPE, BAD(5));
  REFUSES(GF_ESHAPE, BAD(4, -1));
  REFUSES(GF_ESHAPE, BAD(-1, -1));
  REFUSES(GF_ESHAPE, BAD(7, -1));
  REFUSES(GF_ESHAPE, BAD(INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX));
  REFUSES(GF_ESHAPE, BAD(0));
  REFUSES(GF_ESHAPE, BAD(2, 0, 3));
  REFUSES(GF_ESHAPE, BAD(-2, -3));
  REFUSES(GF_ERANGE, gf_reshape(t, IN(t, 2, 3), NULL, "bad"));
  REFUSES(GF_ENODE, gf_reshape(t, IDS(t, 2), (int[GF_MAX_RANK]){2}, "bad"));
}

const spec spec_reshape = {"reshape", run};
