#include "stack.h"

sequence stack_sequence(const build *b, const char *name, int length) {
  path p;
  const gf_model *m = b->model;
  int batch = b->batch->size;
  sequence s = {.length = length, .positions = GF_NONE, .mask = GF_NONE, .lengths = GF_NONE};
  s.tokens = m->vocab ? gf_ids(b->t, 2, (int[]){batch, length}, name)
                      : gf_input(b->t, 3, (int[]){batch, length, m->d_model}, name);
  if (m->positions != GF_ALIBI && m->positions != GF_UNPLACED)
    s.positions = gf_ids(b->t, 1, &length, under(&p, name, "positions"));
  if (b->batch->masked)
    s.mask = gf_input(b->t, 4, (int[]){batch, 1, length, length}, under(&p, name, "mask"));
  if (b->batch->padded) s.lengths = gf_ids(b->t, 1, &batch, under(&p, name, "lengths"));
  return s;
}

int stack_table(const build *b, const char *name, int rows) {
  return b->model->vocab ? block_parameter(b, name, "weight", rows, b->model->d_model) : GF_NONE;
}

int stack_input(build *b, sequence s, int table, int extra, const char *stack) {
  path p;
  const gf_model *m = b->model;
  if (m->positions == GF_ROTARY)
    b->rotation = gf_rotation(b->t, s.positions, m->d_model / m->heads, m->rotary_base,
                              under(&p, stack, "rotation"));
  int x = block_input(b, s, table, stack);
  if (extra != GF_NONE) x = gf_add(b->t, x, extra, under(&p, stack, "typed"));
  if (b->model->embedding_norm) x = block_norm(b, x, under(&p, stack, "embedding_norm"));
  return block_dropout(b, x, stack, "dropout");
}

int stack_encoder(const build *b, int x, sequence s, const char *stack, int layers, bool causal) {
  path p;
  sight seen = {causal, s.mask, s.lengths};
  for (int i = 0; i < layers; i++) x = block_encoder_layer(b, x, seen, layer_path(&p, stack, i));
  return b->model->final_norm ? block_norm(b, x, under(&p, stack, "norm")) : x;
}
