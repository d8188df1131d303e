/* Opens what model.save() writes, and GGUFs: the model of its header, and its parameters by their names. */
#include "header.h"
#include "stored.h"

#include <string.h>

enum { CONFIG_BYTES = 4096 };

/* A file as it is opened. */
typedef struct source {
  gf_opened *opened;
  const uint8_t *bytes;
  gguf_facts facts; /* without an architecture: of a file of model.save() */
  char *at, *end;   /* the memory that is left */
} source;

static size_t refuse(gf_opened *opened, gf_file_error error, uint64_t number) {
  opened->file.error = error;
  opened->file.number = number;
  return 0;
}

static size_t aligned(size_t size) {
  return (size + 15) & ~(size_t)15;
}

/* A part of the memory that is left, or NULL. */
static void *take(source *s, size_t bytes) {
  if (aligned(bytes) > (size_t)(s->end - s->at)) return NULL;
  char *part = s->at;
  s->at += aligned(bytes);
  return part;
}

/* ---- Numbers ---- */

static float half_of(uint32_t bits) {
  const uint32_t sign = bits >> 15 << 31, rest = (bits & 0x7fff) << 13;
  const bool infinite = (bits & 0x7c00) == 0x7c00;
  const uint32_t wide = sign | (infinite ? 0x7f800000u : 0) | rest;
  float value;
  memcpy(&value, &wide, sizeof value);
  return infinite
             ? value
             : value * 0x1p112f; /* the exponents count from elsewhere; of subnormal numbers, too */
}

static int width_of(const char *dtype) {
  return !strcmp(dtype, "F64") ? 8 : !strcmp(dtype, "F32") ? 4 : 2;
}

/* Number i of a tensor that stores them one by one. */
static float number(const uint8_t *from, const char *dtype, size_t i) {
  float value;
  double wide;
  uint16_t bits;
  switch (width_of(dtype)) {
  case 8:
    memcpy(&wide, from + 8 * i, sizeof wide);
    return (float)wide;
  case 4:
    memcpy(&value, from + 4 * i, sizeof value);
    return value;
  default:
    memcpy(&bits, from + 2 * i, sizeof bits);
    if (*dtype == 'F') return half_of(bits);
    const uint32_t upper = (uint32_t)bits << 16;
    memcpy(&value, &upper, sizeof value);
    return value;
  }
}

/* ---- Parameters ---- */

/* A parameter of the layout: its tensor's rows are rows of ours, or columns. */
typedef struct parameter {
  int node;
  place from;
  int rows, columns; /* of the part of the tensor; a vector has rows of one number */
  bool turned;       /* the file has w [in,out] as [out,in] */
  gf_type stored;    /* the type in which it stays as it is; or GF_F32 */
} parameter;

/* Row r of a tensor among ours: rotation turns the halves of a head here, and neighbours in some files. */
static int row_of(const place *from, int r) {
  if (!from->head) return r;
  const int within = r % from->head;
  return r - within + within % 2 * (from->head / 2) + within / 2;
}

/* The tensor of a node; false if it is not there, or does not fit. */
static bool locate(const source *s, int node, parameter *p) {
  gf_tape *t = s->opened->layout;
  const gf_description *about = gf_node_description(t, node);
  const bool saved = !s->facts.architecture;
  const int *shape = gf_node_shape(t, node), rank = gf_node_rank(t, node);
  *p = (parameter){.node = node, .from = {NULL, 0, 1, 0}};
  if (saved)
    p->from.tensor = gf_safetensors_find(&s->opened->file, s->bytes, gf_node_name(t, node));
  else
    p->from = gfi_gguf_find(s->opened, s->bytes, &s->facts, gf_node_name(t, node), about->role);
  const gf_safetensor *tensor = p->from.tensor;
  if (!tensor) return false;
  s->opened->file.culprit = *tensor;
  if (tensor->rank != rank || rank > 2) return false;
  const bool table = about->parameter == GF_PARAMETER_TABLE;
  p->turned = !saved && rank == 2 && !table;
  p->rows = shape[p->turned];
  p->columns = rank == 1 ? 1 : shape[!p->turned];
  if (tensor->shape[0] != (int64_t)p->from.parts * p->rows) return false;
  if (rank == 2 && tensor->shape[1] != p->columns) return false;
  if (saved)
    return !strcmp(tensor->dtype, "F32") || !strcmp(tensor->dtype, "F16") ||
           !strcmp(tensor->dtype, "BF16");
  if (p->turned || !strcmp(gf_node_name(t, node), "embedding.weight"))
    p->stored = gfi_gguf_type(tensor);
  return true;
}

