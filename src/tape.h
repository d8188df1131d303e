/* The tape: a flat list of named nodes over the op table. Construction order is execution order. */
#ifndef GF_TAPE_H
#define GF_TAPE_H

#include "ops.h"
#include "team.h"

/* A node, and the states it may be in besides having a value:
 *
 *   state     meaning                                            set by
 *   y.stays   others never use its place: a leaf, a cache        the op's shape, when it is pushed
 *   kept      the same, because the caller reads it              gf_keep; gf_plan_reuse where it is frozen
 *   bound     a leaf in memory of the caller, or stored:         gf_bind, gf_bind_stored, before the plan
 *             plans give it no place
 *   computed  forward has written the value since the plan       gf_forward; gf_forward_part after the last part
 *   frozen    forward leaves the value as the caller wrote it,   gf_freeze, at any time
 *             backward passes nothing on
 *   bypass    copies that operand instead of computing           gf_bypass, at any time
 *
 * y.stays and kept count in a plan that reuses memory alone, and only a value that stays there may be frozen afterwards.
 * A leaf is never bypassed, for it has no operands; it counts as computed whatever its flag says, and so does a frozen
 * node. Of a node that is both, frozen wins over bypass. No parameter that is stored can be what a bypass copies. */
typedef struct node {
  char name[GF_MAX_NAME + 1];
  uint32_t hash; /* of the name */
  int same;      /* the next node in the same bucket of names, an earlier one; or GF_NONE */
  const op *op;
  attributes attributes;
  int input[GF_MAX_INPUTS]; /* node ids, GF_NONE where there is none */
  tensor y;
  int bypass; /* the number of an operand, or GF_NONE */
  bool frozen, computed, bound, kept;
  uint64_t offset; /* how many numbers the parameters before it hold */
  /* In a plan that reuses memory: the last node that reads it, or GF_NONE; and where it lies. Then
   * its place is free, a gap of so many bytes, and there may be a next one. */
  int last;
  size_t place, room;
  int above;
} node;

/* Whether the tape is planned, and how. */
typedef enum plan { PLAN_NONE, PLAN_KEEP, PLAN_REUSE } plan;

/* Behind the nodes, up to their capacity, lie as many buckets: a hash index from names to nodes. A
 * bucket holds the latest of its nodes, or GF_NONE. All is told by ids, so that a tape can move. */
struct gf_tape {
  int capacity, count;
  int asked; /* how many nodes there would be, had there always been room */
  plan plan;
#if GF_THREADS
  gf_team *team;         /* who shares the work, or NULL */
  uint64_t scratch_each; /* numbers that a thread may write down */
#endif
  int begun;          /* the node that the last run began with */
  int next;           /* the one behind that run; past the last one if there is none */
  int differentiated; /* the node down to which backward has come; past the last one if to none */
  gf_error error;     /* sticky: the first since the tape was made or rewound */
  gf_problem problem; /* the last that was told */
  char message[320];  /* its text, once somebody asks for it */
  node nodes[];
};

/* Every tensor starts on a vector's boundary. */
enum { GF_ALIGNMENT = 16 };

/* Bytes of a tape for one node more. */
enum { NODE_BYTES = sizeof(node) + sizeof(int) };

/* Makes the index of names anew, after the capacity has changed. */
void gfi_tape_index(gf_tape *t);

static inline bool is_node(const gf_tape *t, int i) {
  return i >= 0 && i < t->count;
}

/* A node to look at: where there is none, one without name, numbers and operands. */
const node *gfi_tape_at(const gf_tape *t, int i);

static inline bool is_leaf(const node *n) {
  return n->op == &gfi_op_leaf;
}

/* Forgets the nodes from count on. */
void gfi_tape_rewind(gf_tape *t, int count);

/* Appends a leaf: kind is LEAF_INPUT, LEAF_PARAMETER or LEAF_IDS. */
int gfi_tape_push_leaf(gf_tape *t, int kind, int rank, const int *shape, const char *name);

/* The same as gfi_push with the attributes as numbers in the order of the op's row. */
int gfi_push_numbers(gf_tape *t, const op *op, const int *operands, const double *numbers,
                     const char *name);

/* Notes a problem of a node, an op or a function, and a sentence; returns the error. */
gf_error gfi_tape_tell(gf_tape *t, gf_error error, const char *name, const char *where,
                       sentence says);

/* The same for a failed build, which is sticky: only the first is kept, and it is returned. */
gf_error gfi_tape_fail(gf_tape *t, gf_error error, const char *name, const char *where,
                       sentence says);

/* The same of a sentence that is about something, or about a number. */
gf_error gfi_tape_fail_about(gf_tape *t, gf_error error, const char *name, const char *where,
                             sentence says, const char *about, int number);

/* Every value and gradient has its own place. */
size_t gfi_tape_plan(gf_tape *t, void *memory);
/* No gradients; values share places, save those that stay. */
size_t gfi_tape_plan_reuse(gf_tape *t, void *memory);
/* Gives a planned tape the same places in other memory. */
void gfi_tape_place(gf_tape *t, void *memory);
/* Forgets what was made of parameters. */
void gfi_tape_refresh(gf_tape *t);
/* Whether a value outlives the run of the nodes that read it, in a plan that reuses memory: it stays, is kept, or is a
 * result, which no node reads. */
static inline bool stays(const node *n) {
  return n->y.stays || n->kept || n->last == GF_NONE;
}
/* Whether a node's value can be looked at, or held fast. */
static inline bool is_readable(const gf_tape *t, const node *n) {
  return t->plan != PLAN_REUSE || stays(n);
}
/* Whether it is there. */
static inline bool is_computed(const node *n) {
  return is_leaf(n) || n->frozen || n->computed;
}

/* Whether memory for tensors begins where no vector may begin. */
static inline bool is_misaligned(const void *memory) {
  return (uintptr_t)memory % GF_ALIGNMENT != 0;
}

void gfi_tape_forward(gf_tape *t, int first, int last);
void gfi_tape_backward(gf_tape *t, int first, int last);
void gfi_tape_zero_grad(gf_tape *t);
/* Takes back what was said of a node since then. */
void gfi_tape_describe(gf_tape *t, int node, gf_description before);
int gfi_tape_find(const gf_tape *t, const char *name);
bool gfi_tape_is_parameter(const node *n);
/* Whether numbers of the block of parameters are its own. */
static inline bool is_in_block(const node *n) {
  return gfi_tape_is_parameter(n) && !is_stored(&n->y);
}

/* How many numbers the parameters hold as far as that node. */
static inline uint64_t end_in_block(const node *n) {
  return n->offset + (is_in_block(n) ? n->y.size : 0);
}

/* Makes a parameter stored: y tells its type, along which dimension, and where. Asks the ops that read it;
 * if one cannot, nothing is changed but the tape's error, which is returned. */
gf_error gfi_tape_store(gf_tape *t, int parameter, tensor y);

/* What gf_self_test computes, and what comes out wherever the bits are right. It changes only where
 * tests/golden.txt does. */
#define SELF_TEST_HASH 0x10f1fa653674e249
gf_error gfi_self_test_hash(uint64_t *hash);

#endif
