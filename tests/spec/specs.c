/* The list of specs. */
#include "spec.h"

#include "harness.h"

static const spec *const specs[] = {
#define GF_OP(name, ...) &spec_##name,
#include "ops.def"
    &spec_attention_steps, &spec_model,    &spec_building,   &spec_sizes,       &spec_planning,
    &spec_running,         &spec_parts,    &spec_overriding, &spec_numbers,     &spec_description,
    &spec_stored,          &spec_training, &spec_decoding,   &spec_safetensors,
};

int spec_count(void) {
  return sizeof specs / sizeof *specs;
}

const char *spec_name(int i) {
  return specs[i]->name;
}

const char *spec_run(int i) {
  harness_reset();
  specs[i]->run();
  room_reset();
  return harness_complaint();
}
