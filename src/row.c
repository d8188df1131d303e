#include "row.h"

float gfi_row_normalise(float *z, const float *x, size_t n, bool centred, float epsilon) {
  double mean = 0, squares = 0;
  for (size_t j = 0; centred && j < n; j++) mean += x[j];
  mean /= (double)n;
  for (size_t j = 0; j < n; j++) squares += (x[j] - mean) * (x[j] - mean);
  double rate = 1 / __builtin_sqrt(squares / (double)n + epsilon);
  for (size_t j = 0; j < n; j++) z[j] = (float)((x[j] - mean) * rate);
  return (float)rate;
}
