#include "format.h"

#include <string.h>

const format gfi_formats[GF_TYPE_COUNT] = {
    [GF_F32] = {.name = "f32"},
    [GF_IDS] = {.name = "ids"},
    [GF_F16] = {"f16", 1, 1, 0, false, 1},
    [GF_BF16] = {"bf16", 1, 1, 0, false, 1},
    [GF_Q4_0] = {"q4_0", 32, 1, 4, false, 32},
    [GF_Q4_1] = {"q4_1", 32, 2, 4, false, 32},
    [GF_Q5_0] = {"q5_0", 32, 1, 1 + 4, false, 32},
    [GF_Q5_1] = {"q5_1", 32, 2, 1 + 4, false, 32},
    [GF_Q8_0] = {"q8_0", 32, 1, 8, false, 32},
    [GF_Q4_K] = {"q4_k", 256, 2, 3 + 32, false, 64},
    [GF_Q5_K] = {"q5_k", 256, 2, 3 + 8 + 32, false, 64},
    [GF_Q6_K] = {"q6_k", 256, 1, 32 + 16 + 4, true, 128},
};

const char *gf_type_name(int type) {
  return type >= 0 && type < GF_TYPE_COUNT ? gfi_formats[type].name : NULL;
}

/* ---- Storing ---- */

static size_t strips_of(int rows) {
  return ((size_t)rows + WIDTH - 1) / WIDTH;
}

size_t gf_stored_bytes(int type, int rows, int columns) {
  if (type <= GF_IDS || type >= GF_TYPE_COUNT || rows < 1 || columns < 1) return 0;
  const format *f = &gfi_formats[type];
  if (columns % f->block) return 0;
  uint64_t strip = (uint64_t)(columns / f->block) * block_bytes(f) * WIDTH;
  return strip > SIZE_MAX / strips_of(rows) ? 0 : (size_t)strip * strips_of(rows);
}

/* Puts row r of a strip into its groups: block by block of a file, `step` bytes apart. */
static void put_row(unsigned char *group, const format *f, size_t r, size_t blocks,
                    const unsigned char *from, size_t step) {
  const size_t halves = (size_t)f->halves, words = (size_t)f->words;
  const size_t half_at = f->words_first ? 4 * words : 0, word_at = f->words_first ? 0 : 2 * halves;
  for (size_t i = 0; i < blocks; i++, group += WIDTH * block_bytes(f), from += step) {
    unsigned char *to = group + 2 * r;
    for (size_t h = 0; h < halves; h++) memcpy(to + h * 2 * WIDTH, from + half_at + 2 * h, 2);
    to = group + halves * 2 * WIDTH + 4 * r;
    for (size_t w = 0; w < words; w++) memcpy(to + w * 4 * WIDTH, from + word_at + 4 * w, 4);
  }
}

gf_error gf_store(void *memory, int type, int rows, int columns, int first, int count,
                  const void *from) {
  static const unsigned char zeros[256]; /* a block whose numbers are 0, of every type */
  const size_t bytes = gf_stored_bytes(type, rows, columns);
  if (!bytes || !memory || !from || first < 0 || count < 0 || count > rows - first)
    return GF_ERANGE;
  const format *f = &gfi_formats[type];
  const size_t blocks = (size_t)(columns / f->block), step = block_bytes(f);
  const size_t strip = bytes / strips_of(rows), end = (size_t)first + (size_t)count;
  const unsigned char *row = from;
  unsigned char *to = memory;
  for (size_t i = (size_t)first; i < end; i++, row += blocks * step)
    put_row(to + i / WIDTH * strip, f, i % WIDTH, blocks, row, step);
  if (end == (size_t)rows)
    for (size_t i = end; i % WIDTH; i++)
      put_row(to + i / WIDTH * strip, f, i % WIDTH, blocks, zeros, 0);
  return GF_OK;
}

/* ---- One number, as it is described ---- */

