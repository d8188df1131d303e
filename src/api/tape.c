/* Making, moving and rewinding a tape, and what went wrong on it. */
#include "tape.h"
#include "text.h"

#include <string.h>

size_t gf_tape_bytes(int nodes) {
  if (nodes < 0 || (size_t)nodes > (SIZE_MAX - sizeof(gf_tape)) / NODE_BYTES) return 0;
  return sizeof(gf_tape) + (size_t)nodes * NODE_BYTES;
}

static void set_capacity(gf_tape *t, size_t bytes) {
  size_t nodes = (bytes - sizeof(gf_tape)) / NODE_BYTES;
  t->capacity = nodes > INT32_MAX ? INT32_MAX : (int)nodes;
  gfi_tape_index(t);
}

gf_tape *gf_tape_create(void *memory, size_t bytes) {
  if (!memory || is_misaligned(memory) || bytes < sizeof(gf_tape)) return NULL;
  gf_tape *t = memory;
  *t = (gf_tape){0};
  set_capacity(t, bytes);
  return t;
}

gf_tape *gf_tape_move(gf_tape *t, void *memory, size_t bytes) {
  if (!memory || is_misaligned(memory) || bytes < gf_tape_bytes(t->count)) return NULL;
  gf_tape *moved = memmove(memory, t, sizeof *t + (size_t)t->count * sizeof *t->nodes);
  set_capacity(moved, bytes);
  return moved;
}

int gf_tape_count(const gf_tape *t) {
  return t->count;
}

int gf_tape_capacity(const gf_tape *t) {
  return t->capacity;
}

gf_error gf_tape_error(const gf_tape *t) {
  return t->error;
}

const gf_problem *gf_tape_problem(const gf_tape *t) {
  return &t->problem;
}

static const char *const sentences[] = {
    [SAYS_nothing] = "",
#define GF_SENTENCE(name, text)      [SAYS_##name] = (text),
#define GF_SENTENCE_OF_C(name, text) [SAYS_##name] = (text),
#include "errors.def"
};

/* [2,8] x ids [6,4] */
static void add_shapes(text *s, const gf_problem *p) {
  for (int k = 0, shown = 0; k < GF_MAX_INPUTS; k++) {
    if (!p->ranks[k]) continue;
    if (shown++) text_add(s, " x ");
    if (p->types[k] == GF_IDS) text_add(s, "ids ");
    text_add_shape(s, p->ranks[k], p->shapes[k]);
  }
}

/* A sentence, filled in where there are braces. */
static void add_sentence(text *s, const gf_problem *p) {
  const int32_t *number = p->numbers;
  for (const char *c = sentences[p->sentence]; *c; c++) {
    if (*c != '{') {
      text_add(s, (char[]){*c, 0});
      continue;
    }
    if (!strncmp(c, "{shapes}", 8))
      add_shapes(s, p);
    else if (!strncmp(c, "{about}", 7))
      text_add(s, p->about);
    else if (!strncmp(c, "{type}", 6))
      text_add(s, gf_type_name(*number++));
    else
      text_add_int(s, *number++);
    while (*c != '}') c++;
  }
}

const char *gf_tape_error_text(gf_tape *t) {
  const gf_problem *p = &t->problem;
  text s = text_begin(t->message, sizeof t->message);
  if (!p->sentence) return t->message;
  text_add(&s, p->name);
  text_add(&s, ": ");
  text_add(&s, p->where);
  text_add(&s, ": ");
  add_sentence(&s, p);
  return t->message;
}

gf_error gf_tape_rewind(gf_tape *t, int count) {
  if (count < 0 || count > t->count) return GF_ERANGE;
  if (t->plan && count < t->count) return GF_ESTATE;
  gfi_tape_rewind(t, count);
  t->error = GF_OK;
  t->problem.sentence = SAYS_nothing;
  return GF_OK;
}
