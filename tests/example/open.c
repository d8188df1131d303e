/* Opens a model that model.save() wrote, in JavaScript or Python, and says which token it expects next.
 *
 *   cc -std=c11 open.c $(pkg-config --cflags --libs glassformer) -o open && ./open model.safetensors 1 2 3
 */
#include <glassformer.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file's bytes. */
static unsigned char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) return NULL;
  *size = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*size ? *size : 1);
  *size = fread(bytes, 1, *size, file);
  fclose(file);
  return bytes;
}

/* Copies the numbers of each parameter from the tensor of its name; their shapes are the same, [in, out]. */
static int fill(gf_tape *t, const gf_safetensors *file, const unsigned char *bytes) {
  for (int node = 0; node < gf_tape_count(t); node++) {
    if (strcmp(gf_node_op(t, node), "leaf") || gf_node_attribute(t, node, "kind") != 1) continue;
    const gf_safetensor *tensor = gf_safetensors_find(file, bytes, gf_node_name(t, node));
    const size_t needed = 4 * (size_t)gf_node_size(t, node);
    if (!tensor || strcmp(tensor->dtype, "F32") || tensor->end - tensor->begin != needed) {
      fprintf(stderr, "%s is not in the file as it must be\n", gf_node_name(t, node));
      return 0;
    }
    memcpy(gf_node_value(t, node), bytes + file->data + tensor->begin, needed);
  }
  return 1;
}

/* Runs the tokens through the model, and looks at the logits behind the last. */
static int predict(gf_tape *t, const char *const *tokens, int count, int vocab) {
  int32_t *target = gf_node_ids(t, gf_find(t, "target"));
  int32_t *positions = gf_node_ids(t, gf_find(t, "target.positions"));
  for (int i = 0; i < count; i++) {
    target[i] = atoi(tokens[i]);
    positions[i] = i;
  }
  if (gf_forward(t, 0, GF_LAST)) return fprintf(stderr, "%s\n", gf_tape_error_text(t)), 1;
  const float *logits = gf_node_value(t, gf_find(t, "logits")) + (count - 1) * vocab;
  int32_t best[3];
  gf_rank(logits, vocab, 3, best);
  for (int i = 0; i < 3; i++) printf("%d %.9g\n", best[i], (double)logits[best[i]]);
  return 0;
}

/* The model: as gf.model({ kind: 'gpt', vocab: 12, dModel: 8, heads: 2, layers: 2, maxLength: 16 }). */
static int run(const gf_safetensors *file, const unsigned char *bytes, const char *const *tokens,
               int count) {
  gf_model model = gf_model_default(GF_GPT);
  model.vocab = 12;
  model.d_model = 8;
  model.heads = 2;
  model.layers = 2;
  model.d_ff = 32;
  model.max_length = 16;
  const gf_batch batch = {.size = 1, .target = count};
  const int nodes = gf_build_nodes(&model, &batch);
  const size_t room = gf_tape_bytes(nodes > 0 ? nodes : 1);
  void *tape = malloc(room);
  gf_tape *t = gf_tape_create(tape, room);
  gf_build(t, &model, &batch);
  void *numbers = malloc(gf_plan(t, NULL) + 1);
  gf_plan(t, numbers);
  int status = 1;
  if (gf_tape_error(t))
    fprintf(stderr, "%s\n", gf_tape_error_text(t));
  else if (fill(t, file, bytes))
    status = predict(t, tokens, count, model.vocab);
  free(numbers), free(tape);
  return status;
}

int main(int count, char **words) {
  const int tokens = count - 2;
  size_t size = 0;
  unsigned char *bytes = tokens < 1 ? NULL : read_file(words[1], &size);
  if (!bytes) return fputs("usage: open FILE TOKEN...\n", stderr), 2;

  /* What is in the file. */
  gf_safetensors file;
  const size_t room = gf_safetensors_open(&file, bytes, size, NULL);
  void *header = malloc(room ? room : 1);
  int status = 1;
  if (room && gf_safetensors_open(&file, bytes, size, header))
    status = run(&file, bytes, (const char *const *)words + 2, tokens);
  else
    fprintf(stderr, "%s: %s\n", words[1], gf_file_error_text(file.error));
  free(header), free(bytes);
  return status;
}
