#include "harness.h"

#include <math.h>
#include <string.h>

/* A small model of each family; the trials change a field or two. */
static gf_model small(int family) {
  bool gpt = family == GF_GPT;
  return (gf_model){
      .family = family,
      .vocab = 11,
      .max_length = 8,
      .d_model = 8,
      .heads = 2,
      .kv_heads = gpt ? 1 : 2,
      .d_ff = 12,
      .layers = 2,
      .decoder_layers = family == GF_TRANSFORMER ? 2 : 0,
      .positions = gpt ? GF_ROTARY : GF_SINUSOIDAL,
      .norm = gpt ? GF_RMS_NORM : GF_LAYER_NORM,
      .pre_norm = gpt,
      .final_norm = gpt,
      .activation = gpt ? GF_SWIGLU : GF_RELU,
      .bias = !gpt,
      .tied = 1,
      .scale_embedding = !gpt,
      .rotary_base = 10000,
      .epsilon = 1e-5f,
  };
}

/* Parameters that several tapes share. */
typedef struct parameters {
  const gf_tape *layout;
  float *values, *grads;
  size_t count;
} parameters;

static gf_tape *empty_tape(void) {
  size_t bytes = gf_tape_bytes(400);
  return gf_tape_create(room(bytes, 0), bytes);
}

static parameters parameters_of(const gf_model *m) {
  gf_tape *t = empty_tape();
  EXPECT(gf_build(t, m, &(gf_batch){.size = 1, .source = 1, .target = 1}) >= 0);
  parameters p = {.layout = t, .count = gf_parameter_count(t)};
  p.values = room(p.count * 4, 0);
  p.grads = room(p.count * 4, 0);
  memset(p.grads, 0, p.count * 4);
  EXPECT_INT(gf_bind_parameters(t, t, p.values, p.grads), GF_OK);
  EXPECT_INT(gf_initialize(t, 3), GF_OK);
  return p;
}

static gf_tape *model_tape(const gf_model *m, const gf_batch *b, parameters p) {
  gf_tape *t = empty_tape();
  gf_build(t, m, b);
  EXPECT_TEXT(gf_tape_error_text(t), "");
  EXPECT_INT(gf_bind_parameters(t, p.layout, p.values, p.grads), GF_OK);
  place(t);
  for (int side = 0; side < 2; side++) {
    int at = gf_find(t, side ? "source.positions" : "target.positions");
    for (int i = 0; at >= 0 && i < gf_node_size(t, at); i++) gf_node_ids(t, at)[i] = i;
  }
  return t;
}

static float *values_of(gf_tape *t, const char *name) {
  int node = gf_find(t, name);
  EXPECT(node >= 0);
  return gf_node_value(t, node);
}

static int32_t *ids_of(gf_tape *t, const char *name) {
  int node = gf_find(t, name);
  EXPECT(node >= 0);
  return gf_node_ids(t, node);
}

static const int32_t source[] = {3, 1, 4, 1, 5}, target[] = {9, 2, 6, 5};
enum { S = 5, T = 4, V = 11 };

static void copy_ids(gf_tape *t, const char *name, const int32_t *ids, size_t n) {
  memcpy(ids_of(t, name), ids, n * sizeof *ids);
}

/* The logits of the target given the source, all positions at once. */
static const float *full_logits(const gf_model *m, parameters p) {
  gf_tape *t = model_tape(m, &(gf_batch){.size = 1, .source = S, .target = T}, p);
  if (m->family == GF_TRANSFORMER) copy_ids(t, "source", source, S);
  copy_ids(t, "target", target, T);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  return values_of(t, "logits");
}

static void expect_same_bits(const float *a, const float *b, size_t n, const char *what) {
  if (memcmp(a, b, n * sizeof *a)) complain("%s: the bits differ", what);
}

