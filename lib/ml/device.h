/* SPDX-License-Identifier: MIT */
/*
 * device - NVML's handles of devices.
 *
 * A handle is the address of an element of a constant array, whose index is the runtime's ordinal. So it never dies,
 * and is looked at without a lock.
 */
#ifndef VPTR_ML_DEVICE_H
#define VPTR_ML_DEVICE_H

#include "ml/ml.h"

/* What call begins with: NVML has begun, the handle is a device's, and there is a place for the answer. */
nvmlReturn_t vptr__ml_device(const char *call, nvmlDevice_t device, const void *output, int *ordinal_out);

/* The place on the bus, as the runtime tells it. */
typedef struct vptr__ml_place {
  int domain, bus, device;
} vptr__ml_place;

nvmlReturn_t vptr__ml_place_of(int ordinal, vptr__ml_place *place_out);

#endif
