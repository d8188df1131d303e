#include "gemm.h"

/* A tile of the output is held in registers: ROWS x 2 vectors, COLUMNS numbers wide. */
enum { ROWS = 4, COLUMNS = 8 };

/* Copies a block of b, up to COLUMNS wide, so that the tile reads it in order; zeros fill the
 * width. */
static void pack(float *panel, matrix b, size_t depth, size_t width) {
  for (size_t k = 0; k < depth; k++)
    for (size_t j = 0; j < COLUMNS; j++)
      panel[k * COLUMNS + j] = j < width ? b.p[k * b.row + j * b.column] : 0;
}

static void store(float *y, f4 left, f4 right, size_t width, bool add) {
  if (width <= 4) {
    f4_store_n(y, add ? f4_load_n(y, width, 0) + left : left, width);
    return;
  }
  f4_store(y, add ? f4_load(y) + left : left);
  f4_store_n(y + 4, add ? f4_load_n(y + 4, width - 4, 0) + right : right, width - 4);
}

/* height x width outputs at y from one block. Rows that are not there repeat the last one, so that
 * an edge costs no path of its own. */
static void tile(float *y, size_t stride, size_t height, size_t width, matrix a, const float *panel,
                 size_t depth, bool add) {
  const float *p[ROWS];
  f4 left[ROWS], right[ROWS];
  for (size_t r = 0; r < ROWS; r++) {
    p[r] = a.p + (r < height ? r : height - 1) * a.row;
    left[r] = right[r] = f4_splat(0);
  }
  for (size_t k = 0; k < depth; k++) {
    f4 b0 = f4_load(panel + k * COLUMNS), b1 = f4_load(panel + k * COLUMNS + 4);
    for (size_t r = 0; r < ROWS; r++) {
      f4 x = f4_splat(p[r][k * a.column]);
      left[r] = x * b0 + left[r];
      right[r] = x * b1 + right[r];
    }
  }
  for (size_t r = 0; r < height; r++) store(y + r * stride, left[r], right[r], width, add);
}

static size_t at_most(size_t a, size_t limit) {
  return a < limit ? a : limit;
}

void gemm(float *y, size_t m, size_t n, size_t depth, matrix a, matrix b, bool add) {
  float panel[GEMM_BLOCK * COLUMNS];
  for (size_t j = 0; j < n; j += COLUMNS) {
    size_t width = at_most(n - j, COLUMNS);
    for (size_t k = 0; k < depth; k += GEMM_BLOCK) {
      size_t block = at_most(depth - k, GEMM_BLOCK);
      pack(panel, (matrix){b.p + k * b.row + j * b.column, b.row, b.column}, block, width);
      for (size_t i = 0; i < m; i += ROWS)
        tile(y + i * n + j, n, at_most(m - i, ROWS), width,
             (matrix){a.p + i * a.row + k * a.column, a.row, a.column}, panel, block, add || k > 0);
    }
  }
}
