/* SPDX-License-Identifier: MIT */
/*
 * flight - which kernels are under way, for the report of one that crashes (VPTR_TRAP=1).
 *
 * On a CPU device kernels run in this process. When one follows a wild pointer, the signal comes on a thread of the
 * driver's, whose stack says nothing of the launch; so each launch is noted before it is sent, and struck out by an
 * event when it is over. Kept on CPU devices only, and only with VPTR_TRAP=1: an event with a callback costs a
 * microsecond or more. The latest are kept, as many as there are places.
 *
 * No locks: a signal handler reads it. A place that is being written is not listed.
 */
#ifndef VPTR_MAPPER_FLIGHT_H
#define VPTR_MAPPER_FLIGHT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "device/device.h"

enum { VPTR__FLIGHTS = 32, VPTR__FLIGHT_NAME = 128 };

typedef struct vptr__flight {
  char name[VPTR__FLIGHT_NAME], entry[VPTR__FLIGHT_NAME]; /* as the program has it; as the driver has it. Cut. */
} vptr__flight;

VPTR_API extern atomic_bool vptr__flight_is_kept;

/* Launches are noted from now on; trap.c calls it when it installs its signal handler. */
void vptr__flight_keep(void);

static inline bool vptr__flight_wanted(const vptr__device *device) {
  return atomic_load_explicit(&vptr__flight_is_kept, memory_order_relaxed) && (device->type & CL_DEVICE_TYPE_CPU) != 0;
}

/* vptr__flight_begin() is called before a kernel is sent, and returns the launch's number. vptr__flight_sent() is
 * called after it was sent, with its event, which stays the caller's; or with NULL, if it was not sent. */
VPTR_API uint64_t vptr__flight_begin(const char *name, const char *entry);
VPTR_API void vptr__flight_sent(vptr__device *device, uint64_t flight, cl_event event);

/* Those that are under way: at most room, the latest first. For signal handlers too. */
size_t vptr__flight_list(vptr__flight *list, size_t room);
bool vptr__flight_any(void);

#endif