/* A sequence beside a longer one, filled up with padding, gives the bits that it gives alone. */
static void check_padding(int family) {
  room_reset();
  gf_model m = small(family);
  parameters p = parameters_of(&m);
  const float *alone = full_logits(&m, p);
  gf_batch b = {.size = 2, .source = S + 2, .target = T + 3, .padded = 1};
  gf_tape *t = model_tape(&m, &b, p);
  for (int i = 0; i < 2; i++) {
    if (family == GF_TRANSFORMER) {
      memcpy(ids_of(t, "source") + i * (S + 2), source, sizeof source);
      ids_of(t, "source.lengths")[i] = i ? S : S + 2;
    }
    memcpy(ids_of(t, "target") + i * (T + 3), target, sizeof target);
    ids_of(t, "target.lengths")[i] = i ? T : T + 3;
  }
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  expect_same_bits(values_of(t, "logits") + (T + 3) * V, alone, T * V, "padding");
}

/* Weights that are NaN leave no number: a NaN is not taken for a masked score. */
static void check_nan(int fused) {
  room_reset();
  gf_model m = small(GF_GPT);
  parameters p = parameters_of(&m);
  gf_batch b = {.size = 1, .target = T, .loss = 1, .fused = fused};
  gf_tape *t = model_tape(&m, &b, p);
  copy_ids(t, "target", target, T);
  copy_ids(t, "labels", target, T);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT(isfinite(values_of(t, "loss")[0]));
  float *weight = values_of(t, "decoder.layers.0.self_attn.q_proj.weight");
  for (int i = 0; i < 8 * 8; i++) weight[i] = NAN;
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  for (int i = 0; i < T * V; i++) EXPECT(isnan(values_of(t, "logits")[i]));
  EXPECT(isnan(values_of(t, "loss")[0]));
}

/* A mask that hides the source's last token gives the bits of a length that hides it. */
static void check_masks(void) {
  room_reset();
  gf_model m = small(GF_TRANSFORMER);
  parameters p = parameters_of(&m);
  const float *logits[2];
  for (int masked = 0; masked < 2; masked++) {
    gf_batch b = {.size = 1, .source = S, .target = T, .padded = !masked, .masked = masked};
    gf_tape *t = model_tape(&m, &b, p);
    copy_ids(t, "source", source, S);
    copy_ids(t, "target", target, T);
    if (masked) {
      for (int i = 0; i < S; i++) values_of(t, "source.mask")[i * S + S - 1] = -INFINITY;
      for (int i = 0; i < T; i++) values_of(t, "memory.mask")[i * S + S - 1] = -INFINITY;
    } else {
      ids_of(t, "source.lengths")[0] = S - 1;
      ids_of(t, "target.lengths")[0] = T;
    }
    EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
    logits[masked] = values_of(t, "logits");
  }
  expect_same_bits(logits[0], logits[1], T * V, "mask");
}

/* Token by token with caches gives the bits of all tokens at once. */
static void check_cache(int family, int positions) {
  room_reset();
  gf_model m = small(family);
  m.positions = positions;
  parameters p = parameters_of(&m);
  const float *whole = full_logits(&m, p);
  gf_batch b = {.size = 1, .source = S, .target = 1, .padded = 1, .capacity = 7};
  gf_tape *t = model_tape(&m, &b, p);
  int first = 0;
  if (family == GF_TRANSFORMER) {
    gf_tape *encoder = model_tape(&m, &(gf_batch){.size = 1, .source = S, .target = 1}, p);
    copy_ids(encoder, "source", source, S);
    int memory = gf_find(encoder, "encoder.layers.1.norm2");
    EXPECT_INT(gf_forward(encoder, 0, memory), GF_OK);
    memcpy(values_of(t, "memory"), gf_node_value(encoder, memory), S * 8 * sizeof(float));
    ids_of(t, "source.lengths")[0] = S;
    first = gf_find(t, "target");
    EXPECT_INT(gf_forward(t, 0, first), GF_OK);
  }
  for (int i = 0; i < T; i++) {
    ids_of(t, "target")[0] = target[i];
    if (gf_find(t, "target.positions") >= 0) ids_of(t, "target.positions")[0] = i;
    ids_of(t, "at")[0] = i;
    ids_of(t, "target.lengths")[0] = i + 1;
    EXPECT_INT(gf_forward(t, first, GF_LAST), GF_OK);
    expect_same_bits(values_of(t, "logits"), whole + i * V, V, "cache");
  }
  ids_of(t, "at")[0] = 7;
  EXPECT_INT(gf_forward(t, first, GF_LAST), GF_EID);
}

