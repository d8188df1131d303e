#include "op.h"
#include "row.h"

static kernel backward_end;

static gf_error shape(tensor *y, const tensor *const *operand, const attributes *a) {
  (void)a;
  const tensor *x = operand[0], *gain = operand[1];
  if (gain && (gain->rank != 1 || gain->shape[0] != last_dimension(x))) return GF_ESHAPE;
  shape_like(y, x);
  role_is(y, GF_ROLE_NORM);
  removed_by(y, GF_REMOVE_NORM, 0);
  y->scratch_backward = (uint64_t)last_dimension(x);
  y->backward_end = backward_end;
  y->notes_size = (uint64_t)row_count(x);
  y->work = (double)x->size * WORK_NORMALISED;
  return GF_OK;
}

/* A row, and what makes z of it. */
typedef struct scaled {
  const float *x; /* where float32 has no room for squares, z already */
  f4 scale;       /* z = x scale */
  f4 given_scale; /* 1 / the deviation of the row that was given: of that, scale is 1 */
} scaled;

/* Of a row of n numbers: scale = 1 / sqrt(mean of x^2 + epsilon). z: room for as many. */
static scaled scaled_of(const float *x, size_t n, float epsilon, float *z) {
  f4 squares = f4_splat(0);
  F4_FOR(j, left, n, {
    f4 v = f4_load_n(x + j, left, 0);
    squares += v * v;
  });
  f4 square = f4_splat(f4_sum(squares) / (float)n) + epsilon;
  if (!row_is_ordinary(square[0]))
    return (scaled){z, f4_splat(1), f4_splat(gfi_row_normalise(z, x, n, false, epsilon))};
  f4 scale = 1.0f / f4_sqrt(square);
  return (scaled){x, scale, scale};
}

/* y = gain x / sqrt(mean of x^2 + epsilon) */
static void forward(const tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *x = operand[0], *gain = operand[1];
  size_t n = (size_t)last_dimension(x);
  const range part = rows_part(y);
  for (size_t i = part.first; i < part.first + part.count; i += n) {
    scaled s = scaled_of(x->value + i, n, a->epsilon, y->value + i);
    F4_FOR(j, left, n, {
      f4 z = f4_load_n(s.x + j, left, 0) * s.scale;
      if (gain) z *= f4_load_n(gain->value + j, left, 0);
      f4_store_n(y->value + i + j, z, left);
    });
  }
}

/* y = gain z, z = x s  =>  dx += s (dz - z mean(dz z)), dz = gain dy. Notes the scale of each row, for what ends the run: 0 of
 * one that is out of the ordinary. */
static void backward(const tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *x = operand[0], *gain = operand[1];
  size_t n = (size_t)last_dimension(x);
  const range part = rows_part(y);
  for (size_t i = part.first; i < part.first + part.count; i += n) {
    const float *dy = y->grad + i;
    scaled s = scaled_of(x->value + i, n, a->epsilon, y->scratch);
    y->notes[i / n] = s.x == x->value + i ? s.scale[0] : 0;
    if (!x->grad) continue;
    f4 product = f4_splat(0);
    F4_FOR(j, left, n, {
      f4 z = f4_load_n(s.x + j, left, 0) * s.scale, d = f4_load_n(dy + j, left, 0);
      if (gain) d *= f4_load_n(gain->value + j, left, 0);
      product += d * z;
    });
    f4 mean = f4_splat(f4_sum(product) / (float)n);
    F4_FOR(j, left, n, {
      f4 z = f4_load_n(s.x + j, left, 0) * s.scale, d = f4_load_n(dy + j, left, 0);
      if (gain) d *= f4_load_n(gain->value + j, left, 0);
      f4_add_n(x->grad + i + j, s.given_scale * (d - z * mean), left);
    });
  }
}

/* y = gain z  =>  dgain += dy z, of each row */
static void backward_end(const tensor *y, const tensor *const *operand, const attributes *a) {
  const tensor *x = operand[0], *gain = operand[1];
  if (!gain || !gain->grad) return;
  size_t n = (size_t)last_dimension(x);
  const range part = gfi_part_of(y, n, TOGETHER);
  for (size_t i = 0; i < y->size; i += n) {
    const float noted = y->notes[i / n];
    scaled s = {x->value + i, f4_splat(noted), f4_splat(noted)};
    if (noted == 0) s = scaled_of(x->value + i, n, a->epsilon, y->scratch);
    F4_FOR(k, left, part.count, {
      const size_t j = part.first + k;
      f4 z = f4_load_n(s.x + j, left, 0) * s.scale;
      f4_add_n(gain->grad + j, f4_load_n(y->grad + i + j, left, 0) * z, left);
    });
  }
}

const op gfi_op_rms_norm = {OP_rms_norm, shape, forward, backward};

/* Divides each row by its root mean square.
 *   x [...,C], gain [C] or GF_NONE  ->  y [...,C]     y = gain z,  z = x / sqrt(mean x^2 + epsilon)
 * epsilon >= 0.  Gradient: dx += (dz - z mean(dz z)) / sqrt(mean x^2 + epsilon) with dz = gain dy;
 * dgain += sum of dy z over the rows.  Zhang and Sennrich 2019. */
int gf_rms_norm(gf_tape *t, int x, int gain, float epsilon, const char *name) {
  return gfi_push(t, &gfi_op_rms_norm, (int[]){x, gain}, (attributes){.epsilon = epsilon}, name);
}
