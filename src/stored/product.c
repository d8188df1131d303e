#include "format.h"
#include "gemm.h"
#include "row.h"

/* For more than FEW rows, numbers are expanded for all of them: a GEMM_GROUP of columns of the product by blocks of
 * terms, as in gemm.c. CHUNK: columns of a strip that are expanded at a time elsewhere. */
enum { FEW = 2, CHUNK = 128 };

static size_t at_most(size_t a, size_t limit) {
  return a < limit ? a : limit;
}

/* ---- Few rows ---- */

/* The columns of y from j on, WIDTH of them at most, from one block of terms. */
static void few_from_block(float *y, size_t m, const float *x, stored b, size_t j, size_t k) {
  const size_t width = at_most(b.rows - j, WIDTH), part = at_most(b.columns - k, GEMM_BLOCK);
  for (size_t i = 0; i < m; i++) {
    f4 sums[2];
    gfi_stored_terms(sums, x + i * b.columns + k, b, j / WIDTH, k, part);
    for (size_t c = 0; c < width; c += 4) {
      float *to = y + i * b.rows + j + c;
      f4 sum = sums[c / 4];
      if (k > 0) sum = f4_load_n(to, width - c, 0) + sum;
      f4_store_n(to, sum, width - c);
    }
  }
}

/* ---- Many: the tile of gemm.c reads what is expanded as it reads what it packs ---- */

static void many_from_block(float *y, size_t m, const float *x, stored b, size_t j, size_t k) {
  float panels[GEMM_GROUP * GEMM_BLOCK];
  const size_t width = at_most(b.rows - j, GEMM_GROUP), part = at_most(b.columns - k, GEMM_BLOCK);
  for (size_t s = 0; s < width; s += WIDTH)
    gfi_expand(panels + s * part, b, (j + s) / WIDTH, k, part);
  gfi_gemm_packed(y + j, b.rows, m, width, part, (matrix){x + k, b.columns, 1},
                  (gemm_panels){panels, width, part}, k > 0 ? GEMM_ADD : GEMM_SET);
}

void gfi_stored_product(const tensor *y, size_t m, const float *x, stored b, const float *bias) {
  if (b.integer) {
    gfi_integer_product(y, m, x, b, bias);
    return;
  }
  const bool few = m <= FEW;
  const range c = part_of(y, b.rows, GEMM_GROUP);
  for (size_t j = c.first; j < c.first + c.count; j += few ? WIDTH : GEMM_GROUP)
    for (size_t k = 0; k < b.columns; k += GEMM_BLOCK)
      (few ? few_from_block : many_from_block)(y->value, m, x, b, j, k);
  gfi_add_row(y->value + c.first, b.rows, m, bias ? bias + c.first : NULL, c.count);
}

/* ---- Back: the sum is over the rows of b, so its strips are transposed ---- */

/* Numbers of the rows of one strip, `width` columns from k on: panels[c / 8][r][c % 8], those of a column
 * group `pitch` numbers apart; 0 beyond the width. */
static void transpose(float *panels, size_t pitch, stored b, size_t strip, size_t k, size_t width) {
  float expanded[CHUNK * WIDTH];
  const size_t unit = (size_t)gfi_formats[b.type].unit, skipped = k % unit;
  gfi_expand(expanded, b, strip, k - skipped, width > unit ? width : unit);
  const size_t rows = at_most(b.rows - strip * WIDTH, WIDTH);
  for (size_t c = 0; c < (width + WIDTH - 1) / WIDTH * WIDTH; c++)
    for (size_t r = 0; r < rows; r++)
      panels[c / WIDTH * pitch + r * WIDTH + c % WIDTH] =
          c < width ? expanded[(skipped + c) * WIDTH + r] : 0;
}

void gfi_stored_product_back(float *dx, size_t m, const float *dy, stored b, range columns) {
  float panels[GEMM_GROUP * GEMM_BLOCK];
  const size_t end = columns.first + columns.count;
  for (size_t k = columns.first; k < end; k += GEMM_GROUP)
    for (size_t j = 0; j < b.rows; j += GEMM_BLOCK) {
      const size_t width = at_most(end - k, GEMM_GROUP), part = at_most(b.rows - j, GEMM_BLOCK);
      for (size_t r = 0; r < part; r += WIDTH)
        transpose(panels + r * WIDTH, part * WIDTH, b, (j + r) / WIDTH, k, width);
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
