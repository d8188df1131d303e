/* What a model consists of, as data: the blocks are built from it and from the sizes in gf_model. A kind of
 * model is a row of the table in architecture.c. */
#ifndef GF_ARCHITECTURE_H
#define GF_ARCHITECTURE_H

#include "glassformer.h"

#include <stdbool.h>

/* Part of a layer: x + f(x). */
typedef struct sublayer {
  int part;         /* f: GF_PART_SELF_ATTN, GF_PART_CROSS_ATTN or GF_PART_FEED_FORWARD */
  bool norm_before; /* what f reads is normalised */
  bool norm_behind; /* the sum is normalised */
} sublayer;

enum { MOST_SUBLAYERS = 3, MOST_STACKS = 2 };

/* Layers that are alike, and what stands before and behind them. */
typedef struct stack {
  int id;       /* GF_STACK_ENCODER or GF_STACK_DECODER, whose word begins the names of its nodes */
  int sequence; /* GF_SEQUENCE_SOURCE or GF_SEQUENCE_TARGET, whose word names its leaves */
  const char *table; /* the parameter that embeds the sequence */
  int vocab;         /* its rows */
  int token_types;   /* rows of the table of segments, or 0 */
  bool causal;       /* tokens see none that comes later */
  int layers;
  sublayer sublayers[MOST_SUBLAYERS]; /* of each layer, in order */
  int count;
  bool final_norm; /* what leaves the stack is normalised */
} stack;

/* Stacks, each of which may attend to what the one before it made; then what is made of the last one's
 * result. */
typedef struct architecture {
  stack stacks[MOST_STACKS];
  int count;
  bool pooler, prediction, logits;
} architecture;

architecture gfi_architecture_of(const gf_model *model);

#endif
