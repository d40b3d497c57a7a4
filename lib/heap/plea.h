/* SPDX-License-Identifier: MIT */
/*
 * plea - a request for device memory that others could give up.
 *
 * A heap releases what it has idle before it says that the device is full. Managed memory could go to the host
 * then, but it stands above the heap, which must not know it. So it registers here how to ask it, and whoever
 * makes a buffer asks until the buffer can be made or nothing is given any more:
 *
 *     vptr__plea plea = vptr__plea_begin(device, false);
 *     status = make();
 *     while (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY && vptr__plea_ask(&plea))
 *       status = make();
 *
 * Asking takes locks of rank MIRROR, and waits for work of the device's. No locks here: the giver is an atomic.
 */
#ifndef VPTR_HEAP_PLEA_H
#define VPTR_HEAP_PLEA_H

#include "device/device.h"

typedef struct vptr__plea {
  vptr__device *device;
  bool may_wait;   /* until others have sent what they are about to send; else for a moment at most */
  bool is_early;   /* the last answer: they still are, and may give later */
  uint64_t seen;   /* the rest is the giver's: which changes it has told of, */
  uint64_t until;  /* when the moment is over, */
  uint64_t given;  /* how many bytes it gave, */
  unsigned again;  /* how often it said "once more" without having given any */
} vptr__plea;

static inline vptr__plea vptr__plea_begin(vptr__device *device, bool may_wait) {
  return (vptr__plea){ .device = device, .may_wait = may_wait };
}

/* Whether it is worth another try. */
typedef bool vptr__giver(vptr__plea *plea);

/* From now on the giver is asked; there is one. */
void vptr__plea_answer_by(vptr__giver *giver);
bool vptr__plea_ask(vptr__plea *plea);

#endif
