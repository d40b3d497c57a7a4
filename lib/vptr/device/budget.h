/* SPDX-License-Identifier: MIT */
/*
 * budget - how much of a device's memory the process may have (VPTR_DEVICE_BYTES).
 *
 * A device with a budget is one with so much memory to all who ask; its buffers are counted (opencl_buffer.c,
 * fake_buffer.c), since the driver would make more. It is in the device's memory_bytes and has_budget, which are set
 * once, when it is opened.
 *
 * A buffer counts until the driver destroys it, and drivers do that in a time of their own: NVIDIA's after the call
 * that released it, also when all commands are over and the context has gone. So what vptr let go of is counted as on
 * its way back (vptr__budget_due), and who finds no room waits for that, for a moment after the latest release:
 *
 *     vptr__budget_let_go() ---> the driver ---> vptr__budget_returned()
 *
 * A buffer that somebody else holds too is not on its way, and is not waited for.
 *
 * A vptr__budget_due is a member of what counts buffers: of `counts` in opencl_buffer.c, and of `late` in
 * fake_buffer.c. Its members are atomic; there are no locks. Used by these two files, and by opencl.c and fake.c, which
 * open devices.
 */
#ifndef VPTR_DEVICE_BUDGET_H
#define VPTR_DEVICE_BUDGET_H

#include <stdatomic.h>

#include "device/device.h"

typedef struct vptr__budget_due {
  _Atomic(uint64_t) bytes;  /* that vptr let go of, and the driver has not destroyed */
  _Atomic(uint64_t) latest; /* ns of the clock: when it let go of some, or some returned */
} vptr__budget_due;

void vptr__budget_let_go(vptr__budget_due *due, size_t bytes);
void vptr__budget_returned(vptr__budget_due *due, size_t bytes);

/* Of who looks for room: whether some was due before, or has just come, so that to look again is worth a nap, which it
 * has taken then. In a function that a stream calls never: what is due may wait for that stream.
 *
 *     do
 *       before = vptr__budget_due_now(&due);
 *     while (!there_is_room() && vptr__budget_awaits(&due, before));
 */
static inline uint64_t vptr__budget_due_now(const vptr__budget_due *due) {
  return atomic_load(&due->bytes);
}
bool vptr__budget_awaits(const vptr__budget_due *due, uint64_t before);

/* Of a device that is being opened, and whose memory is described: VPTR_DEVICE_BYTES, and VPTR_BUFFER_BYTES. */
void vptr__budget_apply(vptr__device *device);

#endif
