/* gf_rank and gf_draw, against a slow float64 reference that sorts all ids by insertion. */
#include "harness.h"

#include <string.h>

enum { MOST = 70 };

typedef struct way {
  double top_p;
  int top_k;
  uint32_t seed;
} way;

/* The id that the random number of (seed, place) falls on. */
static int drawn(const float *logits, const float *p, int n, const way *c, uint32_t place) {
  int order[MOST], count = n;
  const int whole = c->top_k <= 0 && c->top_p >= 1;
  for (int i = 0; i < n; i++) {
    int at = i;
    if (!whole)
      for (; at > 0 && logits[order[at - 1]] < logits[i]; at--) order[at] = order[at - 1];
    order[at] = i;
  }
  if (c->top_k > 0 && c->top_k < n) count = c->top_k;
  double all = 0, sum = 0;
  for (int i = 0; i < count; i++) all += (double)p[order[i]];
  for (int i = 0; c->top_p < 1 && i < count; i++) {
    sum += (double)p[order[i]];
    if (sum >= c->top_p * all) count = i + 1;
  }
  if (c->top_p < 1) all = sum;
  /* Upper 24 bits of the first word of Philox, as numbers.c holds gf_uniform against them. */
  double u = (double)(random_word(c->seed, 0, 0, place, 0) >> 8) / 16777216 * all;
  for (int i = 0; i < count; i++) {
    u -= (double)p[order[i]];
    if (u < 0) return order[i];
  }
  return order[0];
}

static void check_draws(void) {
  static const way ways[] = {{1, 0, 3},   {1, 1, 3},   {1, 5, 3}, {1, 1000, 3}, {0.5, 0, 3},
                             {0.9, 0, 9}, {0.7, 6, 9}, {0, 0, 9}, {1e-9, 3, 9}};
  float logits[MOST], p[MOST];
  int32_t ids[MOST];
  for (const int *n = tails; *n && *n <= MOST; n++) {
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
      for (uint32_t place = 0; place < 20; place++) {
        double sum = 0;
        /* Some of them equal. */
        for (int i = 0; i < *n; i++) logits[i] = (float)(int)random_between(-6, 6) / 2;
        for (int i = 0; i < *n; i++) sum += (double)gf_expf(logits[i]);
        for (int i = 0; i < *n; i++) p[i] = (float)((double)gf_expf(logits[i]) / sum);
        int got = gf_draw(logits, p, *n, ways[w].top_k, ways[w].top_p, ways[w].seed, place, ids);
        int due = drawn(logits, p, *n, &ways[w], place);
        if (got != due)
          complain("of %d ids, way %d, place %d: %d, not %d", *n, (int)w, (int)place, got, due);
      }
    }
  }
}

/* Each id as often as its probability says, within five deviations. */
static void check_shares(void) {
  enum { IDS = 4, DRAWS = 20000 };
  const float logits[IDS] = {0, 1, 2, 1};
  const float p[IDS] = {0.08f, 0.2f, 0.52f, 0.2f};
  int32_t ids[IDS];
  int times[IDS] = {0};
  for (uint32_t place = 0; place < DRAWS; place++)
    times[gf_draw(logits, p, IDS, 0, 1, 5, place, ids)]++;
  for (int i = 0; i < IDS; i++) EXPECT_NEAR((double)times[i] / DRAWS, p[i], 5 * 0.5 / 141.4);
}

static void run(void) {
  const float x[] = {1, 3, 3, 2};
  int32_t ids[] = {7, 7, 7, 7};
  gf_rank(x, 4, 3, ids);
  EXPECT(ids[0] == 1 && ids[1] == 2 && ids[2] == 3 && ids[3] == 7);
  /* More than there are, or fewer than one: what lies behind the room stays. */
  int32_t room[] = {7, 7, 7, 7, 7};
  gf_rank(x, 4, 1000, room);
  EXPECT(room[0] == 1 && room[3] == 0 && room[4] == 7);
  gf_rank(x, 4, -1, room), gf_rank(x, -4, 2, room);
  EXPECT(room[0] == 1 && room[4] == 7);
  EXPECT_INT(gf_draw(x, x, 0, 0, 1, 5, 0, room), GF_ERANGE);
  check_draws();
  check_shares();
}

const spec spec_decoding = {"decoding", run};