/* Rows of a stored tensor in memory of ours; false if there is none. */
static bool store(source *s, const parameter *p, gf_type type, int rows, int columns, void *to) {
  const uint8_t *from = s->bytes + s->opened->file.data + p->from.tensor->begin;
  const size_t step = gf_stored_bytes((int)type, 8, columns) / 8;
  if (!to) return false;
  from += step * (size_t)(rows * p->from.part);
  for (int r = 0; r < rows; r++)
    gf_store(to, (int)type, rows, columns, row_of(&p->from, r), 1, from + (size_t)r * step);
  return true;
}

/* Binds a parameter to its rows as they are stored. */
static bool bind(source *s, const parameter *p) {
  void *to = take(s, gf_stored_bytes((int)p->stored, p->rows, p->columns));
  return store(s, p, p->stored, p->rows, p->columns, to) &&
         !gf_bind_stored(s->opened->layout, p->node, (int)p->stored, !p->turned, to);
}

/* Makes float32 of a parameter. */
static bool fill(source *s, const parameter *p, float *to) {
  const gf_safetensor *tensor = p->from.tensor;
  const gf_type type = s->facts.architecture ? gfi_gguf_type(tensor) : GF_F32;
  const uint8_t *from = s->bytes + s->opened->file.data + tensor->begin;
  const size_t columns = (size_t)p->columns, first = (size_t)p->from.part * (size_t)p->rows;
  stored blocks = {.type = type};
  if (type > GF_BF16) {
    /* What the core does not multiply like this: its numbers, one by one, in the order of the file. */
    const int last = (int)tensor->shape[tensor->rank - 1];
    const int rows = tensor->rank == 1 ? 1 : p->rows;
    char *mark = s->at;
    unsigned char *strips = take(s, gf_stored_bytes((int)type, rows, last));
    const parameter plain = {.from = {.tensor = tensor}};
    if (!store(s, &plain, type, rows, last, strips)) return false;
    s->at = mark;
    blocks = (stored){strips, type, false, (size_t)rows, (size_t)last};
  }
  for (size_t r = 0; r < (size_t)p->rows; r++) {
    const size_t row = (size_t)row_of(&p->from, (int)r);
    for (size_t c = 0; c < columns; c++) {
      const size_t i = (first + r) * columns + c;
      to[p->turned ? c * (size_t)p->rows + row : row * columns + c] =
          type > GF_BF16 ? gfi_stored_weight(blocks, i / blocks.columns, i % blocks.columns).value
                         : number(from, tensor->dtype, i);
    }
  }
  return true;
}

/* Parameters that stay stored first, so that the others are one block behind them. */
static bool take_parameters(source *s) {
  gf_opened *opened = s->opened;
  gf_tape *t = opened->layout;
  gf_safetensors *file = &opened->file;
  parameter p;
  uint8_t *used = take(s, file->count);
  if (!used) return false;
  memset(used, 0, file->count);
  for (int node = 0; node < gf_tape_count(t); node++) {
    if (!gf_node_description(t, node)->parameter) continue;
    memset(&file->culprit, 0, sizeof file->culprit);
    if (!locate(s, node, &p) || (p.stored && !bind(s, &p)))
      return refuse(opened, GF_FILE_PARAMETER, (uint64_t)node);
    used[p.from.tensor - file->tensors] = 1;
  }
  const size_t count = gf_parameter_count(t);
  float *to = opened->values = count > SIZE_MAX / 8 ? NULL : take(s, count * sizeof(float));
  for (int node = 0; node < gf_tape_count(t); node++) {
    if (!gf_node_description(t, node)->parameter || gf_node_type(t, node) != GF_F32) continue;
    if (!to || !locate(s, node, &p) || !fill(s, &p, to))
      return refuse(opened, GF_FILE_PARAMETER, (uint64_t)node);
    to += gf_node_size(t, node);
  }
  for (uint32_t i = 0; s->facts.architecture && i < file->count; i++) {
    file->culprit = file->tensors[i];
    if (!used[i] && &file->tensors[i] != s->facts.divisors)
      return refuse(opened, GF_FILE_TENSOR, 0);
  }
  return true;
}