static void check_names(void) {
  room_reset();
  gf_model m = small(GF_TRANSFORMER);
  parameters p = parameters_of(&m);
  /* Embeddings V C; a layer 4 attention weights of C^2 + C, feed-forward 2 C F + F + C, norms 2 C each;
   * a decoder layer one attention and one norm more. */
  size_t C = 8, F = 12, attention = 4 * (C * C + C), forward = 2 * C * F + F + C, norm = 2 * C;
  EXPECT_INT(p.count, V * C + 2 * (attention + forward + 2 * norm) +
                          2 * (2 * attention + forward + 3 * norm));
  gf_tape *t = model_tape(&m, &(gf_batch){.size = 2, .source = S, .target = T, .loss = 1}, p);
  const struct {
    const char *name;
    int rank, shape[4];
  } due[] = {
      {"embedding.weight", 2, {V, 8}},
      {"encoder.input", 3, {2, S, 8}},
      {"encoder.layers.1.self_attn.weights", 4, {2, 2, S, S}},
      {"encoder.layers.1.linear1.weight", 2, {8, 12}},
      {"decoder.layers.0.self_attn.scores.masked", 4, {2, 2, T, T}},
      {"decoder.layers.1.cross_attn.out_proj.bias", 1, {8}},
      {"decoder.layers.1.cross_attn.weights", 4, {2, 2, T, S}},
      {"decoder.layers.1.norm3", 3, {2, T, 8}},
      {"logits", 3, {2, T, V}},
      {"loss", 1, {1}},
  };
  int last = -1;
  for (size_t i = 0; i < sizeof due / sizeof *due; i++) {
    int node = gf_find(t, due[i].name);
    if (node < 0) {
      complain("there is no node %s", due[i].name);
      return;
    }
    EXPECT_INT(gf_node_rank(t, node), due[i].rank);
    for (int d = 0; d < due[i].rank; d++) EXPECT_INT(gf_node_shape(t, node)[d], due[i].shape[d]);
    EXPECT(node > last); /* the order of computation */
    last = node;
  }
}

/* Adam on one batch drives the loss towards 0, with dropout too. */
static void check_training(int family, float dropout) {
  room_reset();
  gf_model m = small(family);
  m.dropout = dropout;
  parameters p = parameters_of(&m);
  float *moments = room(2 * p.count * 4, 0);
  memset(moments, 0, 2 * p.count * 4);
  gf_tape *t =
      model_tape(&m, &(gf_batch){.size = 1, .source = S, .target = T, .training = 1, .loss = 1}, p);
  if (family == GF_TRANSFORMER) copy_ids(t, "source", source, S);
  copy_ids(t, "target", target, T);
  copy_ids(t, "labels", (const int32_t[]){2, 6, 5, GF_IGNORE}, T);
  float first = 0;
  for (int step = 1; step <= 60; step++) {
    if (dropout > 0) ids_of(t, "dropout.key")[1] = step;
    EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
    if (step == 1) first = values_of(t, "loss")[0];
    memset(p.grads, 0, p.count * 4);
    gf_zero_grad(t);
    gf_node_grad(t, gf_find(t, "loss"))[0] = 1;
    gf_backward(t, 0, GF_LAST);
    gf_adam adam = {
        .learning_rate = 0.01f, .beta1 = 0.9f, .beta2 = 0.98f, .epsilon = 1e-9f, .step = step};
    gf_adam_step(p.values, p.grads, moments, moments + p.count, NULL, p.count, &adam);
  }
  EXPECT(first > 1);
  EXPECT(values_of(t, "loss")[0] < 0.2f * first);
}

