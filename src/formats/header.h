/* What the readers of files share. */
#ifndef GF_HEADER_H
#define GF_HEADER_H

#include "glassformer.h"

#include <stdbool.h>

/* What a header says, found before there is memory for its tensors. */
typedef struct header_facts {
  uint64_t numbers;            /* of all tensors together */
  gf_file_text config, format; /* of the metadata; of 0 bytes if it has none */
} header_facts;

/* gf_safetensors_open, which finds these besides. */
size_t gfi_safetensors_open(gf_safetensors *file, const void *bytes, size_t size, void *memory,
                            header_facts *facts);

/* Whether a string of the header is this word. */
bool gfi_text_is(const uint8_t *bytes, gf_file_text text, const char *word);

#endif
