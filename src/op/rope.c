#include "op.h"
#include "f4.h"

/* x [B,H,T,D], [H,T,D] or [T,D]; rotation [T,R/2,2] or [B,T,R/2,2], R <= D */
static gf_error shape(tensor *y, const tensor *const *operand, const attributes *a) {
  (void)a;
  const tensor *x = operand[0], *r = operand[1];
  if (x->rank < 2 || r->rank < 3 || last_dimension(r) != 2) return GF_ESHAPE;
  if (r->shape[r->rank - 3] != x->shape[x->rank - 2]) return GF_ESHAPE;
  if (r->shape[r->rank - 2] * 2 > last_dimension(x)) return GF_ESHAPE;
  if (r->rank == 4 && (x->rank != 4 || r->shape[0] != x->shape[0])) return GF_ESHAPE;
  shape_like(y, x);
  y->work = (double)x->size * WORK_NORMALISED;
  role_like(y, x);
  removed_by(y, GF_REMOVE_POSITIONS, 0);
  return GF_OK;
}

/* Rotates each pair (u, v) by its angle, or back for gradients; what lies past R is passed through. */
static void rotate(const tensor *y, const tensor *r, const attributes *a, float *to,
                   const float *from, float direction, bool add) {
  size_t width = (size_t)last_dimension(y), pairs = (size_t)r->shape[r->rank - 2];
  size_t time = (size_t)y->shape[y->rank - 2], rows = row_count(y);
  size_t per_batch = r->rank == 4 ? rows / (size_t)y->shape[0] : rows;
  const range part = gfi_part_of(y, rows, 1);
  for (size_t i = part.first; i < part.first + part.count; i++) {
    const float *angles = r->value + (i / per_batch * time + i % time) * pairs * 2;
    const float *in = from + i * width;
    float *out = to + i * width;
    for (size_t j = 0; j < pairs; j++) {
      size_t u = a->interleaved ? 2 * j : j, v = a->interleaved ? 2 * j + 1 : j + pairs;
      float cosine = angles[2 * j], sine = direction * angles[2 * j + 1];
      float first = in[u] * cosine - in[v] * sine, second = in[v] * cosine + in[u] * sine;
      out[u] = add ? out[u] + first : first;
      out[v] = add ? out[v] + second : second;
    }
    for (size_t j = 2 * pairs; j < width; j++) out[j] = add ? out[j] + in[j] : in[j];
  }
}

/* (y_u, y_v) = (x_u cos - x_v sin, x_v cos + x_u sin) */
static void forward(const tensor *y, const tensor *const *operand, const attributes *a) {
  rotate(y, operand[1], a, y->value, operand[0]->value, 1, false);
}

/* (y_u, y_v) = (x_u cos - x_v sin, x_v cos + x_u sin)  =>  the same rotation backwards. The rotation comes
 * from positions, so no gradient is asked of it. */
static void backward(const tensor *y, const tensor *const *operand, const attributes *a) {
  if (operand[0]->grad) rotate(y, operand[1], a, operand[0]->grad, y->grad, -1, true);
}

const op gfi_op_rope = {OP_rope, shape, forward, backward};

/* Rotary position embedding: rotates each pair of a row by its position's angle.
 *   x [T,D], [H,T,D] or [B,H,T,D], rotation [T,R/2,2], or [B,T,R/2,2] for the last  ->  y as x
 *   (y_u, y_v) = (x_u cos - x_v sin, x_v cos + x_u sin)
 * The pair i is (i, i + R/2), or (2i, 2i + 1) if interleaved; R <= D, the rest is passed through.
 * Gradient: dx += dy rotated back; none for rotation.  Su et al. 2021. */
int gf_rope(gf_tape *t, int x, int rotation, int interleaved, const char *name) {
  return gfi_push(t, &gfi_op_rope, (int[]){x, rotation}, (attributes){.interleaved = interleaved},
                  name);
}
