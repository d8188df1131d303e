/* Trains a small transformer for 200 steps to say its input backwards but for the first word, with
 * everything that a training step has, and hashes all that came of it: every loss, and every
 * parameter at the end. One number for all compilers and machines, and for the package's own
 * training: tests/consumers/golden.js does the same in JavaScript. */
#include "glassformer.h"

#include <string.h>

enum { BATCH = 8, LENGTH = 8, WORDS = 10, STEPS = 200, START = 0, END = 1, FIRST = 2 };

static _Alignas(16) unsigned char arena[12 << 20];
static size_t used;

static void *take(size_t bytes) {
  void *p = arena + used;
  used += (bytes + 15) / 16 * 16;
  return used <= sizeof arena ? p : NULL;
}

static gf_tape *make(const gf_model *model, const gf_batch *batch) {
  size_t bytes = gf_tape_bytes(300);
  gf_tape *t = gf_tape_create(take(bytes), bytes);
  gf_build(t, model, batch);
  return t;
}

/* Fresh words for every step, which depend on the step alone. */
static void fill(gf_tape *t, int step) {
  float words[BATCH * LENGTH];
  gf_uniform(words, BATCH * LENGTH, 1, (uint32_t)step, FIRST, FIRST + WORDS - 0.01f);
  int32_t *source = gf_node_ids(t, gf_find(t, "source"));
  int32_t *target = gf_node_ids(t, gf_find(t, "target"));
  int32_t *labels = gf_node_ids(t, gf_find(t, "labels"));
  for (int b = 0; b < BATCH; b++) {
    const int first = b * LENGTH, last = first + LENGTH - 1;
    for (int i = 0; i < LENGTH; i++) source[first + i] = (int32_t)words[first + i];
    for (int i = 0; i < LENGTH - 1; i++)
      target[first + i + 1] = labels[first + i] = source[last - i];
    target[first] = START;
    labels[last] = END;
  }
  gf_node_ids(t, gf_find(t, "dropout.key"))[1] = step - 1;
}

static uint64_t hash(uint64_t h, const void *data, size_t bytes) {
  const unsigned char *p = data;
  for (size_t i = 0; i < bytes; i++) h = (h ^ p[i]) * 0x100000001b3u;
  return h;
}

static uint64_t train(void) {
  used = 0;
  const gf_model model = {.family = GF_TRANSFORMER,
                          .vocab = FIRST + WORDS,
                          .max_length = 16,
                          .d_model = 20,
                          .heads = 2,
                          .kv_heads = 2,
                          .d_ff = 40,
                          .layers = 2,
                          .decoder_layers = 2,
                          .activation = GF_GELU,
                          .bias = 1,
                          .tied = 1,
                          .scale_embedding = 1,
                          .epsilon = 1e-5f,
                          .dropout = 0.1f};
  const gf_batch batch = {.size = BATCH,
                          .source = LENGTH,
                          .target = LENGTH,
                          .training = 1,
                          .loss = 1,
                          .smoothing = 0.1f};
  const gf_schedule schedule = {.kind = GF_NOAM, .warmup = 40, .d_model = 20, .rate = 1};
  gf_tape *t = make(&model, &batch);
  size_t n = gf_parameter_count(t);
  float *values = take(n * 4), *grads = take(n * 4), *m = take(n * 4), *v = take(n * 4);
  memset(m, 0, n * 4);
  memset(v, 0, n * 4);
  gf_bind_parameters(t, t, values, grads);
  gf_plan(t, take(gf_plan(t, NULL)));
  gf_initialize(t, 7);
  for (int i = 0; i < LENGTH; i++) {
    gf_node_ids(t, gf_find(t, "source.positions"))[i] = i;
    gf_node_ids(t, gf_find(t, "target.positions"))[i] = i;
  }

  uint64_t h = 0xcbf29ce484222325u;
  int loss = gf_find(t, "loss");
  for (int step = 1; step <= STEPS; step++) {
    fill(t, step);
    if (gf_forward(t, 0, GF_LAST)) return 0;
    h = hash(h, gf_node_value(t, loss), 4);
    memset(grads, 0, n * 4);
    gf_zero_grad(t);
    gf_node_grad(t, loss)[0] = 1;
    gf_backward(t, 0, GF_LAST);
    double clipping = 1 / (gf_norm(grads, n) + 1e-6);
    if (clipping < 1) gf_multiply(grads, n, (float)clipping);
    gf_adam adam = {.learning_rate = (float)gf_learning_rate(&schedule, step),
                    .beta1 = 0.9f,
                    .beta2 = 0.98f,
                    .epsilon = 1e-9f,
                    .weight_decay = 0.01f,
                    .decoupled = 1,
                    .step = step};
    gf_adam_step(values, grads, m, v, NULL, n, &adam);
  }
  return hash(h, values, n * 4);
}

/* For wasm, whose functions return 32 bits: the upper half (1) or the lower (0). */
uint32_t train_hash(int upper);
uint32_t train_hash(int upper) {
  static uint64_t h;
  if (!h) h = train();
  return (uint32_t)(upper ? h >> 32 : h);
}

#ifndef __EMSCRIPTEN__
#include <stdio.h>

int main(void) {
  printf("%08x%08x\n", train_hash(1), train_hash(0));
}
#endif
