/* One tape on several threads: each value and gradient has the bits of one thread, and no two threads write the same
 * number, as the thread sanitizer sees. */
#include "team.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 2, T = 64, THREADS = 3, RUNS = 3 };

static void *room(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory) abort();
  return memory;
}

typedef struct helper {
  gf_team *team;
  int number;
} helper;

static void *help(void *at) {
  const helper *h = at;
  gf_team_help(h->team, h->number);
  return NULL;
}

static const char *const leaves[] = {"target", "labels"};

/* Grouped heads, shared keys, named steps or one op for them: whatever sums over more than one row. */
static gf_tape *build(int fused, gf_team *team, void **values) {
  const gf_model model = {.family = GF_GPT,
                          .vocab = 300,
                          .max_length = T,
                          .d_model = 128,
                          .heads = 4,
                          .kv_heads = 2,
                          .d_ff = 256,
                          .layers = 1,
                          .bias = 1,
                          .epsilon = 1e-5f};
  const size_t bytes = gf_tape_bytes(200);
  gf_tape *t = gf_tape_create(room(bytes), bytes);
  gf_tape_team(t, team);
  gf_build(t, &model, &(gf_batch){.size = BATCH, .target = T, .loss = 1, .fused = fused});
  if (gf_tape_error(t)) puts(gf_tape_error_text(t)), exit(1);
  *values = room(gf_plan(t, NULL));
  gf_plan(t, *values);
  gf_initialize(t, 1);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < BATCH * T; i++)
      gf_node_ids(t, gf_find(t, leaves[k]))[i] = (i * 7 + k) % model.vocab;
  return t;
}

static void run(gf_tape *t) {
  if (gf_forward(t, 0, GF_LAST)) exit(1);
  gf_zero_grad(t);
  gf_node_grad(t, gf_find(t, "loss"))[0] = 1;
  if (gf_backward(t, 0, GF_LAST)) exit(1);
}

static int differs(const float *a, const float *b, int n) {
  return a && memcmp(a, b, (size_t)n * sizeof *a) != 0;
}

static int compare(const gf_tape *alone, const gf_tape *together) {
  for (int i = 0; i < gf_tape_count(alone); i++) {
    const int n = gf_node_size(alone, i);
    if (differs(gf_node_value(alone, i), gf_node_value(together, i), n) ||
        differs(gf_node_grad(alone, i), gf_node_grad(together, i), n))
      return printf("%s: not as alone\n", gf_node_name(alone, i)), 1;
  }
  return 0;
}

int main(void) {
  gf_team *team = gf_team_create(room(gf_team_bytes()), THREADS, 0, 60);
  static helper helpers[THREADS];
  for (int i = 1; i < THREADS; i++) {
    pthread_t thread;
    helpers[i] = (helper){team, i};
    if (pthread_create(&thread, NULL, help, &helpers[i])) return 1;
    pthread_detach(thread);
  }
  for (int fused = 0; fused < 2; fused++) {
    void *values[2];
    gf_tape *alone = build(fused, NULL, &values[0]), *together = build(fused, team, &values[1]);
    run(alone);
    for (int i = 0; i < RUNS; i++) {
      run(together);
      if (compare(alone, together)) return 1;
    }
    if (fused) gf_team_end(team);
    run(together);
    if (compare(alone, together)) return 1;
    free(alone), free(together), free(values[0]), free(values[1]);
  }
  return 0;
}
