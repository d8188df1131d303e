/* Adam, the norm of a gradient and the learning rates, where their formulas have no number. */
#include "harness.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N = 5 };

/* Values, gradients, m, v. */
typedef struct state {
  float x[N], g[N], m[N], v[N];
} state;

static const state start = {.x = {1, -2, 3, 0.5f, 0}, .g = {1, 0, -3, 1e-30f, 0}};
static const gf_adam usual = {
    .learning_rate = 0.1f, .beta1 = 0.9f, .beta2 = 0.999f, .epsilon = 1e-8f, .step = 1};

static gf_error step_of(state *s, gf_adam adam) {
  return gf_adam_step(s->x, s->g, s->m, s->v, NULL, N, &adam);
}

static void refuse(const char *what, gf_adam adam) {
  if (harness_complaint()) return;
  state s = start;
  EXPECT_INT(step_of(&s, adam), GF_ERANGE);
  EXPECT(!memcmp(&s, &start, sizeof s));
  complain_of("%s: ", what);
}

#define WITH(field, value) (adam = usual, adam.field = (value), adam)
static void check_adam(void) {
  gf_adam adam;
  refuse("step 0", WITH(step, 0));
  refuse("step -1", WITH(step, -1));
  refuse("step INT32_MIN", WITH(step, INT32_MIN));
  refuse("beta1 1", WITH(beta1, 1));
  refuse("beta2 1", WITH(beta2, 1));
  refuse("beta1 -0.1", WITH(beta1, -0.1f));
  refuse("beta2 NaN", WITH(beta2, NAN));
  refuse("learning rate NaN", WITH(learning_rate, NAN));
  refuse("learning rate inf", WITH(learning_rate, INFINITY));
  refuse("epsilon -1e-8", WITH(epsilon, -1e-8f));
  refuse("epsilon NaN", WITH(epsilon, NAN));
  refuse("weight decay inf", WITH(weight_decay, -INFINITY));

  state s = start;
  EXPECT_INT(step_of(&s, WITH(epsilon, 0)), GF_OK);
  EXPECT_NEAR(s.x[0], 0.9, 1e-6); /* the first step moves by the rate */
  EXPECT_NEAR(s.x[1], -2, 0);     /* without a gradient nothing moves */
  EXPECT_NEAR(s.x[2], 3.1, 1e-6);
  EXPECT_NEAR(s.x[4], 0, 0);
  s = start;
  EXPECT_INT(step_of(&s, WITH(step, INT32_MAX)), GF_OK);
  for (int i = 0; i < N; i++) EXPECT(isfinite(s.x[i]));
  /* In float64, with moments that came before. */
  for (int step = 1; step <= 20000; step += 19999) {
    s = start;
    s.m[0] = 0.1f, s.v[0] = 0.3f;
    EXPECT_INT(step_of(&s, WITH(step, step)), GF_OK);
    const double b1 = usual.beta1, b2 = usual.beta2;
    const double mean = (b1 * 0.1f + (1 - b1)) / (1 - pow(b1, step));
    const double square = (b2 * 0.3f + (1 - b2)) / (1 - pow(b2, step));
    EXPECT_NEAR(s.x[0], 1 - usual.learning_rate * mean / (sqrt(square) + usual.epsilon), 1e-6);
  }
  /* The nearest that a beta comes to 1, and the nearest to 0. */
  s = start;
  EXPECT_INT(step_of(&s, (gf_adam){0.1f, 0x1.fffffep-1f, 0x1.fffffep-1f, 1e-8f, 0, 0, 1}), GF_OK);
  EXPECT_NEAR(s.x[0], 0.9, 1e-6);
  s = start;
  EXPECT_INT(step_of(&s, (gf_adam){0.1f, 0, 0, 1e-8f, 0, 0, 7}), GF_OK);
  EXPECT_NEAR(s.x[0], 0.9, 1e-6);
}

/* A NaN in a gradient is in the value, and in AMSGrad's maximum. */
static void check_nan(void) {
  state s = start;
  float most[N] = {1, 1, 1, 1, 1};
  s.g[2] = NAN;
  EXPECT_INT(gf_adam_step(s.x, s.g, s.m, s.v, most, N, &usual), GF_OK);
  for (int i = 0; i < N; i++) {
    EXPECT_INT(isnan(s.x[i]) != 0, i == 2);
    EXPECT_INT(isnan(most[i]) != 0, i == 2);
  }
}

/* Of numbers of every size, in blocks of every size. */
static void check_norm(void) {
  static float x[2500];
  static const double sizes[] = {1, 1e18, 1e20, 3e38, 1e-15, 1e-25, 1e-40, 0};
  for (const int *n = tails; *n; n++) {
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes && !harness_complaint(); k++) {
      double squares = 0;
      int count = *n == 65 ? 2500 : *n;
      for (int i = 0; i < count; i++) {
        x[i] = (float)(random_between(-1, 1) * sizes[k]);
        squares += (double)x[i] * x[i];
      }
      EXPECT_NEAR(gf_norm(x, (size_t)count), sqrt(squares), 1e-6 * sqrt(squares));
      complain_of("%d numbers of size %g: ", count, sizes[k]);
    }
  }
  x[1700] = NAN;
  EXPECT(isnan(gf_norm(x, 2500)));
  x[1700] = -INFINITY;
  EXPECT_NEAR(gf_norm(x, 2500), INFINITY, 0);
}

/* Whatever a schedule says, a step has a rate: finite, from 0 to the highest. */
static void check_schedules(void) {
  static const int numbers[] = {INT32_MIN, -1, 0, 1, 2, 1000, INT32_MAX};
  enum { COUNT = sizeof numbers / sizeof *numbers };
  for (int i = 0; i < COUNT * COUNT * COUNT && !harness_complaint(); i++) {
    int warmup = numbers[i % COUNT], total = numbers[i / COUNT % COUNT];
    int step = numbers[i / COUNT / COUNT];
    for (int kind = GF_CONSTANT; kind <= GF_NOAM && !harness_complaint(); kind++) {
      gf_schedule s = {.kind = kind, .warmup = warmup, .total = total, .d_model = 4, .rate = 2};
      double rate = gf_learning_rate(&s, step);
      EXPECT(rate >= 0 && rate <= 2);
      complain_of("schedule %d, warmup %d, total %d, step %d: ", kind, warmup, total, step);
    }
  }
  gf_schedule linear = {.kind = GF_LINEAR, .warmup = 4, .total = 4, .rate = 1};
  EXPECT_NEAR(gf_learning_rate(&linear, 2), 0.5, 0);
  EXPECT_NEAR(gf_learning_rate(&linear, 4), 1, 0);
  EXPECT_NEAR(gf_learning_rate(&linear, 5), 0, 0);
  EXPECT(isnan(gf_learning_rate(&(gf_schedule){.kind = GF_NOAM, .rate = 1}, 1)));
  EXPECT(isnan(gf_learning_rate(&(gf_schedule){.kind = GF_NOAM, .d_model = -3, .rate = 1}, 0)));
}

static void run(void) {
  check_adam();
  check_nan();
  check_norm();
  check_schedules();
}

const spec spec_training = {"training", run};
