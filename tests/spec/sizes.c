/* What exceeds the address space is refused, and what fits it is counted exactly: no size ever wraps.
 * Only the last tape is placed. Where a size_t has 64 bits no tape is long enough to reach its end, so
 * there the counts alone are checked. */
#include "harness.h"

#include <string.h>

enum { MOST = INT32_MAX, BIG = 1 << 16 };

/* ---- One node: more than 2^31 - 1 numbers ---- */

static void check_leaves(void) {
  static const int huge[][GF_MAX_RANK] = {
      {MOST, 2, 1, 1},       {BIG, BIG, 1, 1},     {MOST, MOST, 1, 1},   {1, 1, 2, 1 << 30},
      {1291, 1291, 1291, 1}, {216, 216, 216, 216}, {BIG, BIG, BIG, BIG}, {MOST, MOST, MOST, MOST},
  };
  for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
    REFUSES(GF_EMEMORY, gf_input(t, GF_MAX_RANK, huge[i], "bad"));
    REFUSES(GF_EMEMORY, gf_parameter(t, GF_MAX_RANK, huge[i], "bad"));
    REFUSES(GF_EMEMORY, gf_ids(t, GF_MAX_RANK, huge[i], "bad"));
  }
}

/* Ops whose result may be larger than each operand; trials of the others see that theirs is not. */

static int embed(gf_tape *t) {
  return gf_embed(t, IN(t, 1, BIG), IDS(t, BIG), "bad");
}
static int position(gf_tape *t) {
  return gf_position(t, IDS(t, 2), 1 << 30, 0, "bad");
}
static int position_of_many(gf_tape *t) {
  return gf_position(t, IDS(t, 1, 1, MOST), MOST, 1, "bad");
}
static int linear(gf_tape *t) {
  return gf_linear(t, IN(t, BIG, 1), IN(t, 1, BIG), GF_NONE, "bad");
}
static int matmul(gf_tape *t) {
  return gf_matmul(t, IN(t, BIG, 1), IN(t, 1, BIG), "bad");
}
static int matmul_transposed(gf_tape *t) {
  return gf_matmul_transposed(t, IN(t, MOST, 1), IN(t, MOST, 1), "bad");
}
static int attention(gf_tape *t) {
  gf_attention_config c = gf_attention_default();
  c.scale = 1;
  return gf_fused_attention(t, IN(t, BIG, 1), IN(t, 1, 1), IN(t, 1, BIG), &c, "bad");
}
static int attention_by_steps(gf_tape *t) {
  gf_attention_config c = gf_attention_default();
  c.query = c.key = c.value = IN(t, BIG, 1);
  return gf_attention(t, &c, "bad");
}
static int rotation(gf_tape *t) {
  return gf_rotation(t, IDS(t, 2), 1 << 30, 10000, "bad");
}
static int rotation_of_many(gf_tape *t) {
  return gf_rotation(t, IDS(t, 1, MOST), MOST - 1, 10000, "bad");
}
static int concat(gf_tape *t) {
  return gf_concat(t, IN(t, BIG, BIG / 4), IN(t, BIG, BIG / 4), 1, "bad");
}
static int concat_by_one(gf_tape *t) {
  return gf_concat(t, IN(t, MOST), IN(t, 1), 0, "bad");
}
static int gather(gf_tape *t) {
  return gf_gather(t, IN(t, 2, BIG), IDS(t, BIG), 0, "bad");
}
static int cache(gf_tape *t) {
  return gf_cache(t, IN(t, 1, BIG), IDS(t, 1), BIG, "bad");
}
static int cache_of_many(gf_tape *t) {
  return gf_cache(t, IN(t, MOST, 1, 1), IDS(t, 1), MOST, "bad");
}

