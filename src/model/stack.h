/* Encoder and decoder stacks: what the three families put between their inputs and results. */
#ifndef GF_STACK_H
#define GF_STACK_H

#include "block.h"

/* Pushes the leaves name, name.positions, name.mask and name.lengths, as model and batch ask. */
sequence stack_sequence(const build *b, const char *name, int length);

/* Embeds a sequence, makes its rotation, adds `extra` (a node, or GF_NONE), normalises and drops as the model says. */
int stack_input(build *b, sequence s, int table, int extra, const char *stack);

int stack_encoder(const build *b, int x, sequence s, const char *stack, int layers, bool causal);

/* The embedding's parameter, or GF_NONE without vocab. */
int stack_table(const build *b, const char *name, int rows);

/* build_transformer, build_gpt and build_bert push everything and return the last node but the loss:
 * logits, or what there is without them. */
int build_transformer(build *b);
int build_gpt(build *b);
int build_bert(build *b);

#endif
