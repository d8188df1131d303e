/* What an op is: three functions over tensors, and a row in ops.def.
 *
 * The tape calls shape when the node is pushed, and the other two at every run. These see tensors only: no nodes, no
 * tape. An operand that was left out is NULL. Only an op's builder, which stands at the end of its file, knows the
 * tape; and the tape knows an op only by the struct that the builder hands it. */
#ifndef GF_OP_H
#define GF_OP_H

#include "glassformer.h"

#include <stdbool.h>

typedef struct tensor tensor;
typedef struct attributes attributes;

/* A run of an op. */
typedef void kernel(const tensor *y, const tensor *const *x, const attributes *a);

struct tensor {
  int rank;
  int shape[GF_MAX_RANK]; /* 1 beyond the rank */
  size_t size;            /* product of shape */
  gf_type type;           /* what lies in value or ids; ids have no gradient */
  int limit;              /* ids that an op writes are below it; 0 where the caller writes them */
  int rows;               /* how many its second operand, ids, chooses among, or 0 */
  int along;              /* of a stored one: the dimension along which its blocks lie */
  bool integer;           /* of a stored one: products with it are those of integer.c */
  bool stays;             /* no other node may use its place: see tape.h */
  gf_description about;   /* what the tensor is, for whoever looks at it */
  union {
    float *value;
    int32_t *ids;
    const unsigned char *strips; /* of a stored one, as gf_store lays them out */
  };
  float *grad; /* NULL if nobody asks for it: backward skips such an operand */
  /* Numbers that the op writes down while it runs, and where: all nodes share the place. */
  uint64_t scratch_forward, scratch_backward;
  float *scratch;
  /* Numbers in which the op lays out its second operand, if that is a parameter and memory is planned
   * for inference: NULL otherwise. Zero at first, and whenever parameters change. */
  uint64_t layout_size;
  float *layout;
  /* What is left when all parts of a run are done, or NULL: sums over all rows. It works in parts of its own, and reads
   * numbers that those note: how many, and where; all nodes share the place. */
  kernel *forward_end, *backward_end;
  uint64_t notes_size;
  float *notes;
  /* What a run costs, in multiply-adds: a lower bound; 0 if forward and backward do not look at part and parts. */
  double work;
  /* Which part of its work a run of the op does, of how many: 0 of 0 is all of it. */
  int part, parts;
};

/* About as many multiply-adds take as long as one number of a step that is no product: of one that only reads and writes
 * it, of a mean and a deviation over its row, of one with a polynomial. */
enum { WORK_MOVED = 4, WORK_NORMALISED = 16, WORK_CURVED = 32 };

/* What a node knows beyond its operands, as ops.def tells. An op reads its own few; the rest is 0. */
typedef int axis_order[GF_MAX_RANK];
struct attributes {
#define GF_ATTRIBUTE(type, name, range) type name;
#include "ops.def"
  uint32_t stream; /* the node's own random numbers: from its name */
};

enum op_id {
#define GF_OP(name, ...) OP_##name,
#include "ops.def"
  OP_COUNT
};

typedef struct op {
  enum op_id id;
  /* Checks how operands and attributes, each right by itself, fit each other, and fills y's rank, shape
   * and type (GF_F32 unless it says otherwise), what of its description follows from theirs, the rows
   * that its ids choose among, whether it stays, whether it works in parts, and how much scratch it wants, if any.
   * Dimensions come out >= 1. GF_ENODE: an operand is stored along the wrong dimension. Also called when an operand
   * becomes a stored parameter, only to check that it is allowed: y is then thrown away. */
  gf_error (*shape)(tensor *y, const tensor *const *x, const attributes *a);
  /* Writes all of y->value, or of y->ids. */
  kernel *forward;
  /* Adds to each operand's grad, reading y->grad. */
  kernel *backward;
} op;

/* Neighbours among many: of the columns of a product, say. */
typedef struct range {
  size_t first, count;
} range;

/* What a run of y's op does of n things, which go together by the `unit`: all, unless y says which part. Parts may
 * run at the same time, in any order: no two of them may write the same number. */
range gfi_part_of(const tensor *y, size_t n, size_t unit);

/* Of a tensor as large as y, the numbers of some rows. */
static inline range rows_part(const tensor *y) {
  return gfi_part_of(y, y->size, (size_t)y->shape[y->rank - 1]);
}

/* The numbers that a step takes one by one go together by so many: whole vectors, and whole lines of a cache. */
enum { TOGETHER = 64 };

#define GF_OP(name, ...) extern const op gfi_op_##name;
#include "ops.def"

/* The sentences of errors.def, as gf_problem numbers them: first those that bindings tell. */
typedef enum sentence {
  SAYS_nothing,
#define GF_SENTENCE(name, text) SAYS_##name,
#include "errors.def"
#define GF_SENTENCE_OF_C(name, text) SAYS_##name,
#include "errors.def"
} sentence;

/* Appends a node: what each op's builder calls. `operands` are ids, as many as the row of the op names,
 * GF_NONE where one is left out. Checks them and the attributes by the row, then asks the op for the
 * shape. Returns the new id, or a negative gf_error that the tape keeps. */
int gfi_push(gf_tape *t, const op *op, const int *operands, attributes attributes,
             const char *name);

/* The rank of a node; 0 if there is no such node: then the next push fails. */
int gfi_rank_of(const gf_tape *t, int node);

/* Refuses to build a node: GF_ERANGE, where an argument is NULL. */
int gfi_refuse_null(gf_tape *t, const op *op, const char *name, const char *about);

/* Leaf kinds, as gf_node_attribute tells them. */
enum { LEAF_INPUT, LEAF_PARAMETER, LEAF_IDS };

/* Whether an operand has the type that an op expects. One that was left out has every type. */
static inline bool is_f32(const tensor *x) {
  return !x || x->type == GF_F32;
}
static inline bool is_ids(const tensor *x) {
  return !x || x->type == GF_IDS;
}

/* The row that id i names, of so many. gf_forward has checked the ids, but another thread of the caller may
 * write them while the op runs: so the id is read once, and what is none of the rows becomes the first. */
static inline size_t row_of_id(const tensor *ids, size_t i, int rows) {
#if defined(__wasm__) && !defined(GF_THREADS) /* alone with its memory */
  (void)rows;
  return (size_t)ids->ids[i];
#else
  const int32_t id = *(const volatile int32_t *)&ids->ids[i];
  return id >= 0 && id < rows ? (size_t)id : 0;
#endif
}

static inline bool is_stored(const tensor *x) {
  return x->type > GF_IDS;
}

static inline int last_dimension(const tensor *x) {
  return x->shape[x->rank - 1];
}
/* The rows of all matrices under the leading dimensions. */
static inline size_t row_count(const tensor *x) {
  return x->size / (size_t)last_dimension(x);
}

static inline bool same_shape(const tensor *a, const tensor *b) {
  bool same = a->rank == b->rank;
  for (int i = 0; i < GF_MAX_RANK; i++) same = same && a->shape[i] == b->shape[i];
  return same;
}

/* An axis of so many, counted from the first; a negative one is counted from the end. -1 if there is none. */
static inline int axis_of(int rank, int axis) {
  const int first = axis < 0 && axis >= -rank ? axis + rank : axis;
  return first >= 0 && first < rank ? first : -1;
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

/* The shape function of every op whose y is as large as its one operand, each number a curve's. */
static inline gf_error shape_as_operand(tensor *y, const tensor *const *x, const attributes *a) {
  (void)a;
  shape_like(y, x[0]);
  y->work = (double)x[0]->size * WORK_CURVED;
  return GF_OK;
}

#endif
