/* SPDX-License-Identifier: MIT */
/*
 * scribe - the thread that writes batches and closes files, and how it is given them (scribe.h).
 *
 * The static `batch` is the one that is written now, and the file that is closed; `batch.lock`, of rank LEAF, guards
 * it, and is not held while the thread writes or closes. Where there is no such thread, or it closes a file, the caller
 * writes, and holds the lock meanwhile. The pieces are the writer's.
 * Callers hold the lock of kept.c, of rank CHECKPOINT. Called by writer.c, and in a thread of its own. To wait blocks
 * as long as the disk does.
 */
#include "checkpoint/scribe.h"

#include <errno.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/lock.h"
#include "base/thread.h"

static struct {
  vptr__lock lock;
  pthread_cond_t changed;
  bool is_started, is_handed, is_done; /* by the thread */
  int descriptor, count, code;         /* code: errno of a write that failed, else 0 */
  struct iovec *pieces;
  int former; /* to be closed, until it is; -1: none */
} batch = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF), .changed = PTHREAD_COND_INITIALIZER, .former = -1 };

static int write_batch(int descriptor, struct iovec *pieces, int count) {
  return vptr__disk_write(descriptor, pieces, count) ? 0 : errno != 0 ? errno : EIO;
}

/* With the lock, which it and the next give back meanwhile. */
static void write_handed(void) {
  const int descriptor = batch.descriptor, count = batch.count;
  struct iovec *pieces = batch.pieces;
  vptr__lock_give(&batch.lock);
  const int code = write_batch(descriptor, pieces, count);
  vptr__lock_take(&batch.lock);
  batch.code = code;
  batch.is_done = true;
}

static void close_former(void) {
  const int former = batch.former;
  vptr__lock_give(&batch.lock);
  close(former);
  vptr__lock_take(&batch.lock);
  batch.former = -1;
}

static void *work_on(void *unused) {
  (void)unused;
  vptr__lock_take(&batch.lock);
  for (;;) {
    const bool is_to_write = batch.is_handed && !batch.is_done;
    if (!is_to_write && batch.former < 0) {
      pthread_cond_wait(&batch.changed, &batch.lock.mutex);
      continue;
    }
    (is_to_write ? write_handed : close_former)();
    pthread_cond_broadcast(&batch.changed);
  }
  return NULL;
}

void vptr__scribe_hand(int descriptor, struct iovec *pieces, int count) {
  vptr__lock_take(&batch.lock);
  if (!batch.is_started)
    batch.is_started = vptr__thread_start(work_on) == 0;
  batch.descriptor = descriptor;
  batch.pieces = pieces;
  batch.count = count;
  batch.is_done = !batch.is_started || batch.former >= 0;
  batch.code = batch.is_done ? write_batch(descriptor, pieces, count) : 0;
  batch.is_handed = true;
  pthread_cond_broadcast(&batch.changed);
  vptr__lock_give(&batch.lock);
}

bool vptr__scribe_wait(void) {
  vptr__lock_take(&batch.lock);
  while (batch.is_handed && !batch.is_done)
    pthread_cond_wait(&batch.changed, &batch.lock.mutex);
  const int code = batch.is_handed ? batch.code : 0;
  batch.is_handed = false;
  vptr__lock_give(&batch.lock);
  errno = code;
  return code == 0;
}

/* One at a time: who hands over another waits for the one before. */
void vptr__scribe_close(int descriptor) {
  vptr__lock_take(&batch.lock);
  const bool is_mine = !batch.is_started;
  while (!is_mine && batch.former >= 0)
    pthread_cond_wait(&batch.changed, &batch.lock.mutex);
  if (!is_mine)
    batch.former = descriptor;
  pthread_cond_broadcast(&batch.changed);
  vptr__lock_give(&batch.lock);
  if (is_mine)
    close(descriptor);
}
