#include "stack.h"

int build_gpt(build *b) {
  const gf_model *m = b->model;
  int table = stack_table(b, "embedding", m->vocab);
  sequence s = stack_sequence(b, GF_SEQUENCE_TARGET, b->batch->target);
  int x = stack_input(b, s, table, GF_NONE, GF_STACK_DECODER);
  /* In a decoding step the lengths hide what is not there yet. */
  x = stack_encoder(b, x, s, GF_STACK_DECODER, m->layers, b->batch->capacity == 0);
  return m->vocab ? block_logits(b, x, table) : x;
}
