/* Gives a fuzz target the files that it is told: what once went wrong stays right. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int count, char **names) {
  for (int i = 1; i < count; i++) {
    static uint8_t data[1 << 16];
    FILE *file = fopen(names[i], "rb");
    if (!file) return perror(names[i]), 1;
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    fprintf(stderr, "%s\n", names[i]);
    LLVMFuzzerTestOneInput(data, size);
  }
  return 0;
}
