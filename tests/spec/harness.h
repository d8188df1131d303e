/* What specs are written with: trials of an op against a naive float64 reference, refusals of wrong
 * arguments, single expectations, and memory whose borders are watched. */
#ifndef GF_HARNESS_H
#define GF_HARNESS_H

#include "glassformer.h"
#include "spec.h"

#include <stdbool.h>

/* ---- Complaints: the first one of a spec counts, and stops its trials ------------------------- */

void harness_reset(void);
const char *harness_complaint(void); /* NULL if there is none */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Puts where it was before the complaint, if there is one. */
void complain_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define EXPECT(condition)                                                                          \
  ((condition) ? (void)0 : complain("%s:%d: not so: %s", __FILE__, __LINE__, #condition))
#define EXPECT_INT(expression, expected)                                                           \
  expect_int(__FILE__, __LINE__, #expression, (long long)(expression), (long long)(expected))
#define EXPECT_TEXT(expression, expected)                                                          \
  expect_text(__FILE__, __LINE__, #expression, expression, expected)
/* |expression - expected| <= tolerance; infinities must be equal, a NaN never is. */
#define EXPECT_NEAR(expression, expected, tolerance)                                               \
  expect_near(__FILE__, __LINE__, #expression, expression, expected, tolerance)

void expect_int(const char *file, int line, const char *what, long long is, long long expected);
void expect_text(const char *file, int line, const char *what, const char *is,
                 const char *expected);
void expect_near(const char *file, int line, const char *what, double is, double expected,
                 double tolerance);
bool near(double is, double expected, double tolerance);

/* ---- Numbers and memory ------------------------------------------------------------------------ */

/* The next of a fixed sequence of random numbers, uniform in [low, high). */
double random_between(double low, double high);

/* Word index % 4 of Philox4x32-10's block index / 4, as the paper has it: the counter is (index / 4,
 * use, stream, 0), the key (seed, step). */
uint32_t random_word(uint32_t seed, uint32_t step, uint32_t use, uint32_t stream, uint32_t index);

/* Memory between two watched borders, aligned to 16 bytes, plus `skew`. Filled with a pattern, not
 * with zeros. `room_reset` forgets it all and complains if anybody wrote on a border. */
void *room(size_t bytes, size_t skew);
void room_reset(void);
void room_check(void);      /* complains if anybody wrote on a border */
int room_count(void);       /* the rooms since the last reset */
void room_forget(int from); /* forgets the rooms from that one on */

/* An empty tape, and the tape placed in planned memory, both in such rooms. */
gf_tape *new_tape(void);
void place(gf_tape *t);

/* Leaves with made-up names: IN(t, 2, 3) is an input of shape [2,3]. */
#define IN(t, ...)  made_up_leaf(t, false, DIMENSIONS(__VA_ARGS__))
#define IDS(t, ...) made_up_leaf(t, true, DIMENSIONS(__VA_ARGS__))
#define DIMENSIONS(...)                                                                            \
  (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), (const int[]) {                               \
    __VA_ARGS__                                                                                    \
  }
int made_up_leaf(gf_tape *t, bool ids, int rank, const int *shape);

/* Whether n numbers have the same bits, save those of a NaN. */
bool same(const float *a, const float *b, size_t n);

/* ---- Trials of an op ---------------------------------------------------------------------------- */

enum { MAX_OPERANDS = 14 };

/* A leaf that the op reads. Its numbers are random in low..high (-1..1 if both are 0), or given. */
typedef struct operand {
  int shape[GF_MAX_RANK]; /* 0 beyond the rank; rank 0 ends the list of operands */
  bool ids;
  bool constant; /* values to which the op passes no gradient */
  double low, high;
  const double *given;
} operand;
#define VALUES(...) ((operand){.shape = {__VA_ARGS__}})

/* Checks one node against a reference:
 *   - its value within tolerance * (1 + largest |reference|), infinities in the same places;
 *   - the gradient of every float operand against central differences of the reference, within
 *     1e-5 * (1 + largest |gradient|), for the loss: sum of random weights times finite values;
 *     none at all for a constant one;
 *   - gradients are added to what is there, and the same where another operand wants none;
 *   - it is no larger than the largest operand, but where may_be_larger() says so;
 *   - a second run gives the same bits, and nothing else was written: operands, borders;
 *   - with NaN, inf or -inf in any one cell of an operand: the value is NaN where the reference is,
 *     infinite where it is, else near it;
 *   - with NaN in a cell, or in the gradient of y: NaN in each gradient that depends on it, the
 *     reference's in those that have nothing to do with it. */
typedef struct trial {
  operand operands[MAX_OPERANDS + 1];
  const void *at;   /* the trial's own numbers, handed to both functions */
  double tolerance; /* 0 means 1e-6 */
  /* The node only chooses among its operand's numbers, by their order, in which NaN is the largest: its
   * gradient is 0 or 1 whatever they are. */
  bool chooses;
  /* A mask inside hides cells: their gradients are 0 times what others hold, and NaN if that is. */
  bool hides;
  /* Pushes the node, given the ids of the operands. */
  int (*build)(gf_tape *t, const int *x, const void *at);
  /* Writes y from the operands' numbers, as the textbook says it. */
  void (*reference)(const double *const *x, double *y, const void *at);
} trial;

void check(const trial *c);

/* Whether an op's result may be larger than each of its operands: then sizes.c tries too large a one. */
bool may_be_larger(const char *op);

/* Lengths of the dimension that lies in lanes: all tails of one to several vectors. Ends with 0. */
extern const int tails[];

/* ---- Refusals ------------------------------------------------------------------------------------ */

/* Expects that `call`, which builds a node "bad" on the tape t, is refused with `error`; that the
 * error is sticky, names the node and lets no node through; and that rewinding heals the tape. */
#define REFUSES(error, call)                                                                       \
  do {                                                                                             \
    gf_tape *t = new_tape();                                                                       \
    int made = (call);                                                                             \
    expect_refusal(__FILE__, __LINE__, t, made, error);                                            \
  } while (0)
void expect_refusal(const char *file, int line, gf_tape *t, int made, gf_error error);

#endif
