/* The version, and functions of numbers alone. */
#include "fmath.h"
#include "glassformer.h"

#define TEXT_OF(x)       #x
#define VERSION(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

const char *gf_version(void) {
  return VERSION(GF_VERSION_MAJOR, GF_VERSION_MINOR, GF_VERSION_PATCH);
}

int gf_abi(void) {
  return GF_ABI;
}

float gf_expf(float x) {
  return f4_exp(f4_splat(x))[0];
}