static const struct {
  const char *op;
  int (*build)(gf_tape *t);
} larger[] = {
    {"leaf", NULL}, /* above */
    {"embed", embed},
    {"position", position},
    {"position", position_of_many},
    {"linear", linear},
    {"matmul", matmul},
    {"matmul", matmul_transposed},
    {"matmul", attention_by_steps},
    {"attention", attention},
    {"rotation", rotation},
    {"rotation", rotation_of_many},
    {"concat", concat},
    {"concat", concat_by_one},
    {"gather", gather},
    {"cache", cache},
    {"cache", cache_of_many},
};

bool may_be_larger(const char *op) {
  for (size_t i = 0; i < sizeof larger / sizeof *larger; i++)
    if (!strcmp(larger[i].op, op)) return true;
  return false;
}

static void check_ops(void) {
  for (size_t i = 0; i < sizeof larger / sizeof *larger; i++)
    if (larger[i].build) REFUSES(GF_EMEMORY, larger[i].build(t));
}

/* ---- A model: a parameter or a step of more ---- */

static void refuses_model(gf_model m, gf_batch b, const char *node) {
  room_reset();
  size_t bytes = gf_tape_bytes(100), length = strlen(node);
  gf_tape *t = gf_tape_create(room(bytes, 0), bytes);
  EXPECT_INT(gf_build(t, &m, &b), GF_EMEMORY);
  const char *told = gf_tape_error_text(t);
  if (strncmp(told, node, length) || told[length] != ':')
    complain("%s is expected to be refused: %s", node, told);
  EXPECT_INT(gf_plan(t, NULL), 0);
  EXPECT_INT(gf_plan_reuse(t, NULL), 0);
}

static void check_models(void) {
  enum { LONG = 1 << 24, WIDE = 1 << 10 };
  const gf_model small = {.family = GF_TRANSFORMER,
                          .vocab = 5,
                          .max_length = LONG,
                          .d_model = WIDE,
                          .heads = 1,
                          .kv_heads = 1,
                          .d_ff = 4,
                          .layers = 1,
                          .decoder_layers = 1,
                          .epsilon = 1e-5f};
#define REFUSED(node, ...)                                                                         \
  do {                                                                                             \
    gf_model m = small;                                                                            \
    gf_batch b = {.size = 1, .source = 1, .target = 1};                                            \
    __VA_ARGS__;                                                                                   \
    refuses_model(m, b, node);                                                                     \
  } while (0)
  REFUSED("embedding.weight", m.vocab = LONG);
  REFUSED("source_embedding.weight", m.source_vocab = LONG);
  REFUSED("token_type_embedding.weight", m.family = GF_BERT, m.token_types = LONG);
  REFUSED("encoder.position_embedding.weight", m.positions = GF_LEARNED);
  REFUSED("encoder.layers.0.self_attn.q_proj.weight", m.d_model = 1 << 17);
  REFUSED("encoder.layers.0.linear1.weight", m.d_ff = LONG);
  REFUSED("encoder.layers.0.gate.weight", m.d_ff = LONG, m.activation = GF_SWIGLU);
  REFUSED("source", b.size = b.source = 1 << 20);
  REFUSED("target", b.size = b.target = 1 << 20);
  REFUSED("encoder.embedding", b.source = LONG);
  REFUSED("encoder.embedding", b.size = MOST);
  REFUSED("decoder.embedding", b.target = LONG);
  REFUSED("source", m.vocab = 0, b.source = LONG);
  REFUSED("source.mask", m.d_model = 1, b.source = BIG, b.masked = 1);
  REFUSED("target.mask", m.d_model = 1, b.target = BIG, b.masked = 1);
  REFUSED("encoder.layers.0.self_attn.scores", m.d_model = 1, b.source = BIG);
  REFUSED("encoder.layers.0.self_attn.scores", m.heads = m.kv_heads = WIDE, b.source = 1 << 11);
  REFUSED("encoder.layers.0.linear1", m.d_ff = 1 << 20, b.source = 1 << 11);
  REFUSED("logits", m.family = GF_GPT, m.vocab = 1 << 20, b.target = 1 << 11, b.fused = 1);
  REFUSED("decoder.layers.0.self_attn.k.cache", m.family = GF_GPT, b.capacity = LONG);
#undef REFUSED
}

