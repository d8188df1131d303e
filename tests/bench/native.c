/* One workload of the benchmark in native code: the same source, compiled by the C compiler.
 *
 *   bench-native WORKLOAD NUMBER...
 *
 * computes the workload once on the numbers that workloads/ gives the others too, prints the hash of
 * the result (FNV-1a, 32 bits, a step per word), then for each COUNT on stdin computes it so often
 * and prints the nanoseconds. */
#define _POSIX_C_SOURCE 199309L

#include "glassformer.h"
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEED = 1 };

static gf_tape *tape;

static _Noreturn void stop(const char *why) {
  fprintf(stderr, "bench-native: %s\n", why);
  exit(2);
}

static void *room(size_t bytes) {
  void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (!memory) stop("no memory");
  return memory;
}

static gf_tape *new_tape(void) {
  size_t bytes = gf_tape_bytes(1000);
  return gf_tape_create(room(bytes), bytes);
}

/* place: gf_plan or gf_plan_reuse, whichever ours goes by. */
static void plan(size_t (*place)(gf_tape *, void *)) {
  size_t bytes = place(tape, NULL);
  if (!bytes) stop(gf_tape_error_text(tape));
  place(tape, room(bytes));
}

static void fill(const char *leaf, uint32_t stream) {
  int node = gf_find(tape, leaf);
  gf_uniform(gf_node_value(tape, node), (size_t)gf_node_size(tape, node), SEED, stream, -1, 1);
}

static void forward(void) {
  if (gf_forward(tape, 0, GF_LAST)) stop(gf_tape_error_text(tape));
}

static uint32_t hash(const float *numbers, int count) {
  uint32_t hash = 0x811c9dc5u;
  for (int i = 0; i < count; i++) {
    uint32_t word;
    memcpy(&word, &numbers[i], sizeof word);
    hash = (hash ^ word) * 0x01000193u;
  }
  return hash;
}

static uint32_t hash_of_node(int node) {
  return hash(gf_node_value(tape, node), gf_node_size(tape, node));
}

static uint32_t hash_of_last(void) {
  forward();
  return hash_of_node(gf_tape_count(tape) - 1);
}

/* ---- Tapes ---- */

static void make_matmul(const int *n) {
  tape = new_tape();
  int x = gf_input(tape, 2, (int[]){n[0], n[1]}, "x");
  int w = gf_parameter(tape, 2, (int[]){n[1], n[2]}, "w");
  gf_linear(tape, x, w, GF_NONE, "y");
  plan(gf_plan);
  fill("x", 0);
  fill("w", 1);
}

static void make_attention(const int *n) {
  tape = new_tape();
  const int *shape = (int[]){1, n[0], n[1] * n[2]};
  gf_attention_config c = gf_attention_default();
  c.query = gf_input(tape, 3, shape, "q");
  c.key = gf_input(tape, 3, shape, "k");
  c.value = gf_input(tape, 3, shape, "v");
  c.heads = n[1];
  c.fused = 1;
  gf_attention(tape, &c, "");
  plan(gf_plan_reuse);
  fill("q", 0);
  fill("k", 1);
  fill("v", 2);
}

/* ---- Models ---- */

enum { MODEL = sizeof(gf_model) / 4, BATCH = sizeof(gf_batch) / 4 };

static gf_model model;
static gf_batch batch;

/* The two structs as the binding writes them, word by word. */
static void begin_model(const int *words) {
  memcpy(&model, words, sizeof model);
  memcpy(&batch, words + MODEL, sizeof batch);
  tape = new_tape();
  gf_build(tape, &model, &batch);
}

static void make_forward(const int *words) {
  begin_model(words);
  plan(gf_plan_reuse);
  gf_initialize(tape, SEED);
  fill("target", 0);
}

static void fill_tokens(const char *leaf, uint32_t stream) {
  int node = gf_find(tape, leaf), count = gf_node_size(tape, node);
  float *numbers = room(sizeof *numbers * (size_t)count);
  gf_uniform(numbers, (size_t)count, SEED, stream, 0, (float)model.vocab);
  for (int i = 0; i < count; i++) gf_node_ids(tape, node)[i] = (int32_t)numbers[i];
  free(numbers);
}

/* Values, gradients and the two moments of all parameters. */
static struct {
  size_t count;
  float *values, *grads, *m, *v;
} block;

static float *zeros(size_t count) {
  return memset(room(sizeof(float) * count), 0, sizeof(float) * count);
}

static gf_adam adam = {.learning_rate = 1e-3f, .beta1 = 0.9f, .beta2 = 0.999f, .epsilon = 1e-8f};

