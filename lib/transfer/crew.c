/* SPDX-License-Identifier: MIT */
/* crew - see crew.h. */
#include "transfer/crew.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/lock.h"

static struct {
  vptr__lock lock;
  pthread_cond_t wanted; /* a job came */
  pthread_cond_t ended;  /* a helper has done his part of one */
  vptr__crew_job *jobs;  /* under way */
  unsigned helpers, busy;
  long failing; /* for tests */
} crew = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF),
           .wanted = PTHREAD_COND_INITIALIZER,
           .ended = PTHREAD_COND_INITIALIZER };

static atomic_uint fixed_size; /* 0: the machine's */

/* ---- its size ------------------------------------------------------------------------------------------- */

/* Of a machine with more processors than the set has room for, which is what an error means, half are enough. */
static unsigned size_of_machine(void) {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0)
    return VPTR__CREW_MOST;
  unsigned half = (unsigned)CPU_COUNT(&cores) / 2;
  return half < 1 ? 1 : half > VPTR__CREW_MOST ? VPTR__CREW_MOST : half;
}

unsigned vptr__crew_size(void) {
  unsigned size = atomic_load_explicit(&fixed_size, memory_order_relaxed);
  return size != 0 ? size : size_of_machine();
}

/* ---- helpers -------------------------------------------------------------------------------------------- */

static vptr__crew_job *find_job(void) {
  vptr__crew_job *job = crew.jobs;
  while (job != NULL && job->taken == job->places)
    job = job->next;
  return job;
}

/* With the lock, but not while it works. */
static void help_job(vptr__crew_job *job) {
  unsigned place = job->taken++;
  job->busy++;
  crew.busy++;
  vptr__lock_give(&crew.lock);
  job->work(job, place);
  vptr__lock_take(&crew.lock);
  crew.busy--;
  if (--job->busy == 0)
    pthread_cond_broadcast(&crew.ended);
}

static void *serve_jobs(void *unused) {
  vptr__lock_take(&crew.lock);
  for (;;) {
    vptr__crew_job *job = find_job();
    if (job != NULL)
      help_job(job);
    else
      pthread_cond_wait(&crew.wanted, &crew.lock.mutex);
  }
  return unused;
}

/* Signals that a thread raises by itself, by a bad address in a copy say, are left to the program's handlers. */
static int begin_thread(void) {
  static const int own[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT };
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all);
  for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
    sigdelset(&all, own[i]);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int error = pthread_create(&thread, NULL, serve_jobs, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error == 0)
    pthread_detach(thread);
  return error;
}

static int hire_helper(void) {
  if (crew.failing > 0 && --crew.failing == 0)
    return EAGAIN;
  int error = begin_thread();
  crew.helpers += error == 0;
  return error;
}

/* So many that as many as that are idle, if there can be. */
static void hire_for(unsigned wanted) {
  while (crew.helpers - crew.busy < wanted && crew.helpers < VPTR__CREW_MOST - 1)
    if (hire_helper() != 0)
      break;
}

/* ---- jobs ----------------------------------------------------------------------------------------------- */

static void begin_job(vptr__crew_job *job) {
  vptr__lock_take(&crew.lock);
  job->taken = 1;
  job->busy = 0;
  job->next = crew.jobs;
  crew.jobs = job;
  hire_for(job->places - 1);
  pthread_cond_broadcast(&crew.wanted);
  vptr__lock_give(&crew.lock);
}

static void end_job(vptr__crew_job *job) {
  vptr__lock_take(&crew.lock);
  vptr__crew_job **at = &crew.jobs;
  while (*at != job)
    at = &(*at)->next;
  *at = job->next;
  while (job->busy > 0)
    pthread_cond_wait(&crew.ended, &crew.lock.mutex);
  vptr__lock_give(&crew.lock);
}

void vptr__crew_do(vptr__crew_job *job) {
  if (job->places > 1)
    begin_job(job);
  job->work(job, 0);
  if (job->places > 1)
    end_job(job);
}

/* ---- for tests ------------------------------------------------------------------------------------------ */

void vptr__crew_set_size(unsigned size) {
  atomic_store(&fixed_size, size);
}

void vptr__crew_fail_nth(long n) {
  vptr__lock_take(&crew.lock);
  crew.failing = n;
  vptr__lock_give(&crew.lock);
}

unsigned vptr__crew_helpers(void) {
  vptr__lock_take(&crew.lock);
  unsigned helpers = crew.helpers;
  vptr__lock_give(&crew.lock);
  return helpers;
}
