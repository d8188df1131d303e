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

/* ---- The first k places of a row, in the order: larger numbers first, NaN before all numbers, of equals
 * the one further left ---- */

static bool is_larger(float a, float b) {
  return a > b || (a != a && b == b);
}

static bool is_before(const float *x, int32_t a, int32_t b) {
  return is_larger(x[a], x[b]) || (a < b && !is_larger(x[b], x[a]));
}

static void swap(int32_t *a, int32_t *b) {
  int32_t was = *a;
  *a = *b;
  *b = was;
}

/* Lets place i move down in a heap of n places, whose root is the last of them in the order. */
static void sift_down(int32_t *heap, size_t n, size_t i, const float *x) {
  for (size_t child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && is_before(x, heap[child], heap[child + 1])) child++;
    if (!is_before(x, heap[i], heap[child])) return;
    swap(&heap[i], &heap[child]);
  }
}

/* A heap of the first k so far takes each place that comes before its last; then it is sorted. */
static const int32_t *choose(const tensor *y, const float *x, size_t n, size_t k) {
  int32_t *heap = (int32_t *)y->scratch;
  for (size_t i = 0; i < k; i++) heap[i] = (int32_t)i;
  for (size_t i = k / 2; i-- > 0;) sift_down(heap, k, i, x);
  for (size_t j = k; j < n; j++) {
    if (x[j] <= x[heap[0]] || !is_before(x, (int32_t)j, heap[0])) continue;
    heap[0] = (int32_t)j;
    sift_down(heap, k, 0, x);
  }
  for (size_t left = k; left-- > 1;) {
    swap(&heap[0], &heap[left]);
    sift_down(heap, left, 0, x);
  }
  return heap;
}

/* y = the k largest of each row, largest first; or their places */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  size_t n = (size_t)last_dimension(x[0]), k = (size_t)a->k;
  for (size_t r = 0; r < row_count(x[0]); r++) {
    const float *row = x[0]->value + r * n;
    const int32_t *place = choose(y, row, n, k);
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
  size_t n = (size_t)last_dimension(x[0]), k = (size_t)a->k;
  for (size_t r = 0; r < row_count(x[0]); r++) {
    const int32_t *place = choose(y, x[0]->value + r * n, n, k);
    for (size_t i = 0; i < k; i++) x[0]->grad[r * n + (size_t)place[i]] += y->grad[r * k + i];
  }
}

const op gfi_op_top_k = {shape, forward, backward};

/* The k largest of each row, largest first; of equals the one further left.
 *   x [...,N]  ->  y [...,k]     1 <= k <= N
 * gf_top_k gives the numbers (dx gets dy at their places), gf_top_k_ids their places as ids, which may
 * choose among N rows and more: of fewer GF_ESHAPE. */
int gf_top_k(gf_tape *t, int x, int k, const char *name) {
  return gfi_push(t, OP_top_k, (int[]){x}, (attributes){.k = k}, name);
}

int gf_top_k_ids(gf_tape *t, int x, int k, const char *name) {
  return gfi_push(t, OP_top_k, (int[]){x}, (attributes){.k = k, .ids = 1}, name);
}
