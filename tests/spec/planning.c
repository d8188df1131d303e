/* What holds when a tape gets its memory. */
#include "harness.h"

#include <string.h>

static void check_placed(void) {
  gf_tape *t = new_tape();
  int x = IN(t, 3, 5), ids = IDS(t, 7), y = gf_softmax(t, x, "y"),
      z = gf_position(t, ids, 3, 0, "z");
  size_t bytes = gf_plan(t, NULL);
  EXPECT_INT(gf_plan(t, NULL), bytes); /* asking changes nothing */
  EXPECT(!gf_node_value(t, y));
  char *memory = room(bytes, 0);
  EXPECT_INT(gf_plan(t, memory), bytes);

  /* All values and gradients lie in that memory, apart from each other, filled with zeros. */
  float *part[] = {gf_node_value(t, x), gf_node_grad(t, x), (float *)gf_node_ids(t, ids),
                   gf_node_value(t, y), gf_node_grad(t, y), gf_node_value(t, z),
                   gf_node_grad(t, z)};
  const int size[] = {15, 15, 7, 15, 15, 21, 21};
  for (int i = 0; i < 7; i++) {
    EXPECT((char *)part[i] >= memory && (char *)(part[i] + size[i]) <= memory + bytes);
    for (int k = 0; k < size[i]; k++) EXPECT_NEAR(part[i][k], 0, 0);
    for (int k = 0; k < size[i]; k++) part[i][k] = (float)i;
  }
  for (int i = 0; i < 7; i++) {
    for (int k = 0; k < size[i]; k++) EXPECT_NEAR(part[i][k], i, 0);
  }
}

static void check_closed(void) {
  gf_tape *t = new_tape();
  int x = IN(t, 3);
  place(t);
  gf_node_value(t, x)[1] = 4;
  EXPECT_INT(gf_plan(t, room(64, 0)), 0); /* placed already */
  EXPECT_INT(gf_scale(t, x, 2, "late"), GF_ESTATE);
  EXPECT_INT(gf_tape_error(t), GF_ESTATE);
  EXPECT(!strncmp(gf_tape_error_text(t), "late: ", 6));
  EXPECT_INT(gf_tape_rewind(t, 0), GF_ESTATE); /* a node would go */
  EXPECT_INT(gf_tape_rewind(t, 1), GF_OK);
  EXPECT_INT(gf_tape_error(t), GF_OK);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_NEAR(gf_node_value(t, x)[1], 4, 0);
}

/* Feed-forward layers, one behind the other: a plan that reuses memory needs room for two of them. */
static gf_tape *chain(int layers, int *x) {
  gf_tape *t = new_tape();
  int y = *x = IN(t, 4, 100);
  for (int i = 0; i < layers; i++) y = gf_tanh(t, y, (char[]){(char)('a' + i), 0});
  return t;
}

static void check_reuse(void) {
  enum { LAYER = 4 * 100 * 4 };
  int x;
  gf_tape *t = chain(6, &x), *all = chain(6, &x);
  int third = gf_find(t, "c");
  EXPECT_INT(gf_plan(all, NULL), 14 * LAYER);
  EXPECT_INT(gf_plan_reuse(t, NULL), 4 * LAYER); /* x, the result, and two in turn */
  EXPECT_INT(gf_keep(t, third), GF_OK);
  EXPECT_INT(gf_keep(t, 99), GF_ENODE);
  size_t bytes = gf_plan_reuse(t, NULL);
  EXPECT_INT(bytes, 5 * LAYER);
  EXPECT_INT(gf_plan_reuse(t, room(bytes, 0)), bytes);
  EXPECT_INT(gf_keep(t, third), GF_ESTATE);
  EXPECT_INT(gf_plan(t, room(64, 0)), 0); /* placed already */

  gf_plan(all, room(gf_plan(all, NULL), 0));
  for (int i = 0; i < 400; i++) {
    float value = (float)random_between(-1, 1);
    gf_node_value(t, x)[i] = gf_node_value(all, x)[i] = value;
  }
  for (int again = 0; again < 2; again++) {
    EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
    EXPECT_INT(gf_forward(all, 0, GF_LAST), GF_OK);
    for (int i = 0; i < gf_tape_count(t); i++) {
      bool stays = i == x || i == third || i == gf_tape_count(t) - 1;
      EXPECT_INT(gf_node_value(t, i) != NULL, stays);
      EXPECT(!gf_node_grad(t, i));
      EXPECT_INT(gf_freeze(t, i, 1), stays ? GF_OK : GF_ESTATE);
      EXPECT_INT(gf_freeze(t, i, 0), GF_OK);
      if (stays) EXPECT(!memcmp(gf_node_value(t, i), gf_node_value(all, i), LAYER));
    }
  }
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_ESTATE);
  const int last = gf_tape_count(t) - 1;
  for (int cut = 0; cut < last; cut++) {
    gf_node_value(t, last)[0] = 9;
    EXPECT_INT(gf_forward(t, 0, cut), GF_OK);
    EXPECT_INT(gf_forward(t, cut + 1, GF_LAST), GF_OK); /* goes on */
    EXPECT(!memcmp(gf_node_value(t, last), gf_node_value(all, last), LAYER));
  }
  EXPECT_INT(gf_forward(t, third + 1, GF_LAST), GF_OK);
  EXPECT_INT(gf_forward(t, third + 2, GF_LAST), GF_ESTATE); /* what it would read is gone */
  EXPECT_TEXT(gf_tape_error_text(t), "d: forward: the plan did not keep its value");
}

