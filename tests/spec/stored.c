/* Stored parameters: every number is the one that the format's description gives, and every result has the
 * bits of the float32 matrix of these numbers. */
#include "harness.h"

#include <math.h>
#include <string.h>

enum { FIRST = GF_F16, TYPES = GF_TYPE_COUNT };

/* ---- The formats, as ggml describes them, number by number in float64 ---- */

static unsigned word16(const unsigned char *p) {
  return p[0] | (unsigned)p[1] << 8;
}

static double half(const unsigned char *p) {
  unsigned bits = word16(p);
  int exponent = (int)(bits >> 10 & 31);
  double fraction = bits & 1023, sign = bits >> 15 ? -1.0 : 1.0;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  return sign * (exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24));
}

static double bfloat(const unsigned char *p) {
  uint32_t bits = (uint32_t)word16(p) << 16;
  float x;
  memcpy(&x, &bits, sizeof x);
  return (double)x;
}

static int block_of(int type) {
  return type <= GF_BF16 ? 1 : type <= GF_Q8_0 ? 32 : 256;
}
static int bytes_of(int type) {
  static const int bytes[TYPES] = {
      [GF_F16] = 2,   [GF_BF16] = 2,  [GF_Q4_0] = 18,  [GF_Q4_1] = 20,  [GF_Q5_0] = 22,
      [GF_Q5_1] = 24, [GF_Q8_0] = 34, [GF_Q4_K] = 144, [GF_Q5_K] = 176, [GF_Q6_K] = 210};
  return bytes[type];
}

/* Blocks of 32: the scale, the offset, the fifth bits, then 16 bytes: number i is in byte i % 16, those from
 * 16 on in its upper half. */
static double of_32(const unsigned char *b, int i, bool offset, bool fifth) {
  const unsigned char *fifths = b + (offset ? 4 : 2), *nibbles = fifths + (fifth ? 4 : 0);
  int q = i < 16 ? nibbles[i] & 15 : nibbles[i - 16] >> 4;
  if (fifth) q += 16 * (fifths[i / 8] >> i % 8 & 1);
  if (!offset) q -= fifth ? 16 : 8;
  return offset ? half(b) * q + half(b + 2) : half(b) * q;
}

/* Super-blocks of 256: scale and offset, 12 bytes of eight pairs of 6-bit factors, for 5 bits 32 bytes whose
 * bit j belongs to part j, and 128 bytes: parts 2 c and 2 c + 1 share the 32 bytes from 32 c on. */
static double of_256(const unsigned char *b, int i, bool fifth) {
  int j = i / 32, l = i % 32;
  const unsigned char *f = b + 4, *fifths = b + 16, *nibbles = fifths + (fifth ? 32 : 0);
  int scale = j < 4 ? f[j] & 63 : (f[j + 4] & 15) | (f[j - 4] >> 6) << 4;
  int offset = j < 4 ? f[j + 4] & 63 : f[j + 4] >> 4 | (f[j] >> 6) << 4;
  int byte = nibbles[32 * (j / 2) + l], q = j % 2 ? byte >> 4 : byte & 15;
  if (fifth) q += 16 * (fifths[l] >> j & 1);
  return half(b) * scale * q - half(b + 2) * offset;
}

/* 128 bytes of lower bits, 64 of upper ones, 16 scales with a sign, the scale of them. Each half of 128
 * numbers is four parts of 32: parts 0 and 2 share the first 32 of its 64 bytes, 1 and 3 the others; all four
 * share 32 bytes of upper bits. */
static double of_six(const unsigned char *b, int i) {
  int n = i / 128, part = i % 128 / 32, l = i % 32;
  int byte = b[64 * n + 32 * (part % 2) + l];
  int low = part < 2 ? byte & 15 : byte >> 4, high = b[128 + 32 * n + l] >> (2 * part) & 3;
  return half(b + 208) * (int8_t)b[192 + i / 16] * (low + 16 * high - 32);
}

