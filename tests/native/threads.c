/* Two tapes in two threads, over one block of parameters: each computes what it computes alone. */
#include "glassformer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { T = 7, RUNS = 20, THREADS = 4 };

static const gf_model model = {.family = GF_GPT,
                               .vocab = 11,
                               .max_length = T,
                               .d_model = 12,
                               .heads = 3,
                               .kv_heads = 3,
                               .d_ff = 20,
                               .layers = 2,
                               .bias = 1,
                               .epsilon = 1e-5f};
static float *parameters;

static void *room(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory) abort();
  return memory;
}

/* What one thread gives: a loss and the gradients, of tokens that its number chooses. */
typedef struct result {
  int number;
  float loss, grads[4096];
} result;

static gf_tape *build(float *grads) {
  size_t bytes = gf_tape_bytes(200);
  gf_tape *t = gf_tape_create(room(bytes), bytes);
  gf_build(t, &model, &(gf_batch){.size = 1, .target = T, .loss = 1});
  if (parameters) gf_bind_parameters(t, t, parameters, grads);
  if (gf_tape_error(t)) puts(gf_tape_error_text(t)), exit(1);
  return t;
}

static void *run(void *at) {
  result *r = at;
  gf_tape *t = build(r->grads);
  void *memory = room(gf_plan(t, NULL));
  gf_plan(t, memory);
  for (int i = 0; i < T; i++) {
    gf_node_ids(t, gf_find(t, "target"))[i] = (i * 3 + r->number) % model.vocab;
    gf_node_ids(t, gf_find(t, "labels"))[i] = (i + r->number) % model.vocab;
  }
  for (int i = 0; i < RUNS; i++) {
    int loss = gf_find(t, "loss");
    memset(r->grads, 0, sizeof r->grads);
    if (gf_forward(t, 0, GF_LAST)) exit(1);
    gf_zero_grad(t);
    gf_node_grad(t, loss)[0] = 1;
    if (gf_backward(t, 0, GF_LAST)) exit(1);
    r->loss = gf_node_value(t, loss)[0];
    if (gf_self_test()) exit(1);
  }
  free(memory);
  free(t);
  return NULL;
}

int main(void) {
  static result together[THREADS], alone[THREADS];
  gf_tape *t = build(NULL);
  size_t count = gf_parameter_count(t);
  if (count > sizeof alone->grads / sizeof(float)) return 1;
  parameters = room(count * sizeof *parameters);
  gf_bind_parameters(t, t, parameters, NULL);
  gf_initialize(t, 1);
  free(t);

  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    together[i].number = alone[i].number = i;
    if (pthread_create(&threads[i], NULL, run, &together[i])) return 1;
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++) run(&alone[i]);
  free(parameters);
  return memcmp(together, alone, sizeof alone) ? puts("not as alone"), 1 : 0;
}