/* What a block's parts are for one of its rows. */
typedef struct row {
  const unsigned char *group;
  const format *format;
  size_t r;
} row;

static int32_t half_bits(row b, int h) {
  uint16_t bits;
  memcpy(&bits, b.group + 2 * (WIDTH * (size_t)h + b.r), sizeof bits);
  return bits;
}
static float half(row b, int h) {
  return f4_from_half(i4_splat(half_bits(b, h)))[0];
}

/* Byte i of the words, from word w on; and the same with its sign. */
static int byte(row b, int w, int i) {
  const size_t words = (size_t)b.format->halves * 2 * WIDTH, word = (size_t)w + (size_t)i / 4;
  return b.group[words + 4 * (word * WIDTH + b.r) + (size_t)i % 4];
}
static int signed_byte(row b, int w, int i) {
  const int all = byte(b, w, i);
  return all < 128 ? all : all - 256;
}

/* A nibble of the 16 bytes from word w on: those of the upper halves come behind the lower ones. */
static int nibble(row b, int w, int i) {
  return byte(b, w, i % 16) >> (i / 16 * 4) & 15;
}

/* The 6-bit factors of part j of 8: the first four lie in 6 bits, the others are pieced together. */
static void read_factors(row b, int j, gf_weight *weight) {
  int low = byte(b, 0, j % 4), high = byte(b, 0, 4 + j % 4), rest = byte(b, 0, 8 + j % 4);
  weight->scale = j < 4 ? low & 63 : (rest & 15) | (low >> 6 << 4);
  weight->offset = j < 4 ? high & 63 : rest >> 4 | (high >> 6 << 4);
}

/* The integer number i of a block, and its factors. */
static void read_integer(row b, gf_type type, int i, gf_weight *weight) {
  const int part = i / 32, fifth = b.format->words > 4;
  switch (type) {
  case GF_Q4_0:
  case GF_Q4_1:
  case GF_Q5_0:
  case GF_Q5_1:
    weight->q = nibble(b, fifth, i);
    if (fifth) weight->q |= (byte(b, 0, i / 8) >> i % 8 & 1) << 4;
    if (b.format->halves == 1) weight->q -= fifth ? 16 : 8;
    return;
  case GF_Q8_0:
    weight->q = signed_byte(b, 0, i);
    return;
  case GF_Q4_K:
  case GF_Q5_K:
    read_factors(b, part, weight);
    weight->q = byte(b, b.format->words - 32 + 8 * (part / 2), i % 32) >> part % 2 * 4 & 15;
    if (type == GF_Q5_K) weight->q |= (byte(b, 3, i % 32) >> part & 1) << 4;
    return;
  case GF_Q6_K:
    weight->scale = signed_byte(b, 48, i / 16);
    weight->q = byte(b, 16 * (i / 128) + 8 * (part % 2), i % 32) >> part % 4 / 2 * 4 & 15;
    weight->q |= (byte(b, 32 + 8 * (i / 128), i % 32) >> 2 * (part % 4) & 3) << 4;
    weight->q -= 32;
    return;
  default:;
  }
}

gf_weight gfi_stored_weight(stored b, size_t at, size_t column) {
  const format *f = &gfi_formats[b.type];
  const size_t block = (size_t)f->block;
  const row where = {strip_of(b, at / WIDTH) + column / block * WIDTH * block_bytes(f), f,
                     at % WIDTH};
  gf_weight weight = {.scale = 1, .q = 1, .offset = 1};
  weight.d = b.type == GF_BF16 ? f4_from_upper(i4_splat(half_bits(where, 0)))[0] : half(where, 0);
  if (f->halves == 2) weight.m = half(where, 1);
  read_integer(where, b.type, (int)(column % block), &weight);
  if (b.type == GF_Q4_K || b.type == GF_Q5_K) weight.m = -weight.m;
  weight.value = weight.d * (float)weight.scale * (float)weight.q;
  if (f->halves == 2) weight.value += weight.m * (float)weight.offset;
  return weight;
}
