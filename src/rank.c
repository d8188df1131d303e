/* The first of many numbers: larger ones first, NaN before all numbers, of equals the one further left. */
#include "glassformer.h"

static int is_larger(float a, float b) {
  return a > b || (a != a && b == b);
}

static int is_before(const float *x, int32_t a, int32_t b) {
  return is_larger(x[a], x[b]) || (a < b && !is_larger(x[b], x[a]));
}

static void swap(int32_t *a, int32_t *b) {
  int32_t was = *a;
  *a = *b;
  *b = was;
}

/* Lets place i move down in a heap of n places, whose root is the last of them in the order. */
static void sift_down(int32_t *heap, int n, int i, const float *x) {
  for (int child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && is_before(x, heap[child], heap[child + 1])) child++;
    if (!is_before(x, heap[i], heap[child])) return;
    swap(&heap[i], &heap[child]);
  }
}

/* A heap of the first so far takes each place that comes before its last; then it is sorted. */
void gf_rank(const float *x, int n, int count, int32_t *ids) {
  if (count > n) count = n;
  if (count < 1) return;
  for (int i = 0; i < count; i++) ids[i] = i;
  for (int i = count / 2; i-- > 0;) sift_down(ids, count, i, x);
  for (int j = count; j < n; j++) {
    if (x[j] <= x[ids[0]] || !is_before(x, j, ids[0])) continue;
    ids[0] = j;
    sift_down(ids, count, 0, x);
  }
  for (int left = count; left-- > 1;) {
    swap(&ids[0], &ids[left]);
    sift_down(ids, left, 0, x);
  }
}