static double number(int type, const unsigned char *b, int i) {
  switch (type) {
  case GF_F16:
    return half(b);
  case GF_BF16:
    return bfloat(b);
  case GF_Q4_0:
  case GF_Q4_1:
  case GF_Q5_0:
  case GF_Q5_1:
    return of_32(b, i, type == GF_Q4_1 || type == GF_Q5_1, type >= GF_Q5_0);
  case GF_Q8_0:
    return half(b) * (int8_t)b[2 + i];
  case GF_Q6_K:
    return of_six(b, i);
  default:
    return of_256(b, i, type == GF_Q5_K);
  }
}

/* ---- Matrices ---- */

/* What a file has of a matrix, its numbers, and the matrix as products read it. */
typedef struct matrix {
  int type, rows, columns;
  size_t row; /* bytes of a row in the file */
  unsigned char *file;
  float *numbers;
  void *memory;
} matrix;

/* A scale of 2^-6 to 2^3, of either sign. */
static void put_half(unsigned char *p) {
  unsigned bits =
      (unsigned)random_between(9 << 10, 18 << 10) | (random_between(0, 1) < 0.5 ? 0x8000u : 0u);
  p[0] = (unsigned char)bits;
  p[1] = (unsigned char)(bits >> 8);
}

static void put_block(int type, unsigned char *b) {
  for (int i = 0; i < bytes_of(type); i++) b[i] = (unsigned char)random_between(0, 256);
  if (type == GF_BF16)
    b[1] = (unsigned char)(63 | (b[1] & 128));
  else
    put_half(type == GF_Q6_K ? b + 208 : b);
  if (type == GF_Q4_1 || type == GF_Q5_1 || type == GF_Q4_K || type == GF_Q5_K) put_half(b + 2);
}

static void store(const matrix *w, int first, int count) {
  EXPECT_INT(gf_store(w->memory, w->type, w->rows, w->columns, first, count,
                      w->file + (size_t)first * w->row),
             GF_OK);
}

/* Numbers are what the blocks say. */
static void read_numbers(const matrix *w) {
  const int block = block_of(w->type), blocks = w->columns / block;
  for (int i = 0; i < w->rows * w->columns; i++) {
    int at = i / w->columns * blocks + i % w->columns / block;
    w->numbers[i] = (float)number(w->type, w->file + at * bytes_of(w->type), i % block);
  }
}

static matrix new_matrix(int type, int rows, int columns) {
  matrix w = {type, rows, columns, (size_t)(columns / block_of(type) * bytes_of(type)), 0, 0, 0};
  size_t bytes = gf_stored_bytes(type, rows, columns), up = ((size_t)rows + 7) / 8 * 8;
  EXPECT_INT(bytes, up * w.row);
  w.file = room((size_t)rows * w.row, 1); /* at any address */
  w.numbers = room((size_t)rows * (size_t)columns * sizeof(float), 0);
  w.memory = room(bytes, 0);
  for (size_t at = 0; at < (size_t)rows * w.row; at += (size_t)bytes_of(type))
    put_block(type, w.file + at);
  read_numbers(&w);
  store(&w, 0, rows);
  return w;
}

/* ---- Products: the same tape with the numbers, and with what is stored ---- */

typedef struct product {
  const matrix *w;
  int along;    /* 0: w [columns,rows], else [rows,columns] */
  int m, batch; /* x [batch,m,columns]; without a batch [m,columns] */
  int (*build)(gf_tape *t, int x, int w);
} product;

static int linear(gf_tape *t, int x, int w) {
  return gf_linear(t, x, w, GF_NONE, "y");
}
static int matmul(gf_tape *t, int x, int w) {
  return gf_matmul(t, x, w, "y");
}
static int transposed(gf_tape *t, int x, int w) {
  return gf_matmul_transposed(t, x, w, "y");
}

