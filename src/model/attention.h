/* The first half of an attention, which a decoding step makes of its memory beforehand. */
#ifndef GF_ATTENTION_H
#define GF_ATTENTION_H

#include "path.h"

#include <stdbool.h>

/* Queries, keys or values, as the role says: x w + b by the name q, k or v; x itself without w. Says what
 * the operands are where nobody has. */
int gfi_attention_project(gf_tape *t, int role, int x, int w, int b, int heads, const char *prefix);

/* The heads of x by the name q.heads, ...; x itself if it is split already, or if there is no batch and
 * there is but one head of queries. */
int gfi_attention_split(gf_tape *t, int role, int x, int heads, bool alone, const char *prefix);

/* gf_attention through a window, as gf_mask_window has it, or 0: in the core that has variants. */
int gfi_attention_window(gf_tape *t, const gf_attention_config *c, int window, const char *prefix);

#endif
