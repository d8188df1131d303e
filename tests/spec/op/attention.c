#include "harness.h"

#include <stddef.h>
#include <string.h>

/* The fused op against the named steps: value and gradients, to the bit. The steps themselves are
 * checked against float64 (attention_steps.c, and the ops' own specs). */

enum { CAUSAL = 1, BIAS = 2, KEEP = 4, ROW_MASK = 8, LENGTHS = 16, ALIBI = 32, CAPPED = 64 };

typedef struct attention {
  int batch; /* 0: rank 3; -1: rank 2 */
  int heads, kv_heads, queries, keys, width, value_width, has, offset;
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
  c.scale = 0.37f;
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
      for (int j = 0; j < size; j++) ids[j] = a->keys - 2 * j - 1;
    } else if (ids) {
      ids[0] = 5;
    }
  }
  return r;
}

static void fill(float *x, int size, bool masks) {
  for (int i = 0; i < size; i++) {
    x[i] = (float)random_between(-2, 2);
    if (masks && i % 7 == 3) x[i] = -__builtin_inff();
  }
}

static bool same(const float *a, const float *b, int size) {
  return !memcmp(a, b, (size_t)size * sizeof *a);
}

static void try_equal(attention a) {
  room_reset();
  run steps = build(&a, false), fused = build(&a, true);
  if (steps.y < 0 || fused.y < 0) return;
  for (int k = 0; k < steps.count; k++) {
    int size = gf_node_size(steps.t, steps.leaf[k]);
    float *x = gf_node_value(steps.t, steps.leaf[k]);
    fill(x, size, k == 3);
    memcpy(gf_node_value(fused.t, fused.leaf[k]), x, (size_t)size * sizeof *x);
  }
  int size = gf_node_size(steps.t, steps.y);
  EXPECT_INT(gf_forward(steps.t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_forward(fused.t, 0, GF_LAST), GF_OK);
  EXPECT(same(gf_node_value(steps.t, steps.y), gf_node_value(fused.t, fused.y), size));
  fill(gf_node_grad(steps.t, steps.y), size, false);
  memcpy(gf_node_grad(fused.t, fused.y), gf_node_grad(steps.t, steps.y),
         (size_t)size * sizeof(float));
  EXPECT_INT(gf_backward(steps.t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(fused.t, 0, GF_LAST), GF_OK);
  for (int k = 0; k < steps.count; k++) {
    size = gf_node_size(steps.t, steps.leaf[k]);
    if (!same(gf_node_grad(steps.t, steps.leaf[k]), gf_node_grad(fused.t, fused.leaf[k]), size))
      complain(
          "gradient of operand %d is not that of the steps: B %d, H %d/%d, Tq %d, Tk %d, D %d, "
          "has %d",
          k, a.batch, a.heads, a.kv_heads, a.queries, a.keys, a.width, a.has);
  }
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
      /* B  H  G  Tq Tk D Dv */
      {-1, 1, 1, 3, 3, 4, 4, 0, 0},
      {-1, 1, 1, 5, 9, 3, 2, CAUSAL, 2},
      {0, 2, 2, 1, 40, 8, 8, 0, 0},
      {0, 4, 2, 33, 33, 5, 6, CAUSAL, 0},
      {0, 4, 1, 70, 70, 16, 16, CAUSAL | ALIBI, 0},
      {2, 4, 2, 35, 37, 8, 4, LENGTHS | CAPPED, 0},
      {2, 2, 1, 40, 40, 8, 8, CAUSAL | LENGTHS | BIAS | ALIBI | CAPPED, 3},
      {3, 2, 2, 7, 6, 8, 8, LENGTHS | KEEP, 0}, /* some rows see nothing at all */
      {2, 3, 3, 6, 34, 4, 4, ROW_MASK, 0},
      {0, 2, 2, 4, 10, 300, 7, 0, 0},
      {0, 2, 1, 300, 300, 8, 8, CAUSAL, 0}, /* longer than the blocks of a sum */
      {0, 1, 1, 290, 530, 4, 12, BIAS, 0},
      {0, 2, 2, 520, 20, 4, 4, CAUSAL, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) try_equal(cases[i]);
  check_memory();
  check_refusals();
}

const spec spec_attention = {"attention", run_all};
