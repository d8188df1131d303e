/* What holds while nodes are put on a tape: names, errors, room. */
#include "harness.h"

#include <math.h>
#include <string.h>

/* A name of n bytes. */
static const char *long_name(int n) {
  static char name[200];
  memset(name, 'x', (size_t)n);
  name[n] = 0;
  return name;
}

static void check_names(void) {
  gf_tape *t = new_tape();
  int x = gf_input(t, 1, (int[]){3}, "x"), y = gf_scale(t, x, 2, "x.scaled");
  EXPECT_INT(gf_find(t, "x"), x);
  EXPECT_INT(gf_find(t, "x.scaled"), y);
  EXPECT_INT(gf_find(t, "x.scale"), GF_ENAME);
  EXPECT_INT(gf_find(t, ""), GF_ENAME);
  EXPECT_INT(gf_tape_error(t), GF_OK); /* a search that finds nothing is no error of the tape */

  const char *longest = long_name(GF_MAX_NAME);
  int z = gf_scale(t, x, 2, longest);
  EXPECT_TEXT(gf_node_name(t, z), longest);
  EXPECT_INT(gf_find(t, longest), z);

  /* The tape keeps its own copy of a name. */
  char name[] = "mine";
  int own = gf_scale(t, x, 2, name);
  name[0] = 'd';
  EXPECT_TEXT(gf_node_name(t, own), "mine");
}

/* Names with one hash (FNV-1a of 32 bits) are names of their own. */
static void check_alike(void) {
  static const char *const names[] = {"costarring", "liquid", "declinate", "macallums",
                                      "altarage",   "zinke",  "altarages", "zinkes"};
  enum { NAMES = sizeof names / sizeof *names };
  gf_tape *t = new_tape();
  for (int i = 0; i < NAMES; i++) {
    EXPECT_INT(gf_find(t, names[i]), GF_ENAME);
    EXPECT_INT(gf_input(t, 1, (int[]){3}, names[i]), i);
  }
  for (int i = 0; i < NAMES; i++) EXPECT_INT(gf_find(t, names[i]), i);
  EXPECT_INT(gf_input(t, 1, (int[]){3}, names[1]), GF_ENAME);
  for (int count = NAMES; count >= 0; count -= 3) {
    EXPECT_INT(gf_tape_rewind(t, count), GF_OK);
    for (int i = 0; i < NAMES; i++) EXPECT_INT(gf_find(t, names[i]), i < count ? i : GF_ENAME);
  }
}

static int refused(const char *name) {
  gf_tape *t = new_tape();
  int x = gf_input(t, 1, (int[]){3}, "x"), made = gf_scale(t, x, 1, name);
  EXPECT_INT(gf_tape_error(t), made);
  EXPECT(*gf_tape_error_text(t));
  EXPECT_INT(gf_tape_count(t), 1);
  return made;
}

static void check_wrong_names(void) {
  EXPECT_INT(refused(""), GF_ENAME);
  EXPECT_INT(refused(NULL), GF_ENAME);
  EXPECT_INT(refused("x"), GF_ENAME);
  EXPECT_INT(refused(long_name(GF_MAX_NAME + 1)), GF_ENAME);
  EXPECT_INT(refused(long_name(199)), GF_ENAME);
  gf_tape *t = new_tape();
  gf_input(t, 1, (int[]){3}, "taken");
  EXPECT_INT(gf_ids(t, 1, (int[]){3}, "taken"), GF_ENAME);
  EXPECT(!strncmp(gf_tape_error_text(t), "taken: ", 7));
}

/* A path that leaves no room for a step's name is refused, not cut off. */
static void check_long_path(void) {
  int longest = GF_MAX_NAME - (int)strlen(".scores.scaled");
  for (int n = longest - 1; n <= GF_MAX_NAME; n++) {
    room_reset();
    gf_tape *t = new_tape();
    gf_attention_config c = gf_attention_default();
    c.query = c.key = c.value = IN(t, 3, 4);
    gf_attention(t, &c, long_name(n));
    EXPECT_INT(gf_tape_error(t), n <= longest ? GF_OK : GF_ENAME);
  }
}

static void expect_sentence(gf_tape *t, const char *expected) {
  EXPECT_TEXT(gf_tape_error_text(t), expected);
  EXPECT_INT(gf_tape_rewind(t, gf_tape_count(t)), GF_OK);
}

