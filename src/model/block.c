#include "block.h"
#include "attention.h"

/* ---- Parameters, and steps of one node ---- */

/* What the rows of a table stand for. */
static int rows_of(int role) {
  return role == GF_ROLE_POSITION  ? GF_AXIS_POSITION
         : role == GF_ROLE_SEGMENT ? GF_AXIS_SEGMENT
                                   : GF_AXIS_VOCABULARY;
}

/* The name under which a parameter is kept: where layers share theirs, that of the first layer. */
static const char *kept_name(const build *b, const char *name, path *p) {
  const char *rest = b->variant->shared && b->layer ? below(name, b->layer) : NULL;
  if (!rest) return name;
  text s = text_begin(p->room, sizeof p->room);
  text_add(&s, b->first);
  text_add(&s, rest);
  return p->room;
}

int gfi_block_parameter(const build *b, const char *name, int kind, int role, int rows,
                        int columns) {
  path p, shared;
  bool matrix = kind == GF_PARAMETER_WEIGHT || kind == GF_PARAMETER_TABLE;
  int across = role == GF_ROLE_LOGIT ? GF_AXIS_VOCABULARY : GF_AXIS_CHANNEL;
  int down = kind == GF_PARAMETER_TABLE ? rows_of(role) : GF_AXIS_CHANNEL;
  int shape[] = {rows, columns};
  gf_description d = {.role = (uint8_t)role,
                      .parameter = (uint8_t)kind,
                      .axes = {(uint8_t)(matrix ? down : across), matrix ? (uint8_t)across : 0}};
  under(&p, kept_name(b, name, &shared), kind == GF_PARAMETER_BIAS ? "bias" : "weight");
  int made = gfi_tape_find(b->t, p.room);
  if (b->variant->shared && made >= 0) return made;
  return described(b->t, gf_parameter(b->t, matrix ? 2 : 1, matrix ? shape : &columns, p.room), d);
}

int gfi_block_linear(const build *b, int x, const char *name, int role, int rows, int columns,
                     bool bias) {
  int w = gfi_block_parameter(b, name, GF_PARAMETER_WEIGHT, role, rows, columns), c = GF_NONE;
  if (bias) c = gfi_block_parameter(b, name, GF_PARAMETER_BIAS, role, 0, columns);
  return gf_linear(b->t, x, w, c, name);
}

int gfi_block_norm(const build *b, int x, const char *name) {
  const gf_model *m = b->model;
  int gain = gfi_block_parameter(b, name, GF_PARAMETER_GAIN, GF_ROLE_NORM, 0, m->d_model);
  if (m->norm == GF_RMS_NORM) return gf_rms_norm(b->t, x, gain, m->epsilon, name);
  int bias = GF_NONE;
  if (m->bias) bias = gfi_block_parameter(b, name, GF_PARAMETER_BIAS, GF_ROLE_NORM, 0, m->d_model);
  return gf_layer_norm(b->t, x, gain, bias, m->epsilon, name);
}

int gfi_block_dropout(const build *b, int x, const char *name) {
  if (b->dropout_key == GF_NONE) return x;
  return gf_dropout(b->t, x, b->dropout_key, b->model->dropout, name);
}

int gfi_block_activation(const build *b, int x, const char *name) {
  switch (b->model->activation) {
  case GF_RELU:
    x = gf_relu(b->t, x, name);
    break;
  case GF_SILU:
    x = gf_silu(b->t, x, 1, name);
    break;
  default:
    x = gf_gelu(b->t, x, b->model->activation == GF_GELU_TANH, name);
  }
  return in_role(b->t, x, GF_ROLE_ACTIVATION);
}

void gfi_block_mark(const build *b, int first, int stack, int layer, int part) {
  for (int i = first; i < gf_tape_count(b->t); i++) {
    const gf_description *known = gf_node_description(b->t, i);
    gf_description d = {.layer = (int16_t)layer};
    if (!known->stack) d.stack = (uint8_t)stack;
    if (!known->part) d.part = (uint8_t)part;
    gf_describe(b->t, i, &d);
  }
}

/* ---- Attention ---- */

typedef struct projection {
  int w, b;
} projection;

