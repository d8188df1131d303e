#include "harness.h"

typedef struct part {
  int axis, start, end;
  int before, n, after;
} part;

static int build(gf_tape *t, const int *x, const void *at) {
  const part *p = at;
  return gf_slice(t, x[0], p->axis, p->start, p->end, "y");
}

static void reference(const double *const *x, double *y, const void *at) {
  const part *p = at;
  for (int i = 0; i < p->before; i++)
    for (int k = p->start; k < p->end; k++)
      for (int j = 0; j < p->after; j++) *y++ = x[0][(i * p->n + k) * p->after + j];
}

static void try_part(operand x, part p) {
  check(&(trial){.operands = {x}, .at = &p, .build = build, .reference = reference});
}

#define BAD(...) gf_slice(t, IN(t, 2, 3), __VA_ARGS__, "bad")

static void run(void) {
  static const int bounds[][2] = {{0, 1}, {0, 4}, {1, 3}, {3, 4}};
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
    const int start = bounds[i][0], end = bounds[i][1];
    try_part(VALUES(4), (part){0, start, end, 1, 4, 1});
    try_part(VALUES(4, 3), (part){0, start, end, 1, 4, 3});
    try_part(VALUES(3, 4), (part){1, start, end, 3, 4, 1});
    try_part(VALUES(3, 4), (part){-1, start, end, 3, 4, 1});
    try_part(VALUES(2, 3, 4, 5), (part){2, start, end, 6, 4, 5});
    try_part(VALUES(2, 3, 4, 5), (part){-2, start, end, 6, 4, 5});
  }
  for (const int *n = tails; *n; n++) try_part(VALUES(3, *n), (part){0, 1, 3, 1, 3, *n});

  REFUSES(GF_ERANGE, BAD(2, 0, 1));
  REFUSES(GF_ERANGE, BAD(-3, 0, 1));
  REFUSES(GF_ERANGE, BAD(0, -1, 1));
  REFUSES(GF_ERANGE, BAD(0, 0, 0));
  REFUSES(GF_ESHAPE, BAD(0, 1, 1));
  REFUSES(GF_ESHAPE, BAD(0, 0, 3));
  REFUSES(GF_ENODE, gf_slice(t, IDS(t, 3), 0, 0, 1, "bad"));
}

const spec spec_slice = {"slice", run};
