#include "team.h"
#include "f4.h"

/* beta^step, in float64: the corrections are near 1 where float32 has few digits left. */
static double power(double beta, int step) {
  double y = 1;
  for (; step > 0; step >>= 1, beta *= beta)
    if (step & 1) y *= beta;
  return y;
}

static bool is_within(float x, float low, float high) {
  return x >= low && x <= high;
}

/* A step: of each parameter its number in all blocks, and what of it is the same for all of them. */
typedef struct step {
  float *value;
  const float *grad;
  float *m, *v, *v_max;
  size_t n;
  const gf_adam *c;
  float root, rate;
  size_t together; /* how many parameters make a part */
} step;

static gf_error begin(step *s, const gf_adam *c) {
  s->c = c;
  const float largest = 0x1.fffffep127f, below_1 = 0x1.fffffep-1f;
  if (c->step < 1 || !is_within(c->beta1, 0, below_1) || !is_within(c->beta2, 0, below_1) ||
      !is_within(c->learning_rate, -largest, largest) || !is_within(c->epsilon, 0, largest) ||
      !is_within(c->weight_decay, -largest, largest))
    return GF_ERANGE;
  s->root = (float)__builtin_sqrt(1 - power(c->beta2, c->step));
  s->rate = (float)(c->learning_rate / (1 - power(c->beta1, c->step)));
  return GF_OK;
}

/* Moves some parameters. */
static void move_some(const void *at, int part, int thread) {
  (void)thread;
  const step *s = at;
  const gf_adam *c = s->c;
  const float b1 = c->beta1, b2 = c->beta2, decay = c->weight_decay;
  const float root = s->root, rate = s->rate;
  const size_t first = (size_t)part * s->together, rest = s->n - first;
  const size_t n = rest < s->together ? rest : s->together;
  float *value = s->value + first, *m = s->m + first, *v = s->v + first;
  float *v_max = s->v_max ? s->v_max + first : NULL;
  const float *grad = s->grad + first;
  F4_FOR(i, left, n, {
    f4 x = f4_load_n(value + i, left, 0), g = f4_load_n(grad + i, left, 0);
    if (c->decoupled)
      x -= c->learning_rate * decay * x;
    else
      g += decay * x;
    f4 mean = b1 * f4_load_n(m + i, left, 0) + (1 - b1) * g;
    f4 square = b2 * f4_load_n(v + i, left, 0) + (1 - b2) * g * g;
    f4_store_n(m + i, mean, left);
    f4_store_n(v + i, square, left);
    if (v_max) {
      square = f4_max(square, f4_load_n(v_max + i, left, 0));
      f4_store_n(v_max + i, square, left);
    }
    f4 move = rate * mean / (f4_sqrt(square) / root + c->epsilon);
    /* What never had a gradient stays, without an epsilon too: 0 / 0. */
    f4_store_n(value + i, x - f4_select(mean == 0.0f, mean, move), left);
  });
}

gf_error gf_adam_step(float *value, const float *grad, float *m, float *v, float *v_max, size_t n,
                      const gf_adam *c) {
  step s = {.grad = grad, .n = n, .together = n};
  s.value = value, s.m = m, s.v = v, s.v_max = v_max;
  const gf_error error = begin(&s, c);
  if (!error) move_some(&s, 0, 0);
  return error;
}

#if GF_THREADS
gf_error gf_team_adam_step(gf_team *team, float *value, const float *grad, float *m, float *v,
                           float *v_max, size_t n, const gf_adam *c) {
  enum { TOGETHER = 1 << 14 };
  step s = {.grad = grad, .n = n, .together = TOGETHER};
  s.value = value, s.m = m, s.v = v, s.v_max = v_max;
  const gf_error error = begin(&s, c);
  if (!error && n) gfi_team_run(team, move_some, &s, (int)((n + TOGETHER - 1) / TOGETHER));
  return error;
}
#endif
