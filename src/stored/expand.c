/* From blocks to float32, eight rows at once. Every product with a scale is exact: a float16 has 11 bits, a
 * factor at most 7, an integer at most 8, of the 24 that a float32 has. Only adding an offset rounds. */
#include "read.h"

#if defined(__OPTIMIZE_SIZE__) || (defined(__wasm__) && !defined(__wasm_simd128__))
/* Where code is to be small, or lanes are computed one by one, one copy of everything is enough. */
#define SMALL 1
#define SIDES(...)                                                                                 \
  for (size_t side = 0; side < 2; side++) {                                                        \
    __VA_ARGS__                                                                                    \
  }
#else
#define SMALL 0
/* For either side: by a macro, as compilers unroll loops later than they keep arrays in registers. */
#define SIDES(...)                                                                                 \
  {                                                                                                \
    const size_t side = 0;                                                                         \
    __VA_ARGS__                                                                                    \
  }                                                                                                \
  {                                                                                                \
    const size_t side = 1;                                                                         \
    __VA_ARGS__                                                                                    \
  }
#endif

/* Where the 8 numbers of each column go: into a panel, or, times x, to sums in registers. Whichever it is, the
 * compiler knows, so that nothing is asked in a loop. */
typedef struct sink {
  bool adds;
  float *panel;
  const float *x;
  f4 sum[2];
} sink;

/* Columns come in order, for the sums have one. */
F4_INLINE void put(sink *to, size_t k, size_t side, f4 value) {
  if (to->adds)
    to->sum[side] = f4_splat(to->x[k]) * value + to->sum[side];
  else
    f4_store(to->panel + WIDTH * k + 4 * side, value);
}

F4_INLINE void go_on(sink *to, size_t columns) {
  if (to->adds)
    to->x += columns;
  else
    to->panel += WIDTH * columns;
}

/* Some columns for one side, then for the other: an engine has not registers enough for both at once, and a sum
 * that goes through memory waits there. They are few, so that a machine that looks ahead works at both. */
#define PASS(skipped, ...)                                                                         \
  SIDES({                                                                                          \
    sink at = *to;                                                                                 \
    go_on(&at, skipped);                                                                           \
    __VA_ARGS__                                                                                    \
    to->sum[side] = at.sum[side];                                                                  \
  })

/* What a byte on top of a word is too large by: a scale is divided by it, which is exact. */
#define TOP 0x1p24f

/* The four bytes of a word, with their signs, times a scale and with an offset; then the next columns. */
F4_INLINE void put_byte(sink *to, int b, size_t side, i4 all, f4 scale, const f4 *offset) {
  const f4 x = f4_from_int(i4_top_byte(all, b)) * scale;
  put(to, (size_t)b, side, offset ? x + *offset : x);
}
F4_INLINE void put_bytes(sink *to, size_t side, i4 all, f4 scale, const f4 *offset) {
  put_byte(to, 0, side, all, scale, offset);
  put_byte(to, 1, side, all, scale, offset);
  put_byte(to, 2, side, all, scale, offset);
  put_byte(to, 3, side, all, scale, offset);
  go_on(to, 4);
}

/* Bytes of a word less an integer. */
F4_INLINE i4 bytes_less(i4 all, int n) {
  typedef int8_t bytes __attribute__((vector_size(16)));
  return (i4)((bytes)all - (bytes)i4_splat(n * 0x01010101));
}

/* Half of a block of 32 with nibbles: byte 4 w + b has number 4 w + b below, and above the one 16 further on.
 * Fifth bits, if there are any, come in the order of the numbers. */
