/* How types are stored: what a block of each consists of, in a file and in memory. */
#ifndef GF_FORMAT_H
#define GF_FORMAT_H

#include "f4.h"
#include "stored.h"

/* Rows of a strip: as many as a tile of gemm.h has columns. */
enum { WIDTH = 8 };

/* A block, row by row of a file: its float16 numbers, then its other bytes, which are read by words of 4;
 * or the words first. In memory eight rows share a group: the first float16 of each row side by side, the
 * second, ..., then the first word of each, the second, ... */
typedef struct format {
  const char *name;
  int block;  /* numbers */
  int halves; /* float16 (or bfloat16) numbers */
  int words;
  bool words_first;
  int unit; /* as many numbers as must be expanded together: they share words */
} format;

extern const format gfi_formats[GF_TYPE_COUNT];

/* Bytes of a block of one row. */
static inline size_t block_bytes(const format *f) {
  return (size_t)(2 * f->halves + 4 * f->words);
}

/* Where the groups of a strip begin. */
static inline const unsigned char *strip_of(stored b, size_t strip) {
  const format *f = &gfi_formats[b.type];
  return b.strips + strip * WIDTH * (b.columns / (size_t)f->block) * block_bytes(f);
}

/* float32 from float16, which lie in the lower halves of the lanes: exact, subnormal numbers, too. */
F4_INLINE f4 f4_from_half(i4 bits) {
  /* The sign stands where it will, exponent and mantissa where those of a float32 have their ends. */
  const i4 wide = bits << 16 >> 3 & i4_splat((int32_t)0x8fffe000);
  const i4 greatest = i4_splat(0x0f800000);
  /* Infinities and NaNs have an exponent of ones here, too. */
  typedef uint32_t u4 __attribute__((vector_size(16)));
  const i4 infinite = (i4)((u4)((wide & greatest) == greatest) << 24 >> 1);
  return (f4)((i4)((f4)wide * f4_splat(0x1p112f)) | infinite);
}

/* float32 from bfloat16, likewise. */
F4_INLINE f4 f4_from_upper(i4 bits) {
  return (f4)(bits << 16);
}

/* Expands 8 neighbours of each of `count` columns from k on, whole units: panel[i][r] is the number
 * [8 strip + r, k + i]. */
void gfi_expand(float *panel, stored b, size_t strip, size_t k, size_t count);

/* The same numbers are used where they arise: sum[r] = x[0] [8 strip + r, k] + x[1] [8 strip + r, k + 1] + ... */
void gfi_stored_terms(f4 *sum, const float *x, stored b, size_t strip, size_t k, size_t count);

/* The product of stored.h by sums of integers. */
void gfi_integer_product(const tensor *y, size_t m, const float *x, stored b, const float *bias);

#endif
