/* gf_self_test, gf_expf, gf_phif and gf_uniform. */
#include "harness.h"
#include "tape.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* |gf_expf(x) - e^x| in units of the last place of the float32 at e^x. */
static double exp_error(float x) {
  double exact = exp((double)x);
  double place = exact < 0x1p-126 ? 0x1p-149 : ldexp(1, ilogb(exact) - 23);
  return fabs((double)gf_expf(x) - exact) / place;
}

static void check_exp(void) {
  for (int i = 0; i < 200000; i++) {
    float x = (float)random_between(-104, 88.7228);
    if (exp_error(x) > 1) complain("gf_expf(%.9g) is %.2f ULP off", x, exp_error(x));
  }
  for (int i = -300; i <= 300; i++) {
    float tiny = (float)ldexp(1.3, -i), x = i < 0 ? (float)(i / 4.0) : -tiny;
    if (exp_error(x) > 1) complain("gf_expf(%.9g) is %.2f ULP off", x, exp_error(x));
  }
  EXPECT_NEAR(gf_expf(0), 1, 0);
  EXPECT_NEAR(gf_expf(-0.0f), 1, 0);
  EXPECT_NEAR(gf_expf(-INFINITY), 0, 0);
  EXPECT_NEAR(gf_expf(INFINITY), INFINITY, 0);
  EXPECT_NEAR(gf_expf(88.73f), INFINITY, 0);
  EXPECT_NEAR(gf_expf(3e38f), INFINITY, 0);
  EXPECT_NEAR(gf_expf(-104), 0, 0);
  EXPECT_NEAR(gf_expf(-3e38f), 0, 0);
  EXPECT(isnan(gf_expf(NAN)));
}

/* 24 bits of a word of Philox, the way they appear in [0, 1). */
static double upper_bits(uint32_t word) {
  return (double)(word >> 8) / 16777216;
}

/* Random123's known answer for counter 0, key 0. */
static void check_known_answer(void) {
  static const uint32_t words[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  float u[4];
  gf_uniform(u, 4, 0, 0, 0, 1);
  for (int i = 0; i < 4; i++) EXPECT_NEAR(u[i], upper_bits(words[i]), 0);
}

static void check_streams(void) {
  static const uint32_t cases[][2] = {{0, 1}, {1, 0}, {7, 9}, {0xFFFFFFFF, 0xFFFFFFFF}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    for (const int *n = tails; *n; n++) {
      room_reset();
      float *u = room((size_t)*n * sizeof *u, 4);
      gf_uniform(u, (size_t)*n, cases[k][0], cases[k][1], -2, 6);
      for (int i = 0; i < *n; i++) {
        double word = upper_bits(random_word(cases[k][0], 0, 0, cases[k][1], (uint32_t)i));
        EXPECT_NEAR(u[i], -2 + 8 * word, 4e-7); /* half a unit in the last place, below 8 */
        EXPECT(u[i] >= -2 && u[i] < 6);
      }
    }
  }
}

/* The bits that every build has, as gf_self_test knows them. */
static void check_self_test(void) {
  uint64_t hash;
  EXPECT_INT(gfi_self_test_hash(&hash), GF_OK);
  if (hash != SELF_TEST_HASH)
    complain("SELF_TEST_HASH should be 0x%016llx", (unsigned long long)hash);
  EXPECT_INT(gf_self_test(), hash == SELF_TEST_HASH ? GF_OK : GF_EBITS);
}

/* Ends that are further apart than a float32 reaches. */
static void check_wide(void) {
  float u[33];
  gf_uniform(u, 33, 7, 9, -3e38f, 3e38f);
  for (uint32_t i = 0; i < 33; i++) {
    double word = upper_bits(random_word(7, 0, 0, 9, i)), low = (double)-3e38f;
    EXPECT_NEAR(u[i], low - 2 * low * word, 3e31);
  }
  gf_uniform(u, 33, 7, 9, FLT_MAX, -FLT_MAX);
  for (int i = 0; i < 33; i++) EXPECT(isfinite(u[i]));
}

/* Phi in its own digits, from one end to the other. */
static void check_phi(void) {
  for (int i = -1300; i <= 1300; i++) {
    double x = i / 100.0, exact = erfc(-(double)(float)x / sqrt(2)) / 2;
    EXPECT_NEAR(gf_phif((float)x) / exact, 1, 6e-7);
  }
  EXPECT_NEAR(gf_phif(0), 0.5, 0);
  EXPECT_NEAR(gf_phif(-INFINITY), 0, 0);
  EXPECT_NEAR(gf_phif(INFINITY), 1, 0);
  EXPECT_NEAR(gf_phif(-3e38f), 0, 0);
  EXPECT_NEAR(gf_phif(3e38f), 1, 0);
  EXPECT(isnan(gf_phif(NAN)));
}

static void run(void) {
  check_self_test();
  check_wide();
  check_phi();
  check_exp();
  check_known_answer();
  check_streams();
}

const spec spec_numbers = {"numbers", run};