/* A value that is read late is not overwritten by those between. */
static void check_late_reader(void) {
  gf_tape *t = new_tape();
  int x = IN(t, 5), early = gf_exp(t, x, "early"), y = early;
  for (int i = 0; i < 5; i++) y = gf_scale(t, y, 0.5f, (char[]){(char)('a' + i), 0});
  y = gf_add(t, y, early, "late");
  gf_plan_reuse(t, room(gf_plan_reuse(t, NULL), 0));
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_NEAR(gf_node_value(t, y)[4], 1 + 1 / 32.0, 0);
}

/* Few rows times a parameter's transpose: it is laid out once, until told that it changed. */
static void check_layout(void) {
  enum { N = 2100, K = 7 };
  gf_tape *t[2];
  int a = 0, b = 0, y = 0;
  for (int i = 0; i < 2; i++) {
    t[i] = new_tape();
    a = IN(t[i], 2, K);
    b = gf_parameter(t[i], 2, (int[]){N, K}, "b");
    y = gf_matmul_transposed(t[i], a, b, "y");
    size_t (*plan)(gf_tape *, void *) = i ? gf_plan_reuse : gf_plan;
    plan(t[i], room(plan(t[i], NULL), 0));
  }
  for (int again = 0; again < 3; again++) {
    for (int k = 0; k < N * K; k++) {
      float value = (float)random_between(-1, 1);
      if (k < 2 * K) gf_node_value(t[0], a)[k] = gf_node_value(t[1], a)[k] = value;
      if (again != 1) gf_node_value(t[0], b)[k] = gf_node_value(t[1], b)[k] = value;
    }
    gf_refresh(t[1]);
    for (int i = 0; i < 2; i++) EXPECT_INT(gf_forward(t[i], 0, GF_LAST), GF_OK);
    EXPECT(!memcmp(gf_node_value(t[0], y), gf_node_value(t[1], y), 2 * N * sizeof(float)));
  }
}

/* Values in other memory: the same places there, and nothing reads the old ones any more. */
static void check_moved(void) {
  for (int i = 0; i < 2; i++) {
    gf_tape *t = new_tape();
    int x = IN(t, 2, 3), w = gf_parameter(t, 2, (int[]){5, 3}, "w");
    int y = gf_softmax(t, gf_matmul_transposed(t, x, w, "scores"), "y");
    size_t (*plan)(gf_tape *, void *) = i ? gf_plan_reuse : gf_plan;
    size_t bytes = plan(t, NULL);
    char *from = room(bytes, 0), *to = room(bytes + 8, 0);
    EXPECT_INT(gf_plan_move(t, to), GF_ESTATE);
    plan(t, from);
    for (int k = 0; k < 6; k++) gf_node_value(t, x)[k] = (float)random_between(-1, 1);
    for (int k = 0; k < 15; k++) gf_node_value(t, w)[k] = (float)random_between(-1, 1);
    EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
    float expected[10];
    memcpy(expected, gf_node_value(t, y), sizeof expected);
    EXPECT_INT(gf_plan_move(t, NULL), GF_ERANGE);
    EXPECT_INT(gf_plan_move(t, to + 8), GF_ERANGE);
    memcpy(to, from, bytes);
    memset(from, 0xff, bytes);
    EXPECT_INT(gf_plan_move(t, to), GF_OK);
    for (int again = 0; again < 2; again++) {
      EXPECT(gf_node_computed(t, y));
      EXPECT(!memcmp(gf_node_value(t, y), expected, sizeof expected));
      EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
    }
    EXPECT_INT(gf_backward(t, 0, y), i ? GF_ESTATE : GF_OK);
  }
}

static void check_not_planned(void) {
  gf_tape *t = new_tape();
  EXPECT_INT(gf_plan(t, NULL), 0); /* empty */
  EXPECT(gf_tape_error(t) != GF_OK && *gf_tape_error_text(t));
  EXPECT_INT(gf_tape_rewind(t, 0), GF_OK);
  IN(t, 3);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_ESTATE);
  EXPECT(*gf_tape_error_text(t));
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_ESTATE);
  EXPECT_INT(gf_tape_error(t), GF_OK); /* not sticky: the tape can still be planned */
  size_t bytes = gf_plan(t, NULL);
  EXPECT_INT(gf_plan(t, (char *)room(bytes + 4, 0) + 4), 0); /* misaligned */
  EXPECT(gf_tape_error(t) != GF_OK);
  EXPECT_INT(gf_tape_rewind(t, 1), GF_OK);
  place(t);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
}

