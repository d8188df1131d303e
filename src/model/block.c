#include "block.h"

int block_matrix(const build *b, const char *prefix, int role, int rows, int columns, int axis) {
  path p;
  int w = gf_parameter(b->t, 2, (int[]){rows, columns}, under(&p, prefix, "weight"));
  return described(b->t, w,
                   (gf_description){.role = (uint8_t)role,
                                    .parameter = GF_PARAMETER_WEIGHT,
                                    .axes = {GF_AXIS_CHANNEL, (uint8_t)axis}});
}

int block_row(const build *b, const char *prefix, int role, int parameter, int columns, int axis) {
  path p;
  const char *name = parameter == GF_PARAMETER_BIAS ? "bias" : "weight";
  int row = gf_parameter(b->t, 1, &columns, under(&p, prefix, name));
  return described(b->t, row,
                   (gf_description){.role = (uint8_t)role,
                                    .parameter = (uint8_t)parameter,
                                    .axes = {(uint8_t)axis}});
}

int block_table(const build *b, const char *prefix, int role, int rows, int axis) {
  path p;
  int table = gf_parameter(b->t, 2, (int[]){rows, b->model->d_model}, under(&p, prefix, "weight"));
  return described(b->t, table,
                   (gf_description){.role = (uint8_t)role,
                                    .parameter = GF_PARAMETER_TABLE,
                                    .axes = {(uint8_t)axis, GF_AXIS_CHANNEL}});
}

int block_linear(const build *b, int x, const char *prefix, int role, int rows, int columns,
                 bool bias) {
  int axis = role == GF_ROLE_LOGIT ? GF_AXIS_VOCABULARY : GF_AXIS_CHANNEL;
  int w = block_matrix(b, prefix, role, rows, columns, axis);
  int c = bias ? block_row(b, prefix, role, GF_PARAMETER_BIAS, columns, axis) : GF_NONE;
  return gf_linear(b->t, x, w, c, prefix);
}

int block_norm(const build *b, int x, const char *prefix) {
  const gf_model *m = b->model;
  const int role = GF_ROLE_NORM, channel = GF_AXIS_CHANNEL;
  int gain = block_row(b, prefix, role, GF_PARAMETER_GAIN, m->d_model, channel);
  if (m->norm == GF_RMS_NORM) return gf_rms_norm(b->t, x, gain, m->epsilon, prefix);
  int bias = m->bias ? block_row(b, prefix, role, GF_PARAMETER_BIAS, m->d_model, channel) : GF_NONE;
  return gf_layer_norm(b->t, x, gain, bias, m->epsilon, prefix);
}

int block_dropout(const build *b, int x, const char *prefix, const char *step) {
  path p;
  if (b->dropout_key == GF_NONE) return x;
  return gf_dropout(b->t, x, b->dropout_key, b->model->dropout, under(&p, prefix, step));
}

static int activate(const build *b, int x, const char *name) {
  switch (b->model->activation) {
  case GF_RELU:
    return gf_relu(b->t, x, name);
  case GF_SILU:
    return gf_silu(b->t, x, 1, name);
  default:
    return gf_gelu(b->t, x, b->model->activation == GF_GELU_TANH, name);
  }
}

int block_activation(const build *b, int x, const char *name) {
  return described(b->t, activate(b, x, name), (gf_description){.role = GF_ROLE_ACTIVATION});
}

void block_mark(const build *b, int first, int stack, int layer, int part) {
  gf_description here = {.stack = (uint8_t)stack, .layer = (int16_t)layer, .part = (uint8_t)part};
  for (int i = first; i < gf_tape_count(b->t); i++) {
    const gf_description *known = gf_node_description(b->t, i);
    gf_description d = here;
    if (known->stack) d.stack = 0;
    if (known->part) d.part = 0;
    gf_describe(b->t, i, &d);
  }
}

/* ---- Attention ---- */

typedef struct projection {
  int w, b;
} projection;

static projection projection_of(const build *b, const char *prefix, const char *name, int role,
                                int heads, int rows, int columns) {
  path p;
  under(&p, prefix, name);
  const int channel = GF_AXIS_CHANNEL;
  gf_description of_heads = {.heads = heads};
  int w = block_matrix(b, p.room, role, rows, columns, channel), c = GF_NONE;
  if (b->model->bias) c = block_row(b, p.room, role, GF_PARAMETER_BIAS, columns, channel);
  return (projection){described(b->t, w, of_heads), c};
}

static int head_size(const gf_model *m) {
  return m->d_model / m->heads;
}

