/* Applies functions of four lanes to whole tensors: what the elementwise ops share. */
#ifndef GF_MAP_H
#define GF_MAP_H

#include "op.h"
#include "fmath.h"

/* y = f(x) */
static inline void map(const tensor *y, const tensor *x, f4 (*f)(f4 x, float c), float c) {
  F4_FOR(i, left, y->size, f4_store_n(y->value + i, f(f4_load_n(x->value + i, left, 0), c), left););
}

/* y = f(x)  =>  dx += dy f'(x); the derivative may use y too */
static inline void map_backward(const tensor *y, const tensor *x,
                                f4 (*derivative)(f4 x, f4 y, float c), float c) {
  if (!x->grad) return;
  F4_FOR(i, left, y->size, {
    f4 d = derivative(f4_load_n(x->value + i, left, 0), f4_load_n(y->value + i, left, 0), c);
    f4_add_n(x->grad + i, f4_load_n(y->grad + i, left, 0) * d, left);
  });
}

#endif
