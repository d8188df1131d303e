#include "glassformer.h"
#include "text.h"

#include <stdbool.h>

gf_attention_config gf_attention_default(void) {
  return (gf_attention_config){
      .query = GF_NONE,
      .key = GF_NONE,
      .value = GF_NONE,
      .w_q = GF_NONE,
      .b_q = GF_NONE,
      .w_k = GF_NONE,
      .b_k = GF_NONE,
      .w_v = GF_NONE,
      .b_v = GF_NONE,
      .w_o = GF_NONE,
      .b_o = GF_NONE,
      .heads = 1,
      .mask = GF_NONE,
      .lengths = GF_NONE,
  };
}

/* One node's full name, alive until the node is pushed. A name that is too long stays too long, so
 * that the push refuses it. */
typedef struct path {
  char room[GF_MAX_NAME + 2];
} path;

static const char *under(path *p, const char *prefix, const char *step) {
  text s = text_begin(p->room, sizeof p->room);
  text_add(&s, prefix);
  if (*prefix) text_add(&s, ".");
  text_add(&s, step);
  return p->room;
}

/* x w + b. Without w, x is taken to be projected already. */
static int project(gf_tape *t, int x, int w, int b, const char *prefix, const char *step) {
  path p;
  return w == GF_NONE ? x : gf_linear(t, x, w, b, under(&p, prefix, step));
}

static int split(gf_tape *t, int x, int heads, const char *prefix, const char *step) {
  path p;
  return heads == 1 ? x : gf_split_heads(t, x, heads, under(&p, prefix, step));
}

/* 1 / sqrt(D), D being the width of a head's query. */
static float default_scale(const gf_tape *t, int q) {
  const int *shape = gf_node_shape(t, q);
  return (float)(1 / __builtin_sqrt(shape[gf_node_rank(t, q) - 1]));
}

int gf_attention(gf_tape *t, const gf_attention_config *c, const char *prefix) {
  path p;
  bool masked = c->causal || c->mask != GF_NONE || c->lengths != GF_NONE;
  bool many = c->heads != 1, projected = c->w_o != GF_NONE;

  int q = project(t, c->query, c->w_q, c->b_q, prefix, "q");
  int k = project(t, c->key, c->w_k, c->b_k, prefix, "k");
  int v = project(t, c->value, c->w_v, c->b_v, prefix, "v");
  q = split(t, q, c->heads, prefix, "q.heads");
  k = split(t, k, c->heads, prefix, "k.heads");
  v = split(t, v, c->heads, prefix, "v.heads");

  int x = gf_matmul_transposed(t, q, k, under(&p, prefix, "scores"));
  if (x < 0) return x; /* the scale below asks for q's width */
  x = gf_scale(t, x, c->scale != 0 ? c->scale : default_scale(t, q),
               under(&p, prefix, "scores.scaled"));
  if (masked)
    x = gf_mask(t, x, c->causal, 0, c->mask, c->lengths, under(&p, prefix, "scores.masked"));
  x = gf_softmax(t, x, under(&p, prefix, "weights"));
  x = gf_matmul(t, x, v, under(&p, prefix, many || projected ? "mix" : "output"));
  if (many) x = gf_concat_heads(t, x, under(&p, prefix, projected ? "concat" : "output"));
  if (projected) x = gf_linear(t, x, c->w_o, c->b_o, under(&p, prefix, "output"));
  return x;
}