static gf_tape *build(const product *p, bool stored) {
  gf_tape *t = new_tape();
  const matrix *w = p->w;
  int rows = w->rows, columns = w->columns;
  int x = p->batch ? IN(t, p->batch, p->m, columns) : IN(t, p->m, columns);
  int shape[] = {p->along ? rows : columns, p->along ? columns : rows};
  int leaf = gf_parameter(t, 2, shape, "w");
  p->build(t, x, leaf);
  if (stored) EXPECT_INT(gf_bind_stored(t, leaf, w->type, p->along, w->memory), GF_OK);
  place(t);
  EXPECT_INT(gf_node_type(t, leaf), stored ? w->type : GF_F32);
  EXPECT(stored == !gf_node_value(t, leaf) && stored == !gf_node_grad(t, leaf));
  float *value = gf_node_value(t, leaf);
  for (int i = 0; value && i < rows * columns; i++) {
    int row = p->along ? i / columns : i % rows, column = p->along ? i % columns : i / rows;
    value[i] = w->numbers[row * columns + column];
  }
  return t;
}

static void fill(float *x, float *same, int n) {
  for (int i = 0; i < n; i++) x[i] = same[i] = (float)random_between(-1, 1);
}

static void try_product(product p) {
  if (harness_complaint()) return;
  gf_tape *stored = build(&p, true), *plain = build(&p, false);
  int y = gf_find(plain, "y");
  for (int run = 0; run < 2; run++) {
    fill(gf_node_value(plain, 0), gf_node_value(stored, 0), gf_node_size(plain, 0));
    EXPECT_INT(gf_forward(plain, 0, GF_LAST), GF_OK);
    EXPECT_INT(gf_forward(stored, 0, GF_LAST), GF_OK);
    EXPECT(same(gf_node_value(stored, y), gf_node_value(plain, y), (size_t)gf_node_size(plain, y)));
    /* Gradients are added to those of the run before. */
    fill(gf_node_grad(plain, y), gf_node_grad(stored, y), gf_node_size(plain, y));
    EXPECT_INT(gf_backward(plain, 0, GF_LAST), GF_OK);
    EXPECT_INT(gf_backward(stored, 0, GF_LAST), GF_OK);
    EXPECT(same(gf_node_grad(stored, 0), gf_node_grad(plain, 0), (size_t)gf_node_size(plain, 0)));
  }
  complain_of("%s, %d rows of %d, m %d", gf_type_name(p.w->type), p.w->rows, p.w->columns, p.m);
}

static void try_products(int type, int m, int rows, int columns) {
  room_reset();
  matrix w = new_matrix(type, rows, columns);
  int from = room_count();
  try_product((product){&w, 0, m, 0, linear});
  room_forget(from);
  try_product((product){&w, 1, m, 0, transposed});
}

static void check_products(int type) {
  const int block = block_of(type), long_one = type <= GF_BF16 ? 257 : 256 + block;
  for (const int *n = tails; *n; n++) try_products(type, 1, *n, block);
  for (int m = 1; m <= 9; m++) try_products(type, m, 70, long_one);
  if (block == 1)
    for (const int *n = tails; *n; n++) try_products(type, 4, 11, *n);
  try_products(type, 2, 33, 2 * block);
  try_products(type, 3, 100, 4 * block);
  try_products(type, 4, 5, 512);
  try_products(type, 1, 300, 768);
  try_products(type, 5, 300, 256);

  room_reset();
  matrix w = new_matrix(type, 10, 512);
  try_product((product){&w, 0, 3, 2, linear});
  try_product((product){&w, 0, 3, 2, matmul});
  try_product((product){&w, 1, 3, 2, transposed});
}

/* ---- Single numbers ---- */

static bool same_number(double is, double expected) {
  float a = (float)is, b = (float)expected;
  return same(&a, &b, 1) && (is != is || signbit(is) == signbit(expected));
}

