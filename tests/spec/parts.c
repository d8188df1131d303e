/* A node's work in parts has the bits of the whole, and no two parts write the same number. */
#include "harness.h"

#include <string.h>

/* A tape whose last node is the one in question. */
typedef gf_tape *(*maker)(void);

static gf_tape *linear(void) {
  gf_tape *t = new_tape();
  int x = IN(t, 2, 3, 300), w = IN(t, 300, 700), b = IN(t, 700);
  gf_linear(t, x, w, b, "y");
  return t;
}
static gf_tape *matmul(void) {
  gf_tape *t = new_tape();
  int a = IN(t, 5, 520), b = IN(t, 520, 530);
  gf_matmul(t, a, b, "y");
  return t;
}
static gf_tape *transposed(void) {
  gf_tape *t = new_tape();
  int a = IN(t, 2, 40), b = IN(t, 4500, 40);
  gf_matmul_transposed(t, a, b, "y");
  return t;
}
/* Six heads of queries on two of keys. */
static gf_tape *scores(void) {
  gf_tape *t = new_tape();
  int q = IN(t, 2, 6, 5, 4), k = IN(t, 2, 2, 7, 4);
  gf_matmul_transposed(t, q, k, "y");
  return t;
}
static gf_tape *attention(void) {
  gf_tape *t = new_tape();
  gf_attention_config c = gf_attention_default();
  int q = IN(t, 2, 6, 70, 4), k = IN(t, 2, 2, 70, 4), v = IN(t, 2, 2, 70, 8);
  c.causal = c.alibi = 1, c.scale = 0.5f;
  gf_fused_attention(t, q, k, v, &c, "y");
  return t;
}
/* All of them add to the gradient of one mask. */
static gf_tape *masked(void) {
  gf_tape *t = new_tape();
  gf_attention_config c = gf_attention_default();
  int q = IN(t, 6, 40, 4), k = IN(t, 2, 40, 4), v = IN(t, 2, 40, 8);
  c.scale = 0.5f, c.mask = IN(t, 40, 40);
  gf_fused_attention(t, q, k, v, &c, "y");
  return t;
}
/* Both operands have the same gradient. */
static gf_tape *squared(void) {
  gf_tape *t = new_tape();
  int x = IN(t, 140, 140);
  gf_matmul(t, x, x, "y");
  return t;
}
static gf_tape *self(void) {
  gf_tape *t = new_tape();
  int x = IN(t, 140, 140);
  gf_linear(t, x, x, GF_NONE, "y");
  return t;
}
static gf_tape *correlated(void) {
  gf_tape *t = new_tape();
  int x = IN(t, 5, 20, 30);
  gf_matmul_transposed(t, x, x, "y");
  return t;
}
/* Steps that are no products, one at a time: by numbers, by rows, by columns where rows add to one gradient. Sizes that no
 * number of parts divides, more than one unit of each kind. */
typedef int step(gf_tape *t, int x);

static int relu(gf_tape *t, int x) {
  return gf_relu(t, x, "y");
}
static int gelu(gf_tape *t, int x) {
  return gf_gelu(t, x, 0, "y");
}
static int silu(gf_tape *t, int x) {
  return gf_silu(t, x, 1, "y");
}
static int scale(gf_tape *t, int x) {
  return gf_scale(t, x, 0.3f, "y");
}
static int swiglu(gf_tape *t, int x) {
  return gf_swiglu(t, x, IN(t, 23, 67), 1, "y");
}
static int dropout(gf_tape *t, int x) {
  return gf_dropout(t, x, IDS(t, 2), 0.4f, "y");
}
static int add(gf_tape *t, int x) {
  return gf_add(t, x, IN(t, 67), "y");
}
static int mul(gf_tape *t, int x) {
  return gf_mul(t, x, IN(t, 67), "y");
}
static int square(gf_tape *t, int x) {
  return gf_mul(t, x, x, "y");
}
static int softmax(gf_tape *t, int x) {
  return gf_softmax(t, x, "y");
}
static int log_softmax(gf_tape *t, int x) {
  return gf_log_softmax(t, x, "y");
}
static int layer_norm(gf_tape *t, int x) {
  return gf_layer_norm(t, x, IN(t, 67), IN(t, 67), 1e-5f, "y");
}
/* Gain and bias have one gradient. */
static int layer_norm_shared(gf_tape *t, int x) {
  const int gain = IN(t, 67);
  return gf_layer_norm(t, x, gain, gain, 1e-5f, "y");
}
static int rms_norm(gf_tape *t, int x) {
  return gf_rms_norm(t, x, IN(t, 67), 1e-5f, "y");
}
static int embed(gf_tape *t, int x) {
  return gf_embed(t, x, IDS(t, 31), "y");
}
static int loss(gf_tape *t, int x) {
  return gf_cross_entropy(t, x, IDS(t, 23), IN(t, 67), GF_MEAN, 3, 0.1f, "y");
}
static int losses(gf_tape *t, int x) {
  return gf_cross_entropy(t, x, IN(t, 23, 67), GF_NONE, GF_EACH, -1, 0, "y");
}
static int split_heads(gf_tape *t, int x) {
  (void)x;
  return gf_split_heads(t, IN(t, 3, 5, 12), 4, "y");
}
static int concat_heads(gf_tape *t, int x) {
  (void)x;
  return gf_concat_heads(t, IN(t, 3, 4, 5, 3), "y");
}
static int rope(gf_tape *t, int x) {
  (void)x;
  return gf_rope(t, IN(t, 2, 3, 5, 8), IN(t, 5, 3, 2), 0, "y");
}
static step *const steps[] = {relu,
                              gelu,
                              silu,
                              scale,
                              swiglu,
                              dropout,
                              add,
                              mul,
                              square,
                              softmax,
                              log_softmax,
                              layer_norm,
                              layer_norm_shared,
                              rms_norm,
                              embed,
                              loss,
                              losses,
                              split_heads,
                              concat_heads,
                              rope};

