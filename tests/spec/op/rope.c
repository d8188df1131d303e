#include "harness.h"

#include <math.h>

typedef struct rows {
  int rank; /* of x: [T,D], [H,T,D] or [B,H,T,D] */
  int batch, heads, time, width;
  int turned;   /* R */
  bool batched; /* each batch entry has its own rotation */
  bool interleaved;
} rows;

static int build(gf_tape *t, const int *x, const void *at) {
  bool interleaved = ((const rows *)at)->interleaved;
  int y = gf_rope(t, x[0], x[1], interleaved, "y");
  EXPECT_NEAR(gf_node_attribute(t, y, "interleaved"), interleaved, 0);
  return y;
}

static void reference(const double *const *x, double *y, const void *at) {
  const rows *s = at;
  for (int row = 0; row < s->batch * s->heads * s->time; row++) {
    int b = row / (s->heads * s->time), t = row % s->time, pairs = s->turned / 2;
    const double *in = x[0] + row * s->width;
    double *out = y + row * s->width;
    for (int d = 0; d < s->width; d++) out[d] = in[d];
    for (int i = 0; i < pairs; i++) {
      const double *turn = x[1] + (((s->batched ? b * s->time : 0) + t) * pairs + i) * 2;
      int u = s->interleaved ? 2 * i : i, v = s->interleaved ? 2 * i + 1 : i + pairs;
      out[u] = in[u] * turn[0] - in[v] * turn[1];
      out[v] = in[v] * turn[0] + in[u] * turn[1];
    }
  }
}

/* Both kinds of pairs. No gradient goes to the rotation, whose numbers are of any size here. */
static void try_rows(rows s) {
  operand x[] = {VALUES(s.time, s.width), VALUES(s.heads, s.time, s.width),
                 VALUES(s.batch, s.heads, s.time, s.width)};
  operand shared = VALUES(s.time, s.turned / 2, 2),
          batched = VALUES(s.batch, s.time, s.turned / 2, 2);
  trial c = {.operands = {x[s.rank - 2], s.batched ? batched : shared},
             .at = &s,
             .build = build,
             .reference = reference};
  c.operands[1].constant = true;
  for (int interleaved = 0; interleaved <= 1; interleaved++) {
    s.interleaved = interleaved;
    check(&c);
  }
}

/* Behind gf_rotation: the score of a query and a key depends on their distance alone. */
static void check_distance(int interleaved) {
  enum { T = 40, D = 6 };
  room_reset();
  gf_tape *t = new_tape();
  int q = IN(t, T, D), k = IN(t, T, D), positions = IDS(t, T);
  int rotation = gf_rotation(t, positions, D, 100, "rotation");
  int turned_q = gf_rope(t, q, rotation, interleaved, "q.rotated");
  int turned_k = gf_rope(t, k, rotation, interleaved, "k.rotated");
  int scores = gf_matmul_transposed(t, turned_q, turned_k, "scores");
  place(t);
  for (int d = 0; d < D; d++) {
    gf_node_value(t, q)[d] = (float)random_between(-1, 1);
    gf_node_value(t, k)[d] = (float)random_between(-1, 1);
  }
  for (int i = 0; i < T; i++) {
    gf_node_ids(t, positions)[i] = i;
    for (int d = 0; d < D; d++) {
      gf_node_value(t, q)[i * D + d] = gf_node_value(t, q)[d];
      gf_node_value(t, k)[i * D + d] = gf_node_value(t, k)[d];
    }
  }
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  const float *score = gf_node_value(t, scores);
  for (int i = 1; i < T; i++) {
    for (int j = 1; j < T; j++) EXPECT_NEAR(score[i * T + j], score[(i - 1) * T + j - 1], 2e-6);
  }
  EXPECT(fabsf(score[1] - score[T]) > 1e-3f); /* and on its sign */
}

static void run(void) {
  for (const int *n = tails; *n; n++) {
    try_rows((rows){2, 1, 1, 3, 2 * *n, 2 * *n, false, false});
    try_rows((rows){3, 1, 2, *n, 4, 4, false, false});
    try_rows((rows){2, 1, 1, 2, *n + 4, 4, false, false}); /* R < D */
  }
  try_rows((rows){4, 2, 3, 5, 8, 8, false, false});
  try_rows((rows){4, 2, 3, 5, 8, 8, true, false});
  try_rows((rows){4, 2, 3, 5, 9, 6, true, false});
  try_rows((rows){4, 1, 3, 5, 8, 8, true, false});
  try_rows((rows){4, 3, 1, 1, 2, 2, true, false});
  check_distance(0);
  check_distance(1);

  REFUSES(GF_ESHAPE, gf_rope(t, IN(t, 8), IN(t, 1, 4, 2), 0, "bad"));
  REFUSES(GF_ESHAPE, gf_rope(t, IN(t, 3, 8), IN(t, 4, 2), 0, "bad"));
  REFUSES(GF_ESHAPE, gf_rope(t, IN(t, 3, 8), IN(t, 5, 4, 2), 0, "bad"));
  REFUSES(GF_ESHAPE, gf_rope(t, IN(t, 3, 8), IN(t, 1, 4, 2), 0, "bad"));
  REFUSES(GF_ESHAPE, gf_rope(t, IN(t, 3, 8), IN(t, 3, 4, 1), 0, "bad"));
  REFUSES(GF_ESHAPE, gf_rope(t, IN(t, 3, 8), IN(t, 3, 4, 3), 0, "bad"));
  REFUSES(GF_ESHAPE, gf_rope(t, IN(t, 3, 8), IN(t, 3, 5, 2), 0, "bad")); /* R > D */
  REFUSES(GF_ESHAPE, gf_rope(t, IN(t, 3, 7), IN(t, 3, 4, 2), 0, "bad"));
  REFUSES(GF_ESHAPE, gf_rope(t, IN(t, 2, 3, 8), IN(t, 2, 3, 4, 2), 0, "bad"));
  REFUSES(GF_ESHAPE, gf_rope(t, IN(t, 2, 6, 3, 8), IN(t, 3, 3, 4, 2), 0, "bad"));
  REFUSES(GF_ESHAPE, gf_rope(t, IN(t, 2, 6, 3, 8), IN(t, 1, 3, 4, 2), 0, "bad"));
  REFUSES(GF_ENODE, gf_rope(t, IDS(t, 3, 8), IN(t, 3, 4, 2), 0, "bad"));
  REFUSES(GF_ENODE, gf_rope(t, IN(t, 3, 8), IDS(t, 3, 4, 2), 0, "bad"));
  REFUSES(GF_ENODE, gf_rope(t, GF_NONE, IN(t, 3, 4, 2), 0, "bad"));
  REFUSES(GF_ENODE, gf_rope(t, IN(t, 3, 8), GF_NONE, 0, "bad"));
}

const spec spec_rope = {"rope", run};
