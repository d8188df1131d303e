/* Products in integers: faster than expanding weights to float32, rounded once more, and as deterministic, for
 * sums of integers have no order. The same in every build:
 *
 *   1. A row of x is cut into blocks of 32. s = max |x| / 32767, and each number becomes the integer next to x / s,
 *      halves to the even one. Where s is below 2^-126, all of the block counts as 0. Where a number is infinite or NaN,
 *      s is NaN.
 *   2. Weights that share a scale, 32 or 16 neighbours, are a part. I = the sum of q x over a part, and S = the sum of x,
 *      both of integers, exactly.
 *   3. y = 0, then part by part   y = y + (I (d s) + m (S s))   in float32, each step rounded: I and S too, if they
 *      exceed 2^24. d and m: scale and offset of the part, exactly; without offset the last product is left out. */
#include "read.h"

enum { BLOCK = 32, PART = 16, DEPTH = 256, ROOM = 64 * DEPTH, FEW = 3 };

static size_t at_most(size_t a, size_t limit) {
  return a < limit ? a : limit;
}

/* ---- x as integers ---- */

/* Neighbours of some rows. Of four integers the inner two change places: products take the first and the third
 * together, as their weights lie together in words. */
typedef struct activations {
  size_t columns;
  int16_t q[ROOM];
  int32_t sums[ROOM / PART];
  float scales[ROOM / BLOCK], offsets[ROOM / BLOCK]; /* s, and s times the sum of a block */
} activations;

static int largest_of(i4 a) {
  const int x = a[0] < a[1] ? a[1] : a[0], y = a[2] < a[3] ? a[3] : a[2];
  return x < y ? y : x;
}

/* The integer next to each number, below 2^22. */
F4_INLINE i4 rounded(f4 x) {
  const f4 middle = f4_splat(0x1.8p23f); /* from here on integers are one apart */
  return (i4)(x + middle) - (i4)middle;
}

/* Half a block, and the sum of its integers. */
static int32_t round_half(int16_t *q, const float *x, float scale) {
  i4 sum = {0};
  for (size_t i = 0; i < PART; i += 8) {
    const i4 a = rounded(f4_load(x + i) / f4_splat(scale));
    const i4 b = rounded(f4_load(x + i + 4) / f4_splat(scale));
    const i4 lower = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    const i4 upper = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    i4_store(q + i, (lower & 0xffff) | upper << 16);
    sum += a + b;
  }
  return sum[0] + sum[1] + sum[2] + sum[3];
}

static void round_block(activations *to, size_t block, const float *x) {
  i4 most = {0};
  for (size_t i = 0; i < BLOCK; i += 4) {
    const i4 size = (i4)f4_abs(f4_load(x + i));
    most = (i4)f4_select(size > most, (f4)size, (f4)most);
  }
  const int bits = largest_of(most);
  float scale = ((f4)i4_splat(bits))[0] / 32767;
  int16_t *q = to->q + block * BLOCK;
  int32_t *sums = to->sums + block * 2;
  if (bits >= 0x7f800000 || scale < 0x1p-126f) {
    memset(q, 0, BLOCK * sizeof *q);
    memset(sums, 0, 2 * sizeof *sums);
    scale = bits >= 0x7f800000 ? __builtin_nanf("") : 0;
  } else {
    sums[0] = round_half(q, x, scale);
    sums[1] = round_half(q + PART, x + PART, scale);
  }
  to->scales[block] = scale;
  to->offsets[block] = (float)(sums[0] + sums[1]) * scale;
}

static void round_rows(activations *to, const float *x, size_t stride, size_t rows,
                       size_t columns) {
  to->columns = columns;
  for (size_t i = 0; i < rows; i++)
    for (size_t k = 0; k < columns; k += BLOCK)
      round_block(to, (i * columns + k) / BLOCK, x + i * stride + k);
}

/* ---- Weights as integers: what a type says of a part of a group, for one side ---- */

/* Integers of a type are above what its bytes hold by 2^below; those of Q8_0 have a sign. */
typedef struct kind {
  gf_type type;
  size_t part; /* numbers */
  int below;
} kind;

