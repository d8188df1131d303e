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
 *     gf_tape *t = gf_tape_create(malloc(room), room);
 *     int x = gf_input(t, 2, (int[]){2, 3}, "x");
 *     int y = gf_softmax(t, x, "y");
 *     gf_plan(t, malloc(gf_plan(t, NULL)));
 *     if (gf_tape_error(t)) return puts(gf_tape_error_text(t)), 1;
 *     gf_node_value(t, x)[0] = 1;
 *     gf_forward(t, 0, GF_LAST);
 *     printf("%g\n", gf_node_value(t, y)[0]);
 *   }
 *
 * Build first, without checks: an error is sticky, later calls do nothing, and one test at the end
 * tells which node was wrong and why. Then plan, fill the inputs, run. Values are float32,
 * row-major, rank 1 to 4; ids are int32. Weights are stored as the paper writes them: y = x W + b,
 * W [in, out].
 *
 * Dimensions: B batch, T time (Tq of queries, Tk of keys), C channels (d_model), H heads, D head
 * size, V vocabulary; [...] any leading dimensions. The gradient of x is dx; backward adds to it.
 */
#ifndef GLASSFORMER_H
#define GLASSFORMER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  GF_ABI = 1,        /* raised whenever a function below changes its meaning */
  GF_MAX_RANK = 4,   /* dimensions of a tensor */
  GF_MAX_NAME = 95,  /* bytes of a node's name, without the terminating zero */
  GF_MAX_INPUTS = 4, /* operands of a node */
  GF_NONE = -1,      /* no node: an optional operand that is left out */
  GF_LAST = -1       /* the last node of a tape, in gf_forward and gf_backward */
};

typedef enum gf_error {
  GF_OK = 0,
  GF_ESHAPE = -1,  /* shapes do not fit each other, or a dimension is below 1 */
  GF_ENAME = -2,   /* a name is empty, longer than GF_MAX_NAME, or taken */
  GF_ENODE = -3,   /* no such node, or one of another kind (ids where values are due) */
  GF_ERANGE = -4,  /* an argument is outside its range */
  GF_EMEMORY = -5, /* the tape has no room for another node, or a size exceeds the address space */
  GF_ESTATE = -6,  /* built after the plan, or run before it */
  GF_EID = -7      /* an id does not name a row of its table */
} gf_error;

typedef struct gf_tape gf_tape;

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
const char *gf_tape_error_text(const gf_tape *t);

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

/* ---- Ops: what is computed ------------------------------------------------------------------- */

/* Looks up a row per id.
 *   table [V,C], ids [...]  ->  y [...,C]       y[i] = table[ids[i]]
 * ids in 0..V-1, checked by gf_forward.  At most rank 3 ids.  Gradient: dtable[ids[i]] += dy[i]. */
int gf_embed(gf_tape *t, int table, int ids, const char *name);

/* Sinusoidal position encoding.
 *   positions: ids [...]  ->  y [...,C]
 *   y[p,2i] = sin(p / 10000^(2i/C)),  y[p,2i+1] = cos(p / 10000^(2i/C))
 * Right to 1e-6 for positions up to 2^20.  C may be odd: the last column is a sine.  No gradient.
 * Vaswani et al. 2017, section 3.5. */
int gf_position(gf_tape *t, int positions, int channels, const char *name);

/* Adds; b is repeated over the leading dimensions that it lacks.
 *   a [...,S], b [S]  ->  y [...,S]             y = a + b
 * S: b's whole shape, the trailing part of a's.  Gradient: da += dy, db += sum of dy over the
 * repeats. */
int gf_add(gf_tape *t, int a, int b, const char *name);

/* Multiplies by a constant.   x [...]  ->  y [...]      y = factor x
 * factor: finite.  Gradient: dx += factor dy. */
int gf_scale(gf_tape *t, int x, float factor, const char *name);

/* A linear layer.
 *   x [...,K], w [K,N], b [N] or GF_NONE  ->  y [...,N]     y = x w + b
 * Gradient: dx += dy w^T, dw += x^T dy, db += sum of dy over the rows. */
int gf_linear(gf_tape *t, int x, int w, int b, const char *name);

/* Multiplies matrices, one pair per leading index.
 *   a [...,M,K], b [...,K,N]  ->  y [...,M,N]   y = a b
 * The leading dimensions are equal.  Gradient: da += dy b^T, db += a^T dy. */
