#include "stack.h"

/* tanh of a linear layer on the first token */
static void pool(const build *b, int x) {
  const gf_model *m = b->model;
  int first = gf_ids(b->t, 1, (int[]){1}, "pooler.first");
  x = gf_gather(b->t, x, first, 1, "pooler.token");
  x = block_linear(b, x, "pooler.dense", m->d_model, m->d_model, true);
  gf_tanh(b->t, x, "pooled");
}

int build_bert(build *b) {
  const gf_model *m = b->model;
  const gf_batch *batch = b->batch;
  int table = stack_table(b, "embedding", m->vocab);
  sequence s = stack_sequence(b, "target", batch->target);
  int types = GF_NONE;
  if (m->token_types) {
    int kinds = gf_ids(b->t, 2, (int[]){batch->size, batch->target}, "token_types");
    int rows = block_parameter(b, "token_type_embedding", "weight", m->token_types, m->d_model);
    types = gf_embed(b->t, rows, kinds, "encoder.token_type");
  }
  int x = stack_input(b, s, table, types, "encoder");
  x = stack_encoder(b, x, s, "encoder", m->layers, false);
  if (m->pooler) pool(b, x);
  if (!m->vocab) return x;
  if (m->prediction) {
    x = block_linear(b, x, "prediction.dense", m->d_model, m->d_model, true);
    x = block_activation(b, x, "prediction.activation");
    x = block_norm(b, x, "prediction.norm");
  }
  return block_logits(b, x, table);
}
