/* What is in a GGUF, the format of ggml and llama.cpp, and the model that it says. Little-endian:
 *   "GGUF", u32 version, u64 tensors, u64 pairs
 *   pairs:   key, u32 type, value        a string is u64 length and bytes, an array u32 type, u64 count, values
 *   tensors: name, u32 rank, u64 dimensions with the fastest first, u32 type, u64 offset in the data
 *   the data, from the next multiple of general.alignment on, in the order of the tensors
 * https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
#include "fmath.h"
#include "header.h"

#include <limits.h>
#include <string.h>

/* Bytes before the pairs, and of a pair, a tensor, a string and an array at least. */
enum { PREFIX = 24, LEAST_PAIR = 13, LEAST_TENSOR = 32, LEAST_STRING = 8, LEAST_ARRAY = 12 };
enum { DEPTH = 4 /* arrays within arrays */, RANK = 4, NAME_BYTES = 64, SETTINGS = 24, NAMES = 16 };

/* Types of values, and the bytes of those that are numbers. */
enum { I8 = 1, I16 = 3, I32 = 5, F32 = 6, BOOL = 7, STRING = 8, ARRAY = 9, I64 = 11, F64 = 12 };
static const uint8_t bytes_of[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

/* The types of tensors that are read: their numbers, and what the core calls them. */
static const struct {
  char name[8];
  uint32_t number;
  gf_type type; /* GF_F32 of those that it does not multiply as they are stored */
  int bytes;    /* of a number of these */
} types[] = {{"F32", 0, GF_F32, 4},    {"F64", 28, GF_F32, 8},   {"F16", 1, GF_F16, 0},
             {"BF16", 30, GF_BF16, 0}, {"Q4_0", 2, GF_Q4_0, 0},  {"Q4_1", 3, GF_Q4_1, 0},
             {"Q5_0", 6, GF_Q5_0, 0},  {"Q5_1", 7, GF_Q5_1, 0},  {"Q8_0", 8, GF_Q8_0, 0},
             {"Q4_K", 12, GF_Q4_K, 0}, {"Q5_K", 13, GF_Q5_K, 0}, {"Q6_K", 14, GF_Q6_K, 0}};
enum { TYPES = sizeof types / sizeof *types };

/* ---- Architectures ---- */

/* What a setting is: a number of a field, which must be there (SIZE) or need not, or its flag; the channels of a head; how
 * rotation is stretched; 0; or what changes nothing. */
typedef enum kind { SIZE, INTEGER, REAL, FLAG, HEAD, SCALING, ZERO, IGNORED } kind;

typedef struct setting {
  const char *key;
  kind kind;
  size_t field; /* of gf_opened */
} setting;

struct architecture {
  const char *name;
  gf_model model; /* what is the same in all of its files, or where they say nothing */
  gf_variant variant;
  bool pairs;    /* rows of queries and keys are in the order of rotation in neighbours */
  bool biased;   /* linear layers have biases if the file has them */
  int inner;     /* d_ff, where the file says none: so many times d_model */
  float rotated; /* the part of a head that is rotated, likewise */
  setting settings[SETTINGS];
  struct {
    const char *ours, *theirs; /* without ".weight" or ".bias"; # is a layer */
  } names[NAMES];
};

#define AT(field)               offsetof(gf_opened, field)
#define ARCHITECTURE(name, ...) {#name, __VA_ARGS__},
static const architecture architectures[] = {
#include "architectures.def"
};
enum { ARCHITECTURES = sizeof architectures / sizeof *architectures };

/* ---- The header ---- */

/* The first error ends all that is read. */
typedef struct cursor {
  const uint8_t *bytes;
  uint64_t at, end;
  gf_safetensors *file;
} cursor;

static bool refuse(cursor *c, gf_file_error error, uint64_t number) {
  if (!c->file->error) {
    c->file->error = error;
    c->file->number = number;
  }
  return false;
}

static bool take(cursor *c, uint64_t bytes) {
  if (c->file->error) return false;
  if (bytes > c->end - c->at) return refuse(c, GF_FILE_HEADER_BEYOND, c->at);
  c->at += bytes;
  return true;
}

static uint64_t little(const uint8_t *from, int bytes) {
  uint64_t value = 0;
  while (bytes-- > 0) value = value << 8 | from[bytes];
  return value;
}

static uint64_t integer(cursor *c, int bytes) {
  return take(c, (uint64_t)bytes) ? little(c->bytes + c->at - bytes, bytes) : 0;
}

/* How many follow, each of so many bytes at least. */
static uint64_t count(cursor *c, uint64_t least) {
  const uint64_t n = integer(c, 8);
  if (n <= (c->end - c->at) / least) return n;
  refuse(c, GF_FILE_COUNT, n);
  return 0;
}

/* Whether a text is JSON as it stands, as texts of other headers are. */
static bool is_plain(const uint8_t *bytes, gf_file_text text) {
  for (uint32_t i = 0; i < text.bytes; i++) {
    const uint8_t sign = bytes[text.at + i];
    if (sign < ' ' || sign > '~' || sign == '"' || sign == '\\') return false;
  }
  return true;
}

/* A key, or the name of a tensor. */
static gf_file_text name(cursor *c) {
  const uint64_t length = count(c, 1);
  const gf_file_text text = {(uint32_t)c->at, (uint32_t)length};
  if (!is_plain(c->bytes, text)) refuse(c, GF_FILE_NAME, c->at);
  return take(c, length) ? text : (gf_file_text){0, 0};
}

static void pass(cursor *c, uint32_t type, int depth) {
  if (type >= sizeof bytes_of) {
    refuse(c, GF_FILE_VALUE, type);
  } else if (type == STRING) {
    take(c, count(c, 1));
  } else if (type != ARRAY) {
    take(c, bytes_of[type]);
  } else if (depth == DEPTH) {
    refuse(c, GF_FILE_NESTED, DEPTH);
  } else {
    const uint32_t of = (uint32_t)integer(c, 4);
    if (of >= sizeof bytes_of) {
      refuse(c, GF_FILE_VALUE, of);
      return;
    }
    const uint64_t bytes = bytes_of[of];
    uint64_t n = count(c, bytes ? bytes : of == STRING ? LEAST_STRING : LEAST_ARRAY);
    if (bytes) take(c, n * bytes);
    for (; !bytes && n && !c->file->error; n--) pass(c, of, depth + 1);
  }
}

/* A key, and where its value lies: of a string behind the length. */
typedef struct pair {
  gf_file_text key, value;
  uint32_t type;
} pair;

static bool next_pair(cursor *c, pair *p) {
  c->file->key = (gf_file_text){0, 0};
  p->key = name(c);
  if (!c->file->error) c->file->key = p->key;
  p->type = (uint32_t)integer(c, 4);
  uint64_t at = c->at;
  pass(c, p->type, 0);
  if (p->type == STRING) at += 8;
  if (c->file->error) return false;
  p->value = (gf_file_text){(uint32_t)at, (uint32_t)(c->at - at)};
  return true;
}

/* A number; NaN of what is none. */
static double number_of(const uint8_t *bytes, pair p) {
  const int size = p.type < sizeof bytes_of && p.type != BOOL ? bytes_of[p.type] : 0;
  const uint64_t raw = little(bytes + p.value.at, size);
  const uint32_t low = (uint32_t)raw;
  float single;
  double real;
  memcpy(&single, &low, sizeof single);
  memcpy(&real, &raw, sizeof real);
  if (!size) return __builtin_nan("");
  if (p.type == F32) return (double)single;
  if (p.type == F64) return real;
  const bool is_signed = p.type == I8 || p.type == I16 || p.type == I32 || p.type == I64;
  const int shift = 64 - 8 * size;
  return is_signed ? (double)((int64_t)(raw << shift) >> shift) : (double)raw;
}

/* Tensors that say what kind of model it is. */
enum { TABLE, OUTPUT, BIAS, DIVISORS, NOTED };
static const char *const noted_names[NOTED] = {"token_embd.weight", "output.weight",
                                               "blk.0.attn_q.bias", "rope_freqs.weight"};

typedef struct facts {
  uint64_t pairs; /* how many there are */
  gf_file_text architecture;
  uint64_t bytes; /* that parameters take at most */
  uint64_t alignment;
  gf_safetensor noted[NOTED]; /* of rank 0 where there is none */
} facts;

static uint64_t aligned(uint64_t at, uint64_t alignment) {
  return (at + alignment - 1) & ~(alignment - 1);
}

static void read_pairs(cursor *c, facts *f) {
  pair p;
  f->alignment = 32;
  for (uint64_t i = 0; i < f->pairs && next_pair(c, &p); i++) {
    if (c->file->notes) c->file->notes[i] = (gf_file_note){p.key, p.value};
    const double number = number_of(c->bytes, p);
    if (gfi_text_is(c->bytes, p.key, "split.count") && number > 1) refuse(c, GF_FILE_PARTS, 0);
    if (p.type == STRING && gfi_text_is(c->bytes, p.key, "general.architecture"))
      f->architecture = p.value;
    if (!gfi_text_is(c->bytes, p.key, "general.alignment")) continue;
    f->alignment = number >= 1 && number <= 0x1p31 ? (uint64_t)number : 0;
    if (number != (double)f->alignment || !f->alignment || f->alignment & (f->alignment - 1))
      refuse(c, GF_FILE_SETTING, 0);
  }
  c->file->note_count = (uint32_t)f->pairs;
}

/* Rows and columns of a tensor, as blocks lie in it. */
static int columns_of(const gf_safetensor *tensor) {
  return (int)tensor->shape[tensor->rank - 1];
}
static int rows_of(const gf_safetensor *tensor) {
  int64_t rows = 1;
  for (int i = 0; i + 1 < tensor->rank; i++) rows *= tensor->shape[i];
  return (int)rows;
}

static bool read_shape(cursor *c, gf_safetensor *tensor) {
  const uint64_t rank = integer(c, 4);
  if (c->file->error || rank < 1 || rank > RANK) return refuse(c, GF_FILE_DIMENSIONS, rank);
  tensor->rank = (int32_t)rank;
  uint64_t numbers = 1;
  for (int i = tensor->rank; i-- > 0;) {
    const uint64_t size = integer(c, 8);
    if (!size) return refuse(c, GF_FILE_DIMENSIONS, 0);
    if (size > INT_MAX - 64 || numbers > GF_HEADER_SAFE / 8 / size)
      return refuse(c, GF_FILE_SHAPE, size);
    tensor->shape[i] = (int64_t)size;
    numbers *= size;
  }
  return numbers / (uint64_t)columns_of(tensor) <= INT_MAX - 64 || refuse(c, GF_FILE_SHAPE, 0);
}

gf_type gfi_gguf_type(const gf_safetensor *tensor) {
  for (int i = 0; i < TYPES; i++)
    if (!strcmp(types[i].name, tensor->dtype)) return types[i].type;
  return GF_F32;
}

static bool read_tensor(cursor *c, facts *f, uint64_t *next) {
  gf_safetensor *tensor = &c->file->culprit;
  memset(tensor, 0, sizeof *tensor);
  tensor->name = name(c);
  if (c->file->error || !read_shape(c, tensor)) return false;
  const uint32_t number = (uint32_t)integer(c, 4);
  int i = 0;
  while (i < TYPES && types[i].number != number) i++;
  if (i == TYPES) return refuse(c, GF_FILE_STORED, number);
  memcpy(tensor->dtype, types[i].name, sizeof tensor->dtype);
  const int rows = rows_of(tensor), columns = columns_of(tensor);
  const uint64_t numbers = (uint64_t)rows * (uint64_t)columns;
  const uint64_t row = types[i].bytes ? (uint64_t)types[i].bytes * (uint64_t)columns
                                      : gf_stored_bytes((int)types[i].type, 8, columns) / 8;
  if (!row) return refuse(c, GF_FILE_BLOCKS, (uint64_t)columns);
  tensor->begin = integer(c, 8);
  if (tensor->begin != *next)
    return refuse(c, tensor->begin < *next ? GF_FILE_OVERLAP : GF_FILE_HOLE, *next);
  tensor->end = tensor->begin + row * (uint64_t)rows;
  *next = aligned(tensor->end, f->alignment);
  /* As a float32 matrix; or stored in up to three parts, of which each is filled up to eight rows. */
  f->bytes += 4 * numbers + (types[i].type ? (row + 1) * ((uint64_t)rows + 24) : 0) + 64;
  for (int k = 0; k < NOTED; k++)
    if (gfi_text_is(c->bytes, tensor->name, noted_names[k])) f->noted[k] = *tensor;
  return !c->file->error;
}

/* Counts what there is, and keeps it where there is room. */
static bool read_header(gf_safetensors *file, const uint8_t *bytes, uint64_t size, facts *f) {
  cursor c = {bytes, 4, size < GF_HEADER_MOST ? size : GF_HEADER_MOST, file};
  memset(f, 0, sizeof *f);
  const uint64_t version = integer(&c, 4);
  if (version != 2 && version != 3) return refuse(&c, GF_FILE_VERSION, version);
  const uint64_t tensors = count(&c, LEAST_TENSOR);
  f->pairs = count(&c, LEAST_PAIR);
  read_pairs(&c, f);
  if (file->error) return false;
  file->key = (gf_file_text){0, 0};
  uint64_t next = 0;
  for (uint64_t i = 0; i < tensors; i++) {
    if (!read_tensor(&c, f, &next)) return false;
    if (file->culprit.end > size) return refuse(&c, GF_FILE_BEYOND, size);
    if (file->tensors) file->tensors[i] = file->culprit;
  }
  file->count = (uint32_t)tensors;
  file->data = aligned(c.at, f->alignment);
  const uint64_t end = tensors ? file->culprit.end : 0;
  return (file->data <= size && end <= size - file->data) || refuse(&c, GF_FILE_BEYOND, size);
}

/* ---- The model ---- */

/* What settings say that no field holds. */
typedef struct heard {
  uint32_t settings; /* bit of each that was there */
  double head;       /* channels that a head must have; 0: any */
  gf_file_text head_key;
  bool linear; /* all pairs are rotated slower */
} heard;

/* Puts a number into its field; fields have 4 bytes each. */
static bool put(gf_opened *opened, const setting *s, double value) {
  char *to = (char *)opened + s->field;
  const int least = s->kind <= INTEGER && s->field != AT(model.layers);
  if (!(value >= least && value <= (s->kind == REAL ? 1e30 : 16777216))) return false;
  const int32_t whole = s->kind == REAL ? 0 : (int32_t)value;
  const float real = (float)value;
  if (s->kind == REAL)
    memcpy(to, &real, sizeof real);
  else
    memcpy(to, &whole, sizeof whole);
  return s->kind == REAL || value == (double)whole;
}

static bool hear(gf_opened *opened, const uint8_t *bytes, const setting *s, pair p, heard *h) {
  const double value = number_of(bytes, p);
  switch (s->kind) {
  case SIZE:
  case INTEGER:
  case REAL:
    return put(opened, s, value);
  case FLAG:
    return p.type == BOOL && put(opened, s, bytes[p.value.at] != 0);
  case HEAD:
    h->head_key = p.key;
    if (h->head > 0 && h->head != value) return false;
    h->head = value;
    return value > 0;
  case SCALING:
    h->linear = p.type == STRING && gfi_text_is(bytes, p.value, "linear");
    return h->linear || (p.type == STRING && (gfi_text_is(bytes, p.value, "none") ||
                                              gfi_text_is(bytes, p.value, "default")));
  case ZERO:
    return value == 0;
  default:
    return true;
  }
}

/* What stands behind "llama." in a key; of 0 bytes if it is about something else. */
static gf_file_text behind(const uint8_t *bytes, gf_file_text key, const char *name) {
  const size_t length = strlen(name);
  if (key.bytes <= length + 1 || memcmp(bytes + key.at, name, length) != 0 ||
      bytes[key.at + length] != '.')
    return (gf_file_text){0, 0};
  return (gf_file_text){key.at + (uint32_t)length + 1, key.bytes - (uint32_t)length - 1};
}

static bool read_settings(gf_opened *opened, cursor *c, const facts *f, const architecture *a,
                          heard *h) {
  pair p;
  for (uint64_t i = 0; i < f->pairs && next_pair(c, &p); i++) {
    const gf_file_text key = behind(c->bytes, p.key, a->name);
    int k = 0;
    while (k < SETTINGS && a->settings[k].key && !gfi_text_is(c->bytes, key, a->settings[k].key))
      k++;
    if (!key.bytes) continue;
    if (k == SETTINGS || !a->settings[k].key || !hear(opened, c->bytes, &a->settings[k], p, h))
      return refuse(c, GF_FILE_SETTING, 0);
    h->settings |= 1u << k;
  }
  c->file->key = (gf_file_text){0, 0};
  for (int k = 0; k < SETTINGS; k++)
    if (a->settings[k].key && a->settings[k].kind == SIZE && !(h->settings >> k & 1))
      return refuse(c, GF_FILE_MISSING, 0);
  return true;
}

/* What Llama 3 has as divisors of the frequencies: slow pairs are rotated `stretch` times slower. All models have
 * the same other settings. */
static bool read_divisors(gf_opened *opened, const uint8_t *bytes, const gf_safetensor *tensor) {
  const float low = 1, high = 4;
  const int span = 8192, count = columns_of(tensor);
  const uint8_t *from = bytes + opened->file.data + tensor->begin;
  float stretch = 0, divisor;
  if (strcmp(tensor->dtype, "F32") != 0 || tensor->rank != 1 || count > 4096) return false;
  for (int i = 0; i < count; i++) {
    memcpy(&divisor, from + (size_t)4 * (size_t)i, sizeof divisor);
    if (divisor > stretch) stretch = divisor;
  }
  const float rate = f4_log(f4_splat(opened->model.rotary_base))[0] / (float)count;
  for (int i = 0; i < count; i++) {
    memcpy(&divisor, from + (size_t)4 * (size_t)i, sizeof divisor);
    const float turns = (float)span * 0.159154943f * gf_expf(-rate * (float)i);
    const float share = (turns - low) / (high - low);
    const float fast = share < 0 ? 0 : share > 1 ? 1 : share;
    const float off = divisor * ((1 - fast) / stretch + fast) - 1;
    if (!(off > -1e-4f && off < 1e-4f)) return false;
  }
  opened->variant.rotary_stretch = stretch;
  opened->variant.rotary_slow = low;
  opened->variant.rotary_fast = high;
  opened->variant.rotary_span = span;
  return stretch > 0;
}

/* Sizes that follow from others, and from the tensors that there are. */
static bool complete(gf_opened *opened, cursor *c, const facts *f, const architecture *a,
                     const heard *h) {
  gf_model *m = &opened->model;
  gf_variant *v = &opened->variant;
  const gf_safetensor *table = &f->noted[TABLE], *divisors = &f->noted[DIVISORS];
  if (!table->rank) return refuse(c, GF_FILE_MISSING, 0);
  m->vocab = (int32_t)table->shape[0];
  m->tied = !f->noted[OUTPUT].rank;
  if (a->biased) m->bias = f->noted[BIAS].rank > 0;
  const int64_t inner = (int64_t)a->inner * m->d_model;
  if (!m->d_ff) m->d_ff = inner > INT_MAX ? INT_MAX : (int32_t)inner;
  const double head = v->head_size ? v->head_size : (double)m->d_model / m->heads;
  c->file->key = h->head_key;
  if (h->head > 0 && h->head != head) return refuse(c, GF_FILE_SETTING, 0);
  c->file->key = (gf_file_text){0, 0};
  if (!v->rotary_size) v->rotary_size = (int32_t)(head * (double)a->rotated);
  if (h->linear && !(v->rotary_stretch > 0)) return refuse(c, GF_FILE_MISSING, 0);
  if (!h->linear) v->rotary_stretch = 0;
  v->rotary_fast = h->linear;
  if (m->positions != GF_ROTARY || !divisors->rank) return true;
  c->file->culprit = *divisors;
  return read_divisors(opened, c->bytes, divisors) || refuse(c, GF_FILE_SETTING, 0);
}

bool gfi_gguf_read(gf_opened *opened, const void *bytes, size_t size, void *memory,
                   gguf_facts *known) {
  gf_safetensors *file = &opened->file;
  facts f;
  heard h = {0};
  if (!read_header(file, bytes, size, &f)) return false;
  known->room = gfi_header_room(file, memory);
  if (memory && (!read_header(file, bytes, size, &f) || !gfi_header_sort(file, bytes)))
    return false;
  cursor c = {bytes, PREFIX, size, file};
  memset(&file->culprit, 0, sizeof file->culprit);
  int i = 0;
  while (i < ARCHITECTURES && !gfi_text_is(bytes, f.architecture, architectures[i].name)) i++;
  if (is_plain(bytes, f.architecture)) file->key = f.architecture;
  if (i == ARCHITECTURES) return refuse(&c, GF_FILE_ARCHITECTURE, 0);
  const architecture *a = known->architecture = &architectures[i];
  known->bytes = f.bytes;
  opened->model = a->model;
  opened->variant = a->variant;
  if (!read_settings(opened, &c, &f, a, &h) || !complete(opened, &c, &f, a, &h)) return false;
  if (memory && opened->variant.rotary_span)
    known->divisors = gf_safetensors_find(file, bytes, noted_names[DIVISORS]);
  return true;
}

/* ---- Parameters ---- */

/* Writes their name of a parameter of ours, if this is the row for it. */
static bool translate(const char *ours, const char *theirs, const char *name, char *out) {
  const char *layer = name;
  int digits = 0, length = 0;
  for (; *ours; ours++) {
    if (*ours != '#') {
      if (*ours != *name++) return false;
      continue;
    }
    for (layer = name; *name >= '0' && *name <= '9'; name++) digits++;
  }
  if (strcmp(name, ".weight") != 0 && strcmp(name, ".bias") != 0) return false;
  for (; *theirs; theirs++) {
    if (length + digits + 8 > NAME_BYTES) return false;
    if (*theirs != '#') out[length++] = *theirs;
    for (int i = 0; *theirs == '#' && i < digits; i++) out[length++] = layer[i];
  }
  memcpy(out + length, name, strlen(name) + 1);
  return true;
}

place gfi_gguf_find(const gf_opened *opened, const void *bytes, const gguf_facts *known,
                    const char *name, int role) {
  const architecture *a = known->architecture;
  const gf_variant *v = &opened->variant;
  char theirs[NAME_BYTES];
  int i = 0;
  while (i < NAMES && a->names[i].ours &&
         !translate(a->names[i].ours, a->names[i].theirs, name, theirs))
    i++;
  place p = {NULL, 0, 1, 0};
  if (i == NAMES || !a->names[i].ours) return p;
  p.tensor = gf_safetensors_find(&opened->file, bytes, theirs);
  /* Queries, keys and values that are one tensor; or whose rows are in another order. */
  if (strstr(theirs, "attn_qkv")) {
    p.parts = 3;
    p.part = role - GF_ROLE_QUERY;
  } else if (a->pairs && (role == GF_ROLE_QUERY || role == GF_ROLE_KEY)) {
    p.head = v->head_size ? v->head_size : opened->model.d_model / opened->model.heads;
  }
  return p;
}
