/* SPDX-License-Identifier: MIT */
/*
 * worker_pool - threads that help with work that one alone is too slow for.
 *
 * A processor's core copies some 10 GB/s, a bus takes five times as much. A job is done by the thread that brings it
 * and by helpers. Together they are half of the cores that the thread may run on (sched_getaffinity(2) of the calling
 * thread, not of the process), for programs have threads of their own, and 8 at most, which fill the bus. So there are
 * at most 7 helpers, which all jobs share. On fewer than 4 cores there is nobody but who brings the job.
 *
 * Helpers begin with the first job that wants them and then sleep between jobs, until the process ends, so the library
 * must stay loaded (base/resident.h). Signals go to the program's own threads. A thread that the system does not give
 * is done without: a job never needs a helper. A child after fork() has none; it never gets here (mapper/registry.h).
 *
 * Thread-safe; several jobs may be under way at once. `worker_pool.lock` (worker_pool.c), of rank LEAF, guards the list
 * of jobs and what each job says of itself to the worker pool; it is not held while anybody works.
 */
#ifndef VPTR_TRANSFER_WORKER_POOL_H
#define VPTR_TRANSFER_WORKER_POOL_H

#include <vptr/vptr.h>

enum { VPTR__WORKER_POOL_MOST = 8 }; /* threads at one job */

typedef struct vptr__worker_pool_job vptr__worker_pool_job;
struct vptr__worker_pool_job {
  void (*work)(vptr__worker_pool_job *job, unsigned place); /* returns when there is nothing left to begin */
  unsigned places;                                   /* threads that may work at it at once, at least 1 */
  /* the worker pool's */
  vptr__worker_pool_job *next;
  unsigned taken; /* places */
  unsigned busy;  /* helpers at work */
};

/* How many threads a job may have here, who brings it included: 1 to VPTR__WORKER_POOL_MOST. */
unsigned vptr__worker_pool_size(void);

/* Does the job: work(job, 0) on this thread, and work(job, 1), (job, 2) ... on others, each at most once. Blocks
 * until all of them have returned. */
void vptr__worker_pool_do(vptr__worker_pool_job *job);

/* For tests: a size in place of the machine's, 0 for the machine's again; the n-th thread from now on cannot be
 * begun (1: the next), once; 0 switches this off. How many helpers there are. */
void vptr__worker_pool_set_size(unsigned size);
void vptr__worker_pool_fail_nth(long n);
unsigned vptr__worker_pool_helpers(void);

#endif
