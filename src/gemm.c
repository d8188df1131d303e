#include "gemm.h"

/* A tile of the output is held in registers: ROWS x 2 vectors, COLUMNS numbers wide. A group of
 * GEMM_GROUP columns is packed at a time, so that a row of a is used while it is in the first cache. */
enum { ROWS = 4, COLUMNS = 8, CHUNK = 8192, SMALL = 64 };

static size_t at_most(size_t a, size_t limit) {
  return a < limit ? a : limit;
}

static const float *at(matrix a, size_t i, size_t j) {
  return a.p + i * a.row + j * a.column;
}

/* ---- Packing: what a tile reads, in the order in which it reads it ---- */

/* panel[k][j] = b[k][j]: COLUMNS numbers per k, zeros beyond the width. */
static void pack_columns(float *panel, matrix b, size_t depth, size_t width) {
  size_t k = 0;
  if (width == COLUMNS && b.column == 1)
    for (; k < depth; k++) {
      f4_store(panel + k * COLUMNS, f4_load(at(b, k, 0)));
      f4_store(panel + k * COLUMNS + 4, f4_load(at(b, k, 4)));
    }
  if (width == COLUMNS && b.row == 1)
    for (; k + 4 <= depth; k += 4)
      for (size_t j = 0; j < COLUMNS; j += 4) {
        f4x4 part = f4_transposed(at(b, k, j), b.column);
        for (size_t i = 0; i < 4; i++) f4_store(panel + (k + i) * COLUMNS + j, part.column[i]);
      }
  for (; k < depth; k++)
    for (size_t j = 0; j < COLUMNS; j++) panel[k * COLUMNS + j] = j < width ? *at(b, k, j) : 0;
}

/* panel[k][i] = a[i][k]: ROWS numbers per k. Rows that are not there repeat the last one, so that an
 * edge costs no path of its own. */
static void pack_rows(float *panel, matrix a, size_t depth, size_t height) {
  if (height == ROWS && a.row == 1) {
    for (size_t k = 0; k < depth; k++) f4_store(panel + k * ROWS, f4_load(at(a, 0, k)));
    return;
  }
  for (size_t k = 0; k < depth; k++)
    for (size_t i = 0; i < ROWS; i++) panel[k * ROWS + i] = *at(a, at_most(i, height - 1), k);
}

/* ---- The tile ---- */

/* One term of each of the tile's sums. */
#define TERM(k)                                                                                    \
  {                                                                                                \
    f4 b0 = f4_load(b + (size_t)(k)*COLUMNS), b1 = f4_load(b + (size_t)(k)*COLUMNS + 4);           \
    for (size_t r = 0; r < ROWS; r++) {                                                            \
      f4 x = f4_splat(a[r][(k)*step]);                                                             \
      left[r] = f4_madd(x, b0, left[r]);                                                           \
      right[r] = f4_madd(x, b1, right[r]);                                                         \
    }                                                                                              \
    if (b + ((size_t)(k) + 1) * COLUMNS == end) break;                                             \
  }

/* ROWS x COLUMNS outputs at y from one block: the terms of row r are at row[r], `step` apart. An engine
 * that compiles wasm moves all loads of a straight run of code to its start, and then runs out of
 * registers: the test after every term keeps the runs short. */
__attribute__((always_inline)) static inline void tile(float *y, size_t stride,
                                                       const float *const *row, size_t step,
                                                       const float *b, size_t depth,
                                                       gemm_mode mode) {
  const float *a[ROWS], *end = b + depth * COLUMNS;
  f4 left[ROWS], right[ROWS];
  for (size_t r = 0; r < ROWS; r++) {
    bool going_on = mode == GEMM_CONTINUE;
    a[r] = row[r];
    left[r] = going_on ? f4_load(y + r * stride) : f4_splat(0);
    right[r] = going_on ? f4_load(y + r * stride + 4) : f4_splat(0);
  }
  for (;;) {
    TERM(0)
    TERM(1)
    TERM(2)
    TERM(3)
    TERM(4)
    TERM(5)
    TERM(6)
    TERM(7)
    b += 8 * (size_t)COLUMNS;
    for (size_t r = 0; r < ROWS; r++) a[r] += 8 * step;
  }
  for (size_t r = 0; r < ROWS; r++) {
    float *to = y + r * stride;
    f4_store(to, mode == GEMM_ADD ? f4_load(to) + left[r] : left[r]);
    f4_store(to + 4, mode == GEMM_ADD ? f4_load(to + 4) + right[r] : right[r]);
  }
}

/* Part of a matrix. */
static void copy(float *to, size_t to_row, const float *from, size_t from_row, size_t height,
                 size_t width) {
  for (size_t i = 0; i < height; i++)
    memcpy(to + i * to_row, from + i * from_row, width * sizeof *to);
}

