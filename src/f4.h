/* Four float lanes. This is the only file that knows how a machine holds them.
 *
 * f4 is a typed vector on every compiler (never wasm's v128_t, an integer vector, on which a * b
 * compiles and is wrong), so kernels write p * r + c and a < b. What has no operator is a function
 * here: a wasm_simd128.h intrinsic with -msimd128, plain GCC/Clang vector code everywhere else.
 * Each function gives the same bits on every target; NaN payloads are the one exception.
 */
#ifndef GF_F4_H
#define GF_F4_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The bits are those of IEEE operations, each rounded by itself, in the order of the source. The flags
 * of the Makefile ask for that; so does this, for whoever compiles the core in another way. What it
 * cannot see, gf_self_test does. */
#if defined __FAST_MATH__ || __FINITE_MATH_ONLY__ || defined __ASSOCIATIVE_MATH__ ||               \
    defined __RECIPROCAL_MATH__ || defined __NO_SIGNED_ZEROS__
#error "Glassformer computes in IEEE arithmetic: compile it without -ffast-math and its parts"
#endif
#if __FLT_EVAL_METHOD__
#error "Glassformer rounds each operation to its type: compile it with -msse2 -mfpmath=sse"
#endif
#if defined __clang__
#pragma STDC FP_CONTRACT OFF
#elif defined __FP_FAST_FMAF
#pragma GCC optimize("fp-contract=off")
#endif

typedef float f4 __attribute__((vector_size(16)));
typedef int32_t i4 __attribute__((vector_size(16)));

/* In small code, too: a call for each vector would take longer than what it calls. */
#define F4_INLINE __attribute__((always_inline)) static inline

#ifdef __wasm_simd128__
#include <wasm_simd128.h>

F4_INLINE f4 f4_load(const float *p) {
  return (f4)wasm_v128_load(p);
}
F4_INLINE void f4_store(float *p, f4 a) {
  wasm_v128_store(p, (v128_t)a);
}
F4_INLINE f4 f4_splat(float x) {
  return (f4)wasm_f32x4_splat(x);
}
/* Lane by lane: mask ? a : b, where mask is all ones or all zeros, as a comparison gives it. */
F4_INLINE f4 f4_select(i4 mask, f4 a, f4 b) {
  return (f4)wasm_v128_bitselect((v128_t)a, (v128_t)b, (v128_t)mask);
}
/* a < b ? b : a, lane by lane: a NaN in b is passed over, a NaN in a stays. */
F4_INLINE f4 f4_max(f4 a, f4 b) {
  return (f4)wasm_f32x4_pmax((v128_t)a, (v128_t)b);
}
/* b < a ? b : a, lane by lane. */
F4_INLINE f4 f4_min(f4 a, f4 b) {
  return (f4)wasm_f32x4_pmin((v128_t)a, (v128_t)b);
}
F4_INLINE f4 f4_sqrt(f4 a) {
  return (f4)wasm_f32x4_sqrt((v128_t)a);
}
F4_INLINE f4 f4_from_int(i4 a) {
  return (f4)wasm_f32x4_convert_i32x4((v128_t)a);
}
/* Four numbers of 16 bits, without sign. */
F4_INLINE i4 i4_load_16(const void *p) {
  return (i4)wasm_u32x4_load16x4(p);
}
/* Byte b of each word as its uppermost, above zeros: one instruction. A place beyond 15 gives zero. */
F4_INLINE i4 i4_top_byte(i4 a, int b) {
  if (b == 0) return a << 24;
  if (b == 3) return a & (int32_t)0xff000000;
  const int8_t z = -1, p = (int8_t)b;
  const v128_t places = wasm_i8x16_make(z, z, z, p, z, z, z, (int8_t)(p + 4), z, z, z,
                                        (int8_t)(p + 8), z, z, z, (int8_t)(p + 12));
  return (i4)wasm_i8x16_swizzle((v128_t)a, places);
}
/* To the right, with the sign. A count that the compiler takes out of a loop as a vector would shift lane by lane. */
F4_INLINE i4 i4_right(i4 a, int n) {
  __asm__ volatile("" : "+r"(n));
  return (i4)wasm_i32x4_shr((v128_t)a, (uint32_t)n);
}
/* The same integer in each lane. */
F4_INLINE i4 i4_load_splat(const void *p) {
  return (i4)wasm_v128_load32_splat(p);
}
/* Each lane as two integers of 16 bits: the lower times the lower plus the upper times the upper. */
F4_INLINE i4 i4_dot(i4 a, i4 b) {
  return (i4)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b);
}

