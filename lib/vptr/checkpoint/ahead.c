/* SPDX-License-Identifier: MIT */
/*
 * ahead - the thread that reads chunks of a checkpoint ahead, and how it is given them (ahead.h).
 *
 * The static `work` tells what is read now, and whether it has been; `work.lock`, of rank LEAF, guards it, and is not
 * held while the system reads. Reader and room are the caller's. Callers hold the lock of kept.c, of rank CHECKPOINT.
 * Called by restore.c, and in a thread of its own. To wait blocks as long as the disk does.
 */
#include "checkpoint/ahead.h"

#include "base/lock.h"
#include "base/thread.h"

static struct {
  vptr__lock lock;
  pthread_cond_t changed;
  bool is_started, is_handed, is_done; /* by the thread */
  bool is_read;
  const vptr__reader *reader;
  vptr__ahead_run run;
  unsigned char *bytes;
} work = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF), .changed = PTHREAD_COND_INITIALIZER };

vptr_status vptr__ahead_read(const vptr__reader *reader, const vptr__ahead_run *run, unsigned char *bytes) {
  vptr_status status = VPTR_SUCCESS;
  for (uint64_t i = 0; i < run->count && status == VPTR_SUCCESS; i++)
    status = vptr__reader_chunk(reader, run->buffer, run->chunk + i, bytes + i * VPTR__CHECKPOINT_CHUNK);
  return status;
}

static void *read_handed(void *unused) {
  (void)unused;
  vptr__lock_take(&work.lock);
  for (;;) {
    while (!work.is_handed || work.is_done)
      pthread_cond_wait(&work.changed, &work.lock.mutex);
    const vptr__reader *reader = work.reader;
    const vptr__ahead_run run = work.run;
    unsigned char *bytes = work.bytes;
    vptr__lock_give(&work.lock);
    const bool is_read = vptr__ahead_read(reader, &run, bytes) == VPTR_SUCCESS;
    vptr__lock_take(&work.lock);
    work.is_read = is_read;
    work.is_done = true;
    pthread_cond_broadcast(&work.changed);
  }
  return NULL;
}

/* Without the thread nothing is read: who waits hears so, and reads by itself. */
void vptr__ahead_hand(const vptr__reader *reader, const vptr__ahead_run *run, unsigned char *bytes) {
  vptr__lock_take(&work.lock);
  if (!work.is_started)
    work.is_started = vptr__thread_start(read_handed) == 0;
  work.reader = reader;
  work.run = *run;
  work.bytes = bytes;
  work.is_read = false;
  work.is_done = !work.is_started;
  work.is_handed = true;
  pthread_cond_broadcast(&work.changed);
  vptr__lock_give(&work.lock);
}

bool vptr__ahead_wait(void) {
  vptr__lock_take(&work.lock);
  while (!work.is_done)
    pthread_cond_wait(&work.changed, &work.lock.mutex);
  const bool is_read = work.is_read;
  work.is_handed = false;
  vptr__lock_give(&work.lock);
  return is_read;
}