/* ---- The product ---- */

/* Columns of y, at most a group of them, from one block of k. Panels are `pitch` numbers apart. At an
 * edge the tile stands aside, and what is there of it is copied. */
static void block(float *y, size_t stride, size_t m, size_t width, matrix a, const float *panels,
                  size_t pitch, size_t depth, gemm_mode mode) {
  float panel[GEMM_BLOCK * ROWS], aside[ROWS * COLUMNS] = {0};
  bool packed = a.column != 1;
  for (size_t i = 0; i < m; i += ROWS) {
    size_t height = at_most(m - i, ROWS);
    matrix rows = {at(a, i, 0), a.row, a.column};
    const float *row[ROWS], *b = panels;
    if (packed) pack_rows(panel, rows, depth, height);
    for (size_t r = 0; r < ROWS; r++)
      row[r] = packed ? panel + r : at(rows, at_most(r, height - 1), 0);
    for (size_t j = 0; j < width; j += COLUMNS, b += pitch) {
      float *to = y + i * stride + j;
      size_t w = at_most(width - j, COLUMNS);
      bool whole = height == ROWS && w == COLUMNS;
      float *out = whole ? to : aside;
      size_t out_row = whole ? stride : COLUMNS;
      if (!whole && mode != GEMM_SET) copy(aside, COLUMNS, to, stride, height, w);
      if (packed)
        tile(out, out_row, row, ROWS, b, depth, mode);
      else
        tile(out, out_row, row, 1, b, depth, mode);
      if (!whole) copy(to, stride, aside, COLUMNS, height, w);
    }
  }
}

/* Only the first block of k may be more than added. */
static gemm_mode mode_at(size_t k, gemm_mode mode) {
  return k > 0 ? GEMM_ADD : mode;
}

/* sum += x b. Pointers that move cost fewer instructions in WebAssembly than an index. */
static void add_multiple(float *sum, float x, const float *b, size_t n) {
  for (; n >= 16; n -= 16, sum += 16, b += 16)
    for (size_t j = 0; j < 16; j += 4) f4_store(sum + j, x * f4_load(b + j) + f4_load(sum + j));
  for (size_t j = 0; j < n; j += 4, sum += 4, b += 4)
    f4_store(sum, x * f4_load_n(b, n - j, 0) + f4_load(sum));
}

/* Few rows of a: b is not worth packing, but is read once, row by row as it lies in memory, so that
 * the machine can fetch ahead. All sums of as many columns as possible are kept at hand. */
static void gemv(float *y, size_t stride, size_t m, size_t n, size_t depth, matrix a, matrix b,
                 gemm_mode mode) {
  float sums[CHUNK];
  const size_t row = CHUNK / m / 4 * 4;
  for (size_t j = 0; j < n; j += row) {
    size_t width = at_most(n - j, row);
    for (size_t k = 0; k < depth; k += GEMM_BLOCK) {
      for (size_t i = 0; i < m; i++) memset(sums + i * row, 0, (width + 3) / 4 * 4 * sizeof *sums);
      for (size_t l = k; l < k + at_most(depth - k, GEMM_BLOCK); l++)
        for (size_t i = 0; i < m; i++)
          add_multiple(sums + i * row, *at(a, i, l), at(b, l, j), width);
      for (size_t i = 0; i < m; i++)
        for (size_t c = 0; c < width; c += 4) {
          float *to = y + i * stride + j + c;
          f4 sum = f4_load(sums + i * row + c);
          if (k > 0 || mode == GEMM_ADD) sum = f4_load_n(to, width - c, 0) + sum;
          f4_store_n(to, sum, width - c);
        }
    }
  }
}

/* The same for a b whose columns lie in memory as rows: four of them are in lanes, and two such fours
 * keep each other's additions from waiting. */
static void gemv_transposed(float *y, size_t stride, size_t m, size_t n, size_t depth, matrix a,
                            matrix b, gemm_mode mode) {
  for (size_t j = 0; j + COLUMNS <= n; j += COLUMNS)
    for (size_t i = 0; i < m; i++)
      for (size_t k = 0; k < depth; k += GEMM_BLOCK) {
        const size_t last = k + at_most(depth - k, GEMM_BLOCK);
        f4 left = f4_splat(0), right = f4_splat(0);
        size_t l = k;
        for (; l + 4 <= last; l += 4) {
          f4x4 p = f4_transposed(at(b, l, j), b.column),
               q = f4_transposed(at(b, l, j + 4), b.column);
          for (size_t c = 0; c < 4; c++) {
            f4 x = f4_splat(*at(a, i, l + c));
            left = x * p.column[c] + left;
            right = x * q.column[c] + right;
          }
        }
        for (; l < last; l++)
          for (size_t c = 0; c < 4; c++) {
            left[c] = *at(a, i, l) * *at(b, l, j + c) + left[c];
            right[c] = *at(a, i, l) * *at(b, l, j + 4 + c) + right[c];
          }
        float *to = y + i * stride + j;
        bool add = mode_at(k, mode) == GEMM_ADD;
        f4_store(to, add ? f4_load(to) + left : left);
        f4_store(to + 4, add ? f4_load(to + 4) + right : right);
      }
}

