/* Applies functions of four lanes to whole tensors: what the elementwise ops share. */
#ifndef GF_MAP_H
#define GF_MAP_H

#include "op.h"
#include "fmath.h"

/* y = f(x) */
static inline void map(const tensor *y, const tensor *x, f4 (*f)(f4 x, float c), float c) {
  for (size_t i = 0; i < y->size; i += 4)
    f4_store_n(y->value + i, f(f4_load_n(x->value + i, y->size - i, 0), c), y->size - i);
}

/* y = f(x)  =>  dx += dy f'(x); the slope may use y too */
static inline void map_backward(const tensor *y, const tensor *x, f4 (*slope)(f4 x, f4 y, float c),
                                float c) {
  if (!x->grad) return;
  for (size_t i = 0; i < y->size; i += 4) {
    size_t n = y->size - i;
    f4 d = slope(f4_load_n(x->value + i, n, 0), f4_load_n(y->value + i, n, 0), c);
    f4_add_n(x->grad + i, f4_load_n(y->grad + i, n, 0) * d, n);
  }
}

#endif
