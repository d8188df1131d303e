#include "architecture.h"

/* A stack of a kind of model. */
typedef struct row {
  int id, sequence;
  bool causal;
  bool cross; /* attends to the stack before it */
} row;

/* A kind of model, and which fields of gf_model count for it. */
typedef struct family {
  row stacks[MOST_STACKS]; /* id 0 ends them */
  bool token_types, pooler, prediction;
} family;

static const family families[] = {
    [GF_TRANSFORMER] =
        {
            .stacks =
                {
                    {.id = GF_STACK_ENCODER, .sequence = GF_SEQUENCE_SOURCE},
                    {.id = GF_STACK_DECODER,
                     .sequence = GF_SEQUENCE_TARGET,
                     .causal = true,
                     .cross = true},
                },
        },
    [GF_GPT] =
        {
            .stacks = {{.id = GF_STACK_DECODER, .sequence = GF_SEQUENCE_TARGET, .causal = true}},
        },
    [GF_BERT] =
        {
            .stacks = {{.id = GF_STACK_ENCODER, .sequence = GF_SEQUENCE_TARGET}},
            .token_types = true,
            .pooler = true,
            .prediction = true,
        },
};

static void add_sublayer(stack *s, const gf_model *m, int part) {
  s->sublayers[s->count++] =
      (sublayer){.part = part, .norm_before = m->pre_norm, .norm_behind = !m->pre_norm};
}

static stack stack_of(const gf_model *m, const family *f, const row *r) {
  bool own_table = r->sequence == GF_SEQUENCE_SOURCE && m->source_vocab;
  stack s = {
      .id = r->id,
      .sequence = r->sequence,
      .table = own_table ? "source_embedding" : "embedding",
      .vocab = own_table && m->vocab ? m->source_vocab : m->vocab,
      .token_types = f->token_types ? m->token_types : 0,
      /* As torch.nn.Transformer, one that maps vectors is causal where target.mask says so. */
      .causal = r->causal && (m->vocab || !r->cross),
      .layers = r->cross ? m->decoder_layers : m->layers,
      .final_norm = m->final_norm,
  };
  add_sublayer(&s, m, GF_PART_SELF_ATTN);
  if (r->cross) add_sublayer(&s, m, GF_PART_CROSS_ATTN);
  add_sublayer(&s, m, GF_PART_FEED_FORWARD);
  return s;
}

architecture gfi_architecture_of(const gf_model *m) {
  const family *f = &families[m->family];
  architecture a = {
      .pooler = f->pooler && m->pooler,
      .logits = m->vocab && m->head == GF_HEAD_LOGITS,
  };
  a.prediction = a.logits && f->prediction && m->prediction;
  for (int i = 0; i < MOST_STACKS && f->stacks[i].id; i++) {
    const row *r = &f->stacks[i];
    if (r->cross && !m->decoder_layers)
      a.logits = false; /* an encoder alone */
    else
      a.stacks[a.count++] = stack_of(m, f, r);
  }
  return a;
}
