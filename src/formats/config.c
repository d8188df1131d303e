/* The config of a model in the metadata of what model.save() writes. It is JSON: an object of numbers, words, true, false,
 * and one list of words. */
#include "header.h"

#include <string.h>

enum { KEY_BYTES = 32, INTEGERS = 25, FIELDS = 28 };

/* The fields of gf_model in its order; behind a field what its words are, in the order of their numbers. */
static const char *const fields[FIELDS] = {
    "kind transformer gpt bert",
    "vocab",
    "sourceVocab",
    "tokenTypes",
    "maxLength",
    "dModel",
    "heads",
    "kvHeads",
    "dFF",
    "layers",
    "decoderLayers",
    "positions sinusoidal learned rotary alibi none sinusoidal-halves",
    "norm layer rms",
    "preNorm",
    "finalNorm",
    "embeddingNorm",
    "activation relu gelu gelu-tanh silu swiglu",
    "bias",
    "tied",
    "outputBias",
    "scaleEmbedding",
    "pooler",
    "prediction",
    "head logits none",
    "interleaved",
    "rotaryBase",
    "epsilon",
    "dropout",
};

typedef struct scanner {
  const char *text, *at;
} scanner;

/* How far a text goes on like a word: its length if it begins with it, else 0. */
static size_t begins(const char *text, const char *word) {
  size_t length = 0;
  for (; word[length]; length++)
    if (text[length] != word[length]) return 0;
  return length;
}

static bool take(scanner *s, const char *sign) {
  const size_t length = begins(s->at, sign);
  s->at += length;
  return length > 0;
}

/* A word between quotes; longer ones are none of ours. */
static bool read_word(scanner *s, char word[KEY_BYTES]) {
  if (!take(s, "\"")) return false;
  int length = 0;
  for (; *s->at && *s->at != '"'; s->at++) {
    if (length == KEY_BYTES - 1 || *s->at == '\\') return false;
    word[length++] = *s->at;
  }
  word[length] = 0;
  return take(s, "\"");
}

/* Digits, which may go on behind a point; returns how many stand there. */
static int read_digits(scanner *s, uint64_t *value, int *behind) {
  int count = 0;
  for (bool pointed = false; (*s->at >= '0' && *s->at <= '9') || (*s->at == '.' && !pointed);
       s->at++) {
    if (*s->at == '.') {
      pointed = true;
      continue;
    }
    if (*value > 99999999999999ull) return 0; /* so that a double has it exactly */
    *value = 10 * *value + (uint64_t)(*s->at - '0');
    *behind += pointed;
    count++;
  }
  return count;
}

/* A number as JavaScript writes it: 15 digits at most and a power of ten up to 22, which one operation rounds once. */
static bool read_number(scanner *s, double *value) {
  const bool negative = take(s, "-");
  uint64_t digits = 0, power = 0;
  int behind = 0, none = 0;
  if (!read_digits(s, &digits, &behind)) return false;
  int exponent = -behind;
  if (take(s, "e")) {
    const bool down = take(s, "-");
    if (!down) take(s, "+");
    if (!read_digits(s, &power, &none) || none || power > 300) return false;
    exponent += down ? -(int)power : (int)power;
  }
  if (exponent < -22 || exponent > 22) return false;
  double scale = 1;
  for (int i = 0; i < (exponent < 0 ? -exponent : exponent); i++) scale *= 10;
  *value = exponent < 0 ? (double)digits / scale : (double)digits * scale;
  if (negative) *value = -*value;
  return true;
}

/* Whether a list begins with this word, and no longer one. */
static bool is_next(const char *list, const char *word) {
  const size_t length = begins(list, word);
  return length && (list[length] == ' ' || !list[length]);
}

/* The number of a word in a list "field word word ...", or -1. */
static int place_in(const char *list, const char *word) {
  int place = 0;
  for (; *list; list++) {
    if (*list != ' ') continue;
    if (is_next(list + 1, word)) return place;
    place++;
  }
  return -1;
}

static int field_of(const char *key) {
  for (int i = 0; i < FIELDS; i++)
    if (is_next(fields[i], key)) return i;
  return -1;
}

/* Puts a value into its field. Fields of gf_model have 4 bytes each. */
static bool put(gf_model *model, int field, double value) {
  char *to = (char *)model + 4 * (size_t)field;
  const float real = (float)value;
  if (field >= INTEGERS) {
    memcpy(to, &real, sizeof real);
    return true;
  }
  if (!(value >= 0 && value <= 16777216) || value != (double)(int32_t)value) return false;
  const int32_t integer = (int32_t)value;
  memcpy(to, &integer, sizeof integer);
  return true;
}

static bool read_value(scanner *s, gf_model *model, int field) {
  char word[KEY_BYTES];
  double value = 0;
  if (*s->at == '"') {
    if (!read_word(s, word)) return false;
    value = field < 0 ? 0 : place_in(fields[field], word);
  } else if (take(s, "true")) {
    value = 1;
  } else if (!take(s, "false") && !read_number(s, &value)) {
    return false;
  }
  /* A seed, or what later versions say: none of it changes what is computed here. */
  return field < 0 || put(model, field, value);
}

static bool read_removed(scanner *s, uint32_t *removed) {
  if (!take(s, "[")) return false;
  if (take(s, "]")) return true;
  do {
    char word[KEY_BYTES];
    if (!read_word(s, word)) return false;
    int removal = GF_REMOVE_COUNT - 1;
    while (removal && strcmp(gf_removal_name(removal), word) != 0) removal--;
    if (!removal) return false;
    *removed |= 1u << removal;
  } while (take(s, ","));
  return take(s, "]");
}

/* What is not said is as in a new model of this kind. */
static bool read_config(scanner *s, gf_opened *opened) {
  /* Which kind it is comes somewhere in it, and says what the rest is by default. */
  int family = GF_GPT;
  for (const char *at = s->text; *at; at++) {
    scanner kind = {s->text, at + begins(at, "\"kind\":")};
    char word[KEY_BYTES];
    if (kind.at > at && read_word(&kind, word)) family = place_in(fields[0], word);
  }
  if (family < 0) return false;
  opened->model = gf_model_default(family);
  if (!take(s, "{")) return false;
  do {
    char key[KEY_BYTES];
    if (!read_word(s, key) || !take(s, ":")) return false;
    const bool good = !strcmp(key, "remove") ? read_removed(s, &opened->removed)
                                             : read_value(s, &opened->model, field_of(key));
    if (!good) return false;
  } while (take(s, ","));
  return take(s, "}") && !*s->at;
}

int gfi_config_read(gf_opened *opened, const char *text) {
  scanner s = {text, text};
  return read_config(&s, opened) ? -1 : (int)(s.at - text);
}