#define REFUSED(text, ...)                                                                         \
  do {                                                                                             \
    room_reset();                                                                                  \
    gf_model m = small(GF_TRANSFORMER);                                                            \
    gf_batch b = {.size = 2, .source = 3, .target = 3};                                            \
    __VA_ARGS__;                                                                                   \
    gf_tape *t = empty_tape();                                                                     \
    EXPECT_INT(gf_build(t, &m, &b), GF_ERANGE);                                                    \
    EXPECT_TEXT(gf_tape_error_text(t), "model: build: " text);                                     \
  } while (0)

static void check_refusals(void) {
  REFUSED("3 heads do not divide d_model 8", m.heads = m.kv_heads = 3);
  REFUSED("kv_heads 3 is out of range", m.kv_heads = 3);
  REFUSED("kv_heads -1 is out of range", m.kv_heads = -1);
  REFUSED("d_model 0 is out of range", m.d_model = 0);
  REFUSED("positions 9 is out of range", m.positions = 9);
  REFUSED("head 2 is out of range", m.head = 2);
  REFUSED("dropout must be from 0 to below 1", m.dropout = 1);
  REFUSED("target length 9 is out of range", b.target = 9);
  REFUSED("source length 0 is out of range", b.source = 0);
  REFUSED("batch size 0 is out of range", b.size = 0);
  REFUSED("capacity 9 is out of range", (b.capacity = 9, b.target = 1));
  REFUSED("target length 3 is out of range", b.capacity = 8);
  REFUSED("rotary positions need an even head size",
          (m.positions = GF_ROTARY, m.d_model = 6, m.heads = m.kv_heads = 2));
}

/* Without layers nobody reads the rotation, but it is refused all the same. */
static void check_unread_refusal(void) {
  room_reset();
  gf_model m = small(GF_GPT);
  m.positions = GF_ROTARY, m.rotary_base = 0, m.layers = 0;
  gf_tape *t = empty_tape();
  EXPECT_INT(gf_build(t, &m, &(gf_batch){.size = 1, .target = 3}), GF_ERANGE);
  EXPECT_TEXT(gf_tape_error_text(t), "decoder.rotation: rotation: base must be above 0");
}

static bool has_shape(gf_tape *t, const char *name, int rows, int columns) {
  int x = gf_find(t, name), rank = x < 0 ? 0 : gf_node_rank(t, x);
  if (!rank) return false;
  const int *shape = gf_node_shape(t, x);
  return shape[rank - 1] == columns && (rank == 1 ? !rows : shape[0] == rows);
}

