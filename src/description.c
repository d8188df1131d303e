/* What nodes are: how it is said, how it is asked, and the words for it. */
#include "tape.h"

const gf_description *gf_node_description(const gf_tape *t, int node) {
  return &gfi_tape_at(t, node)->y.about;
}

static bool is_valid(const gf_description *d) {
  bool valid = d->role < GF_ROLE_COUNT && d->parameter < GF_PARAMETER_COUNT &&
               d->stack < GF_STACK_COUNT && d->part < GF_PART_COUNT && d->removal < GF_REMOVE_COUNT;
  for (int i = 0; i < GF_MAX_RANK; i++)
    valid = valid && d->axes[i] < GF_AXIS_COUNT && d->sequences[i] < GF_SEQUENCE_COUNT;
  return valid && d->heads >= 0 && d->layer >= GF_NONE && d->substitute >= GF_NONE &&
         d->substitute < GF_MAX_INPUTS;
}

static uint8_t either(uint8_t given, uint8_t before) {
  return given ? given : before;
}

gf_error gf_describe(gf_tape *t, int node, const gf_description *d) {
  if (t->error) return t->error;
  if (node < 0 || node >= t->count)
    return gfi_tape_tell(t, GF_ENODE, "tape", "describe", SAYS_nodeForeign);
  if (!d || !is_valid(d))
    return gfi_tape_tell(t, GF_ERANGE, t->nodes[node].name, "describe", SAYS_descriptionOut);
  gf_description *about = &t->nodes[node].y.about;
  about->role = either(d->role, about->role);
  about->parameter = either(d->parameter, about->parameter);
  about->part = either(d->part, about->part);
  if (d->stack) {
    about->stack = d->stack;
    about->layer = d->layer;
  }
  if (d->removal) {
    about->removal = d->removal;
    about->substitute = d->substitute;
  }
  for (int i = 0; i < GF_MAX_RANK; i++) {
    about->axes[i] = either(d->axes[i], about->axes[i]);
    about->sequences[i] = either(d->sequences[i], about->sequences[i]);
  }
  if (d->heads) about->heads = d->heads;
  return GF_OK;
}

void gfi_tape_describe(gf_tape *t, int node, gf_description before) {
  t->nodes[node].y.about = before;
}

/* ---- Words ---- */

static const char *const roles[GF_ROLE_COUNT] = {
    "",       "tokens",      "positions", "segments",      "lengths",  "mask",       "offset",
    "labels", "seed",        "embedding", "segment",       "position", "input",      "memory",
    "query",  "key",         "value",     "score",         "weight",   "mix",        "concat",
    "output", "residual",    "norm",      "hidden",        "gate",     "activation", "pooled",
    "logit",  "probability", "loss",      "learning_rate",
};
static const char *const axes[GF_AXIS_COUNT] = {
    "",           "batch",    "head",    "query", "key",      "token", "channel",
    "vocabulary", "position", "segment", "pair",  "rotation", "step",
};
static const char *const sequences[GF_SEQUENCE_COUNT] = {"", "source", "target"};
static const char *const parameters[GF_PARAMETER_COUNT] = {"", "weight", "bias", "gain", "table"};
static const char *const stacks[GF_STACK_COUNT] = {"", "encoder", "decoder"};
static const char *const parts[GF_PART_COUNT] = {
    "", "embedding", "self_attn", "cross_attn", "feed_forward", "pooler", "prediction",
};
static const char *const removals[GF_REMOVE_COUNT] = {
    "",        "positions", "projections", "scores", "scale",    "mask",
    "softmax", "mix",       "w_o",         "norm",   "residual",
};

#define NAME(function, words, count)                                                               \
  const char *function(int i) {                                                                    \
    return i >= 0 && i < (count) ? (words)[i] : NULL;                                              \
  }
NAME(gf_role_name, roles, GF_ROLE_COUNT)
NAME(gf_axis_name, axes, GF_AXIS_COUNT)
NAME(gf_sequence_name, sequences, GF_SEQUENCE_COUNT)
NAME(gf_parameter_name, parameters, GF_PARAMETER_COUNT)
NAME(gf_stack_name, stacks, GF_STACK_COUNT)
NAME(gf_part_name, parts, GF_PART_COUNT)
NAME(gf_removal_name, removals, GF_REMOVE_COUNT)
