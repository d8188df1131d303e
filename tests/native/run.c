/* Runs a program of tape commands, so that other builds of the core can be compared with this one.
 *
 * stdin: a command per line, words between spaces. A node is told by its name, "-" is none. A
 * number that must keep its bits is told as 8 hexadecimal digits: float32, or int32 for ids.
 *
 *   input NAME SIZE...     parameter NAME SIZE...     ids NAME SIZE...
 *   push OP NAME NODE... NUMBER...     operands and attributes in the order of the op's row in ops.def
 *   attention FIELD=NODE... heads=N causal=N scale=BITS path=PATH      each may be left out
 *   stored NODE TYPE ALONG BITS...     binds a parameter to what a file has of it, by words of 4 bytes
 *   integers NODE          products with it are sums of integers
 *   plan
 *   set NODE BITS...       uniform NODE SEED LOW-BITS HIGH-BITS STREAM...
 *   bypass NODE K          freeze NODE
 *   forward FIRST LAST     "-" as FIRST: the first node, as LAST: the last
 *   zero_grad              grad NODE BITS...          backward FIRST LAST
 *   dump                   prints "NAME VALUE-HASH GRADIENT-HASH" per node, "-" for no gradient, and for what is
 *                          stored; then an empty line, and begins a new tape
 *
 * A hash is FNV-1a with 64 bits, a step per 32-bit word; every NaN counts as 7fc00000.
 * Exit status: 0, 1 if the core refuses a command, 2 if the program cannot be read. */
#include "glassformer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gf_tape *tape;
static int line_number;

static _Noreturn void stop(int status, const char *format, ...) {
  va_list values;
  va_start(values, format);
  fprintf(stderr, "line %d: ", line_number);
  vfprintf(stderr, format, values);
  fprintf(stderr, "\n");
  va_end(values);
  exit(status);
}

/* What the tape lives in, one behind the other. */
typedef struct block {
  struct block *last;
  max_align_t memory[];
} block;
static block *blocks;

static void *room(size_t bytes) {
  block *b = malloc(sizeof *b + bytes);
  if (!b) stop(1, "no memory for %zu bytes", bytes);
  b->last = blocks;
  blocks = b;
  return b->memory;
}

static void start_tape(void) {
  enum { NODES = 1000 };
  while (blocks) {
    block *b = blocks;
    blocks = b->last;
    free(b);
  }
  tape = gf_tape_create(room(gf_tape_bytes(NODES)), gf_tape_bytes(NODES));
}

/* ---- The words of a line ---- */

/* NULL at the end of the line. */
static char *next(void) {
  return strtok(NULL, " \r");
}

static char *word(const char *what) {
  char *w = next();
  if (!w) stop(2, "expects %s at the end of the line", what);
  return w;
}

static long long parse(const char *w, int base, long long low, long long high) {
  char *end;
  errno = 0;
  long long x = strtoll(w, &end, base);
  if (end == w || *end || errno || x < low || x > high) {
    stop(2, "expects a number from %lld to %lld, not \"%s\"", low, high, w);
  }
  return x;
}

static int integer(const char *what) {
  return (int)parse(word(what), 10, INT32_MIN, INT32_MAX);
}

static uint32_t bits_of(const char *w) {
  return (uint32_t)parse(w, 16, 0, UINT32_MAX);
}

