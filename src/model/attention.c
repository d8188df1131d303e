#include "attention.h"
#include "tape.h"

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

/* prefix.q, prefix.k.heads, ... */
static const char *step(path *p, const char *prefix, int role, const char *form) {
  const char *letter = role == GF_ROLE_QUERY ? "q" : role == GF_ROLE_KEY ? "k" : "v";
  path own;
  text s = text_begin(own.room, sizeof own.room);
  text_add(&s, letter);
  text_add(&s, form);
  return under(p, prefix, own.room);
}

/* ---- What operands are, where nobody has said it ---- */

static void describe(gf_tape *t, int x, gf_description d, int rows, int columns) {
  int rank = gfi_rank_of(t, x);
  if (!rank) return;
  const gf_description *known = gf_node_description(t, x);
  if (known->role) d.role = 0;
  if (!known->axes[rank - 1]) {
    if (rank > 2) d.axes[0] = GF_AXIS_BATCH;
    if (rank > 3) d.axes[1] = GF_AXIS_HEAD;
    if (rank > 1) d.axes[rank - 2] = (uint8_t)rows;
    d.axes[rank - 1] = (uint8_t)columns;
  }
  gf_describe(t, x, &d);
}

static void describe_linear(gf_tape *t, int role, int w, int b, int heads) {
  const int channel = GF_AXIS_CHANNEL;
  gf_description d = {.role = (uint8_t)role, .parameter = GF_PARAMETER_WEIGHT, .heads = heads};
  describe(t, w, d, channel, channel);
  d.parameter = GF_PARAMETER_BIAS;
  if (role == GF_ROLE_OUTPUT) d.heads = 0;
  describe(t, b, d, channel, channel);
}

/* ---- Queries, keys, values ---- */

int gfi_attention_project(gf_tape *t, int role, int x, int w, int b, int heads,
                          const char *prefix) {
  path p;
  gf_description d = {.role = (uint8_t)role, .heads = heads};
  if (w == GF_NONE) {
    describe(t, x, d, GF_AXIS_TOKEN, GF_AXIS_CHANNEL);
    return x;
  }
  describe(t, x, (gf_description){.role = GF_ROLE_INPUT}, GF_AXIS_TOKEN, GF_AXIS_CHANNEL);
  describe_linear(t, role, w, b, heads);
  /* Queries and keys may share a weight, which is then the queries'. */
  return described(t, gf_linear(t, x, w, b, step(&p, prefix, role, "")), d);
}

int gfi_attention_split(gf_tape *t, int role, int x, int heads, bool alone, const char *prefix) {
  path p;
  int rank = gfi_rank_of(t, x);
  if ((alone && heads == 1 && rank == 2) || rank == 4) return x;
  return gf_split_heads(t, x, heads, step(&p, prefix, role, ".heads"));
}

static int rotate(gf_tape *t, const gf_attention_config *c, int role, int x, const char *prefix) {
  path p;
  return gf_rope(t, x, c->rotation, c->interleaved, step(&p, prefix, role, ".rotated"));
}

static int cache(gf_tape *t, const gf_attention_config *c, int role, int x, const char *prefix) {
  path p;
  return gf_cache(t, x, c->at, c->capacity, step(&p, prefix, role, ".cache"));
}

/* ---- Scores, weights, outputs ---- */

/* What multiplies the scores: 1 / sqrt(D), D being the width of a head's query, unless given. */
static float scale_of(const gf_tape *t, const gf_attention_config *c, int q) {
  int rank = gfi_rank_of(t, q);
  if (c->scale != 0 || !rank) return c->scale;
  return (float)(1 / __builtin_sqrt(gf_node_shape(t, q)[rank - 1]));
}

/* Scores are scores whatever the queries are besides: a tensor may be given as both, and as keys. */
static int scores(gf_tape *t, const gf_attention_config *c, int q, int k, const char *prefix) {
  path p;
  int x = gf_matmul_transposed(t, q, k, under(&p, prefix, "scores")), rank = gfi_rank_of(t, x);
  gf_description d = {
      .role = GF_ROLE_SCORE, .removal = GF_REMOVE_SCORES, .substitute = GF_NONE, .heads = c->heads};
  if (rank > 1) {
    d.axes[rank - 2] = GF_AXIS_QUERY;
    d.axes[rank - 1] = GF_AXIS_KEY;
  }
  return described(t, x, d);
}

