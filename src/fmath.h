/* exp, log, tanh, erf, sin and cos that give the same bits on every machine.
 *
 * A libm promises neither the same bits as its neighbour nor the same as it gave last year. These
 * functions use nothing but + - * / and integer operations, which IEEE 754 and two's complement
 * define exactly, so native code and wasm agree as long as the compiler contracts nothing to FMA. A
 * NaN gives a NaN.
 *
 * The recipe is always the same: an identity brings the argument into a short interval, where a
 * polynomial of low degree is as good as the function. Coefficients are minimax (Remez exchange in
 * 60 digits; for float32 each was rounded in turn and the later ones fitted again to make up for
 * it). Polynomials are in Horner form, since that fixes the order of operations.
 *
 * f4 functions are branch-free. Errors of float32 results are in ULP against the float64 libm,
 * measured on 2026-11-20 over all 2^32 inputs by tests/fmath/error.c.
 */
#ifndef GF_FMATH_H
#define GF_FMATH_H

#include "f4.h"

typedef uint32_t u4 __attribute__((vector_size(16)));

/* The magnitude of one with the sign of the other. */
static inline f4 f4_copysign(f4 size, f4 sign) {
  return (f4)((i4)f4_abs(size) | ((i4)sign & i4_splat(INT32_MIN)));
}
/* 2^n for -126 <= n <= 127. Unsigned, so that the n of a NaN overflows without harm. */
static inline f4 f4_power_of_two(i4 n) {
  return (f4)(((u4)n + 127u) << 23);
}

/* e^x. Error: 0.891 ULP at 0x1.2067a6p+2.
 * exp(-inf) = 0, exp(inf) = inf; subnormal results are right.
 *
 * x = n ln 2 + r with |r| <= 0.35, and e^r = 1 + r + r^2 p(r) with p of degree 4, error 3.2e-9.
 * Clamping goes just past the ends, where the result is 0 or inf anyway. Adding 1.5 * 2^23 leaves
 * no bit for a fraction: the sum rounds to an integer and holds it in its low bits, and no
 * conversion is undefined for a NaN. ln 2 is in two parts, the first so short that its product with
 * n is exact; the second joins when the terms are small enough to take it up. The scale is applied
 * in two halves because 2^n alone may be no float; only the second multiplication can round. */
static inline f4 f4_exp(f4 x) {
  const float round = 0x1.8p23f;
  x = f4_min(f4_max(x, f4_splat(-104.0f)), f4_splat(89.0f));
  f4 shifted = x * 0x1.715476p0f + round, k = shifted - round;
  i4 n = (i4)((u4)shifted - (u4)f4_splat(round)), half = n >> 1;
  f4 high = x - k * 0x1.62e4p-1f, low = k * 0x1.7f7d1cp-20f;
  f4 r = high - low;
  f4 p = f4_madd(r, f4_splat(0x1.6ac746p-10f), f4_splat(0x1.123de6p-7f));
  p = f4_madd(p, r, f4_splat(0x1.555858p-5f));
  p = f4_madd(p, r, f4_splat(0x1.55548cp-3f));
  p = f4_madd(p, r, f4_splat(0x1.fffffcp-2f));
  f4 y = 1.0f + (high + (r * r * p - low));
  return y * f4_power_of_two(half) * f4_power_of_two(n - half);
}

/* Natural logarithm. Error: 0.840 ULP at 0x1.69cf3ep+0.
 * log(0) = log(-0) = -inf, log(x < 0) = NaN, log(inf) = inf, log(1) = +0; subnormals are right.
 *
 * x = 2^n (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), then with s = f / (2 + f)
 *   log(1 + f) = 2 atanh(s) = 2 s + s R = f - s (f - R) = f - (f^2/2 - s (f^2/2 + R))
 * with R = s^2 p(s^2), p of degree 2, error 1.6e-9. The last form is best: f is exact, and all
 * that is rounded is small beside it. */
static inline f4 f4_log(f4 x) {
  const uint32_t sqrt_half = 0x3f3504f3;
  i4 subnormal = x < 0x1p-126f;
  f4 normal = f4_select(subnormal, x * 0x1p24f, x);
  i4 n = (i4)((u4)normal - sqrt_half) >> 23;
  f4 f = (f4)((u4)normal - ((u4)n << 23)) - 1.0f;
  f4 k = f4_from_int(n - (subnormal & 24));

  f4 s = f / (f + 2.0f), z = s * s;
  f4 p = z * 0x1.31e23ep-2f + 0x1.995eccp-2f;
  p = p * z + 0x1.55557ap-1f;
  f4 half = 0.5f * f * f;
  f4 y = k * 0x1.62e4p-1f - ((half - (s * (half + z * p) + k * 0x1.7f7d1cp-20f)) - f);

  y = f4_select(x < __builtin_inff(), y, x);
  y = f4_select(x > 0.0f, y, f4_splat(__builtin_nanf("")));
  return f4_select(x == 0.0f, f4_splat(-__builtin_inff()), y);
}