static float real_of(const char *w) {
  uint32_t bits = bits_of(w);
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static int node_of(const char *w) {
  if (!strcmp(w, "-")) return GF_NONE;
  int node = gf_find(tape, w);
  if (node < 0) stop(2, "there is no node \"%s\"", w);
  return node;
}

static int node(void) {
  return node_of(word("a node"));
}

static const char *name(void) {
  return word("the new node's name");
}

/* ---- Commands ---- */

static void leaf(int (*make)(gf_tape *, int, const int *, const char *)) {
  const char *n = name();
  int rank = 0, shape[GF_MAX_RANK];
  for (char *w = word("a size"); w; w = next()) {
    if (rank == GF_MAX_RANK) stop(2, "expects at most %d sizes", GF_MAX_RANK);
    shape[rank++] = (int)parse(w, 10, INT32_MIN, INT32_MAX);
  }
  make(tape, rank, shape, n);
}

static void attention(void) {
  gf_attention_config c = gf_attention_default();
  const struct {
    const char *name;
    int32_t *node;
  } fields[] = {{"query", &c.query},    {"key", &c.key}, {"value", &c.value}, {"w_q", &c.w_q},
                {"b_q", &c.b_q},        {"w_k", &c.w_k}, {"b_k", &c.b_k},     {"w_v", &c.w_v},
                {"b_v", &c.b_v},        {"w_o", &c.w_o}, {"b_o", &c.b_o},     {"mask", &c.mask},
                {"lengths", &c.lengths}};
  const size_t count = sizeof fields / sizeof *fields;
  const char *path = "";
  for (char *field = next(); field; field = next()) {
    char *value = strchr(field, '=');
    if (!value) stop(2, "expects FIELD=VALUE, not \"%s\"", field);
    *value++ = 0;
    size_t i = 0;
    while (i < count && strcmp(field, fields[i].name)) i++;
    if (i < count)
      *fields[i].node = node_of(value);
    else if (!strcmp(field, "heads"))
      c.heads = (int32_t)parse(value, 10, INT32_MIN, INT32_MAX);
    else if (!strcmp(field, "causal"))
      c.causal = (int32_t)parse(value, 10, 0, 1);
    else if (!strcmp(field, "scale"))
      c.scale = real_of(value);
    else if (!strcmp(field, "path"))
      path = value;
    else
      stop(2, "attention has no field \"%s\"", field);
  }
  gf_attention(tape, &c, path);
}

/* Named as gf_type_name names it. */
static int type_of(const char *w) {
  int type = 0;
  while (gf_type_name(type) && strcmp(gf_type_name(type), w)) type++;
  return type;
}

static void stored(void) {
  int i = node(), type = type_of(word("a type")), along = integer("0 or 1");
  const int *shape = gf_node_shape(tape, i);
  int rows = shape[!along], columns = shape[along];
  size_t bytes = gf_stored_bytes(type, rows, columns), at = 0;
  if (!bytes) stop(2, "%s is not to be stored so", gf_node_name(tape, i));
  char *file = room(bytes), *memory = room(bytes);
  for (char *w = next(); w; w = next(), at += 4) {
    uint32_t bits = bits_of(w);
    if (at + 4 <= bytes) memcpy(file + at, &bits, sizeof bits);
  }
  if (gf_stored_bytes(type, 8, columns) / 8 * (size_t)rows != at)
    stop(2, "%s is stored in other than %zu bytes", gf_node_name(tape, i), at);
  if (gf_store(memory, type, rows, columns, 0, rows, file)) stop(1, "these rows are refused");
  gf_bind_stored(tape, i, type, along, memory);
}

static void integers(void) {
  gf_use_integers(tape, node(), 1);
}

static void plan(void) {
  size_t bytes = gf_plan(tape, NULL);
  if (bytes) gf_plan(tape, room(bytes));
}

/* A node's numbers, or its gradient. */
static void *numbers(int i, int gradient) {
  if (i == GF_NONE) stop(2, "expects a node");
  void *memory = gradient                          ? (void *)gf_node_grad(tape, i)
                 : gf_node_type(tape, i) == GF_IDS ? (void *)gf_node_ids(tape, i)
                                                   : (void *)gf_node_value(tape, i);
  if (!memory) stop(2, "%s has no such numbers, or the tape is not planned", gf_node_name(tape, i));
  return memory;
}

static void write_numbers(int gradient) {
  int i = node(), n = gf_node_size(tape, i), k = 0;
  unsigned char *to = numbers(i, gradient);
  for (char *w = next(); w; w = next(), k++) {
    uint32_t bits = bits_of(w);
    if (k < n) memcpy(to + 4 * (size_t)k, &bits, sizeof bits);
  }
  if (k != n) stop(2, "%s has %d numbers, not %d", gf_node_name(tape, i), n, k);
}

/* Each stream fills an equal share of the node. */
static void uniform(void) {
  enum { STREAMS = 100 };
  int i = node(), count = 0;
  float *to = numbers(i, 0);
  uint32_t seed = (uint32_t)parse(word("a seed"), 10, 0, UINT32_MAX), streams[STREAMS];
  float low = real_of(word("the low end")), high = real_of(word("the high end"));
  for (char *w = word("a stream"); w; w = next()) {
    if (count == STREAMS) stop(2, "expects at most %d streams", STREAMS);
    streams[count++] = (uint32_t)parse(w, 10, 0, UINT32_MAX);
  }
  if (gf_node_size(tape, i) % count) stop(2, "%d streams do not divide the node", count);
  size_t share = (size_t)(gf_node_size(tape, i) / count);
  for (int k = 0; k < count; k++) {
    gf_uniform(to + (size_t)k * share, share, seed, streams[k], low, high);
  }
}

static uint64_t hash(const void *memory, int n, gf_type type) {
  uint64_t h = 0xcbf29ce484222325;
  for (int i = 0; i < n; i++) {
    uint32_t bits;
    memcpy(&bits, (const char *)memory + 4 * (size_t)i, sizeof bits);
    if (type == GF_F32 && (bits & 0x7fffffff) > 0x7f800000) bits = 0x7fc00000;
    h = (h ^ bits) * 0x100000001b3;
  }
  return h;
}

static void dump(void) {
  for (int i = 0; i < gf_tape_count(tape); i++) {
    int n = gf_node_size(tape, i);
    if (gf_node_type(tape, i) > GF_IDS) {
      printf("%s - -\n", gf_node_name(tape, i));
      continue;
    }
    printf("%s %016" PRIx64, gf_node_name(tape, i), hash(numbers(i, 0), n, gf_node_type(tape, i)));
    if (gf_node_grad(tape, i))
      printf(" %016" PRIx64 "\n", hash(gf_node_grad(tape, i), n, GF_F32));
    else
      printf(" -\n");
  }
  printf("\n");
  start_tape();
}

/* A failure that is not sticky; the others are seen after the command. */
static void expect_ok(gf_error error) {
  if (error) stop(1, "%s", gf_tape_error_text(tape));
}

/* Words are read in declarations, one after another: C leaves open in which order it evaluates the
 * arguments of a call. */
static void input(void) {
  leaf(gf_input);
}
static void parameter(void) {
  leaf(gf_parameter);
}
static void ids(void) {
  leaf(gf_ids);
}
static void push(void) {
  const char *op = word("an op"), *n = name();
  int row = 0, ids[GF_MAX_INPUTS], count = 0;
  while (gf_op_at(row) && strcmp(gf_op_at(row)->name, op)) row++;
  if (!gf_op_at(row)) stop(2, "there is no op \"%s\"", op);
  const gf_operand *operands = gf_op_at(row)->operands;
  for (int k = 0; k < GF_MAX_INPUTS && operands[k].name; k++) ids[k] = node();
  double numbers[GF_MAX_ATTRIBUTES + GF_MAX_RANK] = {0};
  for (char *w = next(); w; w = next()) {
    if (count == GF_MAX_ATTRIBUTES + GF_MAX_RANK) stop(2, "%s has no more attributes", op);
    numbers[count++] = strtod(w, NULL);
  }
  gf_push(tape, row, ids, numbers, n);
}
static void set(void) {
  write_numbers(0);
}
static void grad(void) {
  write_numbers(1);
}
static void zero_grad(void) {
  gf_zero_grad(tape);
}
static void bypass(void) {
  int i = node();
  expect_ok(gf_bypass(tape, i, integer("the operand")));
}
static void freeze(void) {
  expect_ok(gf_freeze(tape, node(), 1));
}
static int first_node(void) {
  int first = node();
  return first == GF_NONE ? 0 : first;
}
static void forward(void) {
  int first = first_node();
  expect_ok(gf_forward(tape, first, node()));
}
static void backward(void) {
  int first = first_node();
  expect_ok(gf_backward(tape, first, node()));
}

static const struct {
  const char *verb;
  void (*run)(void);
} commands[] = {
#define COMMAND(verb)                                                                              \
  { #verb, verb }
    COMMAND(input),  COMMAND(parameter), COMMAND(ids),       COMMAND(push),     COMMAND(attention),
    COMMAND(plan),   COMMAND(set),       COMMAND(grad),      COMMAND(uniform),  COMMAND(bypass),
    COMMAND(freeze), COMMAND(forward),   COMMAND(zero_grad), COMMAND(backward), COMMAND(stored),
    COMMAND(dump),   COMMAND(integers),
#undef COMMAND
};

static void run_line(char *line) {
  const char *verb = strtok(line, " \r");
  if (!verb) return;
  size_t i = 0, count = sizeof commands / sizeof *commands;
  while (i < count && strcmp(verb, commands[i].verb)) i++;
  if (i == count) stop(2, "there is no command \"%s\"", verb);
  commands[i].run();
  if (gf_tape_error(tape)) stop(1, "%s", gf_tape_error_text(tape));
  const char *rest = next();
  if (rest) stop(2, "%s does not expect \"%s\"", verb, rest);
}

static char *read_all(FILE *file) {
  size_t size = 1 << 16, used = 0, got;
  char *all = malloc(size);
  while (all && (got = fread(all + used, 1, size - used - 1, file)) > 0) {
    used += got;
    if (used + 1 < size) continue;
    all = realloc(all, size *= 2);
  }
  if (!all) stop(1, "no memory for the program");
  all[used] = 0;
  return all;
}

int main(void) {
  char *const program = read_all(stdin);
  start_tape();
  for (char *line = program, *end; *line; line = end) {
    end = line + strcspn(line, "\n");
    if (*end) *end++ = 0;
    line_number++;
    run_line(line);
  }
  free(program);
  return 0;
}
