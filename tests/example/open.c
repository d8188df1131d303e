/* Opens a shipped model, what model.save() wrote, or a GGUF, and writes the next ten ids, greedily:
 *   cc -std=c11 open.c $(pkg-config --cflags --libs glassformer) -o open && ./open FILE 1 4 5 */
#include <glassformer.h>
#include <stdio.h>
#include <stdlib.h>

int main(int words, char **word) {
  FILE *stream = words > 2 && words < 1000 ? fopen(word[1], "rb") : NULL;
  if (!stream) return fputs("usage: open FILE ID...\n", stderr), 2;
  fseek(stream, 0, SEEK_END);
  const size_t size = (size_t)ftell(stream);
  void *bytes = malloc(size + 1);
  rewind(stream);
  if (fread(bytes, 1, size, stream) < size || fclose(stream)) return perror(word[1]), 1;
  gf_opened file;
  void *memory = malloc(gf_open(&file, bytes, size, NULL) + 1);
  const int failed = file.file.error || !gf_open(&file, bytes, size, memory);
  if (failed) fprintf(stderr, "%s: %s\n", word[1], gf_file_error_text(file.file.error));
  const int prompt = words - 2, two = !failed && file.model.family == GF_TRANSFORMER;
  gf_batch batch = {.size = 1, .source = two ? prompt : 0, .target = two ? 1 : prompt};
  int32_t ids[2][1024] = {{1}}; /* target and source; a translation begins with <start> */
  for (int i = 0; i < prompt; i++) ids[two][i] = atoi(word[2 + i]);
  for (int i = 0; !failed && i < 10 && batch.target < file.model.max_length; i++) {
    const size_t room = gf_tape_bytes(gf_build_variant_nodes(&file.model, &file.variant, &batch));
    void *values, *nodes = malloc(room);
    gf_tape *t = gf_tape_create(nodes, room);
    const int logits = gf_build_variant(t, &file.model, &file.variant, &batch);
    gf_bind_parameters(t, file.layout, file.values, NULL);
    gf_plan(t, values = malloc(gf_plan(t, NULL)));
    gf_prepare(t, &file);
    for (int k = 0; k < batch.target; k++) gf_node_ids(t, gf_find(t, "target"))[k] = ids[0][k];
    for (int k = 0; k < batch.source; k++) gf_node_ids(t, gf_find(t, "source"))[k] = ids[1][k];
    if (gf_forward(t, 0, GF_LAST)) return fprintf(stderr, "%s\n", gf_tape_error_text(t)), 1;
    const float *last = gf_node_value(t, logits) + (batch.target - 1) * file.model.vocab;
    gf_rank(last, file.model.vocab, 1, &ids[0][batch.target]);
    printf("%d\n", ids[0][batch.target++]);
    free(values), free(nodes);
  }
  return free(memory), free(bytes), failed;
}
