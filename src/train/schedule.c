#include "glassformer.h"
#include "fmath.h"

static double lesser(double a, double b) {
  return a < b ? a : b;
}

/* How far the decay after the warm-up has come, 0 to 1. */
static double progress(const gf_schedule *s, int step) {
  if (step <= s->warmup) return 0;
  if (step >= s->total) return 1;
  return (double)(step - s->warmup) / (s->total - s->warmup);
}

double gf_learning_rate(const gf_schedule *s, int step) {
  const double pi = 3.14159265358979323846;
  double rising = s->warmup > 0 ? (double)step / s->warmup : 1;
  double warm = lesser(rising, 1);
  switch (s->kind) {
  case GF_NOAM:
    if (step < 1) return 0;
    if (s->warmup < 1) return s->rate / __builtin_sqrt((double)s->d_model * step);
    return s->rate / __builtin_sqrt(s->d_model) *
           lesser(1 / __builtin_sqrt(step), step / (s->warmup * __builtin_sqrt(s->warmup)));
  case GF_INVERSE_SQRT:
    return s->rate *
           (rising < 1 ? rising
                       : __builtin_sqrt((s->warmup > 0 ? s->warmup : 1.0) / (step > 0 ? step : 1)));
  case GF_COSINE:
    return s->rate * (rising < 1 ? rising : 0.5 * (1 + f64_cos(pi * progress(s, step))));
  case GF_LINEAR:
    return s->rate * (rising < 1 ? rising : 1 - progress(s, step));
  default:
    return s->rate * warm;
  }
}