F4_INLINE bool has_offset(kind of) {
  return of.type == GF_Q4_1 || of.type == GF_Q5_1 || of.type == GF_Q4_K || of.type == GF_Q5_K;
}

/* Word w of part p: four neighbours of each row, a byte each. */
F4_INLINE i4 bytes_of(kind of, const unsigned char *group, size_t p, size_t w, size_t side) {
  const bool fifth = of.type == GF_Q5_0 || of.type == GF_Q5_1;
  const unsigned char *words = words_behind(group, has_offset(of) ? 2 : 1);
  if (of.type == GF_Q8_0) return word(words, w, side);
  if (of.type == GF_Q6_K) {
    const size_t n = p / 8, four = p % 8 / 2, at = p % 2 * 4 + w;
    const i4 low = word(words, 16 * n + four % 2 * 8 + at, side);
    const i4 lower = i4_right(low, (int)(four / 2 * 4)) & 0x0f0f0f0f;
    return lower | (i4_right(word(words, 32 + 8 * n + at, side), (int)(2 * four)) & 0x03030303) << 4;
  }
  if (of.type == GF_Q4_K || of.type == GF_Q5_K) {
    const size_t first = (of.type == GF_Q5_K ? 3 + 8 : 3) + p / 2 * 8;
    const i4 all = i4_right(word(words, first + w, side), (int)(p % 2 * 4)) & 0x0f0f0f0f;
    if (of.type == GF_Q4_K) return all;
    return all | (i4_right(word(words, 3 + w, side), (int)p) & 0x01010101) << 4;
  }
  const i4 all = nibbles_of(word(words, (fifth ? 1 : 0) + w % 4, side), w >= 4);
  return fifth ? all | fifths_of(i4_right(word(words, 0, side), (int)(4 * w))) : all;
}

/* The first and the third byte of each word, and the other two, as integers of 16 bits. */
typedef struct pairs {
  i4 first, second;
} pairs;

F4_INLINE pairs pairs_of(kind of, i4 bytes) {
  typedef int16_t s8 __attribute__((vector_size(16)));
  typedef uint16_t u8 __attribute__((vector_size(16)));
  if (of.type == GF_Q8_0) return (pairs){(i4)((s8)((u8)bytes << 8) >> 8), (i4)((s8)bytes >> 8)};
  return (pairs){bytes & 0x00ff00ff, (i4)((u8)bytes >> 8)};
}

F4_INLINE factors scales_of(kind of, const unsigned char *group, size_t p, size_t side) {
  const f4 d = half(group, 0, side);
  if (of.type == GF_Q6_K) {
    const i4 all = word(words_behind(group, 1), 48 + p / 4, side);
    return (factors){d * f4_from_int(i4_right(all << (int)(24 - p % 4 * 8), 24)), f4_splat(0)};
  }
  if (!has_offset(of)) return (factors){d, f4_splat(0)};
  const f4 m = half(group, 1, side);
  if (of.part * 8 != 256 || of.type < GF_Q4_K) return (factors){d, m};
  const factors f = factors_of(words_behind(group, 2), p, side);
  return (factors){d * f.scale, -(m * f.offset)};
}

/* ---- One row of x ---- */

/* y += what a part adds, for four rows of weights. */
F4_INLINE f4 with_part(kind of, f4 y, i4 sum, factors w, float scale, float offset) {
  const f4 term = f4_from_int(sum) * (w.scale * f4_splat(scale));
  return y + (has_offset(of) ? term + w.offset * f4_splat(offset) : term);
}

#define WORD(w)                                                                                    \
  {                                                                                                \
    const i4 a = i4_load_splat(q + 4 * (w)), b = i4_load_splat(q + 4 * (w) + 2);                   \
    const pairs l = pairs_of(of, bytes_of(of, group, p, w, 0));                                    \
    const pairs r = pairs_of(of, bytes_of(of, group, p, w, 1));                                    \
    left += i4_dot(l.first, a) + i4_dot(l.second, b);                                              \
    right += i4_dot(r.first, a) + i4_dot(r.second, b);                                             \
  }

