/* Self-attention over "I love robotics", step by step.
 *
 *   cc -std=c11 main.c $(pkg-config --cflags --libs glassformer) && ./a.out
 */
#include <glassformer.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"I", "love", "robotics"};

static const float embeddings[3][4] = {{1, 0, 1, 0}, {1, 1, 0, 0}, {0, 1, 1, 0}};
static const float query_weights[4][3] = {{1, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
static const float key_weights[4][3] = {{1, 1, 0}, {0, 1, 1}, {1, 0, 1}, {0, 1, 0}};
static const float value_weights[4][3] = {{1, 0, 0}, {0, 1, 0}, {1, 0, 1}, {0, 0, 1}};

/* A row per word. */
static void print(gf_tape *t, const char *name) {
  int node = gf_find(t, name), columns = gf_node_shape(t, node)[1];
  const float *value = gf_node_value(t, node);
  printf("%s\n", name);
  for (int i = 0; i < 3; i++) {
    printf("  %-10s", words[i]);
    for (int j = 0; j < columns; j++) printf("%9.4f", value[i * columns + j]);
    printf("\n");
  }
}

int main(void) {
  size_t room = gf_tape_bytes(16);
  void *nodes = malloc(room);
  gf_tape *t = gf_tape_create(nodes, room);

  /* Build: name the leaves, describe the attention, check once. */
  gf_attention_config c = gf_attention_default();
  c.query = c.key = c.value = gf_input(t, 2, (int[]){3, 4}, "x");
  c.w_q = gf_parameter(t, 2, (int[]){4, 3}, "w_q");
  c.w_k = gf_parameter(t, 2, (int[]){4, 3}, "w_k");
  c.w_v = gf_parameter(t, 2, (int[]){4, 3}, "w_v");
  gf_attention(t, &c, "");
  void *numbers = malloc(gf_plan(t, NULL));
  gf_plan(t, numbers);
  if (gf_tape_error(t)) {
    fprintf(stderr, "%s\n", gf_tape_error_text(t));
    return 1;
  }

  /* Fill the leaves, run, look at any step. */
  memcpy(gf_node_value(t, c.query), embeddings, sizeof embeddings);
  memcpy(gf_node_value(t, c.w_q), query_weights, sizeof query_weights);
  memcpy(gf_node_value(t, c.w_k), key_weights, sizeof key_weights);
  memcpy(gf_node_value(t, c.w_v), value_weights, sizeof value_weights);
  gf_forward(t, 0, GF_LAST);
  print(t, "q");
  print(t, "scores");
  print(t, "weights");
  print(t, "output");

  free(numbers);
  free(nodes);
  return 0;
}
