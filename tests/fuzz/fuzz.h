/* What the fuzz targets share: an input that is read byte by byte, and numbers that tend to hurt.
 *
 * A target is LLVMFuzzerTestOneInput, so libFuzzer drives it, and replay.c gives it files. It calls the
 * public API within its contract; whatever the sanitizers or EXPECT see is a bug of the core.
 *
 * Each byte is read by an expression of its own, never by two arguments of one call, whose order C
 * leaves open: so an input means the same to every compiler. */
#ifndef GF_FUZZ_H
#define GF_FUZZ_H

#include "glassformer.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(what)                                                                               \
  do {                                                                                             \
    if (!(what)) {                                                                                 \
      fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #what);                          \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

/* Larger tapes are built and counted, but not run: an input is to take milliseconds. */
enum { MOST_BYTES = 1 << 17 };

typedef struct input {
  const uint8_t *at, *end;
} input;

/* 0 once the input is at its end. */
static inline int next(input *in) {
  return in->at < in->end ? *in->at++ : 0;
}

static inline int below(input *in, int n) {
  return next(in) % n;
}

#define PICK(in, list) ((list)[below(in, (int)(sizeof(list) / sizeof *(list)))])

static inline float number(input *in) {
  static const float hard[] = {0,      -0.0f,  1,     -1,   0.5f, 1e-5f,  10000, 3.4e38f,
                               1e-45f, -1e30f, 88.8f, -104, 2.5f, 1e-38f, 0.1f,  0.9999999f};
  int which = below(in, 20);
  if (which < 16) return hard[which];
  return which == 16   ? __builtin_nanf("")
         : which == 17 ? __builtin_inff()
         : which == 18 ? -__builtin_inff()
                       : (float)(next(in) - 128) / 16;
}

static inline int32_t integer(input *in) {
  static const int32_t hard[] = {INT32_MAX, INT32_MIN, -1, -100, 65536, 46341, 1 << 20, 1 << 30};
  int which = next(in);
  return which < 200 ? which % 9 : hard[which % 8];
}

/* A block of exactly so many bytes, so that a step beyond it is seen. */
static inline void *room(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory) abort();
  return memory;
}

/* Writes every node whose numbers are the caller's, leaves and frozen ones: values from the input's last
 * numbers on, ids mostly small. */
static inline void fill_nodes(gf_tape *t, input *in) {
  uint32_t state = 1u + (uint32_t)next(in);
  int wild = below(in, 4);
  for (int i = 0; i < gf_tape_count(t); i++) {
    if (strcmp(gf_node_op(t, i), "leaf") && !gf_node_frozen(t, i)) continue;
    float *value = gf_node_value(t, i);
    int32_t *ids = gf_node_ids(t, i);
    for (int j = 0; j < gf_node_size(t, i); j++) {
      state = state * 1664525u + 1013904223u;
      bool odd = !wild && (state >> 24) < 8;
      if (ids) ids[j] = odd ? integer(in) : (int32_t)(state >> 16 & 1);
      if (value) value[j] = odd ? number(in) : (float)(int32_t)state / 1e9f;
    }
  }
}

/* What holds of any tape, whatever was done to it. */
static inline void check_tape(gf_tape *t) {
  int count = gf_tape_count(t);
  EXPECT(count >= 0 && count <= gf_tape_capacity(t));
  EXPECT(!gf_tape_error(t) || *gf_tape_error_text(t));
  for (int i = 0; i < count; i++) {
    EXPECT(gf_find(t, gf_node_name(t, i)) == i);
    int64_t size = 1;
    for (int d = 0; d < GF_MAX_RANK; d++) {
      EXPECT(gf_node_shape(t, i)[d] >= 1);
      EXPECT(d < gf_node_rank(t, i) || gf_node_shape(t, i)[d] == 1);
      size *= gf_node_shape(t, i)[d];
    }
    EXPECT(size == gf_node_size(t, i));
    for (int k = 0; k < GF_MAX_INPUTS; k++) EXPECT(gf_node_input(t, i, k) < i);
    EXPECT(gf_node_type(t, i) == GF_F32 ? !gf_node_ids(t, i) : !gf_node_value(t, i));
    EXPECT(gf_node_type(t, i) == GF_F32 || !gf_node_grad(t, i));
  }
}

#endif