/* What is not there, or no number at all, is told, too. */
static void check_nothing(void) {
  gf_tape *t = new_tape();
  int one = gf_input(t, 1, (int[]){3}, "one");
  EXPECT_INT(gf_input(t, 2, NULL, "x"), GF_ESHAPE);
  expect_sentence(t, "x: leaf: shape is NULL");
  EXPECT_INT(gf_input(t, 5, (int[]){1, 1, 1, 1, 1}, "x"), GF_ESHAPE);
  expect_sentence(t, "x: leaf: rank 5 is not 1 to 4");
  EXPECT_INT(gf_parameter(t, 2, (int[]){3, -4}, "x"), GF_ESHAPE);
  expect_sentence(t, "x: leaf: dimension -4 is below 1");
  EXPECT_INT(gf_scale(t, one, 2, NULL), GF_ENAME);
  expect_sentence(t, "(no name): scale: a node needs a name");
  EXPECT_INT(gf_find(t, "two"), GF_ENAME);
  EXPECT_TEXT(gf_tape_error_text(t), "two: find: there is no node of this name");
  EXPECT_INT(gf_tape_error(t), GF_OK);
  EXPECT_INT(gf_find(t, NULL), GF_ENAME);
  EXPECT_INT(gf_build(t, NULL, NULL), GF_ERANGE);
  expect_sentence(t, "model: build: model is NULL");
  EXPECT_INT(gf_bind_parameters(t, t, NULL, NULL), GF_ERANGE);
  expect_sentence(t, "tape: bind: values is NULL");
  EXPECT_INT(gf_bind_parameters(t, NULL, (float[]){0}, NULL), GF_ERANGE);
}

/* The header's example of a sentence. */
static void check_sentence(void) {
  gf_tape *t = new_tape();
  gf_matmul(t, IN(t, 2, 8), IN(t, 6, 4), "scores");
  EXPECT_TEXT(gf_tape_error_text(t), "scores: matmul: shapes do not fit: [2,8] x [6,4]");
  const gf_problem *p = gf_tape_problem(t);
  EXPECT_TEXT(p->name, "scores");
  EXPECT_TEXT(p->where, "matmul");
  EXPECT_INT(p->ranks[0], 2);
  EXPECT_INT(p->shapes[0][1], 8);
  EXPECT_INT(p->shapes[1][0], 6);
  EXPECT_INT(p->types[1], GF_F32);
  EXPECT_INT(p->ranks[2], 0);
}

/* The longest name and the longest shapes leave a whole sentence, not an overrun. */
static void check_long_sentence(void) {
  gf_tape *t = new_tape();
  const char *name = long_name(GF_MAX_NAME);
  int big[] = {1000000000, 1, 1, 1}, other[] = {1, 1, 1, 1000000000};
  EXPECT_INT(gf_matmul(t, gf_input(t, 4, big, "a"), gf_input(t, 4, other, "b"), name), GF_ESHAPE);
  EXPECT(strstr(gf_tape_error_text(t), "[1000000000,1,1,1] x [1,1,1,1000000000]"));
  EXPECT(!strncmp(gf_tape_error_text(t), name, GF_MAX_NAME));
}

/* Nothing that is built after an error does anything, and rewinding undoes the failed build. */
static void check_rewind(void) {
  gf_tape *t = new_tape();
  int x = gf_input(t, 1, (int[]){3}, "x");
  gf_scale(t, x, 2, "y");
  EXPECT_INT(gf_softmax(t, 17, "bad"), GF_ENODE);
  EXPECT_INT(gf_scale(t, x, 2, "z"), GF_ENODE);
  EXPECT_INT(gf_plan(t, NULL), 0);
  EXPECT_INT(gf_tape_count(t), 2);
  EXPECT(gf_tape_rewind(t, 3) != GF_OK);
  EXPECT(gf_tape_rewind(t, -1) != GF_OK);

  EXPECT_INT(gf_tape_rewind(t, 1), GF_OK);
  EXPECT_INT(gf_tape_count(t), 1);
  EXPECT_INT(gf_tape_error(t), GF_OK);
  EXPECT_TEXT(gf_tape_error_text(t), "");
  EXPECT_INT(gf_find(t, "y"), GF_ENAME);
  EXPECT_INT(gf_scale(t, x, 2, "y"), 1); /* the name is free again */
}