F4_INLINE void half_of_nibbles(sink *to, const unsigned char *words, size_t side, bool upper,
                               i4 *fifths, f4 scale, const f4 *offset) {
  for (size_t w = 0; w < 4; w++) {
    i4 all = nibbles_of(word(words, w, side), upper);
    if (fifths) {
      all |= fifths_of(*fifths);
      *fifths >>= 4;
    }
    if (!offset) all = bytes_less(all, fifths ? 16 : 8);
    put_bytes(to, side, all, scale, offset);
  }
}
F4_INLINE void nibbles(sink *to, const unsigned char *group, bool offset, bool fifth) {
  const unsigned char *words = words_behind(group, offset ? 2 : 1);
  const unsigned char *own = words + (fifth ? 4 * WIDTH : 0);
  f4 d[2], m[2] = {0};
  i4 fifths[2];
  SIDES({
    d[side] = half(group, 0, side) / TOP;
    if (offset) m[side] = half(group, 1, side);
    fifths[side] = word(words, 0, side);
  })
  PASS(0, half_of_nibbles(&at, own, side, false, fifth ? fifths + side : NULL, d[side],
                          offset ? m + side : NULL);)
  PASS(16, half_of_nibbles(&at, own, side, true, fifth ? fifths + side : NULL, d[side],
                           offset ? m + side : NULL);)
}

F4_INLINE void bytes(sink *to, const unsigned char *group) {
  const unsigned char *words = words_behind(group, 1);
  const f4 d[2] = {half(group, 0, 0) / TOP, half(group, 0, 1) / TOP};
  for (size_t n = 0; n < 8; n += 4) {
    PASS(4 * n, for (size_t w = n; w < n + 4; w++)
                    put_bytes(&at, side, word(words, w, side), d[side], NULL);)
  }
}

/* Quarter c of a super-block: two parts of 32, the first of them in the lower nibbles of the same words. Bit
 * j of byte i of what lies before the nibbles is the fifth of number i of part j. */
F4_INLINE void part_of_quarter(sink *to, const unsigned char *group, size_t side, size_t c,
                               bool upper, bool fifth) {
  const unsigned char *words = words_behind(group, 2);
  const size_t first = (fifth ? 3 + 8 : 3) + 8 * c, part = 2 * c + upper;
  const factors p = factors_of(words, part, side);
  const f4 scale = half(group, 0, side) * p.scale / TOP;
  const f4 offset = -(half(group, 1, side) * p.offset);
  for (size_t w = 0; w < 8; w++) {
    i4 all = nibbles_of(word(words, first + w, side), upper);
    if (fifth) all |= (i4_right(word(words, 3 + w, side), (int)part) & 0x01010101) << 4;
    put_bytes(to, side, all, scale, &offset);
  }
}
F4_INLINE void quarter(sink *to, const unsigned char *group, size_t c, bool fifth) {
  PASS(0, part_of_quarter(&at, group, side, c, false, fifth);)
  PASS(32, part_of_quarter(&at, group, side, c, true, fifth);)
}

/* A half of a super-block of 6 bits: four parts of 32, whose lower bits are the nibbles of two runs of bytes,
 * and whose upper bits lie by twos in one. A scale for each 16. */
F4_INLINE void sixteen_sixes(sink *to, const unsigned char *group, size_t side, size_t n,
                             size_t part, size_t run) {
  const unsigned char *words = words_behind(group, 1);
  const i4 all = word(words, 48 + 2 * n + part / 2, side);
  const i4 factor = all << (int)(24 - 16 * (part % 2) - 8 * run) >> 24;
  const f4 scale = half(group, 0, side) * f4_from_int(factor) / TOP;
  for (size_t w = 4 * run; w < 4 * run + 4; w++) {
    const i4 low = word(words, 16 * n + part % 2 * 8 + w, side);
    const i4 lower = i4_right(low, (int)(part / 2 * 4)) & 0x0f0f0f0f;
    const i4 upper = i4_right(word(words, 32 + 8 * n + w, side), (int)(2 * part)) & 0x03030303;
    put_bytes(to, side, bytes_less(lower | upper << 4, 32), scale, NULL);
  }
}
F4_INLINE void sixes(sink *to, const unsigned char *group, size_t n) {
  for (size_t part = 0; part < 4; part++)
    for (size_t run = 0; run < 2; run++) {
      PASS(32 * part + 16 * run, sixteen_sixes(&at, group, side, n, part, run);)
    }
}

