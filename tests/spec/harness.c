#include "harness.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Complaints ---------------------------------------------------------------------------------- */

static char complaint[1000];

const char *harness_complaint(void) {
  return *complaint ? complaint : NULL;
}

void complain(const char *format, ...) {
  if (*complaint) return;
  va_list values;
  va_start(values, format);
  vsnprintf(complaint, sizeof complaint, format, values);
  va_end(values);
}

void complain_of(const char *format, ...) {
  if (!*complaint) return;
  char was[sizeof complaint];
  memcpy(was, complaint, sizeof was);
  va_list values;
  va_start(values, format);
  int length = vsnprintf(complaint, sizeof complaint, format, values);
  va_end(values);
  snprintf(complaint + length, sizeof complaint - (size_t)length, "%s", was);
}

void expect_int(const char *file, int line, const char *what, long long is, long long expected) {
  if (is != expected) complain("%s:%d: %s is %lld, not %lld", file, line, what, is, expected);
}

void expect_text(const char *file, int line, const char *what, const char *is,
                 const char *expected) {
  if (strcmp(is, expected)) {
    complain("%s:%d: %s is \"%s\", not \"%s\"", file, line, what, is, expected);
  }
}

bool near(double is, double expected, double tolerance) {
  return isinf(expected) ? is == expected : fabs(is - expected) <= tolerance;
}

void expect_near(const char *file, int line, const char *what, double is, double expected,
                 double tolerance) {
  if (!near(is, expected, tolerance)) {
    complain("%s:%d: %s is %.9g, not %.9g", file, line, what, is, expected);
  }
}

/* ---- Numbers ------------------------------------------------------------------------------------- */

static uint64_t random_state;

double random_between(double low, double high) {
  /* Knuth's MMIX generator; the upper half of its state is random enough for tests. */
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(random_state >> 32) / 4294967296.0;
}

uint32_t random_word(uint32_t seed, uint32_t step, uint32_t use, uint32_t stream, uint32_t index) {
  uint32_t c[4] = {index / 4, use, stream, 0}, key[2] = {seed, step};
  for (int round = 0; round < 10; round++) {
    /* Multiply two words, cross the halves, advance the key. */
    uint64_t first = 0xD2511F53ull * c[0], third = 0xCD9E8D57ull * c[2];
    uint32_t next[4] = {(uint32_t)(third >> 32) ^ c[1] ^ key[0], (uint32_t)third,
                        (uint32_t)(first >> 32) ^ c[3] ^ key[1], (uint32_t)first};
    memcpy(c, next, sizeof c);
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return c[index % 4];
}

bool same(const float *a, const float *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (memcmp(&a[i], &b[i], sizeof *a) && !(isnan(a[i]) && isnan(b[i]))) return false;
  }
  return true;
}

void harness_reset(void) {
  room_reset();
  *complaint = 0;
  random_state = 1;
}

/* ---- Tapes --------------------------------------------------------------------------------------- */

gf_tape *new_tape(void) {
  size_t bytes = gf_tape_bytes(40);
  return gf_tape_create(room(bytes, 0), bytes);
}

void place(gf_tape *t) {
  size_t bytes = gf_plan(t, NULL);
  if (bytes == 0 || gf_plan(t, room(bytes, 0)) != bytes) {
    complain("cannot be planned: %s", gf_tape_error_text(t));
  }
}

int made_up_leaf(gf_tape *t, bool ids, int rank, const int *shape) {
  char name[20];
  snprintf(name, sizeof name, "leaf.%d", gf_tape_count(t));
  return ids ? gf_ids(t, rank, shape, name) : gf_input(t, rank, shape, name);
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

void expect_refusal(const char *file, int line, gf_tape *t, int made, gf_error error) {
  int count = gf_tape_count(t);
  char text[400];
  snprintf(text, sizeof text, "%s", gf_tape_error_text(t));
  expect_int(file, line, "what the call returns", made, error);
  expect_int(file, line, "the tape's error", gf_tape_error(t), error);
  if (strncmp(text, "bad", 3)) complain("%s:%d: \"%s\" does not name the node", file, line, text);
  for (int i = 0; i < count; i++) {
    if (!strcmp(gf_node_name(t, i), "bad")) complain("%s:%d: a node was made", file, line);
  }
  /* Sticky: a good call does nothing, and an error of another kind does not replace the first. */
  expect_int(file, line, "a good call afterwards", IN(t, 1), error);
  expect_int(file, line, "another bad call", gf_softmax(t, 1000, "other"), error);
  expect_int(file, line, "a third", gf_scale(t, 0, INFINITY, "other"), error);
  expect_int(file, line, "the plan", (long long)gf_plan(t, NULL), 0);
  expect_int(file, line, "the count", gf_tape_count(t), count);
  expect_text(file, line, "the text", gf_tape_error_text(t), text);

  expect_int(file, line, "rewinding", gf_tape_rewind(t, count), GF_OK);
  expect_text(file, line, "the text after rewinding", gf_tape_error_text(t), "");
  int x = IN(t, 1);
  expect_int(file, line, "the next good node", gf_scale(t, x, 1, "good"), count + 1);
  room_reset();
}
