/* Which token comes next: the best one, or one by chance. */
#include "glassformer.h"

/* Whether id a comes before id b, best first; of equals the lower one. */
static int before(const float *logits, int32_t a, int32_t b) {
  return logits[a] > logits[b] || (logits[a] == logits[b] && a < b);
}

/* Restores a heap whose root is its best id, below place `at`. */
static void sift_down(const float *logits, int32_t *heap, int n, int at) {
  for (int child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && before(logits, heap[child + 1], heap[child])) child++;
    if (!before(logits, heap[child], heap[at])) return;
    int32_t id = heap[at];
    heap[at] = heap[child];
    heap[child] = id;
  }
}

/* Puts the `count` best ids at the end, the best one last. */
static void rank(const float *logits, int32_t *ids, int n, int count) {
  for (int at = n / 2; at-- > 0;) sift_down(logits, ids, n, at);
  for (int left = n; left > n - count; left--) {
    int32_t id = ids[0];
    ids[0] = ids[left - 1];
    ids[left - 1] = id;
    sift_down(logits, ids, left - 1, 0);
  }
}

int gf_best(const float *logits, int n) {
  int best = 0;
  for (int id = 1; id < n; id++)
    if (logits[id] > logits[best]) best = id;
  return best;
}

int gf_draw(const float *logits, const float *probabilities, int n, const gf_chance *chance,
            uint32_t place, int32_t *ids) {
  const int whole = chance->top_k <= 0 && chance->top_p >= 1;
  int count = chance->top_k > 0 && chance->top_k < n ? chance->top_k : n;
  for (int i = 0; i < n; i++) ids[i] = whole ? n - 1 - i : i;
  if (!whole) rank(logits, ids, n, count);
  /* From here on the i-th id is ids[n - 1 - i]. */
  double total = 0;
  for (int i = 0; i < count; i++) total += (double)probabilities[ids[n - 1 - i]];
  if (chance->top_p < 1) {
    const double wanted = chance->top_p * total;
    int few = 0;
    double sum = 0;
    while (few < count) {
      sum += (double)probabilities[ids[n - 1 - few++]];
      if (sum >= wanted) break;
    }
    count = few;
    total = sum;
  }
  float u;
  gf_uniform(&u, 1, chance->seed, place, 0, 1);
  double left = (double)u * total;
  for (int i = 0; i < count; i++) {
    left -= (double)probabilities[ids[n - 1 - i]];
    if (left < 0) return ids[n - 1 - i];
  }
  return gf_best(logits, n);
}
