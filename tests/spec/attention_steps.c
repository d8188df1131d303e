#include "harness.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* What an attention has. */
enum {
  CROSS = 1,
  PROJECTED = 2, /* w_q w_k w_v */
  OUTPUT = 4,    /* w_o */
  BIASED = 8,
  CAUSAL = 16,
  MASK = 32,
  LENGTHS = 64,
  ROTATED = 128,
  INTERLEAVED = 256,
  ALIBI = 512,
  CAPPED = 1024,
  FUSED = 2048
};
static const float CAP = 1.5f;

typedef struct attention {
  int batch;                                              /* 0: without a batch dimension */
  int heads, queries, keys, channels, width, value_width; /* widths of one head */
  int has;
  float scale;
  int kv_heads; /* 0: as many as heads */
  int offset;
  gf_attention_config at; /* its nodes: where each stands among the operands, or GF_NONE */
} attention;

static int kv_heads_of(const attention *a) {
  return a->kv_heads ? a->kv_heads : a->heads;
}

/* The trial's operands, and where each stands. */
static void list_operands(attention *a, operand *list) {
  int count = 0, all_q = a->heads * a->width, all_o = a->heads * a->value_width;
  int all_k = kv_heads_of(a) * a->width, all_v = kv_heads_of(a) * a->value_width;
#define PUT(place, has, operand)                                                                   \
  if (has) list[a->at.place = count++] = operand
#define SEQUENCE(time, width) (a->batch ? VALUES(a->batch, time, width) : VALUES(time, width))
  a->at = gf_attention_default();
  PUT(query, true, SEQUENCE(a->queries, a->has & PROJECTED ? a->channels : all_q));
  a->at.key = a->at.value = a->at.query;
  PUT(key, a->has & CROSS, SEQUENCE(a->keys, a->has & PROJECTED ? a->channels : all_k));
  PUT(value, a->has & CROSS, SEQUENCE(a->keys, a->has & PROJECTED ? a->channels : all_v));
  PUT(w_q, a->has & PROJECTED, VALUES(a->channels, all_q));
  PUT(w_k, a->has & PROJECTED, VALUES(a->channels, all_k));
  PUT(w_v, a->has & PROJECTED, VALUES(a->channels, all_v));
  PUT(w_o, a->has & OUTPUT, VALUES(all_o, a->channels));
  PUT(b_q, a->has & PROJECTED && a->has & BIASED, VALUES(all_q));
  PUT(b_k, a->has & PROJECTED && a->has & BIASED, VALUES(all_k));
  PUT(b_v, a->has & PROJECTED && a->has & BIASED, VALUES(all_v));
  PUT(b_o, a->has & OUTPUT && a->has & BIASED, VALUES(a->channels));
  PUT(mask, a->has & MASK, VALUES(a->keys));
  PUT(lengths, a->has & LENGTHS,
      ((operand){.shape = {a->batch}, .ids = true, .high = a->keys + 2}));
  PUT(rotation, a->has & ROTATED,
      ((operand){.shape = {a->keys, a->width / 2, 2}, .low = -1, .high = 1, .constant = true}));
#undef PUT
#undef SEQUENCE
}

static int build(gf_tape *t, const int *x, const void *at) {
  const attention *a = at;
  gf_attention_config config = a->at;
#define NODE(place) config.place = config.place == GF_NONE ? GF_NONE : x[config.place]
  NODE(query), NODE(key), NODE(value);
  NODE(w_q), NODE(w_k), NODE(w_v), NODE(w_o);
  NODE(b_q), NODE(b_k), NODE(b_v), NODE(b_o);
  NODE(mask), NODE(lengths), NODE(rotation);
#undef NODE
  config.heads = a->heads;
  config.kv_heads = a->kv_heads;
  config.causal = a->has & CAUSAL;
  config.offset = a->offset;
  config.interleaved = a->has & INTERLEAVED;
  config.alibi = a->has & ALIBI;
  config.fused = a->has & FUSED;
  config.softcap = a->has & CAPPED ? CAP : 0;
  config.scale = a->scale;
  return gf_attention(t, &config, "");
}

/* Cell [row, column] of x w + b, or of x if there is no w. */
static double projected(const double *const *in, const double *x, int row, int column, int w, int b,
                        int k, int n) {
  if (w == GF_NONE) return x[row * n + column];
  double sum = b == GF_NONE ? 0 : in[b][column];
  for (int i = 0; i < k; i++) sum += x[row * k + i] * in[w][i * n + column];
  return sum;
}

