/* SPDX-License-Identifier: MIT */
/*
 * budget - how much of a device's memory the process may have (VPTR_DEVICE_BYTES).
 *
 * A device with a budget is one with so much memory to all who ask; its buffers are counted (opencl_buffer.c,
 * fake_buffer.c), since the driver would make more. A value of the device's, set once, when it is opened. No locks.
 */
#ifndef VPTR_DEVICE_BUDGET_H
#define VPTR_DEVICE_BUDGET_H

#include "device/device.h"

/* Of a device that is being opened, and whose memory is described. */
void vptr__budget_apply(vptr__device *device);

#endif
