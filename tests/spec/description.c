#include "harness.h"

#include <math.h>
#include <string.h>

/* ---- Words ---- */

/* Every value has a word, no two the same; what is none has none. */
static void check_words(const char *(*name)(int), int count) {
  for (int i = 0; i < count; i++) {
    EXPECT(name(i));
    if (!name(i)) return;
    EXPECT((i == 0) == !*name(i));
    for (int j = 0; j < i; j++) EXPECT(strcmp(name(i), name(j)));
  }
  EXPECT(!name(count) && !name(-1));
}

/* ---- By hand ---- */

static const gf_description *of(const gf_tape *t, int node) {
  return gf_node_description(t, node);
}

/* "batch head query key", "source.token channel" */
static const char *axes_of(const gf_tape *t, int node) {
  static char text[200];
  text[0] = 0;
  for (int i = 0; i < gf_node_rank(t, node); i++) {
    if (i) strcat(text, " ");
    const char *whose = gf_sequence_name(of(t, node)->sequences[i]);
    strcat(strcat(text, whose), *whose ? "." : "");
    strcat(text, gf_axis_name(of(t, node)->axes[i]));
  }
  return text;
}

static void expect_removal(const gf_tape *t, int node, int removal, int substitute) {
  EXPECT_INT(of(t, node)->removal, removal);
  EXPECT_INT(of(t, node)->substitute, substitute);
}

