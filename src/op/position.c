#include "op.h"
#include "fmath.h"

static gf_error shape(tensor *y, const tensor *const *x, const attributes *a) {
  const tensor *positions = x[0];
  if (positions->rank == GF_MAX_RANK) return GF_ESHAPE;
  shape_like(y, positions);
  axis_is(y, y->rank++, a->channels, GF_AXIS_CHANNEL);
  role_is(y, GF_ROLE_POSITION);
  return GF_OK;
}

/* y[p,2i] = sin(p / 10000^(2i/C)), y[p,2i+1] = cos(same); or the sines first, then the cosines. The
 * angle is taken in float64: at position 2^20 a float32 one would be off by a thirtieth. */
static void forward(const tensor *y, const tensor *const *x, const attributes *a) {
  const double log_10000 = 9.210340371976182736;
  const tensor *positions = x[0];
  size_t width = (size_t)last_dimension(y), sines = (width + 1) / 2;
  for (size_t i = 0; i < sines; i++) {
    double frequency = f64_exp(-log_10000 * (double)(2 * i) / (double)width);
    size_t at_sine = a->halves ? i : 2 * i, at_cosine = a->halves ? sines + i : 2 * i + 1;
    for (size_t p = 0; p < positions->size; p++) {
      double sine, cosine;
      f64_sincos(positions->ids[p] * frequency, &sine, &cosine);
      y->value[p * width + at_sine] = (float)sine;
      if (at_cosine < width) y->value[p * width + at_cosine] = (float)cosine;
    }
  }
}

/* Positions are ids: there is nothing to pass on to. */
static void backward(const tensor *y, const tensor *const *x, const attributes *a) {
  (void)y, (void)x, (void)a;
}

const op gfi_op_position = {OP_position, shape, forward, backward};

/* Sinusoidal position encoding.
 *   positions: ids [...]  ->  y [...,C]
 *   y[p,2i] = sin(p / 10000^(2i/C)),  y[p,2i+1] = cos(p / 10000^(2i/C))
 * halves: nonzero puts all sines first, then all cosines, as Marian does.
 * Right to 1e-6 for positions up to 2^20.  C may be odd: the last column is a sine.  No gradient.
 * Vaswani et al. 2017, section 3.5. */
int gf_position(gf_tape *t, int positions, int channels, int halves, const char *name) {
  attributes a = {.channels = channels, .halves = halves};
  return gfi_push(t, &gfi_op_position, (int[]){positions}, a, name);
}
