/* SPDX-License-Identifier: MIT */
/*
 * behind - the OpenCL objects that handles mean, for code that sends commands of its own: a library's that knows OpenCL
 * alone, as VkFFT (lib/cufft). Of a device that is no proxy (proxy.h) they are the same thing.
 *
 * What is told holds as long as the caller holds the device (vptr__device_hold()): after that there may be another one
 * behind it. Commands sent so have no handles for their events: a barrier behind them has one. No data, no locks.
 */
#ifndef VPTR_DEVICE_BEHIND_H
#define VPTR_DEVICE_BEHIND_H

#include "device/proxy_apart.h"

static inline vptr__device *vptr__device_behind(vptr__device *device) {
  return device->proxy != NULL ? device->proxy->inner->device : device;
}

static inline cl_command_queue vptr__queue_behind(vptr__device *device, cl_command_queue queue) {
  return device->proxy != NULL ? vptr__proxy_queue_of(device->proxy->inner->device, queue) : queue;
}

/* Host memory that a device keeps apart is sent and fetched around commands of the device's table alone, so it has
 * none: false. */
static inline bool vptr__buffer_has_behind(const vptr__device *device, cl_mem buffer) {
  return device->proxy == NULL || !vptr__proxy_is_apart(buffer);
}

static inline cl_mem vptr__buffer_behind(const vptr__device *device, cl_mem buffer) {
  return device->proxy != NULL ? vptr__proxy_mem(buffer) : buffer;
}

#endif
