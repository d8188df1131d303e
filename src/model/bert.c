#include "stack.h"

/* tanh of a linear layer on the first token */
static void pool(const build *b, int x) {
  const gf_model *m = b->model;
  const gf_description pooled = {.role = GF_ROLE_POOLED};
  int start = gf_tape_count(b->t);
  int first = gf_ids(b->t, 1, (int[]){1}, "pooler.first");
  x = described(b->t, gf_gather(b->t, x, first, 1, "pooler.token"), pooled);
  x = block_linear(b, x, "pooler.dense", GF_ROLE_POOLED, m->d_model, m->d_model, true);
  described(b->t, gf_tanh(b->t, x, "pooled"), pooled);
  block_mark(b, start, 0, 0, GF_PART_POOLER);
}

int build_bert(build *b) {
  const gf_model *m = b->model;
  const gf_batch *batch = b->batch;
  int table = stack_table(b, "embedding", m->vocab);
  sequence s = stack_sequence(b, GF_SEQUENCE_TARGET, batch->target);
  int types = GF_NONE;
  if (m->token_types) {
    int kinds = gf_ids(b->t, 2, (int[]){batch->size, batch->target}, "token_types");
    described(b->t, kinds,
              (gf_description){.role = GF_ROLE_SEGMENTS,
                               .axes = {GF_AXIS_BATCH, GF_AXIS_TOKEN},
                               .sequences = {0, GF_SEQUENCE_TARGET}});
    int rows =
        block_table(b, "token_type_embedding", GF_ROLE_SEGMENT, m->token_types, GF_AXIS_SEGMENT);
    int first = gf_tape_count(b->t);
    types = gf_embed(b->t, rows, kinds, "encoder.token_type");
    block_mark(b, first, GF_STACK_ENCODER, GF_NONE, GF_PART_EMBEDDING);
  }
  int x = stack_input(b, s, table, types, GF_STACK_ENCODER);
  x = stack_encoder(b, x, s, GF_STACK_ENCODER, m->layers, false);
  if (m->pooler) pool(b, x);
  if (!m->vocab) return x;
  if (m->prediction) {
    int first = gf_tape_count(b->t);
    x = block_linear(b, x, "prediction.dense", GF_ROLE_HIDDEN, m->d_model, m->d_model, true);
    x = block_activation(b, x, "prediction.activation");
    x = block_norm(b, x, "prediction.norm");
    block_mark(b, first, 0, 0, GF_PART_PREDICTION);
  }
  return block_logits(b, x, table);
}
