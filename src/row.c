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

void gfi_add_row(float *rows, size_t stride, size_t m, const float *row, size_t n) {
  if (!row) return;
  for (size_t r = 0; r < m; r++, rows += stride)
    for (size_t i = 0; i < n; i += 4) f4_add_n(rows + i, f4_load_n(row + i, n - i, 0), n - i);
}
