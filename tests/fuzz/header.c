/* A file of any bytes: what gf_safetensors_open takes can be read, every byte of it. The length of the header is
 * put right in half of the inputs, so that they come further. */
#include "fuzz.h"

static size_t read_string(const uint8_t *bytes, gf_file_text text) {
  char *out = room((size_t)text.bytes + 1);
  size_t length = gf_file_string(bytes, text, out);
  EXPECT(length <= text.bytes && !out[length]);
  free(out);
  return length;
}

static void read_all(const gf_safetensors *file, const uint8_t *bytes, size_t size) {
  uint64_t read = 0;
  volatile uint8_t last = 0;
  for (uint32_t i = 0; i < file->count; i++) {
    const gf_safetensor *tensor = &file->tensors[i];
    EXPECT(tensor->end >= tensor->begin && tensor->end <= size - file->data);
    if (tensor->end > tensor->begin) last = bytes[file->data + tensor->end - 1];
    read += tensor->end - tensor->begin;
    read_string(bytes, tensor->name);
  }
  (void)last;
  EXPECT(read == size - file->data);
  for (uint32_t i = 0; i < file->note_count; i++) {
    read_string(bytes, file->notes[i].key);
    read_string(bytes, file->notes[i].value);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size) return 0;
  const bool right = data[0] & 1;
  size_t length = size - 1;
  uint8_t *bytes = room(length);
  memcpy(bytes, data + 1, length);
  if (right && length >= 8) {
    /* The header ends with its last brace. */
    size_t end = length;
    while (end > 8 && bytes[end - 1] != '}') end--;
    for (size_t i = 0; i < 8; i++) bytes[i] = (uint8_t)((uint64_t)(end - 8) >> (8 * i));
  }
  gf_safetensors file;
  size_t needed = gf_safetensors_open(&file, bytes, length, NULL);
  if (needed) {
    void *memory = room(needed);
    size_t used = gf_safetensors_open(&file, bytes, length, memory);
    EXPECT(used == needed || (!used && file.error));
    if (used) read_all(&file, bytes, length);
    free(memory);
  }
  EXPECT(file.error < GF_FILE_ERRORS);
  read_string(bytes, file.key), read_string(bytes, file.culprit.name);
  free(bytes);
  return 0;
}