/* Rows by embed, cells by gf_node_weight, lines by gf_node_line, along either dimension. */
static void check_numbers(const matrix *w) {
  gf_tape *t = new_tape();
  int ids = IDS(t, w->rows);
  int table = gf_parameter(t, 2, (int[]){w->rows, w->columns}, "table"),
      turned = gf_parameter(t, 2, (int[]){w->columns, w->rows}, "turned");
  int y = gf_embed(t, table, ids, "y");
  EXPECT_INT(gf_bind_stored(t, table, w->type, 1, w->memory), GF_OK);
  EXPECT_INT(gf_bind_stored(t, turned, w->type, 0, w->memory), GF_OK);
  place(t);
  for (int i = 0; i < w->rows; i++) gf_node_ids(t, ids)[i] = w->rows - 1 - i;
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  float *line = room((size_t)w->columns * 4, 0), *other = room((size_t)w->columns * 4, 0);
  for (int row = 0; row < w->rows; row++) {
    EXPECT_INT(gf_node_line(t, table, row, line), GF_OK);
    EXPECT_INT(gf_node_line(t, turned, row, other), GF_OK);
    for (int k = 0; k < w->columns; k++) {
      double expected = (double)w->numbers[row * w->columns + k];
      gf_weight a, b;
      EXPECT_INT(gf_node_weight(t, table, row, k, &a), GF_OK);
      EXPECT_INT(gf_node_weight(t, turned, k, row, &b), GF_OK);
      EXPECT(same_number((double)a.value, expected) && same_number((double)b.value, expected));
      EXPECT(same_number((double)line[k], expected) && same_number((double)other[k], expected));
      EXPECT(
          same_number((double)gf_node_value(t, y)[(w->rows - 1 - row) * w->columns + k], expected));
      float made = a.d * (float)a.scale * (float)a.q;
      if (a.m != 0 || a.m != a.m) made += a.m * (float)a.offset;
      EXPECT(same_number((double)made + 0.0, (double)a.value + 0.0));
      if (!harness_complaint()) continue;
      complain_of("%s, row %d, column %d", gf_type_name(w->type), row, k);
      return;
    }
  }
  EXPECT_INT(gf_node_line(t, table, w->rows, line), GF_ERANGE);
  EXPECT_INT(gf_node_line(t, turned, -1, line), GF_ERANGE);
  EXPECT_INT(gf_node_line(t, y, 0, line), GF_ENODE);
  gf_weight weight;
  EXPECT_INT(gf_node_weight(t, table, w->rows, 0, &weight), GF_ERANGE);
  EXPECT_INT(gf_node_weight(t, table, 0, w->columns, &weight), GF_ERANGE);
  EXPECT_INT(gf_node_weight(t, table, -1, 0, &weight), GF_ERANGE);
  EXPECT_INT(gf_node_weight(t, y, 0, 0, &weight), GF_ENODE);
}

