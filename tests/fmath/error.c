/* Measures src/fmath.h against libm.
 *
 *   error [--every N] [name...]
 *
 * Runs the named checks, or all. The float32 functions are tried on every N-th of the 2^32 bit
 * patterns; without --every that is all of them and takes minutes. The exit code is 1 if a bound
 * is broken.
 */
#include "../../src/fmath.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const *wanted;
static int wanted_count, passed, failed;

static int skipped(const char *name) {
  for (int i = 0; i < wanted_count; i++)
    if (strcmp(wanted[i], name) == 0) return 0;
  return wanted_count > 0;
}

static void report(const char *name, double error, double bound, const char *unit, double at,
                   uint64_t inputs) {
  int ok = error <= bound;
  printf("%-13s max %.4g %s at %a (%llu inputs)\n", name, error, unit, at,
         (unsigned long long)inputs);
  if (!ok) printf("FAILED: %s must stay within %g %s\n", name, bound, unit);
  ok ? passed++ : failed++;
  fflush(stdout);
}

/* The distance of `got` from `exact` in units of the last place of the float nearest to `exact`.
 * Infinity is where the next float would be. A wrong sign, of a zero too, is an infinite error. */
static double ulps(float got, double exact) {
  if (isnan(got) || isnan(exact)) return isnan(got) && isnan(exact) ? 0 : INFINITY;
  if (!signbit(got) != !signbit(exact)) return INFINITY;
  if (isinf(exact)) return isinf(got) ? 0 : INFINITY;
  double size = fmin(fabs(exact), 0x1p128), got_size = isinf(got) ? 0x1p128 : fabs((double)got);
  int exponent;
  frexpf(fminf((float)size, FLT_MAX), &exponent);
  return fabs(got_size - size) / ldexp(1, exponent < -125 ? -149 : exponent - 24);
}

static f4 sin_lanes(f4 x) {
  for (int i = 0; i < 4; i++) x[i] = (float)f64_sin(x[i]);
  return x;
}
static f4 cos_lanes(f4 x) {
  for (int i = 0; i < 4; i++) x[i] = (float)f64_cos(x[i]);
  return x;
}

/* x to a power of which each is another way through f32_pow. */
#define POWER(name, exponent)                                                                      \
  static f4 name(f4 x) {                                                                           \
    for (int i = 0; i < 4; i++) x[i] = f32_pow(x[i], exponent);                                    \
    return x;                                                                                      \
  }                                                                                                \
  static double name##_exact(double x) {                                                           \
    return pow(x, (double)(exponent));                                                             \
  }
POWER(square, 2.0f)
POWER(cube, 3.0f)
POWER(inverse, -1.0f)
POWER(inverse_root, -0.5f)
POWER(power, 1.7f)

static double phi(double x) {
  return erfc(-x / sqrt(2)) / 2;
}

static const struct {
  const char *name;
  f4 (*function)(f4);
  double (*exact)(double);
  double bound;
} functions[] = {
    {"exp", f4_exp, exp, 1},
    {"log", f4_log, log, 1},
    {"tanh", f4_tanh, tanh, 2},
    {"erf", f4_erf, erf, 2},
    {"sin", sin_lanes, sin, 1},
    {"cos", cos_lanes, cos, 1},
    {"phi", f4_phi, phi, 6},
    {"square", square, square_exact, 0.501},
    {"cube", cube, cube_exact, 0.501},
    {"inverse", inverse, inverse_exact, 0.501},
    {"inverse_root", inverse_root, inverse_root_exact, 0.501},
    {"power", power, power_exact, 0.501},
};
enum { function_count = sizeof functions / sizeof functions[0] };

static void check_all_floats(int k, uint64_t every) {
  double worst = 0, at = 0;
  uint64_t inputs = 0;
  for (uint64_t i = 0; i < 1ull << 32; i += 4 * every, inputs += 4) {
    uint32_t bits[4];
    for (uint64_t lane = 0; lane < 4; lane++) bits[lane] = (uint32_t)(i + lane * every);
    f4 x;
    memcpy(&x, bits, sizeof x);
    f4 y = functions[k].function(x);
    for (int lane = 0; lane < 4; lane++) {
      double error = ulps(y[lane], functions[k].exact(x[lane]));
      if (error > worst) {
        worst = error;
        at = x[lane];
      }
    }
  }
  report(functions[k].name, worst, functions[k].bound, "ULP", at, inputs);
}

/* C's Annex F says what libm answers here, so libm is the reference for these too. The four lanes
 * must also not disturb each other. */
