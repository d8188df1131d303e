/* Glassformer: a transformer you can see through.
 *
 * A tape is a flat list of named nodes. Each node is a step that a lecturer would name, and after a
 * run its value and its gradient are there to be read. The core allocates nothing: you give memory.
 *
 *   #include <glassformer.h>
 *   #include <stdio.h>
 *   #include <stdlib.h>
 *
 *   int main(void) {
 *     size_t room = gf_tape_bytes(8);
 *     void *nodes = malloc(room);
 *     gf_tape *t = gf_tape_create(nodes, room);
 *     int x = gf_input(t, 2, (int[]){2, 3}, "x");
 *     int y = gf_softmax(t, x, "y");
 *     void *values = malloc(gf_plan(t, NULL));
 *     gf_plan(t, values);
 *     if (gf_tape_error(t)) {
 *       puts(gf_tape_error_text(t));
 *     } else {
 *       gf_node_value(t, x)[0] = 1;
 *       gf_forward(t, 0, GF_LAST);
 *       printf("%g\n", gf_node_value(t, y)[0]);
 *     }
 *     free(values);
 *     free(nodes);
 *   }
 *
 * Build first, without checks: an error is sticky, later calls do nothing, and one test at the end
 * tells which node was wrong and why. Then plan, fill the inputs, run. Values are float32,
 * row-major, rank 1 to 4; ids are int32. Weights are stored as the paper writes them: y = x W + b,
 * W [in, out].
 *
 * Dimensions: B batch, T time (Tq of queries, Tk of keys), C channels (d_model), H heads, D head
 * size, V vocabulary; [...] any leading dimensions. The gradient of x is dx; backward adds to it.
 *
 * Lifetimes: all memory is yours, and the core frees none. A tape keeps addresses, not copies: its own
 * memory, the plan's, and whatever gf_bind or gf_bind_parameters bound to it must stay in place until you
 * last use the tape. gf_forward reads bound values, gf_backward writes bound gradients, so the block of a
 * model's parameters outlives all tapes that are bound to it. Free in any order afterwards. What a
 * function returns points into that memory:
 *   gf_node_value, _grad, _ids             until you free the plan's memory, gf_plan_move leaves it, or you free what is
 *                                          bound. The address stays; each gf_forward or gf_backward writes other numbers
 *   gf_node_name, _shape, _description     until you free the tape's memory, or gf_tape_move leaves it
 *   gf_tape_error_text                     likewise, and until the next error
 *   gf_node_op, _formula, gf_op_at, words  for ever
 * gf_tape_move moves the tape alone: values stay where the plan put them, until gf_plan_move. Names, shapes, configs and the
 * layout of gf_bind_parameters are read during the call, and not kept.
 *
 * Threads: the core has no variables of its own, so tapes are independent: each may be used in another
 * thread, also when they share parameters, as long as nobody writes these meanwhile (gf_backward adds
 * to bound gradients, gf_adam_step moves values). One tape is one thread's at a time; functions that
 * take a const gf_tape may read it in several.
 */
#ifndef GLASSFORMER_H
#define GLASSFORMER_H

#include <stddef.h>
#include <stdint.h>

/* The version of this header, for the preprocessor; gf_version tells that of the library. */
#define GF_VERSION_MAJOR 1
#define GF_VERSION_MINOR 0
#define GF_VERSION_PATCH 0

/* Only what this header declares can be seen from outside the shared library. */
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

enum {
  GF_ABI = 6,            /* raised by a release that changes, adds or removes a function */
  GF_MAX_RANK = 4,       /* dimensions of a tensor */
  GF_MAX_NAME = 95,      /* bytes of a node's name, without the terminating zero */
  GF_MAX_INPUTS = 6,     /* operands of a node */
  GF_MAX_ATTRIBUTES = 6, /* of an op */
  GF_NONE = -1,          /* no node: an optional operand that is left out */
  GF_LAST = -1,          /* the last node of a tape, in gf_forward and gf_backward */
  GF_ALL = 0x7fffffff,   /* all axes, in gf_sum, gf_mean and gf_amax */

  /* What gf_cross_entropy makes of the losses of the rows. */
  GF_MEAN = 0,
  GF_SUM = 1,
  GF_EACH = 2,
  GF_IGNORE = -100 /* the usual target that counts for nothing */
};

typedef enum gf_error {
  GF_OK = 0,
  GF_ESHAPE = -1,  /* shapes do not fit each other, or a dimension is below 1 */
  GF_ENAME = -2,   /* a name is empty, longer than GF_MAX_NAME, or taken */
  GF_ENODE = -3,   /* no such node, or one of another type (ids for float values) */
  GF_ERANGE = -4,  /* an argument is outside its range */
  GF_EMEMORY = -5, /* the tape has no room for another node, or a size exceeds the address space */
  GF_ESTATE = -6,  /* built after the plan, or run before it */
  GF_EID = -7,     /* an id does not name a row of its table */
  GF_EBITS = -8    /* this build computes other bits: see gf_self_test */
} gf_error;

/* What a tensor's numbers are. */
typedef enum gf_type {
  GF_F32 = 0, /* float32 */
  GF_IDS = 1, /* int32: tokens, positions, lengths, boolean masks; no gradient */
  /* How a parameter may be stored: see gf_bind_stored. Blocks of 32 or 256 neighbours share a scale. */
  GF_F16 = 2,
  GF_BF16 = 3,
  GF_Q4_0 = 4,
  GF_Q4_1 = 5,
  GF_Q5_0 = 6,
  GF_Q5_1 = 7,
  GF_Q8_0 = 8,
  GF_Q4_K = 9,
  GF_Q5_K = 10,
  GF_Q6_K = 11,
  GF_TYPE_COUNT
} gf_type;

typedef struct gf_tape gf_tape;
typedef struct gf_attention_config gf_attention_config;

/* The library's version, "1.0.0". */
const char *gf_version(void);

/* Computes a small program through the kernels, and compares every bit with what it must be: GF_OK, or
 * GF_EBITS if the compiler or the machine took liberties, for example -ffast-math (also when a program
 * is linked: gcc then has the machine round tiny numbers to 0), contraction to FMA, another rounding
 * mode. Once at the start is enough; it takes less than a millisecond and about 50 KB of stack. */
gf_error gf_self_test(void);

/* What the core was compiled as: GF_ABI. A binding refuses a module of another number. */
int gf_abi(void);

/* ---- The tape -------------------------------------------------------------------------------- */

/* Bytes that gf_tape_create needs for `nodes` nodes, nodes >= 0; 0 if that exceeds the address
 * space. */
size_t gf_tape_bytes(int nodes);

/* Makes an empty tape in your memory (aligned to 16 bytes), with room for as many nodes as fit.
 * Returns NULL if memory is NULL or misaligned or not even an empty tape fits. Nothing to free but
 * the memory. */
gf_tape *gf_tape_create(void *memory, size_t bytes);

/* Moves a tape into larger memory; ids stay, the old memory is yours again. NULL, and nothing
 * changed, if the nodes do not fit. */
gf_tape *gf_tape_move(gf_tape *t, void *memory, size_t bytes);

/* Nodes that are on the tape, and nodes that have room on it. */
int gf_tape_count(const gf_tape *t);
int gf_tape_capacity(const gf_tape *t);

/* The first error since the tape was made or rewound, and one sentence that names the node and the
 * shapes, for example "scores: matmul: shapes do not fit: [2,8] x [6,4]". Empty if GF_OK. */
gf_error gf_tape_error(const gf_tape *t);
const char *gf_tape_error_text(gf_tape *t);

/* The same in parts, for bindings that tell it in words and languages of their own. */
typedef struct gf_problem {
  int32_t sentence;             /* a sentence of src/errors.def; 0: nothing is wrong */
  int32_t numbers[3];           /* what fills it in, in the order of the sentence */
  const char *about;            /* an attribute, a field or an operand; or NULL */
  const char *where;            /* the op of a node that was not made, or the function */
  int32_t ranks[GF_MAX_INPUTS]; /* of the operands; 0 where none is told */
  int32_t types[GF_MAX_INPUTS]; /* gf_type */
  int32_t shapes[GF_MAX_INPUTS][GF_MAX_RANK];
  char name[GF_MAX_NAME + 1]; /* the node, "tape" or "model" */
} gf_problem;
const gf_problem *gf_tape_problem(const gf_tape *t);

/* Forgets the nodes from `count` on, and the error. Undoes a failed build. GF_ESTATE after the plan
 * if a node would go. */
gf_error gf_tape_rewind(gf_tape *t, int count);

/* ---- Leaves: what you write ------------------------------------------------------------------ */

/* A tensor of float32 that you fill: data (input) or something to be learned (parameter).
 * shape: rank numbers >= 1. Returns the new node or a negative gf_error, as every function below
 * that makes a node does. */
int gf_input(gf_tape *t, int rank, const int *shape, const char *name);
int gf_parameter(gf_tape *t, int rank, const int *shape, const char *name);

/* A tensor of int32 that you fill: tokens, positions, lengths, or a boolean mask. No gradient. */
int gf_ids(gf_tape *t, int rank, const int *shape, const char *name);

/* Makes a leaf live in your memory instead of the plan's: parameters that several tapes share.
 * value: gf_node_size(t, leaf) numbers, aligned to 4 bytes; grad as many, or NULL for no gradient.
 * Call before gf_plan. GF_ENODE if the node is no leaf, GF_ERANGE if value is NULL. */
