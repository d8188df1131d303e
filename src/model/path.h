/* Names of nodes: paths with dots, "encoder.layers.0.self_attn.scores". */
#ifndef GF_PATH_H
#define GF_PATH_H

#include "glassformer.h"
#include "text.h"

/* One name, alive until the node is pushed. A name that is too long stays too long, so that the push
 * refuses it. */
typedef struct path {
  char room[GF_MAX_NAME + 2];
} path;

/* prefix.step, or step where there is no prefix */
static inline const char *under(path *p, const char *prefix, const char *step) {
  text s = text_begin(p->room, sizeof p->room);
  text_add(&s, prefix);
  if (*prefix) text_add(&s, ".");
  text_add(&s, step);
  return p->room;
}

/* stack.layers.i */
static inline const char *layer_path(path *p, const char *stack, int i) {
  text s = text_begin(p->room, sizeof p->room);
  text_add(&s, stack);
  text_add(&s, ".layers.");
  text_add_int(&s, i);
  return p->room;
}

/* What follows a prefix of a path, from the dot on; NULL if the path is not below it. */
static inline const char *below(const char *path, const char *prefix) {
  while (*prefix && *prefix == *path) prefix++, path++;
  return *prefix || *path != '.' ? NULL : path;
}

/* Says what a node is, and returns it. */
static inline int described(gf_tape *t, int x, gf_description d) {
  gf_describe(t, x, &d);
  return x;
}
static inline int in_role(gf_tape *t, int x, int role) {
  return described(t, x, (gf_description){.role = (uint8_t)role});
}

#endif