/* Whether any bit is set. */
F4_INLINE bool i4_any(i4 a) {
  return wasm_v128_any_true((v128_t)a);
}

#else
#if defined __SSE2__
#include <emmintrin.h>
#elif defined __ARM_NEON
#include <arm_neon.h>
#endif

F4_INLINE f4 f4_load(const float *p) {
  f4 a;
  memcpy(&a, p, sizeof a);
  return a;
}
F4_INLINE void f4_store(float *p, f4 a) {
  memcpy(p, &a, sizeof a);
}
F4_INLINE f4 f4_splat(float x) {
  return (f4){x, x, x, x};
}
F4_INLINE f4 f4_select(i4 mask, f4 a, f4 b) {
  return (f4)((mask & (i4)a) | (~mask & (i4)b));
}
#ifdef __wasm__
/* Without SIMD: optimised, Emscripten 3.1.6 takes these for f32.max and f32.min, which have other bits of -0. */
#define F4_LITERALLY static __attribute__((optnone, noinline, unused))
#else
#define F4_LITERALLY F4_INLINE
#endif
F4_LITERALLY f4 f4_max(f4 a, f4 b) {
  return f4_select(a < b, b, a);
}
F4_LITERALLY f4 f4_min(f4 a, f4 b) {
  return f4_select(b < a, b, a);
}
F4_INLINE f4 f4_sqrt(f4 a) {
  return (f4){__builtin_sqrtf(a[0]), __builtin_sqrtf(a[1]), __builtin_sqrtf(a[2]),
              __builtin_sqrtf(a[3])};
}
F4_INLINE f4 f4_from_int(i4 a) {
  return __builtin_convertvector(a, f4);
}
F4_INLINE i4 i4_load_16(const void *p) {
  uint16_t a[4];
  memcpy(a, p, sizeof a);
  return (i4){a[0], a[1], a[2], a[3]};
}
F4_INLINE i4 i4_top_byte(i4 a, int b) {
  return a << (24 - 8 * b) & (int32_t)0xff000000;
}
F4_INLINE i4 i4_right(i4 a, int n) {
  return a >> n;
}
F4_INLINE bool i4_any(i4 a) {
  return (a[0] | a[1] | a[2] | a[3]) != 0;
}
F4_INLINE i4 i4_load_splat(const void *p) {
  int32_t x;
  memcpy(&x, p, sizeof x);
  return (i4){x, x, x, x};
}
F4_INLINE i4 i4_dot(i4 a, i4 b) {
#if defined __SSE2__
  return (i4)_mm_madd_epi16((__m128i)a, (__m128i)b);
#elif defined __ARM_NEON && defined __aarch64__
  const int16x8_t x = (int16x8_t)a, y = (int16x8_t)b;
  return (i4)vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y));
#else
  return (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16);
#endif
}

#endif

/* a * b + c, each operation rounded. In the build with fused arithmetic (-mrelaxed-simd) it is rounded once
 * where the machine can, so its bits are that machine's. */
F4_INLINE f4 f4_madd(f4 a, f4 b, f4 c) {
#ifdef __wasm_relaxed_simd__
  return (f4)__builtin_wasm_relaxed_madd_f32x4(a, b, c);
#else
  return a * b + c;
#endif
}

