#include "harness.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* The fused op against the named steps: value and gradients, to the bit. The steps themselves are
 * checked against float64 (attention_steps.c, and the ops' own specs). */

enum { CAUSAL = 1, BIAS = 2, KEEP = 4, ROW_MASK = 8, LENGTHS = 16, ALIBI = 32, CAPPED = 64 };

typedef struct attention {
  int batch; /* 0: rank 3; -1: rank 2 */
  int heads, kv_heads, queries, keys, width, value_width, has, offset;
  float scale; /* 0: an ordinary one */
} attention;

/* A leaf of [batch, heads, time, width], without the first dimensions where there are none. */
static int heads_leaf(gf_tape *t, const attention *a, int heads, int time, int width) {
  if (a->batch > 0) return IN(t, a->batch, heads, time, width);
  return a->batch == 0 ? IN(t, heads, time, width) : IN(t, time, width);
}

typedef struct run {
  gf_tape *t;
  int leaf[4], count, y;
} run;

/* The same leaves with the same numbers, and one way to compute. */
static run build(const attention *a, bool fused) {
  run r = {.t = new_tape(), .count = 3};
  gf_attention_config c = gf_attention_default();
  r.leaf[0] = c.query = heads_leaf(r.t, a, a->heads, a->queries, a->width);
  r.leaf[1] = c.key = heads_leaf(r.t, a, a->kv_heads, a->keys, a->width);
  r.leaf[2] = c.value = heads_leaf(r.t, a, a->kv_heads, a->keys, a->value_width);
  if (a->has & BIAS) r.leaf[r.count++] = c.mask = IN(r.t, a->queries, a->keys);
  if (a->has & ROW_MASK) r.leaf[r.count++] = c.mask = IN(r.t, a->queries, 1);
  if (a->has & KEEP) c.mask = IDS(r.t, 1, a->keys);
  if (a->has & LENGTHS) c.lengths = IDS(r.t, a->batch);
  c.causal = a->has & CAUSAL;
  c.offset = a->offset;
  c.alibi = a->has & ALIBI;
  if (c.alibi) c.at = IDS(r.t, 1);
  c.softcap = a->has & CAPPED ? 1.5f : 0;
  c.scale = a->scale > 0 ? a->scale : 0.37f;
  /* Cached keys come by an op of their own: here `at` shifts the biases alone. */
  if (fused) {
    r.y = gf_fused_attention(r.t, c.query, c.key, c.value, &c, "y");
  } else {
    int x = gf_scale(r.t, gf_matmul_transposed(r.t, c.query, c.key, "s"), c.scale, "scaled");
    if (c.softcap != 0) x = gf_softcap(r.t, x, c.softcap, "capped");
    if (c.alibi) x = gf_alibi(r.t, x, c.at, "biased");
    if (c.causal || c.mask != GF_NONE || c.lengths != GF_NONE)
      x = gf_mask(r.t, x, c.causal, c.offset, c.mask, c.lengths, "masked");
    r.y = gf_matmul(r.t, gf_softmax(r.t, x, "weights"), c.value, "y");
  }
  EXPECT_TEXT(gf_tape_error_text(r.t), "");
  if (r.y < 0) return r;
  place(r.t);
  for (int i = 0; i < gf_tape_count(r.t); i++) {
    int size = gf_node_size(r.t, i);
    int32_t *ids = gf_node_ids(r.t, i);
    if (ids && i == c.mask) {
      for (int j = 0; j < size; j++) ids[j] = j % 3 != 1;
    } else if (ids && i == c.lengths) {
      for (int j = 0; j < size; j++) ids[j] = (a->keys - 1) >> 2 * j;
    } else if (ids) {
      ids[0] = 5;
    }
  }
  return r;
}

static void fill(float *x, int size, bool masks) {
  for (int i = 0; i < size; i++) {
    x[i] = (float)random_between(-2, 2);
    if (masks && i % 7 == 3) x[i] = -INFINITY;
  }
}

/* What stands in leaf k, or behind the last of them in the gradient of the result. */
static float *numbers(const run *r, int k) {
  return k < r->count ? gf_node_value(r->t, r->leaf[k]) : gf_node_grad(r->t, r->y);
}

static size_t size_of(const run *r, int k) {
  return (size_t)gf_node_size(r->t, k < r->count ? r->leaf[k] : r->y);
}

/* Forth and back. */
static void compute(const run *r, const float *const *x) {
  gf_zero_grad(r->t);
  for (int k = 0; k <= r->count; k++) memcpy(numbers(r, k), x[k], size_of(r, k) * sizeof(float));
  EXPECT_INT(gf_forward(r->t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(r->t, 0, GF_LAST), GF_OK);
}

static void expect_equal(const run *steps, const run *fused, const float *const *x) {
  compute(steps, x);
  compute(fused, x);
  if (!same(gf_node_value(steps->t, steps->y), gf_node_value(fused->t, fused->y),
            size_of(steps, steps->count)))
    complain("the value is not that of the steps");
  for (int k = 0; k < steps->count; k++) {
    if (!same(gf_node_grad(steps->t, steps->leaf[k]), gf_node_grad(fused->t, fused->leaf[k]),
              size_of(steps, k)))
      complain("the gradient of operand %d is not that of the steps", k);
  }
}

/* A number in one cell that no sum survives. */
static void try_wild(const run *steps, const run *fused, float *const *x, int k, size_t at) {
  static const float wild[] = {-1e30f, 3e38f, -INFINITY, INFINITY, NAN};
  float kept = x[k][at];
  for (int i = 0; i < 5 && !harness_complaint(); i++) {
    x[k][at] = wild[i];
    expect_equal(steps, fused, (const float *const *)x);
    complain_of("operand %d[%zu] = %g: ", k, at, (double)wild[i]);
  }
  x[k][at] = kept;
}

/* Ordinary numbers; then a wild one in the gradient, and in each operand: at a random place, and at the
 * end, which most queries do not see. The last operand first, so that what a NaN leaves in the workspace
 * is there when others come. */
static void try_equal(attention a) {
  if (harness_complaint()) return;
  room_reset();
  run steps = build(&a, false), fused = build(&a, true);
  if (steps.y < 0 || fused.y < 0) return;
  float *x[5];
  for (int k = 0; k <= steps.count; k++) {
    x[k] = room(size_of(&steps, k) * sizeof(float), 0);
    fill(x[k], (int)size_of(&steps, k), k == 3 && k < steps.count);
  }
  expect_equal(&steps, &fused, (const float *const *)x);
  for (int k = steps.count; k >= 0; k--) {
    size_t last = size_of(&steps, k) - 1;
    try_wild(&steps, &fused, x, k, (size_t)random_between(0, (double)last));
    try_wild(&steps, &fused, x, k, last);
  }
  complain_of("B %d, H %d/%d, Tq %d, Tk %d, D %d, has %d: ", a.batch, a.heads, a.kv_heads,
              a.queries, a.keys, a.width, a.has);
}

/* Memory beside operands and result, by the length of the sequence. */
static size_t bytes_for(int time) {
  room_reset();
  gf_tape *t = new_tape();
  gf_attention_config c = gf_attention_default();
  c.scale = 1;
  int q = IN(t, time, 16), k = IN(t, time, 16), v = IN(t, time, 16);
  gf_fused_attention(t, q, k, v, &c, "y");
  return gf_plan(t, NULL);
}

static void check_memory(void) {
  size_t one = bytes_for(1024), two = bytes_for(2048), four = bytes_for(4096);
  EXPECT_INT(four - two, 2 * (two - one));
}

/* Attention of [2,3,4] over [2,5,4], with one field changed; each is 4 bytes. */
#define BAD(field, value) bad(t, offsetof(gf_attention_config, field), value)
static int bad(gf_tape *t, size_t field, int32_t value) {
  gf_attention_config c = gf_attention_default();
  c.scale = 1;
  memcpy((char *)&c + field, &value, sizeof value);
  return gf_fused_attention(t, IN(t, 2, 3, 4), IN(t, 2, 5, 4), IN(t, 2, 5, 4), &c, "bad");
}

static int bad_shapes(gf_tape *t, int q, int k, int v) {
  gf_attention_config c = gf_attention_default();
  c.scale = 1;
  return gf_fused_attention(t, q, k, v, &c, "bad");
}

static void check_refusals(void) {
  REFUSES(GF_ERANGE, BAD(scale, 0));
  REFUSES(GF_ERANGE, BAD(scale, 0x7f800000));
  REFUSES(GF_ERANGE, BAD(offset, -1));
  REFUSES(GF_ERANGE, BAD(softcap, (int32_t)0xbf800000));
  REFUSES(GF_ERANGE, BAD(softcap, 0x7fc00000));
  REFUSES(GF_ENODE, BAD(mask, 77));
  REFUSES(GF_ENODE, BAD(lengths, IN(t, 2)));
  REFUSES(GF_ESHAPE, BAD(mask, IN(t, 2, 5)));
  REFUSES(GF_ESHAPE, BAD(lengths, IDS(t, 3)));
  REFUSES(GF_ERANGE, gf_fused_attention(t, 0, 0, 0, NULL, "bad"));
  REFUSES(GF_ENODE, bad_shapes(t, GF_NONE, IN(t, 2, 3), IN(t, 2, 3)));
  REFUSES(GF_ENODE, bad_shapes(t, IN(t, 2, 3), IDS(t, 2, 3), IN(t, 2, 3)));
  REFUSES(GF_ESHAPE, bad_shapes(t, IN(t, 3), IN(t, 3), IN(t, 3)));
  REFUSES(GF_ESHAPE, bad_shapes(t, IN(t, 2, 3), IN(t, 2, 4), IN(t, 2, 3)));
  REFUSES(GF_ESHAPE, bad_shapes(t, IN(t, 2, 3), IN(t, 2, 3), IN(t, 4, 3)));
  REFUSES(GF_ESHAPE, bad_shapes(t, IN(t, 2, 3), IN(t, 1, 2, 3), IN(t, 1, 2, 3)));
  REFUSES(GF_ESHAPE, bad_shapes(t, IN(t, 4, 2, 3), IN(t, 3, 2, 3), IN(t, 3, 2, 3)));
  REFUSES(GF_ESHAPE, bad_shapes(t, IN(t, 2, 2, 2, 3), IN(t, 1, 2, 2, 3), IN(t, 1, 2, 2, 3)));
}

static void run_all(void) {
  static const attention cases[] = {
      /* B  H  G  Tq Tk D Dv, offset, scale */
      {-1, 1, 1, 3, 3, 4, 4, 0, 0, 0},
      {-1, 1, 1, 5, 9, 3, 2, CAUSAL, 2, 0},
      {0, 2, 2, 1, 40, 8, 8, 0, 0, 0},
      {0, 4, 2, 33, 33, 5, 6, CAUSAL, 0, 0},
      {0, 4, 1, 70, 70, 16, 16, CAUSAL | ALIBI, 0, 0},
      {2, 4, 2, 35, 37, 8, 4, LENGTHS | CAPPED, 0, 0},
      {2, 2, 1, 40, 40, 8, 8, CAUSAL | LENGTHS | BIAS | ALIBI | CAPPED, 3, 0},
      {3, 2, 2, 7, 6, 8, 8, LENGTHS | KEEP, 0, 0}, /* some rows see nothing at all */
      {2, 3, 3, 6, 34, 4, 4, ROW_MASK, 0, 0},
      {2, 2, 1, 6, 300, 4, 4, LENGTHS, 0, 0},
      {0, 2, 2, 4, 10, 300, 7, 0, 0, 0},
      {0, 2, 1, 300, 300, 8, 8, CAUSAL, 0, 0}, /* longer than the blocks of a sum */
      {0, 1, 1, 290, 530, 4, 12, BIAS, 0, 0},
      {0, 2, 2, 520, 20, 4, 4, CAUSAL, 1, 0},
      {0, 2, 2, 5, 7, 3, 4, CAUSAL, 0, 3e38f}, /* scores overflow, products do not */
      {0, 2, 2, 5, 7, 3, 4, CAUSAL | CAPPED, 0, 3e38f},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) try_equal(cases[i]);
  check_memory();
  check_refusals();
}

const spec spec_attention = {"attention", run_all};