/* ---- A plan: more bytes than there are addresses ---- */

/* Numbers as they lie: of 4 bytes each, whole vectors. */
static uint64_t bytes_of(uint64_t numbers) {
  return (numbers + 3) / 4 * 16;
}

static void expect_bytes(gf_tape *t, const char *plan, size_t bytes, uint64_t exact) {
  bool fits = exact == (size_t)exact;
  if (bytes != (fits ? exact : 0) || gf_tape_error(t) != (fits ? GF_OK : GF_EMEMORY))
    complain("%s of %llu bytes: %zu: %s", plan, (unsigned long long)exact, bytes,
             gf_tape_error_text(t));
  EXPECT_INT(gf_tape_rewind(t, gf_tape_count(t)), GF_OK);
}

/* `scratch` and `reused`: numbers beside values and gradients, and all in a plan that reuses memory. */
static void expect_plans(gf_tape *t, uint64_t scratch, uint64_t reused) {
  EXPECT_TEXT(gf_tape_error_text(t), "");
  uint64_t all = bytes_of(scratch);
  for (int i = 0; i < gf_tape_count(t); i++)
    all += bytes_of((uint64_t)gf_node_size(t, i)) * (gf_node_type(t, i) == GF_IDS ? 1 : 2);
  expect_bytes(t, "gf_plan", gf_plan(t, NULL), all);
  expect_bytes(t, "gf_plan_reuse", gf_plan_reuse(t, NULL), reused);
  room_reset();
}

/* Leaves of 2^31 - 1 numbers at most, whose sum is what matters: both sides of 2^32 bytes. */
static void check_plans_of_leaves(void) {
  static const int sizes[][4] = {
      {1},
      {(1 << 29) - 4},
      {(1 << 29) - 3},
      {1 << 29},
      {(1 << 30) - 4}, /* 2^32 - 16 bytes */
      {(1 << 30) - 3}, /* 2^32, for vectors are whole */
      {1 << 30},
      {MOST},
      {1 << 29, (1 << 29) - 4},
      {1 << 29, 1 << 29},
      {1 << 28, 1 << 28},
      {(1 << 28) - 4, 1 << 28},
      {1 << 27, 1 << 27, 1 << 27, 1 << 27},
      {1 << 28, 1 << 28, 1 << 28, 1 << 28},
      {1 << 29, 1 << 29, 1 << 29, 1 << 29},
      {1 << 30, 1 << 30, 1 << 30, 1 << 30},
      {MOST, MOST, MOST, MOST},
  };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    for (int ids = 0; ids < 2; ids++) {
      gf_tape *t = new_tape();
      uint64_t all = 0;
      for (int k = 0; k < 4 && sizes[i][k]; k++) {
        made_up_leaf(t, ids, 1, &sizes[i][k]);
        all += bytes_of((uint64_t)sizes[i][k]);
      }
      expect_plans(t, 0, all);
    }
  }
}

/* What is neither leaf nor result: values that share places, what an op writes down, a parameter that
 * is laid out anew. */
static void check_plans_of_ops(void) {
  gf_tape *t = new_tape();
  int x = gf_matmul(t, IN(t, BIG, 1), IN(t, 1, BIG / 4), "x");
  gf_top_k(t, x, 1, "y");
  expect_plans(t, 1, 2 * bytes_of(BIG) + bytes_of(BIG / 4) + bytes_of(1 << 30) + 16);

  t = new_tape();
  x = gf_relu(t, gf_matmul(t, IN(t, BIG, 1), IN(t, 1, BIG / 8), "x"), "relu");
  gf_top_k(t, x, 1, "y");
  expect_plans(t, 1, 2 * bytes_of(BIG) + bytes_of(BIG / 8) + 2 * bytes_of(1 << 29) + 16);

  enum { N = 1 << 27 };
  t = new_tape();
  gf_attention_config c = gf_attention_default();
  c.scale = 1;
  gf_fused_attention(t, IN(t, 1, 1), IN(t, N, 1), IN(t, N, 1), &c, "y");
  const uint64_t panels = (N + 8) + 9 * (uint64_t)N, rows = 32 * (uint64_t)N;
  expect_plans(t, 2 * (panels + rows) + 2 * N, bytes_of(panels + rows) + 2 * (16 + bytes_of(N)));

  t = new_tape();
  gf_matmul_transposed(t, IN(t, 1, 1 << 14), gf_parameter(t, 2, (int[]){1 << 15, 1 << 14}, "w"),
                       "y");
  expect_plans(t, 0, bytes_of(1 << 14) + 2 * bytes_of(1 << 29) + 16 + bytes_of(1 << 15));
}