/* Two tapes over one parameter: one memory, gradients added up, cleared by its owner alone. */
static void check_bound(void) {
  float *value = room(3 * sizeof *value, 4), *grad = room(3 * sizeof *grad, 4);
  gf_tape *tape[2];
  for (int i = 0; i < 3; i++) value[i] = (float)i, grad[i] = 100;
  for (int k = 0; k < 2; k++) {
    gf_tape *t = tape[k] = new_tape();
    int w = gf_parameter(t, 1, (int[]){3}, "w"), y = gf_scale(t, w, (float)(k + 2), "y");
    EXPECT_INT(gf_bind(t, w, value, grad), GF_OK);
    place(t);
    EXPECT(gf_node_value(t, w) == value && gf_node_grad(t, w) == grad);
    EXPECT_NEAR(value[2], 2, 0); /* the plan fills with zeros what is its own */
    EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
    EXPECT_NEAR(gf_node_value(t, y)[2], 2 * (k + 2), 0);
  }
  for (int k = 0; k < 2; k++) {
    gf_zero_grad(tape[k]);
    gf_node_grad(tape[k], 1)[2] = 10;
    EXPECT_INT(gf_backward(tape[k], 0, GF_LAST), GF_OK);
  }
  EXPECT_NEAR(grad[1], 100, 0);
  EXPECT_NEAR(grad[2], 100 + 20 + 30, 0);
  value[2] = 7;
  EXPECT_INT(gf_forward(tape[1], 0, GF_LAST), GF_OK);
  EXPECT_NEAR(gf_node_value(tape[1], 1)[2], 21, 0);
}

/* A tape with parameters of two blocks: each layout binds its own. */
static void check_two_blocks(void) {
  float one[3] = {1, 2, 3}, other[2] = {4, 5}, grad[2] = {0};
  gf_tape *first = new_tape(), *second = new_tape(), *t = new_tape();
  gf_parameter(first, 1, (int[]){3}, "w");
  gf_parameter(second, 1, (int[]){2}, "a");
  int a = gf_parameter(t, 1, (int[]){2}, "a");
  EXPECT_INT(gf_bind_parameters(t, second, other, grad), GF_OK);
  int w = gf_parameter(t, 1, (int[]){3}, "w");
  EXPECT_INT(gf_bind_parameters(t, first, one, NULL), GF_OK);
  EXPECT(gf_node_value(t, a) == other && gf_node_grad(t, a) == grad);
  EXPECT(gf_node_value(t, w) == one && !gf_node_grad(t, w));
  gf_parameter(t, 1, (int[]){3}, "b");
  EXPECT_INT(gf_bind_parameters(t, first, one, NULL), GF_ENODE);
}

static void check_bind_refused(void) {
  float value[3] = {0};
  gf_tape *t = new_tape();
  int x = IN(t, 3), y = gf_scale(t, x, 2, "y");
  EXPECT_INT(gf_bind(t, y, value, NULL), GF_ENODE);
  EXPECT_INT(gf_tape_rewind(t, 2), GF_OK);
  EXPECT_INT(gf_bind(t, 9, value, NULL), GF_ENODE);
  EXPECT_INT(gf_tape_rewind(t, 2), GF_OK);
  EXPECT_INT(gf_bind(t, GF_NONE, value, NULL), GF_ENODE);
  EXPECT_INT(gf_tape_rewind(t, 2), GF_OK);
  EXPECT_INT(gf_bind(t, x, NULL, NULL), GF_ERANGE);
  EXPECT_INT(gf_tape_rewind(t, 2), GF_OK);
  place(t);
  EXPECT_INT(gf_bind(t, x, value, NULL), GF_ESTATE);
  EXPECT(gf_node_value(t, x) != value);
}

/* Numbers of nodes that are not there are answered, too. */
static void check_no_node(void) {
  room_reset();
  gf_tape *t = new_tape();
  gf_input(t, 1, (int[]){3}, "x");
  EXPECT(gf_plan_reuse(t, room(gf_plan_reuse(t, NULL), 0)));
  const int wrong[] = {-1, 1, INT32_MIN, INT32_MAX};
  for (int i = 0; i < 4; i++) {
    EXPECT_TEXT(gf_node_name(t, wrong[i]), "");
    EXPECT(!gf_node_value(t, wrong[i]) && !gf_node_grad(t, wrong[i]) && !gf_node_ids(t, wrong[i]));
    EXPECT(!gf_node_size(t, wrong[i]) && !gf_node_rank(t, wrong[i]));
    EXPECT_INT(gf_node_input(t, wrong[i], 0), GF_NONE);
    EXPECT_INT(gf_node_input(t, 0, wrong[i] == 1 ? GF_MAX_INPUTS : wrong[i]), GF_NONE);
    EXPECT(!gf_node_differentiated(t, wrong[i]) && !gf_node_description(t, wrong[i])->role);
  }
}

static void run(void) {
  check_no_node();
  check_placed();
  check_closed();
  check_reuse();
  check_late_reader();
  check_layout();
  check_moved();
  check_not_planned();
  check_bound();
  check_two_blocks();
  check_bind_refused();
}

const spec spec_planning = {"planning", run};
