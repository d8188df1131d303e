#include "harness.h"

#include <math.h>

typedef struct choice {
  int rows, n, k;
} choice;

/* Where a number stands in the order: NaN is the largest, as PyTorch has it. */
static bool is_larger(double a, double b) {
  return isnan(a) ? !isnan(b) : a > b;
}

/* The places of a row in the order of their numbers: each stands behind all that are larger, and
 * behind those on its left that are equal. */
enum { LONGEST = 65 };
static void sort_places(const double *row, int n, int *place) {
  for (int a = 0; a < n; a++) {
    int earlier = 0;
    for (int b = 0; b < n; b++) {
      earlier += is_larger(row[b], row[a]) || (!is_larger(row[a], row[b]) && b < a);
    }
    place[earlier] = a;
  }
}

static int build(gf_tape *t, const int *x, const void *at) {
  int k = ((const choice *)at)->k, y = gf_top_k(t, x[0], k, "y");
  EXPECT_NEAR(gf_node_attribute(t, y, "k"), k, 0);
  return y;
}

static void reference(const double *const *x, double *y, const void *at) {
  const choice *s = at;
  for (int r = 0; r < s->rows; r++) {
    const double *row = x[0] + r * s->n;
    int place[LONGEST];
    sort_places(row, s->n, place);
    for (int i = 0; i < s->k; i++) *y++ = row[place[i]];
  }
}

/* Rows of numbers that differ by 0.1 and more, so that no central difference crosses another. */
static void try_operand(choice s, operand x) {
  double numbers[400];
  for (int r = 0; r < s.rows; r++) {
    double *row = numbers + r * s.n;
    for (int j = 0; j < s.n; j++) {
      int other = (int)random_between(0, j + 1);
      row[j] = row[other];
      row[other] = 0.1 * (j - s.n / 2);
    }
  }
  x.given = numbers;
  check(
      &(trial){.operands = {x}, .at = &s, .build = build, .reference = reference, .chooses = true});
}

/* Few different numbers, -inf and NaN among them, so that most rows have ties: numbers, places, and the
 * places' gradients. */
static void check_ties(int rows, int n, int k) {
  double numbers[400];
  room_reset();
  gf_tape *t = new_tape();
  int x = IN(t, rows, n), y = gf_top_k(t, x, k, "y"), ids = gf_top_k_ids(t, x, k, "ids");
  EXPECT_INT(gf_node_rank(t, ids), 2);
  EXPECT_INT(gf_node_shape(t, ids)[0], rows);
  EXPECT_INT(gf_node_shape(t, ids)[1], k);
  place(t);
  EXPECT(!gf_node_value(t, ids) && !gf_node_grad(t, ids));
  for (int i = 0; i < rows * n; i++) {
    numbers[i] = floor(random_between(-2, 2));
    if (numbers[i] == -2) numbers[i] = random_between(-1, 1) < 0 ? NAN : -INFINITY;
    gf_node_value(t, x)[i] = (float)numbers[i];
  }
  for (int i = 0; i < rows * k; i++) gf_node_grad(t, y)[i] = (float)(i + 1);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
  for (int r = 0; r < rows; r++) {
    const double *row = numbers + r * n;
    double dx[LONGEST] = {0};
    int place[LONGEST];
    sort_places(row, n, place);
    for (int i = 0; i < k; i++) {
      EXPECT_INT(gf_node_ids(t, ids)[r * k + i], place[i]);
      double is = gf_node_value(t, y)[r * k + i], due = row[place[i]];
      EXPECT(isnan(due) ? isnan(is) : is == due);
      dx[place[i]] += r * k + i + 1;
    }
    for (int j = 0; j < n; j++) EXPECT_NEAR(gf_node_grad(t, x)[r * n + j], dx[j], 0);
  }
}

static int push(bool ids, gf_tape *t, int x, int k) {
  return (ids ? gf_top_k_ids : gf_top_k)(t, x, k, "bad");
}

static void run(void) {
  for (const int *n = tails; *n; n++) {
    try_operand((choice){1, *n, 1}, VALUES(*n));
    try_operand((choice){3, *n, *n}, VALUES(3, *n));
    try_operand((choice){2, *n, (*n + 1) / 2}, VALUES(2, *n));
    for (int k = 1; k <= *n; k += 1 + *n / 5) check_ties(4, *n, k);
  }
  for (int k = 1; k <= 7; k++) try_operand((choice){6, 7, k}, VALUES(2, 3, 7));
  try_operand((choice){12, 5, 2}, VALUES(2, 3, 2, 5));

  for (int ids = 0; ids <= 1; ids++) {
    REFUSES(GF_ERANGE, push(ids, t, IN(t, 2, 3), 0));
    REFUSES(GF_ERANGE, push(ids, t, IN(t, 2, 3), -1));
    REFUSES(GF_ERANGE, push(ids, t, IN(t, 2, 3), 4));
    REFUSES(GF_ENODE, push(ids, t, IDS(t, 2, 3), 1));
    REFUSES(GF_ENODE, push(ids, t, GF_NONE, 1));
    REFUSES(GF_ENODE, push(ids, t, 7, 1));
  }
}

const spec spec_top_k = {"top_k", run};
