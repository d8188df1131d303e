/* What the readers of files share. */
#ifndef GF_HEADER_H
#define GF_HEADER_H

#include "glassformer.h"

#include <stdbool.h>

enum { GF_HEADER_MOST = 100000000 }; /* bytes of a header */

/* Integers that each reader of JSON has exactly. */
static const uint64_t GF_HEADER_SAFE = ((uint64_t)1 << 53) - 1;

/* What a header of safetensors says, found before there is memory for its tensors. */
typedef struct header_facts {
  uint64_t numbers;            /* of all tensors together */
  gf_file_text config, format; /* of the metadata; of 0 bytes if it has none */
} header_facts;

/* gf_safetensors_open, which finds these besides. */
size_t gfi_safetensors_open(gf_safetensors *file, const void *bytes, size_t size, void *memory,
                            header_facts *facts);

/* Whether a string of the header is this word. */
bool gfi_text_is(const uint8_t *bytes, gf_file_text text, const char *word);

/* Where tensors and notes go in memory, and behind them a number of each tensor. With NULL: how many bytes that takes. */
size_t gfi_header_room(gf_safetensors *file, void *memory);

/* Refuses keys and names that come twice. Leaves the tensors' numbers sorted by name, for gf_safetensors_find. */
bool gfi_header_sort(gf_safetensors *file, const uint8_t *bytes);

/* ---- Models ---- */

/* Fills in model, removed steps and header from the config of a file of model.save(); -1 if that is good, else the place in
 * it. */
int gfi_config_read(gf_opened *opened, const char *text);

typedef struct architecture architecture;

/* What a GGUF says besides its header. */
typedef struct gguf_facts {
  size_t room;                      /* bytes of the header in memory */
  uint64_t bytes;                   /* that its parameters take at most */
  const architecture *architecture; /* what it calls settings and tensors */
  const gf_safetensor
      *divisors; /* of the frequencies of rotation: a tensor that is no parameter; or NULL */
} gguf_facts;

/* Where the numbers of a parameter are. */
typedef struct place {
  const gf_safetensor *tensor; /* NULL: nowhere */
  int part, parts;             /* which of so many equal parts of its rows */
  int head; /* rows of a head, in the order of rotation in neighbours; 0: in ours */
} place;

/* Reads the header of a GGUF, and the model from its settings. With NULL: all but file.tensors and file.notes. */
bool gfi_gguf_read(gf_opened *opened, const void *bytes, size_t size, void *memory,
                   gguf_facts *facts);

/* Where a parameter is by our name of it, and the gf_role of the step that it makes. */
place gfi_gguf_find(const gf_opened *opened, const void *bytes, const gguf_facts *facts,
                    const char *name, int role);

/* The type in which the core can multiply a tensor as it is stored, or GF_F32. */
gf_type gfi_gguf_type(const gf_safetensor *tensor);

#endif
