#include "op.h"
#include "row.h"

/* What is noted of each row. */
enum { MEAN, REST, SCALE, NOTES };

static kernel backward_end;

static gf_error shape(tensor *y, const tensor *const *operand, const attributes *a) {
  (void)a;
  const tensor *x = operand[0];
  for (int k = 1; k <= 2; k++) {
    const tensor *p = operand[k];
    if (p && (p->rank != 1 || p->shape[0] != last_dimension(x))) return GF_ESHAPE;
  }
  shape_like(y, x);
  role_is(y, GF_ROLE_NORM);
  removed_by(y, GF_REMOVE_NORM, 0);
  y->scratch_backward = (uint64_t)last_dimension(x);
  y->backward_end = backward_end;
  y->notes_size = NOTES * (uint64_t)row_count(x);
  y->work = (double)x->size * WORK_NORMALISED;
  return GF_OK;
}

/* Mean, and one over the standard deviation: the square root of the biased variance + epsilon. The
 * mean is in two parts: one float32 is as coarse as the numbers themselves, and where these are large
 * and alike, all of z would be off. The rest corrects the variance, too (Chan et al. 1983). */
typedef struct moments {
  const float *x; /* the row they are of: where float32 has no room for squares, z already */
  f4 mean, rest, scale;
  f4 given_scale; /* 1 / the deviation of the row that was given: of that, scale is 1 */
} moments;

/* Of a row of n numbers. z: room for as many. */
static moments moments_of(const float *x, size_t n, float epsilon, float *z) {
  f4 sum = f4_splat(0), rests = f4_splat(0), squares = f4_splat(0);
  F4_FOR(j, left, n, sum += f4_load_n(x + j, left, 0););
  f4 mean = f4_splat(f4_sum(sum) / (float)n);
  F4_FOR(j, left, n, {
    f4 d = f4_load_n(x + j, left, mean[0]) - mean;
    rests += d;
    squares += d * d;
  });
  f4 rest = f4_splat(f4_sum(rests) / (float)n);
  f4 variance = f4_max(f4_splat(f4_sum(squares) / (float)n) - rest * rest, f4_splat(0));
  f4 square = variance + epsilon;
  if (!row_is_ordinary(square[0])) {
    f4 given_scale = f4_splat(gfi_row_normalise(z, x, n, true, epsilon));
    return (moments){z, f4_splat(0), f4_splat(0), f4_splat(1), given_scale};
  }
  f4 scale = 1.0f / f4_sqrt(square);
  return (moments){x, mean, rest, scale, scale};
}

/* Notes the moments of a row, for what ends the run; of one that is out of the ordinary, that it is. */
static void note(float *to, moments m, const float *row) {
  to[MEAN] = m.mean[0];
  to[REST] = m.rest[0];
  to[SCALE] = m.x == row ? m.scale[0] : 0;
}
static moments noted(const float *from, const float *row, size_t n, float epsilon, float *z) {
  f4 scale = f4_splat(from[SCALE]);
  if (from[SCALE] == 0) return moments_of(row, n, epsilon, z);
  return (moments){row, f4_splat(from[MEAN]), f4_splat(from[REST]), scale, scale};
}

/* z = (x - mean) s */
static f4 normalised(f4 x, moments m) {
  return ((x - m.mean) - m.rest) * m.scale;
}

/* y = gain (x - mean) / sqrt(variance + epsilon) + bias */
static void forward(const tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *x = operand[0], *gain = operand[1], *bias = operand[2];
  size_t n = (size_t)last_dimension(x);
  const range part = rows_part(y);
  for (size_t i = part.first; i < part.first + part.count; i += n) {
    moments m = moments_of(x->value + i, n, a->epsilon, y->value + i);
    F4_FOR(j, left, n, {
      f4 z = normalised(f4_load_n(m.x + j, left, 0), m);
      if (gain) z *= f4_load_n(gain->value + j, left, 0);
      if (bias) z += f4_load_n(bias->value + j, left, 0);
      f4_store_n(y->value + i + j, z, left);
    });
  }
}

/* y = gain z + bias, z = (x - mean) s  =>  dx += s (dz - mean dz - z mean(dz z)), dz = gain dy */
static void backward(const tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *x = operand[0], *gain = operand[1];
  size_t n = (size_t)last_dimension(x);
  const range part = rows_part(y);
  for (size_t i = part.first; i < part.first + part.count; i += n) {
    const float *dy = y->grad + i;
    moments m = moments_of(x->value + i, n, a->epsilon, y->scratch);
    note(y->notes + i / n * NOTES, m, x->value + i);
    if (!x->grad) continue;
    f4 sum = f4_splat(0), product = f4_splat(0);
    F4_FOR(j, left, n, {
      f4 z = normalised(f4_load_n(m.x + j, left, m.mean[0]), m); /* 0 beyond the row, too */
      f4 d = f4_load_n(dy + j, left, 0);
      if (gain) d *= f4_load_n(gain->value + j, left, 0);
      sum += d;
      product += d * z;
    });
    f4 mean_d = f4_splat(f4_sum(sum) / (float)n), mean_dz = f4_splat(f4_sum(product) / (float)n);
    F4_FOR(j, left, n, {
      f4 z = normalised(f4_load_n(m.x + j, left, 0), m);
      f4 d = f4_load_n(dy + j, left, 0);
      if (gain) d *= f4_load_n(gain->value + j, left, 0);
      f4_add_n(x->grad + i + j, m.given_scale * (d - mean_d - z * mean_dz), left);
    });
  }
}

/* y = gain z + bias  =>  dgain += dy z, dbias += dy, of each row */
static void backward_end(const tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *x = operand[0], *gain = operand[1], *bias = operand[2];
  float *dgain = gain ? gain->grad : NULL, *dbias = bias ? bias->grad : NULL;
  if (!dgain && !dbias) return;
  size_t n = (size_t)last_dimension(x);
  const range part = gfi_part_of(y, n, TOGETHER);
  for (size_t i = 0; i < y->size; i += n) {
    moments m = noted(y->notes + i / n * NOTES, x->value + i, n, a->epsilon, y->scratch);
    F4_FOR(k, left, part.count, {
      const size_t j = part.first + k;
      f4 d = f4_load_n(y->grad + i + j, left, 0);
      if (dgain) f4_add_n(dgain + j, d * normalised(f4_load_n(m.x + j, left, 0), m), left);
      if (dbias) f4_add_n(dbias + j, d, left);
    });
  }
}

const op gfi_op_layer_norm = {OP_layer_norm, shape, forward, backward};

/* Normalises each row to mean 0 and variance 1 (biased), then scales and shifts it.
 *   x [...,C], gain [C] or GF_NONE, bias [C] or GF_NONE  ->  y [...,C]
 *   y = gain z + bias,  z = (x - mean x) / sqrt(var x + epsilon)
 * epsilon >= 0, usually 1e-5.  Gradient: dx += (dz - mean dz - z mean(dz z)) / sqrt(var x + epsilon)
 * with dz = gain dy; dgain += sum of dy z, dbias += sum of dy over the rows.  Ba et al. 2016. */
int gf_layer_norm(gf_tape *t, int x, int gain, int bias, float epsilon, const char *name) {
  return gfi_push(t, &gfi_op_layer_norm, (int[]){x, gain, bias}, (attributes){.epsilon = epsilon},
                  name);
}