/* To queries, keys or values; or back from the heads. */
static projection project(const build *b, const char *prefix, int role) {
  path p;
  const gf_model *m = b->model;
  const char *name = role == GF_ROLE_QUERY   ? "q_proj"
                     : role == GF_ROLE_KEY   ? "k_proj"
                     : role == GF_ROLE_VALUE ? "v_proj"
                                             : "out_proj";
  bool keys = role == GF_ROLE_KEY || role == GF_ROLE_VALUE, back = role == GF_ROLE_OUTPUT;
  int width = (keys ? m->kv_heads : m->heads) * head_size(m, b->variant);
  int rows = back ? width : m->d_model, columns = back ? m->d_model : width;
  under(&p, prefix, name);
  projection made = {gfi_block_parameter(b, p.room, GF_PARAMETER_WEIGHT, role, rows, columns),
                     GF_NONE};
  if (!back && b->variant->qkv_unbiased) return made;
  if (m->bias || (!back && b->variant->qkv_bias))
    made.b = gfi_block_parameter(b, p.room, GF_PARAMETER_BIAS, role, 0, columns);
  return made;
}

/* The heads of queries or keys, each normalised: prefix.q.normed. */
static int normed(const build *b, int x, int role, const char *prefix) {
  path p, own;
  const gf_model *m = b->model;
  bool keys = role == GF_ROLE_KEY;
  int heads = keys ? m->kv_heads : m->heads;
  projection to = project(b, prefix, role);
  int gain = gfi_block_parameter(b, under(&p, prefix, keys ? "k_norm" : "q_norm"),
                                 GF_PARAMETER_GAIN, role, 0, head_size(m, b->variant));
  x = gfi_attention_project(b->t, role, x, to.w, to.b, heads, prefix);
  x = gfi_attention_split(b->t, role, x, heads, false, prefix);
  x = gf_rms_norm(b->t, x, gain, m->epsilon, under(&own, prefix, keys ? "k.normed" : "q.normed"));
  return in_role(b->t, x, role);
}

static int ready(const build *b, int memory, int role, const char *prefix) {
  int heads = b->model->kv_heads;
  projection to = project(b, prefix, role);
  int x = gfi_attention_project(b->t, role, memory, to.w, to.b, heads, prefix);
  return gfi_attention_split(b->t, role, x, heads, b->model->heads == 1, prefix);
}

void gfi_block_memory(const build *b, const stack *s, int memory, int layer) {
  path p, own;
  int first = gf_tape_count(b->t);
  layer_path(&p, gf_stack_name(s->id), layer);
  under(&own, p.room, gf_part_name(GF_PART_CROSS_ATTN));
  ready(b, memory, GF_ROLE_KEY, own.room);
  ready(b, memory, GF_ROLE_VALUE, own.room);
  gfi_block_mark(b, first, s->id, layer, GF_PART_CROSS_ATTN);
}

/* With its four projections. */
static int attention(const build *b, const surroundings *r, int x, int part, const char *prefix) {
  path p;
  const gf_model *m = b->model;
  bool cross = part == GF_PART_CROSS_ATTN;
  const attention_mask *seen = cross ? &r->cross : &r->self;
  gf_attention_config c = gf_attention_default();
  c.query = x;
  c.heads = m->heads;
  c.kv_heads = m->kv_heads;
  c.causal = seen->causal;
  c.mask = seen->mask;
  c.lengths = seen->lengths;
  c.fused = b->batch->fused;

  if (b->variant->qk_norm && !cross) {
    c.query = normed(b, x, GF_ROLE_QUERY, prefix);
    c.key = normed(b, x, GF_ROLE_KEY, prefix);
    projection v = project(b, prefix, GF_ROLE_VALUE);
    c.value = x;
    c.w_v = v.w;
    c.b_v = v.b;
  } else {
    projection q = project(b, prefix, GF_ROLE_QUERY);
    c.w_q = q.w;
    c.b_q = q.b;
    /* A decoding step finds the keys of the memory made already. */
    int made = gfi_tape_find(b->t, under(&p, prefix, "k.heads"));
    if (made >= 0) {
      c.key = made;
      c.value = gfi_tape_find(b->t, under(&p, prefix, "v.heads"));
    } else {
      projection k = project(b, prefix, GF_ROLE_KEY), v = project(b, prefix, GF_ROLE_VALUE);
      c.key = c.value = cross ? r->memory : x;
      c.w_k = k.w;
      c.b_k = k.b;
      c.w_v = v.w;
      c.b_v = v.b;
    }
  }
  projection o = project(b, prefix, GF_ROLE_OUTPUT);
  c.w_o = o.w;
  c.b_o = o.b;
  if (!cross) { /* positions and caches are about an attention's own tokens */
    c.rotation = r->rotation;
    c.interleaved = m->interleaved;
    c.alibi = m->positions == GF_ALIBI;
    c.at = b->at;
    c.capacity = b->batch->capacity;
  }
  if (b->variant->unscaled) c.scale = 1;
  return gfi_attention_window(b->t, &c, cross ? 0 : r->window, prefix);
}

