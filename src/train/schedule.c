#include "glassformer.h"
#include "fmath.h"

static double lesser(double a, double b) {
  return a < b ? a : b;
}
static double greater(double a, double b) {
  return a > b ? a : b;
}

/* How far the decay after the warm-up has come, 0 to 1. */
static double progress(double step, double warmup, double total) {
  if (step <= warmup) return 0;
  if (step >= total) return 1;
  return (step - warmup) / (total - warmup);
}

double gf_learning_rate(const gf_schedule *s, int at) {
  const double pi = 3.14159265358979323846;
  const double step = at > 0 ? at : 0, warmup = s->warmup > 0 ? s->warmup : 0, total = s->total;
  const double rising = warmup > 0 ? step / warmup : 1;
  switch (s->kind) {
  case GF_NOAM:
    if (s->d_model < 1) return __builtin_nan("");
    if (step < 1) return 0;
    if (warmup < 1) return s->rate / __builtin_sqrt(s->d_model * step);
    return s->rate / __builtin_sqrt(s->d_model) *
           lesser(1 / __builtin_sqrt(step), step / (warmup * __builtin_sqrt(warmup)));
  case GF_INVERSE_SQRT:
    return s->rate * (rising < 1 ? rising : __builtin_sqrt(greater(warmup, 1) / greater(step, 1)));
  case GF_COSINE:
    return s->rate *
           (rising < 1 ? rising : 0.5 * (1 + f64_cos(pi * progress(step, warmup, total))));
  case GF_LINEAR:
    return s->rate * (rising < 1 ? rising : 1 - progress(step, warmup, total));
  default:
    return s->rate * lesser(rising, 1);
  }
}
