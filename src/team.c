#include "team.h"

#if GF_THREADS

/* How often a thread looks whether there is something to do before it sleeps: for about a millisecond, since between two
 * products others of its caller's steps take less, and to wake it takes a part of that. */
enum { LOOKS = 1 << 20 };

/* So many times as many looks take a second and more, for who may not sleep. */
enum { LOOKS_PER_SECOND = 1 << 10 };

/* Added to what is done when a helper was lost: more than a node has parts. */
enum { LOST = 1 << 20 };

/* A number that threads change, far enough from others that these stay in their caches. */
typedef struct shared {
  int number, apart[15];
} shared;

struct gf_team {
  int threads;
  bool sleeps;
  int patience;
  gfi_job *run;
  const void *job;
  int parts;
  shared left;     /* how many parts nobody has taken */
  shared done;     /* how many are done */
  shared sleeping; /* how many helpers sleep */
};

#ifdef __wasm__
/* Sleeps as long as the number stays, at most so many seconds; without end for -1. */
static void sleep_on(shared *at, int number, int seconds) {
  __builtin_wasm_memory_atomic_wait32(&at->number, number, seconds * 1000000000ll);
}
/* All of them: V8 of Node 20 takes a count beyond int32 as none. */
static void wake(shared *at) {
  __builtin_wasm_memory_atomic_notify(&at->number, INT32_MAX);
}
#else
/* For the thread sanitizer, which checks this natively: nobody sleeps. */
static void sleep_on(shared *at, int number, int seconds) {
  (void)at;
  (void)number;
  (void)seconds;
}
static void wake(shared *at) {
  (void)at;
}
#endif

static int read(const shared *at) {
  return __atomic_load_n(&at->number, __ATOMIC_SEQ_CST);
}
static void write(shared *at, int number) {
  __atomic_store_n(&at->number, number, __ATOMIC_SEQ_CST);
}
static int add(shared *at, int number) {
  return __atomic_add_fetch(&at->number, number, __ATOMIC_SEQ_CST);
}
/* Writes n - 1 in place of n; otherwise reads what is there. */
static bool takes_one(shared *at, int *n) {
  return __atomic_compare_exchange_n(&at->number, n, *n - 1, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

/* Whether the number changes before the thread has looked long enough. */
static bool changes(const shared *at, int number) {
  for (int i = 0; i < LOOKS; i++)
    if (read(at) != number) return true;
  return false;
}

size_t gf_team_bytes(void) {
  return sizeof(gf_team);
}

gf_team *gf_team_create(void *memory, int threads, int sleeps, int patience) {
  gf_team *team = memory;
  const int within = threads < 1 ? 1 : threads > GF_MOST_THREADS ? GF_MOST_THREADS : threads;
  *team = (gf_team){.threads = within, .sleeps = sleeps, .patience = patience};
  return team;
}

void gf_team_end(gf_team *team) {
  team->threads = 1;
}

void gf_team_lose(gf_team *team) {
  add(&team->done, LOST);
  wake(&team->done);
}

int gfi_team_threads(const gf_team *team) {
  return team->threads;
}

/* Takes parts until there are none left. What a job is may be read only by who has a part of it: until that is
 * done, there is no next one. */
static void take_parts(gf_team *team, int thread) {
  for (int left = read(&team->left); left;) {
    if (!takes_one(&team->left, &left)) continue;
    const int parts = team->parts;
    team->run(team->job, parts - left, thread);
    if (add(&team->done, 1) == parts && thread) wake(&team->done);
    left = read(&team->left);
  }
}

void gf_team_help(gf_team *team, int thread) {
  if (thread < 1 || thread >= team->threads) return; /* it has no scratch */
  for (;;) {
    take_parts(team, thread);
    if (changes(&team->left, 0)) continue;
    add(&team->sleeping, 1);
    sleep_on(&team->left, 0, -1);
    add(&team->sleeping, -1);
  }
}

/* Waits until the parts that others have taken are done. False if a helper was lost with one: it said so, or nothing was
 * done for as long as the team's patience lasts. */
static bool all_done(gf_team *team) {
  const int parts = team->parts, rounds = team->sleeps ? 1 : LOOKS_PER_SECOND;
  int64_t left = (int64_t)team->patience * rounds;
  for (int done = read(&team->done), now; done < parts; done = now) {
    if (!changes(&team->done, done) && team->sleeps) sleep_on(&team->done, done, 1);
    now = read(&team->done);
    if (now == done && --left <= 0) return false;
    if (now != done) left = (int64_t)team->patience * rounds;
  }
  return read(&team->done) == parts;
}

void gfi_team_run(gf_team *team, gfi_job *run, const void *job, int parts) {
  if (team->threads == 1 || parts == 1) {
    for (int i = 0; i < parts; i++) run(job, i, 0);
    return;
  }
  team->run = run;
  team->job = job;
  team->parts = parts;
  write(&team->done, 0);
  write(&team->left, parts);
  if (read(&team->sleeping)) wake(&team->left);
  take_parts(team, 0);
  if (!all_done(team)) __builtin_trap();
}

#endif