/* ---- Layers ---- */

static int feed_forward(const build *b, int x, const char *prefix) {
  path p;
  const gf_model *m = b->model;
  int gate = GF_NONE;
  if (m->activation == GF_SWIGLU)
    gate = gfi_block_linear(b, x, under(&p, prefix, "gate"), GF_ROLE_GATE, m->d_model, m->d_ff,
                            m->bias);
  x = gfi_block_linear(b, x, under(&p, prefix, "linear1"), GF_ROLE_HIDDEN, m->d_model, m->d_ff,
                       m->bias);
  under(&p, prefix, "activation");
  if (gate == GF_NONE)
    x = gfi_block_activation(b, x, p.room);
  else
    x = in_role(b->t, gf_swiglu(b->t, gate, x, 1, p.room), GF_ROLE_ACTIVATION);
  x = gfi_block_dropout(b, x, under(&p, prefix, "dropout"));
  return gfi_block_linear(b, x, under(&p, prefix, "linear2"), GF_ROLE_OUTPUT, m->d_ff, m->d_model,
                          m->bias);
}

/* What a sublayer makes of what it reads. */
static int inner(const build *b, const surroundings *r, int x, int part, const char *prefix) {
  path p;
  int first = gf_tape_count(b->t);
  if (part == GF_PART_FEED_FORWARD)
    x = feed_forward(b, x, prefix);
  else
    x = attention(b, r, x, part, under(&p, prefix, gf_part_name(part)));
  gfi_block_mark(b, first, 0, 0, part);
  return x;
}

/* prefix.norm1, prefix.residual2, ...: what surrounds the n-th sublayer, from 0. */
static const char *around(path *p, const char *prefix, const char *step, int n) {
  path own;
  text s = text_begin(own.room, sizeof own.room);
  text_add(&s, step);
  text_add_int(&s, n + 1);
  return under(p, prefix, own.room);
}

int gfi_block_layer(const build *b, const stack *s, const surroundings *r, int x, int layer) {
  path p, prefix;
  int first = gf_tape_count(b->t), given = x;
  layer_path(&prefix, gf_stack_name(s->id), layer);
  path one;
  build own = *b;
  own.layer = prefix.room;
  own.first = layer_path(&one, gf_stack_name(s->id), 0);
  b = &own;
  for (int i = 0; i < s->count; i++) {
    const sublayer *sub = &s->sublayers[i];
    int y = b->variant->parallel ? given : x;
    if (sub->norm_before) y = gfi_block_norm(b, y, around(&p, prefix.room, "norm", i));
    y = inner(b, r, y, sub->part, prefix.room);
    y = gfi_block_dropout(b, y, around(&p, prefix.room, "dropout", i));
    x = described(
        b->t, gf_add(b->t, x, y, around(&p, prefix.room, "residual", i)),
        (gf_description){.role = GF_ROLE_RESIDUAL, .removal = GF_REMOVE_RESIDUAL, .substitute = 1});
    if (sub->norm_behind) x = gfi_block_norm(b, x, around(&p, prefix.room, "norm", i));
  }
  gfi_block_mark(b, first, s->id, layer, 0);
  return x;
}
