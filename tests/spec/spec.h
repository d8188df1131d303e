/* A spec tells what an op, or the tape, promises, as code that checks it.
 *
 * The op table demands its specs: a row of ops.def without a tests/spec/op/<name>.c does not link. */
#ifndef GF_SPEC_H
#define GF_SPEC_H

typedef struct spec {
  const char *name;
  void (*run)(void); /* tells what is wrong with the functions of harness.h */
} spec;

#define GF_OP(name, ...) extern const spec spec_##name;
#include "ops.def"

extern const spec spec_attention_steps, spec_model, spec_building, spec_sizes, spec_planning,
    spec_running, spec_parts, spec_overriding, spec_numbers, spec_description, spec_stored,
    spec_training, spec_decoding, spec_safetensors;

/* How many specs, the name of each, and what is wrong with it: NULL if nothing. The wasm builds
 * export these three, the native one prints them. */
int spec_count(void);
const char *spec_name(int i);
const char *spec_run(int i);

#endif