/* y[8] += what the columns of x add. */
F4_INLINE void row_of_strip(kind of, size_t group_bytes, f4 *y, const activations *x, size_t row,
                            const unsigned char *group) {
  const size_t parts = of.type >= GF_Q4_K ? 256 / of.part : 1, first = row * x->columns;
  const int16_t *q = x->q + first;
  const int32_t *sums = x->sums + first / PART;
  for (size_t i = first / of.part; i < (first + x->columns) / of.part; group += group_bytes)
    for (size_t p = 0; p < parts; p++, i++, q += of.part, sums += of.part / PART) {
      const size_t block = i * of.part / BLOCK;
      i4 left = i4_splat(-(of.part == PART ? sums[0] : sums[0] + sums[1])) << of.below, right;
      if (!of.below) left = i4_splat(0);
      right = left;
      WORD(0)
      if (of.part == BLOCK) WORD(4)
      WORD(1)
      if (of.part == BLOCK) WORD(5)
      WORD(2)
      if (of.part == BLOCK) WORD(6)
      WORD(3)
      if (of.part == BLOCK) WORD(7)
      const float s = x->scales[block], offset = x->offsets[block];
      y[0] = with_part(of, y[0], left, scales_of(of, group, p, 0), s, offset);
      y[1] = with_part(of, y[1], right, scales_of(of, group, p, 1), s, offset);
    }
}

/* ---- Many rows of x: a strip is read once, for all of them ---- */

typedef struct panel {
  i4 pairs[DEPTH / 2][2];           /* as a dot takes them: four rows, then the other four */
  factors factors[DEPTH / PART][2]; /* of parts */
} panel;

F4_INLINE void read_panel(kind of, size_t group_bytes, panel *to, size_t columns,
                          const unsigned char *group) {
  const size_t parts = of.type >= GF_Q4_K ? 256 / of.part : 1;
  i4 *pair = to->pairs[0];
  for (size_t i = 0; i < columns / of.part; group += group_bytes)
    for (size_t p = 0; p < parts; p++, i++) {
      for (size_t side = 0; side < 2; side++) to->factors[i][side] = scales_of(of, group, p, side);
      for (size_t w = 0; w < of.part / 4; w++, pair += 4)
        for (size_t side = 0; side < 2; side++) {
          const pairs both = pairs_of(of, bytes_of(of, group, p, w, side));
          pair[side] = both.first;
          pair[2 + side] = both.second;
        }
    }
}

/* y[8] += what the columns of x add, for ROWS neighbouring rows of x. */
enum { ROWS = 4 };

#define TERM(t)                                                                                    \
  {                                                                                                \
    const i4 l = i4_load(pair + 2 * (t)), r = i4_load(pair + 2 * (t) + 1);                         \
    for (size_t j = 0; j < ROWS; j++) {                                                            \
      const i4 a = i4_load_splat(q[j] + 2 * (t));                                                  \
      left[j] += i4_dot(l, a);                                                                     \
      right[j] += i4_dot(r, a);                                                                    \
    }                                                                                              \
    if (pair + 2 * ((t) + 1) == end) break;                                                        \
  }

F4_INLINE void rows_of_panel(kind of, float *y[ROWS], const activations *x, const size_t row[ROWS],
                             const panel *w) {
  const i4 *pair = w->pairs[0];
  const int16_t *q[ROWS];
  for (size_t j = 0; j < ROWS; j++) q[j] = x->q + row[j] * x->columns;
  for (size_t i = 0; i < x->columns / of.part; i++) {
    const i4 *end = pair + of.part;
    i4 left[ROWS], right[ROWS];
    for (size_t j = 0; j < ROWS; j++) {
      const int32_t *sums = x->sums + (row[j] * x->columns + i * of.part) / PART;
      left[j] = i4_splat(-(of.part == PART ? sums[0] : sums[0] + sums[1])) << of.below;
      if (!of.below) left[j] = i4_splat(0);
      right[j] = left[j];
    }
    for (;;) {
      TERM(0)
      TERM(1)
      TERM(2)
      TERM(3)
      pair += 8;
      for (size_t j = 0; j < ROWS; j++) q[j] += 8;
    }
    pair = end;
    for (size_t j = 0; j < ROWS; j++) {
      q[j] += 8;
      const size_t block = (row[j] * x->columns + i * of.part) / BLOCK;
      const float s = x->scales[block], offset = x->offsets[block];
      f4_store(y[j], with_part(of, f4_load(y[j]), left[j], w->factors[i][0], s, offset));
      f4_store(y[j] + 4, with_part(of, f4_load(y[j] + 4), right[j], w->factors[i][1], s, offset));
    }
  }
}

