/* Memory whose borders are watched. */
#include "harness.h"

#include <string.h>

enum { BORDER = 64, PATTERN = 0xA5, ROOMS = 1024 };

static _Alignas(16) unsigned char arena[12 << 20];
static size_t arena_used;
static struct {
  unsigned char *memory;
  size_t bytes;
} rooms[ROOMS];
static int count;

/* A border holds a pattern, which must stay; AddressSanitizer sees who only reads it, too. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define watch(border)          __asan_poison_memory_region(border, BORDER)
#define unwatch(memory, bytes) __asan_unpoison_memory_region(memory, bytes)
#else
#define watch(border)          ((void)(border))
#define unwatch(memory, bytes) ((void)(memory))
#endif

void *room(size_t bytes, size_t skew) {
  size_t start = (arena_used + BORDER + 15) / 16 * 16 + skew;
  if (count == ROOMS || bytes > sizeof arena || start + bytes + BORDER > sizeof arena) {
    complain("the harness has no room for %zu bytes", bytes);
    room_reset();
    start = BORDER;
  }
  unsigned char *memory = arena + start;
  unwatch(memory - BORDER, BORDER);
  memset(memory - BORDER, PATTERN, bytes + 2 * BORDER);
  watch(memory - BORDER);
  watch(memory + bytes);
  rooms[count].memory = memory;
  rooms[count++].bytes = bytes;
  arena_used = start + bytes + BORDER;
  return memory;
}

static void check_border(const unsigned char *border, const char *where) {
  unwatch(border, BORDER);
  for (int i = 0; i < BORDER; i++) {
    if (border[i] != PATTERN) complain("somebody wrote %s its memory", where);
  }
  watch(border);
}

void room_check(void) {
  for (int i = 0; i < count; i++) {
    check_border(rooms[i].memory - BORDER, "before");
    check_border(rooms[i].memory + rooms[i].bytes, "behind");
  }
}

int room_count(void) {
  return count;
}

void room_forget(int from) {
  room_check();
  unwatch(arena, sizeof arena);
  count = from;
  arena_used = 0;
  for (int i = 0; i < count; i++) {
    unsigned char *end = rooms[i].memory + rooms[i].bytes;
    watch(rooms[i].memory - BORDER);
    watch(end);
    arena_used = (size_t)(end - arena) + BORDER;
  }
}

void room_reset(void) {
  room_forget(0);
}
