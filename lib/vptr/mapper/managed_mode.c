/* SPDX-License-Identifier: MIT */
/*
 * managed_mode - the choice whether a device's managed memory is kept in place or by page faults (managed_mode.h).
 *
 * The answer is computed from VPTR_MANAGED, the device's properties and the number of devices each time: there is no
 * data, and no lock of its own: the count of devices takes `lock` of device/platform.c, of rank DEVICE, the first time.
 * Called by cudart/managed/managed.c for each allocation, by cudart/pinned/restored.c for
 * what a checkpoint brings, and by mapper/report.c. Nothing fails.
 */
#include "mapper/managed_mode.h"

#include "base/option.h"
#include "mapper/registry.h"

/* Memory in place is its own device's; mirrors can be any's. */
static bool may_be_in_place(const vptr__device *device) {
  return vptr__device_count() == 1 && (device->host_unified || device->reaches_pinned);
}

vptr__managed_mode vptr__managed_mode_of(const vptr_mapper *mapper) {
  const vptr__device *device = mapper->device;
  uint64_t asked = vptr__option_number(VPTR__OPTION_MANAGED, VPTR__CHOICE_AUTO);
  bool wants_place = asked == VPTR__CHOICE_AUTO ? device->host_unified : asked == VPTR__CHOICE_PLACE;
  return wants_place && may_be_in_place(device) ? VPTR__MANAGED_PLACE : VPTR__MANAGED_FAULTS;
}