gf_error gf_bind(gf_tape *t, int leaf, void *value, float *grad);

/* ---- Stored parameters: fewer bits, the same arithmetic ---------------------------------------- */

/* A matrix of parameters may stay in memory as a file stores it, in a type of few bits. What reads it makes
 * float32 numbers of a few blocks at a time, exactly, and computes with those: every result has the bits that
 * a float32 matrix of these numbers gives. Types, by rows of `columns` numbers:
 *   GF_F16, GF_BF16                  one by one
 *   GF_Q4_0, GF_Q5_0, GF_Q8_0        32 integers and a float16 scale d:              d q
 *   GF_Q4_1, GF_Q5_1                 32 integers, d and a float16 offset m:          d q + m
 *   GF_Q4_K, GF_Q5_K                 256, d, m, 6-bit factors s, o for each 32:      (d s) q - (m o)
 *   GF_Q6_K                          256, d, 8-bit factors s for each 16:            (d s) q
 * as GGUF and ggml define them, bit by bit. q is signed in GF_Q4_0 (-8..7), GF_Q5_0, GF_Q8_0 and GF_Q6_K. */

/* "f32", "ids", "f16", "q4_1", "q6_k", ...; NULL for what is none. */
const char *gf_type_name(int type);

/* Bytes of a stored matrix in memory: those of its blocks, for rows rounded up to a multiple of 8. 0 if the
 * type is not stored, a size is below 1, blocks do not divide `columns`, or it exceeds the address space. */
size_t gf_stored_bytes(int type, int rows, int columns);

/* Puts `count` rows, from row `first` on, into the memory of a stored matrix: gf_stored_bytes of it, aligned
 * to 16 bytes. `from` is what a file has of them, block behind block, at any address. Rows may come one by
 * one, in any order: when the last of them comes, the rows that fill up the matrix become 0. Eight rows are
 * interleaved by words of 4 bytes, so that products find neighbouring columns of w side by side; no bit is
 * changed. GF_ERANGE if there are no such rows, type or sizes. */
gf_error gf_store(void *memory, int type, int rows, int columns, int first, int count,
                  const void *from);

/* Makes a parameter of rank 2 live in such memory. `along` is its dimension along which blocks lie, the one
 * that a product sums over, and columns are its size: 0 for w [K,N] of gf_linear and b of gf_matmul, which
 * have N rows then (a Linear of PyTorch as it is in the file); 1 for the table of gf_embed and b [N,K] of
 * gf_matmul_transposed. Nothing else reads a stored parameter, it has no gradient and no gf_node_value,
 * and gf_bind_parameters leaves it out of the block. x of linear gets its gradient as usual.
 * The memory must stay as gf_bind's; several leaves and tapes may share it. Call before gf_plan. GF_ENODE if
 * the node is no parameter, or a node reads it that cannot; GF_ESHAPE if it is of another rank, or blocks do
 * not divide its size; GF_ESTATE if it is stored already or the tape is planned; GF_ERANGE. */
gf_error gf_bind_stored(gf_tape *t, int leaf, int type, int along, const void *memory);

/* Lets products with a stored parameter be sums of integers: faster, and rounded once more, so it is a second result.
 * It has one set of bits, too. Each block of 32 numbers of x becomes integers of 16 bits, which are multiplied by the
 * q of the weights and added up exactly; src/stored/integer.c writes down each step. Only gf_linear, gf_matmul and
 * gf_matmul_transposed look at it: gf_embed gives exact rows. gf_backward refuses such a product. gf_bind_parameters
 * passes it on from the layout. on: 0 for exact products again. Call before gf_plan. GF_ENODE if the node is no stored
 * parameter, or is GF_F16 or GF_BF16; GF_ESTATE if the tape is planned.
 * @experimental: may change in any minor version. */
gf_error gf_use_integers(gf_tape *t, int leaf, int on);

/* How a stored number is made: value = (d scale) q + m offset, where only the addition rounds. */
typedef struct gf_weight {
  float value;
  float d;       /* the scale of its block; of float16 and bfloat16 the number itself */
  int32_t scale; /* its factor in GF_Q4_K, GF_Q5_K and GF_Q6_K; else 1 */
  int32_t q;     /* the integer; 1 for float16 and bfloat16 */
  float
      m; /* what is added; 0 where the type has none. Of GF_Q4_K and GF_Q5_K it is taken negative */
  int32_t offset; /* its factor in those two; else 1 */
} gf_weight;

/* Of the number [row, column] of a stored parameter. GF_ERANGE if there is none, GF_ENODE if the node is not
 * stored. */
gf_error gf_node_weight(const gf_tape *t, int node, int row, int column, gf_weight *weight);

/* A line of a stored parameter in float32, exactly: the numbers of the dimension along which its blocks lie.
 *   along 1: row `line`, to[shape[1]]      along 0: column `line`, to[shape[0]]
 * GF_ERANGE if there is none, GF_ENODE if the node is not stored. */
gf_error gf_node_line(const gf_tape *t, int node, int line, float *to);

/* ---- Ops: what is computed ------------------------------------------------------------------- */

/* One row of the op table each. `make header` copies what follows from the files of the ops. */

/* Looks up a row per id.
 *   table [V,C], ids [...]  ->  y [...,C]       y[i] = table[ids[i]]
 * ids in 0..V-1, checked by gf_forward.  At most rank 3 ids.  Gradient: dtable[ids[i]] += dy[i]. */
int gf_embed(gf_tape *t, int table, int ids, const char *name);

/* Sinusoidal position encoding.
 *   positions: ids [...]  ->  y [...,C]
 *   y[p,2i] = sin(p / 10000^(2i/C)),  y[p,2i+1] = cos(p / 10000^(2i/C))
 * halves: nonzero puts all sines first, then all cosines, as Marian does.
 * Right to 1e-6 for positions up to 2^20.  C may be odd: the last column is a sine.  No gradient.
 * Vaswani et al. 2017, section 3.5. */
int gf_position(gf_tape *t, int positions, int channels, int halves, const char *name);

/* Adds; b is repeated over the leading dimensions that it lacks, and where it has a 1.
 *   a [...,S], b [S]  ->  y [...,S]             y = a + b
 * S: b's whole shape, the trailing part of a's, or 1.  Gradient: da += dy, db += sum of dy over the
 * repeats. */
int gf_add(gf_tape *t, int a, int b, const char *name);

/* Subtracts; b is repeated over the leading dimensions that it lacks, and where it has a 1.
 *   a [...,S], b [S]  ->  y [...,S]             y = a - b
 * S: b's whole shape, the trailing part of a's, or 1.  Gradient: da += dy, db -= sum of dy over the
 * repeats. */
int gf_sub(gf_tape *t, int a, int b, const char *name);

/* Multiplies number by number; b is repeated over the leading dimensions that it lacks, and where it has a 1.
 *   a [...,S], b [S]  ->  y [...,S]             y = a b
 * S: b's whole shape, the trailing part of a's, or 1.  Gradient: da += dy b, db += sum of dy a over the
 * repeats. */
int gf_mul(gf_tape *t, int a, int b, const char *name);

/* Divides number by number; b is repeated over the leading dimensions that it lacks, and where it has a 1.
 *   a [...,S], b [S]  ->  y [...,S]             y = a / b
 * S: b's whole shape, the trailing part of a's, or 1.  Gradient: da += dy / b, db -= sum of dy a / b^2
 * over the repeats. */
int gf_div(gf_tape *t, int a, int b, const char *name);

/* Multiplies by a constant.   x [...]  ->  y [...]      y = factor x
 * factor: finite.  Gradient: dx += factor dy. */
int gf_scale(gf_tape *t, int x, float factor, const char *name);

/* A linear layer.
 *   x [...,K], w [K,N], b [N] or GF_NONE  ->  y [...,N]     y = x w + b
 * Gradient: dx += dy w^T, dw += x^T dy, db += sum of dy over the rows. */
int gf_linear(gf_tape *t, int x, int w, int b, const char *name);

/* Multiplies matrices, one pair per leading index.
 *   a [...,M,K], b [...,K,N]  ->  y [...,M,N]   y = a b
 * The leading dimensions are equal, but b may have fewer heads, the last of them: if a has H and b G
 * of them, G divides H, and head h of a meets head h / (H / G) of b (grouped-query attention).
 * Gradient: da += dy b^T, db += a^T dy. */
int gf_matmul(gf_tape *t, int a, int b, const char *name);

/* Multiplies each query with each key.
 *   a [...,M,K], b [...,N,K]  ->  y [...,M,N]   y = a b^T
 * Not scaled: see gf_scale.  Gradient: da += dy b, db += dy^T a.  Vaswani et al. 2017, eq. 1. */
int gf_matmul_transposed(gf_tape *t, int a, int b, const char *name);

/* Masks scores: a masked one becomes -inf, which softmax turns into 0.
 *   x [...,Tq,Tk]  ->  y, same shape
 *   causal    nonzero: query i sees key j only if j <= i + offset
 *   offset    >= 0: how many keys come before the first query; 0 unless keys are cached
 *   mask      GF_NONE; or float32, added to the scores (0 keeps, -inf masks, a bias shifts); or
 *             ids, boolean: 0 masks, anything else keeps. Its dimensions, aligned at the right, are
 *             1 or x's.
 *   lengths   GF_NONE; or ids [B], B = x's first dimension: keys from lengths[b] on are padding.
 *             Rank 3 or 4 x; below 0 counts as 0.
 * Gradient: dx += dy where kept; dmask likewise, summed over what it was repeated over. */
