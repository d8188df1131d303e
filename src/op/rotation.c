#include "op.h"
#include "fmath.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  const tensor *positions = x[0];
  if (positions->rank > GF_MAX_RANK - 2) return GF_ESHAPE;
  if (a->dimensions % 2) return GF_ERANGE;
  shape_like(y, positions);
  axis_is(y, y->rank++, a->dimensions / 2, GF_AXIS_PAIR);
  axis_is(y, y->rank++, 2, GF_AXIS_ROTATION);
  role_is(y, GF_ROLE_POSITION);
  return GF_OK;
}

/* f where the pair turns often within the span, f / stretch where it hardly does, and a mixture between. */
static double stretched(double f, const attributes *a) {
  double turns = a->span * f / 6.283185307179586, share = (turns - a->slow) / (a->fast - a->slow);
  share = share < 0 ? 0 : share > 1 ? 1 : share;
  return (1 - share) * f / a->stretch + share * f;
}

/* y[p,i] = (cos, sin)(p / base^(2i/R)), the angle in float64 as in op position */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  const tensor *positions = x[0];
  size_t pairs = (size_t)a->dimensions / 2;
  double log_base = f64_log(a->base);
  for (size_t i = 0; i < pairs; i++) {
    double frequency = f64_exp(-log_base * (double)(2 * i) / (double)a->dimensions);
    if (a->stretch != 0) frequency = stretched(frequency, a);
    for (size_t p = 0; p < positions->size; p++) {
      double sine, cosine;
      f64_sincos(positions->ids[p] * frequency, &sine, &cosine);
      y->value[(p * pairs + i) * 2] = (float)cosine;
      y->value[(p * pairs + i) * 2 + 1] = (float)sine;
    }
  }
}

/* Positions are ids: there is nothing to pass on to. */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)y, (void)x, (void)a;
}

const op gfi_op_rotation = {OP_rotation, shape, forward, backward};

/* The angles of rotary positions, as cosines and sines.
 *   positions: ids [T] or [B,T]  ->  y [...,R/2,2]     y[p,i] = (cos, sin)(p / base^(2i/R))
 * R = dimensions: even, >= 2.  base > 0, usually 10000.  Right to 1e-6 for positions up to 2^20.
 * No gradient. */
int gf_rotation(gf_tape *t, int positions, int dimensions, float base, const char *name) {
  attributes a = {.dimensions = dimensions, .base = base};
  return gfi_push(t, &gfi_op_rotation, (int[]){positions}, a, name);
}

/* The same, for longer texts than a model was trained with: slow pairs turn `stretch` times slower.
 *   f = base^(-2i/R), turns = span f / 2 pi, s = (turns - slow) / (fast - slow), but within 0 to 1
 *   y[p,i] = (cos, sin)(p ((1 - s) f / stretch + s f))
 * stretch >= 0; 0: as gf_rotation.  0 <= slow < fast.  span 0: all pairs are stretched.
 * Llama 3 (Dubey et al. 2024); with span 0 Chen et al. 2023. */
int gf_rotation_stretched(gf_tape *t, int positions, int dimensions, float base, float stretch,
                          float slow, float fast, int span, const char *name) {
  attributes a = {.dimensions = dimensions,
                  .base = base,
                  .stretch = stretch,
                  .slow = slow,
                  .fast = fast,
                  .span = span};
  return gfi_push(t, &gfi_op_rotation, (int[]){positions}, a, name);
}
