/* Products in integers: faster than expanding weights to float32, rounded once more, and as deterministic, for a sum of
 * integers has no order. In every build:
 *
 *   1. A row of x is cut into blocks of 32. s = max |x| / 32767, and x becomes the integer next to x / s, halves the
 *      even one. Where s is below 2^-126 it is 0, and so are the integers. Where an x is infinite or NaN, s is NaN.
 *   2. Weights that share a scale d and an offset m are a part, 32 neighbours, of Q6_K 16. I is the sum of q x over a
 *      part, and S the sum of the x of its block: both exact. d and m include their factors, exactly; m is 0 in types
 *      that have none.
 *   3. y = 0, then part by part   y = y + (I (d s) + m (S s))   in float32, each operation rounded. First I and S become
 *      float32, which rounds them where they exceed 2^24.
 *
 * No sum of integers overflows: 2^7 2^15 2^5 is the most, of Q8_0. */
#include "gemm.h"
#include "read.h"
#include "row.h"

/* Of a strip so many columns are read at a time: for many rows of x as many as a panel has. A BAND of rows is rounded at
 * a time. */
enum { BLOCK = 32, PART = 16, LONGEST = 2048, DEPTH = 256, BAND = 64, FEW = 3 };
enum { BLOCKS = BAND * DEPTH / BLOCK };

static size_t at_most(size_t a, size_t limit) {
  return a < limit ? a : limit;
}

/* ---- x as integers ---- */

/* Of four integers the inner two change places: products take the first and the third together, as their weights lie
 * together in words. */
typedef struct block {
  int16_t q[BLOCK];
  int32_t sums[BLOCK / PART];
  float s, offset; /* the scale; and times the sum of all */
} block;

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

static void round_block(block *to, const float *x) {
  i4 most = {0};
  for (size_t i = 0; i < BLOCK; i += 4) {
    const i4 size = (i4)f4_abs(f4_load(x + i));
    most = (i4)f4_select(size > most, (f4)size, (f4)most);
  }
  const int bits = largest_of(most);
  const bool finite = bits < 0x7f800000;
  const float s = ((f4)i4_splat(bits))[0] / 32767;
  if (finite && s >= 0x1p-126f) {
    to->s = s;
    for (size_t i = 0; i < BLOCK / PART; i++)
      to->sums[i] = round_half(to->q + i * PART, x + i * PART, s);
  } else {
    *to = (block){.s = finite ? 0 : __builtin_nanf("")};
  }
  to->offset = (float)(to->sums[0] + to->sums[1]) * to->s;
}

/* ---- Weights: what a type says of a part of a group, for one side ---- */

/* A type has so many numbers in a part, and its integers are those of its bytes less an even number; those of Q8_0
 * have a sign. */
typedef struct kind {
  gf_type type;
  int part, less;
  bool offset;
} kind;

static const kind kinds[GF_TYPE_COUNT] = {
#define KIND(type, part, less, offset) [type] = {type, part, less, offset}
    KIND(GF_Q4_0, 32, 8, false), KIND(GF_Q4_1, 32, 0, true),  KIND(GF_Q5_0, 32, 16, false),
    KIND(GF_Q5_1, 32, 0, true),  KIND(GF_Q8_0, 32, 0, false), KIND(GF_Q4_K, 32, 0, true),
    KIND(GF_Q5_K, 32, 0, true),  KIND(GF_Q6_K, 16, 32, false)};

