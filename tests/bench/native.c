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

static void plan(gf_tape *t) {
  size_t bytes = gf_plan(t, NULL);
  if (!bytes) stop(gf_tape_error_text(t));
  gf_plan(t, room(bytes));
}

static void fill(const char *leaf, uint32_t stream) {
  int node = gf_find(tape, leaf);
  gf_uniform(gf_node_value(tape, node), (size_t)gf_node_size(tape, node), SEED, stream, -1, 1);
}

static void forward(void) {
  if (gf_forward(tape, 0, GF_LAST)) stop(gf_tape_error_text(tape));
}

static uint32_t hash_of_last(void) {
  int last = gf_tape_count(tape) - 1;
  const float *numbers = gf_node_value(tape, last);
  uint32_t hash = 0x811c9dc5u;
  for (int i = 0; i < gf_node_size(tape, last); i++) {
    uint32_t word;
    memcpy(&word, &numbers[i], sizeof word);
    hash = (hash ^ word) * 0x01000193u;
  }
  return hash;
}

/* ---- Workloads ---- */

static void make_matmul(const int *n) {
  tape = new_tape();
  int x = gf_input(tape, 2, (int[]){n[0], n[1]}, "x");
  int w = gf_parameter(tape, 2, (int[]){n[1], n[2]}, "w");
  gf_linear(tape, x, w, GF_NONE, "y");
  plan(tape);
  fill("x", 0);
  fill("w", 1);
}

static int turns;

static void make_peak(const int *n) {
  turns = n[0];
}

static volatile float sink;

static void peak(void) {
  sink = machine_peak(turns);
}

static const struct workload {
  const char *name;
  int arguments;
  void (*make)(const int *arguments);
  void (*run)(void);
  uint32_t (*result)(void); /* NULL: there is nothing to compare */
} workloads[] = {
    {"matmul", 3, make_matmul, forward, hash_of_last},
    {"peak", 1, make_peak, peak, NULL},
};

static const struct workload *find(const char *name) {
  for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
    if (!strcmp(workloads[i].name, name)) return &workloads[i];
  stop("there is no such workload");
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  enum { MOST = 64 };
  int numbers[MOST], count, given = argc - 2;
  const struct workload *w = find(argc > 1 ? argv[1] : "");
  if (given != w->arguments || given > MOST) stop("not as many numbers as the workload takes");
  for (int i = 0; i < given; i++) numbers[i] = (int)strtol(argv[i + 2], NULL, 10);
  w->make(numbers);
  w->run();
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
