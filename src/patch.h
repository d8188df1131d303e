/* The parts of a product: groups of columns, and of each some rows. */
#ifndef GF_PATCH_H
#define GF_PATCH_H

#include "op.h"

/* Some rows of a matrix, and some of its columns. */
typedef struct patch {
  range rows, columns;
} patch;

/* What a part of y's op has of an m x n matrix, in units that are numbered down the columns. */
typedef struct patches {
  size_t m, n;
  range left;
} patches;

/* All of the matrix, if y is NULL. */
patches gfi_patches(const tensor *y, size_t m, size_t n);

/* The next patch, as large as can be: what a product reads of its second operand it uses for all rows. False if there is
 * none left. */
bool gfi_next_patch(patches *all, patch *p);

#endif
