/* Takes an axis away, or all: what sum, mean and amax share. */
#ifndef GF_REDUCE_H
#define GF_REDUCE_H

#include "op.h"
#include "f4.h"

/* x as [before,n,after], of which the middle goes. */
typedef struct reduction {
  size_t before, n, after;
} reduction;

static inline reduction reduction_of(const tensor *x, const attributes *a) {
  if (a->axis == GF_ALL) return (reduction){1, x->size, 1};
  const int axis = axis_of(x->rank, a->axis);
  reduction r = {1, (size_t)x->shape[axis], 1};
  for (int i = 0; i < axis; i++) r.before *= (size_t)x->shape[i];
  for (int i = axis + 1; i < x->rank; i++) r.after *= (size_t)x->shape[i];
  return r;
}

static inline gf_error shape_of_reduction(tensor *y, const tensor *const *x, const attributes *a) {
  const bool all = a->axis == GF_ALL;
  const int axis = axis_of(x[0]->rank, a->axis);
  if (!all && axis < 0) return GF_ERANGE;
  for (int i = 0; i < x[0]->rank; i++) {
    const bool goes = all || i == axis;
    if (!goes)
      axis_like(y, y->rank++, x[0], i);
    else if (a->keep_dims)
      axis_is(y, y->rank++, 1, GF_AXIS_NONE);
  }
  if (!y->rank) axis_is(y, y->rank++, 1, GF_AXIS_NONE);
  return GF_OK;
}

/* y = the sum over the axis. Where its numbers lie side by side, as f4_sum adds them up; else one after the other. */
static inline void reduce_sum(const tensor *y, const tensor *x, const attributes *a) {
  const reduction r = reduction_of(x, a);
  for (size_t i = 0; i < r.before; i++) {
    const float *from = x->value + i * r.n * r.after;
    float *to = y->value + i * r.after;
    if (r.after == 1) {
      f4 sum = f4_splat(0);
      F4_FOR(j, left, r.n, sum += f4_load_n(from + j, left, 0););
      *to = f4_sum(sum);
      continue;
    }
    for (size_t j = 0; j < r.after; j++) to[j] = 0;
    for (size_t k = 0; k < r.n; k++)
      F4_FOR(j, left, r.after, f4_add_n(to + j, f4_load_n(from + k * r.after + j, left, 0), left););
  }
}

/* y = the sum / count  =>  dx += dy / count, of each */
static inline void reduce_sum_backward(const tensor *y, const tensor *x, const attributes *a,
                                       float count) {
  if (!x->grad) return;
  const reduction r = reduction_of(x, a);
  for (size_t i = 0; i < x->size; i++)
    x->grad[i] += y->grad[i / (r.n * r.after) * r.after + i % r.after] / count;
}

#endif
