/* SPDX-License-Identifier: MIT */
/*
 * budget - see budget.h.
 *
 * No data and no locks. Called by opencl.c and fake.c, which open devices.
 */
#include "device/budget.h"

#include "base/log.h"
#include "base/number.h"
#include "base/option.h"

void vptr__budget_apply(vptr__device *device) {
  uint64_t budget = vptr__option_number(VPTR__OPTION_DEVICE_BYTES, UINT64_MAX);
  if (budget >= device->memory_bytes)
    return;
  vptr__log(VPTR__LOG_DECISION, "%s has %llu bytes of memory, of which VPTR_DEVICE_BYTES leaves %llu", device->name,
            (unsigned long long)device->memory_bytes, (unsigned long long)budget);
  device->memory_bytes = budget;
  device->max_buffer_bytes = vptr__smaller(device->max_buffer_bytes, budget);
  device->has_budget = true;
}
