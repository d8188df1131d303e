#include "harness.h"

#include <math.h>

typedef struct unit {
  int size;
  float factor;
} unit;

static int build(gf_tape *t, const int *x, const void *at) {
  const unit *s = at;
  int y = gf_swiglu(t, x[0], x[1], s->factor, "y");
  EXPECT_NEAR(gf_node_attribute(t, y, "factor"), s->factor, 0);
  return y;
}

static void reference(const double *const *x, double *y, const void *at) {
  const unit *s = at;
  for (int i = 0; i < s->size; i++) {
    y[i] = x[0][i] / (1 + exp(-(double)s->factor * x[0][i])) * x[1][i];
  }
}

static void try_operands(unit s, operand gate, operand up) {
  check(&(trial){.operands = {gate, up}, .at = &s, .build = build, .reference = reference});
}

/* Both operands are one node, and its gradient comes from both sides. */
static int build_twice(gf_tape *t, const int *x, const void *at) {
  return gf_swiglu(t, x[0], x[0], ((const unit *)at)->factor, "y");
}

static void reference_twice(const double *const *x, double *y, const void *at) {
  reference((const double *const[]){x[0], x[0]}, y, at);
}

static void run(void) {
  for (const int *n = tails; *n; n++) {
    operand gate = {.shape = {*n}, .low = -5, .high = 5};
    try_operands((unit){*n, 1}, gate, VALUES(*n));
    try_operands((unit){*n, 1.702f}, gate, VALUES(*n));
  }
  try_operands((unit){15, -0.5f}, VALUES(3, 5), VALUES(3, 5));
  try_operands((unit){30, 0}, VALUES(2, 3, 5), VALUES(2, 3, 5));
  try_operands((unit){60, 1}, VALUES(2, 3, 2, 5), VALUES(2, 3, 2, 5));
  try_operands((unit){5, 1},
               (operand){.shape = {5}, .given = (const double[]){-100, -30, 0, 30, 100}},
               VALUES(5));
  check(&(trial){.operands = {VALUES(7)},
                 .at = &(unit){7, 1},
                 .build = build_twice,
                 .reference = reference_twice});

  REFUSES(GF_ESHAPE, gf_swiglu(t, IN(t, 2, 3), IN(t, 3, 2), 1, "bad"));
  REFUSES(GF_ESHAPE, gf_swiglu(t, IN(t, 2, 3), IN(t, 6), 1, "bad"));
  REFUSES(GF_ESHAPE, gf_swiglu(t, IN(t, 2, 3), IN(t, 3), 1, "bad"));
  REFUSES(GF_ESHAPE, gf_swiglu(t, IN(t, 3), IN(t, 1, 3), 1, "bad"));
  REFUSES(GF_ENODE, gf_swiglu(t, IDS(t, 3), IN(t, 3), 1, "bad"));
  REFUSES(GF_ENODE, gf_swiglu(t, IN(t, 3), IDS(t, 3), 1, "bad"));
  REFUSES(GF_ENODE, gf_swiglu(t, GF_NONE, IN(t, 3), 1, "bad"));
  REFUSES(GF_ENODE, gf_swiglu(t, IN(t, 3), GF_NONE, 1, "bad"));
  REFUSES(GF_ERANGE, gf_swiglu(t, IN(t, 3), IN(t, 3), INFINITY, "bad"));
  REFUSES(GF_ERANGE, gf_swiglu(t, IN(t, 3), IN(t, 3), -INFINITY, "bad"));
  REFUSES(GF_ERANGE, gf_swiglu(t, IN(t, 3), IN(t, 3), NAN, "bad"));
}

const spec spec_swiglu = {"swiglu", run};
