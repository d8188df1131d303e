/* What clang's address sanitizer calls, for the core as WebAssembly: before each load and store it asks whether
 * those bytes may be touched. A shadow has a byte for each 4 of memory: how many of them may not be, from the
 * last on. A step on forbidden bytes traps, so JavaScript gets a RuntimeError with the functions' names. */
#include <stddef.h>
#include <stdint.h>

/* Memory beyond is not watched: each allocation gives the memory a new buffer (heap.js), and the larger that is, the more often
 * JavaScript's garbage is collected. */
enum { WATCHED = 1 << 26, GRAIN = 4 };

static uint8_t shadow[WATCHED / GRAIN];

/* Where the last trap was, for whoever looks. */
uintptr_t guard_at;

static int is_forbidden(uintptr_t at) {
  return at < WATCHED && at % GRAIN + shadow[at / GRAIN] >= GRAIN;
}

static void check(uintptr_t at, size_t bytes) {
  if (!bytes) return;
  const uintptr_t last = at + bytes - 1;
  int wrong = is_forbidden(at) || is_forbidden(last) || last < at;
  for (uintptr_t i = at | (GRAIN - 1); !wrong && i < last; i += GRAIN) wrong = is_forbidden(i);
  if (!wrong) return;
  guard_at = at;
  __builtin_trap();
}

#define CHECKS(n)                                                                                  \
  void __asan_load##n(uintptr_t at) {                                                              \
    check(at, n);                                                                                  \
  }                                                                                                \
  void __asan_store##n(uintptr_t at) {                                                             \
    check(at, n);                                                                                  \
  }
CHECKS(1)
CHECKS(2)
CHECKS(4)
CHECKS(8)
CHECKS(16)

void __asan_loadN(uintptr_t at, size_t bytes) {
  check(at, bytes);
}
void __asan_storeN(uintptr_t at, size_t bytes) {
  check(at, bytes);
}

void *__asan_memcpy(void *to, const void *from, size_t n) {
  check((uintptr_t)from, n), check((uintptr_t)to, n);
  return __builtin_memcpy(to, from, n);
}
void *__asan_memmove(void *to, const void *from, size_t n) {
  check((uintptr_t)from, n), check((uintptr_t)to, n);
  return __builtin_memmove(to, from, n);
}
void *__asan_memset(void *to, int byte, size_t n) {
  check((uintptr_t)to, n);
  return __builtin_memset(to, byte, n);
}

/* Forbids bytes up to the next whole grain. */
void __asan_poison_memory_region(void const volatile *from, size_t bytes) {
  const uintptr_t begin = (uintptr_t)from, end = begin + bytes;
  for (uintptr_t at = begin; at < end && at < WATCHED; at = at / GRAIN * GRAIN + GRAIN)
    shadow[at / GRAIN] = (uint8_t)(GRAIN - at % GRAIN);
}

/* Allows whole grains again. */
void __asan_unpoison_memory_region(void const volatile *from, size_t bytes) {
  const uintptr_t begin = (uintptr_t)from, end = begin + bytes;
  for (uintptr_t at = begin; at < end && at < WATCHED; at += GRAIN) shadow[at / GRAIN] = 0;
}

void __asan_init(void) {}
void __asan_version_mismatch_check_v8(void) {}
void __asan_handle_no_return(void) {}
