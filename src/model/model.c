#include "stack.h"
#include "tape.h"

/* One field of a gf_model or gf_batch, and what it may be. */
static void check_field(gf_tape *t, const char *name, int value, int low, int high) {
  if (value < low || value > high)
    gfi_tape_fail_about(t, GF_ERANGE, "model", "build", SAYS_fieldOut, name, value);
}

/* The sentence has room for an integer: of what is none it tells the nearest, and 0 of NaN. */
static void check_above(gf_tape *t, const char *name, float value, float least) {
  if (value > least && value < 1e30f) return;
  const int whole = value >= 0x1p31f ? INT32_MAX : value >= -0x1p31f ? (int)value : INT32_MIN;
  gfi_tape_fail_about(t, GF_ERANGE, "model", "build", SAYS_fieldOut, name,
                      value == value ? whole : 0);
}

/* heads: of the model, some at least. All of them together are as wide as other layers may be. */
static void check_variant(gf_tape *t, const gf_variant *v, int heads) {
  const int some = 1 << 24;
  check_field(t, "head_size", v->head_size, 0, heads > 0 ? some / heads : some);
  check_field(t, "rotary_size", v->rotary_size, 0, some);
  check_field(t, "window", v->window, 0, some);
  if (v->window) {
    check_field(t, "window_first", v->window_first, 0, 1024);
    check_field(t, "window_step", v->window_step, 1, 1024);
  }
  check_field(t, "embedding_size", v->embedding_size, 0, some);
  check_field(t, "classes", v->classes, 0, some);
  check_field(t, "rotary_span", v->rotary_span, 0, some);
  if (v->rotary_stretch == 0) return;
  check_above(t, "rotary_stretch", v->rotary_stretch, 0);
  check_above(t, "rotary_slow", v->rotary_slow, -1);
  check_above(t, "rotary_fast", v->rotary_fast, v->rotary_slow);
}

/* Heads that do not divide what they share. */
static gf_error refuse_division(gf_tape *t, sentence says, int part, int whole) {
  gfi_tape_fail_about(t, GF_ERANGE, "model", "build", says, "heads", part);
  t->problem.numbers[1] = whole;
  return t->error;
}

static gf_error check_model(gf_tape *t, const gf_model *m, const gf_variant *v) {
  const int some = 1 << 24;
  check_field(t, "family", m->family, GF_TRANSFORMER, GF_BERT);
  check_field(t, "vocab", m->vocab, 0, some);
  check_field(t, "source_vocab", m->source_vocab, 0, some);
  check_field(t, "token_types", m->token_types, 0, some);
  check_field(t, "max_length", m->max_length, 1, some);
  check_field(t, "d_model", m->d_model, 1, some);
  check_field(t, "heads", m->heads, 1, m->d_model);
  check_field(t, "kv_heads", m->kv_heads, 0, m->heads);
  check_field(t, "d_ff", m->d_ff, 1, some);
  check_field(t, "layers", m->layers, 0, 1024);
  check_field(t, "decoder_layers", m->decoder_layers, 0, 1024);
  check_field(t, "positions", m->positions, GF_SINUSOIDAL, GF_SINUSOIDAL_HALVES);
  check_field(t, "norm", m->norm, GF_LAYER_NORM, GF_RMS_NORM);
  check_field(t, "activation", m->activation, GF_RELU, GF_SWIGLU);
  check_field(t, "head", m->head, GF_HEAD_LOGITS, GF_HEAD_NONE);
  if (t->error) return t->error;
  if (!v->head_size && m->d_model % m->heads)
    return refuse_division(t, SAYS_headsUnfit, m->heads, m->d_model);
  if (m->kv_heads && m->heads % m->kv_heads)
    return refuse_division(t, SAYS_kvHeadsUnfit, m->kv_heads, m->heads);
  if (m->positions == GF_ROTARY && rotary_size(m, v) % 2)
    return gfi_tape_fail(t, GF_ERANGE, "model", "build", SAYS_headSizeOdd);
  if (!(m->dropout >= 0 && m->dropout < 1))
    return gfi_tape_fail_about(t, GF_ERANGE, "model", "build", SAYS_notBelowOne, "dropout", 0);
  return GF_OK;
}

