/* Reading a group of eight rows, four of them at once: those of side 0 or 1. */
#ifndef GF_READ_H
#define GF_READ_H

#include "format.h"

F4_INLINE f4 half(const unsigned char *group, size_t h, size_t side) {
  return f4_from_half(i4_load_16(group + 2 * (WIDTH * h + 4 * side)));
}
F4_INLINE const unsigned char *words_behind(const unsigned char *group, size_t halves) {
  return group + halves * 2 * WIDTH;
}
F4_INLINE i4 word(const unsigned char *words, size_t w, size_t side) {
  return i4_load(words + 4 * (WIDTH * w + 4 * side));
}

/* Nibbles of a word: the lower or the upper ones, each in its byte. */
F4_INLINE i4 nibbles_of(i4 all, bool upper) {
  return (upper ? all >> 4 : all) & 0x0f0f0f0f;
}

/* The 6-bit factors of scale and offset, of part j of 8. */
typedef struct factors {
  f4 scale, offset;
} factors;

F4_INLINE factors factors_of(const unsigned char *words, size_t j, size_t side) {
  const int at = (int)(8 * (j % 4));
  const i4 low = i4_right(word(words, 0, side), at), high = i4_right(word(words, 1, side), at);
  if (j < 4) return (factors){f4_from_int(low & 63), f4_from_int(high & 63)};
  const i4 rest = i4_right(word(words, 2, side), at);
  return (factors){f4_from_int((rest & 15) | (low >> 2 & 48)),
                   f4_from_int((rest >> 4 & 15) | (high >> 2 & 48))};
}

/* Four neighbours to bit 4 of each byte: their copies do not meet. */
F4_INLINE i4 fifths_of(i4 four) {
  return (four & 15) * 0x02040810 & 0x10101010;
}

#endif