static void make_train(const int *words) {
  begin_model(words);
  block.count = gf_parameter_count(tape);
  block.values = zeros(block.count);
  block.grads = zeros(block.count);
  block.m = zeros(block.count);
  block.v = zeros(block.count);
  gf_bind_parameters(tape, tape, block.values, block.grads);
  plan(gf_plan);
  gf_initialize(tape, SEED);
  int positions = gf_find(tape, "target.positions");
  for (int i = 0; i < batch.target; i++) gf_node_ids(tape, positions)[i] = i;
  fill_tokens("target", 0);
  fill_tokens("labels", 1);
}

static void train(void) {
  int loss = gf_find(tape, "loss");
  memset(block.grads, 0, sizeof(float) * block.count);
  forward();
  gf_zero_grad(tape);
  gf_node_grad(tape, loss)[0] = 1;
  gf_backward(tape, 0, loss);
  gf_norm(block.grads, block.count);
  adam.step++;
  gf_adam_step(block.values, block.grads, block.m, block.v, NULL, block.count, &adam);
}

static uint32_t hash_of_losses(void) {
  enum { COMPARED = 3 };
  float losses[COMPARED];
  for (int i = 0; i < COMPARED; i++) {
    train();
    losses[i] = gf_node_value(tape, gf_find(tape, "loss"))[0];
  }
  return hash(losses, COMPARED);
}

static void feed(int position, int token) {
  gf_node_ids(tape, gf_find(tape, "at"))[0] = position;
  gf_node_ids(tape, gf_find(tape, "target.positions"))[0] = position;
  gf_node_ids(tape, gf_find(tape, "target.lengths"))[0] = position + 1;
  gf_node_ids(tape, gf_find(tape, "target"))[0] = token;
  forward();
}

static void make_decode(const int *n) {
  begin_model(n + 1);
  int logits = gf_find(tape, "logits");
  /* What the binding's decoder chooses the next token by. */
  gf_log_softmax(tape, logits, "choice.log");
  gf_softmax(tape, gf_scale(tape, logits, 1, "choice.scaled"), "choice");
  gf_keep(tape, logits);
  plan(gf_plan_reuse);
  gf_initialize(tape, SEED);
  float *tokens = room(sizeof *tokens * (size_t)(n[0] + 1));
  gf_uniform(tokens, (size_t)n[0] + 1, SEED, 0, 0, (float)model.vocab);
  for (int i = 0; i <= n[0]; i++) feed(i, (int)tokens[i]);
  free(tokens);
}

static uint32_t hash_of_logits(void) {
  return hash_of_node(gf_find(tape, "logits"));
}

/* ---- The machine ---- */

static int machine_count;
static const float *machine_numbers;
static volatile float machine_result; /* so that it is computed */

static void make_peak(const int *turns) {
  machine_count = *turns;
}

static void peak(void) {
  machine_result = machine_peak(machine_count);
}

static void make_read(const int *count) {
  machine_count = *count;
  float *numbers = room(sizeof *numbers * (size_t)*count);
  for (int i = 0; i < *count; i++) numbers[i] = 1;
  machine_numbers = numbers;
}

static void read_all(void) {
  machine_result = machine_read(machine_numbers, machine_count);
}

static const struct workload {
  const char *name;
  int arguments;
  void (*make)(const int *arguments);
  void (*run)(void);
  uint32_t (*result)(void); /* NULL: there is nothing to compare */
} workloads[] = {
    {"matmul", 3, make_matmul, forward, hash_of_last},
    {"attention", 3, make_attention, forward, hash_of_last},
    {"forward", MODEL + BATCH, make_forward, forward, hash_of_last},
    {"train", MODEL + BATCH, make_train, train, hash_of_losses},
    {"decode", 1 + MODEL + BATCH, make_decode, forward, hash_of_logits},
    {"peak", 1, make_peak, peak, NULL},
    {"read", 1, make_read, read_all, NULL},
};

static const struct workload *find(const char *name) {
  for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
    if (!strcmp(workloads[i].name, name)) return &workloads[i];
  stop("there is no such workload");
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  enum { MOST = 64 };
  int numbers[MOST], count, given = argc - 2;
  const struct workload *w = find(argc > 1 ? argv[1] : "");
  if (given != w->arguments || given > MOST) stop("not as many numbers as the workload takes");
  for (int i = 0; i < given; i++) numbers[i] = (int)strtol(argv[i + 2], NULL, 10);
  w->make(numbers);
  printf("%u\n", w->result ? w->result() : 0);
  fflush(stdout);
  while (scanf("%d", &count) == 1) {
    double begin = now();
    for (int i = 0; i < count; i++) w->run();
    printf("%.0f\n", now() - begin);
    fflush(stdout);
  }
  return 0;
}
