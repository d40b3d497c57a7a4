/* SPDX-License-Identifier: MIT */
/*
 * standby - devices that a mapper keeps open while it is on another one: the program names them by vptr_keep_device().
 * A move to one of them does not wait for a driver's start, nor one that leaves it for the driver's end; NVIDIA's take
 * 120 and 70 ms of a move of 8 GiB, whose bytes take 160.
 *
 * With them it keeps the pinned memory by which bytes went from one to the other, 32 MiB: NVIDIA's driver took 8 ms to
 * pin 24 MiB for both, and some to let go.
 *
 * Of each device that is named there is one at most here, and none while the mapper is on it. Used by migrate.c and
 * mapper.c. The list is guarded by the lock in it, of rank LEAF, which is not held while a device is opened or closed.
 */
#ifndef VPTR_MAPPER_STANDBY_H
#define VPTR_MAPPER_STANDBY_H

#include <vptr/vptr.h>

#include "base/lock.h"
#include "device/proxy.h"

typedef struct vptr__standby {
  vptr__lock lock;
  struct vptr__standby_device *devices;
  vptr__proxy_ring ring; /* of the last move, by a lock of its own */
} vptr__standby;

void vptr__standby_init(vptr__standby *standby);

/* Closes them all. */
void vptr__standby_fini(vptr__standby *standby);

/* The device, the caller's from then on: it was kept, or is opened now. NULL: the one that the environment chooses
 * first. Blocks while a driver starts. Errors: those of vptr__device_open(). */
vptr_status vptr__standby_open(vptr__standby *standby, cl_device_id device, vptr__device **device_out);

/* A device of which nothing is left, and no work: stays here if it is named, and is closed if not. */
void vptr__standby_give(vptr__standby *standby, vptr__device *device);

/* One that is lost is named no longer, and nothing copies from it. It stays the caller's. */
void vptr__standby_forget(vptr__standby *standby, const vptr__device *device);

#endif
