#include "stack.h"

/* The leaf memory of a decoding step, and every layer's keys and values of it, made first so that
 * later steps can start behind them. */
static int ready_memory(const build *b) {
  path p, layer;
  const gf_model *m = b->model;
  int memory = gf_input(b->t, 3, (int[]){b->batch->size, b->batch->source, m->d_model}, "memory");
  described(b->t, memory,
            (gf_description){.role = GF_ROLE_MEMORY,
                             .axes = {GF_AXIS_BATCH, GF_AXIS_TOKEN, GF_AXIS_CHANNEL},
                             .sequences = {0, GF_SEQUENCE_SOURCE}});
  for (int i = 0; i < m->decoder_layers; i++) {
    int first = gf_tape_count(b->t);
    block_keys(b, memory, under(&p, layer_path(&layer, "decoder", i), "cross_attn"));
    block_mark(b, first, GF_STACK_DECODER, i, GF_PART_CROSS_ATTN);
  }
  return memory;
}

static int encode(build *b, sequence source, int table) {
  const gf_model *m = b->model;
  int x = stack_input(b, source, table, GF_NONE, GF_STACK_ENCODER);
  return stack_encoder(b, x, source, GF_STACK_ENCODER, m->layers, false);
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
    if (batch->padded) memory_lengths = stack_lengths(b, GF_SEQUENCE_SOURCE);
  } else {
    int source_table =
        m->source_vocab ? stack_table(b, "source_embedding", m->source_vocab) : table;
    sequence source = stack_sequence(b, GF_SEQUENCE_SOURCE, batch->source);
    memory = encode(b, source, source_table);
    memory_lengths = source.lengths;
  }
  if (!m->decoder_layers) return memory;

  sequence target = stack_sequence(b, GF_SEQUENCE_TARGET, batch->target);
  sight cross = {false, GF_NONE, memory_lengths};
  if (batch->masked)
    cross.mask = stack_mask(b, "memory.mask", batch->target, batch->source, GF_SEQUENCE_TARGET,
                            GF_SEQUENCE_SOURCE);
  sight self = {!step && m->vocab, target.mask, target.lengths};
  int x = stack_input(b, target, table, GF_NONE, GF_STACK_DECODER);
  for (int i = 0; i < m->decoder_layers; i++) {
    int first = gf_tape_count(b->t);
    x = block_decoder_layer(b, x, memory, self, cross, layer_path(&p, "decoder", i));
    block_mark(b, first, GF_STACK_DECODER, i, 0);
  }
  x = stack_end(b, x, GF_STACK_DECODER);
  return m->vocab ? block_logits(b, x, table) : x;
}
