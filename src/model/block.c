#include "block.h"

int block_parameter(const build *b, const char *prefix, const char *name, int rows, int columns) {
  path p;
  return gf_parameter(b->t, columns ? 2 : 1, (int[]){rows, columns}, under(&p, prefix, name));
}

int block_linear(const build *b, int x, const char *prefix, int rows, int columns, bool bias) {
  int w = block_parameter(b, prefix, "weight", rows, columns);
  int c = bias ? block_parameter(b, prefix, "bias", columns, 0) : GF_NONE;
  return gf_linear(b->t, x, w, c, prefix);
}

int block_norm(const build *b, int x, const char *prefix) {
  const gf_model *m = b->model;
  int gain = block_parameter(b, prefix, "weight", m->d_model, 0);
  if (m->norm == GF_RMS_NORM) return gf_rms_norm(b->t, x, gain, m->epsilon, prefix);
  int bias = m->bias ? block_parameter(b, prefix, "bias", m->d_model, 0) : GF_NONE;
  return gf_layer_norm(b->t, x, gain, bias, m->epsilon, prefix);
}

int block_dropout(const build *b, int x, const char *prefix, const char *step) {
  path p;
  if (b->dropout_key == GF_NONE) return x;
  return gf_dropout(b->t, x, b->dropout_key, b->model->dropout, under(&p, prefix, step));
}

int block_activation(const build *b, int x, const char *name) {
  switch (b->model->activation) {
  case GF_RELU:
    return gf_relu(b->t, x, name);
  case GF_SILU:
    return gf_silu(b->t, x, 1, name);
  default:
    return gf_gelu(b->t, x, b->model->activation == GF_GELU_TANH, name);
  }
}

/* ---- Attention ---- */

typedef struct projection {
  int w, b;
} projection;

static projection projection_of(const build *b, const char *prefix, const char *name, int rows,
                                int columns) {
  path p;
  under(&p, prefix, name);
  return (projection){
      block_parameter(b, p.room, "weight", rows, columns),
      b->model->bias ? block_parameter(b, p.room, "bias", columns, 0) : GF_NONE,
  };
}

static int head_size(const gf_model *m) {
  return m->d_model / m->heads;
}

/* The keys or values of `memory`, as heads: names k and k.heads, or v and v.heads. */
static int heads_of(const build *b, int memory, const char *prefix, const char *projection_name,
                    const char *step, const char *split_step) {
  path p;
  const gf_model *m = b->model;
  projection w = projection_of(b, prefix, projection_name, m->d_model, m->kv_heads * head_size(m));
  int x = gf_linear(b->t, memory, w.w, w.b, under(&p, prefix, step));
  return gf_split_heads(b->t, x, m->kv_heads, under(&p, prefix, split_step));
}

void block_keys(const build *b, int memory, const char *prefix) {
  heads_of(b, memory, prefix, "k_proj", "k", "k.heads");
  heads_of(b, memory, prefix, "v_proj", "v", "v.heads");
}

int block_attention(const build *b, int query, int memory, sight s, const char *prefix) {
  path p;
  const gf_model *m = b->model;
  int width = m->d_model, kv_width = m->kv_heads * head_size(m);
  gf_attention_config c = gf_attention_default();
  c.query = query;
  c.heads = m->heads;
  c.kv_heads = m->kv_heads;
  c.causal = s.causal;
  c.mask = s.mask;
  c.lengths = s.lengths;
  c.fused = b->batch->fused;

  projection q = projection_of(b, prefix, "q_proj", width, width);
  c.w_q = q.w;
  c.b_q = q.b;
  /* A decoding step finds the keys of the memory made already. */
  int ready = gf_find(b->t, under(&p, prefix, "k.heads"));
  if (ready >= 0) {
    c.key = ready;
    c.value = gf_find(b->t, under(&p, prefix, "v.heads"));
  } else {
    projection k = projection_of(b, prefix, "k_proj", width, kv_width);
    projection v = projection_of(b, prefix, "v_proj", width, kv_width);
    c.key = c.value = memory;
    c.w_k = k.w;
    c.b_k = k.b;
    c.w_v = v.w;
    c.b_v = v.b;
  }
  projection o = projection_of(b, prefix, "out_proj", width, width);
  c.w_o = o.w;
  c.b_o = o.b;
  if (query == memory) { /* self-attention: positions and caches are about its own tokens */
    c.rotation = b->rotation;
    c.interleaved = m->interleaved;
    c.alibi = m->positions == GF_ALIBI;
    c.at = b->at;
    c.capacity = b->batch->capacity;
  }
  return gf_attention(b->t, &c, prefix);
}

/* ---- Layers ---- */