/* Word w of part p: four neighbours of each row, a byte each. */
F4_INLINE i4 bytes_of(kind of, const unsigned char *group, size_t p, size_t w, size_t side) {
  const bool fifth = of.type == GF_Q5_0 || of.type == GF_Q5_1;
  const unsigned char *words = words_behind(group, of.offset ? 2 : 1);
  if (of.type == GF_Q8_0) return word(words, w, side);
  if (of.type == GF_Q6_K) {
    const size_t n = p / 8, four = p % 8 / 2, at = p % 2 * 4 + w;
    const i4 low = word(words, 16 * n + four % 2 * 8 + at, side);
    const i4 lower = i4_right(low, (int)(four / 2 * 4)) & 0x0f0f0f0f;
    return lower | (i4_right(word(words, 32 + 8 * n + at, side), (int)(2 * four)) & 0x03030303)
                       << 4;
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

typedef int16_t s8 __attribute__((vector_size(16)));
typedef uint16_t u8 __attribute__((vector_size(16)));

F4_INLINE pairs pairs_of(kind of, i4 bytes) {
  if (of.type == GF_Q8_0) return (pairs){(i4)((s8)((u8)bytes << 8) >> 8), (i4)((s8)bytes >> 8)};
  return (pairs){bytes & 0x00ff00ff, (i4)((u8)bytes >> 8)};
}

/* Of a part of eight rows. */
typedef struct scaling {
  f4 scale[2], offset[2];
} scaling;

/* The float16 number h of each of eight rows: faster than one side after the other, as infinities are rare. */
F4_INLINE void read_halves(f4 to[2], const unsigned char *group, size_t h) {
  u8 all;
  memcpy(&all, group + (size_t)2 * WIDTH * h, sizeof all);
  if (i4_any((i4)((all & 0x7c00) == 0x7c00))) {
    to[0] = half(group, h, 0);
    to[1] = half(group, h, 1);
    return;
  }
  const u8 zero = {0};
  const i4 l = (i4)__builtin_shufflevector(zero, all, 0, 8, 0, 9, 0, 10, 0, 11);
  const i4 r = (i4)__builtin_shufflevector(zero, all, 0, 12, 0, 13, 0, 14, 0, 15);
  const i4 parts = i4_splat((int32_t)0x8fffe000);
  to[0] = (f4)(l >> 3 & parts) * f4_splat(0x1p112f);
  to[1] = (f4)(r >> 3 & parts) * f4_splat(0x1p112f);
}

F4_INLINE void read_scaling(kind of, scaling *to, const unsigned char *group, size_t p) {
  const unsigned char *words = words_behind(group, of.offset ? 2 : 1);
  read_halves(to->scale, group, 0);
  if (of.offset)
    read_halves(to->offset, group, 1);
  else
    to->offset[0] = to->offset[1] = f4_splat(0);
  if (of.type < GF_Q4_K) return;
  for (size_t side = 0; side < 2; side++) {
    if (of.type == GF_Q6_K) {
      const i4 all = word(words, 48 + p / 4, side);
      to->scale[side] *= f4_from_int(i4_right(all << (int)(24 - p % 4 * 8), 24));
    } else {
      const factors by = factors_of(words, p, side);
      to->scale[side] *= by.scale;
      to->offset[side] *= -by.offset;
    }
  }
}

/* Some columns of a strip. */
typedef struct strip {
  kind of;
  size_t columns;
  const unsigned char *groups;
  scaling parts[DEPTH / PART]; /* for many rows of x */
} strip;

static void read_scalings(strip *w) {
  const format *f = &gfi_formats[w->of.type];
  const size_t parts = (size_t)(f->block / w->of.part);
  const unsigned char *group = w->groups;
  const scaling *end = w->parts + w->columns / (size_t)w->of.part;
  for (scaling *to = w->parts; to < end; group += WIDTH * block_bytes(f))
    for (size_t p = 0; p < parts; p++) read_scaling(w->of, to++, group, p);
}

/* y += what a part adds, for four rows of weights. */
F4_INLINE f4 with_part(f4 y, i4 sum, f4 d, f4 m, f4 s, f4 offset) {
  return y + (f4_from_int(sum) * (d * s) + m * offset);
}

/* ---- One row of x ---- */

/* A word of each of eight rows. */
F4_INLINE void add_word(kind of, i4 sum[2], const int16_t *q, const unsigned char *group, size_t p,
                        size_t w) {
  const i4 first = i4_load_splat(q + 4 * w), second = i4_load_splat(q + 4 * w + 2);
  const pairs l = pairs_of(of, bytes_of(of, group, p, w, 0));
  const pairs r = pairs_of(of, bytes_of(of, group, p, w, 1));
  sum[0] += i4_dot(l.first, first) + i4_dot(l.second, second);
  sum[1] += i4_dot(r.first, first) + i4_dot(r.second, second);
}

/* The sum of q x begins with what integers are less than bytes. */
F4_INLINE i4 beginning(kind of, const block *x, size_t part) {
  if (!of.less) return i4_splat(0);
  return i4_splat(-(of.part == PART ? x->sums[part] : x->sums[0] + x->sums[1]) * of.less);
}

/* y[8] += what the columns add. */
F4_INLINE void add_row(kind of, float *y, const block *x, const strip *w) {
  const size_t parts = (size_t)(BLOCK / of.part), blocks = of.type >= GF_Q4_K ? 8 : 1;
  const block *end = x + w->columns / BLOCK;
  const unsigned char *group = w->groups;
  f4 left = f4_load(y), right = f4_load(y + 4);
  for (; x < end; group += WIDTH * block_bytes(&gfi_formats[of.type]))
    for (size_t b = 0; b < blocks; b++, x++)
      for (size_t p = 0; p < parts; p++) {
        scaling of_part;
        i4 sum[2] = {beginning(of, x, p), beginning(of, x, p)};
        for (size_t i = 0; i < 4; i++) {
          add_word(of, sum, x->q + p * PART, group, b * parts + p, i);
          if (parts == 1) add_word(of, sum, x->q, group, b, i + 4);
        }
        const f4 s = f4_splat(x->s), offset = f4_splat(x->offset);
        read_scaling(of, &of_part, group, b * parts + p);
        left = with_part(left, sum[0], of_part.scale[0], of_part.offset[0], s, offset);
        right = with_part(right, sum[1], of_part.scale[1], of_part.offset[1], s, offset);
      }
  f4_store(y, left);
  f4_store(y + 4, right);
}

/* ---- Many rows of x: a strip is read once, for all of them ---- */

/* As a dot takes them: four rows, then the other four. */
typedef i4 panel[DEPTH / 2 * 2];

F4_INLINE void read_panel(kind of, i4 *to, const strip *w) {
  const size_t part = (size_t)of.part, parts = of.type >= GF_Q4_K ? 256 / part : 1;
  const s8 less = (s8)i4_splat(of.less * 0x10001);
  const unsigned char *group = w->groups;
  for (const i4 *end = to + w->columns; to < end;
       group += WIDTH * block_bytes(&gfi_formats[of.type]))
    for (size_t p = 0; p < parts; p++)
      for (size_t i = 0; i < part / 4; i++, to += 4) {
        const pairs l = pairs_of(of, bytes_of(of, group, p, i, 0));
        const pairs r = pairs_of(of, bytes_of(of, group, p, i, 1));
        to[0] = (i4)((s8)l.first - less);
        to[1] = (i4)((s8)r.first - less);
        to[2] = (i4)((s8)l.second - less);
        to[3] = (i4)((s8)r.second - less);
      }
}

/* Rows of x at a time. */
enum { ROWS = 4 };
#define EACH_ROW(...)                                                                              \
  {                                                                                                \
    enum { j = 0 };                                                                                \
    __VA_ARGS__                                                                                    \
  }                                                                                                \
  {                                                                                                \
    enum { j = 1 };                                                                                \
    __VA_ARGS__                                                                                    \
  }                                                                                                \
  {                                                                                                \
    enum { j = 2 };                                                                                \
    __VA_ARGS__                                                                                    \
  }                                                                                                \
  {                                                                                                \
    enum { j = 3 };                                                                                \
    __VA_ARGS__                                                                                    \
  }

#define TERM(t)                                                                                    \
  {                                                                                                \
    const i4 *two = pair + (size_t)2 * (t);                                                        \
    const i4 l = i4_load(two), r = i4_load(two + 1);                                               \
    EACH_ROW(const i4 a = i4_load_splat(q[j] + (size_t)2 * (t)); left[j] += i4_dot(l, a);          \
             right[j] += i4_dot(r, a);)                                                            \
    if (two + 2 == end) break;                                                                     \
  }

/* Row j of y += what the columns of row j of x add. */
static void add_rows(float *y, size_t stride, const block *const row[ROWS], const strip *w,
                     const i4 *pair) {
  const size_t part = (size_t)w->of.part;
  const scaling *scaling = w->parts;
  const block *x[ROWS];
  EACH_ROW(x[j] = row[j];)
  for (const block *last = x[0] + w->columns / BLOCK; x[0] < last;) {
    for (size_t k = 0; k < BLOCK; k += part, scaling++) {
      const i4 *end = pair + part;
      i4 left[ROWS] = {{0}}, right[ROWS] = {{0}};
      const int16_t *q[ROWS];
      EACH_ROW(q[j] = x[j]->q + k;)
      for (;;) {
        TERM(0)
        TERM(1)
        TERM(2)
        TERM(3)
        pair += 8;
        EACH_ROW(q[j] += 8;)
      }
      pair = end;
      const f4 dl = scaling->scale[0], dr = scaling->scale[1];
      const f4 ml = scaling->offset[0], mr = scaling->offset[1];
      EACH_ROW({
        const f4 s = f4_splat(x[j]->s), offset = f4_splat(x[j]->offset);
        float *to = y + j * stride;
        f4_store(to, with_part(f4_load(to), left[j], dl, ml, s, offset));
        f4_store(to + 4, with_part(f4_load(to + 4), right[j], dr, mr, s, offset));
      })
    }
    EACH_ROW(x[j] += 1;)
  }
}

/* ---- Types: each has its own copy of what reads its bits ---- */

#define TYPE(name, type, part, less, offset)                                                       \
  static void name##_row(float *y, const block *x, const strip *w) {                               \
    add_row((kind){type, part, less, offset}, y, x, w);                                            \
  }                                                                                                \
  static void name##_panel(i4 *to, const strip *w) {                                               \
    read_panel((kind){type, part, less, offset}, to, w);                                           \
  }

