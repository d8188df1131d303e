/* Whether this build has the bits of all others: a small program through the kernels, and its hash. */
#include "tape.h"

#include <string.h>

enum {
  NODES = 48,
  NUMBERS = 6500, /* values, gradients and scratch of a program */
  T = 5,
  C = 12,
  HEADS = 3,
  F = 21,
  V = 9
};

/* All the memory that there is, for one program after the other. */
typedef struct desk {
  _Alignas(16) char nodes[sizeof(gf_tape) + (size_t)NODES * NODE_BYTES];
  _Alignas(16) float numbers[NUMBERS];
  uint64_t hash;
} desk;

/* FNV-1a, a step per number of 4 bytes; the payload of a NaN is nobody's promise. */
static void add_numbers(desk *d, const void *numbers, size_t n, gf_type type) {
  const char *at = numbers;
  for (size_t i = 0; i < n; i++, at += 4) {
    uint32_t bits;
    memcpy(&bits, at, sizeof bits);
    if (type == GF_F32 && (bits & 0x7fffffff) > 0x7f800000) bits = 0x7fc00000;
    d->hash = (d->hash ^ bits) * 0x100000001b3;
  }
}

/* Fills the leaves, runs forward, backward from the last node, and adds all that there is to the hash. */
static gf_error run(desk *d, gf_tape *t, int result) {
  if (result < 0) return (gf_error)result;
  if (gf_plan(t, NULL) > sizeof d->numbers || !gf_plan(t, d->numbers)) return GF_EMEMORY;
  for (int i = 0; i < t->count; i++) {
    const node *n = &t->nodes[i];
    if (!is_leaf(n)) continue;
    if (is_ids(&n->y))
      for (size_t k = 0; k < n->y.size; k++) n->y.ids[k] = (int32_t)(3 * k % T);
    else
      gf_uniform(n->y.value, n->y.size, 1, (uint32_t)i, -1.5f, 1.5f);
  }
  gf_error error = gf_forward(t, 0, GF_LAST);
  const tensor *y = &t->nodes[result].y;
  for (size_t k = 0; k < y->size; k++) y->grad[k] = 1 + (float)k / 7;
  if (!error) error = gf_backward(t, 0, GF_LAST);
  for (int i = 0; i < t->count; i++) {
    y = &t->nodes[i].y;
    add_numbers(d, y->value, y->size, y->type);
    if (y->grad) add_numbers(d, y->grad, y->size, GF_F32);
  }
  return error;
}

static int input(gf_tape *t, int rows, int columns, const char *name) {
  return gf_input(t, rows ? 2 : 1, rows ? (int[]){rows, columns} : &columns, name);
}

/* A layer of a transformer, whose attention is made in steps or as one. Declarations keep the order of
 * the nodes, which C leaves open among the arguments of a call. */
static gf_error run_layer(desk *d, int fused) {
  gf_tape *t = gf_tape_create(d->nodes, sizeof d->nodes);
  int tokens = gf_ids(t, 1, (int[]){T}, "tokens"), table = input(t, V, C, "table");
  int gain = input(t, 0, C, "gain"), bias = input(t, 0, C, "bias");
  int w_1 = input(t, C, F, "w_1"), b_1 = input(t, 0, F, "b_1"), w_2 = input(t, F, C, "w_2");
  gf_attention_config c = gf_attention_default();
  c.w_q = input(t, C, C, "w_q"), c.w_k = input(t, C, C, "w_k"), c.w_v = input(t, C, C, "w_v");
  c.w_o = input(t, C, C, "w_o"), c.b_o = input(t, 0, C, "b_o"), c.mask = input(t, T, T, "mask");
  c.heads = HEADS, c.causal = c.alibi = 1, c.softcap = 2, c.fused = fused;
  c.rotation = gf_rotation(t, tokens, C / HEADS, 10000, "rotation");

  int x = gf_embed(t, table, tokens, "embedding");
  x = gf_add(t, x, gf_position(t, tokens, C, 0, "positions"), "x");
  c.query = c.key = c.value = gf_layer_norm(t, x, gain, bias, 1e-5f, "norm1");
  x = gf_add(t, x, gf_attention(t, &c, "attention"), "residual");
  int hidden = gf_gelu(t, gf_linear(t, x, w_1, b_1, "linear1"), 0, "gelu");
  x = gf_rms_norm(t, gf_linear(t, hidden, w_2, GF_NONE, "linear2"), gain, 1e-6f, "norm2");
  x = gf_matmul_transposed(t, x, table, "logits");
  x = gf_cross_entropy(t, x, tokens, GF_NONE, GF_MEAN, GF_IGNORE, 0.1f, "loss");
  return run(d, t, x);
}

/* Functions of single numbers and of a row; and numbers so small that they have few digits. */
static gf_error run_functions(desk *d) {
  gf_tape *t = gf_tape_create(d->nodes, sizeof d->nodes);
  int x = input(t, 0, F, "x"), key = gf_ids(t, 1, (int[]){2}, "key");
  int y = gf_add(t, gf_gelu(t, x, 1, "gelu"), x, "1");
  y = gf_add(t, y, gf_silu(t, x, 1.702f, "silu"), "2");
  y = gf_add(t, y, gf_swiglu(t, y, gf_sigmoid(t, x, "sigmoid"), 1, "swiglu"), "3");
  y = gf_add(t, y, gf_erf(t, gf_exp(t, x, "exp"), "erf"), "4");
  y = gf_add(t, y, gf_log_softmax(t, gf_tanh(t, x, "tanh"), "log_softmax"), "5");
  int tiny = gf_scale(t, gf_scale(t, x, 1e-20f, "small"), 1e-20f, "tiny");
  y = gf_add(t, y, gf_scale(t, tiny, 1e38f, "again"), "6");
  return run(d, t, gf_dropout(t, y, key, 0.25f, "y"));
}

/* What training computes beside the tape. */
static void run_training(desk *d) {
  enum { N = 103 };
  float *x = d->numbers, *grad = x + N, *m = grad + N, *v = m + N;
  gf_normal(x, N, 2, 1, 0, 1);
  gf_normal(grad, N, 2, 2, 0, 1);
  gf_uniform(m, N, 2, 3, -1, 1);
  gf_uniform(v, N, 2, 4, 0, 1);
  const gf_schedule schedule = {.kind = GF_NOAM, .warmup = 40, .d_model = C, .rate = 1};
  for (int step = 1; step <= 3; step++) {
    const float rate = (float)gf_learning_rate(&schedule, 13 * step);
    gf_adam_step(x, grad, m, v, NULL, N, &(gf_adam){rate, 0.9f, 0.98f, 1e-9f, 0.01f, 1, step});
  }
  x[0] += (float)gf_norm(x, N);
  add_numbers(d, x, (size_t)4 * N, GF_F32);
}

gf_error gfi_self_test_hash(uint64_t *hash) {
  desk d = {.hash = 0xcbf29ce484222325};
  gf_error error = run_layer(&d, 0);
  if (!error) error = run_layer(&d, 1);
  if (!error) error = run_functions(&d);
  run_training(&d);
  *hash = d.hash;
  return error;
}

gf_error gf_self_test(void) {
  uint64_t hash;
  gf_error error = gfi_self_test_hash(&hash);
  return !error && hash != SELF_TEST_HASH ? GF_EBITS : error;
}