/* ---- The file ---- */

/* The header of what model.save() writes, and the model that its config says. */
static bool read_saved(source *s, size_t size, void *memory) {
  header_facts facts;
  char text[CONFIG_BYTES];
  gf_opened *opened = s->opened;
  gf_safetensors *file = &opened->file;
  s->facts.room = gfi_safetensors_open(file, s->bytes, size, NULL, &facts);
  if (!s->facts.room) return false;
  memset(&file->culprit, 0, sizeof file->culprit);
  if (!gfi_text_is(s->bytes, facts.format, "glassformer") || facts.config.bytes >= CONFIG_BYTES)
    return refuse(opened, GF_FILE_FOREIGN, 0);
  gf_file_string(s->bytes, facts.config, text);
  const int wrong = gfi_config_read(opened, text);
  if (wrong >= 0) return refuse(opened, GF_FILE_CONFIG, (uint64_t)wrong);
  s->facts.bytes = sizeof(float) * facts.numbers;
  return !memory || gf_safetensors_open(file, s->bytes, size, memory);
}

size_t gf_open(gf_opened *opened, const void *bytes, size_t size, void *memory) {
  source s = {.opened = opened, .bytes = bytes};
  memset(opened, 0, sizeof *opened);
  const bool gguf = size >= 4 && !memcmp(bytes, "GGUF", 4);
  if (gguf ? !gfi_gguf_read(opened, bytes, size, memory, &s.facts) : !read_saved(&s, size, memory))
    return 0;

  /* A tape of one token has every parameter. */
  const gf_batch batch = {.size = 1, .source = opened->model.family == GF_TRANSFORMER, .target = 1};
  const int nodes = gf_build_variant_nodes(&opened->model, &opened->variant, &batch);
  const size_t tape = nodes > 0 ? gf_tape_bytes(nodes) : 0;
  if (!tape) return refuse(opened, GF_FILE_CONFIG, 0);
  const size_t header = aligned(s.facts.room) + aligned(opened->file.count) + aligned(tape);
  if (s.facts.bytes > SIZE_MAX / 2 - header) return refuse(opened, GF_FILE_SHAPE, s.facts.bytes);
  const size_t room = header + aligned((size_t)s.facts.bytes);
  if (!memory) return room;

  s.at = (char *)memory + aligned(s.facts.room);
  s.end = (char *)memory + room;
  opened->layout = gf_tape_create(take(&s, tape), tape);
  if (gf_build_variant(opened->layout, &opened->model, &opened->variant, &batch) < 0)
    return refuse(opened, GF_FILE_CONFIG, 0);
  return take_parameters(&s) ? room : 0;
}

gf_error gf_prepare(gf_tape *t, const gf_opened *opened) {
  for (int node = 0; node < gf_tape_count(t); node++) {
    const gf_description *d = gf_node_description(t, node);
    int32_t *ids = d->role == GF_ROLE_POSITIONS ? gf_node_ids(t, node) : NULL;
    for (int i = 0; ids && i < gf_node_size(t, node); i++) ids[i] = i;
    if (!(d->removal && opened->removed >> d->removal & 1)) continue;
    const gf_error error =
        d->substitute == GF_NONE ? gf_freeze(t, node, 1) : gf_bypass(t, node, d->substitute);
    if (error) return error;
  }
  return gf_tape_error(t);
}