/* Describing leaves describes what is made of them. */
static void check_derived(void) {
  room_reset();
  gf_tape *t = new_tape();
  int tokens = gf_ids(t, 2, (int[]){2, 3}, "tokens"),
      table = gf_parameter(t, 2, (int[]){9, 4}, "E");
  int places = gf_ids(t, 1, (int[]){3}, "places"), w = gf_parameter(t, 2, (int[]){4, 4}, "w");
  EXPECT_INT(of(t, w)->role, GF_ROLE_NONE);
  EXPECT_INT(of(t, w)->layer, GF_NONE);
  gf_describe(t, tokens,
              &(gf_description){.role = GF_ROLE_TOKENS,
                                .axes = {GF_AXIS_BATCH, GF_AXIS_TOKEN},
                                .sequences = {0, GF_SEQUENCE_TARGET}});
  gf_describe(t, table,
              &(gf_description){.role = GF_ROLE_EMBEDDING,
                                .parameter = GF_PARAMETER_TABLE,
                                .axes = {GF_AXIS_VOCABULARY, GF_AXIS_CHANNEL}});
  gf_describe(t, places,
              &(gf_description){.axes = {GF_AXIS_TOKEN}, .sequences = {GF_SEQUENCE_TARGET}});
  gf_describe(t, w,
              &(gf_description){.role = GF_ROLE_QUERY,
                                .parameter = GF_PARAMETER_WEIGHT,
                                .axes = {GF_AXIS_CHANNEL, GF_AXIS_CHANNEL},
                                .heads = 2});

  int x = gf_embed(t, table, tokens, "x");
  EXPECT_INT(of(t, x)->role, GF_ROLE_EMBEDDING);
  EXPECT_INT(of(t, x)->parameter, GF_PARAMETER_NONE);
  EXPECT_TEXT(axes_of(t, x), "batch target.token channel");
  int p = gf_position(t, places, 4, 0, "p");
  EXPECT_INT(of(t, p)->role, GF_ROLE_POSITION);
  EXPECT_TEXT(axes_of(t, p), "target.token channel");
  int input = gf_add(t, x, p, "input");
  EXPECT_INT(of(t, input)->role, GF_ROLE_INPUT);
  expect_removal(t, input, GF_REMOVE_POSITIONS, 0);
  EXPECT_INT(of(t, gf_add(t, x, x, "twice"))->role, GF_ROLE_EMBEDDING);

  int q = gf_linear(t, input, w, GF_NONE, "q");
  EXPECT_INT(of(t, q)->role, GF_ROLE_QUERY);
  EXPECT_INT(of(t, q)->heads, 2);
  expect_removal(t, q, GF_REMOVE_PROJECTIONS, 0);
  int apart = gf_split_heads(t, q, 2, "apart");
  EXPECT_INT(of(t, apart)->heads, 2);
  EXPECT_TEXT(axes_of(t, apart), "batch head target.token channel");
  int rotated = gf_rope(t, apart, gf_rotation(t, places, 2, 10000, "r"), 0, "rotated");
  EXPECT_INT(of(t, rotated)->role, GF_ROLE_QUERY);
  expect_removal(t, rotated, GF_REMOVE_POSITIONS, 0);
  EXPECT_TEXT(axes_of(t, gf_find(t, "r")), "target.token pair rotation");

  int scores = gf_matmul_transposed(t, rotated, apart, "scores");
  EXPECT_INT(of(t, scores)->role, GF_ROLE_SCORE);
  EXPECT_TEXT(axes_of(t, scores), "batch head target.query target.key");
  expect_removal(t, scores, GF_REMOVE_SCORES, GF_NONE);
  int scaled = gf_scale(t, scores, 0.5f, "scaled");
  expect_removal(t, scaled, GF_REMOVE_SCALE, 0);
  EXPECT_INT(of(t, gf_scale(t, input, 2, "doubled"))->removal, GF_REMOVE_NONE);
  int biased = gf_alibi(t, gf_softcap(t, scaled, 9, "capped"), GF_NONE, "biased");
  expect_removal(t, biased, GF_REMOVE_POSITIONS, 0);
  expect_removal(t, gf_mask(t, biased, 1, 0, GF_NONE, GF_NONE, "causal"), GF_REMOVE_MASK, 0);
  int lengths = gf_ids(t, 1, (int[]){2}, "lengths");
  int masked = gf_mask(t, biased, 0, 0, GF_NONE, lengths, "masked");
  EXPECT_INT(of(t, masked)->removal, GF_REMOVE_NONE);
  int weights = gf_softmax(t, masked, "weights");
  EXPECT_INT(of(t, weights)->role, GF_ROLE_WEIGHT);
  EXPECT_INT(of(t, weights)->heads, 2);
  expect_removal(t, weights, GF_REMOVE_SOFTMAX, 0);
  int mix = gf_matmul(t, weights, apart, "mix");
  EXPECT_INT(of(t, mix)->role, GF_ROLE_MIX);
  EXPECT_TEXT(axes_of(t, mix), "batch head target.token channel");
  expect_removal(t, mix, GF_REMOVE_MIX, 1);
  gf_attention_config c = gf_attention_default();
  c.scale = 0.5f;
  int fused = gf_fused_attention(t, apart, apart, apart, &c, "fused");
  EXPECT_INT(of(t, fused)->role, GF_ROLE_MIX);
  EXPECT_TEXT(axes_of(t, fused), "batch head target.token channel");
  int joined = gf_concat_heads(t, mix, "joined");
  EXPECT_INT(of(t, joined)->heads, 2);
  EXPECT_TEXT(axes_of(t, joined), "batch target.token channel");

  int norm = gf_layer_norm(t, joined, GF_NONE, GF_NONE, 0, "norm");
  EXPECT_INT(of(t, norm)->role, GF_ROLE_NORM);
  expect_removal(t, norm, GF_REMOVE_NORM, 0);
  EXPECT_INT(of(t, norm)->heads, 0);
  expect_removal(t, gf_rms_norm(t, joined, GF_NONE, 0, "rms"), GF_REMOVE_NORM, 0);
  int logits = gf_matmul_transposed(t, norm, table, "logits");
  EXPECT_TEXT(axes_of(t, logits), "batch target.token vocabulary");
  gf_describe(t, logits, &(gf_description){.role = GF_ROLE_LOGIT});
  EXPECT_INT(of(t, gf_softmax(t, logits, "p_y"))->role, GF_ROLE_PROBABILITY);
  int each = gf_cross_entropy(t, logits, tokens, GF_NONE, GF_EACH, GF_IGNORE, 0, "each");
  EXPECT_INT(of(t, each)->role, GF_ROLE_LOSS);
  EXPECT_TEXT(axes_of(t, each), "batch target.token");
  int loss = gf_cross_entropy(t, logits, tokens, GF_NONE, GF_MEAN, GF_IGNORE, 0, "loss");
  EXPECT_TEXT(axes_of(t, loss), "");

  int turned = gf_transpose(t, scores, (int[]){1, 0, 3, 2}, "turned");
  EXPECT_TEXT(axes_of(t, turned), "head batch target.key target.query");
  EXPECT_TEXT(axes_of(t, gf_gather(t, x, places, 2, "picked")), "batch target.token target.token");
  EXPECT_TEXT(axes_of(t, gf_top_k(t, logits, 2, "best")), "batch target.token ");
  EXPECT_TEXT(axes_of(t, gf_concat(t, x, x, 1, "longer")), "batch target.token channel");
  EXPECT_TEXT(gf_tape_error_text(t), "");
}