/* Turns the pairs of a head's row, as its position asks. */
static void turn(const attention *a, const double *turns, double *x) {
  for (int i = 0; i < a->width / 2; i++, turns += 2) {
    double *u = x + (a->has & INTERLEAVED ? 2 * i : i);
    double *v = a->has & INTERLEAVED ? u + 1 : u + a->width / 2;
    double first = *u * turns[0] - *v * turns[1], second = *v * turns[0] + *u * turns[1];
    *u = first;
    *v = second;
  }
}

/* Query i and key j of one head, multiplied. */
static double score_of(const double *const *in, const attention *a, int b, int h, int i, int j) {
  const gf_attention_config *p = &a->at;
  int all_q = a->heads * a->width, all_k = kv_heads_of(a) * a->width, c = a->channels;
  int g = h / (a->heads / kv_heads_of(a));
  double q[8], k[8], score = 0;
  for (int d = 0; d < a->width; d++) {
    q[d] =
        projected(in, in[p->query], b * a->queries + i, h * a->width + d, p->w_q, p->b_q, c, all_q);
    k[d] = projected(in, in[p->key], b * a->keys + j, g * a->width + d, p->w_k, p->b_k, c, all_k);
  }
  if (a->has & ROTATED) {
    turn(a, in[p->rotation] + i * a->width, q);
    turn(a, in[p->rotation] + j * a->width, k);
  }
  for (int d = 0; d < a->width; d++) score += q[d] * k[d];
  return score;
}

static void reference(const double *const *in, double *y, const void *at) {
  const attention *a = at;
  const gf_attention_config *p = &a->at;
  int all_o = a->heads * a->value_width, all_v = kv_heads_of(a) * a->value_width, c = a->channels;
  double scale = a->scale != 0 ? (double)a->scale : 1 / sqrt(a->width);
  double weights[16], concat[64];
  for (int b = 0; b < (a->batch ? a->batch : 1); b++) {
    for (int i = 0; i < a->queries; i++) {
      for (int h = 0; h < a->heads; h++) {
        double max = -INFINITY, total = 0;
        bool masked = true; /* all of the row; a NaN is no mask */
        for (int j = 0; j < a->keys; j++) {
          double score = score_of(in, a, b, h, i, j) * scale;
          if (a->has & CAPPED) score = (double)CAP * tanh(score / (double)CAP);
          if (a->has & ALIBI) score -= pow(2, -8.0 * (h + 1) / a->heads) * fabs((double)(i - j));
          double bias = a->has & MASK ? in[p->mask][j] : 0;
          weights[j] = score + bias;
          if (bias == -INFINITY || (a->has & CAUSAL && j > i + a->offset) ||
              (a->has & LENGTHS && j >= in[p->lengths][b])) {
            weights[j] = -INFINITY;
          }
          max = fmax(max, weights[j]);
          masked &= weights[j] == -INFINITY;
        }
        for (int j = 0; j < a->keys; j++) {
          weights[j] = masked ? 0 : exp(weights[j] - max);
          total += weights[j];
        }
        if (masked) total = 1;
        int g = h / (a->heads / kv_heads_of(a));
        for (int d = 0; d < a->value_width; d++) {
          double mix = 0;
          for (int j = 0; j < a->keys; j++) {
            mix += weights[j] / total *
                   projected(in, in[p->value], b * a->keys + j, g * a->value_width + d, p->w_v,
                             p->b_v, c, all_v);
          }
          concat[h * a->value_width + d] = mix;
        }
      }
      for (int o = 0; o < (a->has & OUTPUT ? c : all_o); o++) {
        *y++ = projected(in, concat, 0, o, p->w_o, p->b_o, all_o, a->has & OUTPUT ? c : all_o);
      }
    }
  }
}

/* In steps, and with the steps from scores to mix as one node. */
static void try_attention(attention a) {
  for (int i = 0; i < 2; i++, a.has |= FUSED) {
    trial c = {.at = &a, .build = build, .reference = reference, .hides = true};
    list_operands(&a, c.operands);
    check(&c);
  }
}

/* ---- The steps and their names -------------------------------------------------------------------- */

typedef struct step {
  const char *name, *op;
} step;

