/* Opens a file of model.save(), such as bindings/data/models/stories.safetensors, or a GGUF, and writes ten tokens: each
 * id, its logit, and a hash of the bits of all logits (FNV-1a), which other languages compute alike.
 * tests/example/open.c is the same in 40 lines. Compiled and run by tests/tokens.test.js. */
#include <glassformer.h>
#include <stdio.h>
#include <stdlib.h>

/* The best token behind those of the target. A model of two stacks reads the source besides. */
static int next(const gf_opened *file, const gf_batch *batch, int32_t ids[2][1024]) {
  const size_t room = gf_tape_bytes(gf_build_variant_nodes(&file->model, &file->variant, batch));
  void *nodes = malloc(room), *values;
  gf_tape *t = gf_tape_create(nodes, room);
  const int logits = gf_build_variant(t, &file->model, &file->variant, batch);
  gf_bind_parameters(t, file->layout, file->values, NULL);
  gf_plan(t, values = malloc(gf_plan(t, NULL)));
  gf_prepare(t, file);
  int32_t *target = gf_node_ids(t, gf_find(t, "target")), best = -1;
  for (int i = 0; i < batch->target; i++) target[i] = ids[0][i];
  for (int i = 0; i < batch->source; i++) gf_node_ids(t, gf_find(t, "source"))[i] = ids[1][i];
  if (gf_forward(t, 0, GF_LAST)) {
    fprintf(stderr, "%s\n", gf_tape_error_text(t));
  } else {
    const int vocab = file->model.vocab;
    const float *row = gf_node_value(t, logits) + (batch->target - 1) * vocab;
    const unsigned char *bytes = (const unsigned char *)row;
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < (size_t)vocab * sizeof *row; i++) hash = (hash ^ bytes[i]) * 16777619u;
    gf_rank(row, vocab, 1, &best);
    printf("%d %.9g %08x\n", best, (double)row[best], hash);
  }
  free(values), free(nodes);
  return best;
}

/* Ten tokens behind those of the command line; nonzero if it cannot. */
static int continued(const gf_opened *file, int prompt, char **word) {
  int32_t ids[2][1024] = {{1}}; /* what a decoder writes begins with <start> */
  const int two = file->model.family == GF_TRANSFORMER;
  gf_batch batch = {.size = 1, .source = two ? prompt : 0, .target = two ? 1 : prompt};
  for (int i = 0; i < prompt; i++) ids[two][i] = atoi(word[i]);
  for (int i = 0; i < 10 && batch.target < file->model.max_length; i++, batch.target++)
    if ((ids[0][batch.target] = next(file, &batch, ids)) < 0) return 1;
  return 0;
}

/* Why a file is refused, and where: a key of its metadata, a parameter, or a tensor. */
static int refused(const char *name, const void *bytes, const gf_opened *opened) {
  const gf_safetensors *file = &opened->file;
  char *key = calloc(2, (size_t)file->key.bytes + file->culprit.name.bytes + 1);
  char *tensor = key + file->key.bytes + 1;
  gf_file_string(bytes, file->key, key);
  gf_file_string(bytes, file->culprit.name, tensor);
  if (file->error == GF_FILE_PARAMETER && !*tensor)
    tensor = (char *)gf_node_name(opened->layout, (int)file->number);
  fprintf(stderr, "%s: %s: %s%s\n", name, gf_file_error_text(file->error), key, tensor);
  free(key);
  return 1;
}

int main(int words, char **word) {
  gf_opened file;
  if (words < 3 || words > 1000) return fputs("usage: open FILE TOKEN...\n", stderr), 2;
  FILE *stream = fopen(word[1], "rb");
  if (!stream) return perror(word[1]), 1;
  fseek(stream, 0, SEEK_END);
  const size_t size = (size_t)ftell(stream);
  void *bytes = malloc(size + 1);
  rewind(stream);
  const size_t n = fread(bytes, 1, size, stream), room = gf_open(&file, bytes, n, NULL);
  void *memory = room ? malloc(room) : NULL;
  const int failed = memory && gf_open(&file, bytes, n, memory)
                         ? continued(&file, words - 2, word + 2)
                         : refused(word[1], bytes, &file);
  free(memory), free(bytes), fclose(stream);
  return failed;
}
