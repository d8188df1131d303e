/* The blocks that models are composed of. Each pushes its parameters and its steps. */
#ifndef GF_BLOCK_H
#define GF_BLOCK_H

#include "path.h"

#include <stdbool.h>

/* Everything a block looks up while a tape is built. */
typedef struct build {
  gf_tape *t;
  const gf_model *model;
  const gf_batch *batch;
  int dropout_key; /* GF_NONE outside training */
  int rotation;    /* of the present sequence's positions, or GF_NONE */
  int at;          /* where a decoding step writes its keys and values, or GF_NONE */
} build;

/* A sequence on its way in: what the user writes about it. */
typedef struct sequence {
  int tokens;    /* ids [B,T], or vectors [B,T,C] in a model without vocab */
  int length;    /* T */
  int positions; /* ids [T], or GF_NONE where nothing asks for them */
  int mask;      /* [B,1,T,T], or GF_NONE */
  int lengths;   /* ids [B], or GF_NONE */
} sequence;

/* Which keys an attention may see. */
typedef struct sight {
  bool causal;
  int mask, lengths; /* nodes, or GF_NONE */
} sight;

/* Of a step of some role: the matrix prefix.weight [rows,columns], whose columns are channels or words of
 * the vocabulary; the row prefix.bias or prefix.weight; the table prefix.weight with a row per `rows`. */
int block_matrix(const build *b, const char *prefix, int role, int rows, int columns, int axis);
int block_row(const build *b, const char *prefix, int role, int parameter, int columns, int axis);
int block_table(const build *b, const char *prefix, int role, int rows, int axis);

/* x w + b with the parameters prefix.weight and, if bias, prefix.bias */
int block_linear(const build *b, int x, const char *prefix, int role, int rows, int columns,
                 bool bias);

int block_norm(const build *b, int x, const char *prefix);

/* x itself outside training, or without dropout */
int block_dropout(const build *b, int x, const char *prefix, const char *step);

int block_activation(const build *b, int x, const char *prefix);

/* Says of the nodes from `first` on where they are, unless that is said already. */
void block_mark(const build *b, int first, int stack, int layer, int part);

/* Multi-head attention with its four projections. k_heads and v_heads: keys and values that are made
 * already, or GF_NONE. */
int block_attention(const build *b, int query, int memory, sight s, const char *prefix);

/* Keys and values of `memory`, ready for block_attention of the same prefix. */
void block_keys(const build *b, int memory, const char *prefix);

int block_encoder_layer(const build *b, int x, sight s, const char *prefix);
int block_decoder_layer(const build *b, int x, int memory, sight self, sight cross,
                        const char *prefix);

/* Tokens to vectors: embedding, scale and positions, as the model has them. stack is "encoder" or
 * "decoder", table the embedding's parameter. */
int block_input(const build *b, sequence s, int table, const char *stack);

/* The logits of x [B,T,C]. */
int block_logits(const build *b, int x, int table);

#endif
