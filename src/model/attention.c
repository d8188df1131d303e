#include "path.h"

#include <stdbool.h>

gf_attention_config gf_attention_default(void) {
  return (gf_attention_config){
      .query = GF_NONE,
      .key = GF_NONE,
      .value = GF_NONE,
      .w_q = GF_NONE,
      .b_q = GF_NONE,
      .w_k = GF_NONE,
      .b_k = GF_NONE,
      .w_v = GF_NONE,
      .b_v = GF_NONE,
      .w_o = GF_NONE,
      .b_o = GF_NONE,
      .heads = 1,
      .mask = GF_NONE,
      .lengths = GF_NONE,
      .rotation = GF_NONE,
      .at = GF_NONE,
  };
}

/* The rank of a node that may not be there: then a later push fails. */
static int rank_of(const gf_tape *t, int x) {
  return x >= 0 && x < gf_tape_count(t) ? gf_node_rank(t, x) : 0;
}

/* The meanings of the last two axes. */
static void describe_last(gf_description *d, int rank, int rows, int columns) {
  if (rank > 1) d->axes[rank - 2] = (uint8_t)rows;
  if (rank > 0) d->axes[rank - 1] = (uint8_t)columns;
}

/* Says what an operand is, as far as nobody has. */
static void describe_operand(gf_tape *t, int x, gf_description d, int rows, int columns) {
  int rank = rank_of(t, x);
  if (!rank) return;
  const gf_description *known = gf_node_description(t, x);
  if (known->role) d.role = 0;
  if (!known->axes[rank - 1]) {
    if (rank > 2) d.axes[0] = GF_AXIS_BATCH;
    if (rank > 3) d.axes[1] = GF_AXIS_HEAD;
    describe_last(&d, rank, rows, columns);
  }
  gf_describe(t, x, &d);
}

/* x w + b. Without w, x is taken to be projected already. */
static int project(gf_tape *t, int x, int w, int b, gf_description d, const char *prefix,
                   const char *step) {
  path p;
  const int channel = GF_AXIS_CHANNEL;
  if (w != GF_NONE) {
    gf_description weight = d, bias = d, input = {.role = GF_ROLE_INPUT};
    weight.parameter = GF_PARAMETER_WEIGHT;
    bias.parameter = GF_PARAMETER_BIAS;
    describe_operand(t, x, input, GF_AXIS_TOKEN, channel);
    describe_operand(t, w, weight, channel, channel);
    describe_operand(t, b, bias, channel, channel);
    x = gf_linear(t, x, w, b, under(&p, prefix, step));
    gf_describe(t, x, &d); /* queries and keys may share a weight, which is then the queries' */
  } else
    describe_operand(t, x, d, GF_AXIS_TOKEN, channel);
  return x;
}

/* A single head of a single sequence needs no dimension of its own; rank 4 has it already. */
static int split(gf_tape *t, int x, int heads, const char *prefix, const char *step) {
  path p;
  int rank = rank_of(t, x);
  if ((heads == 1 && rank == 2) || rank == 4) return x;
  return gf_split_heads(t, x, heads, under(&p, prefix, step));
}

/* What multiplies the scores: 1 / sqrt(D), D being the width of a head's query, unless given. */
static float scale_of(const gf_tape *t, const gf_attention_config *c, int q) {
  if (c->scale != 0) return c->scale;
  const int *shape = gf_node_shape(t, q);
  return (float)(1 / __builtin_sqrt(shape[gf_node_rank(t, q) - 1]));
}

/* Whatever the queries are besides: they may be given as anything. */
static void describe_scores(gf_tape *t, int x, int heads) {
  gf_description scores = {
      .role = GF_ROLE_SCORE, .removal = GF_REMOVE_SCORES, .substitute = GF_NONE, .heads = heads};
  describe_last(&scores, rank_of(t, x), GF_AXIS_QUERY, GF_AXIS_KEY);
  gf_describe(t, x, &scores);
}