/* ---- Types ---- */

/* Columns of y, those of one strip, += what the columns of x add. */
F4_INLINE void strip_of_type(kind of, float *y, size_t stride, size_t width, const activations *x,
                             size_t rows, const unsigned char *group) {
  const size_t group_bytes = WIDTH * block_bytes(&gfi_formats[of.type]);
  panel w;
  if (rows > FEW) read_panel(of, group_bytes, &w, x->columns, group);
  for (size_t i = 0; i < rows; i += rows > FEW ? ROWS : 1) {
    f4 sums[ROWS][2];
    const size_t count = rows > FEW ? at_most(rows - i, ROWS) : 1;
    float *to[ROWS];
    size_t row[ROWS];
    for (size_t j = 0; j < ROWS; j++) {
      row[j] = i + at_most(j, count - 1);
      to[j] = (float *)sums[j];
      for (size_t c = 0; c < WIDTH; c += 4) 
        sums[j][c / 4] = c < width ? f4_load_n(y + row[j] * stride + c, width - c, 0) : f4_splat(0);
    }
    if (rows > FEW)
      rows_of_panel(of, to, x, row, &w);
    else
      row_of_strip(of, group_bytes, sums[0], x, i, group);
    for (size_t j = 0; j < count; j++)
      for (size_t c = 0; c < width; c += 4) f4_store_n(y + row[j] * stride + c, sums[j][c / 4], width - c);
  }
}

typedef void strip_product(float *y, size_t stride, size_t width, const activations *x, size_t rows,
                           const unsigned char *group);

#define TYPE(name, type, part, below)                                                              \
  static void name(float *y, size_t stride, size_t width, const activations *x, size_t rows,       \
                   const unsigned char *group) {                                                   \
    strip_of_type((kind){type, part, below}, y, stride, width, x, rows, group);                    \
  }

TYPE(q4_0, GF_Q4_0, 32, 3)
TYPE(q4_1, GF_Q4_1, 32, 0)
TYPE(q5_0, GF_Q5_0, 32, 4)
TYPE(q5_1, GF_Q5_1, 32, 0)
TYPE(q8_0, GF_Q8_0, 32, 0)
TYPE(q4_k, GF_Q4_K, 32, 0)
TYPE(q5_k, GF_Q5_K, 32, 0)
TYPE(q6_k, GF_Q6_K, 16, 5)

static strip_product *const products[GF_TYPE_COUNT] = {
    [GF_Q4_0] = q4_0, [GF_Q4_1] = q4_1, [GF_Q5_0] = q5_0, [GF_Q5_1] = q5_1,
    [GF_Q8_0] = q8_0, [GF_Q4_K] = q4_k, [GF_Q5_K] = q5_k, [GF_Q6_K] = q6_k};

void gfi_integer_product(float *y, size_t m, const float *x, stored b, range rows) {
  activations part;
  const format *f = &gfi_formats[b.type];
  const size_t height = at_most(m, ROOM / DEPTH);
  const size_t depth = m > FEW ? DEPTH : ROOM / height / DEPTH * DEPTH;
  for (size_t i = 0; i < m; i++) memset(y + i * b.rows + rows.first, 0, rows.count * sizeof *y);
  for (size_t i = 0; i < m; i += height)
    for (size_t k = 0; k < b.columns; k += depth) {
      const size_t count = at_most(m - i, height);
      round_rows(&part, x + i * b.columns + k, b.columns, count, at_most(b.columns - k, depth));
      for (size_t j = rows.first; j < rows.first + rows.count; j += WIDTH)
        products[b.type](y + i * b.rows + j, b.rows, at_most(rows.first + rows.count - j, WIDTH),
                         &part, count,
                         strip_of(b, j / WIDTH) + k / (size_t)f->block * WIDTH * block_bytes(f));
    }
}