int gf_mask(gf_tape *t, int x, int causal, int offset, int mask, int lengths, const char *name);

/* The same, with a window: of the keys that are left, query i sees only those with j > i + offset - window; without
 * `causal`, the last `window` keys before those that `lengths` calls padding.  window >= 0; 0: no window. */
int gf_mask_window(gf_tape *t, int x, int causal, int offset, int window, int mask, int lengths,
                   const char *name);

/* Softmax over the last dimension.
 *   x [...,N]  ->  y [...,N]                    y_j = exp(x_j - max x) / sum_k exp(x_k - max x)
 * A row that is all -inf gives 0, and passes no gradient.
 * Gradient: dx_j += y_j (dy_j - sum_k dy_k y_k). */
int gf_softmax(gf_tape *t, int x, const char *name);

/* Logarithm of the softmax over the last dimension, without the detour that loses digits.
 *   x [...,N]  ->  y [...,N]                    y_j = x_j - log sum_k exp x_k
 * Gradient: dx_j += dy_j - exp(y_j) sum_k dy_k. */
int gf_log_softmax(gf_tape *t, int x, const char *name);

/* Gives each head its own matrix.   x [...,T,H*D]  ->  y [...,H,T,D]   y[h,t,d] = x[t, h D + d]
 * heads >= 1 divides the last dimension; x of rank 2 or 3.  Gradient: the same permutation,
 * backwards. */
int gf_split_heads(gf_tape *t, int x, int heads, const char *name);

/* Joins the heads again.   x [...,H,T,D]  ->  y [...,T,H*D]   y[t, h D + d] = x[h,t,d]
 * x of rank 3 or 4.  Gradient: the same permutation, backwards. */
int gf_concat_heads(gf_tape *t, int x, const char *name);

/* Normalises each row to mean 0 and variance 1 (biased), then scales and shifts it.
 *   x [...,C], gain [C] or GF_NONE, bias [C] or GF_NONE  ->  y [...,C]
 *   y = gain z + bias,  z = (x - mean x) / sqrt(var x + epsilon)
 * epsilon >= 0, usually 1e-5.  Gradient: dx += (dz - mean dz - z mean(dz z)) / sqrt(var x + epsilon)
 * with dz = gain dy; dgain += sum of dy z, dbias += sum of dy over the rows.  Ba et al. 2016. */
int gf_layer_norm(gf_tape *t, int x, int gain, int bias, float epsilon, const char *name);

/* Divides each row by its root mean square.
 *   x [...,C], gain [C] or GF_NONE  ->  y [...,C]     y = gain z,  z = x / sqrt(mean x^2 + epsilon)
 * epsilon >= 0.  Gradient: dx += (dz - z mean(dz z)) / sqrt(mean x^2 + epsilon) with dz = gain dy;
 * dgain += sum of dy z over the rows.  Zhang and Sennrich 2019. */
int gf_rms_norm(gf_tape *t, int x, int gain, float epsilon, const char *name);

/* The sum over an axis, or over all.   x [..,N,..]  ->  y [..,..], or [..,1,..] with keep_dims     y = sum x
 * axis: -rank <= axis < rank, negative ones from the end; GF_ALL: y is one number, [1].  Gradient: dx += dy. */
int gf_sum(gf_tape *t, int x, int axis, int keep_dims, const char *name);

/* The mean over an axis, or over all.   x [..,N,..]  ->  y [..,..], or [..,1,..] with keep_dims     y = sum x / N
 * axis: -rank <= axis < rank, negative ones from the end; GF_ALL: y is one number, [1].
 * Gradient: dx += dy / N. */
int gf_mean(gf_tape *t, int x, int axis, int keep_dims, const char *name);

/* The largest over an axis, or of all.   x [..,N,..]  ->  y [..,..], or [..,1,..] with keep_dims     y = max x
 * axis: -rank <= axis < rank, negative ones from the end; GF_ALL: y is one number, [1].  NaN if one is.
 * Gradient: dx += dy / m for each of the m that are the largest, as torch.amax. */
int gf_amax(gf_tape *t, int x, int axis, int keep_dims, const char *name);

/* Stops what is below 0.   x [...]  ->  y [...]     y = max(0, x)
 * Gradient: dx += dy where x > 0; 0 at 0. */
int gf_relu(gf_tape *t, int x, const char *name);

/* The Gaussian error linear unit.   x [...]  ->  y [...]
 *   y = x Phi(x), Phi the normal distribution; or with tanh_form nonzero
 *   y = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
 * Gradient: dx += dy y'(x).  Hendrycks and Gimpel 2016. */
int gf_gelu(gf_tape *t, int x, int tanh_form, const char *name);

/* The sigmoid linear unit, also called swish.   x [...]  ->  y [...]     y = x sigmoid(factor x)
 * factor: finite, usually 1.  Gradient: dx += dy (s + factor x s (1 - s)), s = sigmoid(factor x). */
int gf_silu(gf_tape *t, int x, float factor, const char *name);

/* A gated unit.   gate [...], up [...]  ->  y [...]     y = gate sigmoid(factor gate) up
 * Equal shapes; usually factor 1.  Shazeer 2020. */
int gf_swiglu(gf_tape *t, int gate, int up, float factor, const char *name);

/* The logistic function.   x [...]  ->  y [...]     y = 1 / (1 + e^-x)
 * Gradient: dx += dy y (1 - y). */
int gf_sigmoid(gf_tape *t, int x, const char *name);

/* The hyperbolic tangent.   x [...]  ->  y [...]     y = tanh x
 * Gradient: dx += dy (1 - y^2). */
int gf_tanh(gf_tape *t, int x, const char *name);

/* The error function.   x [...]  ->  y [...]     y = erf x
 * Gradient: dx += dy 2/sqrt(pi) e^(-x^2). */
int gf_erf(gf_tape *t, int x, const char *name);

/* The exponential function.   x [...]  ->  y [...]     y = e^x
 * Gradient: dx += dy y. */
int gf_exp(gf_tape *t, int x, const char *name);

/* The natural logarithm.   x [...]  ->  y [...]     y = log x
 * Of 0 it is -inf, of what is below 0 NaN.  Gradient: dx += dy / x. */
int gf_log(gf_tape *t, int x, const char *name);

/* The square root.   x [...]  ->  y [...]     y = sqrt(x)
 * Of what is below 0 it is NaN.  Gradient: dx += dy / (2 y), which is infinite at 0. */
int gf_sqrt(gf_tape *t, int x, const char *name);

/* A power with a constant exponent.   x [...]  ->  y [...]     y = x^exponent
 * exponent: finite.  Of what is below 0 it is NaN, unless the exponent is an integer; x^0 is 1. As C's pow.
 * Gradient: dx += dy exponent x^(exponent - 1). */
int gf_pow(gf_tape *t, int x, float exponent, const char *name);

/* Zeroes each element with probability p, and scales the others up to the same expectation.
 *   x [...], key: ids [2], a seed and a step  ->  y [...]     y = keep x / (1 - p)
 * 0 <= p < 1.  What is kept depends on seed, step, the node's name and the index alone:
 * Philox4x32-10 (Salmon et al. 2011), key (seed, step), counter (index / 4, 1, FNV-1a of the name, 0):
 * word index % 4 of a block, its upper 24 bits as u in [0, 1), keeps where u >= p.  For inference,
 * bypass the node.  Gradient: dx += keep dy / (1 - p).  Srivastava et al. 2014. */
int gf_dropout(gf_tape *t, int x, int key, float p, const char *name);

/* The angles of rotary positions, as cosines and sines.
 *   positions: ids [T] or [B,T]  ->  y [...,R/2,2]     y[p,i] = (cos, sin)(p / base^(2i/R))
 * R = dimensions: even, >= 2.  base > 0, usually 10000.  Right to 1e-6 for positions up to 2^20.
 * No gradient. */
int gf_rotation(gf_tape *t, int positions, int dimensions, float base, const char *name);

/* The same, for longer texts than a model was trained with: slow pairs turn `stretch` times slower.
 *   f = base^(-2i/R), turns = span f / 2 pi, s = (turns - slow) / (fast - slow), but within 0 to 1
 *   y[p,i] = (cos, sin)(p ((1 - s) f / stretch + s f))
 * stretch >= 0; 0: as gf_rotation.  0 <= slow < fast.  span 0: all pairs are stretched.
 * Llama 3 (Dubey et al. 2024); with span 0 Chen et al. 2023. */
int gf_rotation_stretched(gf_tape *t, int positions, int dimensions, float base, float stretch,
                          float slow, float fast, int span, const char *name);

/* Rotary position embedding: rotates each pair of a row by its position's angle.
 *   x [T,D], [H,T,D] or [B,H,T,D], rotation [T,R/2,2], or [B,T,R/2,2] for the last  ->  y as x
 *   (y_u, y_v) = (x_u cos - x_v sin, x_v cos + x_u sin)
 * The pair i is (i, i + R/2), or (2i, 2i + 1) if interleaved; R <= D, the rest is passed through.
 * Gradient: dx += dy rotated back; none for rotation.  Su et al. 2021. */