/* Error: 1.325 ULP at 0x1.411556p-1. tanh(+-0) = +-0, tanh(+-inf) = +-1.
 *
 * Below 5/8 the odd series: tanh t = t + t^3 p(t^2), p of degree 4, relative error 4.5e-9. Above,
 * tanh t = 1 - 2 / (e^2t + 1). From 10 on the result rounds to 1. */
static inline f4 f4_tanh(f4 x) {
  f4 t = f4_min(f4_abs(x), f4_splat(10.0f)), z = t * t;
  f4 p = z * -0x1.750ce4p-8f + 0x1.51f8cep-6f;
  p = p * z - 0x1.b835a4p-5f;
  p = p * z + 0x1.1106f6p-3f;
  p = p * z - 0x1.555532p-2f;
  f4 rest = 2.0f / (f4_exp(2.0f * t) + 1.0f);
  return f4_copysign(f4_select(t < 0.625f, t + t * (z * p), 1.0f - rest), x);
}

/* 2/sqrt(pi) times the integral of e^(-t^2) from 0 to x. Error: 1.352 ULP at 0x1.0f2fap+0.
 * erf(+-0) = +-0, erf(+-inf) = +-1.
 *
 * Below 1 the odd series: erf t = t + t p(t^2), p of degree 6, relative error 1.4e-9. Above,
 * erf t = 1 - e^(-g), where g = -log(1 - erf t) is close to a parabola: degree 6, error 1.2e-9.
 * From 3.95 on the result rounds to 1. */
static inline f4 f4_erf(f4 x) {
  f4 t = f4_min(f4_abs(x), f4_splat(3.95f)), z = t * t;
  f4 p = z * 0x1.4771fep-14f - 0x1.a3515ep-11f;
  p = p * z + 0x1.53f224p-8f;
  p = p * z - 0x1.b7f71ap-6f;
  p = p * z + 0x1.ce2ce6p-4f;
  p = p * z - 0x1.81273ep-2f;
  p = p * z + 0x1.06eba8p-3f;
  f4 g = t * -0x1.852d32p-13f + 0x1.814d66p-9f;
  g = g * t - 0x1.654256p-6f;
  g = g * t + 0x1.a60a8ep-4f;
  g = g * t + 0x1.46c584p-1f;
  g = g * t + 0x1.2085b2p0f;
  g = g * t + 0x1.72e71cp-12f;
  return f4_copysign(f4_select(t < 1.0f, t + t * p, 1.0f - f4_exp(-g)), x);
}

/* 1 / (1 + e^-x). The exponent is never positive, so nothing overflows and a small result keeps its
 * relative precision. */
static inline f4 f4_sigmoid(f4 x) {
  f4 e = f4_exp(-f4_abs(x));
  return f4_select(x < 0.0f, e, f4_splat(1)) / (1.0f + e);
}

/* The normal distribution Phi(x) = 1/2 erfc(-x / sqrt 2), and the bell e^(-x^2/2) that it is made of.
 * Error of Phi: 5.466 ULP at -0x1.89c7b4p-1. Phi(-inf) = 0, Phi(inf) = 1; small results keep their relative precision.
 *
 * Near 0, Phi = 1/2 + x q(x^2), q of degree 4, relative error 5e-9. Beyond 3/4 the tail is the bell times
 * u p(s), u = 1 / (|x| + 25/8), s = (|x| - 25/8) u, p of degree 7, error 3e-8; above 0 it is taken from 1.
 * x^2 has more digits than a float: h is the first 12 bits of x, and the bell e^(-h^2/2) e^l, where
 * l = (h^2 - x^2) / 2 > -0.06. From 15 on it is 0. */
