/* What an op is: three functions over tensors, and a row in ops.def.
 *
 * The tape calls shape once, when the node is pushed, and the other two at every run. An op sees
 * tensors only: no names, no ids, no tape. An operand that was left out is NULL. */
#ifndef GF_OP_H
#define GF_OP_H

#include "glassformer.h"

#include <stdbool.h>

typedef struct tensor {
  int rank;
  int shape[GF_MAX_RANK]; /* 1 beyond the rank */
  size_t size;            /* product of shape */
  gf_type type;           /* what lies in value or ids; ids have no gradient */
  int limit;              /* ids that an op writes are below it; 0 where the caller writes them */
  gf_description about;   /* what the tensor is, for whoever looks at it */
  union {
    float *value;
    int32_t *ids;
  };
  float *grad; /* NULL if nobody asks for it: backward skips such an operand */
  /* Numbers that the op writes down while it runs, and where: all nodes share the place. */
  uint64_t scratch_forward, scratch_backward;
  float *scratch;
  /* Numbers in which the op lays out its second operand, if that is a parameter and memory is planned
   * for inference: NULL otherwise. Zero at first, and whenever parameters change. */
  uint64_t layout_size;
  float *layout;
} tensor;

/* What a node knows beyond its operands. An op reads its own few; the rest is 0. */
typedef struct attributes {
  int alibi;              /* attention: whether it has linear biases */
  int kind;               /* leaf: LEAF_INPUT, LEAF_PARAMETER, LEAF_IDS */
  int halves;             /* position: all sines, then all cosines */
  int channels;           /* position: C */
  int transposed;         /* matmul: b is [...,N,K] */
  int causal;             /* mask, attention: query i sees key j only if j <= i + offset */
  int offset;             /* mask, attention: how many keys come before the first query */
  int heads;              /* heads: H to split into, 0 to concatenate */
  int capacity;           /* cache: N */
  int axis;               /* concat, gather, top_k */
  int order[GF_MAX_RANK]; /* transpose: axis i of y is axis order[i] of x */
  int k;                  /* top_k: how many */
  int ids;                /* top_k: gives the places instead of the values */
  int tanh_form;          /* gelu: through tanh instead of erf */
  int interleaved;        /* rope: pairs (2i, 2i+1) instead of (i, i + R/2) */
  int dimensions;         /* rotation: R */
  int reduction;          /* cross_entropy: GF_MEAN, GF_SUM, GF_EACH */
  int ignore_index;       /* cross_entropy: the target that counts for nothing */
  float factor;    /* scale; attention: of the scores; silu, swiglu: of the sigmoid's argument */
  float cap;       /* softcap; attention: 0 for none */
  float epsilon;   /* layer_norm, rms_norm */
  float p;         /* dropout: the probability of zero */
  uint32_t stream; /* dropout: the node's own random numbers */
  float base;      /* rotation */
  float smoothing; /* cross_entropy */
} attributes;

typedef struct op {
  /* Checks operands and fills y's rank, shape and type (GF_F32 unless it says otherwise), what of its
   * description follows from theirs, and how much scratch it wants, if any. Dimensions come out >= 1. */
  gf_error (*shape)(tensor *y, const tensor *const *x, const attributes *a);
  /* Writes all of y->value. */
  void (*forward)(const tensor *y, const tensor *const *x, const attributes *a);
  /* Adds to each operand's grad, reading y->grad. */
  void (*backward)(const tensor *y, const tensor *const *x, const attributes *a);
} op;

#define GF_OP(name, formula) OP_##name,
enum op_id {
#include "ops.def"
  OP_COUNT
};
#undef GF_OP

#define GF_OP(name, formula) extern const op gfi_op_##name;
#include "ops.def"
#undef GF_OP

/* Leaf kinds, as gf_node_attribute tells them. */
enum { LEAF_INPUT, LEAF_PARAMETER, LEAF_IDS };

/* Whether an operand has the type that an op expects. One that was left out has every type. */
static inline bool is_f32(const tensor *x) {
  return !x || x->type == GF_F32;
}
static inline bool is_ids(const tensor *x) {
  return !x || x->type == GF_IDS;
}

/* Rows of a matrix that lie under the leading dimensions: size / last dimension. */
static inline int last_dimension(const tensor *x) {
  return x->shape[x->rank - 1];
}
static inline size_t row_count(const tensor *x) {
  return x->size / (size_t)last_dimension(x);
}

static inline bool same_shape(const tensor *a, const tensor *b) {
  bool same = a->rank == b->rank;
  for (int i = 0; i < GF_MAX_RANK; i++) same = same && a->shape[i] == b->shape[i];
  return same;
}

/* Makes axis i of y what axis j of x is: in size and in meaning. */
static inline void axis_like(tensor *y, int i, const tensor *x, int j) {
  y->shape[i] = x->shape[j];
  y->about.axes[i] = x->about.axes[j];
  y->about.sequences[i] = x->about.sequences[j];
}

/* Gives y an axis that no operand has. */
static inline void axis_is(tensor *y, int i, int size, int meaning) {
  y->shape[i] = size;
  y->about.axes[i] = (uint8_t)meaning;
  y->about.sequences[i] = 0;
}

/* Gives y the shape of x, and its axes. */
static inline void shape_like(tensor *y, const tensor *x) {
  y->rank = x->rank;
  for (int i = 0; i < GF_MAX_RANK; i++) axis_like(y, i, x, i);
}

/* What y is: something of its own, or what x is in another form, as a rotated query remains one. */
static inline void role_is(tensor *y, int role) {
  y->about.role = (uint8_t)role;
}
static inline void role_like(tensor *y, const tensor *x) {
  y->about.role = x->about.role;
  y->about.heads = x->about.heads;
}

/* The removal that leaves y out, and the operand that is then copied: GF_NONE for zeros. */
static inline void removed_by(tensor *y, int removal, int operand) {
  y->about.removal = (uint8_t)removal;
  y->about.substitute = (int8_t)operand;
}

/* The shape function of every op whose y is as large as its one operand. */
static inline gf_error shape_as_operand(tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  if (!is_f32(x[0])) return GF_ENODE;
  shape_like(y, x[0]);
  return GF_OK;
}

#endif
