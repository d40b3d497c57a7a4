/* SPDX-License-Identifier: MIT */
/*
 * fake_pool - the threads of the fake device.
 *
 * Workers run commands, one teller calls those who want to know of events. They begin when there is first something
 * for them to do, and are joined when the last fake device is closed, or when the process exits or the library is
 * unloaded: what is queued then stays undone, as with any driver. In a forked child there are none, and it starts its
 * own.
 *
 * One condition serves all who wait for a change: there are few of them, and it is there for tests. All data are static
 * variables of this file: `mutex`, of no rank, which guards the whole fake device; the condition `changed`; the threads
 * (`workers`, `teller`, and how they are to end); how many `devices` are open; the list of who is to be told
 * (`told_next`); and `random_state`. `mutex` guards them, and `process` is atomic.
 *
 * Called by fake_queue.c, fake_event.c, fake_command.c, fake_buffer.c, fake_kernel.c and fake_face.c, which take the
 * mutex here or wait with it; by fake.c, for the mutex, and when a device is opened and closed; in threads of its own,
 * the workers and the teller; by the loader, when the process ends or the library is unloaded; and by tests, which make
 * disorder (fake.h). A callback runs on the teller's thread without the mutex.
 */
#include "device/fake_driver.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 4 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static pthread_t workers[WORKERS];
static int worker_count;
static pthread_t teller;
static bool has_teller, is_telling;
static bool stopping, dropping; /* threads shall end; the teller without telling what is left */
static _Atomic pid_t process;   /* which the threads are of; read without the mutex at exit */
static unsigned devices;

static vptr__fake_note *told_next, *told_last; /* what the teller has to tell */

static uint64_t random_state; /* 0: no disorder */
static unsigned longest_delay_us;

/* ---- the mutex, and waiting ----------------------------------------------------------------------------- */

void vptr__fake_lock(void) {
  pthread_mutex_lock(&mutex);
}

void vptr__fake_unlock(void) {
  pthread_mutex_unlock(&mutex);
}

void vptr__fake_pool_wake(void) {
  pthread_cond_broadcast(&changed);
}

void vptr__fake_pool_wait(void) {
  if (vptr__fake_counted.commands > 0)
    vptr__fake_pool_staff(); /* they were ended by an exit or a fork, or are there */
  pthread_cond_wait(&changed, &mutex);
}

/* ---- threads -------------------------------------------------------------------------------------------- */

static void *run_worker(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (!stopping) {
    if (vptr__fake_queue_work())
      continue;
    pthread_cond_wait(&changed, &mutex);
  }
  pthread_mutex_unlock(&mutex);
  return NULL;
}

/* Tells the first of the list. */
static void report_one(void) {
  vptr__fake_note *note = told_next;
  told_next = note->next;
  cl_event handle = note->event->handle;
  cl_int state = note->event->state;
  vptr__fake_pool_delay();
  is_telling = true;
  pthread_mutex_unlock(&mutex);
  note->notify(handle, state, note->context);
  pthread_mutex_lock(&mutex);
  is_telling = false;
  vptr__fake_event_drop(note->event);
  free(note);
}

/* Not of a teller that closed the last device in a callback: what is left is its successor's. */
static bool has_to_tell(void) {
  return has_teller && pthread_equal(teller, pthread_self()) && (!stopping || (told_next != NULL && !dropping));
}

static void *run_teller(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (has_to_tell())
    if (told_next != NULL)
      report_one();
    else
      pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

/* In a forked child the threads of the parent are not there. */
static void notice_fork(void) {
  if (process == getpid())
    return;
  process = getpid();
  vptr__fake_counted.threads = 0;
  worker_count = 0;
  has_teller = is_telling = stopping = dropping = false;
  pthread_cond_init(&changed, NULL);
}

/* While another thread closes the last device, whoever opens one again waits for the old threads to end. */
static void wait_for_stop(void) {
  notice_fork();
  while (stopping && !(has_teller && pthread_equal(teller, pthread_self())))
    pthread_cond_wait(&changed, &mutex);
}

static bool start_pool_thread(pthread_t *thread, void *(*body)(void *unused)) {
  if (pthread_create(thread, NULL, body, NULL) != 0)
    return false;
  vptr__fake_counted.threads++;
  return true;
}

/* All of them at once: a stack that is mapped later may come to lie where a test has just freed memory. */
cl_int vptr__fake_pool_staff(void) {
  wait_for_stop();
  while (worker_count < WORKERS && start_pool_thread(&workers[worker_count], run_worker))
    worker_count++;
  return worker_count > 0 ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

cl_int vptr__fake_pool_staff_teller(void) {
  wait_for_stop();
  if (!has_teller)
    has_teller = start_pool_thread(&teller, run_teller);
  return has_teller ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

void vptr__fake_pool_report(vptr__fake_note *notes) {
  if (told_next == NULL)
    told_next = notes;
  else
    told_last->next = notes;
  while (notes->next != NULL)
    notes = notes->next;
  told_last = notes;
  pthread_cond_broadcast(&changed);
}

/* Ends all threads, but for the calling one. Under the mutex, which it lets go meanwhile. */
static void stop_threads(bool at_once) {
  if (stopping || process != getpid())
    return;
  stopping = true;
  dropping = at_once;
  /* One who exits from within what the teller called would wait for itself; or for what never ends. */
  bool leave_teller = has_teller && (pthread_equal(teller, pthread_self()) || (at_once && is_telling));
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < worker_count; i++)
    pthread_join(workers[i], NULL);
  if (leave_teller)
    pthread_detach(teller);
  else if (has_teller)
    pthread_join(teller, NULL);
  pthread_mutex_lock(&mutex);
  worker_count = 0;
  has_teller = stopping = dropping = false;
  vptr__fake_counted.threads = 0;
  pthread_cond_broadcast(&changed);
}

void vptr__fake_pool_enter(void) {
  pthread_mutex_lock(&mutex);
  devices++;
  pthread_mutex_unlock(&mutex);
}

void vptr__fake_pool_leave(void) {
  pthread_mutex_lock(&mutex);
  if (--devices == 0)
    stop_threads(false);
  pthread_mutex_unlock(&mutex);
}

/* Where no thread was started by this process there is nothing to stop. In a forked child the mutex may be held by a
 * thread that is not there. */
__attribute__((destructor)) static void stop_at_exit(void) {
  if (process != getpid())
    return;
  pthread_mutex_lock(&mutex);
  stop_threads(true);
  pthread_mutex_unlock(&mutex);
}

/* ---- disorder ------------------------------------------------------------------------------------------- */

bool vptr__fake_pool_disorder(void) {
  return random_state != 0;
}

/* xorshift64*: never 0 from what is not 0. */
uint64_t vptr__fake_pool_random(uint64_t limit) {
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return (random_state * 0x2545f4914f6cdd1du >> 16) % limit;
}

void vptr__fake_pool_delay(void) {
  if (random_state == 0 || longest_delay_us == 0)
    return;
  uint64_t us = vptr__fake_pool_random(longest_delay_us + (uint64_t)1);
  const struct timespec delay = { (time_t)(us / 1000000), (long)(us % 1000000 * 1000) };
  pthread_mutex_unlock(&mutex);
  nanosleep(&delay, NULL);
  pthread_mutex_lock(&mutex);
}

void vptr__fake_disorder(uint64_t seed, unsigned max_delay_us) {
  pthread_mutex_lock(&mutex);
  random_state = seed;
  longest_delay_us = max_delay_us;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}
