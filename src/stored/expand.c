/* From blocks to float32, eight rows at once. Every product with a scale is exact: a float16 has 11 bits, a
 * factor at most 7, an integer at most 8, of the 24 that a float32 has. Only adding an offset rounds.
 * Where it saves a shift, an integer stays in its place, times a power of two, and the scale is that much
 * smaller: exact, too. */
#include "format.h"

/* What lies in a group for four of its eight rows: those of side 0 or 1. */
F4_INLINE f4 half(const unsigned char *group, size_t h, size_t side) {
  return f4_from_half(i4_load_16(group + 2 * (WIDTH * h + 4 * side)));
}
F4_INLINE const unsigned char *words_behind(const unsigned char *group, size_t halves) {
  return group + halves * 2 * WIDTH;
}
F4_INLINE i4 word(const unsigned char *words, size_t w, size_t side) {
  return i4_load(words + 4 * (WIDTH * w + 4 * side));
}

F4_INLINE void put(float *panel, size_t k, size_t side, f4 x) {
  f4_store(panel + WIDTH * k + 4 * side, x);
}

/* To the right by n, or to the left. */
F4_INLINE i4 shifted(i4 a, int n) {
  return n < 0 ? a << -n : a >> n;
}

/* A byte of each word, with its sign. */
F4_INLINE i4 signed_byte(i4 a, int b) {
  return a << (24 - 8 * b) >> 24;
}

/* Blocks of 32 with nibbles: byte 4 w + b has number 4 w + b below, and above the one 16 further on. Fifth
 * bits lie by numbers in a word before them. */
F4_INLINE void nibbles(float *panel, const unsigned char *group, bool offset, bool fifth) {
  const unsigned char *words = words_behind(group, offset ? 2 : 1);
  const int zero = offset ? 0 : fifth ? 16 : 8;
  for (size_t side = 0; side < 2; side++) {
    const f4 d = half(group, 0, side), m = offset ? half(group, 1, side) : f4_splat(0);
    const f4 sixteenth = d * f4_splat(0x1p-4f);
    i4 bits = fifth ? word(words, 0, side) : i4_splat(0);
    for (size_t w = 0; w < 4; w++, bits >>= 4) {
      const i4 all = word(words, w + fifth, side);
#pragma GCC unroll 4
      for (int b = 0; b < 4; b++) {
        i4 low = all >> 8 * b & 15, high = all >> 8 * b & 240;
        if (fifth) {
          low |= bits << (4 - b) & 16;
          high |= shifted(bits, 8 + b) & 256;
        }
        const f4 x = f4_from_int(low - zero) * d, y = f4_from_int(high - 16 * zero) * sixteenth;
        put(panel, 4 * w + (size_t)b, side, offset ? x + m : x);
        put(panel, 4 * w + (size_t)b + 16, side, offset ? y + m : y);
      }
    }
  }
}

static void bytes(float *panel, const unsigned char *group) {
  const unsigned char *words = words_behind(group, 1);
  for (size_t side = 0; side < 2; side++) {
    const f4 d = half(group, 0, side) * f4_splat(0x1p-24f);
    for (size_t w = 0; w < 8; w++) {
      const i4 all = word(words, w, side);
#pragma GCC unroll 4
      for (int b = 0; b < 4; b++) {
        const i4 top = b < 3 ? all << (24 - 8 * b) & -0x1000000 : all & -0x1000000;
        put(panel, 4 * w + (size_t)b, side, f4_from_int(top) * d);
      }
    }
  }
}

/* The 6-bit factors of scale and offset, of part j of 8. */
typedef struct factors {
  f4 scale, offset;
} factors;

F4_INLINE factors factors_of(const unsigned char *words, size_t j, size_t side) {
  const int at = (int)(8 * (j % 4));
  const i4 low = word(words, 0, side) >> at, high = word(words, 1, side) >> at;
  if (j < 4) return (factors){f4_from_int(low & 63), f4_from_int(high & 63)};
  const i4 rest = word(words, 2, side) >> at;
  return (factors){f4_from_int((rest & 15) | (low >> 2 & 48)),
                   f4_from_int((rest >> 4 & 15) | (high >> 2 & 48))};
}

/* Quarter c of a super-block: two parts of 32, the first of them in the lower nibbles of the same words. Bit
 * j of byte i of what lies before the nibbles is the fifth of number i of part j. */