int gf_matmul(gf_tape *t, int a, int b, const char *name);

/* Multiplies each query with each key.
 *   a [...,M,K], b [...,N,K]  ->  y [...,M,N]   y = a b^T
 * Not scaled: see gf_scale.  Gradient: da += dy b, db += dy^T a.  Vaswani et al. 2017, eq. 1. */
int gf_matmul_transposed(gf_tape *t, int a, int b, const char *name);

/* Masks scores: a masked one becomes -inf, which softmax turns into 0.
 *   x [...,Tq,Tk]  ->  y, same shape
 *   causal    nonzero: query i sees key j only if j <= i
 *   mask      GF_NONE; or float32, added to the scores (0 keeps, -inf masks, a bias shifts); or
 *             ids, boolean: 0 masks, anything else keeps. Its dimensions, aligned at the right, are
 *             1 or x's.
 *   lengths   GF_NONE; or ids [B], B = x's first dimension: keys from lengths[b] on are padding.
 *             Rank 3 or 4 x; below 0 counts as 0.
 * Gradient: dx += dy where kept; dmask likewise, summed over what it was repeated over. */
int gf_mask(gf_tape *t, int x, int causal, int mask, int lengths, const char *name);

/* Softmax over the last dimension.
 *   x [...,N]  ->  y [...,N]                    y_j = exp(x_j - max x) / sum_k exp(x_k - max x)
 * A row that is all -inf gives 0, and passes no gradient.
 * Gradient: dx_j += y_j (dy_j - sum_k dy_k y_k). */
int gf_softmax(gf_tape *t, int x, const char *name);

/* Gives each head its own matrix.   x [...,T,H*D]  ->  y [...,H,T,D]   y[h,t,d] = x[t, h D + d]
 * heads >= 1 divides the last dimension; x of rank 2 or 3.  Gradient: the same permutation,
 * backwards. */
int gf_split_heads(gf_tape *t, int x, int heads, const char *name);

/* Joins the heads again.   x [...,H,T,D]  ->  y [...,T,H*D]   y[t, h D + d] = x[h,t,d]
 * x of rank 3 or 4.  Gradient: the same permutation, backwards. */
int gf_concat_heads(gf_tape *t, int x, const char *name);

/* ---- Attention ------------------------------------------------------------------------------- */

/* Fields are 4 bytes each, in this order. The weights may be GF_NONE: without w_q the query is taken
 * to be projected already, and no node q is made; likewise w_k and w_v. */
typedef struct gf_attention_config {
  int32_t query;    /* what the queries come from, [Tq,C] or [B,Tq,C] */
  int32_t key;      /* what the keys come from; in self-attention the same node as query */
  int32_t value;    /* what the values come from */
  int32_t w_q, b_q; /* [C,H*D], [H*D] */
  int32_t w_k, b_k; /* [C,H*D], [H*D] */
  int32_t w_v, b_v; /* [C,H*Dv], [H*Dv] */
  int32_t w_o, b_o; /* [H*Dv,C], [C]; without w_o the last step goes by the name output */
  int32_t heads;    /* H >= 1; divides the widths of q, k and v */
  int32_t causal;   /* nonzero: query i sees key j only if j <= i */
  int32_t mask;     /* as in gf_mask, or GF_NONE */
  int32_t lengths;  /* as in gf_mask, or GF_NONE */
  float scale;      /* multiplies the scores; 0 means 1 / sqrt(D) */
} gf_attention_config;

/* All fields at "left out": nodes GF_NONE, heads 1, not causal, scale 0. */
gf_attention_config gf_attention_default(void);

/* Scaled dot-product attention, single or multi-head, self or cross, in named steps.
 *   q, k, v            linear: x w + b
 *   q.heads, k.heads, v.heads            split_heads, if heads > 1
 *   scores             q k^T
 *   scores.scaled      scores * scale
 *   scores.masked      if causal, mask or lengths are given
 *   weights            softmax over the keys
 *   mix                weights v
 *   concat             the heads side by side, if heads > 1
 *   output             linear: concat w_o + b_o
 * Without w_o the last of them bears the name output.  `path` goes before each name with a dot
 * between ("encoder.layers.0.self_attn" gives "encoder.layers.0.self_attn.scores"); "" for none.
 * Returns the node output.  GF_ESHAPE, GF_ENODE, GF_ERANGE (heads) as the steps themselves.
 * Vaswani et al. 2017, section 3.2. */
