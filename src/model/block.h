/* The blocks that models are composed of. Each pushes its parameters and its steps, and says what they are. */
#ifndef GF_BLOCK_H
#define GF_BLOCK_H

#include "architecture.h"
#include "path.h"
#include "tape.h"

/* Everything a block looks up while a tape is built. */
typedef struct build {
  gf_tape *t;
  const gf_model *model;
  const gf_batch *batch;
  int dropout_key; /* GF_NONE outside training */
  int at;          /* where a decoding step writes its keys and values, or GF_NONE */
  const gf_variant *variant;
  const gf_model *narrow; /* the model, but for d_model, which is the width of its embeddings */
  const char *layer;      /* the name of the layer that is built, or NULL */
  const char
      *first; /* the name of the first layer, whose parameters it shares if the variant says so */
} build;

/* The same for blocks that are as wide as the embeddings. */
static inline build narrow_of(build b) {
  b.model = b.narrow;
  return b;
}

/* D, the width of a head. */
static inline int head_size(const gf_model *m, const gf_variant *v) {
  return v->head_size ? v->head_size : m->d_model / m->heads;
}

/* R, the channels of a head that are rotated. */
static inline int rotary_size(const gf_model *m, const gf_variant *v) {
  return v->rotary_size ? v->rotary_size : head_size(m, v);
}

/* Which keys an attention may see. */
typedef struct attention_mask {
  bool causal;
  int mask, lengths; /* nodes, or GF_NONE */
} attention_mask;

/* What the layers of a stack have in common. */
typedef struct surroundings {
  attention_mask self, cross;
  int memory;   /* what cross-attention attends to, or GF_NONE */
  int rotation; /* of the positions, or GF_NONE */
  int window;   /* how many tokens those of the layer see, or 0 */
} surroundings;

/* A parameter of the step `name`, which is of some role: a weight or table [rows,columns], a bias or gain
 * [columns]. */
int gfi_block_parameter(const build *b, const char *name, int kind, int role, int rows,
                        int columns);

/* x w + b with the parameters name.weight and, if `bias`, name.bias */
int gfi_block_linear(const build *b, int x, const char *name, int role, int rows, int columns,
                     bool bias);

int gfi_block_norm(const build *b, int x, const char *name);

/* x itself outside training, or without dropout */
int gfi_block_dropout(const build *b, int x, const char *name);

int gfi_block_activation(const build *b, int x, const char *name);

/* Keys and values of a memory, ready for the cross-attention of a layer. */
void gfi_block_memory(const build *b, const stack *s, int memory, int layer);

/* A layer of a stack. */
int gfi_block_layer(const build *b, const stack *s, const surroundings *r, int x, int layer);

/* Says of the nodes from `first` on where they are, as far as that is not said yet. */
void gfi_block_mark(const build *b, int first, int stack, int layer, int part);

#endif
