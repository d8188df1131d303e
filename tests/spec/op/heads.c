#include "harness.h"

typedef struct sizes {
  int batch, heads, time, width; /* width: of one head */
  bool joined;                   /* x is [...,T,H*D] and is split; otherwise it is concatenated */
} sizes;

static int build(gf_tape *t, const int *x, const void *at) {
  const sizes *s = at;
  int y = s->joined ? gf_split_heads(t, x[0], s->heads, "y") : gf_concat_heads(t, x[0], "y");
  EXPECT_NEAR(gf_node_attribute(t, y, "heads"), s->joined ? s->heads : 0, 0);
  return y;
}

static void reference(const double *const *x, double *y, const void *at) {
  const sizes *s = at;
  for (int b = 0; b < s->batch; b++) {
    for (int h = 0; h < s->heads; h++) {
      for (int t = 0; t < s->time; t++) {
        for (int d = 0; d < s->width; d++) {
          int split = ((b * s->heads + h) * s->time + t) * s->width + d;
          int joined = (b * s->time + t) * s->heads * s->width + h * s->width + d;
          y[s->joined ? split : joined] = x[0][s->joined ? joined : split];
        }
      }
    }
  }
}

static void try_operand(sizes s, operand x) {
  check(&(trial){.operands = {x}, .at = &s, .build = build, .reference = reference});
}

static void try_sizes(int batch, int heads, int time, int width) {
  sizes split = {batch, heads, time, width, true}, concat = {batch, heads, time, width, false};
  try_operand(split, VALUES(batch, time, heads * width));
  try_operand(concat, VALUES(batch, heads, time, width));
  if (batch > 1) return;
  try_operand(split, VALUES(time, heads * width));
  try_operand(concat, VALUES(heads, time, width));
}

/* What is split is [H,T,D], and joined it has x's shape again. */
static void check_shapes(void) {
  room_reset();
  gf_tape *t = new_tape();
  int split = gf_split_heads(t, IN(t, 7, 5, 6), 2, "split"),
      back = gf_concat_heads(t, split, "back");
  static const int expected[2][4] = {{7, 2, 5, 3}, {7, 5, 6, 1}};
  EXPECT_INT(gf_node_rank(t, split), 4);
  EXPECT_INT(gf_node_rank(t, back), 3);
  for (int i = 0; i < GF_MAX_RANK; i++) {
    EXPECT_INT(gf_node_shape(t, split)[i], expected[0][i]);
    EXPECT_INT(gf_node_shape(t, back)[i], expected[1][i]);
  }
}

static void run(void) {
  for (const int *n = tails; *n; n++) {
    try_sizes(1, 2, 3, *n);
    try_sizes(2, 3, *n, 2);
  }
  for (int heads = 1; heads <= 8; heads++) try_sizes(2, heads, 3, 5);
  check_shapes();

  REFUSES(GF_ERANGE, gf_split_heads(t, IN(t, 3, 8), 3, "bad"));
  REFUSES(GF_ERANGE, gf_split_heads(t, IN(t, 3, 8), 0, "bad"));
  REFUSES(GF_ERANGE, gf_split_heads(t, IN(t, 3, 8), -2, "bad"));
  REFUSES(GF_ERANGE, gf_split_heads(t, IN(t, 3, 8), 16, "bad"));
  REFUSES(GF_ESHAPE, gf_split_heads(t, IN(t, 8), 2, "bad"));
  REFUSES(GF_ESHAPE, gf_split_heads(t, IN(t, 2, 2, 2, 8), 2, "bad"));
  REFUSES(GF_ENODE, gf_split_heads(t, IDS(t, 3, 8), 2, "bad"));
  REFUSES(GF_ENODE, gf_split_heads(t, GF_NONE, 2, "bad"));
  REFUSES(GF_ESHAPE, gf_concat_heads(t, IN(t, 3, 8), "bad"));
  REFUSES(GF_ESHAPE, gf_concat_heads(t, IN(t, 8), "bad"));
  REFUSES(GF_ENODE, gf_concat_heads(t, IDS(t, 2, 3, 8), "bad"));
  REFUSES(GF_ENODE, gf_concat_heads(t, GF_NONE, "bad"));
}

const spec spec_heads = {"heads", run};