/* Attention says what its operands are where nobody has, and needs nobody. */
static void check_attention(void) {
  room_reset();
  gf_tape *t = new_tape();
  gf_attention_config c = gf_attention_default();
  c.query = c.key = c.value = gf_input(t, 3, (int[]){2, 3, 4}, "x");
  c.w_q = c.w_k = gf_parameter(t, 2, (int[]){4, 4}, "shared"); /* queries and keys by one weight */
  c.w_v = gf_parameter(t, 2, (int[]){4, 4}, "w_v");
  c.b_v = gf_parameter(t, 1, (int[]){4}, "b_v");
  c.w_o = gf_parameter(t, 2, (int[]){4, 4}, "w_o");
  c.heads = 2;
  gf_attention(t, &c, "");
  const struct {
    const char *name, *axes;
    int role, parameter, heads, removal;
  } due[] = {
      {"x", "batch token channel", GF_ROLE_INPUT, 0, 0, 0},
      {"shared", "channel channel", GF_ROLE_QUERY, GF_PARAMETER_WEIGHT, 2, 0},
      {"b_v", "channel", GF_ROLE_VALUE, GF_PARAMETER_BIAS, 2, 0},
      {"w_o", "channel channel", GF_ROLE_OUTPUT, GF_PARAMETER_WEIGHT, 2, 0},
      {"q", "batch token channel", GF_ROLE_QUERY, 0, 2, GF_REMOVE_PROJECTIONS},
      {"k", "batch token channel", GF_ROLE_KEY, 0, 2, GF_REMOVE_PROJECTIONS},
      {"k.heads", "batch head token channel", GF_ROLE_KEY, 0, 2, 0},
      {"weights", "batch head query key", GF_ROLE_WEIGHT, 0, 2, GF_REMOVE_SOFTMAX},
      {"concat", "batch token channel", GF_ROLE_CONCAT, 0, 2, 0},
      {"output", "batch token channel", GF_ROLE_OUTPUT, 0, 0, GF_REMOVE_OUTPUT},
  };
  for (size_t i = 0; i < sizeof due / sizeof *due; i++) {
    int node = gf_find(t, due[i].name);
    EXPECT_TEXT(axes_of(t, node), due[i].axes);
    EXPECT_INT(of(t, node)->role, due[i].role);
    EXPECT_INT(of(t, node)->parameter, due[i].parameter);
    EXPECT_INT(of(t, node)->heads, due[i].heads);
    EXPECT_INT(of(t, node)->removal, due[i].removal);
    EXPECT_INT(of(t, node)->stack, GF_STACK_NONE);
  }

  /* A refused one has said nothing. */
  room_reset();
  t = new_tape();
  c = gf_attention_default();
  c.query = c.key = c.value = gf_input(t, 2, (int[]){3, 4}, "x");
  c.heads = 3;
  EXPECT(gf_attention(t, &c, "") < 0);
  EXPECT_INT(of(t, c.query)->role, GF_ROLE_NONE);
  EXPECT_TEXT(axes_of(t, c.query), " ");

  room_reset();
  t = new_tape();
  c = gf_attention_default();
  int x = c.query = c.key = c.value = gf_input(t, 2, (int[]){3, 4}, "x");
  gf_describe(t, x, &(gf_description){.role = GF_ROLE_EMBEDDING});
  int y = gf_attention(t, &c, "");
  EXPECT_INT(of(t, x)->role, GF_ROLE_EMBEDDING);
  EXPECT_TEXT(axes_of(t, gf_find(t, "scores")), "query key");
  EXPECT_INT(of(t, gf_find(t, "weights"))->role, GF_ROLE_WEIGHT);
  EXPECT_INT(of(t, y)->role, GF_ROLE_OUTPUT);
  expect_removal(t, y, GF_REMOVE_MIX, 1);
}

