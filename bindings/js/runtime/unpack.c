/* Reads LZMA, as which the core is inlined: base64 of the core itself does not compress. A WebAssembly module of
 * its own, because it reads sooner than JavaScript does.
 *
 * The stream has lc = 3, lp = 0, pb = 0 and no header. It is not checked: it comes with the page that reads it.
 * Source: Igor Pavlov, LZMA specification, 2015. */
#include <stdint.h>

enum { PACKED = 65536, UNPACKED = 196608 };

/* What the last symbols were: 0 to 6 end in a literal, 7 to 11 in a copy. */
enum { STATES = 12, AFTER_COPY = 7 };

/* A chance that a bit is 0, of 2048. Those of a tree are numbered by its nodes, from 1. */
typedef uint16_t chance;

typedef struct {
  chance far, farther, low[8], middle[8], high[256];
} lengths;

typedef struct {
  chance copy[STATES], again[STATES], not_first[STATES], not_second[STATES], third[STATES],
      longer[STATES];
  chance slot[4][64], near[128], align[16], literal[8][768];
  lengths fresh, repeated;
} chances;

static uint8_t packed[PACKED], unpacked[UNPACKED];
static chances all;
static const uint8_t *next;
static uint32_t range, code;

static void fill(void) {
  if (range >> 24) return;
  range <<= 8;
  code = code << 8 | *next++;
}

static uint32_t bit(chance *of) {
  const uint32_t bound = (range >> 11) * *of;
  const uint32_t one = code >= bound;
  if (one) {
    range -= bound;
    code -= bound;
    *of -= *of >> 5;
  } else {
    range = bound;
    *of += (2048 - *of) >> 5;
  }
  fill();
  return one;
}

static uint32_t even_bits(uint32_t n) {
  uint32_t value = 0;
  for (; n; n--) {
    range >>= 1;
    const uint32_t one = code >= range;
    if (one) code -= range;
    fill();
    value = value << 1 | one;
  }
  return value;
}

/* n bits, the highest first. */
static uint32_t tree(chance *of, uint32_t n) {
  uint32_t node = 1;
  for (uint32_t i = 0; i < n; i++) node = node << 1 | bit(of + node);
  return node - (1u << n);
}

/* n bits, the lowest first. */
static uint32_t reverse_tree(chance *of, uint32_t n) {
  uint32_t node = 1, value = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t one = bit(of + node);
    node = node << 1 | one;
    value |= one << i;
  }
  return value;
}

static uint32_t length(lengths *of) {
  if (!bit(&of->far)) return 2 + tree(of->low, 3);
  if (!bit(&of->farther)) return 10 + tree(of->middle, 3);
  return 18 + tree(of->high, 8);
}

/* How far back a copy of so many bytes is from, less 1. */
static uint32_t distance(uint32_t n) {
  const uint32_t slot = tree(all.slot[n < 5 ? n - 2 : 3], 6);
  if (slot < 4) return slot;
  const uint32_t extra = (slot >> 1) - 1, base = (2 | (slot & 1)) << extra;
  if (slot < 14) return base + reverse_tree(all.near + base - slot, extra);
  return base + (even_bits(extra - 4) << 4) + reverse_tree(all.align, 4);
}

/* A byte; after a copy, told from the byte that would have gone on with it, as far as they agree. */
static uint8_t literal(chance *of, uint32_t expected, int after_copy) {
  uint32_t node = 1;
  while (after_copy && node < 256) {
    expected <<= 1;
    const uint32_t due = expected & 256;
    node = node << 1 | bit(of + 256 + due + node);
    after_copy = (node & 1) == due >> 8;
  }
  while (node < 256) node = node << 1 | bit(of + node);
  return (uint8_t)node;
}

/* Where the stream is to be written. */
uint8_t *input(void) {
  return packed;
}

/* Unpacks so many bytes of the stream. */
uint8_t *output(uint32_t size) {
  for (chance *of = (chance *)&all; of < (chance *)(&all + 1); of++) *of = 1024;
  range = UINT32_MAX;
  code = 0;
  next = packed + 1;
  for (int i = 0; i < 4; i++) code = code << 8 | *next++;
  uint32_t state = 0, back[4] = {0};
  uint8_t *out = unpacked;
  while (out < unpacked + size) {
    const int after_copy = state >= AFTER_COPY;
    if (!bit(&all.copy[state])) {
      const uint8_t last = out == unpacked ? 0 : out[-1];
      const uint8_t expected = after_copy ? *(out - back[0] - 1) : 0;
      *out++ = literal(all.literal[last >> 5], expected, after_copy);
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    uint32_t n = 1;
    if (!bit(&all.again[state])) {
      back[3] = back[2], back[2] = back[1], back[1] = back[0];
      n = length(&all.fresh);
      back[0] = distance(n);
      state = after_copy ? 10 : 7;
    } else {
      uint32_t which = bit(&all.not_first[state]);
      if (which) which += bit(&all.not_second[state]);
      if (which == 2) which += bit(&all.third[state]);
      if (which || bit(&all.longer[state])) {
        const uint32_t to = back[which];
        for (; which; which--) back[which] = back[which - 1];
        back[0] = to;
        n = length(&all.repeated);
        state = after_copy ? 11 : 8;
      } else {
        state = after_copy ? 11 : 9;
      }
    }
    for (; n; n--, out++) *out = *(out - back[0] - 1);
  }
  return unpacked;
}
