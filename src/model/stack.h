/* Encoders and decoders: from the leaves of a sequence to what leaves the last layer. */
#ifndef GF_STACK_H
#define GF_STACK_H

#include "block.h"

/* What a stack made of its sequence, or is given instead: what the next one attends to. */
typedef struct memory {
  int x;        /* [B,T,C] */
  int sequence; /* whose tokens */
  int length;   /* T */
  int lengths;  /* ids [B], which of them count; or GF_NONE */
} memory;

/* The table by that name, made where it is first asked for; GF_NONE if it has no rows. */
int gfi_stack_table(const build *b, const char *name, int rows);

/* The stack over `length` tokens of its sequence, which attends to `from`, if not NULL. */
memory gfi_stack_build(const build *b, const stack *s, int length, const memory *from);

/* The leaf memory of a decoding step in place of the stack `s`, and the keys and values that every layer
 * of `next` makes of it: first, so that later steps can start behind them. */
memory gfi_stack_ready(const build *b, const stack *s, int length, const stack *next);

#endif
