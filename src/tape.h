/* The tape: a flat list of named nodes over the op table. Construction order is execution order. */
#ifndef GF_TAPE_H
#define GF_TAPE_H

#include "ops.h"
#include "team.h"

typedef struct node {
  char name[GF_MAX_NAME + 1];
  uint32_t hash; /* of the name */
  int same;      /* the next node in the same bucket of names, an earlier one; or GF_NONE */
  enum op_id op;
  attributes attributes;
  int input[GF_MAX_INPUTS]; /* node ids, GF_NONE where there is none */
  tensor y;
  int bypass;      /* the operand that is copied instead of computing, or GF_NONE */
  bool frozen;     /* forward leaves the values, backward passes nothing on */
  bool computed;   /* forward has run it since the plan */
  bool bound;      /* a leaf whose memory is the caller's */
  bool kept;       /* the caller reads it: no other node may use its place */
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

/* Bytes of a tape for one node more. */
enum { NODE_BYTES = sizeof(node) + sizeof(int) };

/* Makes the index of names anew, after the capacity has changed. */
void gfi_tape_index(gf_tape *t);

static inline bool is_node(const gf_tape *t, int i) {
  return i >= 0 && i < t->count;
}

/* A node to look at: where there is none, one without name, numbers and operands. */
const node *gfi_tape_at(const gf_tape *t, int i);

/* Forgets the nodes from count on. */
void gfi_tape_rewind(gf_tape *t, int count);

/* Appends a leaf: kind is LEAF_INPUT, LEAF_PARAMETER or LEAF_IDS. */
int gfi_tape_push_leaf(gf_tape *t, int kind, int rank, const int *shape, const char *name);

/* The same as gfi_push with the attributes as numbers in the order of the op's row. */
int gfi_push_numbers(gf_tape *t, enum op_id id, const int *operands, const double *numbers,
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
/* Forgets what was made of parameters. */
void gfi_tape_refresh(gf_tape *t);
/* Whether a value outlives the run of the nodes that read it, in a plan that reuses memory. */
bool gfi_tape_stays(const node *n);

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

/* Makes a parameter stored: y tells its type, along which dimension, and where. Asks the ops that read it;
 * if one cannot, nothing is changed but the tape's error, which is returned. */
gf_error gfi_tape_store(gf_tape *t, int parameter, tensor y);

/* What gf_self_test computes, and what comes out wherever the bits are right. It changes only where
 * tests/golden.txt does. */
#define SELF_TEST_HASH 0x10f1fa653674e249
gf_error gfi_self_test_hash(uint64_t *hash);

#endif