/* The keys or values of `memory`, as heads: names k and k.heads, or v and v.heads. */
static int heads_of(const build *b, int memory, const char *prefix, int role,
                    const char *projection_name, const char *step, const char *split_step) {
  path p;
  const gf_model *m = b->model;
  projection w = projection_of(b, prefix, projection_name, role, m->kv_heads, m->d_model,
                               m->kv_heads * head_size(m));
  int x = gf_linear(b->t, memory, w.w, w.b, under(&p, prefix, step));
  return gf_split_heads(b->t, x, m->kv_heads, under(&p, prefix, split_step));
}

void block_keys(const build *b, int memory, const char *prefix) {
  heads_of(b, memory, prefix, GF_ROLE_KEY, "k_proj", "k", "k.heads");
  heads_of(b, memory, prefix, GF_ROLE_VALUE, "v_proj", "v", "v.heads");
}

int block_attention(const build *b, int query, int memory, sight s, const char *prefix) {
  path p;
  const gf_model *m = b->model;
  int width = m->d_model, kv_width = m->kv_heads * head_size(m), first = gf_tape_count(b->t);
  gf_attention_config c = gf_attention_default();
  c.query = query;
  c.heads = m->heads;
  c.kv_heads = m->kv_heads;
  c.causal = s.causal;
  c.mask = s.mask;
  c.lengths = s.lengths;
  c.fused = b->batch->fused;

  projection q = projection_of(b, prefix, "q_proj", GF_ROLE_QUERY, m->heads, width, width);
  c.w_q = q.w;
  c.b_q = q.b;
  /* A decoding step finds the keys of the memory made already. */
  int ready = gf_find(b->t, under(&p, prefix, "k.heads"));
  if (ready >= 0) {
    c.key = ready;
    c.value = gf_find(b->t, under(&p, prefix, "v.heads"));
  } else {
    projection k = projection_of(b, prefix, "k_proj", GF_ROLE_KEY, m->kv_heads, width, kv_width);
    projection v = projection_of(b, prefix, "v_proj", GF_ROLE_VALUE, m->kv_heads, width, kv_width);
    c.key = c.value = memory;
    c.w_k = k.w;
    c.b_k = k.b;
    c.w_v = v.w;
    c.b_v = v.b;
  }
  projection o = projection_of(b, prefix, "out_proj", GF_ROLE_OUTPUT, m->heads, width, width);
  c.w_o = o.w;
  c.b_o = o.b;
  if (query == memory) { /* self-attention: positions and caches are about its own tokens */
    c.rotation = b->rotation;
    c.interleaved = m->interleaved;
    c.alibi = m->positions == GF_ALIBI;
    c.at = b->at;
    c.capacity = b->batch->capacity;
  }
  int y = gf_attention(b->t, &c, prefix);
  block_mark(b, first, 0, 0, query == memory ? GF_PART_SELF_ATTN : GF_PART_CROSS_ATTN);
  return y;
}

/* ---- Layers ---- */

static int feed_forward(const build *b, int x, const char *prefix) {
  path p;
  const gf_model *m = b->model;
  int gate = GF_NONE, first = gf_tape_count(b->t);
  if (m->activation == GF_SWIGLU)
    gate =
        block_linear(b, x, under(&p, prefix, "gate"), GF_ROLE_GATE, m->d_model, m->d_ff, m->bias);
  x = block_linear(b, x, under(&p, prefix, "linear1"), GF_ROLE_HIDDEN, m->d_model, m->d_ff,
                   m->bias);
  under(&p, prefix, "activation");
  x = gate == GF_NONE ? activate(b, x, p.room) : gf_swiglu(b->t, gate, x, 1, p.room);
  described(b->t, x, (gf_description){.role = GF_ROLE_ACTIVATION});
  x = block_dropout(b, x, prefix, "dropout");
  under(&p, prefix, "linear2");
  x = block_linear(b, x, p.room, GF_ROLE_OUTPUT, m->d_ff, m->d_model, m->bias);
  block_mark(b, first, 0, 0, GF_PART_FEED_FORWARD);
  return x;
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
  x = described(
      b->t, gf_add(b->t, x, y, under(&p, prefix, a.residual)),
      (gf_description){.role = GF_ROLE_RESIDUAL, .removal = GF_REMOVE_RESIDUAL, .substitute = 1});
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
  int rows = block_table(b, p.room, GF_ROLE_POSITION, m->max_length, GF_AXIS_POSITION);
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
  const int role = GF_ROLE_LOGIT;
  if (!m->tied) return block_linear(b, x, "logits", role, m->d_model, m->vocab, m->output_bias);
  const char *name = m->output_bias ? "logits.unbiased" : "logits";
  x = described(b->t, gf_matmul_transposed(b->t, x, table, name), (gf_description){.role = role});
  if (!m->output_bias) return x;
  int bias = block_row(b, "logits", role, GF_PARAMETER_BIAS, m->vocab, GF_AXIS_VOCABULARY);
  return gf_add(b->t, x, bias, "logits");
}