/* So few terms that to pack them would take longer than to add them up. */
static void small(float *y, size_t stride, size_t m, size_t n, size_t depth, matrix a, matrix b,
                  gemm_mode mode) {
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++) {
      float *to = y + i * stride + j, sum = mode == GEMM_CONTINUE ? *to : 0;
      for (size_t l = 0; l < depth; l++) sum = *at(a, i, l) * *at(b, l, j) + sum;
      *to = mode == GEMM_ADD ? *to + sum : sum;
    }
}

void gfi_gemm(float *y, size_t stride, size_t m, size_t n, size_t depth, matrix a, matrix b,
              gemm_mode mode) {
  /* In three steps, as the product of all may exceed the address space. */
  bool few = n < COLUMNS && m <= SMALL && depth <= SMALL && m * n * depth <= SMALL;
  if (few || !m || !depth) {
    small(y, stride, m, n, depth, a, b, mode);
    return;
  }
  float panels[GEMM_BLOCK * GEMM_GROUP];
  size_t done = 0;
  if (m < ROWS && n >= GEMM_GROUP / 2 && mode != GEMM_CONTINUE) {
    if (b.column == 1) {
      gemv(y, stride, m, n, depth, a, b, mode);
      return;
    }
    if (b.row == 1) {
      gemv_transposed(y, stride, m, n, depth, a, b, mode);
      done = n / COLUMNS * COLUMNS;
    }
  }
  for (size_t j = done; j < n; j += GEMM_GROUP) {
    size_t width = at_most(n - j, GEMM_GROUP);
    for (size_t k = 0; k < depth; k += GEMM_BLOCK) {
      size_t part = at_most(depth - k, GEMM_BLOCK);
      gfi_gemm_pack((gemm_panels){panels, width, part}, (matrix){at(b, k, j), b.row, b.column});
      block(y + j, stride, m, width, (matrix){at(a, 0, k), a.row, a.column}, panels, part * COLUMNS,
            part, mode_at(k, mode));
    }
  }
}

/* ---- Panels: for each block of k, for each COLUMNS columns, what one tile reads ---- */

static size_t columns_of(size_t n) {
  return (n + COLUMNS - 1) / COLUMNS * COLUMNS;
}

void gfi_gemm_pack(gemm_panels to, matrix b) {
  for (size_t k = 0; k < to.depth; k += GEMM_BLOCK) {
    size_t part = at_most(to.depth - k, GEMM_BLOCK);
    for (size_t j = 0; j < to.n; j += COLUMNS)
      pack_columns(to.p + k * columns_of(to.n) + j * part, (matrix){at(b, k, j), b.row, b.column},
                   part, at_most(to.n - j, COLUMNS));
  }
}

void gfi_gemm_packed(float *y, size_t stride, size_t m, size_t n, size_t depth, matrix a,
                     gemm_panels b, gemm_mode mode) {
  for (size_t k = 0; k < depth; k += GEMM_BLOCK) {
    size_t part = at_most(b.depth - k, GEMM_BLOCK), used = at_most(depth - k, part);
    for (size_t j = 0; j < n; j += GEMM_GROUP)
      block(y + j, stride, m, at_most(n - j, GEMM_GROUP), (matrix){at(a, 0, k), a.row, a.column},
            b.p + k * columns_of(b.n) + j * part, part * COLUMNS, used, mode_at(k, mode));
  }
}

/* ---- Strips ---- */

void gfi_gemm_lay_out(float *strips, size_t n, size_t depth, const float *b) {
  for (size_t j = 0; j < n; j += GEMM_STRIP, strips += GEMM_STRIP * depth) {
    const size_t width = at_most(n - j, GEMM_STRIP);
    for (size_t i = 0; i < width; i++)
      for (size_t k = 0; k < depth; k++) strips[k * width + i] = b[(j + i) * depth + k];
  }
}

void gfi_gemm_strips(float *y, size_t stride, size_t m, size_t n, size_t depth, matrix a,
                     const float *strips) {
  for (size_t j = 0; j < n; j += GEMM_STRIP, strips += GEMM_STRIP * depth) {
    const size_t width = at_most(n - j, GEMM_STRIP);
    gfi_gemm(y + j, stride, m, width, depth, a, matrix_of(strips, width), GEMM_SET);
  }
}