typedef struct f4_normal {
  f4 phi, bell;
} f4_normal;
static inline f4_normal f4_normal_of(f4 x) {
  f4 t = f4_min(f4_abs(x), f4_splat(15.0f)), z = t * t;
  f4 h = (f4)((i4)t & i4_splat(-4096)), l = (h - t) * (0.5f * (h + t));
  f4 e = l * 0x1.555556p-5f + 0x1.555556p-3f;
  e = e * l + 0.5f;
  e = e * l + 1.0f;
  e = e * l + 1.0f;
  f4 bell = f4_exp(-0.5f * h * h) * e;

  f4 q = z * 0x1.a95648p-14f - 0x1.3526fcp-10f;
  q = q * z + 0x1.46be76p-7f;
  q = q * z - 0x1.1057ecp-4f;
  q = q * z + 0x1.988452p-2f;

  f4 u = 1.0f / (t + 3.125f), s = (t - 3.125f) * u;
  f4 p = s * -0x1.04c132p-10f - 0x1.20dcf4p-14f;
  p = p * s + 0x1.04ab4ap-7f;
  p = p * s - 0x1.5d0276p-8f;
  p = p * s - 0x1.0569b8p-4f;
  p = p * s + 0x1.02b9a8p-2f;
  p = p * s - 0x1.0cc7f8p-1f;
  p = p * s + 0x1.77873cp-1f;
  f4 tail = u * p * bell;

  f4 phi = f4_select(x >= 0.75f, 1.0f - tail, 0.5f + x * q);
  return (f4_normal){f4_select(x <= -0.75f, tail, phi), bell};
}
static inline f4 f4_phi(f4 x) {
  return f4_normal_of(x).phi;
}

