#include "op.h"
#include "f4.h"

static gf_error shape(tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *x = operand[0];
  int last = last_dimension(x);
  if (a->split) {
    if (x->rank != 2 && x->rank != 3) return GF_ESHAPE;
    if (a->heads < 1 || last % a->heads) return GF_ERANGE;
    y->rank = x->rank + 1;
    axis_like(y, 0, x, 0); /* B of rank 3; overwritten below for rank 2 */
    axis_is(y, y->rank - 3, a->heads, GF_AXIS_HEAD);
    axis_like(y, y->rank - 2, x, x->rank - 2);
    axis_like(y, y->rank - 1, x, x->rank - 1);
    y->shape[y->rank - 1] = last / a->heads;
    y->work = (double)x->size * WORK_MOVED;
    role_like(y, x);
    y->about.heads = a->heads;
    return GF_OK;
  }
  if (x->rank < 3) return GF_ESHAPE;
  int heads = x->shape[x->rank - 3];
  y->rank = x->rank - 1;
  axis_like(y, 0, x, 0);
  axis_like(y, y->rank - 2, x, x->rank - 2);
  axis_like(y, y->rank - 1, x, x->rank - 1);
  y->shape[y->rank - 1] = last * heads;
  y->work = (double)x->size * WORK_MOVED;
  role_like(y, x);
  y->about.heads = heads;
  return GF_OK;
}

/* Walks both layouts together: apart is [B,H,T,D], joined is [B,T,H*D]. A part of y's work has the tokens of some heads. */
static void move(const tensor *y, const tensor *apart, float *to, const float *from, bool split,
                 bool add) {
  int r = apart->rank;
  size_t heads = (size_t)apart->shape[r - 3], time = (size_t)apart->shape[r - 2];
  size_t width = (size_t)apart->shape[r - 1];
  const range part = gfi_part_of(y, apart->size / width, time);
  for (size_t i = part.first; i < part.first + part.count; i++) {
    size_t h = i / time % heads, t = i % time, b = i / time / heads;
    size_t at_joined = ((b * time + t) * heads + h) * width;
    float *out = to + (split ? i * width : at_joined);
    const float *in = from + (split ? at_joined : i * width);
    if (add)
      F4_FOR(d, left, width, f4_add_n(out + d, f4_load_n(in + d, left, 0), left););
    else
      F4_FOR(d, left, width, f4_store_n(out + d, f4_load_n(in + d, left, 0), left););
  }
}

/* y[h,t,d] = x[t, h D + d], or back */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  move(y, a->split ? y : x[0], y->value, x[0]->value, a->split, false);
}

/* y[h,t,d] = x[t, h D + d]  =>  dx[t, h D + d] += dy[h,t,d], or back */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  if (x[0]->grad) move(y, a->split ? y : x[0], x[0]->grad, y->grad, !a->split, true);
}

const op gfi_op_heads = {OP_heads, shape, forward, backward};

/* Gives each head its own matrix.   x [...,T,H*D]  ->  y [...,H,T,D]   y[h,t,d] = x[t, h D + d]
 * heads >= 1 divides the last dimension; x of rank 2 or 3.  Gradient: the same permutation,
 * backwards. */
int gf_split_heads(gf_tape *t, int x, int heads, const char *name) {
  return gfi_push(t, &gfi_op_heads, (int[]){x}, (attributes){.split = 1, .heads = heads}, name);
}

/* Joins the heads again.   x [...,H,T,D]  ->  y [...,T,H*D]   y[t, h D + d] = x[h,t,d]
 * x of rank 3 or 4.  Gradient: the same permutation, backwards. */
int gf_concat_heads(gf_tape *t, int x, const char *name) {
  return gfi_push(t, &gfi_op_heads, (int[]){x}, (attributes){0}, name);
}