/* ---- The types ---- */

typedef void pour(sink *to, const unsigned char *groups, size_t k, size_t count);

/* A type's function: the columns from k on, by units of a block, each with its `group` and which `part` of that it
 * is. */
#define POUR(name, block, unit, bytes, ...)                                                        \
  F4_INLINE void name(sink *to, const unsigned char *groups, size_t k, size_t count) {             \
    for (size_t i = k; i < k + count; i += (unit)) {                                               \
      const unsigned char *group = groups + i / (block)*WIDTH * (bytes);                           \
      const size_t part = i % (block) / (unit);                                                    \
      (void)part;                                                                                  \
      __VA_ARGS__                                                                                  \
      go_on(to, unit);                                                                             \
    }                                                                                              \
  }

#if SMALL
#define COPIES(name)                                                                               \
  static void name(sink *to, const unsigned char *groups, size_t k, size_t count) {                \
    pour_##name(to, groups, k, count);                                                             \
  }
#define USES(name)                                                                                 \
  { name, name }
#else
/* Two copies, each of which knows what its numbers are for. Functions of their own, as engines optimise what is
 * called: of all types a model has two or three. */
#define COPIES(name)                                                                               \
  static void name##_panel(sink *to, const unsigned char *groups, size_t k, size_t count) {        \
    sink own = {.panel = to->panel};                                                               \
    pour_##name(&own, groups, k, count);                                                           \
  }                                                                                                \
  static void name##_terms(sink *to, const unsigned char *groups, size_t k, size_t count) {        \
    sink own = {.adds = true, .x = to->x};                                                         \
    pour_##name(&own, groups, k, count);                                                           \
    SIDES(to->sum[side] = own.sum[side];)                                                          \
  }
#define USES(name)                                                                                 \
  { name##_panel, name##_terms }
#endif
#define TYPE(name, ...)                                                                            \
  POUR(pour_##name, __VA_ARGS__)                                                                   \
  COPIES(name)

TYPE(f16, 1, 1, 2, SIDES(put(to, 0, side, half(group, 0, side));))
TYPE(bf16, 1, 1, 2, SIDES(put(to, 0, side, f4_from_upper(i4_load_16(group + 8 * side)));))
TYPE(q4_0, 32, 32, 18, nibbles(to, group, false, false);)
TYPE(q4_1, 32, 32, 20, nibbles(to, group, true, false);)
TYPE(q5_0, 32, 32, 22, nibbles(to, group, false, true);)
TYPE(q5_1, 32, 32, 24, nibbles(to, group, true, true);)
TYPE(q8_0, 32, 32, 34, bytes(to, group);)
TYPE(q4_k, 256, 64, 144, quarter(to, group, part, false);)
TYPE(q5_k, 256, 64, 176, quarter(to, group, part, true);)
TYPE(q6_k, 256, 128, 210, sixes(to, group, part);)

static const struct {
  pour *panel, *terms;
} uses[GF_TYPE_COUNT] = {
    [GF_F16] = USES(f16),   [GF_BF16] = USES(bf16), [GF_Q4_0] = USES(q4_0), [GF_Q4_1] = USES(q4_1),
    [GF_Q5_0] = USES(q5_0), [GF_Q5_1] = USES(q5_1), [GF_Q8_0] = USES(q8_0), [GF_Q4_K] = USES(q4_k),
    [GF_Q5_K] = USES(q5_k), [GF_Q6_K] = USES(q6_k)};

void gfi_expand(float *panel, stored b, size_t strip, size_t k, size_t count) {
  sink to = {0};
  to.panel = panel;
  uses[b.type].panel(&to, strip_of(b, strip), k, count);
}

void gfi_stored_terms(f4 *sum, const float *x, stored b, size_t strip, size_t k, size_t count) {
  sink to = {.adds = true, .x = x};
  uses[b.type].terms(&to, strip_of(b, strip), k, count);
  SIDES(sum[side] = to.sum[side];)
}