/* What is 0 stays; what is wrong is refused, and changes nothing. */
static void check_describing(void) {
  room_reset();
  gf_tape *t = new_tape();
  int x = gf_input(t, 2, (int[]){2, 3}, "x");
  gf_description here = {.role = GF_ROLE_HIDDEN, .stack = GF_STACK_DECODER, .layer = 3};
  EXPECT_INT(gf_describe(t, x, &here), GF_OK);
  EXPECT_INT(gf_describe(t, x, &(gf_description){.part = GF_PART_FEED_FORWARD}), GF_OK);
  EXPECT_INT(of(t, x)->role, GF_ROLE_HIDDEN);
  EXPECT_INT(of(t, x)->stack, GF_STACK_DECODER);
  EXPECT_INT(of(t, x)->layer, 3);
  EXPECT_INT(of(t, x)->part, GF_PART_FEED_FORWARD);
  EXPECT_INT(gf_describe(t, x, NULL), GF_ERANGE);
  EXPECT(isnan(gf_node_attribute(t, x, NULL)));
  const gf_description wrong[] = {
      {.role = GF_ROLE_COUNT},
      {.parameter = GF_PARAMETER_COUNT},
      {.stack = GF_STACK_COUNT},
      {.part = GF_PART_COUNT},
      {.removal = GF_REMOVE_COUNT},
      {.axes = {0, GF_AXIS_COUNT}},
      {.removal = GF_REMOVE_MASK, .substitute = GF_MAX_INPUTS},
      {.heads = -1},
      {.stack = GF_STACK_ENCODER, .layer = -2},
      {.sequences = {3}},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    EXPECT_INT(gf_describe(t, x, &wrong[i]), GF_ERANGE);
  EXPECT_TEXT(gf_tape_error_text(t), "x: describe: a field is out of range");
  EXPECT_INT(gf_describe(t, 7, &here), GF_ENODE);
  EXPECT_INT(gf_tape_error(t), GF_OK);
  EXPECT_INT(of(t, x)->role, GF_ROLE_HIDDEN);
  place(t);
  EXPECT_INT(gf_describe(t, x, &(gf_description){.heads = 2}), GF_OK);
}

/* ---- Models ---- */

static gf_tape *model_of(int family, gf_batch b) {
  room_reset();
  gf_model m = {
      .family = family,
      .vocab = 11,
      .token_types = family == GF_BERT ? 2 : 0,
      .max_length = 8,
      .d_model = 8,
      .heads = 2,
      .kv_heads = family == GF_GPT ? 1 : 2,
      .d_ff = 12,
      .layers = 2,
      .decoder_layers = family == GF_TRANSFORMER ? 2 : 0,
      .positions = family == GF_GPT ? GF_ROTARY : GF_LEARNED,
      .pre_norm = family == GF_GPT,
      .final_norm = family == GF_GPT,
      .activation = family == GF_GPT ? GF_SWIGLU : GF_GELU,
      .bias = 1,
      .tied = 1,
      .output_bias = 1,
      .pooler = family == GF_BERT,
      .prediction = family == GF_BERT,
      .rotary_base = 10000,
      .epsilon = 1e-5f,
  };
  size_t bytes = gf_tape_bytes(400);
  gf_tape *t = gf_tape_create(room(bytes, 0), bytes);
  gf_build(t, &m, &b);
  EXPECT_TEXT(gf_tape_error_text(t), "");
  return t;
}

typedef struct due {
  const char *name, *axes;
  int role, stack, layer, part;
} due;

static void expect_nodes(gf_tape *t, const due *due, size_t count) {
  for (size_t i = 0; i < count; i++) {
    int node = gf_find(t, due[i].name);
    if (node < 0) {
      complain("there is no node %s", due[i].name);
      return;
    }
    EXPECT_TEXT(axes_of(t, node), due[i].axes);
    EXPECT_INT(of(t, node)->role, due[i].role);
    EXPECT_INT(of(t, node)->stack, due[i].stack);
    EXPECT_INT(of(t, node)->layer, due[i].layer);
    EXPECT_INT(of(t, node)->part, due[i].part);
  }
}
#define EXPECT_NODES(t, ...)                                                                       \
  do {                                                                                             \
    const due all[] = {__VA_ARGS__};                                                               \
    expect_nodes(t, all, sizeof all / sizeof *all);                                                \
  } while (0)

/* Every node but what comes out of nowhere (a seed, places) says what it is and what its axes are. */
static void expect_all_described(const gf_tape *t) {
  for (int i = 0; i < gf_tape_count(t); i++) {
    if (gf_node_size(t, i) < 3) continue;
    const gf_description *d = of(t, i);
    const char *name = gf_node_name(t, i);
    if (!d->role) complain("%s has no role", name);
    for (int k = 0; k < gf_node_rank(t, i); k++)
      if (!d->axes[k]) complain("%s: axis %d has no meaning", name, k);
    bool encoder = strncmp(name, "encoder.", 8) == 0;
    if (encoder != (d->stack == GF_STACK_ENCODER)) complain("%s stands elsewhere", name);
  }
}

static void check_models(void) {
  const int E = GF_STACK_ENCODER, D = GF_STACK_DECODER, none = GF_NONE;
  gf_batch whole = {.size = 2, .source = 5, .target = 4, .padded = 1, .masked = 1, .loss = 1};
  gf_tape *t = model_of(GF_TRANSFORMER, whole);
  expect_all_described(t);
  EXPECT_NODES(
      t, {"source", "batch source.token", GF_ROLE_TOKENS, 0, none, 0},
      {"target.lengths", "target.batch", GF_ROLE_LENGTHS, 0, none, 0},
      {"memory.mask", "batch head target.query source.key", GF_ROLE_MASK, 0, none, 0},
      {"embedding.weight", "vocabulary channel", GF_ROLE_EMBEDDING, 0, none, 0},
      {"encoder.embedding", "batch source.token channel", GF_ROLE_EMBEDDING, E, none,
       GF_PART_EMBEDDING},
      {"encoder.position", "source.token channel", GF_ROLE_POSITION, E, none, GF_PART_EMBEDDING},
      {"encoder.layers.1.self_attn.q_proj.weight", "channel channel", GF_ROLE_QUERY, E, 1,
       GF_PART_SELF_ATTN},
      {"encoder.layers.1.norm2", "batch source.token channel", GF_ROLE_NORM, E, 1, GF_PART_NONE},
      {"decoder.layers.0.self_attn.scores.masked", "batch head target.query target.key",
       GF_ROLE_SCORE, D, 0, GF_PART_SELF_ATTN},
      {"decoder.layers.1.cross_attn.k", "batch source.token channel", GF_ROLE_KEY, D, 1,
       GF_PART_CROSS_ATTN},
      {"decoder.layers.1.cross_attn.weights", "batch head target.query source.key", GF_ROLE_WEIGHT,
       D, 1, GF_PART_CROSS_ATTN},
      {"decoder.layers.1.residual2", "batch target.token channel", GF_ROLE_RESIDUAL, D, 1, 0},
      {"decoder.layers.1.linear1", "batch target.token channel", GF_ROLE_HIDDEN, D, 1,
       GF_PART_FEED_FORWARD},
      {"decoder.layers.1.linear2.weight", "channel channel", GF_ROLE_OUTPUT, D, 1,
       GF_PART_FEED_FORWARD},
      {"logits", "batch target.token vocabulary", GF_ROLE_LOGIT, 0, none, 0},
      {"labels", "batch target.token", GF_ROLE_LABELS, 0, none, 0});
  expect_removal(t, gf_find(t, "encoder.input"), GF_REMOVE_POSITIONS, 0);
  expect_removal(t, gf_find(t, "decoder.layers.1.residual3"), GF_REMOVE_RESIDUAL, 1);
  expect_removal(t, gf_find(t, "decoder.layers.0.self_attn.scores.masked"), GF_REMOVE_MASK, 0);
  EXPECT_INT(of(t, gf_find(t, "encoder.layers.0.self_attn.scores.masked"))->removal, 0);

  t = model_of(GF_TRANSFORMER, (gf_batch){.size = 1, .source = 5, .target = 1, .capacity = 7});
  expect_all_described(t);
  EXPECT_NODES(t, {"memory", "batch source.token channel", GF_ROLE_MEMORY, 0, none, 0},
               {"decoder.layers.1.cross_attn.v.heads", "batch head source.token channel",
                GF_ROLE_VALUE, D, 1, GF_PART_CROSS_ATTN},
               {"decoder.layers.1.self_attn.k.cache", "batch head target.token channel",
                GF_ROLE_KEY, D, 1, GF_PART_SELF_ATTN});

  t = model_of(GF_GPT, (gf_batch){.size = 1, .target = 4});
  expect_all_described(t);
  EXPECT_NODES(t,
               {"decoder.rotation", "target.token pair rotation", GF_ROLE_POSITION, D, none,
                GF_PART_EMBEDDING},
               {"decoder.layers.0.gate", "batch target.token channel", GF_ROLE_GATE, D, 0,
                GF_PART_FEED_FORWARD},
               {"decoder.norm", "batch target.token channel", GF_ROLE_NORM, D, none, 0});
  EXPECT_INT(of(t, gf_find(t, "decoder.layers.0.self_attn.q"))->heads, 2);
  EXPECT_INT(of(t, gf_find(t, "decoder.layers.0.self_attn.k_proj.weight"))->heads, 1);
  EXPECT_INT(of(t, gf_find(t, "decoder.layers.0.self_attn.concat"))->heads, 2);

  t = model_of(GF_BERT, (gf_batch){.size = 2, .target = 4});
  EXPECT_NODES(
      t, {"token_types", "batch target.token", GF_ROLE_SEGMENTS, 0, none, 0},
      {"token_type_embedding.weight", "segment channel", GF_ROLE_SEGMENT, E, none,
       GF_PART_EMBEDDING},
      {"encoder.layers.0.self_attn.weights", "batch head target.query target.key", GF_ROLE_WEIGHT,
       E, 0, GF_PART_SELF_ATTN},
      {"pooler.dense.weight", "channel channel", GF_ROLE_POOLED, 0, none, GF_PART_POOLER},
      {"prediction.norm", "batch target.token channel", GF_ROLE_NORM, 0, none, GF_PART_PREDICTION});
}

static void run(void) {
  check_words(gf_role_name, GF_ROLE_COUNT);
  check_words(gf_axis_name, GF_AXIS_COUNT);
  check_words(gf_sequence_name, GF_SEQUENCE_COUNT);
  check_words(gf_parameter_name, GF_PARAMETER_COUNT);
  check_words(gf_stack_name, GF_STACK_COUNT);
  check_words(gf_part_name, GF_PART_COUNT);
  check_words(gf_removal_name, GF_REMOVE_COUNT);
  check_derived();
  check_attention();
  check_describing();
  check_models();
}

const spec spec_description = {"description", run};
