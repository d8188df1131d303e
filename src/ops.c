#include "ops.h"

#include <float.h>

/* ---- Attributes ---- */

enum attribute_id {
#define GF_ATTRIBUTE(type, name, range) ATTRIBUTE_##name,
#include "ops.def"
  ATTRIBUTE_COUNT
};

static const size_t places[ATTRIBUTE_COUNT] = {
#define GF_ATTRIBUTE(type, name, range) offsetof(attributes, name),
#include "ops.def"
};

#define FLAG           .kind = GF_FLAG, .high = 1, .range = SAYS_notFlag
#define ANY_INTEGER    .kind = GF_INTEGER, .low = -0x1p31f, .high = 0x1p31f, .range = SAYS_notInteger
#define INTEGER(least) .kind = GF_INTEGER, .low = (least), .high = 0x1p31f, .range = SAYS_belowLeast
#define REAL(least, most, what)                                                                    \
  .kind = GF_REAL, .low = (least), .high = (most), .range = SAYS_##what
#define AXES  .kind = GF_AXES, .high = GF_MAX_RANK - 1, .range = SAYS_notEachAxis
#define SIZES .kind = GF_AXES, .low = -0x1p31f, .high = 0x1p31f, .range = SAYS_notInteger
#define WORD(...)                                                                                  \
  .kind = GF_WORD, .words = {__VA_ARGS__}, .range = SAYS_notWord,                                  \
  .high = sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *) - 1

static const gf_attribute table[ATTRIBUTE_COUNT] = {
#define GF_ATTRIBUTE(type, label, range) {.name = #label, range},
#include "ops.def"
};

/* ---- Ops ---- */

#define FORMULA(y) .formula = (y)
#define FORMULAS(y, attribute, other)                                                              \
  .formula = (y), .chooses = #attribute, .other_formula = (other)
#define OPERANDS(...) .operands = {__VA_ARGS__}
#define F32(x)                                                                                     \
  { #x, GF_TAKES_F32 }
#define F32_OR_NONE(x)                                                                             \
  { #x, GF_TAKES_F32 | GF_TAKES_NONE }
#define F32_OR_STORED(x)                                                                           \
  { #x, GF_TAKES_F32 | GF_TAKES_STORED }
#define IDS(x)                                                                                     \
  { #x, GF_TAKES_IDS }
#define IDS_OR_NONE(x)                                                                             \
  { #x, GF_TAKES_IDS | GF_TAKES_NONE }
#define ANY(x)                                                                                     \
  { #x, GF_TAKES_F32 | GF_TAKES_IDS }
#define ANY_OR_NONE(x)                                                                             \
  { #x, GF_TAKES_F32 | GF_TAKES_IDS | GF_TAKES_NONE }
#define ATTRIBUTES(...) .attributes = {__VA_ARGS__}
#define A(x)            &table[ATTRIBUTE_##x]

const gf_op gfi_ops[OP_COUNT] = {
#define GF_OP(label, speed, ...) {.name = #label, __VA_ARGS__},
#include "ops.def"
};

/* ---- What they say of a node ---- */

static void *place(const attributes *a, const gf_attribute *which) {
  return (char *)a + places[which - table];
}

/* How many numbers it is. */
static int count_of(const gf_attribute *which) {
  return which->kind == GF_AXES ? GF_MAX_RANK : 1;
}

static double get(const attributes *a, const gf_attribute *which, int i) {
  const void *at = place(a, which);
  if (which->kind == GF_REAL) return ((const float *)at)[i];
  return ((const int *)at)[i];
}

/* Whether the number fits its type; if so, writes it. */
static bool set(attributes *a, const gf_attribute *which, int i, double number) {
  if (which->kind == GF_REAL) {
    ((float *)place(a, which))[i] = (float)number;
    return true;
  }
  if (!(number >= INT32_MIN && number <= INT32_MAX) || number != (int)number) return false;
  ((int *)place(a, which))[i] = (int)number;
  return true;
}

double gfi_attribute(const attributes *a, const gf_attribute *which) {
  return which->kind == GF_AXES ? __builtin_nan("") : get(a, which, 0);
}

const gf_attribute *gfi_variant_attribute(int i) {
  return ATTRIBUTE_window + i < ATTRIBUTE_COUNT ? &table[ATTRIBUTE_window + i] : NULL;
}

const gf_attribute *gfi_set_attributes(attributes *a, enum op_id op, const double *numbers) {
  const gf_attribute *const *row = gfi_ops[op].attributes;
  for (int i = 0; i < GF_MAX_ATTRIBUTES && row[i]; i++)
    for (int j = 0; j < count_of(row[i]); j++)
      if (!set(a, row[i], j, *numbers++)) return row[i];
  return NULL;
}

const gf_attribute *gfi_check_attributes(attributes *a, enum op_id op) {
  const gf_attribute *const *row = gfi_ops[op].attributes;
  for (int i = 0; i < GF_MAX_ATTRIBUTES && row[i]; i++)
    for (int j = 0; j < count_of(row[i]); j++) {
      if (row[i]->kind == GF_FLAG) set(a, row[i], j, get(a, row[i], j) != 0);
      double number = get(a, row[i], j);
      /* NaN is within no range. */
      if (!(number >= row[i]->low && number <= row[i]->high)) return row[i];
    }
  return NULL;
}