static gf_error check_batch(gf_tape *t, const gf_model *m, const gf_variant *v,
                            const architecture *a, const gf_batch *b) {
  /* The mask tells the new tokens of a step apart, but a window would be that of the last one. */
  bool step = b->capacity > 0, one = step && (!b->masked || v->window),
       reads[GF_SEQUENCE_COUNT] = {false};
  for (int i = 0; i < a->count; i++) reads[a->stacks[i].sequence] = true;
  check_field(t, "batch size", b->size, 1, INT32_MAX);
  check_field(t, "source length", b->source, reads[GF_SEQUENCE_SOURCE], m->max_length);
  check_field(t, "target length", b->target, reads[GF_SEQUENCE_TARGET], one ? 1 : m->max_length);
  check_field(t, "capacity", b->capacity, 0, m->max_length);
  check_field(t, "loss", b->loss, 0, a->logits && !step);
  check_field(t, "training", b->training, 0, !step);
  return t->error;
}

/* ---- What is made of the last stack's result ---- */

/* tanh of a linear layer on the first token */
static void pool(const build *b, int x) {
  const int role = GF_ROLE_POOLED;
  int C = b->model->d_model, first = gf_tape_count(b->t);
  int place = gf_ids(b->t, 1, (int[]){1}, "pooler.first");
  described(b->t, place,
            (gf_description){.axes = {GF_AXIS_TOKEN}, .sequences = {GF_SEQUENCE_TARGET}});
  x = in_role(b->t, gf_gather(b->t, x, place, 1, "pooler.token"), role);
  x = gfi_block_linear(b, x, "pooler.dense", role, C, C, true);
  if (b->variant->pooler_relu)
    in_role(b->t, gf_relu(b->t, x, "pooled"), role);
  else
    in_role(b->t, gf_tanh(b->t, x, "pooled"), role);
  gfi_block_mark(b, first, 0, 0, GF_PART_POOLER);
}

/* As BERT has it before the logits: as wide as the embeddings. */
static int predict(const build *b, int x) {
  int C = b->model->d_model, first = gf_tape_count(b->t);
  const build narrow = narrow_of(*b);
  x = gfi_block_linear(b, x, "prediction.dense", GF_ROLE_HIDDEN, C, narrow.model->d_model, true);
  x = gfi_block_activation(b, x, "prediction.activation");
  x = gfi_block_norm(&narrow, x, "prediction.norm");
  gfi_block_mark(b, first, 0, 0, GF_PART_PREDICTION);
  return x;
}

static int logits(const build *b, int x, int table) {
  const gf_model *m = b->model;
  const int role = GF_ROLE_LOGIT;
  if (!m->tied) return gfi_block_linear(b, x, "logits", role, m->d_model, m->vocab, m->output_bias);
  const char *name = m->output_bias ? "logits.unbiased" : "logits";
  x = in_role(b->t, gf_matmul_transposed(b->t, x, table, name), role);
  if (!m->output_bias) return x;
  int bias = gfi_block_parameter(b, "logits", GF_PARAMETER_BIAS, role, 0, m->vocab);
  return gf_add(b->t, x, bias, "logits");
}

static int classes(const build *b, int x) {
  const gf_variant *v = b->variant;
  int first = gf_tape_count(b->t);
  x = gfi_block_linear(b, x, "classes", GF_ROLE_LOGIT, b->model->d_model, v->classes,
                       !v->classes_unbiased);
  gfi_block_mark(b, first, 0, 0, GF_PART_PREDICTION);
  return x;
}

static int loss(const build *b, int x) {
  const gf_batch *batch = b->batch;
  int labels = gf_ids(b->t, 2, (int[]){batch->size, batch->target}, "labels");
  described(b->t, labels,
            (gf_description){.role = GF_ROLE_LABELS,
                             .axes = {GF_AXIS_BATCH, GF_AXIS_TOKEN},
                             .sequences = {0, GF_SEQUENCE_TARGET}});
  return gf_cross_entropy(b->t, x, labels, GF_NONE, GF_MEAN, GF_IGNORE, batch->smoothing, "loss");
}

/* ---- The whole ---- */