int gf_rope(gf_tape *t, int x, int rotation, int interleaved, const char *name);

/* Attention with linear biases: subtracts from each score its distance times the head's slope.
 *   x [...,H,Tq,Tk], at: ids [1] or GF_NONE  ->  y as x     y[h,i,j] = x[h,i,j] - slope_h |i + at - j|
 * slope_h = 2^(-8 (h + 1) / H) for H a power of two, else as the paper interpolates.  at: how many
 * keys come before the first query, 0 if left out.  Gradient: dx += dy.  Press et al. 2022. */
int gf_alibi(gf_tape *t, int x, int at, const char *name);

/* Keeps scores within -cap..cap.   x [...]  ->  y [...]     y = cap tanh(x / cap)
 * cap: finite, > 0.  Before the mask.  Gradient: dx += dy (1 - (y / cap)^2). */
int gf_softcap(gf_tape *t, int x, float cap, const char *name);

/* Cross entropy of logits against targets.
 *   logits [...,V]; targets: ids [...], or float32 probabilities [...,V]; weights [V] or GF_NONE
 *   ->  y [1], or [...] for GF_EACH      loss = - sum_j w_j q_j log softmax(logits)_j
 * q is 1 at the target (or the given probabilities), smoothed: (1 - smoothing) q + smoothing / V.
 * reduction: GF_MEAN, GF_SUM, GF_EACH.  The mean divides by the sum of the targets' weights, or by the
 * rows if targets are probabilities.  A target equal to ignore_index counts for nothing; of nothing
 * but those the mean is 0.  0 <= smoothing <= 1.  As torch.nn.CrossEntropyLoss.
 * Gradient: dlogits_j += dloss (p_j sum_k w_k q_k - w_j q_j), p = softmax(logits); none for targets.
 * Szegedy et al. 2016, section 7, for the smoothing. */
int gf_cross_entropy(gf_tape *t, int logits, int targets, int weights, int reduction,
                     int ignore_index, float smoothing, const char *name);

/* Reorders the axes: axis i of y is axis order[i] of x.   x [...]  ->  y [...]
 * order: as many numbers as x has axes, each axis once.  Gradient: the same, backwards. */
int gf_transpose(gf_tape *t, int x, const int *order, const char *name);

/* The same numbers in another shape.   x [...]  ->  y [shape]
 * shape: GF_MAX_RANK sizes, 0 behind the last; one may be -1 and is as large as the others leave it.
 * Gradient: dx += dy. */
int gf_reshape(gf_tape *t, int x, const int *shape, const char *name);

/* A part of an axis, from start to end, which is left out.   x [..,N,..]  ->  y [..,end - start,..]
 * -rank <= axis < rank, negative ones from the end; 0 <= start < end <= N.  Gradient: dx[start to end] += dy. */
int gf_slice(gf_tape *t, int x, int axis, int start, int end, const char *name);

/* Joins two tensors along an axis: past keys or values and new ones.
 *   a [..,P,..], b [..,T,..]  ->  y [..,P+T,..]     The other dimensions are equal.
 * 0 <= axis < rank.  Gradient: each gets its part of dy. */
int gf_concat(gf_tape *t, int a, int b, int axis, const char *name);

/* Picks along an axis.   x [..,N,..], ids [S]  ->  y [..,S,..]     y[.., i, ..] = x[.., ids[i], ..]
 * ids, of any shape S that leaves rank <= 4, in 0..N-1, checked by gf_forward.
 * Gradient: dx[.., ids[i], ..] += dy[.., i, ..]. */
int gf_gather(gf_tape *t, int x, int ids, int axis, const char *name);

/* The k largest of each row, largest first; of equals the one further left.
 *   x [...,N]  ->  y [...,k]     1 <= k <= N
 * gf_top_k gives the numbers (dx gets dy at their places), gf_top_k_ids their places as ids, which may
 * choose among N rows and more: of fewer GF_ESHAPE. */
int gf_top_k(gf_tape *t, int x, int k, const char *name);
int gf_top_k_ids(gf_tape *t, int x, int k, const char *name);

/* Writes new keys or values behind those of earlier runs: the one op that remembers.
 *   x [B,H,T,D], at: ids [1]  ->  y [B,H,N,D]     y[..., at + t, :] = x[..., t, :], the rest is kept
 * N = capacity >= T; 0 <= at <= N - T, checked by gf_forward.  gf_plan fills it with zeros, which
 * weights of 0 pass over.  Gradient: dx[..., t, :] += dy[..., at + t, :]. */
int gf_cache(gf_tape *t, int x, int at, int capacity, const char *name);

/* The steps from scores to mix as one node.
 *   q [...,H,Tq,D], k [...,G,Tk,D], v [...,G,Tk,Dv]  ->  y [...,H,Tq,Dv]
 *   y = softmax(mask(scale q k^T)) v
 * c: causal, offset, mask, lengths, alibi, at, softcap and scale count, the rest is not read; scale is
 * finite and not 0, softcap >= 0.  Rank 2 to 4, with alibi or lengths at least 3.
 * Gradient: that of the steps.  Dao et al. 2022 for the idea of never holding all weights. */
int gf_fused_attention(gf_tape *t, int q, int k, int v, const gf_attention_config *c,
                       const char *name);

/* The same through a window, as gf_mask_window has it. */
int gf_fused_attention_window(gf_tape *t, int q, int k, int v, const gf_attention_config *c,
                              int window, const char *name);

/* ---- Attention ------------------------------------------------------------------------------- */

/* Fields are 4 bytes each, in this order. The weights may be GF_NONE: without w_q the query is taken
 * to be projected already, and no node q is made; likewise w_k and w_v. */
struct gf_attention_config {
  int32_t query;       /* what the queries come from, [Tq,C] or [B,Tq,C] */
  int32_t key;         /* what the keys come from; in self-attention the same node as query */
  int32_t value;       /* what the values come from */
  int32_t w_q, b_q;    /* [C,H*D], [H*D] */
  int32_t w_k, b_k;    /* [C,G*D], [G*D] */
  int32_t w_v, b_v;    /* [C,G*Dv], [G*Dv] */
  int32_t w_o, b_o;    /* [H*Dv,C], [C]; without w_o the last step goes by the name output */
  int32_t heads;       /* H >= 1; divides the width of q */
  int32_t kv_heads;    /* G, divides H and the widths of k and v; 0 means H */
  int32_t causal;      /* nonzero: query i sees key j only if j <= i + offset */
  int32_t offset;      /* how many keys come before the first query, 0 or more */
  int32_t mask;        /* as in gf_mask, or GF_NONE */
  int32_t lengths;     /* as in gf_mask, or GF_NONE */
  int32_t rotation;    /* of the positions, as in gf_rope: turns q and k; or GF_NONE */
  int32_t interleaved; /* nonzero: the pairs of gf_rope are neighbours */
  int32_t alibi;       /* nonzero: as gf_alibi */
  int32_t at;          /* ids [1] of gf_cache, if keys and values are cached; or GF_NONE */
  int32_t capacity;    /* of the cache */
  int32_t fused;       /* nonzero: scores to mix are one node, which keeps no weights */
  float softcap;       /* as gf_softcap, before the mask; 0 means none */
  float scale;         /* multiplies the scores; 0 means 1 / sqrt(D) */
};

/* All fields at "left out": nodes GF_NONE, one head, nothing masked, scale 0. */
gf_attention_config gf_attention_default(void);

/* Scaled dot-product attention, single or multi-head, self or cross, in named steps.
 *   q, k, v                      linear: x w + b
 *   q.heads, k.heads, v.heads    split_heads, if there are several heads, or a batch
 *   q.rotated, k.rotated         if there is a rotation
 *   k.cache, v.cache             if there is a cache
 *   scores                       q k^T
 *   scores.scaled                scores * scale
 *   scores.capped                if softcap is given
 *   scores.biased                if alibi is
 *   scores.masked                if causal, mask or lengths are
 *   weights                      softmax over the keys
 *   mix                          weights v
 *   concat                       the heads side by side, if they were split
 *   output                       linear: concat w_o + b_o
 * Without w_o the last of them bears the name output.
 * Fused, the steps from scores to mix are one node by the name of mix: the op attention, which sees
 * a few rows of weights at a time, so that memory grows with Tq + Tk instead of Tq Tk, and leaves out
 * what a causal mask or padding hides.  Value and gradients have the bits of the named steps, as long
 * as no value is infinite or NaN.  query, key and value may be given as heads
 * already, [B,H,Tq,D] and [B,G,Tk,D].  `path` goes before each name with a dot between
 * ("encoder.layers.0.self_attn" gives "encoder.layers.0.self_attn.scores"); "" for none.
 * Returns the node output.  GF_ESHAPE, GF_ENODE, GF_ERANGE (heads) as the steps themselves.
 * Vaswani et al. 2017, section 3.2; Ainslie et al. 2023 for grouped heads. */
int gf_attention(gf_tape *t, const gf_attention_config *config, const char *path);

/* ---- Models ------------------------------------------------------------------------------------ */

enum {
  GF_TRANSFORMER = 0, /* encoder and decoder */
  GF_GPT = 1,         /* decoder only: each token sees itself and those before it */
  GF_BERT = 2,        /* encoder only */

