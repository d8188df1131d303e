/* What the machine gives at best with vectors of four floats: arithmetic that never leaves the
 * registers, and reading from memory. The same file as wasm and natively. */
#include "machine.h"

typedef float f4 __attribute__((vector_size(16)));

/* Chains of dependent sums: as many as fit, beside the two constants, into the 15 of 16 registers
 * that V8 leaves to a program. Fewer would leave units idle. */
enum { CHAINS = 13, SUMS = 8 };

static float total(const f4 *v, int count) {
  f4 sum = {0, 0, 0, 0};
  for (int c = 0; c < count; c++) sum += v[c];
  return sum[0] + sum[1] + sum[2] + sum[3];
}

double machine_peak_work(int turns) {
  return 8.0 * CHAINS * turns;
}

float machine_peak(int turns) {
  const f4 shrink = {0.5f, 0.5f, 0.5f, 0.5f}, shift = {1, 2, 3, 4};
  f4 chain[CHAINS];
  /* Of different starts, or a compiler finds that one chain is enough. */
  for (int c = 0; c < CHAINS; c++) chain[c] = shift * (float)(c + 1);
  for (int i = 0; i < turns; i++)
    for (int c = 0; c < CHAINS; c++) chain[c] = chain[c] * shrink + shift;
  return total(chain, CHAINS);
}

float machine_read(const float *numbers, int count) {
  const f4 *v = (const f4 *)numbers;
  f4 sums[SUMS] = {{0, 0, 0, 0}};
  for (int i = 0; i + SUMS <= count / 4; i += SUMS)
    for (int c = 0; c < SUMS; c++) sums[c] += v[i + c];
  return total(sums, SUMS);
}
