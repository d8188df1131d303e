/* What is in a safetensors file: https://github.com/huggingface/safetensors. Eight bytes are the length of the
 * header, the header is JSON, the rest are the tensors' numbers. What may stand where is known, so nothing here
 * recurses, however deep a file nests. */
#include "header.h"

#include <stdbool.h>
#include <string.h>

enum { PREFIX = 8, DTYPES = 13 };

static const struct {
  char name[8];
  int bytes;
} dtypes[DTYPES] = {{"F64", 8}, {"F32", 4}, {"F16", 2}, {"BF16", 2}, {"I64", 8},
                    {"U64", 8}, {"I32", 4}, {"U32", 4}, {"I16", 2},  {"U16", 2},
                    {"I8", 1},  {"U8", 1},  {"BOOL", 1}};

/* ---- Text ---- */

/* The number of a code point's bytes in UTF-8, 0 if they are none. */
static int utf8(const uint8_t *from, size_t room) {
  const uint8_t c = from[0];
  if (c < 0x80) return 1;
  const int length = c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
  if (!length || (size_t)length > room) return 0;
  for (int i = 1; i < length; i++)
    if (from[i] >> 6 != 2) return 0;
  /* Neither longer than need be, nor a surrogate, nor above U+10FFFF. */
  if ((c == 0xe0 && from[1] < 0xa0) || (c == 0xed && from[1] > 0x9f)) return 0;
  if ((c == 0xf0 && from[1] < 0x90) || (c == 0xf4 && from[1] > 0x8f)) return 0;
  return length;
}

/* The number that four hexadecimal digits are, or -1. */
static int32_t hex(const uint8_t *from, size_t room) {
  int32_t value = 0;
  for (size_t i = 0; i < 4; i++) {
    if (i >= room) return -1;
    const uint8_t c = from[i], low = c | 0x20;
    if (c >= '0' && c <= '9')
      value = 16 * value + (c - '0');
    else if (low >= 'a' && low <= 'f')
      value = 16 * value + (low - 'a' + 10);
    else
      return -1;
  }
  return value;
}

/* Reads a code point of a JSON string, and returns its bytes there; 0 if it is none. */
static uint32_t read_point(const uint8_t *from, size_t room, int32_t *point) {
  static const uint8_t escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  if (from[0] != '\\') {
    static const uint8_t lead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    const int length = utf8(from, room);
    if (from[0] < 0x20 || !length) return 0;
    *point = from[0] & lead[length];
    for (int i = 1; i < length; i++) *point = *point << 6 | (from[i] & 0x3f);
    return (uint32_t)length;
  }
  if (room < 2) return 0;
  if (from[1] != 'u') {
    int which = 0;
    while (escapes[which] && from[1] != escapes[which]) which++;
    *point = meant[which];
    return escapes[which] ? 2 : 0;
  }
  *point = hex(from + 2, room - 2);
  if (*point < 0 || *point >> 10 == 0xdc00 >> 10) return 0;
  if (*point >> 10 != 0xd800 >> 10) return 6;
  if (room < 12 || from[6] != '\\' || from[7] != 'u') return 0;
  const int32_t low = hex(from + 8, room - 8);
  if (low < 0 || low >> 10 != 0xdc00 >> 10) return 0;
  *point = 0x10000 + ((*point & 0x3ff) << 10 | (low & 0x3ff));
  return 12;
}

/* Writes a code point as UTF-8, and returns its bytes. */
static int put_point(int32_t point, char to[4]) {
  if (point < 0x80) {
    to[0] = (char)point;
    return 1;
  }
  const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  to[0] = (char)(0xff00 >> (more + 1) | point >> (6 * more));
  for (int i = 1; i <= more; i++) to[i] = (char)(0x80 | (point >> (6 * (more - i)) & 0x3f));
  return more + 1;
}

