#include "stack.h"
#include "tape.h"

/* What the user writes about a sequence. */
typedef struct sequence {
  int tokens;        /* ids [B,T], or vectors [B,T,C] in a model without vocab */
  int positions;     /* ids [T], or GF_NONE where nothing asks for them */
  int segments;      /* ids [B,T], or GF_NONE */
  int mask, lengths; /* [B,1,T,keys] and ids [B], or GF_NONE */
} sequence;

/* ---- Leaves ---- */

static int lengths_of(const build *b, int sequence) {
  path p;
  if (!b->batch->padded) return GF_NONE;
  under(&p, gf_sequence_name(sequence), "lengths");
  return described(b->t, gf_ids(b->t, 1, &b->batch->size, p.room),
                   (gf_description){.role = GF_ROLE_LENGTHS,
                                    .axes = {GF_AXIS_BATCH},
                                    .sequences = {(uint8_t)sequence}});
}

/* [B,1,Tq,Tk], added to the scores of a stack's queries for keys of its own or of a memory. */
static int mask_of(const build *b, const stack *s, const char *of, int length, int keys,
                   int whose) {
  path p;
  if (!b->batch->masked) return GF_NONE;
  int shape[] = {b->batch->size, 1, length, keys};
  return described(b->t, gf_input(b->t, 4, shape, under(&p, of, "mask")),
                   (gf_description){
                       .role = GF_ROLE_MASK,
                       .axes = {GF_AXIS_BATCH, GF_AXIS_HEAD, GF_AXIS_QUERY, GF_AXIS_KEY},
                       .sequences = {0, 0, (uint8_t)s->sequence, (uint8_t)whose},
                   });
}

/* Something about each token of each sequence of the batch. */
static int each_token(const build *b, int sequence, int role, int length, const char *name) {
  const gf_model *m = b->model;
  bool ids = role == GF_ROLE_TOKENS || role == GF_ROLE_SEGMENTS;
  int shape[] = {b->batch->size, length, m->d_model};
  gf_description d = {.role = (uint8_t)role,
                      .axes = {GF_AXIS_BATCH, GF_AXIS_TOKEN, ids ? 0 : GF_AXIS_CHANNEL},
                      .sequences = {0, (uint8_t)sequence}};
  return described(b->t, ids ? gf_ids(b->t, 2, shape, name) : gf_input(b->t, 3, shape, name), d);
}

static int positions_of(const build *b, const stack *s, int length, const char *name) {
  path p;
  int positions = b->model->positions;
  if (positions == GF_ALIBI || positions == GF_UNPLACED) return GF_NONE;
  return described(b->t, gf_ids(b->t, 1, &length, under(&p, name, "positions")),
                   (gf_description){.role = GF_ROLE_POSITIONS,
                                    .axes = {GF_AXIS_TOKEN},
                                    .sequences = {(uint8_t)s->sequence}});
}

static sequence sequence_of(const build *b, const stack *s, int length) {
  const char *name = gf_sequence_name(s->sequence);
  sequence q = {.segments = GF_NONE};
  q.tokens = each_token(b, s->sequence, s->vocab ? GF_ROLE_TOKENS : GF_ROLE_INPUT, length, name);
  q.positions = positions_of(b, s, length, name);
  int cached = b->batch->capacity;
  q.mask = mask_of(b, s, name, length, cached ? cached : length, s->sequence);
  q.lengths = lengths_of(b, s->sequence);
  if (s->token_types)
    q.segments = each_token(b, s->sequence, GF_ROLE_SEGMENTS, length, "token_types");
  return q;
}

/* ---- From tokens to vectors ---- */

int gfi_stack_table(const build *b, const char *name, int rows) {
  path p;
  if (!rows) return GF_NONE;
  int made = gfi_tape_find(b->t, under(&p, name, "weight"));
  if (made >= 0) return made;
  return gfi_block_parameter(b, name, GF_PARAMETER_TABLE, GF_ROLE_EMBEDDING, rows,
                             b->model->d_model);
}

/* What is added to the embeddings at their positions, or GF_NONE. */
static int position(const build *b, int positions, const char *stack) {
  path p, table;
  const gf_model *m = b->model;
  bool halves = m->positions == GF_SINUSOIDAL_HALVES;
  under(&p, stack, "position");
  if (halves || m->positions == GF_SINUSOIDAL)
    return gf_position(b->t, positions, m->d_model, halves, p.room);
  if (m->positions != GF_LEARNED) return GF_NONE;
  under(&table, stack, "position_embedding");
  int rows = gfi_block_parameter(b, table.room, GF_PARAMETER_TABLE, GF_ROLE_POSITION, m->max_length,
                                 m->d_model);
  return gf_embed(b->t, rows, positions, p.room);
}