static int feed_forward(const build *b, int x, const char *prefix) {
  path p;
  const gf_model *m = b->model;
  int gate = GF_NONE;
  if (m->activation == GF_SWIGLU)
    gate = block_linear(b, x, under(&p, prefix, "gate"), m->d_model, m->d_ff, m->bias);
  x = block_linear(b, x, under(&p, prefix, "linear1"), m->d_model, m->d_ff, m->bias);
  under(&p, prefix, "activation");
  x = gate == GF_NONE ? block_activation(b, x, p.room) : gf_swiglu(b->t, gate, x, 1, p.room);
  x = block_dropout(b, x, prefix, "dropout");
  return block_linear(b, x, under(&p, prefix, "linear2"), m->d_ff, m->d_model, m->bias);
}

/* The names of what surrounds the n-th sublayer. */
typedef struct around {
  const char *norm, *dropout, *residual;
} around;
static const around sublayers[] = {
    {"norm1", "dropout1", "residual1"},
    {"norm2", "dropout2", "residual2"},
    {"norm3", "dropout3", "residual3"},
};

/* What a sublayer reads: x, normalised first in a pre-norm model. */
static int enter(const build *b, int x, const char *prefix, around a) {
  path p;
  return b->model->pre_norm ? block_norm(b, x, under(&p, prefix, a.norm)) : x;
}

/* x + dropout(y), normalised behind in a post-norm model. */
static int leave(const build *b, int x, int y, const char *prefix, around a) {
  path p;
  y = block_dropout(b, y, prefix, a.dropout);
  x = gf_add(b->t, x, y, under(&p, prefix, a.residual));
  return b->model->pre_norm ? x : block_norm(b, x, under(&p, prefix, a.norm));
}

int block_encoder_layer(const build *b, int x, sight s, const char *prefix) {
  path p;
  int h = enter(b, x, prefix, sublayers[0]);
  x = leave(b, x, block_attention(b, h, h, s, under(&p, prefix, "self_attn")), prefix,
            sublayers[0]);
  h = enter(b, x, prefix, sublayers[1]);
  return leave(b, x, feed_forward(b, h, prefix), prefix, sublayers[1]);
}

int block_decoder_layer(const build *b, int x, int memory, sight self, sight cross,
                        const char *prefix) {
  path p;
  int h = enter(b, x, prefix, sublayers[0]);
  x = leave(b, x, block_attention(b, h, h, self, under(&p, prefix, "self_attn")), prefix,
            sublayers[0]);
  h = enter(b, x, prefix, sublayers[1]);
  x = leave(b, x, block_attention(b, h, memory, cross, under(&p, prefix, "cross_attn")), prefix,
            sublayers[1]);
  h = enter(b, x, prefix, sublayers[2]);
  return leave(b, x, feed_forward(b, h, prefix), prefix, sublayers[2]);
}

/* ---- Both ends ---- */

/* What is added to the embeddings at their positions, or GF_NONE. */
static int place(const build *b, int positions, const char *stack) {
  path p;
  const gf_model *m = b->model;
  if (m->positions == GF_SINUSOIDAL || m->positions == GF_SINUSOIDAL_HALVES)
    return gf_position(b->t, positions, m->d_model, m->positions == GF_SINUSOIDAL_HALVES,
                       under(&p, stack, "position"));
  if (m->positions != GF_LEARNED) return GF_NONE;
  under(&p, stack, "position_embedding");
  int rows = block_parameter(b, p.room, "weight", m->max_length, m->d_model);
  return gf_embed(b->t, rows, positions, under(&p, stack, "position"));
}

int block_input(const build *b, sequence s, int table, const char *stack) {
  path p;
  const gf_model *m = b->model;
  int x = s.tokens;
  if (m->vocab) x = gf_embed(b->t, table, x, under(&p, stack, "embedding"));
  if (m->vocab && m->scale_embedding)
    x = gf_scale(b->t, x, (float)__builtin_sqrt(m->d_model), under(&p, stack, "embedding.scaled"));
  int positions = place(b, s.positions, stack);
  return positions == GF_NONE ? x : gf_add(b->t, x, positions, under(&p, stack, "input"));
}

int block_logits(const build *b, int x, int table) {
  const gf_model *m = b->model;
  if (!m->tied) return block_linear(b, x, "logits", m->d_model, m->vocab, m->output_bias);
  if (!m->output_bias) return gf_matmul_transposed(b->t, x, table, "logits");
  x = gf_matmul_transposed(b->t, x, table, "logits.unbiased");
  return gf_add(b->t, x, block_parameter(b, "logits", "bias", m->vocab, 0), "logits");
}