/* 2 heads of 6 channels, 1 of keys, in a width of 8; only queries, keys and values have a bias. */
static void check_variant(void) {
  room_reset();
  gf_model m = small(GF_GPT);
  gf_variant v = {.head_size = 6, .qkv_bias = 1, .qk_norm = 1};
  gf_batch b = {.size = 1, .target = 3};
  gf_tape *t = empty_tape();
  EXPECT(gf_build_variant(t, &m, &v, &b) >= 0);
  EXPECT_TEXT(gf_tape_error_text(t), "");
  EXPECT(has_shape(t, "decoder.layers.0.self_attn.q_proj.weight", 8, 12));
  EXPECT(has_shape(t, "decoder.layers.0.self_attn.q_proj.bias", 0, 12));
  EXPECT(has_shape(t, "decoder.layers.0.self_attn.k_proj.weight", 8, 6));
  EXPECT(has_shape(t, "decoder.layers.0.self_attn.v_proj.bias", 0, 6));
  EXPECT(has_shape(t, "decoder.layers.0.self_attn.k_norm.weight", 0, 6));
  EXPECT(has_shape(t, "decoder.layers.0.self_attn.out_proj.weight", 12, 8));
  EXPECT(gf_find(t, "decoder.layers.0.self_attn.out_proj.bias") < 0);
  EXPECT(gf_find(t, "decoder.layers.0.linear1.bias") < 0);
  int normed = gf_find(t, "decoder.layers.0.self_attn.q.normed");
  EXPECT(normed >= 0 && gf_node_description(t, normed)->role == GF_ROLE_QUERY);

  gf_tape_rewind(t, 0);
  v.head_size = 5;
  EXPECT_INT(gf_build_variant(t, &m, &v, &b), GF_ERANGE);
  EXPECT_TEXT(gf_tape_error_text(t), "model: build: rotary positions need an even head size");
  gf_tape_rewind(t, 0);
  v.head_size = -2;
  EXPECT_INT(gf_build_variant(t, &m, &v, &b), GF_ERANGE);
  EXPECT_TEXT(gf_tape_error_text(t), "model: build: head_size -2 is out of range");
  gf_tape_rewind(t, 0);
  EXPECT_INT(gf_build_variant(t, &m, NULL, &b), GF_ERANGE);

  gf_tape_rewind(t, 0);
  v = (gf_variant){.rotary_size = 2, .parallel = 1};
  EXPECT(gf_build_variant(t, &m, &v, &b) >= 0);
  EXPECT(has_shape(t, "decoder.rotation", 3, 2));
  int norm = gf_find(t, "decoder.layers.1.norm2");
  EXPECT_INT(gf_node_input(t, norm, 0), gf_find(t, "decoder.layers.0.residual2"));
  gf_tape_rewind(t, 0);
  v.rotary_size = 3;
  EXPECT_INT(gf_build_variant(t, &m, &v, &b), GF_ERANGE);

  gf_tape_rewind(t, 0);
  v = (gf_variant){.window = 2, .window_first = 1, .window_step = 2, .unscaled = 1};
  EXPECT(gf_build_variant(t, &m, &v, &b) >= 0);
  for (int i = 0; i < m.layers; i++) {
    static const char *const masked[] = {"decoder.layers.0.self_attn.scores.masked",
                                         "decoder.layers.1.self_attn.scores.masked"};
    EXPECT_NEAR(gf_node_attribute(t, gf_find(t, masked[i]), "window"), i ? 2 : 0, 0);
  }
  EXPECT_NEAR(
      gf_node_attribute(t, gf_find(t, "decoder.layers.0.self_attn.scores.scaled"), "factor"), 1, 0);
  gf_tape_rewind(t, 0);
  v.window_step = 0;
  EXPECT_INT(gf_build_variant(t, &m, &v, &b), GF_ERANGE);
  gf_tape_rewind(t, 0);
  v = (gf_variant){.rotary_stretch = 2, .rotary_slow = 1, .rotary_fast = 1};
  EXPECT_INT(gf_build_variant(t, &m, &v, &b), GF_ERANGE);
  /* Floats that no integer can hold. */
  const float wild[] = {__builtin_inff(), -__builtin_inff(), __builtin_nanf(""), 1e30f, -1e30f};
  for (int i = 0; i < 5; i++) {
    gf_tape_rewind(t, 0);
    v.rotary_stretch = wild[i];
    EXPECT_INT(gf_build_variant(t, &m, &v, &b), GF_ERANGE);
  }
  gf_tape_rewind(t, 0);
  v = (gf_variant){.head_size = 1 << 24};
  EXPECT_INT(gf_build_variant(t, &m, &v, &b), GF_ERANGE);
  EXPECT_TEXT(gf_tape_error_text(t), "model: build: head_size 16777216 is out of range");
  gf_tape_rewind(t, 0);
  v = (gf_variant){.window_first = INT32_MIN, .head_size = 4};
  EXPECT(gf_build_variant(t, &m, &v, &b) >= 0);
}

