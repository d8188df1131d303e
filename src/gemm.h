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

enum { GEMM_BLOCK = 256 };

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

/* y is row-major, without gaps. add: the block sums are added to what is in y. */
void gemm(float *y, size_t m, size_t n, size_t depth, matrix a, matrix b, bool add);

#endif
