#include "op.h"
#include "f4.h"

static gf_error shape(tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *x = operand[0], *at = operand[1];
  if (x->rank < 2 || at->size != 1) return GF_ESHAPE;
  if (a->capacity < x->shape[x->rank - 2]) return GF_ERANGE;
  shape_like(y, x);
  role_like(y, x);
  y->shape[y->rank - 2] = a->capacity;
  y->stays = true;
  y->rows = a->capacity - x->shape[x->rank - 2] + 1;
  return GF_OK;
}

/* Runs of x's T rows and of y's N rows, one pair per leading index. */
typedef struct runs {
  size_t count, x, y, at;
} runs;

static runs runs_of(const tensor *y, const tensor *const *operand) {
  size_t width = (size_t)last_dimension(y), rows = (size_t)y->shape[y->rank - 2];
  size_t step = (size_t)operand[0]->shape[y->rank - 2];
  return (runs){y->size / (rows * width), step * width, rows * width,
                row_of_id(operand[1], 0, y->rows) * width};
}

/* y[at + t] = x[t], the rest stays as the last run left it */
static void forward(const tensor *y, const tensor *const *operand, const attributes *a) {
  (void)a;
  runs r = runs_of(y, operand);
  for (size_t i = 0; i < r.count; i++)
    memcpy(y->value + i * r.y + r.at, operand[0]->value + i * r.x, r.x * sizeof *y->value);
}

/* y[at + t] = x[t]  =>  dx[t] += dy[at + t] */
static void backward(const tensor *y, const tensor *const *operand, const attributes *a) {
  (void)a;
  runs r = runs_of(y, operand);
  for (size_t i = 0; operand[0]->grad && i < r.count; i++)
    for (size_t j = 0; j < r.x; j++) operand[0]->grad[i * r.x + j] += y->grad[i * r.y + r.at + j];
}

const op gfi_op_cache = {OP_cache, shape, forward, backward};

/* Writes new keys or values behind those of earlier runs: the one op that remembers.
 *   x [B,H,T,D], at: ids [1]  ->  y [B,H,N,D]     y[..., at + t, :] = x[..., t, :], the rest is kept
 * N = capacity >= T; 0 <= at <= N - T, checked by gf_forward.  gf_plan fills it with zeros, which
 * weights of 0 pass over.  Gradient: dx[..., t, :] += dy[..., at + t, :]. */
int gf_cache(gf_tape *t, int x, int at, int capacity, const char *name) {
  return gfi_push(t, &gfi_op_cache, (int[]){x, at}, (attributes){.capacity = capacity}, name);
}
