/* The product of two matrices, and the one order in which it is summed.
 *
 *   y[i,j]  =  sum over k of a[i,k] b[k,j]        m x n outputs, depth terms each
 *
 * Output columns lie in lanes, so each output is summed on its own: k in blocks of GEMM_BLOCK,
 * inside a block from 0 in the order of k, each product rounded, then the block sums in order. */
#ifndef GF_GEMM_H
#define GF_GEMM_H

#include "f4.h"

#include <stdbool.h>

/* A product in parts has whole groups of columns, as many as are packed at a time. */
enum { GEMM_BLOCK = 256, GEMM_GROUP = 64, GEMM_STRIP = 2048 };

/* A matrix in memory: element [i,j] is at p[i * row + j * column]. Swap the two to transpose. */
typedef struct matrix {
  const float *p;
  size_t row, column;
} matrix;

static inline matrix matrix_of(const float *p, size_t columns) {
  return (matrix){p, columns, 1};
}
static inline matrix matrix_transposed(const float *p, size_t columns) {
  return (matrix){p, 1, columns};
}

/* What becomes of y. */
typedef enum gemm_mode {
  GEMM_SET,     /* it is overwritten */
  GEMM_ADD,     /* the block sums are added to it */
  GEMM_CONTINUE /* a block's sum is there already: its further terms follow, depth of them in all at
                   most GEMM_BLOCK */
} gemm_mode;

/* y is row-major, its rows `stride` apart. A sum of no terms is 0. */
void gfi_gemm(float *y, size_t stride, size_t m, size_t n, size_t depth, matrix a, matrix b,
              gemm_mode mode);

/* The same for a b that meets several a: it is laid out once, in the order in which the product
 * reads it. */
typedef struct gemm_panels {
  float *p; /* room for `depth` rows of n numbers, rounded up to 8 */
  size_t n, depth;
} gemm_panels;

/* b^T, for products of few rows with a b whose columns lie in memory as rows: n columns in strips of
 * GEMM_STRIP, each of them a matrix that is read from its beginning to its end. Takes n x depth numbers. */
void gfi_gemm_lay_out(float *strips, size_t n, size_t depth, const float *b);
void gfi_gemm_strips(float *y, size_t stride, size_t m, size_t n, size_t depth, matrix a,
                     const float *strips);

void gfi_gemm_pack(gemm_panels to, matrix b);

/* The first n columns and the first `depth` terms of what was packed, at least one. */
void gfi_gemm_packed(float *y, size_t stride, size_t m, size_t n, size_t depth, matrix a,
                     gemm_panels b, gemm_mode mode);

#endif