TYPE(q4_0, GF_Q4_0, 32, 8, false)
TYPE(q4_1, GF_Q4_1, 32, 0, true)
TYPE(q5_0, GF_Q5_0, 32, 16, false)
TYPE(q5_1, GF_Q5_1, 32, 0, true)
TYPE(q8_0, GF_Q8_0, 32, 0, false)
TYPE(q4_k, GF_Q4_K, 32, 0, true)
TYPE(q5_k, GF_Q5_K, 32, 0, true)
TYPE(q6_k, GF_Q6_K, 16, 32, false)

static const struct {
  void (*row)(float *y, const block *x, const strip *w);
  void (*panel)(i4 *to, const strip *w);
} uses[GF_TYPE_COUNT] = {[GF_Q4_0] = {q4_0_row, q4_0_panel}, [GF_Q4_1] = {q4_1_row, q4_1_panel},
                         [GF_Q5_0] = {q5_0_row, q5_0_panel}, [GF_Q5_1] = {q5_1_row, q5_1_panel},
                         [GF_Q8_0] = {q8_0_row, q8_0_panel}, [GF_Q4_K] = {q4_k_row, q4_k_panel},
                         [GF_Q5_K] = {q5_k_row, q5_k_panel}, [GF_Q6_K] = {q6_k_row, q6_k_panel}};

