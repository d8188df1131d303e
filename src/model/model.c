#include "stack.h"
#include "tape.h"

/* One field of a gf_model or gf_batch, and what it may be. */
typedef struct field {
  const char *name;
  int value, low, high;
} field;

static gf_error check_fields(gf_tape *t, const field *fields, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const field *f = &fields[i];
    if (f->value >= f->low && f->value <= f->high) continue;
    char room[80];
    text s = text_begin(room, sizeof room);
    text_add(&s, f->name);
    text_add(&s, " ");
    text_add_int(&s, f->value);
    text_add(&s, " is out of range");
    return gfi_tape_fail(t, GF_ERANGE, "model", "build", room);
  }
  return GF_OK;
}

static gf_error check_model(gf_tape *t, const gf_model *m) {
  const int some = 1 << 24;
  const field fields[] = {
      {"family", m->family, GF_TRANSFORMER, GF_BERT},
      {"vocab", m->vocab, 0, some},
      {"source_vocab", m->source_vocab, 0, some},
      {"token_types", m->token_types, 0, some},
      {"max_length", m->max_length, 1, some},
      {"d_model", m->d_model, 1, some},
      {"heads", m->heads, 1, m->d_model},
      {"kv_heads", m->kv_heads, 1, m->heads},
      {"d_ff", m->d_ff, 1, some},
      {"layers", m->layers, 0, 1024},
      {"decoder_layers", m->decoder_layers, 0, 1024},
      {"positions", m->positions, GF_SINUSOIDAL, GF_SINUSOIDAL_HALVES},
      {"norm", m->norm, GF_LAYER_NORM, GF_RMS_NORM},
      {"activation", m->activation, GF_RELU, GF_SWIGLU},
  };
  if (check_fields(t, fields, sizeof fields / sizeof *fields)) return t->error;
  if (m->d_model % m->heads)
    return gfi_tape_fail(t, GF_ERANGE, "model", "build", "heads do not divide d_model");
  if (m->heads % m->kv_heads)
    return gfi_tape_fail(t, GF_ERANGE, "model", "build", "kv_heads do not divide heads");
  if (m->positions == GF_ROTARY && m->d_model / m->heads % 2)
    return gfi_tape_fail(t, GF_ERANGE, "model", "build", "rotary positions need an even head size");
  if (!(m->dropout >= 0 && m->dropout < 1))
    return gfi_tape_fail(t, GF_ERANGE, "model", "build", "dropout is not in 0 <= p < 1");
  return GF_OK;
}

static gf_error check_batch(gf_tape *t, const gf_model *m, const gf_batch *b) {
  bool two = m->family == GF_TRANSFORMER, step = b->capacity > 0;
  const field fields[] = {
      {"batch size", b->size, 1, INT32_MAX},
      {"source length", b->source, two ? 1 : 0, m->max_length},
      {"target length", b->target, two && !m->decoder_layers ? 0 : 1, step ? 1 : m->max_length},
      {"capacity", b->capacity, 0, m->max_length},
      {"loss", b->loss, 0, m->vocab && !step},
      {"training", b->training, 0, !step},
  };
  return check_fields(t, fields, sizeof fields / sizeof *fields);
}

/* What every layer looks up: the dropout's key, a decoding step's place. */
static void shared_nodes(build *b) {
  const gf_model *m = b->model;
  if (b->batch->training && m->dropout > 0)
    b->dropout_key = described(b->t, gf_ids(b->t, 1, (int[]){2}, "dropout.key"),
                               (gf_description){.role = GF_ROLE_SEED});
  if (b->batch->capacity)
    b->at = described(b->t, gf_ids(b->t, 1, (int[]){1}, "at"),
                      (gf_description){.role = GF_ROLE_OFFSET});
}

int gf_build(gf_tape *t, const gf_model *model, const gf_batch *batch) {
  if (check_model(t, model) || check_batch(t, model, batch)) return t->error;
  build b = {.t = t,
             .model = model,
             .batch = batch,
             .dropout_key = GF_NONE,
             .rotation = GF_NONE,
             .at = GF_NONE};
  shared_nodes(&b);
  int x = model->family == GF_TRANSFORMER ? build_transformer(&b)
          : model->family == GF_GPT       ? build_gpt(&b)
                                          : build_bert(&b);
  if (batch->loss) {
    int labels = described(t, gf_ids(t, 2, (int[]){batch->size, batch->target}, "labels"),
                           (gf_description){.role = GF_ROLE_LABELS,
                                            .axes = {GF_AXIS_BATCH, GF_AXIS_TOKEN},
                                            .sequences = {0, GF_SEQUENCE_TARGET}});
    x = gf_cross_entropy(t, x, labels, GF_NONE, GF_MEAN, GF_IGNORE, batch->smoothing, "loss");
  }
  /* What failed may be a node that the last result does not need. */
  return t->error ? (int)t->error : x;
}
