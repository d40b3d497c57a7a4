/* SPDX-License-Identifier: MIT */
/*
 * reclaim - a request for device memory that others could give up.
 *
 * A heap releases what it has idle before it says that the device is full. Managed memory could go to the host
 * then, but it stands above the heap, which must not know it. So subsystems are asked (base/subsystem.h), by whoever
 * makes a buffer, until the buffer can be made or nothing is reclaimed any more:
 *
 *     vptr__reclaim request = vptr__reclaim_begin(device, false);
 *     status = make();
 *     while (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY && vptr__reclaim_ask(&request))
 *       status = make();
 *
 * Asking takes locks of rank MIRROR, and waits for work of the device's. No locks here.
 */
#ifndef VPTR_HEAP_RECLAIM_H
#define VPTR_HEAP_RECLAIM_H

#include "base/subsystem.h"
#include "device/device.h"

typedef struct vptr__reclaim {
  vptr__device *device;
  bool may_wait;   /* until others have sent what they are about to send; else for a moment at most */
  bool is_early;   /* the last answer: they still are, and may give later */
  uint64_t seen;   /* the rest is the reclaimer's: which changes it has told of, */
  uint64_t until;  /* when the moment is over, */
  uint64_t given;  /* how many bytes it gave, */
  unsigned again;  /* how often it said "once more" without having given any */
} vptr__reclaim;

static inline vptr__reclaim vptr__reclaim_begin(vptr__device *device, bool may_wait) {
  return (vptr__reclaim){ .device = device, .may_wait = may_wait };
}

/* Whether the caller should try again to make its buffer. */
static inline bool vptr__reclaim_ask(vptr__reclaim *reclaim) {
  return vptr__subsystems_reclaim(reclaim);
}

#endif