/* Self-attention of 3 tokens, all weights the same. A batch comes with lengths. */
static void check_steps(bool batch, bool project, bool output, int heads, bool causal,
                        const char *path, const step *expected) {
  room_reset();
  gf_tape *t = new_tape();
  gf_attention_config c = gf_attention_default();
  int x = batch ? IN(t, 2, 3, 4) : IN(t, 3, 4), w = IN(t, 4, 4), lengths = IDS(t, 2), before = 3;
  c.query = c.key = c.value = x;
  if (project) c.w_q = c.w_k = c.w_v = w;
  if (output) c.w_o = w;
  if (batch) c.lengths = lengths;
  c.heads = heads;
  c.causal = causal;
  int last = gf_attention(t, &c, path), made = gf_tape_count(t) - before;
  EXPECT_TEXT(gf_tape_error_text(t), "");
  EXPECT_INT(last, gf_tape_count(t) - 1);
  for (int i = 0; i < made && expected[i].name; i++) {
    EXPECT_TEXT(gf_node_name(t, before + i), expected[i].name);
    EXPECT_TEXT(gf_node_op(t, before + i), expected[i].op);
    EXPECT_INT(gf_find(t, expected[i].name), before + i);
  }
  EXPECT(made >= 0 && !expected[made].name);
}

static void check_all_steps(void) {
  check_steps(false, false, false, 1, false, "",
              (const step[]){{"scores", "matmul"},
                             {"scores.scaled", "scale"},
                             {"weights", "softmax"},
                             {"output", "matmul"},
                             {0}});
  check_steps(false, true, true, 1, true, "a.b",
              (const step[]){{"a.b.q", "linear"},
                             {"a.b.k", "linear"},
                             {"a.b.v", "linear"},
                             {"a.b.scores", "matmul"},
                             {"a.b.scores.scaled", "scale"},
                             {"a.b.scores.masked", "mask"},
                             {"a.b.weights", "softmax"},
                             {"a.b.mix", "matmul"},
                             {"a.b.output", "linear"},
                             {0}});
  check_steps(true, true, true, 2, false, "",
              (const step[]){{"q", "linear"},
                             {"k", "linear"},
                             {"v", "linear"},
                             {"q.heads", "heads"},
                             {"k.heads", "heads"},
                             {"v.heads", "heads"},
                             {"scores", "matmul"},
                             {"scores.scaled", "scale"},
                             {"scores.masked", "mask"},
                             {"weights", "softmax"},
                             {"mix", "matmul"},
                             {"concat", "heads"},
                             {"output", "linear"},
                             {0}});
  check_steps(false, false, false, 2, false, "x",
              (const step[]){{"x.q.heads", "heads"},
                             {"x.k.heads", "heads"},
                             {"x.v.heads", "heads"},
                             {"x.scores", "matmul"},
                             {"x.scores.scaled", "scale"},
                             {"x.weights", "softmax"},
                             {"x.mix", "matmul"},
                             {"x.output", "heads"},
                             {0}});
}

/* What else may stand between projections and weights, in this order. */
static void check_more_steps(void) {
  static const char *const names[] = {
      "q.heads", "k.heads", "v.heads",       "q.rotated",     "k.rotated",     "k.cache",
      "v.cache", "scores",  "scores.scaled", "scores.capped", "scores.biased", "scores.masked",
      "weights", "mix",     "concat",        "output"};
  room_reset();
  gf_tape *t = new_tape();
  gf_attention_config c = gf_attention_default();
  c.query = c.key = c.value = IN(t, 2, 3, 8);
  c.rotation = IN(t, 3, 2, 2);
  c.w_o = IN(t, 8, 8);
  c.at = IDS(t, 1);
  c.capacity = 7;
  c.heads = 2;
  c.softcap = 2;
  c.causal = c.offset = c.alibi = 1;
  int node = gf_tape_count(t);
  gf_attention(t, &c, "");
  EXPECT_TEXT(gf_tape_error_text(t), "");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    EXPECT_INT(gf_find(t, names[i]), node++);
  }
  EXPECT_INT(gf_tape_count(t), node);
  if (gf_tape_count(t) != node) return;
  EXPECT_INT(gf_node_shape(t, gf_find(t, "weights"))[3], c.capacity);
  EXPECT_INT(gf_node_input(t, gf_find(t, "scores.biased"), 1), c.at);
  EXPECT_NEAR(gf_node_attribute(t, gf_find(t, "scores.masked"), "offset"), 1, 0);
  EXPECT_NEAR(gf_node_attribute(t, gf_find(t, "scores.capped"), "cap"), 2, 0);
}