size_t gf_file_string(const void *bytes, gf_file_text text, char *out) {
  const uint8_t *from = (const uint8_t *)bytes + text.at;
  char *to = out;
  int32_t point = 0;
  for (uint32_t at = 0; at < text.bytes; to += put_point(point, to))
    at += read_point(from + at, text.bytes - at, &point);
  *to = 0;
  return (size_t)(to - out);
}

/* By code points; of those that begin alike the shorter one comes first. */
static int compare(const uint8_t *bytes, gf_file_text a, gf_file_text b) {
  uint32_t i = 0, k = 0;
  while (i < a.bytes && k < b.bytes) {
    int32_t x = 0, y = 0;
    i += read_point(bytes + a.at + i, a.bytes - i, &x);
    k += read_point(bytes + b.at + k, b.bytes - k, &y);
    if (x != y) return x < y ? -1 : 1;
  }
  return (i < a.bytes) - (k < b.bytes);
}

/* The same with a word in UTF-8, whose bytes are in the order of its code points. */
static int compare_word(const uint8_t *bytes, gf_file_text text, const char *word) {
  int32_t point = 0;
  for (uint32_t at = 0; at < text.bytes;) {
    char point_bytes[4];
    at += read_point(bytes + text.at + at, text.bytes - at, &point);
    const int length = put_point(point, point_bytes);
    for (int i = 0; i < length; i++, word++)
      if (point_bytes[i] != *word || !*word)
        return (unsigned char)point_bytes[i] < (unsigned char)*word ? -1 : 1;
  }
  return -(*word != 0);
}

bool gfi_text_is(const uint8_t *bytes, gf_file_text text, const char *word) {
  return !compare_word(bytes, text, word);
}

/* ---- JSON as the header has it ---- */

typedef struct reader {
  const uint8_t *bytes;
  uint32_t at, end;
  gf_safetensors *file;
  header_facts *facts;
} reader;

static bool refuse(reader *r, gf_file_error error) {
  r->file->error = error;
  r->file->at = r->at - PREFIX;
  return false;
}

static bool refuse_key(reader *r, gf_file_error error, gf_file_text key) {
  r->file->key = key;
  return refuse(r, error);
}

static void skip(reader *r) {
  for (; r->at < r->end; r->at++) {
    const uint8_t c = r->bytes[r->at];
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return;
  }
}

/* Reads past the sign, if it comes next. */
static bool take(reader *r, char sign) {
  skip(r);
  if (r->at == r->end || r->bytes[r->at] != (uint8_t)sign) return false;
  r->at++;
  return true;
}

static bool need(reader *r, char sign) {
  if (take(r, sign)) return true;
  r->file->number = (uint64_t)sign;
  return refuse(r, GF_FILE_JSON_SIGN);
}

static bool read_string(reader *r, gf_file_text *text) {
  if (!take(r, '"')) return refuse(r, GF_FILE_JSON_STRING);
  const uint32_t begin = r->at;
  int32_t point;
  for (uint32_t at = begin, step; at < r->end; at += step) {
    if (r->bytes[at] == '"') {
      *text = (gf_file_text){begin, at - begin};
      r->at = at + 1;
      return true;
    }
    step = read_point(r->bytes + at, r->end - at, &point);
    if (!step) break;
  }
  r->at = begin - 1;
  return refuse(r, GF_FILE_JSON_UNICODE);
}

/* Whether a sign makes another number of the digits before it. */
static bool goes_on(uint8_t c) {
  const bool word = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';
  return word || c == '-' || c == '+' || c == '.';
}

/* Nothing may follow that makes it another number. */
static bool read_integer(reader *r, int64_t *value) {
  skip(r);
  uint32_t at = r->at;
  uint64_t sum = 0;
  for (; at < r->end && at - r->at < 17 && r->bytes[at] >= '0' && r->bytes[at] <= '9'; at++)
    sum = 10 * sum + (r->bytes[at] - '0');
  const uint8_t next = at < r->end ? r->bytes[at] : 0;
  if (at == r->at || (r->bytes[r->at] == '0' && at > r->at + 1) || sum > GF_HEADER_SAFE ||
      goes_on(next))
    return refuse(r, GF_FILE_JSON_INTEGER);
  r->at = at;
  *value = (int64_t)sum;
  return true;
}