static step *present;
static gf_tape *one_step(void) {
  gf_tape *t = new_tape();
  present(t, IN(t, 23, 67));
  return t;
}

/* Does all of its work in the last part. */
static gf_tape *transpose(void) {
  gf_tape *t = new_tape();
  gf_transpose(t, IN(t, 3, 50), (const int[]){1, 0}, "y");
  return t;
}

static void fill(float *x, float *too, int n) {
  for (int i = 0; i < n; i++) x[i] = too[i] = (float)random_between(-1, 1);
}

static int last_of(const gf_tape *t) {
  return gf_tape_count(t) - 1;
}

/* Leaves with the same numbers, and gradients that are there already. */
static void fill_leaves(gf_tape *a, gf_tape *b) {
  for (int i = 0; i < last_of(a); i++) {
    const int n = gf_node_size(a, i);
    for (int k = 0; gf_node_ids(a, i) && k < n; k++)
      gf_node_ids(a, i)[k] = gf_node_ids(b, i)[k] = (k * k) % 5;
    if (gf_node_ids(a, i)) continue;
    fill(gf_node_value(a, i), gf_node_value(b, i), n);
    if (gf_node_grad(a, i)) fill(gf_node_grad(a, i), gf_node_grad(b, i), n);
  }
}

static void check_parts(maker make, int parts) {
  room_reset();
  gf_tape *whole = make(), *split = make();
  place(whole);
  place(split);
  fill_leaves(whole, split);
  int y = last_of(whole), n = gf_node_size(whole, y);

  EXPECT_INT(gf_forward(whole, y, y), GF_OK);
  for (int part = 0; part < parts; part++) {
    EXPECT_INT(gf_node_computed(split, y), 0);
    EXPECT_INT(gf_forward_part(split, y, part, parts), GF_OK);
  }
  EXPECT_INT(gf_node_computed(split, y), 1);
  EXPECT(same(gf_node_value(split, y), gf_node_value(whole, y), (size_t)n));

  fill(gf_node_grad(whole, y), gf_node_grad(split, y), n);
  EXPECT_INT(gf_backward(whole, y, y), GF_OK);
  for (int part = 0; part < parts; part++)
    EXPECT_INT(gf_backward_part(split, y, part, parts), GF_OK);
  for (int i = 0; i < y; i++)
    EXPECT(!gf_node_grad(whole, i) ||
           same(gf_node_grad(split, i), gf_node_grad(whole, i), (size_t)gf_node_size(whole, i)));
  complain_of("%s in %d parts", gf_node_op(whole, y), parts);
}

/* Counts, in the gradients of a second tape, which part adds to what. Returns how many of the parts add to anything. */
static int check_apart(maker make, int parts) {
  int busy = 0;
  room_reset();
  gf_tape *t = make(), *count = make();
  place(t);
  place(count);
  fill_leaves(t, count);
  gf_zero_grad(count);
  int y = last_of(t);
  EXPECT_INT(gf_forward(t, y, y), GF_OK);
  for (int part = 0; part < parts; part++) {
    gf_zero_grad(t);
    fill(gf_node_grad(t, y), gf_node_grad(count, y), gf_node_size(t, y));
    EXPECT_INT(gf_backward_part(t, y, part, parts), GF_OK);
    bool adds = false;
    for (int i = 0; i < y; i++)
      for (int k = 0; gf_node_grad(t, i) && k < gf_node_size(t, i); k++)
        if (gf_node_grad(t, i)[k] != 0) {
          gf_node_grad(count, i)[k]++;
          adds = true;
        }
    busy += adds;
  }
  float most = 0;
  for (int i = 0; i < y; i++)
    for (int k = 0; gf_node_grad(t, i) && k < gf_node_size(t, i); k++)
      if (gf_node_grad(count, i)[k] > most) most = gf_node_grad(count, i)[k];
  EXPECT_NEAR(most, 1, 0);
  complain_of("%s in %d parts", gf_node_op(t, y), parts);
  return busy;
}

