#include "stack.h"

static gf_description ids_of(int role, int whose, int axis) {
  return (gf_description){.role = (uint8_t)role,
                          .axes = {GF_AXIS_BATCH, (uint8_t)axis},
                          .sequences = {0, (uint8_t)whose}};
}

int stack_lengths(const build *b, int whose) {
  path p;
  under(&p, gf_sequence_name(whose), "lengths");
  gf_description d = {.role = GF_ROLE_LENGTHS, .axes = {GF_AXIS_BATCH}};
  return described(b->t, gf_ids(b->t, 1, &b->batch->size, p.room), d);
}

int stack_mask(const build *b, const char *name, int queries, int keys, int whose, int of) {
  int mask = gf_input(b->t, 4, (int[]){b->batch->size, 1, queries, keys}, name);
  return described(b->t, mask,
                   (gf_description){
                       .role = GF_ROLE_MASK,
                       .axes = {GF_AXIS_BATCH, GF_AXIS_HEAD, GF_AXIS_QUERY, GF_AXIS_KEY},
                       .sequences = {0, 0, (uint8_t)whose, (uint8_t)of},
                   });
}

sequence stack_sequence(const build *b, int whose, int length) {
  path p;
  const gf_model *m = b->model;
  int batch = b->batch->size;
  const char *name = gf_sequence_name(whose);
  sequence s = {.length = length, .positions = GF_NONE, .mask = GF_NONE, .lengths = GF_NONE};
  gf_description d = ids_of(m->vocab ? GF_ROLE_TOKENS : GF_ROLE_INPUT, whose, GF_AXIS_TOKEN);
  if (!m->vocab) d.axes[2] = GF_AXIS_CHANNEL;
  s.tokens = m->vocab ? gf_ids(b->t, 2, (int[]){batch, length}, name)
                      : gf_input(b->t, 3, (int[]){batch, length, m->d_model}, name);
  described(b->t, s.tokens, d);
  if (m->positions != GF_ALIBI && m->positions != GF_UNPLACED) {
    s.positions = gf_ids(b->t, 1, &length, under(&p, name, "positions"));
    described(b->t, s.positions,
              (gf_description){.role = GF_ROLE_POSITIONS,
                               .axes = {GF_AXIS_TOKEN},
                               .sequences = {(uint8_t)whose}});
  }
  if (b->batch->masked)
    s.mask = stack_mask(b, under(&p, name, "mask"), length, length, whose, whose);
  if (b->batch->padded) s.lengths = stack_lengths(b, whose);
  return s;
}

int stack_table(const build *b, const char *name, int rows) {
  return b->model->vocab ? block_table(b, name, GF_ROLE_EMBEDDING, rows, GF_AXIS_VOCABULARY)
                         : GF_NONE;
}

int stack_input(build *b, sequence s, int table, int extra, int stack) {
  path p;
  const gf_model *m = b->model;
  const char *name = gf_stack_name(stack);
  int first = gf_tape_count(b->t);
  if (m->positions == GF_ROTARY)
    b->rotation = gf_rotation(b->t, s.positions, m->d_model / m->heads, m->rotary_base,
                              under(&p, name, "rotation"));
  int x = block_input(b, s, table, name);
  if (extra != GF_NONE)
    x = described(b->t, gf_add(b->t, x, extra, under(&p, name, "typed")),
                  (gf_description){.role = GF_ROLE_INPUT});
  if (b->model->embedding_norm) x = block_norm(b, x, under(&p, name, "embedding_norm"));
  x = block_dropout(b, x, name, "dropout");
  block_mark(b, first, stack, GF_NONE, GF_PART_EMBEDDING);
  return x;
}

int stack_end(const build *b, int x, int stack) {
  path p;
  int first = gf_tape_count(b->t);
  if (b->model->final_norm) x = block_norm(b, x, under(&p, gf_stack_name(stack), "norm"));
  block_mark(b, first, stack, GF_NONE, 0);
  return x;
}

int stack_encoder(const build *b, int x, sequence s, int stack, int layers, bool causal) {
  path p;
  sight seen = {causal, s.mask, s.lengths};
  for (int i = 0; i < layers; i++) {
    int first = gf_tape_count(b->t);
    x = block_encoder_layer(b, x, seen, layer_path(&p, gf_stack_name(stack), i));
    block_mark(b, first, stack, i, 0);
  }
  return stack_end(b, x, stack);
}
