/* One tape on several threads, run whole or node by node in parts: each value and gradient has the bits of one thread, and no
 * two threads write the same number, as the thread sanitizer sees. */
#include "team.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 2, T = 64, THREADS = 3, RUNS = 2, PARTS = 3, ROWS = 517, COLUMNS = 391 };

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

/* Steps that are no products, each large enough to be shared out, in sizes that no number of threads divides. */
static gf_tape *build_wide(int rms, gf_team *team, void **values) {
  const size_t bytes = gf_tape_bytes(40);
  gf_tape *t = gf_tape_create(room(bytes), bytes);
  gf_tape_team(t, team);
  int x = gf_input(t, 2, (int[]){ROWS, COLUMNS}, "x"),
      labels = gf_ids(t, 1, (int[]){ROWS}, "labels");
  const int gain = gf_parameter(t, 1, (int[]){COLUMNS}, "gain");
  const int bias = gf_parameter(t, 1, (int[]){COLUMNS}, "bias");
  x = rms ? gf_rms_norm(t, x, gain, 1e-5f, "norm") : gf_layer_norm(t, x, gain, bias, 1e-5f, "norm");
  x = gf_add(t, gf_mul(t, x, gain, "times"), bias, "plus");
  x = gf_dropout(t, x, gf_ids(t, 1, (int[]){2}, "key"), 0.2f, "dropped");
  x = gf_swiglu(t, gf_gelu(t, x, rms, "gelu"), gf_scale(t, x, 0.5f, "half"), 1, "gated");
  x = gf_add(t, x, gf_embed(t, gf_parameter(t, 2, (int[]){7, COLUMNS}, "table"), labels, "rows"),
             "sum");
  x = rms ? gf_log_softmax(t, x, "logs") : gf_softmax(t, x, "shares");
  gf_cross_entropy(t, x, labels, GF_NONE, GF_MEAN, -1, 0.1f, "loss");
  if (gf_tape_error(t)) puts(gf_tape_error_text(t)), exit(1);
  *values = room(gf_plan(t, NULL));
  gf_plan(t, *values);
  for (int i = 0; i < 4; i++) {
    const char *const name[] = {"x", "gain", "bias", "table"};
    const int n = gf_find(t, name[i]);
    gf_normal(gf_node_value(t, n), (size_t)gf_node_size(t, n), 1, (uint32_t)i, 0, 1);
  }
  for (int i = 0; i < ROWS; i++) gf_node_ids(t, labels)[i] = i % 7;
  return t;
}

static void run(gf_tape *t) {
  if (gf_forward(t, 0, GF_LAST)) exit(1);
  gf_zero_grad(t);
  gf_node_grad(t, gf_find(t, "loss"))[0] = 1;
  if (gf_backward(t, 0, GF_LAST)) exit(1);
}

static void run_in_parts(gf_tape *t) {
  const int n = gf_tape_count(t);
  for (int i = 0; i < n * PARTS; i++)
    if (gf_forward_part(t, i / PARTS, i % PARTS, PARTS)) exit(1);
  gf_zero_grad(t);
  gf_node_grad(t, gf_find(t, "loss"))[0] = 1;
  for (int i = 0; i < n * PARTS; i++)
    if (gf_backward_part(t, n - 1 - i / PARTS, i % PARTS, PARTS)) exit(1);
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

/* A step of Adam in so many numbers that no number of threads divides: what it moves and notes, alone and by a team. */
static int compare_steps(gf_team *team) {
  enum { N = 100003, BLOCKS = 5 };
  const gf_adam adam = {
      .learning_rate = 0.1f, .beta1 = 0.9f, .beta2 = 0.99f, .epsilon = 1e-8f, .step = 3};
  float *block[2][BLOCKS];
  int wrong = 0;
  for (int k = 0; k < 2; k++) {
    float *const *b = block[k];
    for (uint32_t i = 0; i < BLOCKS; i++) {
      block[k][i] = room(N * sizeof(float));
      gf_uniform(b[i], N, 1, i, i < 2 ? -1 : 0, 1);
    }
    wrong += k ? gf_team_adam_step(team, b[0], b[1], b[2], b[3], b[4], N, &adam)
               : gf_adam_step(b[0], b[1], b[2], b[3], b[4], N, &adam);
  }
  for (int i = 0; i < BLOCKS; i++) {
    wrong += differs(block[0][i], block[1][i], N);
    free(block[0][i]), free(block[1][i]);
  }
  if (wrong) puts("adam: not as alone");
  return wrong;
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
  for (int i = 0; i < 4; i++) {
    gf_tape *(*const make)(int, gf_team *, void **) = i < 2 ? build : build_wide;
    void *values[2];
    gf_tape *alone = make(i % 2, NULL, &values[0]), *together = make(i % 2, team, &values[1]);
    run(alone);
    for (int again = 0; again < RUNS; again++) {
      run_in_parts(together);
      if (compare(alone, together)) return 1;
      run(together);
      if (compare(alone, together)) return 1;
    }
    if (i == 3) {
      if (compare_steps(team)) return 1;
      gf_team_end(team);
    }
    run(together);
    if (compare(alone, together)) return 1;
    free(alone), free(together), free(values[0]), free(values[1]);
  }
  return 0;
}
