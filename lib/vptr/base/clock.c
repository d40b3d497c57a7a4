/* SPDX-License-Identifier: MIT */
/*
 * clock - monotonic time (clock.h). CLOCK_MONOTONIC and not _RAW or _COARSE: it is the one that every vDSO answers
 * without a system call and at full resolution.
 *
 * No data, no locks. Called by heap/heap.c, for the age of idle buffers; by callsite.c, heap/residence.c and
 * residence_move.c, mirror/resident_set.c, managed/prefetch_task.c, device/proxy.c, proxy_copy.c, proxy_event.c,
 * proxy_move.c and proxy_quiet.c and mapper/migrate.c and standby.c, for deadlines; by stream/word.c, for pauses
 * between looks; by transfer/pack.c, for the time that copies take; by device/budget.c and fake_buffer.c, for what
 * drivers are late with; by fake_queue.c, for the fake device's times; by nvtx/stack.c and nvtx/range.c, for ranges;
 * and by cublas/tuning.c, for products; and by device/joint_event.c and joint_queue.c. Nothing blocks.
 */
#include "base/clock.h"

#include <time.h>

uint64_t vptr__clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail: the clock exists on every Linux and the pointer is good */
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