static void check_type(int type) {
  room_reset();
  matrix w = new_matrix(type, 11, type <= GF_BF16 ? 200 : 512);
  check_numbers(&w);

  /* Scales that have few digits, or none. */
  static const unsigned odd[] = {0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x7bff,
                                 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfd01};
  const int at = type == GF_Q6_K ? 208 : 0;
  for (int row = 0; row < w.rows; row++) {
    unsigned char *half = w.file + (size_t)row * w.row + at;
    half[0] = (unsigned char)odd[row];
    half[1] = (unsigned char)(odd[row] >> 8);
  }
  read_numbers(&w);
  store(&w, 0, w.rows);
  check_numbers(&w);

  /* Row by row, the last first: the same bytes, each of them written. */
  const size_t bytes = gf_stored_bytes(type, w.rows, w.columns);
  unsigned char *again = room(bytes, 0);
  memset(again, 0xff, bytes);
  for (int row = w.rows - 1; row >= 0; row--)
    EXPECT_INT(gf_store(again, type, w.rows, w.columns, row, 1, w.file + (size_t)row * w.row),
               GF_OK);
  EXPECT(!memcmp(again, w.memory, bytes));
  EXPECT_INT(gf_store(again, type, w.rows, w.columns, w.rows, 0, w.file), GF_OK);
  EXPECT_INT(gf_store(again, type, w.rows, w.columns, 0, w.rows + 1, w.file), GF_ERANGE);
  EXPECT_INT(gf_store(again, type, w.rows, w.columns, -1, 1, w.file), GF_ERANGE);
  EXPECT_INT(gf_store(again, type, w.rows, w.columns, 3, -1, w.file), GF_ERANGE);
  EXPECT_INT(gf_store(NULL, type, w.rows, w.columns, 0, 1, w.file), GF_ERANGE);
  EXPECT_INT(gf_store(again, type, w.rows, w.columns, 0, 1, NULL), GF_ERANGE);
  EXPECT_INT(gf_store(again, type, w.rows, 0, 0, 1, w.file), GF_ERANGE);

  EXPECT_INT(gf_stored_bytes(type, 0, 512), 0);
  EXPECT_INT(gf_stored_bytes(type, 1, -512), 0);
  EXPECT_INT(gf_stored_bytes(type, 1, 255) != 0, block_of(type) == 1);
  size_t most = gf_stored_bytes(type, INT32_MAX, 1 << 30);
  EXPECT(sizeof(size_t) == 4 ? !most : most > (size_t)1 << 30);
}

/* ---- What is refused, and what it leaves ---- */

enum { N = 8, K = 64 };
static const unsigned char *some; /* N rows of K numbers, stored */

/* Expects that a parameter w [rows,columns], which `build` reads, is refused, that nothing has changed then,
 * and what the tape tells. */
static void refuses(gf_error error, int (*build)(gf_tape *t, int w), int type, int along, int rows,
                    int columns, const void *memory, const char *told) {
  gf_tape *t = new_tape();
  int w = gf_parameter(t, 2, (int[]){rows, columns}, "w");
  if (build) EXPECT(build(t, w) > 0);
  EXPECT_INT(gf_bind_stored(t, w, type, along, memory), error);
  EXPECT_INT(gf_tape_error(t), error); /* sticky */
  EXPECT_TEXT(gf_tape_error_text(t), told);
  EXPECT_INT(gf_tape_rewind(t, gf_tape_count(t)), GF_OK);
  EXPECT_INT(gf_node_type(t, w), GF_F32);
  EXPECT_INT(gf_parameter_count(t), rows * columns);
  place(t);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  complain_of("%s", told);
}

static int by_relu(gf_tape *t, int w) {
  return gf_relu(t, w, "y");
}
static int by_x(gf_tape *t, int w) {
  return gf_linear(t, w, IN(t, K, 3), GF_NONE, "y");
}
static int by_linear(gf_tape *t, int w) {
  return gf_linear(t, IN(t, 2, K), w, GF_NONE, "y");
}
static int by_embed(gf_tape *t, int w) {
  return gf_embed(t, w, IDS(t, 2), "y");
}
static int by_matmul(gf_tape *t, int w) {
  return gf_matmul(t, IN(t, 2, K), w, "y");
}
static int by_transposed(gf_tape *t, int w) {
  return gf_matmul_transposed(t, IN(t, 2, K), w, "y");
}