/* From queries and keys to the weights, step by step; c->scale is given. */
static int weights(gf_tape *t, const gf_attention_config *c, int window, int q, int k,
                   const char *prefix) {
  path p;
  bool masked = c->causal || c->mask != GF_NONE || c->lengths != GF_NONE;
  int x = scores(t, c, q, k, prefix);
  x = gf_scale(t, x, c->scale, under(&p, prefix, "scores.scaled"));
  if (c->softcap != 0) x = gf_softcap(t, x, c->softcap, under(&p, prefix, "scores.capped"));
  if (c->alibi) x = gf_alibi(t, x, c->at, under(&p, prefix, "scores.biased"));
  if (window)
    x = gf_mask_window(t, x, c->causal, c->offset, window, c->mask, c->lengths,
                       under(&p, prefix, "scores.masked"));
  else if (masked)
    x = gf_mask(t, x, c->causal, c->offset, c->mask, c->lengths,
                under(&p, prefix, "scores.masked"));
  return gf_softmax(t, x, under(&p, prefix, "weights"));
}

static int attend(gf_tape *t, const gf_attention_config *c, int window, const char *prefix) {
  path p;
  const int Q = GF_ROLE_QUERY, K = GF_ROLE_KEY, V = GF_ROLE_VALUE;
  bool projected = c->w_o != GF_NONE;
  bool alone = c->heads == 1;
  int kv_heads = c->kv_heads ? c->kv_heads : c->heads;
  describe(t, c->mask, (gf_description){.role = GF_ROLE_MASK}, GF_AXIS_QUERY, GF_AXIS_KEY);
  describe(t, c->lengths, (gf_description){.role = GF_ROLE_LENGTHS}, 0, GF_AXIS_BATCH);

  int q = gfi_attention_project(t, Q, c->query, c->w_q, c->b_q, c->heads, prefix);
  int k = gfi_attention_project(t, K, c->key, c->w_k, c->b_k, kv_heads, prefix);
  int v = gfi_attention_project(t, V, c->value, c->w_v, c->b_v, kv_heads, prefix);
  q = gfi_attention_split(t, Q, q, c->heads, alone, prefix);
  k = gfi_attention_split(t, K, k, kv_heads, alone, prefix);
  v = gfi_attention_split(t, V, v, kv_heads, alone, prefix);
  if (c->rotation != GF_NONE) {
    q = rotate(t, c, Q, q, prefix);
    k = rotate(t, c, K, k, prefix);
  }
  if (c->at != GF_NONE) {
    k = cache(t, c, K, k, prefix);
    v = cache(t, c, V, v, prefix);
  }

  bool many = gfi_rank_of(t, q) != 2;
  const char *mix = many || projected ? "mix" : "output";
  gf_attention_config scaled = *c;
  scaled.scale = scale_of(t, c, q);
  int x = c->fused
              ? gf_fused_attention_window(t, q, k, v, &scaled, window, under(&p, prefix, mix))
              : gf_matmul(t, weights(t, &scaled, window, q, k, prefix), v, under(&p, prefix, mix));
  if (many) {
    x = gf_concat_heads(t, x, under(&p, prefix, projected ? "concat" : "output"));
    in_role(t, x, GF_ROLE_CONCAT);
  }
  if (projected) {
    describe_linear(t, GF_ROLE_OUTPUT, c->w_o, c->b_o, c->heads);
    x = gf_linear(t, x, c->w_o, c->b_o, under(&p, prefix, "output"));
  }
  return in_role(t, x, GF_ROLE_OUTPUT);
}

/* A refused call leaves no trace in what is said of its operands. */
static int build_attention(gf_tape *t, const gf_attention_config *c, int window,
                           const char *prefix) {
  if (!c || !prefix) return gfi_refuse_null(t, &gfi_op_attention, prefix, c ? "prefix" : "config");
  const int operands[] = {c->query, c->key, c->value, c->w_q, c->b_q,  c->w_k,    c->b_k,
                          c->w_v,   c->b_v, c->w_o,   c->b_o, c->mask, c->lengths};
  enum { COUNT = sizeof operands / sizeof *operands };
  gf_description before[COUNT];
  bool known[COUNT];
  for (int i = 0; i < COUNT; i++) {
    known[i] = gfi_rank_of(t, operands[i]) > 0;
    if (known[i]) before[i] = *gf_node_description(t, operands[i]);
  }
  int y = attend(t, c, window, prefix);
  for (int i = 0; y < 0 && i < COUNT; i++)
    if (known[i]) gfi_tape_describe(t, operands[i], before[i]);
  return y;
}

int gf_attention(gf_tape *t, const gf_attention_config *c, const char *prefix) {
  return build_attention(t, c, 0, prefix);
}

int gfi_attention_window(gf_tape *t, const gf_attention_config *c, int window, const char *prefix) {
  return build_attention(t, c, window, prefix);
}
