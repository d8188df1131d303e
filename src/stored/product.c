#include "format.h"
#include "gemm.h"

/* FEW: so few rows that to compute a whole tile would be waste. For these STRIPS strips are expanded, CHUNK
 * columns of each at a time; for more, a GROUP of columns of the product by blocks of terms, as in gemm.c. */
enum { FEW = 3, STRIPS = 4, CHUNK = 128, GROUP = 64 };

static size_t at_most(size_t a, size_t limit) {
  return a < limit ? a : limit;
}

/* ---- Few rows ---- */

/* sums += x[k] times row k of so many panels side by side, for each k in order. All sums stay in registers. */
F4_INLINE void add_terms(f4 *sums, const float *x, const float *panels, size_t count,
                         size_t strips) {
  f4 s[2 * STRIPS];
  for (size_t i = 0; i < 2 * strips; i++) s[i] = sums[i];
  for (size_t k = 0; k < count; k++, panels += WIDTH) {
    const f4 a = f4_splat(x[k]);
#pragma GCC unroll 8
    for (size_t i = 0; i < 2 * strips; i++)
      s[i] = a * f4_load(panels + i / 2 * CHUNK * WIDTH + i % 2 * 4) + s[i];
  }
  for (size_t i = 0; i < 2 * strips; i++) sums[i] = s[i];
}

/* The columns of y from j on, STRIPS of them at most, from one block of terms. */
static void few_from_block(float *y, size_t m, const float *x, stored b, size_t j, size_t k) {
  float panels[STRIPS * CHUNK * WIDTH];
  f4 sums[FEW][2 * STRIPS] = {0};
  const size_t width = at_most(b.rows - j, (size_t)STRIPS * WIDTH),
               strips = (width + WIDTH - 1) / WIDTH;
  const size_t end = k + at_most(b.columns - k, GEMM_BLOCK);
  for (size_t l = k; l < end; l += CHUNK) {
    const size_t count = at_most(end - l, CHUNK);
    for (size_t s = 0; s < strips; s++)
      gfi_expand(panels + s * CHUNK * WIDTH, b, j / WIDTH + s, l, count);
    for (size_t i = 0; i < m; i++) {
      const float *terms = x + i * b.columns + l;
      if (strips == STRIPS) {
        add_terms(sums[i], terms, panels, count, STRIPS);
        continue;
      }
      for (size_t s = 0; s < strips; s++)
        add_terms(sums[i] + 2 * s, terms, panels + s * CHUNK * WIDTH, count, 1);
    }
  }
  for (size_t i = 0; i < m; i++)
    for (size_t c = 0; c < width; c += 4) {
      float *to = y + i * b.rows + j + c;
      f4 sum = sums[i][c / 4];
      if (k > 0) sum = f4_load_n(to, width - c, 0) + sum;
      f4_store_n(to, sum, width - c);
    }
}

/* ---- Many: the tile of gemm.c reads what is expanded as it reads what it packs ---- */

static void many_from_block(float *y, size_t m, const float *x, stored b, size_t j, size_t k) {
  float panels[GROUP * GEMM_BLOCK];
  const size_t width = at_most(b.rows - j, GROUP), part = at_most(b.columns - k, GEMM_BLOCK);
  for (size_t s = 0; s < width; s += WIDTH)
    gfi_expand(panels + s * part, b, (j + s) / WIDTH, k, part);
  gfi_gemm_packed(y + j, b.rows, m, width, part, (matrix){x + k, b.columns, 1},
                  (gemm_panels){panels, width, part}, k > 0 ? GEMM_ADD : GEMM_SET);
}

void gfi_stored_product(float *y, size_t m, const float *x, stored b) {
  const bool few = m <= FEW;
  for (size_t j = 0; j < b.rows; j += few ? (size_t)STRIPS * WIDTH : GROUP)
    for (size_t k = 0; k < b.columns; k += GEMM_BLOCK)
      (few ? few_from_block : many_from_block)(y, m, x, b, j, k);
}

/* ---- Back: the sum is over the rows of b, so its strips are turned ---- */

/* Numbers of the rows of one strip, `width` columns from k on: panels[c / 8][r][c % 8], those of a column
 * group `pitch` numbers apart; 0 beyond the width. */
static void turn(float *panels, size_t pitch, stored b, size_t strip, size_t k, size_t width) {
  float expanded[CHUNK * WIDTH];
  const size_t unit = (size_t)gfi_formats[b.type].unit, skipped = k % unit;
  gfi_expand(expanded, b, strip, k - skipped, width > unit ? width : unit);
  const size_t rows = at_most(b.rows - strip * WIDTH, WIDTH);
  for (size_t c = 0; c < (width + WIDTH - 1) / WIDTH * WIDTH; c++)
    for (size_t r = 0; r < rows; r++)
      panels[c / WIDTH * pitch + r * WIDTH + c % WIDTH] =
          c < width ? expanded[(skipped + c) * WIDTH + r] : 0;
}

void gfi_stored_product_back(float *dx, size_t m, const float *dy, stored b) {
  float panels[GROUP * GEMM_BLOCK];
  for (size_t k = 0; k < b.columns; k += GROUP)
    for (size_t j = 0; j < b.rows; j += GEMM_BLOCK) {
      const size_t width = at_most(b.columns - k, GROUP), part = at_most(b.rows - j, GEMM_BLOCK);
      for (size_t r = 0; r < part; r += WIDTH)
        turn(panels + r * WIDTH, part * WIDTH, b, (j + r) / WIDTH, k, width);
      gfi_gemm_packed(dx + k, b.columns, m, width, part, (matrix){dy + j, b.rows, 1},
                      (gemm_panels){panels, width, part}, GEMM_ADD);
    }
}

/* ---- One row ---- */

void gfi_stored_row(float *to, stored b, size_t row) {
  float panel[CHUNK * WIDTH];
  for (size_t k = 0; k < b.columns; k += CHUNK) {
    const size_t count = at_most(b.columns - k, CHUNK);
    gfi_expand(panel, b, row / WIDTH, k, count);
    for (size_t i = 0; i < count; i++) to[k + i] = panel[i * WIDTH + row % WIDTH];
  }
}