/* Few rows, and memory for inference: b is laid out anew, part by part, once. */
static void check_laid_out(void) {
  room_reset();
  gf_tape *t = new_tape(), *plain = transposed();
  int a = gf_input(t, 2, (int[]){2, 40}, "a"), b = gf_parameter(t, 2, (int[]){4500, 40}, "b");
  int y = gf_matmul_transposed(t, a, b, "y");
  gf_plan_reuse(t, room(gf_plan_reuse(t, NULL), 0));
  place(plain);
  for (int run = 0; run < 2; run++) {
    fill_leaves(t, plain);
    gf_refresh(t);
    EXPECT_INT(gf_forward(plain, 0, GF_LAST), GF_OK);
    for (int again = 0; again < 2; again++) {
      for (int part = 0; part < 3; part++) EXPECT_INT(gf_forward_part(t, y, part, 3), GF_OK);
      EXPECT(same(gf_node_value(t, y), gf_node_value(plain, y), 9000));
    }
  }
}

static void check_overridden(void) {
  room_reset();
  gf_tape *t = new_tape();
  int x = IN(t, 4, 4), y = gf_matmul(t, x, x, "y");
  place(t);
  for (int i = 0; i < 16; i++) gf_node_value(t, x)[i] = (float)i;
  EXPECT_INT(gf_bypass(t, y, 0), GF_OK);
  EXPECT_INT(gf_forward_part(t, y, 0, INT32_MAX), GF_ERANGE);
  EXPECT_INT(gf_forward_part(t, y, 0, 2), GF_OK);
  EXPECT_INT(gf_node_computed(t, y), 0);
  EXPECT_INT(gf_forward_part(t, y, 1, 2), GF_OK);
  EXPECT(same(gf_node_value(t, y), gf_node_value(t, x), 16));
  EXPECT_INT(gf_freeze(t, y, 1), GF_OK);
  gf_node_value(t, y)[0] = 77;
  for (int part = 0; part < 2; part++) EXPECT_INT(gf_forward_part(t, y, part, 2), GF_OK);
  EXPECT_NEAR(gf_node_value(t, y)[0], 77, 0);
}

/* A part that does nothing is no run: what comes behind it does not go on where it was not. */
static void check_skipped(void) {
  room_reset();
  gf_tape *t = new_tape();
  const int order[] = {1, 0};
  int x = IN(t, 4, 4), a = gf_relu(t, x, "a"), b = gf_relu(t, a, "b");
  int y = gf_transpose(t, b, order, "y");
  gf_plan_reuse(t, room(gf_plan_reuse(t, NULL), 0));
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_forward(t, 0, a), GF_OK);
  EXPECT_INT(gf_forward_part(t, y, 0, 2), GF_OK);
  EXPECT_INT(gf_forward_part(t, y, 1, 2), GF_ESTATE); /* b was not kept */
}

static void check_refused(void) {
  room_reset();
  gf_tape *t = linear();
  EXPECT_INT(gf_forward_part(t, 3, 0, 1), GF_ESTATE); /* not planned */
  place(t);
  EXPECT_INT(gf_backward_part(t, 3, 0, 1), GF_ESTATE); /* not computed */
  const int wrong[][2] = {{0, 0}, {-1, 2}, {2, 2}, {0, -1}};
  for (int i = 0; i < 4; i++) {
    EXPECT_INT(gf_forward_part(t, 3, wrong[i][0], wrong[i][1]), GF_ERANGE);
    EXPECT_INT(gf_backward_part(t, 3, wrong[i][0], wrong[i][1]), GF_ERANGE);
  }
  EXPECT_TEXT(gf_tape_error_text(t), "tape: run: no such part");
  EXPECT_INT(gf_forward_part(t, 4, 0, 1), GF_ENODE);
  EXPECT_INT(gf_tape_error(t), GF_OK); /* not sticky */
}

static void run(void) {
  const maker makers[] = {linear, matmul,  transposed, scores,     attention,
                          masked, squared, self,       correlated, transpose};
  for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
    for (int parts = 1; parts <= 4; parts++) {
      check_parts(makers[i], parts);
      check_apart(makers[i], parts);
    }
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    for (int parts = 1; parts <= 5; parts++) {
      present = steps[i];
      check_parts(one_step, parts);
      const int busy = check_apart(one_step, parts);
      if (parts == 2) EXPECT_INT(busy, 2);
      complain_of("step %d", (int)i);
    }
  check_laid_out();
  check_overridden();
  check_skipped();
  check_refused();
}

const spec spec_parts = {"parts", run};
