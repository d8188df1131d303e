/* Fuzzes the tape: an input is a program of builders, then two plans of it, then runs and overrides. */
#include "fuzz.h"

enum { STEPS = 40, ROOM = 24 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- Building ---- */

/* A node that may not be there, GF_NONE among them. */
static int node(input *in, const gf_tape *t) {
  int which = next(in);
  return which < 250 && gf_tape_count(t) ? which % gf_tape_count(t) : which % 5 - 2;
}

/* The same where leaving it out is usual. */
static int optional(input *in, const gf_tape *t) {
  return below(in, 2) ? GF_NONE : node(in, t);
}

/* Usually new; sometimes empty, missing, taken or too long. */
static const char *name(input *in, const gf_tape *t, char room[200]) {
  int which = next(in);
  if (which == 255) return NULL;
  if (which == 254) return "";
  if (which == 253) return "same";
  int length = which > 245 ? 94 + which % 4 : 0;
  memset(room, 'n', (size_t)length);
  snprintf(room + length, 20, "%d", gf_tape_count(t));
  return room;
}

static int leaf(input *in, gf_tape *t, const char *name) {
  int shape[GF_MAX_RANK], kind = below(in, 3), rank = next(in);
  rank = rank < 250 ? 1 + rank % GF_MAX_RANK : rank % 7 - 1;
  for (int i = 0; i < GF_MAX_RANK; i++) shape[i] = integer(in);
  return (kind == 0 ? gf_input : kind == 1 ? gf_parameter : gf_ids)(t, rank, shape, name);
}

static gf_attention_config attention(input *in, const gf_tape *t) {
  gf_attention_config c = gf_attention_default();
  c.query = node(in, t), c.key = node(in, t), c.value = node(in, t);
  int32_t *const weights[] = {&c.w_q, &c.b_q, &c.w_k, &c.b_k, &c.w_v, &c.b_v, &c.w_o, &c.b_o};
  int given = next(in);
  for (int i = 0; i < 8; i++)
    if (given >> i & 1) *weights[i] = node(in, t);
  c.heads = integer(in), c.kv_heads = integer(in);
  c.causal = below(in, 2), c.offset = below(in, 8) ? 0 : integer(in);
  c.mask = optional(in, t), c.lengths = optional(in, t), c.rotation = optional(in, t);
  c.interleaved = below(in, 2), c.alibi = below(in, 2), c.fused = below(in, 2);
  c.at = optional(in, t), c.capacity = integer(in);
  c.softcap = below(in, 2) ? 0 : number(in), c.scale = below(in, 2) ? 0 : number(in);
  return c;
}

/* One builder of the API; each gets what its arguments may be, and a little more. All that any of them
 * may ask for is read first: C leaves open in which order it evaluates the arguments of a call. */
static int push(input *in, gf_tape *t) {
  char text[200];
  const char *n = name(in, t, text);
  int which = below(in, 36), a = node(in, t), b = node(in, t);
  int c = optional(in, t), d = optional(in, t);
  int i = integer(in), j = integer(in), flag = below(in, 2);
  float x = number(in);
  gf_attention_config config;
  switch (which) {
  case 0:
    return gf_embed(t, a, b, n);
  case 1:
    return gf_position(t, a, i, flag, n);
  case 2:
    return gf_add(t, a, b, n);
  case 3:
    return gf_scale(t, a, x, n);
  case 4:
    return gf_linear(t, a, b, c, n);
  case 5:
    return gf_matmul(t, a, b, n);
  case 6:
    return gf_matmul_transposed(t, a, b, n);
  case 7:
    return gf_mask(t, a, flag, i, c, d, n);
  case 8:
    return gf_softmax(t, a, n);
  case 9:
    return gf_log_softmax(t, a, n);
  case 10:
    return gf_split_heads(t, a, i, n);
  case 11:
    return gf_concat_heads(t, a, n);
  case 12:
    return gf_layer_norm(t, a, c, d, x, n);
  case 13:
    return gf_rms_norm(t, a, c, x, n);
  case 14:
    return gf_relu(t, a, n);
  case 15:
    return gf_gelu(t, a, flag, n);
  case 16:
    return gf_silu(t, a, x, n);
  case 17:
    return gf_sigmoid(t, a, n);
  case 18:
    return gf_tanh(t, a, n);
  case 19:
    return gf_erf(t, a, n);
  case 20:
    return gf_exp(t, a, n);
  case 21:
    return gf_softcap(t, a, x, n);
  case 22:
    return gf_swiglu(t, a, b, x, n);
  case 23:
    return gf_dropout(t, a, b, x, n);
  case 24:
    return gf_rotation(t, a, i, x, n);
  case 25:
    return gf_rope(t, a, b, flag, n);
  case 26:
    return gf_alibi(t, a, c, n);
  case 27:
    return gf_cross_entropy(t, a, b, c, i, j, x, n);
  case 28: {
    const int order[] = {i % 5, j % 5, flag, 3 - flag};
    return gf_transpose(t, a, order, n);
  }
  case 29:
    return gf_concat(t, a, b, i, n);
  case 30:
    return gf_gather(t, a, b, i, n);
  case 31:
    return gf_top_k(t, a, i, n);
  case 32:
    return gf_top_k_ids(t, a, i, n);
  case 33:
    return gf_cache(t, a, b, i, n);
  case 34:
    config = attention(in, t);
    return gf_attention(t, &config, n ? n : "");
  default:
    config = attention(in, t);
    return gf_fused_attention(t, a, b, c, &config, n);
  }
}

/* Memory of stored parameters, until the end of an input. */
static void *stored[4];
static int stored_count;

/* Blocks of any bytes: scales that are not finite among them. */
static const void *blocks(int type, int rows, int columns) {
  size_t bytes = gf_stored_bytes(type, rows, columns);
  if (!bytes || bytes > MOST_BYTES) return NULL;
  unsigned char *memory = stored[stored_count++] = room(bytes);
  for (size_t i = 0; i < bytes; i++) memory[i] = (unsigned char)(i * i * 2654435761u >> 13);
  return memory;
}

static void bind_stored(gf_tape *t, int leaf, int type, int along) {
  int count = gf_tape_count(t);
  const int *shape = gf_node_shape(t, leaf);
  if (gf_node_type(t, leaf) > GF_IDS) return;
  gf_error error = gf_bind_stored(t, leaf, type, along, blocks(type, shape[!along], shape[along]));
  EXPECT((error == GF_OK) == (gf_node_type(t, leaf) > GF_IDS));
  EXPECT(error == gf_tape_error(t) && !gf_tape_rewind(t, count));
}

/* Products with a parameter that is stored, and some leaf that is: of what an input ends with, so that those
 * without mean what they meant before. */
static void add_stored(input *in, gf_tape *t) {
  if (in->at == in->end || in->end[-1] < 0xf0) return;
  in->end--;
  int type = below(in, GF_TYPE_COUNT + 1), along = below(in, 2), m = 1 + below(in, 6);
  int k = (1 + below(in, 3)) * (type > GF_Q8_0 ? 256 : 32), n = 1 + below(in, 70);
  int before = gf_tape_count(t), x = gf_input(t, 2, (int[]){m, k}, "stored.x");
  int w = gf_parameter(t, 2, (int[]){along ? n : k, along ? k : n}, "stored.w");
  if (along)
    gf_matmul_transposed(t, x, w, "stored.y");
  else
    gf_linear(t, x, w, GF_NONE, "stored.y");
  if (gf_tape_error(t))
    gf_tape_rewind(t, before);
  else
    bind_stored(t, w, type, along);
  if (!gf_tape_count(t)) return;
  int other = below(in, gf_tape_count(t));
  type = GF_F16 + below(in, 2);
  bind_stored(t, other, type, next(in) & 1);
}

/* Builds what the input says. A refused builder is undone, as a binding would. The memory is the
 * caller's to free. */
static gf_tape *build(input *in) {
  int capacity = ROOM + next(in);
  size_t bytes = gf_tape_bytes(capacity);
  gf_tape *t = gf_tape_create(room(bytes), bytes);
  int leaves = 1 + below(in, 8), steps = below(in, STEPS);
  for (int i = 0; i < leaves + steps; i++) {
    char text[200];
    int before = gf_tape_count(t);
    int made = i < leaves ? leaf(in, t, name(in, t, text)) : push(in, t);
    EXPECT(made < 0 ? made == (int)gf_tape_error(t) : made == gf_tape_count(t) - 1);
    EXPECT(made >= 0 || push(in, t) == made); /* sticky */
    if (made < 0) EXPECT(!gf_tape_rewind(t, before));
    EXPECT(made >= 0 || gf_tape_count(t) == before);
    if (!below(in, 16)) {
      size_t more = gf_tape_bytes(gf_tape_count(t) + ROOM);
      gf_tape *moved = gf_tape_move(t, room(more), more);
      EXPECT(moved);
      free(t);
      t = moved;
    }
  }
  add_stored(in, t);
  return t;
}

/* ---- Running ---- */

static bool same(float a, float b) {
  return (a != a && b != b) || !memcmp(&a, &b, sizeof a);
}

/* One program planned in both ways. */
typedef struct pair {
  gf_tape *kept, *reused;
} pair;

/* What both plans keep has the same bits in both, after every step. */
static void compare(pair p) {
  for (int i = 0; i < gf_tape_count(p.kept); i++) {
    const float *a = gf_node_value(p.kept, i), *b = gf_node_value(p.reused, i);
    const int32_t *x = gf_node_ids(p.kept, i), *y = gf_node_ids(p.reused, i);
    for (int j = 0; j < gf_node_size(p.kept, i); j++) {
      EXPECT(!a || !b || same(a[j], b[j]));
      EXPECT(!x || !y || x[j] == y[j]);
    }
    EXPECT(gf_node_computed(p.kept, i) == gf_node_computed(p.reused, i));
  }
}

/* New numbers, the same in both. */
static void fill(pair p, input *in) {
  input again = *in;
  fill_nodes(p.kept, in);
  fill_nodes(p.reused, &again);
  gf_refresh(p.reused);
}

/* Runs both. A slice that reads what the reused plan did not keep runs in neither. */
static void forward(pair p, int first, int last) {
  gf_error error = gf_forward(p.reused, first, last);
  bool gone = error == GF_ESTATE && strstr(gf_tape_error_text(p.reused), "did not keep");
  EXPECT(gone || gf_forward(p.kept, first, last) == error);
}

/* Whatever a planned tape may be asked. */
static void play(input *in, pair p) {
  gf_tape *const both[] = {p.kept, p.reused};
  while (in->at < in->end) {
    int count = gf_tape_count(p.kept), i = node(in, p.kept), other = node(in, p.kept);
    int on = below(in, 2), operand = below(in, 8) - 1;
    switch (below(in, 10)) {
    case 0:
    case 1:
      forward(p, 0, GF_LAST);
      break;
    case 2:
      forward(p, i, other);
      break;
    case 3:
      gf_backward(p.kept, 0, GF_LAST);
      EXPECT(gf_backward(p.reused, 0, GF_LAST) == GF_ESTATE);
      break;
    case 4:
      gf_backward(p.kept, i, other);
      break;
    case 5:
      EXPECT(gf_bypass(p.kept, i, operand) == gf_bypass(p.reused, i, operand));
      break;
    case 6:
      if (gf_freeze(p.reused, i, on) != GF_ESTATE) gf_freeze(p.kept, i, on);
      break;
    case 7:
      gf_zero_grad(p.kept);
      break;
    case 8:
      fill(p, in);
      break;
    default:
      for (int k = 0; k < 2; k++) {
        input again = *in;
        EXPECT(push(&again, both[k]) < 0);
        EXPECT(gf_keep(both[k], i) < 0);
        EXPECT(!gf_tape_rewind(both[k], count));
      }
    }
    for (int k = 0; k < 2; k++) EXPECT(gf_tape_count(both[k]) == count && !gf_tape_error(both[k]));
    compare(p);
  }
}

/* Bypasses, freezes and keeps some nodes of both, before the plan. */
static void override(input *in, pair p) {
  gf_tape *const both[] = {p.kept, p.reused};
  for (int left = below(in, 4); left > 0; left--) {
    int which = node(in, p.kept), how = below(in, 4), operand = below(in, 3);
    for (int k = 0; k < 2; k++) {
      if (how == 0)
        gf_bypass(both[k], which, operand);
      else if (how == 1)
        gf_freeze(both[k], which, 1);
      else
        gf_keep(both[k], which);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { RUNS = 3 };
  input in = {data, data + size}, again = in;
  pair p = {.kept = build(&in)};
  p.reused = build(&again);
  check_tape(p.kept);
  override(&in, p);
  size_t bytes = gf_plan(p.kept, NULL), less = gf_plan_reuse(p.reused, NULL);
  EXPECT(bytes || gf_tape_error(p.kept));
  void *values = NULL, *shared = NULL;
  if (bytes && bytes <= MOST_BYTES && less && less <= MOST_BYTES) {
    values = room(bytes), shared = room(less);
    EXPECT(gf_plan(p.kept, values) == bytes);
    EXPECT(gf_plan_reuse(p.reused, shared) == less);
    EXPECT(!gf_plan(p.kept, values) && !gf_tape_error(p.kept));
    for (int i = 0; i < RUNS; i++) {
      fill(p, &in);
      const int cut = below(&in, gf_tape_count(p.kept));
      forward(p, 0, cut);
      if (cut + 1 < gf_tape_count(p.kept)) forward(p, cut + 1, GF_LAST);
      compare(p);
    }
    play(&in, p);
    check_tape(p.kept), check_tape(p.reused);
  }
  free(values), free(shared);
  free(p.kept), free(p.reused);
  while (stored_count) free(stored[--stored_count]);
  return 0;
}
