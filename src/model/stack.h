/* Encoder and decoder stacks: what the three families put between their inputs and results. A stack is
 * GF_STACK_ENCODER or GF_STACK_DECODER, whose word begins the names of its nodes; a sequence is
 * GF_SEQUENCE_SOURCE or GF_SEQUENCE_TARGET, after which its leaves are called. */
#ifndef GF_STACK_H
#define GF_STACK_H

#include "block.h"

/* Pushes the leaves of a sequence, its positions, mask and lengths, as model and batch ask. */
sequence stack_sequence(const build *b, int whose, int length);

/* A leaf [B,1,Tq,Tk] that is added to scores. */
int stack_mask(const build *b, const char *name, int queries, int keys, int whose, int of);

/* The leaf `whose`.lengths. */
int stack_lengths(const build *b, int whose);

/* Embeds a sequence, makes its rotation, adds `extra` (a node, or GF_NONE), normalises and drops as the model says. */
int stack_input(build *b, sequence s, int table, int extra, int stack);

int stack_encoder(const build *b, int x, sequence s, int stack, int layers, bool causal);

/* What leaves a stack, normalised if the model says so. */
int stack_end(const build *b, int x, int stack);

/* The embedding's parameter, or GF_NONE without vocab. */
int stack_table(const build *b, const char *name, int rows);

/* build_transformer, build_gpt and build_bert push everything and return the last node but the loss:
 * logits, or what there is without them. */
int build_transformer(build *b);
int build_gpt(build *b);
int build_bert(build *b);

#endif
