/* Products with a stored matrix. They have the bits of gemm.h's with the float32 matrix of the same
 * numbers, which is never made: what a tile needs next is expanded, used by all rows, and forgotten. */
#ifndef GF_STORED_H
#define GF_STORED_H

#include "op.h"

/* A matrix in strips of 8 rows, as gf_store lays it out: blocks lie along its columns. */
typedef struct stored {
  const unsigned char *strips;
  gf_type type;
  bool integer; /* whether products are those of gfi_integer_product */
  size_t rows, columns;
} stored;

static inline stored stored_of(const tensor *w) {
  return (stored){w->strips, w->type, w->integer, (size_t)w->shape[1 - w->along],
                  (size_t)w->shape[w->along]};
}

/* y = x b^T + bias   y [m,rows], x [m,columns]   the part of y that is due; the bias may be NULL */
void gfi_stored_product(const tensor *y, size_t m, const float *x, stored b, const float *bias);

/* dx += dy b    dx [m,columns], dy [m,rows]   of these columns of b, the first a multiple of GEMM_GROUP */
void gfi_stored_product_back(float *dx, size_t m, const float *dy, stored b, range columns);

/* How one number is made. */
gf_weight gfi_stored_weight(stored b, size_t row, size_t column);

/* One row as float32. */
void gfi_stored_row(float *to, stored b, size_t row);

#endif