/* At most so many. */
static bool read_integers(reader *r, int64_t *values, int most, int32_t *count, gf_file_text key) {
  *count = 0;
  if (!need(r, '[')) return false;
  if (take(r, ']')) return true;
  do {
    if (*count == most) {
      r->file->number = (uint64_t)most;
      return refuse_key(r, GF_FILE_TOO_MANY, key);
    }
    if (!read_integer(r, &values[(*count)++])) return false;
  } while (take(r, ','));
  return need(r, ']');
}

/* ---- Tensors and notes ---- */

static bool read_fields(reader *r, gf_safetensor *tensor, gf_file_text *dtype, int64_t offsets[2]) {
  static const char *const names[] = {"dtype", "shape", "data_offsets"};
  bool there[3] = {false, false, false};
  int32_t count = 0;
  if (!need(r, '{')) return false;
  if (take(r, '}')) return refuse(r, GF_FILE_FIELDS);
  do {
    gf_file_text key;
    int field = 0;
    if (!read_string(r, &key)) return false;
    while (field < 3 && !gfi_text_is(r->bytes, key, names[field])) field++;
    if (field < 3 && there[field]) return refuse_key(r, GF_FILE_KEY_TWICE, key);
    if (!need(r, ':')) return false;
    if (field == 3) return refuse_key(r, GF_FILE_KEY_UNKNOWN, key);
    there[field] = true;
    if (field == 0   ? !read_string(r, dtype)
        : field == 1 ? !read_integers(r, tensor->shape, GF_FILE_RANK, &tensor->rank, key)
                     : !read_integers(r, offsets, 2, &count, key))
      return false;
  } while (take(r, ','));
  if (!need(r, '}')) return false;
  return (there[1] && count == 2) || refuse(r, GF_FILE_FIELDS);
}

static bool read_tensor(reader *r, gf_safetensor *tensor) {
  gf_file_text dtype = {r->at, 0};
  int64_t offsets[2] = {0, 0};
  if (!read_fields(r, tensor, &dtype, offsets)) return false;
  int type = 0;
  while (type < DTYPES && !gfi_text_is(r->bytes, dtype, dtypes[type].name)) type++;
  if (type == DTYPES) return refuse_key(r, GF_FILE_DTYPE, dtype);
  memcpy(tensor->dtype, dtypes[type].name, sizeof tensor->dtype);
  tensor->begin = (uint64_t)offsets[0];
  tensor->end = (uint64_t)offsets[1];
  uint64_t bytes = (uint64_t)dtypes[type].bytes;
  for (int i = 0; i < tensor->rank; i++) {
    const uint64_t size = (uint64_t)tensor->shape[i];
    if (size && bytes > GF_HEADER_SAFE / size) return refuse(r, GF_FILE_SHAPE);
    bytes *= size;
  }
  r->file->number = bytes;
  r->facts->numbers += bytes / (uint64_t)dtypes[type].bytes;
  return tensor->end - tensor->begin == bytes || refuse(r, GF_FILE_OFFSETS);
}

/* Reads past null, which stands for no notes, if it comes next. */
static bool take_null(reader *r) {
  static const char word[] = "null";
  skip(r);
  if (r->end - r->at < 4) return false;
  for (int i = 0; i < 4; i++)
    if (r->bytes[r->at + i] != (uint8_t)word[i]) return false;
  r->at += 4;
  return true;
}

static bool read_notes(reader *r) {
  gf_safetensors *file = r->file;
  if (take_null(r)) return true;
  if (!need(r, '{')) return false;
  if (take(r, '}')) return true;
  do {
    gf_file_note note;
    if (!read_string(r, &note.key) || !need(r, ':') || !read_string(r, &note.value)) return false;
    if (file->notes) file->notes[file->note_count] = note;
    if (gfi_text_is(r->bytes, note.key, "config")) r->facts->config = note.value;
    if (gfi_text_is(r->bytes, note.key, "format")) r->facts->format = note.value;
    file->note_count++;
  } while (take(r, ','));
  return need(r, '}');
}

