/* SPDX-License-Identifier: MIT */
/*
 * shown - whether what the library has of a device may be shown to the program.
 *
 * A proxy's and a joint device's handles are no objects of a driver's. Behind a proxy's there is one; behind those of a
 * joint device there are several. No state, no locks. Used by files of lib/vptr/mapper and by stream/timing.c.
 */
#ifndef VPTR_DEVICE_SHOWN_H
#define VPTR_DEVICE_SHOWN_H

#include "device/device.h"

/* device/joint.c: refuses to show the program an object of a joint device, which is no driver's: UNSUPPORTED. */
vptr_status vptr__joint_refuse_object(const vptr__device *device, const char *what);

/* Whether what the library has of the device are handles of its own, and no objects of a driver's. */
static inline bool vptr__device_has_handles(const vptr__device *device) {
  return device->proxy != NULL || device->joint != NULL;
}

/* Whether the program may be shown objects of the device; says why not. */
static inline vptr_status vptr__device_check_shown(const vptr__device *device, const char *what) {
  return device->joint != NULL ? vptr__joint_refuse_object(device, what) : VPTR_SUCCESS;
}

#endif
