#include "op.h"
#include "random.h"

static gf_error shape(tensor *y, const tensor *const *operand, const attributes *a) {
  (void)a;
  const tensor *x = operand[0], *key = operand[1];
  if (key->rank != 1 || key->shape[0] != 2) return GF_ESHAPE;
  shape_like(y, x);
  y->work = (double)x->size * WORK_CURVED;
  role_like(y, x);
  return GF_OK;
}

/* Writes, or adds, x / (1 - p) where it is kept. */
static void drop(float *y, const float *x, range part, const int32_t *key, const attributes *a,
                 bool add) {
  const size_t end = part.first + part.count;
  for (size_t i = part.first; i < end; i += 4) {
    block b =
        philox((block){{(uint32_t)(i / 4), 1, a->stream, 0}}, (uint32_t)key[0], (uint32_t)key[1]);
    for (size_t j = i; j < end && j < i + 4; j++) {
      float d = uniform01(b.word[j - i]) >= a->p ? x[j] / (1 - a->p) : 0;
      y[j] = add ? y[j] + d : d;
    }
  }
}

/* y = keep x / (1 - p), keep by a number that depends on seed, step, node and index alone */
static void forward(const tensor *y, const tensor *const *operand, const attributes *a) {
  const range part = gfi_part_of(y, y->size, TOGETHER);
  drop(y->value, operand[0]->value, part, operand[1]->ids, a, false);
}

/* y = keep x / (1 - p)  =>  dx += keep dy / (1 - p) */
static void backward(const tensor *y, const tensor *const *operand, const attributes *a) {
  const range part = gfi_part_of(y, y->size, TOGETHER);
  if (operand[0]->grad) drop(operand[0]->grad, y->grad, part, operand[1]->ids, a, true);
}

const op gfi_op_dropout = {OP_dropout, shape, forward, backward};

/* Zeroes each element with probability p, and scales the others up to the same expectation.
 *   x [...], key: ids [2], a seed and a step  ->  y [...]     y = keep x / (1 - p)
 * 0 <= p < 1.  What is kept depends on seed, step, the node's name and the index alone:
 * Philox4x32-10 (Salmon et al. 2011), key (seed, step), counter (index / 4, 1, FNV-1a of the name, 0):
 * word index % 4 of a block, its upper 24 bits as u in [0, 1), keeps where u >= p.  For inference,
 * bypass the node.  Gradient: dx += keep dy / (1 - p).  Srivastava et al. 2014. */
int gf_dropout(gf_tape *t, int x, int key, float p, const char *name) {
  return gfi_push(t, &gfi_op_dropout, (int[]){x, key}, (attributes){.p = p}, name);
}
