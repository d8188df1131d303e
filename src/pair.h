/* Applies functions of two operands to whole tensors, the second repeated: what elementwise ops of two share. */
#ifndef GF_PAIR_H
#define GF_PAIR_H

#include "op.h"
#include "f4.h"

/* b's dimensions are the trailing ones of a, or 1. */
static inline gf_error shape_of_pair(tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  const tensor *l = x[0], *r = x[1];
  if (r->rank > l->rank) return GF_ESHAPE;
  for (int i = 1; i <= r->rank; i++) {
    const int size = r->shape[r->rank - i];
    if (size != 1 && size != l->shape[l->rank - i]) return GF_ESHAPE;
  }
  shape_like(y, l);
  if (l->about.role == r->about.role) role_like(y, l);
  /* Where b stays at one number, the numbers of a row all add to one db. */
  if (last_dimension(r) == last_dimension(l)) y->work = (double)l->size * WORK_MOVED;
  return GF_OK;
}

/* How the numbers of b lie beside those of a: along each run of a they are neighbours, too, or b stays at one. */
typedef struct pairing {
  size_t run;
  bool stays;
} pairing;

static inline pairing pairing_of(const tensor *a, const tensor *b) {
  pairing p = {1, last_dimension(b) != last_dimension(a)};
  for (int i = 1; i <= a->rank; i++) {
    const int size = i <= b->rank ? b->shape[b->rank - i] : 1;
    if (size != (p.stays ? 1 : a->shape[a->rank - i])) break;
    p.run *= (size_t)a->shape[a->rank - i];
  }
  return p;
}

/* The place in b of what lies beside place i of a. */
static inline size_t beside(const tensor *a, const tensor *b, size_t i) {
  size_t at = 0, stride = 1;
  for (int k = 1; k <= b->rank; k++) {
    const size_t size = (size_t)a->shape[a->rank - k], own = (size_t)b->shape[b->rank - k];
    if (own > 1) at += i % size * stride;
    i /= size;
    stride *= own;
  }
  return at;
}

/* y = f(a, b). A part has some numbers of each run, so each number of b, wherever it is repeated, is of one part. */
static inline void pair(const tensor *y, const tensor *const *x, f4 (*f)(f4 a, f4 b)) {
  const pairing p = pairing_of(x[0], x[1]);
  const range part = gfi_part_of(y, p.run, TOGETHER);
  for (size_t run = 0; run < y->size; run += p.run) {
    const size_t i = run + part.first;
    const float *a = x[0]->value + i;
    const float *b = x[1]->value + beside(x[0], x[1], i);
    F4_FOR(j, left, part.count, {
      f4 other = p.stays ? f4_splat(*b) : f4_load_n(b + j, left, 0);
      f4_store_n(y->value + i + j, f(f4_load_n(a + j, left, 0), other), left);
    });
  }
}

/* y = f(a, b)  =>  da += (d f / d a) dy, db += (d f / d b) dy of each repeat, in the order of a */
static inline void pair_backward(const tensor *y, const tensor *const *x,
                                 f4 (*of_a)(f4 dy, f4 a, f4 b), f4 (*of_b)(f4 dy, f4 a, f4 b)) {
  const pairing p = pairing_of(x[0], x[1]);
  const range part = gfi_part_of(y, p.run, TOGETHER);
  for (size_t run = 0; run < y->size; run += p.run) {
    const size_t i = run + part.first;
    const size_t at = beside(x[0], x[1], i);
    float *da = x[0]->grad, *db = x[1]->grad;
    F4_FOR(j, left, part.count, {
      f4 dy = f4_load_n(y->grad + i + j, left, 0), a = f4_load_n(x[0]->value + i + j, left, 0);
      f4 b = p.stays ? f4_splat(x[1]->value[at]) : f4_load_n(x[1]->value + at + j, left, 0);
      if (da) f4_add_n(da + i + j, of_a(dy, a, b), left);
      if (!db) continue;
      f4 d = of_b(dy, a, b);
      if (!p.stays) f4_add_n(db + at + j, d, left);
      for (size_t k = 0; p.stays && k < left; k++) db[at] += d[k];
    });
  }
}

/* forward and backward of an op of two operands */
#define PAIRED(F, OF_A, OF_B)                                                                      \
  static void forward(const tensor *y, const tensor *const *x, const attributes *a) {              \
    (void)a;                                                                                       \
    pair(y, x, F);                                                                                 \
  }                                                                                                \
  static void backward(const tensor *y, const tensor *const *x, const attributes *a) {             \
    (void)a;                                                                                       \
    pair_backward(y, x, OF_A, OF_B);                                                               \
  }

#endif
