#include "stack.h"

/* The leaf memory of a decoding step, and every layer's keys and values of it, made first so that
 * later steps can start behind them. */
static int ready_memory(const build *b) {
  path p, layer;
  const gf_model *m = b->model;
  int memory = gf_input(b->t, 3, (int[]){b->batch->size, b->batch->source, m->d_model}, "memory");
  for (int i = 0; i < m->decoder_layers; i++)
    block_keys(b, memory, under(&p, layer_path(&layer, "decoder", i), "cross_attn"));
  return memory;
}

static int encode(build *b, sequence source, int table) {
  const gf_model *m = b->model;
  int x = stack_input(b, source, table, GF_NONE, "encoder");
  return stack_encoder(b, x, source, "encoder", m->layers, false);
}

int build_transformer(build *b) {
  path p;
  const gf_model *m = b->model;
  const gf_batch *batch = b->batch;
  bool step = batch->capacity > 0;
  int table = stack_table(b, "embedding", m->vocab);

  int memory = GF_NONE, memory_lengths = GF_NONE;
  if (step) {
    memory = ready_memory(b);
    if (batch->padded) memory_lengths = gf_ids(b->t, 1, &batch->size, "source.lengths");
  } else {
    int source_table =
        m->source_vocab ? stack_table(b, "source_embedding", m->source_vocab) : table;
    sequence source = stack_sequence(b, "source", batch->source);
    memory = encode(b, source, source_table);
    memory_lengths = source.lengths;
  }
  if (!m->decoder_layers) return memory;

  sequence target = stack_sequence(b, "target", batch->target);
  sight cross = {false, GF_NONE, memory_lengths};
  if (batch->masked)
    cross.mask =
        gf_input(b->t, 4, (int[]){batch->size, 1, batch->target, batch->source}, "memory.mask");
  sight self = {!step && m->vocab, target.mask, target.lengths};
  int x = stack_input(b, target, table, GF_NONE, "decoder");
  for (int i = 0; i < m->decoder_layers; i++)
    x = block_decoder_layer(b, x, memory, self, cross, layer_path(&p, "decoder", i));
  if (m->final_norm) x = block_norm(b, x, "decoder.norm");
  return m->vocab ? block_logits(b, x, table) : x;
}
