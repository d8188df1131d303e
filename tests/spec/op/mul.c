#include "harness.h"

typedef struct sizes {
  int repeats, size;
} sizes;

static int build(gf_tape *t, const int *x, const void *at) {
  (void)at;
  return gf_mul(t, x[0], x[1], "y");
}

static void reference(const double *const *x, double *y, const void *at) {
  const sizes *n = at;
  for (int r = 0; r < n->repeats; r++) {
    for (int i = 0; i < n->size; i++) y[r * n->size + i] = x[0][r * n->size + i] * x[1][i];
  }
}

static void try_shapes(sizes n, operand a, operand b) {
  check(&(trial){.operands = {a, b}, .at = &n, .build = build, .reference = reference});
}

/* a a: both operands are one node, and its gradient comes twice. */
static int build_twice(gf_tape *t, const int *x, const void *at) {
  (void)at;
  return gf_mul(t, x[0], x[0], "y");
}

static void reference_twice(const double *const *x, double *y, const void *at) {
  for (int i = 0; i < *(const int *)at; i++) y[i] = x[0][i] * x[0][i];
}

static void run(void) {
  for (const int *n = tails; *n; n++) {
    try_shapes((sizes){1, *n}, VALUES(*n), VALUES(*n));
    try_shapes((sizes){3, *n}, VALUES(3, *n), VALUES(*n));
  }
  try_shapes((sizes){1, 30}, VALUES(2, 3, 5), VALUES(2, 3, 5));
  try_shapes((sizes){2, 15}, VALUES(2, 3, 5), VALUES(3, 5));
  try_shapes((sizes){14, 15}, VALUES(7, 2, 3, 5), VALUES(3, 5));
  try_shapes((sizes){42, 5}, VALUES(7, 2, 3, 5), VALUES(5));
  try_shapes((sizes){3, 1}, VALUES(3, 1), VALUES(1));
  check(&(trial){.operands = {VALUES(7)},
                 .at = &(int){7},
                 .build = build_twice,
                 .reference = reference_twice});

  REFUSES(GF_ESHAPE, gf_mul(t, IN(t, 2, 3), IN(t, 2), "bad"));
  REFUSES(GF_ESHAPE, gf_mul(t, IN(t, 3), IN(t, 2, 3), "bad"));
  REFUSES(GF_ESHAPE, gf_mul(t, IN(t, 2, 3), IN(t, 1, 3), "bad"));
  REFUSES(GF_ESHAPE, gf_mul(t, IN(t, 2, 3), IN(t, 1), "bad"));
  REFUSES(GF_ENODE, gf_mul(t, IDS(t, 3), IN(t, 3), "bad"));
  REFUSES(GF_ENODE, gf_mul(t, IN(t, 3), IDS(t, 3), "bad"));
  REFUSES(GF_ENODE, gf_mul(t, IN(t, 3), GF_NONE, "bad"));
  REFUSES(GF_ENODE, gf_mul(t, GF_NONE, IN(t, 3), "bad"));
  REFUSES(GF_ENODE, gf_mul(t, IN(t, 3), 1, "bad"));
}

const spec spec_mul = {"mul", run};
