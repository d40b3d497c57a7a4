/* SPDX-License-Identifier: MIT */
/*
 * prefetch_task - a prefetch to the host, as a host function of a stream (prefetch_task.h).
 *
 * A `task` is made for each prefetch and freed when it has run. It belongs to the stream's host call meanwhile, and
 * holds a reference to its mirror; there is no static data and no lock here; vptr__mirror.lock, of rank MIRROR, and
 * mapper->stream_lock, of rank STREAM, are taken for moments when the task is sent, the former also while bytes are
 * fetched, and that of the address index, of rank LEAF, to leave the mirror. Called by managed.c alone. Sending does
 * not wait for the stream, but may wait for bytes of the same mirror that another thread moves; it fails without host
 * memory, and as vptr__stream_host() does. In the stream's turn, in the thread that runs host functions
 * (stream/host.c), it tries every 50 us until the bytes are there, the mirror was acquired again, a call fails, or
 * VPTR__PREFETCH_TASK_PATIENCE_MS are over. It reports no error.
 */
#include "managed/prefetch_task.h"

#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "mirror/address_index.h"

enum { PAUSE_NS = 50000, NS_PER_MS = 1000000 };

typedef struct task {
  vptr__mirror *mirror; /* entered */
  size_t offset, size;
  uint64_t acquisitions; /* of the mirror, any part of it, when the task was sent */
} task;

static void free_task(task *it) {
  vptr__address_index_leave(it->mirror);
  vptr__memory_free(it);
}

static void run_task(vptr_status status, void *context) {
  const struct timespec pause = { .tv_nsec = PAUSE_NS };
  task *it = context;
  (void)status; /* of work before it: its stream tells */
  vptr__error_try();
  const uint64_t deadline = vptr__clock_ns() + (uint64_t)VPTR__PREFETCH_TASK_PATIENCE_MS * NS_PER_MS;
  /* NOT_READY: other streams' work still uses the memory */
  while (vptr__mirror_fetch_idle(it->mirror, it->offset, it->size, it->acquisitions) == VPTR_ERROR_NOT_READY &&
         vptr__clock_ns() < deadline)
    nanosleep(&pause, NULL);
  vptr__error_tried(VPTR_SUCCESS);
  free_task(it);
}

vptr_status vptr__prefetch_task_send(vptr__stream *stream, vptr__mirror *mirror, size_t offset, size_t size) {
  task *it = vptr__memory_calloc(1, sizeof *it);
  if (it == NULL) {
    vptr__address_index_leave(mirror);
    return vptr__error_host_memory(sizeof *it);
  }
  *it = (task){ mirror, offset, size, vptr__mirror_acquisitions(mirror) };
  vptr_status status = vptr__stream_host(stream, run_task, it);
  if (status != VPTR_SUCCESS)
    free_task(it);
  return status;
}