/* ---- The product ---- */

static void copy(float *to, size_t to_row, const float *from, size_t from_row, size_t height,
                 size_t width) {
  for (size_t i = 0; i < height; i++)
    memcpy(to + i * to_row, from + i * from_row, width * sizeof *to);
}

/* The columns of y that belong to a strip += what some columns of it add; x has them in rows of so many blocks. At an edge
 * the last row is computed again. */
static void add_strip(float *y, size_t stride, size_t width, const block *x, size_t blocks,
                      size_t rows, const strip *w) {
  float aside[ROWS * WIDTH] = {0};
  const size_t step = rows > FEW ? ROWS : 1;
  panel pairs;
  if (rows > FEW) uses[w->of.type].panel(pairs, w);
  for (size_t i = 0; i < rows; i += step) {
    const size_t height = at_most(rows - i, step);
    const bool whole = height == step && width == WIDTH;
    float *to = whole ? y + i * stride : aside;
    const block *row[ROWS];
    for (size_t j = 0; j < ROWS; j++) row[j] = x + at_most(i + j, rows - 1) * blocks;
    if (!whole) copy(aside, WIDTH, y + i * stride, stride, height, width);
    if (rows > FEW)
      add_rows(to, whole ? stride : WIDTH, row, w, pairs);
    else
      uses[w->of.type].row(to, row[0], w);
    if (!whole) copy(y + i * stride, stride, aside, WIDTH, height, width);
  }
}

