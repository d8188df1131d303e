/* Applies functions of four lanes to whole tensors: what the elementwise ops share. */
#ifndef GF_MAP_H
#define GF_MAP_H

#include "op.h"
#include "fmath.h"

/* y = f(x) */
static inline void map(const tensor *y, const tensor *x, f4 (*f)(f4 x, float c), float c) {
  const range part = gfi_part_of(y, y->size, TOGETHER);
  float *to = y->value + part.first;
  const float *from = x->value + part.first;
  F4_FOR(i, left, part.count, f4_store_n(to + i, f(f4_load_n(from + i, left, 0), c), left););
}

/* y = f(x)  =>  dx += dy f'(x); the derivative may use y too */
static inline void map_backward(const tensor *y, const tensor *x,
                                f4 (*derivative)(f4 x, f4 y, float c), float c) {
  if (!x->grad) return;
  const range part = gfi_part_of(y, y->size, TOGETHER);
  const float *from = x->value + part.first, *value = y->value + part.first;
  const float *dy = y->grad + part.first;
  float *dx = x->grad + part.first;
  F4_FOR(i, left, part.count, {
    f4 d = derivative(f4_load_n(from + i, left, 0), f4_load_n(value + i, left, 0), c);
    f4_add_n(dx + i, f4_load_n(dy + i, left, 0) * d, left);
  });
}

/* forward and backward of an op of one operand; C is an attribute of a, or 0 */
#define MAPPED(F, DERIVATIVE, C)                                                                   \
  static void forward(const tensor *y, const tensor *const *x, const attributes *a) {              \
    (void)a;                                                                                       \
    map(y, x[0], F, C);                                                                            \
  }                                                                                                \
  static void backward(const tensor *y, const tensor *const *x, const attributes *a) {             \
    (void)a;                                                                                       \
    map_backward(y, x[0], DERIVATIVE, C);                                                          \
  }

#endif