  GF_SINUSOIDAL = 0,
  GF_LEARNED = 1,
  GF_ROTARY = 2,
  GF_ALIBI = 3,
  GF_UNPLACED = 4, /* no positions at all */
  GF_SINUSOIDAL_HALVES = 5,

  GF_LAYER_NORM = 0,
  GF_RMS_NORM = 1,

  GF_RELU = 0,
  GF_GELU = 1,
  GF_GELU_TANH = 2,
  GF_SILU = 3,
  GF_SWIGLU = 4,

  GF_HEAD_LOGITS = 0,
  GF_HEAD_NONE = 1 /* what leaves the last layer, or its norm, is the result */
};

/* What a model is. Fields are 4 bytes each, in this order. */
typedef struct gf_model {
  int32_t family;         /* GF_TRANSFORMER, GF_GPT, GF_BERT */
  int32_t vocab;          /* V >= 1; or 0: no embedding and no logits, the model maps vectors, and a
                              transformer's decoder is causal where target.mask says so */
  int32_t source_vocab;   /* transformer: rows of the source's own embedding; 0: they share one */
  int32_t token_types;    /* bert: kinds of segments, or 0 */
  int32_t max_length;     /* longest T; rows of learned positions */
  int32_t d_model;        /* C */
  int32_t heads;          /* H, divides C */
  int32_t kv_heads;       /* G, divides H; 0 means H */
  int32_t d_ff;           /* F */
  int32_t layers;         /* of the encoder, or of the only stack; 0 or more */
  int32_t decoder_layers; /* transformer */
  int32_t positions;      /* GF_SINUSOIDAL, GF_LEARNED, GF_ROTARY, GF_ALIBI, ... */
  int32_t norm;           /* GF_LAYER_NORM, GF_RMS_NORM */
  int32_t pre_norm;       /* nonzero: normalise what enters a sublayer, not the sum behind it */
  int32_t final_norm;     /* nonzero: normalise what leaves a stack */
  int32_t embedding_norm; /* nonzero: normalise what enters it, as BERT does */
  int32_t activation;     /* GF_RELU, GF_GELU, GF_GELU_TANH, GF_SILU, GF_SWIGLU */
  int32_t bias;           /* nonzero: linear layers and layer norms have one */
  int32_t tied;           /* nonzero: logits are x E^T with the embedding's E */
  int32_t output_bias;    /* nonzero: logits have a bias */
  int32_t scale_embedding; /* nonzero: embeddings are multiplied by sqrt(C) */
  int32_t pooler;          /* bert, nonzero: tanh of a linear layer on the first token */
  int32_t prediction;      /* bert, nonzero: dense, activation and norm before the logits */
  int32_t head;            /* GF_HEAD_LOGITS, GF_HEAD_NONE */
  int32_t interleaved;     /* rotary, nonzero: pairs are neighbours */
  float rotary_base;       /* rotary: usually 10000 */
  float epsilon;           /* of the norms */
  float dropout;           /* 0 <= p < 1, in training */
} gf_model;

/* What one tape computes with it. Fields are 4 bytes each, in this order. */
typedef struct gf_batch {
  int32_t size;     /* B >= 1 */
  int32_t source;   /* transformer: S, the source's length */
  int32_t target;   /* T, the length of the target, or of the only sequence */
  int32_t padded;   /* nonzero: ids source.lengths and target.lengths [B]; the rest is padding */
  int32_t masked;   /* nonzero: source.mask, target.mask, memory.mask [B,1,Tq,Tk] */
  int32_t training; /* nonzero: dropout, with the ids dropout.key [2]: a seed and a step */
  int32_t loss;     /* nonzero: ids labels [B,T], GF_IGNORE where nothing is asked; node loss [1] */
  int32_t capacity; /* above 0: a step of decoding with caches of so many tokens; see below */
  int32_t fused;    /* nonzero: the weights of attention are no node, see gf_attention */
  float smoothing;  /* of the labels, 0 to 1 */
} gf_batch;

/* What the layers of some published models have besides; all 0 is none of it. The core that pages load goes
 * without. Fields are 4 bytes each, in this order. */
typedef struct gf_variant {
  int32_t head_size;    /* D, then C need not be H D; 0: C / H */
  int32_t qkv_bias;     /* nonzero: queries, keys and values have a bias, whatever gf_model says */
  int32_t qk_norm;      /* nonzero: RMS norm of each head's q and k, with gains [D] for all heads */
  int32_t rotary_size;  /* channels of each head that are rotated; 0: all */
  int32_t parallel;     /* nonzero: x + attention(norm1(x)) + feed_forward(norm2(x)) */
  int32_t qkv_unbiased; /* nonzero: queries, keys and values have none, whatever gf_model says */
  int32_t unscaled;     /* nonzero: scores are not divided by sqrt(D) */
  int32_t window;       /* tokens that those of a windowed layer see, themselves included; or 0 */
  int32_t window_first; /* the first windowed layer, from 0 */
  int32_t window_step;  /* >= 1: from windowed layer to windowed layer */
  int32_t rotary_span;  /* as gf_rotation_stretched: positions */
  float rotary_stretch; /* 0: no pair is stretched */
  float rotary_slow;
  float rotary_fast;
  /* E, of tables, and of what predicts tokens: a linear layer makes C of it, and back; 0: C */
  int32_t embedding_size;
  int32_t shared;      /* nonzero: all layers of a stack have the parameters of the first */
  int32_t pooler_relu; /* nonzero: the pooler has ReLU in place of tanh */
  /* N, in a model without logits: the last result is classes, a linear layer on the pooled token, or on
   * each token where there is no pooler; 0: none */
  int32_t classes;
  int32_t classes_unbiased; /* nonzero: that layer has no bias */
} gf_variant;

/* A model as published, but for its vocab, which is 0: the base transformer of Vaswani et al. 2017, GPT-2
 * (Radford et al. 2019), BERT base (Devlin et al. 2018). kv_heads is 0. */
gf_model gf_model_default(int family);

/* How many nodes gf_build asks for: room for so many is enough. More than it makes only where steps find
 * parameters or keys made already. A negative gf_error if a field is out of range; to know which, build.
 * No memory is needed. */
int gf_build_nodes(const gf_model *model, const gf_batch *batch);

/* Builds the tape of a model: every parameter and every step by its name.
 *   leaves     source [B,S], target [B,T] (ids; float32 [B,S,C], [B,T,C] without vocab), token_types
 *              [B,T] for bert; source.positions [S], target.positions [T]; and those that gf_batch
 *              asks for: masks are float32, added to the scores
 *   parameters embedding.weight, encoder.layers.0.self_attn.q_proj.weight, ...: the modules' names of
 *              PyTorch, the weights as [in, out]
 *   steps      encoder.layers.0.self_attn.scores, .residual1, .norm1, .linear1, .activation, ...
 *   results    logits [B,T,V] (without vocab or head the last layer's or norm's [B,T,C]), pooled [B,1,C],
 *              loss [1]
 * Fill the positions, 0, 1, 2, ...: until you do, all tokens stand at 0. With GF_ALIBI and GF_UNPLACED there are
 * none.
 * A decoding step (capacity > 0): the leaves at [1] and target.lengths [B] say how many tokens are cached
 * and how many are seen, the new ones included. T = 1; or more if it is masked and no layer has a window:
 * target.mask [B,1,T,capacity] then hides later tokens from earlier ones. memory is a leaf; the keys and
 * values made from it come first, so that later steps can start at the node target.
 * Returns the node of the last result. GF_ERANGE names the field that is out of range.
 * Vaswani et al. 2017; Radford et al. 2019; Devlin et al. 2018. */
int gf_build(gf_tape *t, const gf_model *model, const gf_batch *batch);

/* The same two for a model whose layers differ from those of gf_model. */
int gf_build_variant_nodes(const gf_model *model, const gf_variant *variant, const gf_batch *batch);
int gf_build_variant(gf_tape *t, const gf_model *model, const gf_variant *variant,
                     const gf_batch *batch);

/* How many numbers all parameters on the tape hold; SIZE_MAX if that exceeds the address space. */
size_t gf_parameter_count(const gf_tape *t);

/* Binds the parameters of t that are not bound yet to your block, and their gradients to another or to NULL:
 * in the order of the parameters of `layout`, a tape of the same model that has all of them (not a decoding
 * step), or t itself. So tapes of several batches share one block of gf_parameter_count(layout) numbers, and
 * a tape can have parameters of several blocks. Before gf_plan. GF_ENODE if layout lacks such a parameter,
 * or has it in another size. */
gf_error gf_bind_parameters(gf_tape *t, const gf_tape *layout, float *values, float *grads);

/* Gives all parameters their initial values, bound or planned: weights of linear layers uniform within
 * sqrt(6 / (in + out)) (Glorot and Bengio 2010), embeddings normal with deviation 1 / sqrt(C), gains 1,
 * biases 0; what is not described (gf_describe) is a weight if it is a matrix, else a gain. Each
 * depends on seed and name alone. GF_ESTATE if they have no memory yet. */
gf_error gf_initialize(gf_tape *t, uint32_t seed);

/* ---- Training ---------------------------------------------------------------------------------- */

/* Adam (Kingma and Ba 2015) as PyTorch has it, and AdamW (Loshchilov and Hutter 2019). */
typedef struct gf_adam {
  float learning_rate;
  float beta1, beta2; /* usually 0.9 and 0.999; the transformer's paper has 0.98 */
  float epsilon;      /* usually 1e-8; the paper has 1e-9 */
  float weight_decay; /* added to the gradient, or with `decoupled` taken off the value itself */
  int32_t decoupled;  /* nonzero: AdamW */
  int32_t step;       /* 1 at the first, or more */
} gf_adam;