/* Some rows of y, which belong to rows of x, and some columns, which belong to rows of b.
 * Not inline: in one frame with the numbers of other products, blocks would exceed the stack of a core. */
__attribute__((noinline)) static void multiply(float *y, range rows, const float *x, stored b,
                                               range columns) {
  block blocks[BLOCKS];
  const size_t end = columns.first + columns.count;
  const size_t longest = rows.count > FEW ? DEPTH : LONGEST;
  const size_t group_bytes = WIDTH * block_bytes(&gfi_formats[b.type]);
  const size_t block_size = (size_t)gfi_formats[b.type].block;
  strip w = {.of = kinds[b.type]};
  y += rows.first * b.rows;
  x += rows.first * b.columns;
  for (size_t i = 0; i < rows.count; i++)
    memset(y + i * b.rows + columns.first, 0, columns.count * sizeof *y);
  for (size_t k = 0; k < b.columns; k += longest) {
    w.columns = at_most(b.columns - k, longest);
    for (size_t r = 0; r < rows.count; r++)
      for (size_t c = 0; c < w.columns; c += BLOCK)
        round_block(blocks + (r * w.columns + c) / BLOCK, x + r * b.columns + k + c);
    for (size_t j = columns.first; j < end; j += WIDTH) {
      w.groups = strip_of(b, j / WIDTH) + k / block_size * group_bytes;
      if (rows.count > FEW) read_scalings(&w);
      add_strip(y + j, b.rows, at_most(end - j, WIDTH), blocks, w.columns / BLOCK, rows.count, &w);
    }
  }
}

/* A part rounds the rows of x that it needs. So parts do not share out the columns of y, but groups of columns of one band
 * of rows after the other. */
void gfi_integer_product(const tensor *y, size_t m, const float *x, stored b, const float *bias) {
  const size_t groups = (b.rows + GEMM_GROUP - 1) / GEMM_GROUP;
  const range part = part_of(y, (m + BAND - 1) / BAND * groups, 1);
  for (size_t i = part.first, end = i + part.count, next; i < end; i = next) {
    const size_t row = i / groups * BAND, first = i % groups;
    next = i + at_most(groups - first, end - i);
    const range rows = {row, at_most(m - row, BAND)};
    const range columns = {first * GEMM_GROUP,
                           at_most(b.rows, (first + next - i) * GEMM_GROUP) - first * GEMM_GROUP};
    multiply(y->value, rows, x, b, columns);
    gfi_add_row(y->value + row * b.rows + columns.first, b.rows, rows.count,
                bias ? bias + columns.first : NULL, columns.count);
  }
}