static void check_room(void) {
  size_t three = gf_tape_bytes(3);
  EXPECT(gf_tape_bytes(0) > 0 && gf_tape_bytes(0) < gf_tape_bytes(1));
  gf_tape *t = gf_tape_create(room(three, 0), three);
  EXPECT_INT(gf_tape_capacity(t), 3);
  for (int i = 0; i < 3; i++) EXPECT_INT(IN(t, 2), i);
  EXPECT_INT(IN(t, 2), GF_EMEMORY);
  EXPECT_INT(gf_tape_count(t), 3);
  EXPECT(strstr(gf_tape_error_text(t), "leaf.3"));
  EXPECT_INT(gf_tape_rewind(t, 3), GF_OK);

  size_t five = gf_tape_bytes(5);
  gf_tape *moved = gf_tape_move(t, room(five, 0), five);
  memset(t, 0xFF, three); /* the old memory is the caller's again */
  EXPECT_INT(gf_tape_capacity(moved), 5);
  EXPECT_INT(gf_tape_count(moved), 3);
  EXPECT_INT(gf_find(moved, "leaf.2"), 2);
  EXPECT_INT(IN(moved, 2), 3);

  EXPECT(!gf_tape_move(moved, room(three, 0), three)); /* four nodes do not fit */
  EXPECT_INT(gf_tape_capacity(moved), 5);
  EXPECT_INT(IN(moved, 2), 4);
}

static void check_memory(void) {
  size_t bytes = gf_tape_bytes(2);
  EXPECT(!gf_tape_create(NULL, bytes));
  EXPECT(!gf_tape_create((char *)room(bytes + 8, 0) + 8, bytes));
  EXPECT(!gf_tape_create(room(bytes, 0), gf_tape_bytes(0) - 1));
  EXPECT(!gf_tape_create(room(bytes, 0), 0));
  gf_tape *t = gf_tape_create(room(bytes, 0), bytes);
  EXPECT(!gf_tape_move(t, NULL, bytes));
  EXPECT(!gf_tape_move(t, (char *)room(bytes + 8, 0) + 8, bytes));
  EXPECT_INT(gf_tape_capacity(gf_tape_create(room(bytes, 0), bytes - 1)), 1);
  EXPECT_INT(gf_tape_capacity(gf_tape_create(room(bytes, 0), gf_tape_bytes(0))), 0);
  /* Where a size_t has 32 bits, so many nodes wrap. */
  EXPECT(gf_tape_bytes(INT32_MAX) == 0 || gf_tape_bytes(INT32_MAX) > (size_t)INT32_MAX);
}

/* Each by the name of the builder's argument, which the ops' specs ask for; any other is none. */
static void check_attributes(void) {
  gf_tape *t = new_tape();
  int x = IN(t, 3), y = gf_scale(t, x, 2, "y");
  EXPECT_NEAR(gf_node_attribute(t, y, "factor"), 2, 0);
  EXPECT(isnan(gf_node_attribute(t, y, "")));
  EXPECT(isnan(gf_node_attribute(t, y, "facto")));
  EXPECT(isnan(gf_node_attribute(t, y, "factors")));
  EXPECT(isnan(gf_node_attribute(t, x, "op")));
  EXPECT(isnan(gf_node_attribute(t, y, "epsilon"))); /* another op's */
}

/* A formula of two forms is that of the node at hand. */
static void check_formulas(void) {
  gf_tape *t = new_tape();
  int a = IN(t, 2, 2);
  EXPECT_TEXT(gf_node_formula(t, a), "values that the caller writes");
  EXPECT_TEXT(gf_node_formula(t, gf_add(t, a, a, "sum")), "y = a + b");
  EXPECT_TEXT(gf_node_formula(t, gf_matmul(t, a, a, "product")), "y = a b");
  EXPECT_TEXT(gf_node_formula(t, gf_matmul_transposed(t, a, a, "other")), "y = a b^T");
  int split = gf_split_heads(t, a, 2, "split");
  EXPECT_TEXT(gf_node_formula(t, split), "y[h,t,d] = x[t, h D + d]");
  EXPECT_TEXT(gf_node_formula(t, gf_concat_heads(t, split, "joined")), "y[t, h D + d] = x[h,t,d]");
}

static void check_types(void) {
  gf_tape *t = new_tape();
  int x = IN(t, 3), ids = IDS(t, 3), w = gf_parameter(t, 1, (int[]){3}, "w");
  EXPECT_INT(gf_node_type(t, x), GF_F32);
  EXPECT_INT(gf_node_type(t, w), GF_F32);
  EXPECT_INT(gf_node_type(t, ids), GF_IDS);
  EXPECT_INT(gf_node_type(t, gf_position(t, ids, 4, 0, "position")), GF_F32);
  EXPECT_INT(gf_node_type(t, gf_top_k(t, x, 2, "top")), GF_F32);
  EXPECT_INT(gf_node_type(t, gf_top_k_ids(t, x, 2, "which")), GF_IDS);
}