/* One step over n numbers: moves value against its gradient, updates the moments m and v (0 at first).
 *   m = b1 m + (1 - b1) g,  v = b2 v + (1 - b2) g^2
 *   value -= rate (m / (1 - b1^step)) / (sqrt(v / (1 - b2^step)) + epsilon)
 * v_max: the largest v so far, which takes its place (AMSGrad), or NULL.
 * A number that never had a gradient stays as it is, with an epsilon of 0 too.
 * Returns GF_ERANGE, and changes nothing, unless step >= 1, 0 <= beta1, beta2 < 1, epsilon >= 0 and all
 * of them are finite. */
gf_error gf_adam_step(float *value, const float *grad, float *m, float *v, float *v_max, size_t n,
                      const gf_adam *adam);

/* The Euclidean norm of n numbers, of any size; and their product with a factor, for clipping. */
double gf_norm(const float *x, size_t n);
void gf_multiply(float *x, size_t n, float factor);

enum { GF_CONSTANT = 0, GF_LINEAR = 1, GF_COSINE = 2, GF_INVERSE_SQRT = 3, GF_NOAM = 4 };

/* A learning rate by step. All but Noam rise from 0 to `rate` over the warm-up. */
typedef struct gf_schedule {
  int32_t kind;    /* GF_CONSTANT; GF_LINEAR and GF_COSINE, to 0 at `total`; GF_INVERSE_SQRT:
                      rate sqrt(warmup / step); GF_NOAM: rate d_model^-0.5 min(step^-0.5,
                      step warmup^-1.5), Vaswani et al. 2017, eq. 3, where rate is 1 */
  int32_t warmup;  /* steps; 0 or below: there is none */
  int32_t total;   /* steps, for GF_LINEAR and GF_COSINE: from here on the rate is 0 */
  int32_t d_model; /* for GF_NOAM, 1 or more */
  float rate;
} gf_schedule;

/* The learning rate of a step, 1 being the first. NaN for GF_NOAM without a d_model. */
double gf_learning_rate(const gf_schedule *schedule, int step);

/* ---- Decoding: which token comes next ----------------------------------------------------------- */

/* Writes the places of the `count` largest of n numbers, largest first, to ids [count]; of equals the lower place
 * comes first, and NaN before all numbers. Of fewer than `count` numbers all are written, n places. */
void gf_rank(const float *x, int n, int count, int32_t *ids);

/* Draws one of n >= 1 ids by their probabilities [n], the softmax of the logits at some temperature.
 *   top_k   the best so many; 0 or below: all; 1: the best one, of equals the lowest
 *   top_p   of those the fewest that have this much of the probability together; 1: all
 *   place   of the token in the sequence, which has a random number of its own: the first of gf_uniform for
 *           stream `place`
 *   ids     room for n numbers, whose contents are lost
 * Sums are float64, from the best id down (with neither top_p nor top_k from id 0 up), so a seed gives one token
 * everywhere. GF_ERANGE if n < 1. Fan et al. 2018 for top_k, Holtzman et al. 2020 for top_p. */
int gf_draw(const float *logits, const float *probabilities, int n, int top_k, double top_p,
            uint32_t seed, uint32_t place, int32_t *ids);

/* ---- Files: what safetensors and GGUF hold ------------------------------------------------------ */

enum { GF_FILE_RANK = 32 }; /* dimensions of a tensor in a file */

/* A string of the header: the JSON text between its quotes, `bytes` of it from the file's byte `at` on. Keys and names of
 * GGUF are such text as they stand. */
typedef struct gf_file_text {
  uint32_t at;
  uint32_t bytes;
} gf_file_text;

/* A tensor of a file. Its numbers are the bytes from `begin` to before `end`, counted from gf_safetensors.data. */
typedef struct gf_safetensor {
  uint64_t begin;
  uint64_t end;
  int64_t shape[GF_FILE_RANK];
  int32_t rank;
  char dtype[8]; /* "F32", "BF16", ... */
  gf_file_text name;
} gf_safetensor;

/* An entry of a file's __metadata__. */
typedef struct gf_file_note {
  gf_file_text key;
  gf_file_text value;
} gf_file_note;

/* Why a file is refused. */
typedef enum gf_file_error {
  GF_FILE_OK = 0,
  GF_FILE_TOO_SHORT,       /* number: the file's bytes */
  GF_FILE_HEADER_TOO_LONG, /* number: the header's bytes, here and below */
  GF_FILE_HEADER_BEYOND,
  GF_FILE_HEADER_UTF8,
  GF_FILE_JSON_SIGN, /* number: the sign that is expected */
  GF_FILE_JSON_STRING,
  GF_FILE_JSON_UNICODE,
  GF_FILE_JSON_INTEGER,
  GF_FILE_JSON_END,
  GF_FILE_KEY_TWICE,   /* key; number 1: of the metadata */
  GF_FILE_KEY_UNKNOWN, /* key */
  GF_FILE_FIELDS,
  GF_FILE_DTYPE,    /* key: the dtype; of 0 bytes if there is none */
  GF_FILE_TOO_MANY, /* key: shape or data_offsets; number: how many there may be */
  GF_FILE_SHAPE,
  GF_FILE_OFFSETS, /* number: the bytes of such a shape */
  GF_FILE_OVERLAP, /* number: where the tensor before it ends, here and below */
  GF_FILE_HOLE,
  GF_FILE_BEYOND,   /* number: the bytes that there are */
  GF_FILE_TRAILING, /* number: bytes that are too many */
  GF_FILE_FOREIGN,  /* of gf_open alone, as all that follow */
  GF_FILE_CONFIG, /* number: the byte of the config where it cannot be read; 0: it names no model */
  GF_FILE_PARAMETER, /* number: its node of layout; culprit: its tensor; without a name it is missing */
  /* Of a GGUF. key: of the metadata, where one is at fault. */
  GF_FILE_VERSION, /* number: the version */
  GF_FILE_COUNT,   /* number: how many strings, values, pairs or tensors, or bytes of a string */
  GF_FILE_NAME,    /* number: the file's byte */
  GF_FILE_VALUE,   /* number: the type */
  GF_FILE_NESTED,
  GF_FILE_PARTS,
  GF_FILE_DIMENSIONS,   /* culprit, as far as it was read; number: the rank, or 0 */
  GF_FILE_STORED,       /* culprit; number: the type */
  GF_FILE_BLOCKS,       /* culprit; number: the width of its rows */
  GF_FILE_ARCHITECTURE, /* key: the value */
  GF_FILE_SETTING,
  GF_FILE_MISSING,
  GF_FILE_TENSOR, /* culprit */
  GF_FILE_ERRORS
} gf_file_error;

/* What a file holds, as gf_safetensors_open found it. */
typedef struct gf_safetensors {
  gf_safetensor *tensors; /* in the order of the header; in your memory, as the notes are */
  gf_file_note *notes;
  uint32_t count;
  uint32_t note_count;
  uint64_t data;    /* the file's byte where the numbers begin */
  int32_t error;    /* gf_file_error */
  uint32_t at;      /* byte of the header where JSON is wrong */
  uint64_t number;  /* that the error is about */
  gf_file_text key; /* likewise */
  gf_safetensor
      culprit; /* the tensor that the error is about, as far as it was read; without a name: none */
} gf_safetensors;

/* Reads the header of a file whose `size` bytes these are. With NULL: returns the bytes that gf_safetensors needs.
 * With that much memory, aligned to 8 bytes: fills it, and returns them. Returns 0 if the file is not as it must
 * be, with the reason in file->error: besides broken JSON, unknown keys or types, and keys that come twice, it
 * refuses tensors that overlap, leave a hole or end elsewhere than the file does. So every tensor of a file that
 * it takes may be read. Each dtype of the format is taken; what you can use is yours to check.
 *
 * Nothing is copied: texts and numbers stay in your bytes. What was read is valid while bytes and memory are. */
size_t gf_safetensors_open(gf_safetensors *file, const void *bytes, size_t size, void *memory);

/* The tensor of that name, in UTF-8, or NULL. The file must have been opened with memory. */
const gf_safetensor *gf_safetensors_find(const gf_safetensors *file, const void *bytes,
                                         const char *name);

/* Writes a string of the header as UTF-8 without escapes, and a zero behind it: text.bytes + 1 are room enough.
 * Returns the bytes before that zero; the text may have zeros of its own. */
size_t gf_file_string(const void *bytes, gf_file_text text, char *out);

/* A model in a file, as gf_open found it. */
typedef struct gf_opened {
  gf_model model;
  gf_variant variant; /* for gf_build_variant; all 0 but of some GGUFs */
  uint32_t removed;   /* bit gf_removal: steps that it goes without; see gf_prepare */
  gf_tape *layout; /* has all its parameters, for gf_bind_parameters; in your memory, as they are */
  float *
      values; /* those in float32, gf_parameter_count(layout) numbers; others stay stored, bound to layout */
  gf_safetensors file; /* the header; file.error says why a file is refused */
} gf_opened;