/* What nobody asks for is not computed. */
static void check_headless(void) {
  for (int family = GF_TRANSFORMER; family <= GF_BERT; family++) {
    room_reset();
    gf_model m = small(family);
    m.head = GF_HEAD_NONE;
    m.final_norm = 1;
    gf_tape *t = empty_tape();
    gf_batch b = {.size = 1, .source = 3, .target = 3};
    int last = gf_build(t, &m, &b);
    EXPECT_TEXT(gf_node_name(t, last), family == GF_BERT ? "encoder.norm" : "decoder.norm");
    EXPECT(gf_find(t, "logits") < 0);
    gf_tape_rewind(t, 0);
    b.loss = 1;
    EXPECT_INT(gf_build(t, &m, &b), GF_ERANGE);
    EXPECT_TEXT(gf_tape_error_text(t), "model: build: loss 1 is out of range");
  }
}

/* A decoder sees nothing that comes later; of vectors, a transformer's sees all, as PyTorch's. */
static void check_causality(void) {
  for (int vocab = 0; vocab <= V; vocab += V)
    for (int family = GF_TRANSFORMER; family <= GF_GPT; family++) {
      room_reset();
      gf_model m = small(family);
      m.vocab = vocab;
      gf_tape *t = empty_tape();
      gf_build(t, &m, &(gf_batch){.size = 1, .source = 3, .target = 3});
      int masked = gf_find(t, "decoder.layers.0.self_attn.scores.masked");
      EXPECT((masked >= 0) == (vocab || family == GF_GPT));
      EXPECT(gf_find(t, "decoder.layers.0.cross_attn.scores.masked") < 0);
    }
}

/* As many parameters as published: nn.Transformer without its two last norms; gpt2; BertForPreTraining
 * without the 1,538 that tell whether two sentences follow each other. */
static void check_defaults(void) {
  static const struct {
    int family, vocab;
    size_t parameters;
  } published[] = {{GF_TRANSFORMER, 0, 44140544 - 2048},
                   {GF_GPT, 50257, 124439808},
                   {GF_BERT, 30522, 110106428 - 1538}};
  for (int i = 0; i < 3; i++) {
    gf_model m = gf_model_default(published[i].family);
    m.vocab = published[i].vocab;
    size_t bytes = gf_tape_bytes(1000);
    gf_tape *t = gf_tape_create(room(bytes, 0), bytes);
    gf_build(t, &m, &(gf_batch){.size = 1, .source = 2, .target = 2});
    EXPECT_TEXT(gf_tape_error_text(t), "");
    EXPECT_INT(gf_parameter_count(t), published[i].parameters);
  }
}

/* Enough, and only larger by what is found made already: tables, and the keys of a memory. */
static void check_node_counts(void) {
  for (int family = GF_TRANSFORMER; family <= GF_BERT; family++) {
    for (int kind = 0; kind < 32; kind++) {
      room_reset();
      gf_model m = small(family);
      gf_batch b = {.size = 1 + kind % 3, .source = 5, .target = 6, .fused = kind >> 1 & 1};
      b.masked = kind & 1, b.padded = kind >> 2 & 1, b.loss = b.training = kind >> 3 & 1;
      m.dropout = 0.1f, m.pooler = m.prediction = family == GF_BERT;
      if (kind >> 4 & 1) b.capacity = 8, b.target = 1, b.loss = b.training = 0;
      gf_tape *t = empty_tape();
      gf_build(t, &m, &b);
      EXPECT_TEXT(gf_tape_error_text(t), "");
      int nodes = gf_build_nodes(&m, &b), made = gf_tape_count(t);
      EXPECT(nodes >= made && nodes <= (b.capacity ? made * 3 / 2 : made + 2));
      size_t bytes = gf_tape_bytes(nodes);
      EXPECT(gf_build(gf_tape_create(room(bytes, 0), bytes), &m, &b) >= 0);
    }
  }
  gf_model m = small(GF_GPT);
  gf_batch b = {.size = 1, .target = 2};
  m.heads = 0;
  EXPECT_INT(gf_build_nodes(&m, &b), GF_ERANGE);
  EXPECT_INT(gf_build_nodes(NULL, &b), GF_ERANGE);
}

