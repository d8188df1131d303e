#include "glassformer.h"
#include "fmath.h"
#include "random.h"

#include <stdbool.h>

void gf_uniform(float *out, size_t n, uint32_t seed, uint32_t stream, float low, float high) {
  const float range = high - low;
  const bool wide = !(range - range == 0); /* further than a float32 reaches */
  for (size_t i = 0; i < n; i += 4) {
    block b = philox((block){{(uint32_t)(i / 4), 0, stream, 0}}, seed, 0);
    for (size_t j = i; j < n && j < i + 4; j++) {
      float u = uniform01(b.word[j - i]);
      out[j] = wide ? (float)(low + ((double)high - low) * u) : low + range * u;
    }
  }
}

/* Box and Muller 1958: two uniform numbers are the radius and the angle of two normal ones. */
void gf_normal(float *out, size_t n, uint32_t seed, uint32_t stream, float mean, float deviation) {
  for (size_t i = 0; i < n; i += 4) {
    block b = philox((block){{(uint32_t)(i / 4), 0, stream, 0}}, seed, 0);
    float normal[4];
    for (int j = 0; j < 4; j += 2) {
      double sine, cosine;
      /* 1 - u is never 0 */
      f4 radius = f4_sqrt(-2.0f * f4_log(f4_splat(1 - uniform01(b.word[j]))));
      f64_sincos(6.283185307179586477 * uniform01(b.word[j + 1]), &sine, &cosine);
      normal[j] = radius[0] * (float)cosine;
      normal[j + 1] = radius[0] * (float)sine;
    }
    for (size_t j = i; j < n && j < i + 4; j++) out[j] = mean + deviation * normal[j - i];
  }
}