/* Counts what there is, and keeps it where there is room. */
static bool read_header(reader *r) {
  gf_safetensors *file = r->file;
  bool noted = false;
  if (!need(r, '{')) return false;
  if (take(r, '}')) return true;
  do {
    gf_safetensor *tensor = &file->culprit;
    memset(tensor, 0, sizeof *tensor);
    file->number = 0;
    gf_file_text name;
    if (!read_string(r, &name)) return false;
    const bool notes = gfi_text_is(r->bytes, name, "__metadata__");
    if (notes && noted) return refuse_key(r, GF_FILE_KEY_TWICE, name);
    if (!need(r, ':')) return false;
    noted |= notes;
    if (!notes) tensor->name = name;
    if (notes ? !read_notes(r) : !read_tensor(r, tensor)) return false;
    if (notes) continue;
    if (file->tensors) file->tensors[file->count] = *tensor;
    file->count++;
  } while (take(r, ','));
  return need(r, '}');
}

/* ---- Of all of them ---- */

typedef bool (*order)(const gf_safetensors *file, const uint8_t *bytes, uint32_t a, uint32_t b);

static bool by_name(const gf_safetensors *file, const uint8_t *bytes, uint32_t a, uint32_t b) {
  return compare(bytes, file->tensors[a].name, file->tensors[b].name) < 0;
}

static bool by_key(const gf_safetensors *file, const uint8_t *bytes, uint32_t a, uint32_t b) {
  return compare(bytes, file->notes[a].key, file->notes[b].key) < 0;
}

static bool by_place(const gf_safetensors *file, const uint8_t *bytes, uint32_t a, uint32_t b) {
  (void)bytes;
  const gf_safetensor *x = &file->tensors[a], *y = &file->tensors[b];
  return x->begin < y->begin || (x->begin == y->begin && x->end < y->end);
}

/* Heapsort: it needs no room, and no file makes it slow. */
static void sort(const gf_safetensors *file, const uint8_t *bytes, uint32_t *ids, uint32_t n,
                 order less) {
  for (uint32_t i = 0; i < n; i++) ids[i] = i;
  for (uint32_t root = n / 2, end = n; end > 1;) {
    if (root)
      root--;
    else {
      const uint32_t last = ids[--end];
      ids[end] = ids[0];
      ids[0] = last;
    }
    for (uint32_t at = root, child; (child = 2 * at + 1) < end; at = child) {
      if (child + 1 < end && less(file, bytes, ids[child], ids[child + 1])) child++;
      if (!less(file, bytes, ids[at], ids[child])) break;
      const uint32_t id = ids[at];
      ids[at] = ids[child];
      ids[child] = id;
    }
  }
}

/* The number of each tensor, and room for those of the notes: see gfi_header_room. */
static uint32_t *ids_of(const gf_safetensors *file) {
  return (uint32_t *)(void *)(file->notes + file->note_count);
}

size_t gfi_header_room(gf_safetensors *file, void *memory) {
  const size_t count = file->count, notes = file->note_count, most = count > notes ? count : notes;
  if (memory) {
    memset(file, 0, sizeof *file);
    file->tensors = memory;
    file->notes = (gf_file_note *)(void *)(file->tensors + count + 1);
  }
  return (count + 1) * sizeof(gf_safetensor) + notes * sizeof(gf_file_note) +
         most * sizeof(uint32_t);
}

static bool refuse_twice(gf_safetensors *file, gf_file_text key, bool noted) {
  file->error = GF_FILE_KEY_TWICE;
  file->key = key;
  file->number = noted;
  return false;
}

