/* How much work a tape is: the branches that the library takes, for models of twice as many layers each
 * time. The compiler has the library tell them: with -fsanitize-coverage=trace-pc it calls a function
 * of ours at each. Prints lines "TASK LAYERS STEPS". */
#include "glassformer.h"

#include <stdio.h>
#include <stdlib.h>

void __sanitizer_cov_trace_pc(void);

static unsigned long long steps;

void __sanitizer_cov_trace_pc(void) {
  steps++;
}

static void *room(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory) abort();
  return memory;
}

/* As small as a model can be, but for its layers. */
static gf_model model_of(int family, int layers) {
  return (gf_model){.family = family,
                    .vocab = 2,
                    .max_length = 2,
                    .d_model = 2,
                    .heads = 1,
                    .kv_heads = 1,
                    .d_ff = 1,
                    .layers = layers,
                    .decoder_layers = layers,
                    .positions = GF_SINUSOIDAL,
                    .bias = 1,
                    .epsilon = 1e-5f};
}

static const gf_batch whole = {.size = 1, .source = 2, .target = 2};
static const gf_batch step = {.size = 1, .source = 2, .target = 1, .capacity = 2, .padded = 1};

static gf_tape *empty(int layers) {
  size_t bytes = gf_tape_bytes(100 + 120 * layers);
  return gf_tape_create(room(bytes), bytes);
}

static gf_tape *build(int family, int layers, const gf_batch *batch) {
  gf_tape *t = empty(layers);
  gf_model m = model_of(family, layers);
  if (gf_build(t, &m, batch) < 0) puts(gf_tape_error_text(t)), exit(1);
  return t;
}

/* ---- Tasks ---- */

static void task_build(int layers) {
  free(build(GF_TRANSFORMER, layers, &whole));
}

/* Each node on a tape that grows as it needs, by half of its size. */
static void task_grow(int layers) {
  size_t bytes = gf_tape_bytes(8);
  gf_tape *t = gf_tape_create(room(bytes), bytes);
  for (int i = 0; i < 8 * layers; i++) {
    char name[16];
    snprintf(name, sizeof name, "%d", i);
    if (gf_tape_count(t) == gf_tape_capacity(t)) {
      bytes = gf_tape_bytes(gf_tape_count(t) * 3 / 2);
      gf_tape *moved = gf_tape_move(t, room(bytes), bytes);
      free(t);
      t = moved;
    }
    if (gf_input(t, 1, (int[]){1}, name) != i) abort();
  }
  free(t);
}

static void task_find(int layers) {
  gf_tape *t = build(GF_GPT, layers, &whole);
  for (int i = 0; i < gf_tape_count(t); i++)
    if (gf_find(t, gf_node_name(t, i)) != i) abort();
  free(t);
}

static void task_rewind(int layers) {
  gf_tape *t = build(GF_GPT, layers, &whole);
  while (gf_tape_count(t)) gf_tape_rewind(t, gf_tape_count(t) - 1);
  free(t);
}

static void task_bind(int layers) {
  gf_tape *t = build(GF_TRANSFORMER, layers, &step),
          *layout = build(GF_TRANSFORMER, layers, &whole);
  size_t count = gf_parameter_count(layout);
  float *values = room(count * sizeof *values);
  if (gf_bind_parameters(t, layout, values, NULL) || gf_initialize(t, 1)) abort();
  free(values);
  free(t);
  free(layout);
}

static void plan_and_run(int layers, const gf_batch *batch, size_t (*plan)(gf_tape *, void *)) {
  gf_tape *t = build(GF_TRANSFORMER, layers, batch);
  void *memory = room(plan(t, NULL));
  if (!plan(t, memory) || gf_forward(t, 0, GF_LAST)) abort();
  free(memory);
  free(t);
}

static void task_plan(int layers) {
  plan_and_run(layers, &whole, gf_plan);
}
static void task_reuse(int layers) {
  plan_and_run(layers, &whole, gf_plan_reuse);
}
static void task_decode(int layers) {
  plan_and_run(layers, &step, gf_plan_reuse);
}

/* ---- Counting ---- */

static const struct {
  const char *name;
  void (*run)(int layers);
} tasks[] = {
#define TASK(name)                                                                                 \
  { #name, task_##name }
    TASK(build), TASK(grow), TASK(find),  TASK(rewind),
    TASK(bind),  TASK(plan), TASK(reuse), TASK(decode),
#undef TASK
};

int main(void) {
  for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
    for (int layers = 128; layers <= 512; layers *= 2) {
      steps = 0;
      tasks[i].run(layers);
      printf("%s %d %llu\n", tasks[i].name, layers, steps);
    }
}