/* 0 heads of keys and values are as many as there are heads. */
static void check_kv_heads(void) {
  gf_model m = small(GF_BERT), same = m;
  m.kv_heads = 0, same.kv_heads = m.heads;
  gf_tape *t[2] = {empty_tape(), empty_tape()};
  const gf_batch b = {.size = 1, .target = 3};
  EXPECT_INT(gf_build(t[0], &m, &b), gf_build(t[1], &same, &b));
  EXPECT_TEXT(gf_tape_error_text(t[0]), "");
  EXPECT_INT(gf_parameter_count(t[0]), gf_parameter_count(t[1]));
}

/* Initial values go by what parameters are; names only keep their random numbers apart. */
static void check_initial_values(void) {
  gf_tape *t = empty_tape();
  int matrix[] = {60, 40}, row[] = {40};
  int table = gf_parameter(t, 2, matrix, "a"),
      weight = gf_parameter(t, 2, matrix, "embedding.weight");
  int bias = gf_parameter(t, 1, row, "c"), gain = gf_parameter(t, 1, row, "d.bias");
  int plain = gf_parameter(t, 2, matrix, "bias"), vector = gf_parameter(t, 1, row, "e.bias");
  gf_describe(t, table, &(gf_description){.parameter = GF_PARAMETER_TABLE});
  gf_describe(t, weight, &(gf_description){.parameter = GF_PARAMETER_WEIGHT});
  gf_describe(t, bias, &(gf_description){.parameter = GF_PARAMETER_BIAS});
  gf_describe(t, gain, &(gf_description){.parameter = GF_PARAMETER_GAIN});
  place(t);
  EXPECT_INT(gf_initialize(t, 1), GF_OK);
  /* Other than uniform numbers, normal ones are now and then beyond two deviations. */
  const float *x = gf_node_value(t, table);
  double deviation = 1 / sqrt(40), squares = 0;
  int beyond = 0;
  for (int i = 0; i < 60 * 40; i++)
    squares += (double)x[i] * x[i], beyond += fabs((double)x[i]) > 2 * deviation;
  EXPECT(fabs(sqrt(squares / (60 * 40)) / deviation - 1) < 0.05 && beyond > 0);
  for (int at = 0; at < 2; at++) {
    const float *w = gf_node_value(t, at ? plain : weight);
    double bound = sqrt(6.0 / 100), most = 0;
    for (int i = 0; i < 60 * 40; i++) most = fmax(most, fabs((double)w[i]));
    EXPECT(most <= bound && most > 0.99 * bound);
  }
  for (int i = 0; i < 40; i++) {
    EXPECT(gf_node_value(t, bias)[i] == 0);
    EXPECT(gf_node_value(t, gain)[i] == 1);
    EXPECT(gf_node_value(t, vector)[i] == 1);
  }
}

static void run(void) {
  check_defaults();
  check_initial_values();
  check_node_counts();
  check_kv_heads();
  check_headless();
  check_variant();
  check_causality();
  check_names();
  check_masks();
  for (int fused = 0; fused <= 1; fused++) check_nan(fused);
  for (int family = GF_TRANSFORMER; family <= GF_GPT; family++) {
    check_padding(family);
    check_training(family, 0);
    check_training(family, 0.1f);
    for (int positions = GF_SINUSOIDAL; positions <= GF_SINUSOIDAL_HALVES; positions++)
      check_cache(family, positions);
  }
  check_refusals();
  check_unread_refusal();
}

const spec spec_model = {"model", run};
