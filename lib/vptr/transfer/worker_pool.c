/* SPDX-License-Identifier: MIT */
/*
 * worker_pool - the helper threads, and the list of jobs that they help with (worker_pool.h).
 *
 * The static `worker_pool` has a list of the jobs under way (`jobs`), and counts helpers and those at work.
 * `worker_pool.lock`, of rank LEAF, guards the list, the counts, `failing`, which is for tests, and `next`, `taken` and
 * `busy` of a listed job; it is not held while a helper works. A job is its caller's variable (in bulk.c it lies inside
 * a `line`), and is listed only until vptr__worker_pool_do() returns. `fixed_size`, for tests, is atomic.
 *
 * Called by bulk.c alone, which asks how many threads a job may have, and brings jobs; helpers run the job's function,
 * each in a thread of its own. vptr__worker_pool_do() blocks until all helpers have left the job.
 */
#include "transfer/worker_pool.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/lock.h"
#include "base/thread.h"

static struct {
  vptr__lock lock;
  pthread_cond_t wanted;       /* a job came */
  pthread_cond_t ended;        /* a helper has done his part of one */
  vptr__worker_pool_job *jobs; /* under way */
  unsigned helpers, busy;
  long failing; /* for tests */
} worker_pool = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF),
                  .wanted = PTHREAD_COND_INITIALIZER,
                  .ended = PTHREAD_COND_INITIALIZER };

static atomic_uint fixed_size; /* 0: the machine's */

/* ---- its size ------------------------------------------------------------------------------------------- */

/* Of a machine with more processors than the set has room for, which is what an error means, half are enough. */
static unsigned size_of_machine(void) {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0)
    return VPTR__WORKER_POOL_MOST;
  unsigned half = (unsigned)CPU_COUNT(&cores) / 2;
  return half < 1 ? 1 : half > VPTR__WORKER_POOL_MOST ? VPTR__WORKER_POOL_MOST : half;
}

unsigned vptr__worker_pool_size(void) {
  unsigned size = atomic_load_explicit(&fixed_size, memory_order_relaxed);
  return size != 0 ? size : size_of_machine();
}

/* ---- helpers -------------------------------------------------------------------------------------------- */

static vptr__worker_pool_job *find_job(void) {
  vptr__worker_pool_job *job = worker_pool.jobs;
  while (job != NULL && job->taken == job->places)
    job = job->next;
  return job;
}

/* With the lock, but not while it works. */
static void help_job(vptr__worker_pool_job *job) {
  unsigned place = job->taken++;
  job->busy++;
  worker_pool.busy++;
  vptr__lock_give(&worker_pool.lock);
  job->work(job, place);
  vptr__lock_take(&worker_pool.lock);
  worker_pool.busy--;
  if (--job->busy == 0)
    pthread_cond_broadcast(&worker_pool.ended);
}

static void *serve_jobs(void *unused) {
  vptr__lock_take(&worker_pool.lock);
  for (;;) {
    vptr__worker_pool_job *job = find_job();
    if (job != NULL)
      help_job(job);
    else
      pthread_cond_wait(&worker_pool.wanted, &worker_pool.lock.mutex);
  }
  return unused;
}

static int hire_helper(void) {
  if (worker_pool.failing > 0 && --worker_pool.failing == 0)
    return EAGAIN;
  int error = vptr__thread_start(serve_jobs);
  worker_pool.helpers += error == 0;
  return error;
}

/* Starts helpers until `wanted` of them are idle, or there are 7, or the system gives no thread. */
static void hire_for(unsigned wanted) {
  while (worker_pool.helpers - worker_pool.busy < wanted && worker_pool.helpers < VPTR__WORKER_POOL_MOST - 1)
    if (hire_helper() != 0)
      break;
}

/* ---- jobs ----------------------------------------------------------------------------------------------- */

static void begin_job(vptr__worker_pool_job *job) {
  vptr__lock_take(&worker_pool.lock);
  job->taken = 1;
  job->busy = 0;
  job->next = worker_pool.jobs;
  worker_pool.jobs = job;
  hire_for(job->places - 1);
  pthread_cond_broadcast(&worker_pool.wanted);
  vptr__lock_give(&worker_pool.lock);
}

static void end_job(vptr__worker_pool_job *job) {
  vptr__lock_take(&worker_pool.lock);
  vptr__worker_pool_job **at = &worker_pool.jobs;
  while (*at != job)
    at = &(*at)->next;
  *at = job->next;
  while (job->busy > 0)
    pthread_cond_wait(&worker_pool.ended, &worker_pool.lock.mutex);
  vptr__lock_give(&worker_pool.lock);
}

void vptr__worker_pool_do(vptr__worker_pool_job *job) {
  if (job->places > 1)
    begin_job(job);
  job->work(job, 0);
  if (job->places > 1)
    end_job(job);
}

/* ---- for tests ------------------------------------------------------------------------------------------ */

void vptr__worker_pool_set_size(unsigned size) {
  atomic_store(&fixed_size, size);
}

void vptr__worker_pool_fail_nth(long n) {
  vptr__lock_take(&worker_pool.lock);
  worker_pool.failing = n;
  vptr__lock_give(&worker_pool.lock);
}

unsigned vptr__worker_pool_helpers(void) {
  vptr__lock_take(&worker_pool.lock);
  unsigned helpers = worker_pool.helpers;
  vptr__lock_give(&worker_pool.lock);
  return helpers;
}
