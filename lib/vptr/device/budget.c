/* SPDX-License-Identifier: MIT */
/*
 * budget - the limits that VPTR_DEVICE_BYTES and VPTR_BUFFER_BYTES set for a device, and the wait for bytes that its
 * driver is late to give back (budget.h).
 *
 * No data and no locks: what is due (vptr__budget_due) is its caller's, and atomic; limits are written into a device
 * that is being opened, which nobody else has yet. Called by opencl.c and fake.c, which open devices, and by
 * opencl_buffer.c and fake_buffer.c, which count buffers. vptr__budget_awaits() sleeps for 50 us, and is called without
 * the fake device's mutex.
 */
#include "device/budget.h"

#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/number.h"
#include "base/option.h"
#include "base/waiting.h"

enum { NAP_NS = 50000, MOMENT_NS = 200000000, JUST_NS = 1000000 };

void vptr__budget_let_go(vptr__budget_due *due, size_t bytes) {
  atomic_store(&due->latest, vptr__clock_ns());
  atomic_fetch_add(&due->bytes, bytes);
}

void vptr__budget_returned(vptr__budget_due *due, size_t bytes) {
  atomic_store(&due->latest, vptr__clock_ns());
  atomic_fetch_sub(&due->bytes, bytes);
}

/* OpenCL calls the last callback of a buffer first: what has just returned is counted as room a moment later. */
bool vptr__budget_awaits(const vptr__budget_due *due, uint64_t before) {
  const uint64_t latest = atomic_load(&due->latest);
  if (latest == 0 || vptr__waiting_is_barred() || vptr__clock_ns() - latest > (before > 0 ? MOMENT_NS : JUST_NS))
    return false;
  nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
  return true;
}

static void limit_buffers(vptr__device *device) {
  const uint64_t most = vptr__option_number(VPTR__OPTION_BUFFER_BYTES, UINT64_MAX);
  if (most >= device->max_buffer_bytes)
    return;
  vptr__log(VPTR__LOG_DECISION, "%s says that a buffer may have %llu bytes, of which VPTR_BUFFER_BYTES leaves %llu",
            device->name, (unsigned long long)device->max_buffer_bytes, (unsigned long long)most);
  device->max_buffer_bytes = most;
  device->quirk.trusts_max_buffer = true;
}

void vptr__budget_apply(vptr__device *device) {
  limit_buffers(device);
  uint64_t budget = vptr__option_number(VPTR__OPTION_DEVICE_BYTES, UINT64_MAX);
  if (budget >= device->memory_bytes)
    return;
  vptr__log(VPTR__LOG_DECISION, "%s has %llu bytes of memory, of which VPTR_DEVICE_BYTES leaves %llu", device->name,
            (unsigned long long)device->memory_bytes, (unsigned long long)budget);
  device->memory_bytes = budget;
  device->max_buffer_bytes = vptr__smaller(device->max_buffer_bytes, budget);
  device->has_budget = true;
}
