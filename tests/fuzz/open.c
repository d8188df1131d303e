/* A file of any bytes, GGUF or safetensors: a model that gf_open takes can be built, bound and run. */
#include "fuzz.h"

static void run(const gf_opened *opened, input *in) {
  const int length = 1 + below(in, 3);
  const gf_batch batch = {
      .size = 1, .source = opened->model.family == GF_TRANSFORMER ? length : 0, .target = length};
  const int nodes = gf_build_variant_nodes(&opened->model, &opened->variant, &batch);
  if (nodes < 0 || nodes > 4096) return; /* more tokens than it takes, or layers than are quick */
  const size_t needed = gf_tape_bytes(nodes);
  void *memory = room(needed);
  gf_tape *t = gf_tape_create(memory, needed);
  EXPECT(gf_build_variant(t, &opened->model, &opened->variant, &batch) >= 0);
  EXPECT(!gf_bind_parameters(t, opened->layout, opened->values, NULL));
  const size_t bytes = gf_plan(t, NULL);
  if (bytes && bytes <= MOST_BYTES) {
    void *values = room(bytes);
    EXPECT(gf_plan(t, values) == bytes);
    EXPECT(!gf_prepare(t, opened));
    gf_forward(t, 0, GF_LAST);
    check_tape(t);
    free(values);
  }
  free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *bytes = room(size);
  memcpy(bytes, data, size);
  gf_opened opened;
  const size_t needed = gf_open(&opened, bytes, size, NULL);
  EXPECT(needed || opened.file.error);
  if (needed) {
    /* No file asks for much more than it has: but for the nodes of 1,024 layers. */
    EXPECT(needed < ((size_t)1 << 26) + 64 * size);
    void *memory = room(needed);
    const size_t used = gf_open(&opened, bytes, size, memory);
    EXPECT(used == needed || (!used && opened.file.error));
    input in = {data, data + size};
    if (used) run(&opened, &in);
    free(memory);
  }
  EXPECT(opened.file.error < GF_FILE_ERRORS);
  char *text = room((size_t)opened.file.key.bytes + opened.file.culprit.name.bytes + 1);
  gf_file_string(bytes, opened.file.key, text);
  gf_file_string(bytes, opened.file.culprit.name, text);
  free(text);
  free(bytes);
  return 0;
}
