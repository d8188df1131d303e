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

/* One builder of the API; each gets what its arguments may be, and a little more. */
static int push(input *in, gf_tape *t) {
  char text[200];
  const char *n = name(in, t, text);
  int a = node(in, t);
  gf_attention_config c;
  switch (below(in, 36)) {
  case 0:
    return gf_embed(t, a, node(in, t), n);
  case 1:
    return gf_position(t, a, integer(in), next(in), n);
  case 2:
    return gf_add(t, a, node(in, t), n);
  case 3:
    return gf_scale(t, a, number(in), n);
  case 4:
    return gf_linear(t, a, node(in, t), optional(in, t), n);
  case 5:
    return gf_matmul(t, a, node(in, t), n);
  case 6:
    return gf_matmul_transposed(t, a, node(in, t), n);
  case 7:
    return gf_mask(t, a, below(in, 2), integer(in), optional(in, t), optional(in, t), n);
  case 8:
    return gf_softmax(t, a, n);
  case 9:
    return gf_log_softmax(t, a, n);
  case 10:
    return gf_split_heads(t, a, integer(in), n);
  case 11:
    return gf_concat_heads(t, a, n);
  case 12:
    return gf_layer_norm(t, a, optional(in, t), optional(in, t), number(in), n);
  case 13:
    return gf_rms_norm(t, a, optional(in, t), number(in), n);
  case 14:
    return gf_relu(t, a, n);
  case 15:
    return gf_gelu(t, a, next(in), n);
  case 16:
    return gf_silu(t, a, number(in), n);
  case 17:
    return gf_sigmoid(t, a, n);
  case 18:
    return gf_tanh(t, a, n);
  case 19:
    return gf_erf(t, a, n);
  case 20:
    return gf_exp(t, a, n);
  case 21:
    return gf_softcap(t, a, number(in), n);
  case 22:
    return gf_swiglu(t, a, node(in, t), number(in), n);
  case 23:
    return gf_dropout(t, a, node(in, t), number(in), n);
  case 24:
    return gf_rotation(t, a, integer(in), number(in), n);
  case 25:
    return gf_rope(t, a, node(in, t), below(in, 2), n);
  case 26:
    return gf_alibi(t, a, optional(in, t), n);
  case 27:
    return gf_cross_entropy(t, a, node(in, t), optional(in, t), integer(in), integer(in),
                            number(in), n);
  case 28: {
    const int order[] = {below(in, 5) - 1, below(in, 4), below(in, 4), below(in, 4)};
    return gf_transpose(t, a, order, n);
  }
  case 29:
    return gf_concat(t, a, node(in, t), integer(in), n);
  case 30:
    return gf_gather(t, a, node(in, t), integer(in), n);
  case 31:
    return gf_top_k(t, a, integer(in), n);
  case 32:
    return gf_top_k_ids(t, a, integer(in), n);
  case 33:
    return gf_cache(t, a, node(in, t), integer(in), n);
  case 34:
    c = attention(in, t);
    return gf_attention(t, &c, n ? n : "");
  default:
    c = attention(in, t);
    return gf_fused_attention(t, a, node(in, t), node(in, t), &c, n);
  }
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
  return t;
}

/* ---- Running ---- */

static bool same(float a, float b) {
  return (a != a && b != b) || !memcmp(&a, &b, sizeof a);
}

/* What both plans keep has the same bits in both. */
static void compare(const gf_tape *kept, const gf_tape *reused) {
  for (int i = 0; i < gf_tape_count(kept); i++) {
    const float *a = gf_node_value(kept, i), *b = gf_node_value(reused, i);
    const int32_t *x = gf_node_ids(kept, i), *y = gf_node_ids(reused, i);
    for (int j = 0; j < gf_node_size(kept, i); j++) {
      EXPECT(!a || !b || same(a[j], b[j]));
      EXPECT(!x || !y || x[j] == y[j]);
    }
  }
}

/* Whatever a planned tape may be asked. */
static void play(input *in, gf_tape *t) {
  while (in->at < in->end) {
    int count = gf_tape_count(t), i = node(in, t);
    switch (below(in, 10)) {
    case 0:
      gf_forward(t, 0, GF_LAST);
      break;
    case 1:
      gf_forward(t, i, node(in, t));
      break;
    case 2:
      gf_backward(t, 0, GF_LAST);
      break;
    case 3:
      gf_backward(t, i, node(in, t));
      break;
    case 4:
      gf_bypass(t, i, below(in, 8) - 1);
      break;
    case 5:
      gf_freeze(t, i, below(in, 2));
      break;
    case 6:
      gf_zero_grad(t);
      break;
    case 7:
      gf_refresh(t);
      break;
    case 8:
      fill_leaves(t, in);
      break;
    default:
      EXPECT(push(in, t) < 0);
      EXPECT(gf_keep(t, i) < 0);
      EXPECT(!gf_tape_rewind(t, count));
    }
    EXPECT(gf_tape_count(t) == count && !gf_tape_error(t));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input in = {data, data + size}, again = in;
  gf_tape *kept = build(&in), *reused = build(&again);
  gf_tape *const both[] = {kept, reused};
  check_tape(kept);
  int overrides = below(&in, 4);
  for (int i = 0; i < overrides; i++) {
    int which = node(&in, kept), how = below(&in, 4), operand = below(&in, 3);
    for (int k = 0; k < 2; k++) {
      if (how == 0)
        gf_bypass(both[k], which, operand);
      else if (how == 1)
        gf_freeze(both[k], which, 1);
      else
        gf_keep(both[k], which);
    }
  }
  size_t bytes = gf_plan(kept, NULL), less = gf_plan_reuse(reused, NULL);
  EXPECT(bytes || gf_tape_error(kept));
  void *values = NULL, *shared = NULL;
  if (bytes && bytes <= MOST_BYTES && less && less <= MOST_BYTES) {
    values = room(bytes), shared = room(less);
    EXPECT(gf_plan(kept, values) == bytes);
    EXPECT(gf_plan_reuse(reused, shared) == less);
    EXPECT(!gf_plan(kept, values) && !gf_tape_error(kept));
    again = in;
    fill_leaves(kept, &in), fill_leaves(reused, &again);
    gf_error error = gf_forward(kept, 0, GF_LAST);
    EXPECT(error == gf_forward(reused, 0, GF_LAST));
    if (!error) compare(kept, reused);
    play(&in, kept), play(&again, reused);
    check_tape(kept), check_tape(reused);
  }
  free(values), free(shared);
  free(kept), free(reused);
  return 0;
}