bool gfi_header_sort(gf_safetensors *file, const uint8_t *bytes) {
  uint32_t *ids = ids_of(file);
  memset(&file->culprit, 0, sizeof file->culprit);
  sort(file, bytes, ids, file->note_count, by_key);
  for (uint32_t i = 1; i < file->note_count; i++) {
    const gf_file_text key = file->notes[ids[i]].key;
    if (!compare(bytes, file->notes[ids[i - 1]].key, key)) return refuse_twice(file, key, true);
  }
  sort(file, bytes, ids, file->count, by_name);
  for (uint32_t i = 1; i < file->count; i++) {
    const gf_file_text name = file->tensors[ids[i]].name;
    if (!compare(bytes, file->tensors[ids[i - 1]].name, name))
      return refuse_twice(file, name, false);
  }
  return true;
}

/* Every byte of the data belongs to one tensor. */
static bool check_layout(reader *r, uint64_t size) {
  gf_safetensors *file = r->file;
  uint32_t *ids = ids_of(file);
  uint64_t at = 0;
  sort(file, r->bytes, ids, file->count, by_place);
  for (uint32_t i = 0; i < file->count; i++) {
    const gf_safetensor *tensor = &file->tensors[ids[i]];
    file->culprit = *tensor;
    file->number = at;
    if (tensor->begin < at) return refuse(r, GF_FILE_OVERLAP);
    if (tensor->begin > at) return refuse(r, GF_FILE_HOLE);
    file->number = size;
    if (tensor->end > size) return refuse(r, GF_FILE_BEYOND);
    at = tensor->end;
  }
  file->number = size - at;
  return at == size || refuse(r, GF_FILE_TRAILING);
}

static bool read_file(reader *r, size_t size) {
  gf_safetensors *file = r->file;
  file->number = size;
  if (size < PREFIX) return refuse(r, GF_FILE_TOO_SHORT);
  uint64_t length = 0;
  for (int i = PREFIX; i-- > 0;) length = length << 8 | r->bytes[i];
  file->number = length;
  if (length > GF_HEADER_MOST) return refuse(r, GF_FILE_HEADER_TOO_LONG);
  if (length > size - PREFIX) return refuse(r, GF_FILE_HEADER_BEYOND);
  r->at = PREFIX;
  r->end = PREFIX + (uint32_t)length;
  file->data = r->end;
  for (uint32_t at = r->at, step; at < r->end; at += step) {
    step = (uint32_t)utf8(r->bytes + at, r->end - at);
    if (!step) return refuse(r, GF_FILE_HEADER_UTF8);
  }
  if (!read_header(r)) return false;
  skip(r);
  return r->at == r->end || refuse(r, GF_FILE_JSON_END);
}

size_t gfi_safetensors_open(gf_safetensors *file, const void *bytes, size_t size, void *memory,
                            header_facts *facts) {
  reader r = {bytes, PREFIX, PREFIX, file, facts};
  memset(file, 0, sizeof *file);
  memset(facts, 0, sizeof *facts);
  if (!read_file(&r, size)) return 0;
  const size_t room = gfi_header_room(file, memory);
  if (!memory) return room;
  r.at = PREFIX;
  if (!read_file(&r, size) || !gfi_header_sort(file, bytes) || !check_layout(&r, size - file->data))
    return 0;
  sort(file, bytes, ids_of(file), file->count, by_name);
  return room;
}

size_t gf_safetensors_open(gf_safetensors *file, const void *bytes, size_t size, void *memory) {
  header_facts facts;
  return gfi_safetensors_open(file, bytes, size, memory, &facts);
}

const gf_safetensor *gf_safetensors_find(const gf_safetensors *file, const void *bytes,
                                         const char *name) {
  const uint32_t *ids = ids_of(file);
  for (uint32_t first = 0, end = file->count; first < end;) {
    const uint32_t middle = first + (end - first) / 2;
    const int order = compare_word(bytes, file->tensors[ids[middle]].name, name);
    if (!order) return &file->tensors[ids[middle]];
    if (order < 0)
      first = middle + 1;
    else
      end = middle;
  }
  return NULL;
}