static void check_refusals(void) {
  room_reset();
  some = room(gf_stored_bytes(GF_Q4_1, N, K), 0);
  refuses(GF_ENODE, by_relu, GF_Q4_1, 1, N, K, some,
          "y: relu: x: expected float values, received q4_1");
  refuses(GF_ENODE, by_x, GF_Q4_1, 1, N, K, some,
          "y: linear: x: expected float values, received q4_1");
  refuses(GF_ENODE, by_linear, GF_Q4_1, 1, K, N * 4, some,
          "y: linear: w: the blocks of q4_1 lie along the other dimension");
  refuses(GF_ENODE, by_embed, GF_Q4_1, 0, 32, K, some,
          "y: embed: table: the blocks of q4_1 lie along the other dimension");
  refuses(GF_ENODE, by_matmul, GF_Q4_1, 1, K, 32, some,
          "y: matmul: b: the blocks of q4_1 lie along the other dimension");
  refuses(GF_ENODE, by_transposed, GF_Q4_1, 0, 32, K, some,
          "y: matmul: b: the blocks of q4_1 lie along the other dimension");
  refuses(GF_ESHAPE, by_transposed, GF_Q4_K, 1, N, K, some,
          "w: bind_stored: q4_k stores 256 numbers together, which do not divide 64");
  refuses(GF_ESHAPE, NULL, GF_Q8_0, 0, 33, 32, some,
          "w: bind_stored: q8_0 stores 32 numbers together, which do not divide 33");
  refuses(GF_ERANGE, NULL, GF_F32, 1, N, K, some,
          "w: bind_stored: type 0 is not a type that is stored");
  refuses(GF_ERANGE, NULL, TYPES, 1, N, K, some,
          "w: bind_stored: type 12 is not a type that is stored");
  refuses(GF_ERANGE, NULL, GF_Q4_1, 2, N, K, some, "w: bind_stored: along 2 is not 0 or 1");
  refuses(GF_ERANGE, NULL, GF_Q4_1, 1, N, K, NULL, "w: bind_stored: memory is NULL");
  refuses(GF_ERANGE, NULL, GF_Q4_1, 1, N, K, some + 4,
          "w: bind_stored: the memory is not aligned to 16 bytes");

  gf_tape *t = new_tape();
  int x = IN(t, N, K), wide = gf_parameter(t, 3, (int[]){2, N, K}, "wide");
  int w = gf_parameter(t, 2, (int[]){N, K}, "w");
  EXPECT_INT(gf_bind_stored(t, x, GF_Q4_1, 1, some), GF_ENODE);
  EXPECT_INT(gf_tape_rewind(t, 3), GF_OK);
  EXPECT_INT(gf_bind_stored(t, 7, GF_Q4_1, 1, some), GF_ENODE);
  EXPECT_INT(gf_tape_rewind(t, 3), GF_OK);
  EXPECT_INT(gf_bind_stored(t, wide, GF_Q4_1, 1, some), GF_ESHAPE);
  EXPECT_INT(gf_tape_rewind(t, 3), GF_OK);
  EXPECT_INT(gf_bind_stored(t, w, GF_Q4_1, 1, some), GF_OK);
  EXPECT_INT(gf_bind_stored(t, w, GF_Q4_1, 1, some), GF_ESTATE);
  EXPECT_TEXT(gf_tape_error_text(t), "w: bind_stored: it is stored as q4_1 already");
  EXPECT_INT(gf_tape_rewind(t, 3), GF_OK);
  float numbers[N * K];
  EXPECT_INT(gf_bind(t, w, numbers, NULL), GF_ESTATE);
  EXPECT_INT(gf_tape_rewind(t, 3), GF_OK);
  /* Whoever comes later is told the same. */
  EXPECT_INT(gf_relu(t, w, "late"), GF_ENODE);
  EXPECT_INT(gf_tape_rewind(t, 3), GF_OK);
  EXPECT_INT(gf_matmul_transposed(t, x, w, "y"), 3);
  place(t);
  EXPECT_INT(gf_bind_stored(t, wide, GF_Q4_1, 1, some), GF_ESTATE);
  EXPECT_INT(gf_bypass(t, 3, 1), GF_ERANGE);
}

/* ---- Products in integers: tests/bindings/integer.test.js has their numbers ---- */

