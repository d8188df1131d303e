#include "glassformer.h"
#include "random.h"

void gf_uniform(float *out, size_t n, uint32_t seed, uint32_t stream, float low, float high) {
  for (size_t i = 0; i < n; i += 4) {
    block b = philox((block){{(uint32_t)(i / 4), 0, stream, 0}}, seed, 0);
    for (size_t j = i; j < n && j < i + 4; j++)
      out[j] = low + (high - low) * uniform01(b.word[j - i]);
  }
}