/* Matrices that fit, of a model that does not. */
static void check_plan_of_model(void) {
  const gf_model m = {.family = GF_GPT,
                      .vocab = 1 << 20,
                      .max_length = 8,
                      .d_model = 1 << 10,
                      .heads = 1,
                      .kv_heads = 1,
                      .d_ff = 1 << 20,
                      .layers = 1,
                      .positions = GF_UNPLACED,
                      .norm = GF_RMS_NORM};
  size_t bytes = gf_tape_bytes(100);
  gf_tape *t = gf_tape_create(room(bytes, 0), bytes);
  gf_build(t, &m, &(gf_batch){.size = 1, .target = 8});
  /* The embedding, two layers of the feed-forward, the logits; and what wraps around to it. */
  const uint64_t exact = ((uint64_t)1 << 32) + 4 * (1 << 20) + 2 * (1 << 10);
  bool fits = 4 * exact == (size_t)(4 * exact);
  EXPECT(gf_parameter_count(t) == (fits ? (size_t)exact : SIZE_MAX));
  bytes = gf_plan_reuse(t, NULL);
  EXPECT(fits ? bytes > 4 * exact : bytes == 0 && gf_tape_error(t) == GF_EMEMORY);
  room_reset();
}

static void check_tapes(void) {
  const uint64_t empty = gf_tape_bytes(0), node = gf_tape_bytes(1) - empty;
  for (int i = 0; i < 31; i++) {
    const uint64_t exact = empty + ((uint64_t)1 << i) * node;
    EXPECT(gf_tape_bytes(1 << i) == (exact == (size_t)exact ? exact : 0));
  }
  EXPECT_INT(gf_tape_bytes(-1), 0);
  EXPECT_INT(gf_tape_bytes(INT32_MIN), 0);
}

/* ---- A run ---- */

/* Fused attention over 2^32 scores, of which the lengths hide all but three keys. */
static void check_far_scores(void) {
  enum { QUERIES = 1 << 17, KEYS = 1 << 14 };
  gf_tape *t = new_tape();
  gf_attention_config c = gf_attention_default();
  c.scale = 1;
  c.lengths = IDS(t, 2);
  int q = IN(t, 2, QUERIES, 1), k = IN(t, 2, KEYS, 1), v = IN(t, 2, KEYS, 1);
  int y = gf_fused_attention(t, q, k, v, &c, "y");
  gf_plan_reuse(t, room(gf_plan_reuse(t, NULL), 0));
  for (int b = 0; b < 2; b++) {
    gf_node_ids(t, c.lengths)[b] = b + 1;
    for (int i = 0; i < 2; i++) gf_node_value(t, v)[b * KEYS + i] = (float)(10 * b + i);
  }
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_NEAR(gf_node_value(t, y)[QUERIES - 1], 0, 0);
  EXPECT_NEAR(gf_node_value(t, y)[QUERIES], 10.5, 0);
  EXPECT_NEAR(gf_node_value(t, y)[2 * QUERIES - 1], 10.5, 0);
}

static void run(void) {
  check_leaves();
  check_ops();
  check_models();
  check_plans_of_leaves();
  check_plans_of_ops();
  check_plan_of_model();
  check_tapes();
  check_far_scores();
}

const spec spec_sizes = {"sizes", run};
