/* Threads that compute on one memory: the parts of a node are shared out among them.
 *
 * One thread runs tapes, as if it were alone. Where a node is large, and works in parts, it lets the others, who wait
 * in gf_team_help, take some of them. Each part is taken once, by whoever comes first, and parts write different
 * numbers: so neither the number of threads nor their pace shows in the bits. Helpers that are late, or gone, leave
 * more to the others. Only a core that is built for it has this (GF_THREADS): a WebAssembly module with shared memory. */
#ifndef GF_TEAM_H
#define GF_TEAM_H

#include "glassformer.h"

#include <stdbool.h>

#ifndef GF_THREADS
#define GF_THREADS 0
#endif

typedef struct gf_team gf_team;

enum { GF_MOST_THREADS = 256 };

/* A team of so many threads, 1 to GF_MOST_THREADS, with the one that calls this, in gf_team_bytes() bytes at `memory`. sleeps: whether
 * that one may sleep while it waits for the rest; the main thread of a page may not. patience: how many seconds it waits while
 * none of the rest gets anything done. */
size_t gf_team_bytes(void);
gf_team *gf_team_create(void *memory, int threads, int sleeps, int patience);

/* What the threads do besides that one, each with a stack of its own and a number, 1 to threads - 1. Does not return. */
void gf_team_help(gf_team *team, int thread);

/* Before helpers are ended from outside, by the thread that runs tapes: it does all later parts itself. So none is in the
 * hands of a helper that ends. */
void gf_team_end(gf_team *team);

/* Called for a helper that stopped within a part, by whoever still can. */
void gf_team_lose(gf_team *team);

/* Runs of the tape, which is not planned yet, are shared out. */
void gf_tape_team(gf_tape *t, gf_team *team);

/* The step of gf_adam_step, shared out. */
gf_error gf_team_adam_step(gf_team *team, float *value, const float *grad, float *m, float *v,
                           float *v_max, size_t n, const gf_adam *c);

int gfi_team_threads(const gf_team *team);

/* Runs all parts of a job, and returns when they are done. Traps when a helper was lost with one: it cannot be done again, as some
 * of it may be added to a gradient already. What a slow helper still writes is then nobody's to use. */
typedef void gfi_job(const void *job, int part, int thread);
void gfi_team_run(gf_team *team, gfi_job *run, const void *job, int parts);

#endif