/* From queries and keys to the weights, step by step; c->scale is given. */
static int weights(gf_tape *t, const gf_attention_config *c, int q, int k, const char *prefix) {
  path p;
  bool masked = c->causal || c->mask != GF_NONE || c->lengths != GF_NONE;
  int x = gf_matmul_transposed(t, q, k, under(&p, prefix, "scores"));
  describe_scores(t, x, c->heads);
  x = gf_scale(t, x, c->scale, under(&p, prefix, "scores.scaled"));
  if (c->softcap != 0) x = gf_softcap(t, x, c->softcap, under(&p, prefix, "scores.capped"));
  if (c->alibi) x = gf_alibi(t, x, c->at, under(&p, prefix, "scores.biased"));
  if (masked)
    x = gf_mask(t, x, c->causal, c->offset, c->mask, c->lengths,
                under(&p, prefix, "scores.masked"));
  return gf_softmax(t, x, under(&p, prefix, "weights"));
}

int gf_attention(gf_tape *t, const gf_attention_config *c, const char *prefix) {
  path p;
  bool projected = c->w_o != GF_NONE;
  int kv_heads = c->kv_heads ? c->kv_heads : c->heads;

  const int channel = GF_AXIS_CHANNEL;
  gf_description query = {.role = GF_ROLE_QUERY, .heads = c->heads},
                 key = {.role = GF_ROLE_KEY, .heads = kv_heads},
                 value = {.role = GF_ROLE_VALUE, .heads = kv_heads};
  int q = project(t, c->query, c->w_q, c->b_q, query, prefix, "q");
  int k = project(t, c->key, c->w_k, c->b_k, key, prefix, "k");
  int v = project(t, c->value, c->w_v, c->b_v, value, prefix, "v");
  describe_operand(t, c->mask, (gf_description){.role = GF_ROLE_MASK}, GF_AXIS_QUERY, GF_AXIS_KEY);
  describe_operand(t, c->lengths, (gf_description){.role = GF_ROLE_LENGTHS}, 0, GF_AXIS_BATCH);
  q = split(t, q, c->heads, prefix, "q.heads");
  k = split(t, k, kv_heads, prefix, "k.heads");
  v = split(t, v, kv_heads, prefix, "v.heads");
  if (c->rotation != GF_NONE) {
    q = gf_rope(t, q, c->rotation, c->interleaved, under(&p, prefix, "q.rotated"));
    k = gf_rope(t, k, c->rotation, c->interleaved, under(&p, prefix, "k.rotated"));
  }
  if (c->at != GF_NONE) {
    k = gf_cache(t, k, c->at, c->capacity, under(&p, prefix, "k.cache"));
    v = gf_cache(t, v, c->at, c->capacity, under(&p, prefix, "v.cache"));
  }

  if (q < 0) return q; /* what follows asks for its shape */
  bool many = gf_node_rank(t, q) > 2;
  const char *mix = many || projected ? "mix" : "output";
  gf_attention_config scaled = *c;
  scaled.scale = scale_of(t, c, q);
  int x = c->fused ? gf_fused_attention(t, q, k, v, &scaled, under(&p, prefix, mix))
                   : gf_matmul(t, weights(t, &scaled, q, k, prefix), v, under(&p, prefix, mix));
  if (many) {
    x = gf_concat_heads(t, x, under(&p, prefix, projected ? "concat" : "output"));
    gf_describe(t, x, &(gf_description){.role = GF_ROLE_CONCAT});
  }
  gf_description output = {.role = GF_ROLE_OUTPUT};
  if (projected) {
    gf_description weight = {GF_ROLE_OUTPUT, .parameter = GF_PARAMETER_WEIGHT, .heads = c->heads};
    gf_description bias = {GF_ROLE_OUTPUT, .parameter = GF_PARAMETER_BIAS};
    describe_operand(t, c->w_o, weight, channel, channel);
    describe_operand(t, c->b_o, bias, channel, channel);
    x = gf_linear(t, x, c->w_o, c->b_o, under(&p, prefix, "output"));
  }
  gf_describe(t, x, &output);
  return x;
}