int gf_attention(gf_tape *t, const gf_attention_config *config, const char *path);

/* ---- Plan and run ---------------------------------------------------------------------------- */

/* Places every value and gradient. With NULL: returns the bytes needed. With that much memory,
 * aligned to 16 bytes: places all, fills it with zeros, returns the bytes; the tape is then closed
 * to new nodes. Returns 0, and leaves a sticky error, if the tape is empty or has an error, memory
 * is misaligned, or the sizes exceed the address space; 0 without one if it is planned already. */
size_t gf_plan(gf_tape *t, void *memory);

/* Computes the nodes first..last in order (GF_LAST: to the end), save frozen ones.
 * GF_ESTATE before the plan, GF_ENODE if there is no such slice, GF_EID if an id names no row of
 * its table: then nothing was computed, gf_tape_error_text tells why, and the error is not sticky.
 */
gf_error gf_forward(gf_tape *t, int first, int last);

/* Sets every gradient on the tape to zero, save those of bound leaves, which belong to their owner.
 */
void gf_zero_grad(gf_tape *t);

/* Carries gradients from node last down to node first: each node adds to its operands' gradients.
 * Write the gradient of what you differentiate first: gf_zero_grad, then 1 at the cell in question.
 * Frozen nodes pass nothing on.  Errors as gf_forward. */
gf_error gf_backward(gf_tape *t, int first, int last);

/* ---- Experiments: two overrides of any node -------------------------------------------------- */

/* Makes a node copy its operand k instead of computing, and its gradient follow the copy.
 * k = GF_NONE puts the node back. GF_ERANGE if there is no operand k of the node's size and kind.
 */
gf_error gf_bypass(gf_tape *t, int node, int k);

/* Keeps the values that you write into a node: forward leaves it alone, backward passes nothing on.
 * on = 0 thaws it: the next forward computes it again. */
gf_error gf_freeze(gf_tape *t, int node, int on);

/* ---- Looking --------------------------------------------------------------------------------- */

/* The node of that name, or GF_ENAME. */
int gf_find(const gf_tape *t, const char *name);

/* Of a node 0 <= node < gf_tape_count(t); anything else is the caller's mistake, which debug builds
 * trap. Values and gradients are NULL before the plan, and gf_node_value and gf_node_grad are NULL
 * for ids. */
const char *gf_node_name(const gf_tape *t, int node);
const char *gf_node_op(const gf_tape *t, int node); /* "leaf", "softmax": a row of the op table */
int gf_node_rank(const gf_tape *t, int node);
const int *gf_node_shape(const gf_tape *t, int node); /* GF_MAX_RANK numbers, 1 beyond the rank */
int gf_node_size(const gf_tape *t, int node);         /* how many numbers */
int gf_node_input(const gf_tape *t, int node, int k); /* operand k < GF_MAX_INPUTS, or GF_NONE */
int gf_node_option(const gf_tape *t, int node);       /* leaf: 0 input, 1 parameter, 2 ids;
                                                         position: C; mask: 1 causal;
                                                         matmul: 1 b transposed;
                                                         heads: H split, 0 concatenated; else 0 */
float gf_node_factor(const gf_tape *t, int node);     /* scale: the factor */
int gf_node_bypassed(const gf_tape *t, int node);     /* the operand that is copied, or GF_NONE */
int gf_node_frozen(const gf_tape *t, int node);
float *gf_node_value(const gf_tape *t, int node);
float *gf_node_grad(const gf_tape *t, int node);
int32_t *gf_node_ids(const gf_tape *t, int node); /* of ids; NULL for other nodes */

/* The op table: how many ops, and of each its name and its formula. */
int gf_op_count(void);
const char *gf_op_name(int op);
const char *gf_op_formula(int op);

/* ---- Numbers --------------------------------------------------------------------------------- */

/* The core's own e^x, for whoever wants to show one term of a softmax. At most 1 ULP off. */
float gf_exp(float x);

/* Writes n float32 numbers, uniform between low and high (which rounding can reach), that depend on
 * seed, stream and index alone.
 * Philox4x32-10 (Salmon et al. 2011), key (seed, 0), counter (index / 4, 0, stream, 0): word
 * index % 4 of a block, its upper 24 bits as u in [0, 1), gives low + (high - low) u. */
void gf_uniform(float *out, size_t n, uint32_t seed, uint32_t stream, float low, float high);

#ifdef __cplusplus
}
#endif

#endif
