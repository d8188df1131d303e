#include "op.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  if (a->k < 1 || a->k > last_dimension(x[0])) return GF_ERANGE;
  shape_like(y, x[0]);
  axis_is(y, y->rank - 1, a->k, 0);
  y->type = a->ids ? GF_IDS : GF_F32;
  y->limit = a->ids ? last_dimension(x[0]) : 0;
  y->scratch_forward = y->scratch_backward = (uint64_t)a->k;
  return GF_OK;
}

/* y = the k largest of each row, largest first; or their places */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  const size_t n = (size_t)last_dimension(x[0]), k = (size_t)a->k;
  int32_t *place = (int32_t *)y->scratch;
  for (size_t r = 0; r < row_count(x[0]); r++) {
    const float *row = x[0]->value + r * n;
    gf_rank(row, (int)n, a->k, place);
    for (size_t i = 0; i < k; i++)
      if (a->ids)
        y->ids[r * k + i] = place[i];
      else
        y->value[r * k + i] = row[place[i]];
  }
}

/* y_i = x[place i]  =>  dx[place i] += dy_i */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  if (!x[0]->grad) return;
  const size_t n = (size_t)last_dimension(x[0]), k = (size_t)a->k;
  int32_t *place = (int32_t *)y->scratch;
  for (size_t r = 0; r < row_count(x[0]); r++) {
    gf_rank(x[0]->value + r * n, (int)n, a->k, place);
    for (size_t i = 0; i < k; i++) x[0]->grad[r * n + (size_t)place[i]] += y->grad[r * k + i];
  }
}

const op gfi_op_top_k = {OP_top_k, shape, forward, backward};

/* The k largest of each row, largest first; of equals the one further left.
 *   x [...,N]  ->  y [...,k]     1 <= k <= N
 * gf_top_k gives the numbers (dx gets dy at their places), gf_top_k_ids their places as ids, which may
 * choose among N rows and more: of fewer GF_ESHAPE. */
int gf_top_k(gf_tape *t, int x, int k, const char *name) {
  return gfi_push(t, &gfi_op_top_k, (int[]){x}, (attributes){.k = k}, name);
}

int gf_top_k_ids(gf_tape *t, int x, int k, const char *name) {
  return gfi_push(t, &gfi_op_top_k, (int[]){x}, (attributes){.k = k, .ids = 1}, name);
}