/* What is added to them by their segments, or GF_NONE. */
static int segment(const build *b, const stack *s, int segments, const char *stack) {
  path p;
  if (segments == GF_NONE) return GF_NONE;
  int rows = gfi_block_parameter(b, "token_type_embedding", GF_PARAMETER_TABLE, GF_ROLE_SEGMENT,
                                 s->token_types, b->model->d_model);
  return gf_embed(b->t, rows, segments, under(&p, stack, "token_type"));
}

/* Embedding, scale, positions, segments, norm and dropout, as the model has them. */
static int input(const build *b, const stack *s, const sequence *q, int table, surroundings *r) {
  path p;
  const gf_model *m = b->model;
  const char *stack = gf_stack_name(s->id);
  int x = q->tokens, first = gf_tape_count(b->t);
  int typed = segment(b, s, q->segments, stack);
  if (m->positions == GF_ROTARY) {
    const gf_variant *v = b->variant;
    r->rotation = gf_rotation_stretched(b->t, q->positions, rotary_size(m, v), m->rotary_base,
                                        v->rotary_stretch, v->rotary_slow, v->rotary_fast,
                                        v->rotary_span, under(&p, stack, "rotation"));
  }
  if (table != GF_NONE) {
    x = gf_embed(b->t, table, x, under(&p, stack, "embedding"));
    float root = (float)__builtin_sqrt(m->d_model);
    if (m->scale_embedding) x = gf_scale(b->t, x, root, under(&p, stack, "embedding.scaled"));
  }
  int placed = position(b, q->positions, stack);
  if (placed != GF_NONE) x = gf_add(b->t, x, placed, under(&p, stack, "input"));
  if (typed != GF_NONE) {
    x = gf_add(b->t, x, typed, under(&p, stack, "typed"));
    in_role(b->t, x, GF_ROLE_INPUT);
  }
  if (m->embedding_norm) x = gfi_block_norm(b, x, under(&p, stack, "embedding_norm"));
  x = gfi_block_dropout(b, x, under(&p, stack, "dropout"));
  gfi_block_mark(b, first, s->id, GF_NONE, GF_PART_EMBEDDING);
  return x;
}

/* ---- The stack ---- */

memory gfi_stack_build(const build *b, const stack *s, int length, const memory *from) {
  path p;
  const build narrow = narrow_of(*b);
  int table = gfi_stack_table(&narrow, s->table, s->vocab);
  sequence q = sequence_of(b, s, length);
  /* In a decoding step the lengths hide what is not there yet. */
  surroundings r = {
      .self = {s->causal && !b->batch->capacity, q.mask, q.lengths},
      .cross = {false, GF_NONE, GF_NONE},
      .memory = GF_NONE,
      .rotation = GF_NONE,
  };
  if (from) {
    r.cross.mask = mask_of(b, s, "memory", length, from->length, from->sequence);
    r.cross.lengths = from->lengths;
    r.memory = from->x;
  }
  int x = input(&narrow, s, &q, table, &r);
  if (b->variant->embedding_size) {
    int begin = gf_tape_count(b->t);
    x = gfi_block_linear(b, x, under(&p, gf_stack_name(s->id), "embedding_projection"),
                         GF_ROLE_HIDDEN, b->variant->embedding_size, b->model->d_model, true);
    gfi_block_mark(b, begin, s->id, GF_NONE, GF_PART_EMBEDDING);
  }
  for (int i = 0; i < s->layers; i++) {
    const gf_variant *v = b->variant;
    const bool windowed =
        v->window && i >= v->window_first && (i - v->window_first) % v->window_step == 0;
    r.window = windowed ? v->window : 0;
    x = gfi_block_layer(b, s, &r, x, i);
  }
  int first = gf_tape_count(b->t);
  if (s->final_norm) x = gfi_block_norm(b, x, under(&p, gf_stack_name(s->id), "norm"));
  gfi_block_mark(b, first, s->id, GF_NONE, 0);
  return (memory){x, s->sequence, length, q.lengths};
}

memory gfi_stack_ready(const build *b, const stack *s, int length, const stack *next) {
  memory m = {.sequence = s->sequence, .length = length};
  m.x = each_token(b, s->sequence, GF_ROLE_MEMORY, length, "memory");
  for (int i = 0; i < next->layers; i++) gfi_block_memory(b, next, m.x, i);
  m.lengths = lengths_of(b, s->sequence);
  return m;
}