static void refuses_integers(gf_error error, gf_tape *t, int leaf, const char *told) {
  EXPECT_INT(gf_use_integers(t, leaf, 1), error);
  EXPECT_TEXT(gf_tape_error_text(t), told);
  EXPECT_INT(gf_tape_rewind(t, gf_tape_count(t)), GF_OK);
}

static void check_integers(void) {
  room_reset();
  some = room(gf_stored_bytes(GF_Q4_1, N, K), 0);
  gf_tape *t = new_tape();
  int x = IN(t, 1, K), w = gf_parameter(t, 2, (int[]){N, K}, "w");
  int half = gf_parameter(t, 2, (int[]){N, 4}, "half");
  int rows = gf_embed(t, w, IDS(t, 2), "rows"), y = gf_matmul_transposed(t, x, w, "y");
  refuses_integers(GF_ENODE, t, w, "tape: use_integers: expected a stored parameter");
  refuses_integers(GF_ENODE, t, 99, "tape: use_integers: expected a stored parameter");
  EXPECT_INT(gf_bind_stored(t, half, GF_F16, 1, some), GF_OK);
  refuses_integers(GF_ENODE, t, half, "half: use_integers: f16 is not multiplied in integers");
  EXPECT_INT(gf_use_integers(t, half, 0), GF_OK);
  EXPECT_INT(gf_bind_stored(t, w, GF_Q4_1, 1, some), GF_OK);
  EXPECT_INT(gf_use_integers(t, w, 1), GF_OK);

  /* Whoever takes over the parameters computes with them in the same way. */
  gf_tape *other = new_tape();
  int z =
      gf_matmul_transposed(other, IN(other, 1, K), gf_parameter(other, 2, (int[]){N, K}, "w"), "z");
  float none = 0;
  EXPECT_INT(gf_bind_parameters(other, t, &none, NULL), GF_OK);
  place(other);
  EXPECT_INT(gf_forward(other, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(other, 0, GF_LAST), GF_ESTATE);
  EXPECT_TEXT(gf_tape_error_text(other),
              "z: backward: w is multiplied in integers: only exact products have gradients");
  EXPECT(z > 0);

  place(t);
  EXPECT_INT(gf_use_integers(t, w, 0), GF_ESTATE);
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  EXPECT_INT(gf_backward(t, y, y), GF_ESTATE);
  EXPECT_INT(gf_backward(t, 0, rows), GF_OK); /* rows of a table are exact */
}

/* ---- A model whose matrices are stored, and whose other parameters are one block ---- */

enum { T = 3, V = 37 };

static gf_tape *model_tape(void) {
  const gf_model m = {.family = GF_GPT,
                      .vocab = V,
                      .max_length = 8,
                      .d_model = 32,
                      .heads = 2,
                      .d_ff = 64,
                      .layers = 1,
                      .positions = GF_ROTARY,
                      .norm = GF_RMS_NORM,
                      .pre_norm = 1,
                      .final_norm = 1,
                      .activation = GF_SWIGLU,
                      .tied = 1,
                      .rotary_base = 10000,
                      .epsilon = 1e-5f};
  size_t bytes = gf_tape_bytes(100);
  gf_tape *t = gf_tape_create(room(bytes, 0), bytes);
  EXPECT(gf_build(t, &m, &(gf_batch){.size = 1, .target = T}) >= 0);
  return t;
}

/* Whether a parameter is a matrix; and along which dimension its blocks lie. */
static bool is_matrix(const gf_tape *t, int i, int *along) {
  const gf_description *about = gf_node_description(t, i);
  *along = about->parameter == GF_PARAMETER_TABLE;
  return !strcmp(gf_node_op(t, i), "leaf") && about->parameter && gf_node_rank(t, i) == 2;
}

static void run_model(gf_tape *t) {
  place(t);
  for (int i = 0; i < T; i++) {
    gf_node_ids(t, gf_find(t, "target"))[i] = 7 * i;
    gf_node_ids(t, gf_find(t, "target.positions"))[i] = i;
  }
  EXPECT_INT(gf_forward(t, 0, GF_LAST), GF_OK);
  float *grad = gf_node_grad(t, gf_find(t, "logits"));
  for (int i = 0; i < T * V; i++) grad[i] = (float)i / 8;
  EXPECT_INT(gf_backward(t, 0, GF_LAST), GF_OK);
}

static void check_model(int type) {
  room_reset();
  gf_tape *layout = model_tape(), *stored = model_tape(), *plain = model_tape();
  const size_t count = gf_parameter_count(layout);
  size_t kept = count;
  int along;
  for (int i = 0; i < gf_tape_count(layout); i++) {
    if (!is_matrix(layout, i, &along)) continue;
    const int *shape = gf_node_shape(layout, i);
    matrix w = new_matrix(type, shape[!along], shape[along]);
    EXPECT_INT(gf_bind_stored(layout, i, type, along, w.memory), GF_OK);
    kept -= (size_t)gf_node_size(layout, i);
  }
  EXPECT_INT(gf_parameter_count(layout), kept);
  EXPECT_INT(kept, 3 * 32); /* the gains of three norms */
  float *block = room(kept * 4, 0), *grads = room(kept * 4, 0);
  float *numbers = room(count * 4, 0), *all_grads = room(count * 4, 0);
  memset(grads, 0, kept * 4);
  memset(all_grads, 0, count * 4);
  EXPECT_INT(gf_bind_parameters(layout, layout, block, grads), GF_OK);
  EXPECT_INT(gf_initialize(layout, 1), GF_OK);
  for (size_t i = 0; i < kept; i++) block[i] += (float)i / 100;
  EXPECT_INT(gf_bind_parameters(stored, layout, block, grads), GF_OK);
  EXPECT_INT(gf_bind_parameters(plain, plain, numbers, all_grads), GF_OK);
  for (int i = 0; i < gf_tape_count(plain); i++) {
    float *to = gf_node_value(plain, i);
    const int columns = gf_node_shape(plain, i)[1];
    gf_weight weight;
    for (int k = 0; is_matrix(plain, i, &along) && k < gf_node_size(plain, i); k++) {
      EXPECT_INT(gf_node_weight(layout, i, k / columns, k % columns, &weight), GF_OK);
      to[k] = weight.value;
    }
    const float *from = gf_node_value(layout, i);
    if (to && from) memcpy(to, from, (size_t)gf_node_size(plain, i) * 4);
  }
  run_model(stored);
  run_model(plain);
  for (int i = 0; !harness_complaint() && i < gf_tape_count(plain); i++) {
    size_t n = (size_t)gf_node_size(plain, i);
    if (gf_node_value(stored, i))
      EXPECT(same(gf_node_value(stored, i), gf_node_value(plain, i), n));
    if (gf_node_grad(stored, i)) EXPECT(same(gf_node_grad(stored, i), gf_node_grad(plain, i), n));
    complain_of("%s: %s", gf_type_name(type), gf_node_name(plain, i));
  }
}

static void run(void) {
  EXPECT_TEXT(gf_type_name(GF_F32), "f32");
  EXPECT_TEXT(gf_type_name(GF_IDS), "ids");
  EXPECT_TEXT(gf_type_name(GF_Q6_K), "q6_k");
  EXPECT(!gf_type_name(-1) && !gf_type_name(TYPES));
  EXPECT_INT(gf_stored_bytes(GF_F32, 8, 256), 0);
  EXPECT_INT(gf_stored_bytes(GF_IDS, 8, 256), 0);
  EXPECT_INT(gf_stored_bytes(TYPES, 8, 256), 0);
  for (int type = FIRST; type < TYPES; type++) {
    check_type(type);
    check_products(type);
  }
  check_refusals();
  check_integers();
  check_model(GF_F16);
  check_model(GF_Q4_1);
}

const spec spec_stored = {"stored", run};