gf_model gf_model_default(int family) {
  gf_model m = {.family = family,
                .max_length = 512,
                .d_model = 512,
                .heads = 8,
                .d_ff = 2048,
                .layers = 6,
                .decoder_layers = 6,
                .positions = GF_SINUSOIDAL,
                .norm = GF_LAYER_NORM,
                .activation = GF_RELU,
                .bias = 1,
                .tied = 1,
                .scale_embedding = 1,
                .head = GF_HEAD_LOGITS,
                .rotary_base = 10000,
                .epsilon = 1e-5f,
                .dropout = 0.1f};
  if (family == GF_TRANSFORMER) return m;
  m.d_model = 768, m.heads = 12, m.d_ff = 3072, m.layers = 12, m.decoder_layers = 0;
  m.positions = GF_LEARNED, m.scale_embedding = 0;
  if (family == GF_GPT) {
    m.max_length = 1024, m.pre_norm = m.final_norm = 1, m.activation = GF_GELU_TANH;
  } else {
    m.token_types = 2, m.embedding_norm = 1, m.activation = GF_GELU, m.epsilon = 1e-12f;
    m.output_bias = m.pooler = m.prediction = 1;
  }
  return m;
}

int gf_build_variant_nodes(const gf_model *model, const gf_variant *variant,
                           const gf_batch *batch) {
  gf_tape none = {0};
  gf_error error = gf_build_variant(&none, model, variant, batch);
  return error == GF_EMEMORY ? none.asked : (int)error;
}

int gf_build_nodes(const gf_model *model, const gf_batch *batch) {
  static const gf_variant none = {0};
  return gf_build_variant_nodes(model, &none, batch);
}

/* What every layer looks up: the dropout's key, a decoding step's place. */
static void shared_nodes(build *b) {
  const gf_model *m = b->model;
  if (b->batch->training && m->dropout > 0)
    b->dropout_key = in_role(b->t, gf_ids(b->t, 1, (int[]){2}, "dropout.key"), GF_ROLE_SEED);
  if (b->batch->capacity) b->at = in_role(b->t, gf_ids(b->t, 1, (int[]){1}, "at"), GF_ROLE_OFFSET);
}

int gf_build_variant(gf_tape *t, const gf_model *model, const gf_variant *variant,
                     const gf_batch *batch) {
  if (!model || !variant || !batch)
    return gfi_tape_fail_about(t, GF_ERANGE, "model", "build", SAYS_argumentNull,
                               !model     ? "model"
                               : !variant ? "variant"
                                          : "batch",
                               0);
  check_variant(t, variant, model->heads);
  if (check_model(t, model, variant)) return t->error;
  gf_model m = *model;
  if (!m.kv_heads) m.kv_heads = m.heads;
  gf_model narrow = m;
  if (variant->embedding_size) narrow.d_model = variant->embedding_size;
  const architecture a = gfi_architecture_of(&m);
  if (check_batch(t, &m, variant, &a, batch)) return t->error;
  build b = {.t = t,
             .model = &m,
             .variant = variant,
             .narrow = &narrow,
             .batch = batch,
             .dropout_key = GF_NONE,
             .at = GF_NONE};
  const build embeddings = narrow_of(b);
  shared_nodes(&b);
  int table = gfi_stack_table(&embeddings, "embedding", m.vocab);
  memory made = {0};
  for (int i = 0; i < a.count; i++) {
    const stack *s = &a.stacks[i];
    bool source = s->sequence == GF_SEQUENCE_SOURCE, last = i == a.count - 1;
    int length = source ? batch->source : batch->target;
    made = batch->capacity && !last ? gfi_stack_ready(&b, s, length, s + 1)
                                    : gfi_stack_build(&b, s, length, i ? &made : NULL);
  }
  int x = made.x;
  if (a.pooler) pool(&b, x);
  int pooled = gf_tape_count(t) - 1;
  if (variant->classes && !a.logits) x = classes(&b, a.pooler ? pooled : x);
  if (a.prediction) x = predict(&b, x);
  if (a.logits) x = logits(&embeddings, x, table);
  if (batch->loss) x = loss(&b, x);
  /* What failed may be a node that the last result does not need. */
  return t->error ? (int)t->error : x;
}

int gf_build(gf_tape *t, const gf_model *model, const gf_batch *batch) {
  static const gf_variant none = {0};
  return gf_build_variant(t, model, &none, batch);
}
