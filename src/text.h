/* Sentences and names. A sentence grows at its end; what does not fit is cut off. For the core has no
 * stdio. */
#ifndef GF_TEXT_H
#define GF_TEXT_H

#include <stddef.h>
#include <stdint.h>

typedef struct text {
  char *end;  /* where the terminating zero stands */
  char *last; /* the last byte of the room, which only a zero may take */
} text;

static inline text text_begin(char *room, size_t size) {
  room[0] = 0;
  return (text){room, room + size - 1};
}
static inline void text_add(text *s, const char *more) {
  while (*more && s->end < s->last) *s->end++ = *more++;
  *s->end = 0;
}
static inline void text_add_int(text *s, int64_t x) {
  char digits[21];
  char *p = digits + sizeof digits - 1;
  uint64_t rest = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
  *p = 0;
  do *--p = (char)('0' + rest % 10);
  while (rest /= 10);
  if (x < 0) *--p = '-';
  text_add(s, p);
}
/* [2,3,4] */
static inline void text_add_shape(text *s, int rank, const int *shape) {
  text_add(s, "[");
  for (int i = 0; i < rank; i++) {
    if (i) text_add(s, ",");
    text_add_int(s, shape[i]);
  }
  text_add(s, "]");
}

/* FNV-1a, 32 bits: finds a name, and gives whatever has one a stream of random numbers of its own. */
static inline uint32_t hash_of(const char *name) {
  uint32_t hash = 0x811c9dc5u;
  for (; name && *name; name++) hash = (hash ^ (unsigned char)*name) * 0x01000193u;
  return hash;
}

#endif
