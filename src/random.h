/* Random numbers by counting: a number depends on its key and its counter, never on earlier calls.
 */
#ifndef GF_RANDOM_H
#define GF_RANDOM_H

#include <stdint.h>

typedef struct block {
  uint32_t word[4];
} block;

/* Philox4x32-10: ten rounds of multiplying two words and crossing the halves, with a key that is
 * advanced between rounds. Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3". */
static inline block philox(block counter, uint32_t key0, uint32_t key1) {
  block c = counter;
  for (int round = 0; round < 10; round++) {
    uint64_t a = (uint64_t)c.word[0] * 0xd2511f53u, b = (uint64_t)c.word[2] * 0xcd9e8d57u;
    c = (block){{(uint32_t)(b >> 32) ^ c.word[1] ^ key0, (uint32_t)b,
                 (uint32_t)(a >> 32) ^ c.word[3] ^ key1, (uint32_t)a}};
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
  return c;
}

/* The upper 24 bits, as an exact float32 in [0, 1). */
static inline float uniform01(uint32_t word) {
  return (float)(word >> 8) * 0x1p-24f;
}

#endif