F4_INLINE void quarter(float *panel, const unsigned char *group, size_t c, bool fifth) {
  const unsigned char *words = words_behind(group, 2);
  const size_t first = (fifth ? 3 + 8 : 3) + 8 * c;
  for (size_t side = 0; side < 2; side++) {
    const f4 d = half(group, 0, side), m = half(group, 1, side);
    const factors p = factors_of(words, 2 * c, side), q = factors_of(words, 2 * c + 1, side);
    const f4 scale[2] = {d * p.scale, d * q.scale * f4_splat(0x1p-4f)};
    const f4 offset[2] = {m * p.offset, m * q.offset};
    for (size_t w = 0; w < 8; w++) {
      const i4 all = word(words, first + w, side);
      const i4 bits = fifth ? word(words, 3 + w, side) >> (int)(2 * c) : i4_splat(0);
#pragma GCC unroll 4
      for (int b = 0; b < 4; b++) {
        i4 low = all >> 8 * b & 15, high = all >> 8 * b & 240;
        if (fifth) {
          low |= shifted(bits, 8 * b - 4) & 16;
          high |= shifted(bits, 8 * b - 7) & 256;
        }
        put(panel, 4 * w + (size_t)b, side, f4_from_int(low) * scale[0] - offset[0]);
        put(panel, 4 * w + (size_t)b + 32, side, f4_from_int(high) * scale[1] - offset[1]);
      }
    }
  }
}

/* A half of a super-block of 6 bits: four parts of 32, whose lower bits are the nibbles of two runs of bytes,
 * and whose upper bits lie by twos in one. A scale for each 16. */
static void sixes(float *panel, const unsigned char *group, size_t n) {
  const unsigned char *words = words_behind(group, 1);
  for (size_t side = 0; side < 2; side++) {
    const f4 d = half(group, 0, side);
    for (size_t w = 0; w < 8; w++) {
      const i4 first = word(words, 16 * n + w, side), second = word(words, 16 * n + 8 + w, side);
      const i4 upper = word(words, 32 + 8 * n + w, side);
      /* Of parts 0 and 1, of parts 2 and 3. */
      const i4 factors[2] = {word(words, 48 + 2 * n, side) >> (w < 4 ? 0 : 8),
                             word(words, 49 + 2 * n, side) >> (w < 4 ? 0 : 8)};
      f4 scale[4];
#pragma GCC unroll 4
      for (int part = 0; part < 4; part++)
        scale[part] = f4_from_int(signed_byte(factors[part / 2], part % 2 * 2)) * d;
#pragma GCC unroll 4
      for (int b = 0; b < 4; b++) {
#pragma GCC unroll 4
        for (int part = 0; part < 4; part++) {
          const i4 low = (part % 2 ? second : first) >> (8 * b + part / 2 * 4) & 15;
          const i4 high = shifted(upper, 8 * b + 2 * part - 4) & 48;
          put(panel, 32 * (size_t)part + 4 * w + (size_t)b, side,
              f4_from_int((low | high) - 32) * scale[part]);
        }
      }
    }
  }
}

/* For each unit: `to`, its `group`, and which `part` of that it is. */
#define UNITS(block, unit, bytes, ...)                                                             \
  for (size_t i = k; i < k + count; i += (unit)) {                                                 \
    float *to = panel + WIDTH * (i - k);                                                           \
    const unsigned char *group = all + i / (block)*WIDTH * (bytes);                                \
    const size_t part = i % (block) / (unit);                                                      \
    (void)part;                                                                                    \
    __VA_ARGS__                                                                                    \
  }                                                                                                \
  return

void gfi_expand(float *panel, stored b, size_t strip, size_t k, size_t count) {
  const unsigned char *all = strip_of(b, strip);
  switch (b.type) {
  case GF_F16:
    UNITS(1, 1, 2, for (size_t side = 0; side < 2; side++) put(to, 0, side, half(group, 0, side)););
  case GF_BF16:
    UNITS(1, 1, 2,
          for (size_t side = 0; side < 2; side++)
              put(to, 0, side, f4_from_upper(i4_load_16(group + 8 * side))););
  case GF_Q4_0:
    UNITS(32, 32, 18, nibbles(to, group, false, false););
  case GF_Q4_1:
    UNITS(32, 32, 20, nibbles(to, group, true, false););
  case GF_Q5_0:
    UNITS(32, 32, 22, nibbles(to, group, false, true););
  case GF_Q5_1:
    UNITS(32, 32, 24, nibbles(to, group, true, true););
  case GF_Q8_0:
    UNITS(32, 32, 34, bytes(to, group););
  case GF_Q4_K:
    UNITS(256, 64, 144, quarter(to, group, part, false););
  case GF_Q5_K:
    UNITS(256, 64, 176, quarter(to, group, part, true););
  case GF_Q6_K:
    UNITS(256, 128, 210, sixes(to, group, part););
  default:
    return;
  }
}
