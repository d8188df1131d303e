/* Fuzzes the builder of models: an input is a gf_model, a gf_variant, a few gf_batch, and what is run. */
#include "fuzz.h"

enum { NODES = 1 << 11 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every field within its range, unless the input asks for a wild one. */
static gf_model model(input *in) {
  static const int32_t heads[] = {1, 2, 4};
  gf_model m = {.family = below(in, 3)};
  m.vocab = below(in, 4) ? 2 + below(in, 8) : 0;
  bool two = m.family == GF_TRANSFORMER, bert = m.family == GF_BERT;
  m.source_vocab = two ? below(in, 3) : 0;
  m.token_types = bert ? below(in, 3) : 0;
  m.max_length = 1 + below(in, 8);
  m.heads = PICK(in, heads), m.kv_heads = below(in, 2) ? 1 : m.heads;
  m.d_model = m.heads * (1 + below(in, 9)), m.d_ff = 1 + below(in, 12);
  m.layers = below(in, 3), m.decoder_layers = two ? below(in, 3) : 0;
  m.positions = below(in, 6), m.norm = below(in, 2), m.activation = below(in, 5);
  int flags = next(in);
  flags |= next(in) << 8;
  int32_t *const bits[] = {&m.pre_norm, &m.final_norm,  &m.embedding_norm,  &m.bias,
                           &m.tied,     &m.output_bias, &m.scale_embedding, &m.interleaved};
  for (int i = 0; i < 8; i++) *bits[i] = flags >> i & 1;
  m.pooler = bert && flags >> 8 & 1, m.prediction = bert && flags >> 9 & 1;
  m.rotary_base = 10000, m.epsilon = 1e-5f, m.dropout = below(in, 2) ? 0.5f : 0;
  int wild = next(in);
  if (wild < 24) ((int32_t *)&m)[wild] = integer(in);
  if (wild == 24) m.rotary_base = number(in);
  if (wild == 25) m.epsilon = number(in);
  if (wild == 26) m.dropout = number(in);
  return m;
}

static gf_batch batch(input *in, const gf_model *m) {
  gf_batch b = {.size = 1 + below(in, 3)};
  b.source = 1 + below(in, 8), b.target = 1 + below(in, 8);
  int flags = next(in);
  b.padded = flags & 1, b.masked = flags >> 1 & 1, b.training = flags >> 2 & 1;
  b.loss = flags >> 3 & 1, b.fused = flags >> 4 & 1;
  if (flags >> 5 & 1) b.capacity = 1 + below(in, 8), b.target = 1, b.padded = 1;
  b.smoothing = below(in, 2) ? 0.1f : 0;
  int wild = next(in);
  if (wild < 9) ((int32_t *)&b)[wild] = integer(in);
  if (wild == 9) b.smoothing = number(in);
  if (b.source > m->max_length && wild > 64 && m->max_length > 0) b.source = m->max_length;
  if (b.target > m->max_length && wild > 64 && m->max_length > 0) b.target = m->max_length;
  return b;
}

static gf_tape *tape(void) {
  size_t bytes = gf_tape_bytes(NODES);
  return gf_tape_create(room(bytes), bytes);
}

/* Likewise, of what an input ends with, so that those without mean what they meant before: all 0 is none. */
static gf_variant variant(input *whole) {
  enum { MOST = 24 };
  gf_variant v = {0};
  if (whole->end - whole->at <= MOST || whole->end[-1] < 0xc0) return v;
  whole->end -= MOST + 1;
  input own = {whole->end, whole->end + MOST}, *in = &own;
  int flags = next(in);
  flags |= next(in) << 8;
  int32_t *const bits[] = {&v.qkv_bias, &v.qk_norm, &v.parallel,    &v.qkv_unbiased,
                           &v.unscaled, &v.shared,  &v.pooler_relu, &v.classes_unbiased};
  for (int i = 0; i < 8; i++) *bits[i] = flags >> i & 1;
  if (flags >> 8 & 1) v.head_size = 1 + below(in, 9);
  if (flags >> 9 & 1) v.rotary_size = 2 * (1 + below(in, 3));
  if (flags >> 10 & 1) v.window = 1 + below(in, 9), v.window_first = below(in, 3);
  v.window_step = 1 + below(in, 3);
  if (flags >> 11 & 1) v.embedding_size = 1 + below(in, 9);
  if (flags >> 12 & 1) v.classes = 1 + below(in, 5);
  if (flags >> 13 & 1) v.rotary_span = below(in, 64), v.rotary_stretch = 2;
  v.rotary_slow = 1, v.rotary_fast = 4;
  const int wild = next(in);
  float *const reals[] = {&v.rotary_stretch, &v.rotary_slow, &v.rotary_fast};
  if (wild < 11) ((int32_t *)&v)[wild] = integer(in);
  if (wild > 13 && wild < 19) ((int32_t *)&v)[wild] = integer(in);
  if (wild >= 19 && wild < 22) *reals[wild - 19] = number(in);
  return v;
}

/* Runs one batch with the parameters of the layout. */
static void run(input *in, const gf_model *m, const gf_variant *v, const gf_tape *layout,
                float *values, float *grads) {
  gf_batch b = batch(in, m);
  gf_tape *t = tape();
  void *memory = NULL;
  int made = gf_build_variant(t, m, v, &b);
  EXPECT(made < 0 ? made == (int)gf_tape_error(t) : made < gf_tape_count(t));
  bool train = below(in, 2);
  if (made >= 0 && !gf_bind_parameters(t, layout, values, train ? grads : NULL)) {
    size_t bytes = (train ? gf_plan : gf_plan_reuse)(t, NULL);
    if (bytes && bytes <= MOST_BYTES) {
      memory = room(bytes);
      EXPECT((train ? gf_plan : gf_plan_reuse)(t, memory) == bytes);
      for (int i = 0; i < gf_tape_count(t); i++) {
        int32_t *ids = gf_node_ids(t, i);
        float *value = gf_node_value(t, i);
        if (strcmp(gf_node_op(t, i), "leaf") || gf_node_attribute(t, i, "kind") == 1) continue;
        for (int j = 0; j < gf_node_size(t, i); j++) {
          if (ids) ids[j] = below(in, 8) ? below(in, 3) : integer(in);
          if (value) value[j] = number(in);
        }
      }
      gf_error error = gf_forward(t, 0, GF_LAST);
      EXPECT(!error || error == GF_EID);
      if (!error && train) gf_zero_grad(t), gf_backward(t, 0, GF_LAST);
    }
  }
  check_tape(t);
  free(memory), free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input in = {data, data + size};
  gf_model m = model(&in);
  gf_batch whole = {.size = 1, .source = 1, .target = 1};
  gf_variant v = variant(&in);
  gf_tape *layout = tape();
  if (gf_build_variant(layout, &m, &v, &whole) >= 0) {
    check_tape(layout);
    size_t count = gf_parameter_count(layout);
    if (count <= MOST_BYTES / 4) {
      float *values = room(4 * count), *grads = room(4 * count);
      EXPECT(!gf_bind_parameters(layout, layout, values, grads));
      EXPECT(!gf_initialize(layout, (uint32_t)next(&in)));
      memset(grads, 0, 4 * count);
      int runs = 1 + below(&in, 3);
      for (int i = 0; i < runs; i++) run(&in, &m, &v, layout, values, grads);
      free(values), free(grads);
    }
  }
  free(layout);
  return 0;
}