static void check_specials(int k) {
  static const float specials[] = {0,
                                   INFINITY,
                                   NAN,
                                   1,
                                   0x1p-149f,
                                   0x1.fffffcp-127f,
                                   FLT_MIN,
                                   FLT_MAX,
                                   0x1p-24f,
                                   0x1.62e42ep6f,
                                   0x1.62e43p6f,
                                   0x1.5d589ep6f,
                                   0x1.9d1d9ep6f,
                                   0x1.9fe368p6f,
                                   0x1.9fe36ap6f,
                                   0x1.6a09e6p-1f,
                                   0x1.6a09e8p-1f,
                                   0x1.921fb6p0f,
                                   0x1.921fb6p1f,
                                   0.5f,
                                   9.0f,
                                   9.02f,
                                   3.92f,
                                   3.95f};
  double worst = 0, at = 0;
  uint64_t inputs = 0;
  for (size_t i = 0; i < sizeof specials / sizeof specials[0]; i++) {
    f4 x = {specials[i], -specials[i], NAN, -INFINITY}, y = functions[k].function(x);
    for (int lane = 0; lane < 4; lane++, inputs++) {
      double error = ulps(y[lane], functions[k].exact(x[lane]));
      if (error > worst) {
        worst = error;
        at = x[lane];
      }
    }
  }
  char name[32];
  snprintf(name, sizeof name, "%s specials", functions[k].name);
  report(name, worst, functions[k].bound, "ULP", at, inputs);
}

/* Between 0 and 1, from a splitmix64 generator. */
static double next_uniform(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

enum { samples = 4000000 };

static void check_f64_exp(void) {
  uint64_t state = 1;
  double worst = 0, at = 0;
  for (int i = 0; i < samples; i++) {
    double x = -708 + 1417 * next_uniform(&state);
    if (i % 2) x /= 1000;
    long double exact = expl(x);
    double error = (double)fabsl((f64_exp(x) - exact) / exact);
    if (error > worst) {
      worst = error;
      at = x;
    }
  }
  int specials = f64_exp(0) == 1 && f64_exp(-0.0) == 1 && f64_exp(INFINITY) == INFINITY &&
                 f64_exp(710) == INFINITY && f64_exp(-INFINITY) == 0 && f64_exp(-746) == 0 &&
                 fabs(f64_exp(-740) - exp(-740)) <= 0x1p-1074 && isnan(f64_exp(NAN)) &&
                 isfinite(f64_exp(709.78));
  report("f64_exp", specials ? worst : INFINITY, 1e-15, "relative", at, samples);
}

/* Magnitudes spread evenly over the exponents from 2^-30 to the end of float64. */
static void check_f64_sincos(void) {
  uint64_t state = 2;
  double worst = 0, at = 0;
  for (int i = 0; i < samples; i++) {
    double size = 1 + next_uniform(&state), sign = next_uniform(&state) < 0.5 ? -1 : 1;
    double x = sign * ldexp(size, (int)((i % 2 ? 60 : 1053) * next_uniform(&state)) - 30);
    double s, c;
    f64_sincos(x, &s, &c);
    double error = (double)fmaxl(fabsl(s - sinl(x)), fabsl(c - cosl(x)));
    if (error > worst) {
      worst = error;
      at = x;
    }
  }
  report("f64_sincos", worst, 1e-15, "absolute", at, samples);
}

/* The angles of sinusoidal positions, pos / 10000^(2i/d). */
static void check_positions(void) {
  const double log_10000 = 9.210340371976182736;
  static const int sizes[] = {4, 64, 512, 4096};
  double worst = 0, at = 0;
  uint64_t inputs = 0;
  for (int k = 0; k < 4; k++) {
    int d = sizes[k];
    for (int i = 0; i < d / 2; i += d / 64 + 1) {
      double rate = f64_exp(-log_10000 * (2.0 * i / d));
      long double exact_rate = powl(10000, 2.0L * i / d);
      for (int position = 0; position <= 1 << 20; position += position < 1000 ? 1 : 1009) {
        long double exact = (long double)position / exact_rate;
        double s = fabs((double)((float)f64_sin(position * rate) - sinl(exact)));
        double c = fabs((double)((float)f64_cos(position * rate) - cosl(exact)));
        inputs++;
        if (fmax(s, c) > worst) {
          worst = fmax(s, c);
          at = position * rate;
        }
      }
    }
  }
  report("positions", worst, 1e-6, "absolute", at, inputs);
}

int main(int argc, char **argv) {
  uint64_t every = 1;
  int first = 1;
  if (argc > 2 && strcmp(argv[1], "--every") == 0) {
    every = strtoull(argv[2], NULL, 10);
    first = 3;
  }
  if (every == 0) {
    fprintf(stderr, "usage: error [--every N] [name...]\n");
    return 1;
  }
  wanted = (const char *const *)argv + first;
  wanted_count = argc - first;

  for (int k = 0; k < function_count; k++) {
    if (skipped(functions[k].name)) continue;
    check_specials(k);
    check_all_floats(k, every);
  }
  if (!skipped("f64_exp")) check_f64_exp();
  if (!skipped("f64_sincos")) check_f64_sincos();
  if (!skipped("positions")) check_positions();

  printf("%d passed, %d failed\n", passed, failed);
  return failed > 0;
}
