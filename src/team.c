#include "team.h"

#if GF_THREADS

/* How often a thread looks whether there is something to do before it sleeps: some 20 microseconds, the time that it
 * takes to wake it. */
enum { LOOKS = 1 << 14 };

/* A number that threads change, far enough from others that these stay in their caches. */
typedef struct shared {
  int number, apart[15];
} shared;

struct gf_team {
  int threads;
  bool sleeps;
  gfi_job *run;
  const void *job;
  int parts;
  shared left;     /* how many parts nobody has taken */
  shared done;     /* how many are done */
  shared sleeping; /* how many helpers sleep */
};

#ifdef __wasm__
/* Sleeps as long as the number stays. */
static void sleep_on(shared *at, int number) {
  __builtin_wasm_memory_atomic_wait32(&at->number, number, -1);
}
/* All of them: V8 of Node 20 takes a count beyond int32 as none. */
static void wake(shared *at) {
  __builtin_wasm_memory_atomic_notify(&at->number, INT32_MAX);
}
#else
/* For the thread sanitizer, which checks this natively: nobody sleeps. */
static void sleep_on(shared *at, int number) {
  (void)at;
  (void)number;
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

gf_team *gf_team_create(void *memory, int threads, int sleeps) {
  gf_team *team = memory;
  const int within = threads < 1 ? 1 : threads > GF_MOST_THREADS ? GF_MOST_THREADS : threads;
  *team = (gf_team){.threads = within, .sleeps = sleeps};
  return team;
}

void gf_team_end(gf_team *team) {
  team->threads = 1;
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
    sleep_on(&team->left, 0);
    add(&team->sleeping, -1);
  }
}

void gfi_team_run(gf_team *team, gfi_job *run, const void *job, int parts) {
  if (team->threads == 1) {
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
  for (int done = read(&team->done); done < parts; done = read(&team->done))
    if (!changes(&team->done, done) && team->sleeps) sleep_on(&team->done, done);
}

#endif
