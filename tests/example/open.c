/* Opens a file of model.save(), such as bindings/data/models/stories.safetensors, and writes the next ten tokens.
 *   cc -std=c11 open.c $(pkg-config --cflags --libs glassformer) -o open && ./open FILE 1 4 5 */
#include <glassformer.h>
#include <stdio.h>
#include <stdlib.h>

/* The best token behind those of the target, and its logit. A model of two stacks reads the source besides. */
static int next(const gf_opened *file, const gf_batch *batch, int32_t ids[2][1024]) {
  const size_t room = gf_tape_bytes(gf_build_nodes(&file->model, batch));
  gf_tape *t = gf_tape_create(malloc(room), room); /* kept until the program ends, as all of it */
  const int logits = gf_build(t, &file->model, batch);
  gf_bind_parameters(t, file->layout, file->values, NULL);
  gf_plan(t, malloc(gf_plan(t, NULL)));
  gf_prepare(t, file);
  int32_t *target = gf_node_ids(t, gf_find(t, "target")), best = -1;
  for (int i = 0; i < batch->target; i++) target[i] = ids[0][i];
  for (int i = 0; i < batch->source; i++) gf_node_ids(t, gf_find(t, "source"))[i] = ids[1][i];
  if (gf_forward(t, 0, GF_LAST)) return fprintf(stderr, "%s\n", gf_tape_error_text(t)), best;
  const float *row = gf_node_value(t, logits) + (batch->target - 1) * file->model.vocab;
  gf_rank(row, file->model.vocab, 1, &best);
  return printf("%d %.9g\n", best, (double)row[best]), best;
}

int main(int words, char **word) {
  static unsigned char bytes[1 << 24];
  static int32_t ids[2][1024] = {{1}}; /* what a decoder writes begins with <start> */
  gf_opened file;
  FILE *stream = words > 2 && words < 1000 ? fopen(word[1], "rb") : NULL;
  if (!stream) return fputs("usage: open FILE TOKEN...\n", stderr), 2;
  const size_t n = fread(bytes, 1, sizeof bytes, stream), room = gf_open(&file, bytes, n, NULL);
  if (!room || !gf_open(&file, bytes, n, malloc(room)))
    return fprintf(stderr, "%s: %s\n", word[1], gf_file_error_text(file.file.error)), 1;
  const int two = file.model.family == GF_TRANSFORMER, prompt = words - 2;
  for (int i = 0; i < prompt; i++) ids[two][i] = atoi(word[2 + i]);
  gf_batch batch = {.size = 1, .source = two ? prompt : 0, .target = two ? 1 : prompt};
  for (int i = 0; i < 10 && batch.target < file.model.max_length; i++, batch.target++)
    if ((ids[0][batch.target] = next(&file, &batch, ids)) < 0) return 1;
}