static inline uint64_t f64_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static inline double f64_power_of_two(int64_t n) {
  uint64_t bits = (uint64_t)(n + 1023) << 52;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* e^x in float64, by the method of f4_exp with p of degree 9. exp(-inf) = 0, exp(inf) = inf;
 * subnormal results are right. Relative error of normal results: 1.4e-16 at -0x1.c8c2a88e17876p+7,
 * the worst of 4 million samples against long double. */
static inline double f64_exp(double x) {
  const double round = 0x1.8p52;
  x = x < -746 ? -746 : x > 710 ? 710 : x;
  double shifted = x * 0x1.71547652b82fep0 + round, k = shifted - round;
  int64_t n = (int64_t)(f64_bits(shifted) - f64_bits(round)), half = n >> 1;
  double high = x - k * 0x1.62e42feep-1, low = k * 0x1.a39ef35793c76p-33;
  double r = high - low;
  double p = r * 0x1.af76ceadc468cp-26 + 0x1.28a2cf1eab037p-22;
  p = p * r + 0x1.71dde9f1b9a82p-19;
  p = p * r + 0x1.a019a6643df70p-16;
  p = p * r + 0x1.a01a01b5dfdbdp-13;
  p = p * r + 0x1.6c16c17f41bb6p-10;
  p = p * r + 0x1.111111110e6c2p-7;
  p = p * r + 0x1.55555555520d0p-5;
  p = p * r + 0x1.555555555555cp-3;
  p = p * r + 0x1.0000000000005p-1;
  double y = 1.0 + (high + (r * r * p - low));
  return y * f64_power_of_two(half) * f64_power_of_two(n - half);
}

/* Natural logarithm in float64 of 2^-126 <= x < 2^128: the float32 one, made better by two steps of
 * Halley's method on e^y = x, each of which triples the digits. */
static inline double f64_log(double x) {
  double y = f4_log(f4_splat((float)x))[0];
  for (int i = 0; i < 2; i++) {
    double e = f64_exp(y);
    y += 2 * (x - e) / (x + e);
  }
  return y;
}

/* x^p for a finite p, as C's pow has it: x^0 and 1^p are 1, a negative x has powers with integers alone.
 * Error: 0.500 ULP, the worst of 44 million inputs for each of the exponents 2, 3, -1, -0.5 and 1.7.
 *
 * e^(p log |x|) in float64: the float32 result has 29 digits fewer. */
static inline float f32_pow(float x, float p) {
  if (p == 0 || x == 1) return 1;
  if (x != x) return x;
  const float size = x < 0 ? -x : x;
  const bool whole = p <= -0x1p23f || p >= 0x1p23f || p == (float)(int)p;
  const bool odd = whole && p > -0x1p24f && p < 0x1p24f && ((int)p & 1);
  const bool end = size == 0 || size == __builtin_inff();
  float y = (size == 0) == (p > 0) ? 0 : __builtin_inff();
  if (!end) y = (float)f64_exp((double)p * f64_log(size));
  if (x < 0 && !end && !whole) return __builtin_nanf("");
  return odd && __builtin_signbit(x) ? -y : y;
}

/* The upper 64 bits of the product of two 64-bit integers. */
static inline uint64_t u64_multiply_high(uint64_t a, uint64_t b) {
  uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
  uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
  uint64_t other = a0 * b1 + (middle & UINT32_MAX);
  return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* x / 2 pi modulo 1, as a multiple of 2^-64. For finite |x| >= 1/2.
 *
 * Payne and Hanek: with x = m 2^e, m an integer of 53 bits, the bits of 2^e / 2 pi above the point
 * give only whole turns when m multiplies them, so they need not be computed at all, and unsigned
 * arithmetic drops by itself whatever still exceeds 1. The 128 bits below the point leave an error
 * of 2^-64 turns for x of any size, so small x need no second method. */
static inline uint64_t f64_turns(double x) {
  /* The leading word holds the bits above the point that a negative e brings into view. */
  static const uint64_t one_over_two_pi[] = {
      0x0000000000000000, 0x28be60db9391054a, 0x7f09d5f47d4d3770, 0x36d8a5664f10e410,
      0x7f9458eaf7aef158, 0x6dc91b8e909374b8, 0x01924bba82746487, 0x3f877ac72c4a69cf,
      0xba208d7d4baed121, 0x3a671c09ad17df90, 0x4e64758e60d4ce7d, 0x272117e2ef7e4a0e,
      0xc7fe25fff7816603, 0xfbcbc462d6829b47, 0xdb4d9fb3c9f2c26d, 0xd3d18fd9a797fa8b,
      0x5d49eeb1faf97c5e, 0xcf41ce7de294a4ba, 0x9afed7ec47e35742};
  uint64_t bits = f64_bits(x), m = (bits & 0xfffffffffffff) | 1ull << 52;
  uint64_t start = 64 + (bits >> 52 & 0x7ff) - 1075, shift = start % 64;
  const uint64_t *word = one_over_two_pi + start / 64;
  /* Two shifts, because one by 64 is undefined. */
  uint64_t high = word[0] << shift | word[1] >> 1 >> (63 - shift);
  uint64_t low = word[1] << shift | word[2] >> 1 >> (63 - shift);
  uint64_t turns = m * high + u64_multiply_high(m, low);
  return x < 0 ? 0 - turns : turns;
}

/* Sine and cosine in float64. sin(+-0) = +-0; +-inf and NaN give NaN.
 * Absolute error for any finite x: 1.9e-16 at 0x1.12690bd8894d6p+588, the worst of 4 million
 * samples against long double. It is not relative: close to a multiple of pi a float64 result keeps
 * fewer digits. For a float x, (float)f64_sin(x) has an error of 0.500 ULP at 0x1.33333p+13 and
 * (float)f64_cos(x) of 0.500 ULP at 0x1.4555p+51.
 *
 * The nearest quarter turn is split off, and on the remaining |r| <= pi/4
 *   sin r = r + r^3 p(r^2),  cos r = 1 - r^2/2 + r^4 q(r^2)
 * with p and q of degree 5, errors 3.5e-18 r and 5e-20. */
static inline void f64_sincos(double x, double *s, double *c) {
  if (!(x - x == 0)) {
    *s = *c = x - x;
    return;
  }
  double r = x;
  uint64_t quarter = 0;
  if (!(x > -0.5 && x < 0.5)) {
    uint64_t turns = f64_turns(x);
    quarter = (turns + (1ull << 61)) >> 62;
    r = (double)(int64_t)(turns - (quarter << 62)) * 0x1.921fb54442d18p-62;
  }
  double z = r * r;
  double p = z * 0x1.5d9383d6d1286p-33 - 0x1.ae5e6839cb341p-26;
  p = p * z + 0x1.71de357aac568p-19;
  p = p * z - 0x1.a01a019c15b3cp-13;
  p = p * z + 0x1.111111110f8a4p-7;
  p = p * z - 0x1.5555555555549p-3;
  double q = z * -0x1.8fb10a0fcb827p-37 + 0x1.1ee9f11087d4fp-29;
  q = q * z - 0x1.27e4f8126530bp-22;
  q = q * z + 0x1.a01a019cbf0d4p-16;
  q = q * z - 0x1.6c16c16c1521dp-10;
  q = q * z + 0x1.555555555554cp-5;
  double sine = r == 0 ? r : r + r * (z * p); /* -0 plus a correction of +0 would be +0 */
  double cosine = 1.0 - (0.5 * z - z * z * q);
  double ahead = quarter & 1 ? cosine : sine, beside = quarter & 1 ? sine : cosine;
  *s = quarter & 2 ? -ahead : ahead;
  *c = (quarter + 1) & 2 ? -beside : beside;
}
static inline double f64_sin(double x) {
  double s, c;
  f64_sincos(x, &s, &c);
  return s;
}
static inline double f64_cos(double x) {
  double s, c;
  f64_sincos(x, &s, &c);
  return c;
}

#endif
