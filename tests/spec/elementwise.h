/* What the specs of elementwise ops share: y[i] = f(x[i]), of each number alone. */
#ifndef GF_ELEMENTWISE_H
#define GF_ELEMENTWISE_H

#include "harness.h"

#include <math.h>

typedef struct elementwise {
  int (*push)(gf_tape *t, int x, float c, const char *name);
  double (*exact)(double x, double c);
  float c; /* the op's own constant; 0 if it has none */
  int size;
} elementwise;

static inline int elementwise_build(gf_tape *t, const int *x, const void *at) {
  const elementwise *f = at;
  return f->push(t, x[0], f->c, "y");
}

static inline void elementwise_reference(const double *const *x, double *y, const void *at) {
  const elementwise *f = at;
  for (int i = 0; i < f->size; i++) y[i] = f->exact(x[0][i], (double)f->c);
}

static inline void try_operand(elementwise f, operand x) {
  f.size = 1;
  for (int i = 0; i < GF_MAX_RANK && x.shape[i]; i++) f.size *= x.shape[i];
  check(&(trial){
      .operands = {x}, .at = &f, .build = elementwise_build, .reference = elementwise_reference});
}

static inline void try_points(elementwise f, int n, const double *x) {
  try_operand(f, (operand){.shape = {n}, .given = x});
}

/* Random numbers in all tails and ranks. */
static inline void try_range(elementwise f, double low, double high) {
  static const int shapes[][GF_MAX_RANK] = {{3, 5}, {2, 3, 7}, {2, 3, 2, 5}};
  for (const int *n = tails; *n; n++) {
    try_operand(f, (operand){.shape = {*n}, .low = low, .high = high});
  }
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    operand x = {.low = low, .high = high};
    for (int d = 0; d < GF_MAX_RANK; d++) x.shape[d] = shapes[i][d];
    try_operand(f, x);
  }
}

static inline double value_at(elementwise f, float x) {
  room_reset();
  gf_tape *t = new_tape();
  int in = IN(t, 1), y = f.push(t, in, f.c, "y");
  place(t);
  gf_node_value(t, in)[0] = x;
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  return gf_node_value(t, y)[0];
}

/* Small results keep their digits, which the tolerance of a trial would not see. */
static inline void expect_digits(elementwise f, float x) {
  double exact = f.exact((double)x, (double)f.c);
  EXPECT_NEAR(value_at(f, x) / exact, 1, 1e-6);
}

static inline void refuse_operands(elementwise f) {
  REFUSES(GF_ENODE, f.push(t, IDS(t, 3), f.c, "bad"));
  REFUSES(GF_ENODE, f.push(t, GF_NONE, f.c, "bad"));
  REFUSES(GF_ENODE, f.push(t, 7, f.c, "bad"));
}

#endif