/* Each projection has its own weights and bias. A bias of the keys moves all scores of a query
 * alike, so the output would not tell. */
static void check_projections(void) {
  room_reset();
  gf_tape *t = new_tape();
  int x[3], w[4], b[4];
  for (int i = 0; i < 3; i++) x[i] = IN(t, 3, 4);
  for (int i = 0; i < 4; i++) w[i] = IN(t, 4, 4), b[i] = IN(t, 4);
  gf_attention_config c = gf_attention_default();
  c.query = x[0], c.key = x[1], c.value = x[2];
  c.w_q = w[0], c.w_k = w[1], c.w_v = w[2], c.w_o = w[3];
  c.b_q = b[0], c.b_k = b[1], c.b_v = b[2], c.b_o = b[3];
  gf_attention(t, &c, "");
  static const char *const names[] = {"q", "k", "v", "output"};
  for (int i = 0; i < 4; i++) {
    int node = gf_find(t, names[i]);
    EXPECT_INT(gf_node_input(t, node, 0), i < 3 ? x[i] : gf_find(t, "mix"));
    EXPECT_INT(gf_node_input(t, node, 1), w[i]);
    EXPECT_INT(gf_node_input(t, node, 2), b[i]);
  }
}

static void check_scale(void) {
  static const struct {
    int heads;
    float scale;
    double factor;
  } cases[] = {{1, 0, 0.5}, {2, 0, 0.70710678}, {4, 0, 1}, {1, 0.3f, 0.3f}, {2, -2, -2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    room_reset();
    gf_tape *t = new_tape();
    gf_attention_config c = gf_attention_default();
    c.query = c.key = c.value = IN(t, 3, 4);
    c.heads = cases[i].heads;
    c.scale = cases[i].scale;
    gf_attention(t, &c, "");
    EXPECT_NEAR(gf_node_attribute(t, gf_find(t, "scores.scaled"), "factor"), cases[i].factor, 6e-8);
  }
}

static void check_default(void) {
  gf_attention_config c = gf_attention_default();
  const int32_t nodes[] = {c.query, c.key, c.value, c.w_q,  c.b_q,     c.w_k,      c.b_k, c.w_v,
                           c.b_v,   c.w_o, c.b_o,   c.mask, c.lengths, c.rotation, c.at};
  const int32_t switches[] = {c.kv_heads, c.causal,   c.offset, c.interleaved,
                              c.alibi,    c.capacity, c.fused};
  for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) EXPECT_INT(nodes[i], GF_NONE);
  EXPECT_INT(c.heads, 1);
  for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) EXPECT_INT(switches[i], 0);
  EXPECT_NEAR(c.softcap, 0, 0);
  EXPECT_NEAR(c.scale, 0, 0);
  EXPECT_INT(sizeof c, 25 * 4); /* bindings write the fields as so many words */
}

/* ---- Refusals -------------------------------------------------------------------------------------- */

/* Self-attention over x [3,4], with one field changed; each is 4 bytes. */
#define BAD(field, value) bad(t, offsetof(gf_attention_config, field), value)
static int bad(gf_tape *t, size_t field, int32_t value) {
  gf_attention_config c = gf_attention_default();
  c.query = c.key = c.value = IN(t, 3, 4);
  memcpy((char *)&c + field, &value, sizeof value);
  return gf_attention(t, &c, "bad");
}

