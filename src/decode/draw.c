/* Which token comes next. */
#include "glassformer.h"

/* The sum of the first of so many ids' probabilities that reach `enough`, and how many these are. */
static double sum_of(const float *probabilities, const int32_t *ids, int *count, double enough) {
  double sum = 0;
  for (int i = 0; i < *count; i++) {
    sum += (double)probabilities[ids[i]];
    if (sum >= enough) *count = i + 1;
  }
  return sum;
}

int gf_draw(const float *logits, const float *probabilities, int n, int top_k, double top_p,
            uint32_t seed, uint32_t place, int32_t *ids) {
  if (n < 1) return GF_ERANGE;
  int count = top_k > 0 && top_k < n ? top_k : n;
  if (top_k > 0 || top_p < 1)
    gf_rank(logits, n, count, ids);
  else
    for (int id = 0; id < n; id++) ids[id] = id;
  double left = sum_of(probabilities, ids, &count, (double)UINT32_MAX);
  if (top_p < 1) left = sum_of(probabilities, ids, &count, top_p * left);
  float u;
  gf_uniform(&u, 1, seed, place, 0, 1);
  left *= (double)u;
  for (int i = 0; i < count; i++) {
    left -= (double)probabilities[ids[i]];
    if (left < 0) return ids[i];
  }
  gf_rank(logits, n, 1, ids);
  return ids[0];
}