/* Opens a file of model.save() or `glassformer train`, of numbers in float32, float16 or bfloat16, or a GGUF: reads the
 * model from its header, and its parameters. With NULL: returns the bytes that it needs. With that much memory, aligned
 * to 16 bytes: fills it, and returns them. Returns 0 if the file is refused, with the reason in opened->file.error; the
 * second call may refuse what the first one took.
 *
 * Then, for each batch: gf_build_variant(t, &opened->model, &opened->variant, batch) with gf_build_variant_nodes,
 * gf_bind_parameters(t, opened->layout, opened->values, NULL), gf_plan, gf_prepare; fill in ids, and run. The memory stays as
 * long as such a tape is used. `bytes` are not read afterwards, but by gf_file_string and gf_safetensors_find.
 *
 * A GGUF, of version 2 or 3 and in one file, is of the architectures llama, qwen2, qwen3, gptneox and gpt2. Their settings
 * and names are those that JavaScript reads, from one table; a setting or a tensor that is not in it is refused, for it may
 * change what the model computes. Numbers may be stored as F64 and F32, which become float32; and as F16, BF16 and the types
 * of gf_bind_stored: matrices stay so, all else becomes float32. gf_backward reaches no parameter that stays stored. The tokenizer
 * in the metadata is not read: prompts are ids. opened->file tells of a GGUF what it tells of safetensors. Notes are all of
 * its metadata: a key, and the bytes of the value as they are in the file, of a string its text; they are not for gf_file_string, which
 * keys and names are. A key or a name that is not printable ASCII, or has quotes or backslashes, is refused. */
size_t gf_open(gf_opened *opened, const void *bytes, size_t size, void *memory);

/* Makes a planned tape of such a model ready: positions count from 0, and the steps that the model goes without give what
 * they are given, or 0. Returns the tape's error. */
gf_error gf_prepare(gf_tape *t, const gf_opened *opened);

/* What a gf_file_error means; NULL for other numbers. */
const char *gf_file_error_text(int error);

/* ---- Plan and run ---------------------------------------------------------------------------- */

/* Places every value and gradient. With NULL: returns the bytes needed. With that much memory,
 * aligned to 16 bytes: places all, fills it with zeros, returns the bytes; the tape is then closed
 * to new nodes. Returns 0, and leaves a sticky error, if the tape is empty or has an error, memory
 * is misaligned, or the sizes exceed the address space; 0 without one if it is planned already. */
size_t gf_plan(gf_tape *t, void *memory);

/* The same for inference: no gradients, and values share memory once nobody reads them any more. What
 * stays are leaves, caches, results (nodes that no other reads) and the nodes given to gf_keep before;
 * any other's gf_node_value is NULL, and it cannot be frozen. */
size_t gf_plan_reuse(gf_tape *t, void *memory);

/* Tells a planned tape that you copied the plan's memory to other memory of that size, aligned to 16 bytes: values and
 * gradients are there from now on, and the old memory is yours again. GF_ESTATE before the plan, GF_ERANGE if memory is NULL
 * or misaligned. */
gf_error gf_plan_move(gf_tape *t, void *memory);

/* Tells a tape of gf_plan_reuse that parameters have changed since it last ran: those that are read
 * often are laid out once, in an order that is quick to read. */
void gf_refresh(gf_tape *t);

/* Asks that gf_plan_reuse keeps a node's value. GF_ENODE if there is no such node, GF_ESTATE after the
 * plan. */
gf_error gf_keep(gf_tape *t, int node);

/* Computes the nodes first..last in order (GF_LAST: to the end), save frozen ones. A slice that begins
 * where the last one ended goes on with that run.
 * GF_ESTATE before the plan, or if the slice reads a node before its run that is not computed yet or that
 * the plan did not keep; GF_ENODE if there is no such slice; GF_EID if an id that you wrote names no
 * row of its table. Then nothing was computed, gf_tape_error_text says why, and the error is not
 * sticky. */
gf_error gf_forward(gf_tape *t, int first, int last);

/* Sets every gradient on the tape to zero, save those of bound leaves, which belong to their owner.
 */
void gf_zero_grad(gf_tape *t);

/* Carries gradients from node last down to node first: each node adds to its operands' gradients.
 * Write the gradient of what you differentiate first: gf_zero_grad, then 1 at the cell in question.
 * Frozen nodes pass nothing on.  Errors as gf_forward; GF_ESTATE also if a node of the slice is not
 * computed yet, or the tape was planned by gf_plan_reuse. */
gf_error gf_backward(gf_tape *t, int first, int last);

/* One part of the work of one node, so that a large one can be left now and then: parts 0 to parts - 1 in this
 * order, with nothing else computed on the tape in between, have the bits of the whole. Those of linear, matmul and
 * attention are about equal; any other node does all of its work in the last one. A node counts as computed
 * from its last part on.  Errors as gf_forward and gf_backward; GF_ERANGE if there is no such part. */
gf_error gf_forward_part(gf_tape *t, int node, int part, int parts);
gf_error gf_backward_part(gf_tape *t, int node, int part, int parts);

/* ---- Experiments: two overrides of any node -------------------------------------------------- */

/* Makes a node copy its operand k instead of computing, and its gradient follow the copy.
 * k = GF_NONE puts the node back. GF_ERANGE if there is no operand k of the node's size and kind.
 */
gf_error gf_bypass(gf_tape *t, int node, int k);

/* Keeps the values that you write into a node: forward leaves it alone, backward passes nothing on.
 * on = 0 thaws it: the next forward computes it again. */
gf_error gf_freeze(gf_tape *t, int node, int on);

/* ---- Looking --------------------------------------------------------------------------------- */

/* The node of that name; or GF_ENAME, which gf_tape_error_text then tells and which is not sticky. */
int gf_find(gf_tape *t, const char *name);

/* Of a node 0 <= node < gf_tape_count(t); of any other number a nameless leaf of rank 0 and size 0. Values and gradients are NULL before the plan, and gf_node_value and gf_node_grad are NULL
 * for ids. After the plan they are 0 until something is computed: see gf_node_computed. */
const char *gf_node_name(const gf_tape *t, int node);
const char *gf_node_op(const gf_tape *t, int node); /* "leaf", "softmax": a row of the op table */
gf_type gf_node_type(const gf_tape *t, int node);
int gf_node_rank(const gf_tape *t, int node);
const int *gf_node_shape(const gf_tape *t, int node); /* GF_MAX_RANK numbers, 1 beyond the rank */
int gf_node_size(const gf_tape *t, int node);         /* how many numbers */
int gf_node_input(const gf_tape *t, int node, int k); /* operand k < GF_MAX_INPUTS, or GF_NONE */
int gf_node_bypassed(const gf_tape *t, int node);     /* the operand that is copied, or GF_NONE */
int gf_node_frozen(const gf_tape *t, int node);
float *gf_node_value(const gf_tape *t, int node);
float *gf_node_grad(const gf_tape *t, int node);
int32_t *gf_node_ids(const gf_tape *t, int node); /* of ids; NULL for other nodes */

/* Whether a node's value means anything: nonzero once gf_forward has computed it since the plan, and
 * always for what you write yourself: leaves, and nodes while they are frozen. Writing a leaf does
 * not clear it: what depends on the leaf shows the last run until the next. */
int gf_node_computed(const gf_tape *t, int node);

/* Whether a node's gradient means anything: nonzero once a gf_backward has come down to the node
 * since the plan or the last gf_zero_grad. Always 0 for ids. */
int gf_node_differentiated(const gf_tape *t, int node);

/* What a node was built with besides its operands, by the name that its builder gives it: "factor",
 * "causal", "heads" (0: concatenated), "transposed", "epsilon", ...; a leaf's "kind" is 0 input,
 * 1 parameter, 2 ids. NaN if there is no such attribute. */
double gf_node_attribute(const gf_tape *t, int node, const char *name);

/* What a node computes: "y = factor x". */
const char *gf_node_formula(const gf_tape *t, int node);

/* ---- What a node is ---------------------------------------------------------------------------- */

/* What a node is in a lesson. A parameter has the role of the step that it makes: a query's weight is
 * of role query. The op tells the forms of a role apart: scores are made by matmul, then scaled by
 * scale, masked by mask; queries are made by linear, parted by heads, turned by rope. */
typedef enum gf_role {
  GF_ROLE_NONE,      /* nobody said */
  GF_ROLE_TOKENS,    /* ids: the tokens of a sequence */
  GF_ROLE_POSITIONS, /* ids: where each of them stands */
  GF_ROLE_SEGMENTS,  /* ids: which segment each of them belongs to */
  GF_ROLE_LENGTHS,   /* ids: how many of them are no padding */
  GF_ROLE_MASK,      /* what is added to scores, or says which of them count */
  GF_ROLE_OFFSET,    /* ids: how many tokens came before, in a decoding step */
  GF_ROLE_LABELS,    /* ids: the tokens that are asked for */
  GF_ROLE_SEED,      /* ids: what dropout is drawn by */
  GF_ROLE_EMBEDDING, /* what a token means */
  GF_ROLE_SEGMENT,   /* what its segment adds */
  GF_ROLE_POSITION,  /* what its position adds, or the angles by which it turns */
  GF_ROLE_INPUT,     /* what enters the first layer, or an attention */
  GF_ROLE_MEMORY,    /* what the encoder made, given to a decoding step */
  GF_ROLE_QUERY,
  GF_ROLE_KEY,
  GF_ROLE_VALUE,
  GF_ROLE_SCORE,      /* of a query for a key */
  GF_ROLE_WEIGHT,     /* of attention: the softmax of the scores */
  GF_ROLE_MIX,        /* the values, mixed by the weights */
  GF_ROLE_CONCAT,     /* the mixtures of all heads side by side */
  GF_ROLE_OUTPUT,     /* of a sublayer */
  GF_ROLE_RESIDUAL,   /* a sublayer's output added to what it was given */
  GF_ROLE_NORM,       /* normalised rows */
  GF_ROLE_HIDDEN,     /* the inner layer of a feed-forward network */
  GF_ROLE_GATE,       /* what lets it through, in a gated one */
  GF_ROLE_ACTIVATION, /* a hidden layer after its nonlinear function */
  GF_ROLE_POOLED,     /* the first token, made to stand for all */
  GF_ROLE_LOGIT,
  GF_ROLE_PROBABILITY,
  GF_ROLE_LOSS,
  GF_ROLE_LEARNING_RATE,
  GF_ROLE_COUNT
} gf_role;