static void check_refusals(void) {
  const gf_attention_config none = gf_attention_default();
  REFUSES(GF_ERANGE, gf_attention(t, NULL, "bad"));
  EXPECT_INT(gf_attention(new_tape(), &none, NULL), GF_ERANGE);
  REFUSES(GF_ENODE, BAD(query, GF_NONE));
  REFUSES(GF_ENODE, BAD(key, GF_NONE));
  REFUSES(GF_ENODE, BAD(value, GF_NONE));
  REFUSES(GF_ENODE, BAD(query, IDS(t, 3, 4)));
  REFUSES(GF_ENODE, BAD(w_q, 77));
  REFUSES(GF_ENODE, BAD(mask, 77));
  REFUSES(GF_ESHAPE, BAD(query, IN(t, 4)));
  REFUSES(GF_ESHAPE, BAD(key, IN(t, 3, 5)));
  REFUSES(GF_ESHAPE, BAD(key, IN(t, 2, 3, 4)));
  REFUSES(GF_ESHAPE, BAD(value, IN(t, 2, 4)));
  REFUSES(GF_ESHAPE, BAD(w_q, IN(t, 5, 4)));
  REFUSES(GF_ESHAPE, BAD(w_q, IN(t, 4, 5)));
  REFUSES(GF_ESHAPE, BAD(w_o, IN(t, 5, 4)));
  REFUSES(GF_ESHAPE, BAD(mask, IN(t, 2, 4)));
  REFUSES(GF_ESHAPE, BAD(lengths, IDS(t, 3)));
  REFUSES(GF_ERANGE, BAD(heads, 3));
  REFUSES(GF_ERANGE, BAD(heads, 0));
  REFUSES(GF_ERANGE, BAD(heads, -1));
  REFUSES(GF_ERANGE, BAD(kv_heads, 3));
  REFUSES(GF_ERANGE, BAD(kv_heads, -1));
  REFUSES(GF_ENODE, BAD(rotation, 77));
  REFUSES(GF_ESHAPE, BAD(rotation, IN(t, 3, 3, 2)));
  REFUSES(GF_ENODE, BAD(at, 77));
  REFUSES(GF_ERANGE, BAD(softcap, (int32_t)0xbf800000)); /* -1 */
  REFUSES(GF_ERANGE, BAD(scale, 0x7f800000));            /* infinity */
}

static void run(void) {
  check_default();
  check_all_steps();
  check_more_steps();
  check_projections();
  check_scale();

  static const attention cases[] = {
      /* B H Tq Tk C D Dv */
      {0, 1, 4, 4, 5, 3, 3, PROJECTED | OUTPUT, 0, 0, 0, {0}},
      {0, 1, 4, 4, 0, 3, 3, 0, 0, 0, 0, {0}},
      {2, 2, 4, 4, 0, 3, 3, 0, 0, 0, 0, {0}},
      {0, 1, 4, 4, 5, 3, 4, PROJECTED | BIASED, 0, 0, 0, {0}},
      {0, 1, 4, 4, 5, 3, 3, PROJECTED | OUTPUT | BIASED | CAUSAL, 0.3f, 0, 0, {0}},
      {0, 2, 4, 4, 5, 3, 3, PROJECTED | OUTPUT | BIASED | MASK, 0, 0, 0, {0}},
      {0, 3, 4, 4, 5, 2, 1, PROJECTED | CAUSAL, 0, 0, 0, {0}},
      {0, 1, 4, 6, 5, 3, 3, PROJECTED | OUTPUT | BIASED | CROSS, 0, 0, 0, {0}},
      {0, 2, 4, 3, 5, 3, 2, CROSS | OUTPUT, 0, 0, 0, {0}},
      {3, 1, 4, 4, 5, 3, 3, PROJECTED | OUTPUT | LENGTHS, 0, 0, 0, {0}},
      {2, 2, 4, 5, 5, 3, 2, 127, 0, 0, 0, {0}},
      /* Grouped heads, and what else the scores may go through. */
      {0, 4, 3, 3, 5, 2, 3, PROJECTED | OUTPUT | BIASED, 0, 2, 0, {0}},
      {2, 4, 3, 3, 0, 2, 2, CROSS, 0, 1, 0, {0}},
      {0, 4, 3, 3, 0, 2, 2, CROSS, 0, 1, 0, {0}},
      {0, 2, 3, 3, 5, 4, 3, PROJECTED | OUTPUT | ROTATED | CAUSAL, 0, 1, 0, {0}},
      {0, 1, 3, 5, 5, 2, 2, PROJECTED | CROSS | CAUSAL, 0, 0, 2, {0}},
      {0, 1, 4, 4, 5, 4, 3, PROJECTED | ROTATED, 0, 0, 0, {0}},
      {2, 4, 3, 3, 5, 4, 3, PROJECTED | ROTATED | INTERLEAVED | CAUSAL, 0, 2, 0, {0}},
      {0, 2, 4, 4, 5, 3, 3, PROJECTED | ALIBI | CAUSAL, 0, 0, 0, {0}},
      {2, 1, 4, 4, 5, 3, 3, PROJECTED | ALIBI, 0, 0, 0, {0}},
      {0, 1, 4, 4, 5, 3, 3, PROJECTED | CAPPED | MASK, 3, 0, 0, {0}},
      {2, 4, 4, 4, 5, 4, 3, 2046, 3, 2, 1, {0}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) try_attention(cases[i]);
  check_refusals();
}

const spec spec_attention_steps = {"attention steps", run};