F4_INLINE i4 i4_load(const void *p) {
  i4 a;
  memcpy(&a, p, sizeof a);
  return a;
}
F4_INLINE void i4_store(void *p, i4 a) {
  memcpy(p, &a, sizeof a);
}
F4_INLINE i4 i4_splat(int32_t x) {
  return (i4){x, x, x, x};
}
F4_INLINE f4 f4_abs(f4 a) {
  return (f4)((i4)a & i4_splat(INT32_MAX));
}

/* 4 x 4 numbers, transposed: lane j of column[i] is from[j * row + i]. */
typedef struct f4x4 {
  f4 column[4];
} f4x4;
F4_INLINE f4x4 f4_transposed(const float *from, size_t row) {
  f4 a = f4_load(from), b = f4_load(from + row);
  f4 c = f4_load(from + 2 * row), d = f4_load(from + 3 * row);
  f4 ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  f4 ef = __builtin_shufflevector(a, b, 2, 6, 3, 7), gh = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  return (f4x4){
      {__builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
       __builtin_shufflevector(ef, gh, 0, 1, 4, 5), __builtin_shufflevector(ef, gh, 2, 3, 6, 7)}};
}

/* The end of a row, of less than a vector. Not inline: there are many ends, and each comes once. */
__attribute__((noinline, unused)) static f4 f4_load_end(const float *p, size_t n, float rest) {
  f4 a = f4_splat(rest);
  for (size_t i = 0; i < n; i++) a[i] = p[i];
  return a;
}
__attribute__((noinline, unused)) static void f4_store_end(float *p, f4 a, size_t n) {
  for (size_t i = 0; i < n; i++) p[i] = a[i];
}

/* The first n lanes, 1 <= n <= 4, from memory; the others are `rest`. Reads nothing past p[n-1]. */
F4_INLINE f4 f4_load_n(const float *p, size_t n, float rest) {
  return n >= 4 ? f4_load(p) : f4_load_end(p, n, rest);
}
/* Writes the first n lanes, 1 <= n <= 4. */
F4_INLINE void f4_store_n(float *p, f4 a, size_t n) {
  if (n >= 4)
    f4_store(p, a);
  else
    f4_store_end(p, a, n);
}

/* Adds to the first n lanes of what is in memory, n >= 1. */
F4_INLINE void f4_add_n(float *p, f4 a, size_t n) {
  f4_store_n(p, f4_load_n(p, n, 0) + a, n);
}

/* For each vector of a row of n numbers: `body` with its place j and what is `left` of it, 4 but at
 * the end. */
#if defined(__OPTIMIZE_SIZE__) || (defined(__wasm__) && !defined(__wasm_simd128__))
/* Where code is to be small, or lanes are computed one by one, one copy of the body is enough. */
#define F4_FOR(j, left, n, ...)                                                                    \
  do {                                                                                             \
    for (size_t j = 0; j < (n); j += 4) {                                                          \
      const size_t left = (n)-j < 4 ? (n)-j : 4;                                                   \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  } while (0)
#else
/* The end is a copy of the body, so that the loop itself has no branch and no call, and its constants
 * stay in registers. */
#define F4_FOR(j, left, n, ...)                                                                    \
  do {                                                                                             \
    size_t j = 0;                                                                                  \
    for (; j + 4 <= (n); j += 4) {                                                                 \
      const size_t left = 4;                                                                       \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
    if (j < (n)) {                                                                                 \
      const size_t left = (n)-j;                                                                   \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  } while (0)
#endif

/* The written order of every sum over a row: (v0 + v2) + (v1 + v3). */
F4_INLINE float f4_sum(f4 a) {
  return (a[0] + a[2]) + (a[1] + a[3]);
}
F4_INLINE float f4_max_lane(f4 a) {
  float x = a[0] < a[2] ? a[2] : a[0], y = a[1] < a[3] ? a[3] : a[1];
  return x < y ? y : x;
}

#endif
