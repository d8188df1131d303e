/* The op table in memory, and what its rows say of a node's attributes. */
#ifndef GF_OPS_H
#define GF_OPS_H

#include "op.h"

/* The rows of ops.def, by enum op_id. */
extern const gf_op gfi_ops[OP_COUNT];

static inline const gf_op *row_of(const op *op) {
  return &gfi_ops[op->id];
}

/* The i-th of the attributes that a variant sets; NULL behind the last. */
const gf_attribute *gfi_variant_attribute(int i);

/* One of an op's attributes, as a number; NaN for axes, which are several. */
double gfi_attribute(const attributes *a, const gf_attribute *which);

/* Fills in an op's attributes from numbers in the order of its row. Returns the first that its number
 * does not fit, or NULL. */
const gf_attribute *gfi_set_attributes(attributes *a, enum op_id op, const double *numbers);

/* The first of an op's attributes that is out of its range, or NULL. Whatever is not 0 makes a flag 1. */
const gf_attribute *gfi_check_attributes(attributes *a, enum op_id op);

#endif