static int row_of(const char *name) {
  int op = 0;
  while (gf_op_at(op) && strcmp(gf_op_at(op)->name, name)) op++;
  return op;
}

static void check_op_table(void) {
  static const char *const names[] = {
#define GF_OP(name, ...) #name,
#include "ops.def"
  };
  int count = sizeof names / sizeof *names;
  EXPECT(!gf_op_at(-1));
  EXPECT(!gf_op_at(count));
  for (int i = 0; i < count; i++) {
    EXPECT_TEXT(gf_op_at(i)->name, names[i]);
    EXPECT(*gf_op_at(i)->formula);
  }
  const gf_op *mask = gf_op_at(row_of("mask"));
  EXPECT_TEXT(mask->operands[2].name, "lengths");
  EXPECT_INT(mask->operands[2].takes, GF_TAKES_IDS | GF_TAKES_NONE);
  EXPECT(!mask->operands[3].name);
  EXPECT_TEXT(mask->attributes[0]->name, "causal");
  EXPECT_INT(mask->attributes[0]->kind, GF_FLAG);
  EXPECT(!mask->attributes[2]);
  EXPECT_TEXT(gf_op_at(row_of("cross_entropy"))->attributes[0]->words[GF_EACH], "none");
  EXPECT_INT(gf_abi(), GF_ABI);
}

/* Any op by its row makes the node that its own builder makes. */
static void check_push(void) {
  gf_tape *t = new_tape();
  int x = IN(t, 2, 3), lengths = IDS(t, 2), scores = IN(t, 2, 3, 3);
  int scale = row_of("scale"), mask = row_of("mask"), transpose = row_of("transpose");
  int y = gf_push(t, scale, (int[]){x}, (double[]){0.5}, "y");
  EXPECT_TEXT(gf_node_op(t, y), "scale");
  EXPECT_NEAR(gf_node_attribute(t, y, "factor"), 0.5, 0);
  int m = gf_push(t, mask, (int[]){scores, GF_NONE, lengths}, (double[]){7, 2}, "m");
  EXPECT_INT(gf_node_input(t, m, 1), GF_NONE);
  EXPECT_INT(gf_node_input(t, m, 2), lengths);
  EXPECT_NEAR(gf_node_attribute(t, m, "causal"), 1, 0);
  EXPECT_NEAR(gf_node_attribute(t, m, "offset"), 2, 0);
  int r = gf_push(t, transpose, (int[]){x}, (double[]){1, 0, 0, 0}, "r");
  EXPECT_INT(gf_node_shape(t, r)[0], 3);

#define PUSH(op, ...) gf_push(t, op, (int[]){IN(t, 2, 3)}, (double[]){__VA_ARGS__}, "bad")
  REFUSES(GF_ERANGE, PUSH(scale, NAN));
  REFUSES(GF_ERANGE, PUSH(scale, 1e300));
  REFUSES(GF_ERANGE, PUSH(transpose, 0.5, 0, 0, 0));
  REFUSES(GF_ERANGE, PUSH(transpose, 0x1p40, 0, 0, 0));
  REFUSES(GF_ERANGE, PUSH(transpose, 0, 0, 0, 0));
  REFUSES(GF_ERANGE, PUSH(transpose, 0, 2, 0, 0));
  REFUSES(GF_ERANGE, gf_push(t, scale, NULL, (double[]){1}, "bad"));
  REFUSES(GF_ERANGE, gf_push(t, scale, (int[]){IN(t, 2)}, NULL, "bad"));
  REFUSES(GF_ENODE, gf_push(t, scale, (int[]){7}, (double[]){1}, "bad"));
  REFUSES(GF_ENODE, gf_push(t, scale, (int[]){GF_NONE}, (double[]){1}, "bad"));
  REFUSES(GF_ENODE, gf_push(t, scale, (int[]){IDS(t, 2)}, (double[]){1}, "bad"));
  REFUSES(GF_ERANGE, PUSH(row_of("leaf"), 0));
  REFUSES(GF_ERANGE, PUSH(-1, 0));
  REFUSES(GF_ERANGE, PUSH(row_of("no such op"), 0));
#undef PUSH
}

static void run(void) {
  check_names();
  check_alike();
  check_wrong_names();
  check_long_path();
  check_nothing();
  check_sentence();
  check_long_sentence();
  check_rewind();
  check_room();
  check_memory();
  check_attributes();
  check_types();
  check_op_table();
  check_push();
  check_formulas();
}

const spec spec_building = {"building", run};