/* What the numbers along an axis stand for. */
typedef enum gf_axis {
  GF_AXIS_NONE, /* nobody said */
  GF_AXIS_BATCH,
  GF_AXIS_HEAD,
  GF_AXIS_QUERY, /* the tokens that ask, in scores and weights */
  GF_AXIS_KEY,   /* the tokens that are asked */
  GF_AXIS_TOKEN,
  GF_AXIS_CHANNEL,
  GF_AXIS_VOCABULARY,
  GF_AXIS_POSITION,
  GF_AXIS_SEGMENT,
  GF_AXIS_PAIR,     /* of channels that turn together */
  GF_AXIS_ROTATION, /* cosine and sine */
  GF_AXIS_STEP,     /* of training */
  GF_AXIS_COUNT
} gf_axis;

/* Whose tokens they are, where there are two sequences. */
typedef enum gf_sequence {
  GF_SEQUENCE_NONE,
  GF_SEQUENCE_SOURCE,
  GF_SEQUENCE_TARGET, /* also the only sequence of a model */
  GF_SEQUENCE_COUNT
} gf_sequence;

/* Which number of its step a parameter is. */
typedef enum gf_parameter_kind {
  GF_PARAMETER_NONE, /* no parameter */
  GF_PARAMETER_WEIGHT,
  GF_PARAMETER_BIAS,
  GF_PARAMETER_GAIN,
  GF_PARAMETER_TABLE, /* a row per id */
  GF_PARAMETER_COUNT
} gf_parameter_kind;

typedef enum gf_stack {
  GF_STACK_NONE, /* what stands before or behind the stacks */
  GF_STACK_ENCODER,
  GF_STACK_DECODER,
  GF_STACK_COUNT
} gf_stack;

/* Of a stack, or of what stands behind it. Norms and residuals around a sublayer are in none. */
typedef enum gf_part {
  GF_PART_NONE,
  GF_PART_EMBEDDING, /* from tokens to vectors */
  GF_PART_SELF_ATTN,
  GF_PART_CROSS_ATTN,
  GF_PART_FEED_FORWARD,
  GF_PART_POOLER,
  GF_PART_PREDICTION,
  GF_PART_COUNT
} gf_part;

/* Experiments that leave steps out: see `substitute`. */
typedef enum gf_removal {
  GF_REMOVE_NONE,
  GF_REMOVE_POSITIONS, /* all of them, added, rotating or as biases */
  GF_REMOVE_PROJECTIONS, /* to queries, keys and values, if these are as large as what they come from */
  GF_REMOVE_SCORES,      /* all alike */
  GF_REMOVE_SCALE,       /* of the scores */
  GF_REMOVE_MASK,        /* of what comes later */
  GF_REMOVE_SOFTMAX,     /* scores as weights */
  GF_REMOVE_MIX,         /* the values as they are, if there are as many as queries */
  GF_REMOVE_OUTPUT,      /* the projection behind the heads, if it is square */
  GF_REMOVE_NORM,
  GF_REMOVE_RESIDUAL, /* what a sublayer made, without what it was given */
  GF_REMOVE_COUNT
} gf_removal;

/* Builders fill it in; ops carry over what follows from their operands (softmax keeps the axes, linear
 * takes the role of its weight), so that on a tape built by hand it is enough to describe the leaves. */
typedef struct gf_description {
  uint8_t role;      /* gf_role */
  uint8_t parameter; /* gf_parameter_kind */
  uint8_t stack;     /* gf_stack */
  uint8_t part;      /* gf_part */
  uint8_t removal;   /* gf_removal that leaves the node out, or GF_REMOVE_NONE */
  int8_t substitute; /* the operand for which gf_bypass then puts it; GF_NONE: it is held at 0 */
  int16_t layer;     /* of the stack, from 0; GF_NONE if it is in none */
  uint8_t axes[GF_MAX_RANK];      /* gf_axis of each dimension */
  uint8_t sequences[GF_MAX_RANK]; /* gf_sequence, of axes of tokens, and of lengths */
  int32_t heads; /* how many it holds, apart or side by side; 0: it is of no heads */
} gf_description;

/* Of a node, as above; there until the tape is moved. */
const gf_description *gf_node_description(const gf_tape *t, int node);

/* Describes a node. What is 0 stays as it is, `layer` where `stack` is 0, `substitute` where `removal`
 * is. Describe leaves before they are read: what was carried over before stays. GF_ENODE, GF_ERANGE. */
gf_error gf_describe(gf_tape *t, int node, const gf_description *description);

/* The words for them: "query", "channel", "source", "bias", "encoder", "self_attn", "w_o"; "" for 0, NULL
 * for what is none. */
const char *gf_role_name(int role);
const char *gf_axis_name(int axis);
const char *gf_sequence_name(int sequence);
const char *gf_parameter_name(int parameter);
const char *gf_stack_name(int stack);
const char *gf_part_name(int part);
const char *gf_removal_name(int removal);

/* ---- The op table ------------------------------------------------------------------------------ */

/* What an operand may be, added up. */
enum { GF_TAKES_F32 = 1, GF_TAKES_IDS = 2, GF_TAKES_NONE = 4, GF_TAKES_STORED = 8 };

typedef struct gf_operand {
  const char *name;
  int32_t takes; /* GF_TAKES_... */
} gf_operand;

typedef enum gf_attribute_kind {
  GF_FLAG,    /* 0 or 1 */
  GF_INTEGER, /* int32 */
  GF_REAL,    /* float32 */
  GF_WORD,    /* the number of a word */
  GF_AXES     /* GF_MAX_RANK numbers, one per axis; of those that x lacks 0 */
} gf_attribute_kind;

/* What a node knows beyond its operands. */
typedef struct gf_attribute {
  const char *name;
  int32_t kind;         /* gf_attribute_kind */
  float low, high;      /* its range, both included */
  int32_t range;        /* the gf_problem's sentence for a number out of it */
  const char *words[4]; /* of GF_WORD: what 0, 1, ... stand for, then NULL */
} gf_attribute;

/* A row of the table. */
typedef struct gf_op {
  const char *name;
  const char *formula;
  const char *chooses;                /* an attribute: where it is not 0, the formula is */
  const char *other_formula;          /* this one; or NULL, both */
  gf_operand operands[GF_MAX_INPUTS]; /* behind the last the name is NULL */
  const gf_attribute *attributes[GF_MAX_ATTRIBUTES]; /* behind the last NULL */
} gf_op;

/* Row 0, 1, ...; NULL if there is none. */
const gf_op *gf_op_at(int op);

/* Makes a node of any op but a leaf, as the op's own function above does: for those who have only its
 * row. operands: ids in the order of the row, GF_NONE where one is left out. attributes: numbers in the
 * order of the row. Errors as that function's; GF_ERANGE if there is no such op. */
int gf_push(gf_tape *t, int op, const int *operands, const double *attributes, const char *name);

/* Makes a node like one of another tape: a leaf of its kind and shape, or its op with its attributes on other
 * operands, as many as the op's row has; with its description. Random numbers go by the name. Values, what is
 * frozen and what is bound are not copied: a stored parameter becomes one of float32, until you bind it. Errors
 * as the op's function's; GF_ENODE if there is no such node. */
int gf_copy(gf_tape *t, const gf_tape *from, int node, const int *operands, const char *name);

/* ---- Numbers --------------------------------------------------------------------------------- */

/* The core's own e^x, for whoever wants to show one term of a softmax. At most 1 ULP off. */
float gf_expf(float x);

/* The normal distribution Phi(x) = 1/2 erfc(-x / sqrt 2), as gf_gelu multiplies x by it. At most 6 ULP
 * off, of small results too. */
float gf_phif(float x);

/* Writes n float32 numbers, uniform between low and high (which rounding can reach, and which may be
 * further apart than a float32 reaches), that depend on seed, stream and index alone.
 * Philox4x32-10 (Salmon et al. 2011), key (seed, 0), counter (index / 4, 0, stream, 0): word
 * index % 4 of a block, its upper 24 bits as u in [0, 1), gives low + (high - low) u. */
void gf_uniform(float *out, size_t n, uint32_t seed, uint32_t stream, float low, float high);

/* The same for normal numbers (Box and Muller 1958). */
void gf_normal(float *out, size_t n, uint32_t seed, uint32_t stream, float mean, float deviation);

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
