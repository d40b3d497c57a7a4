/* SPDX-License-Identifier: MIT */
/*
 * pocl - reading PoCL's version from a device's, and setting its way to run work-items (pocl.h).
 *
 * There is no data but the static `is_warned`, which is atomic: that one warning was given; and no lock. Called by
 * opencl.c alone, while a device is opened: PoCL reads the environment then. Nothing blocks or fails.
 */
#include "device/pocl.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

enum { FIRST_WITH_JUMPS = 4 };

static const char variable[] = "POCL_WORK_GROUP_METHOD";
static const char jumps[] = "cbs";

static atomic_flag is_warned = ATOMIC_FLAG_INIT; /* a process opens many devices */

unsigned vptr__pocl_version(const char *platform, const char *driver) {
  if (strstr(platform, "Portable Computing Language") == NULL)
    return 0;
  return (unsigned)strtoul(driver, NULL, 10);
}

bool vptr__pocl_choose_method(unsigned version) {
  if (version < FIRST_WITH_JUMPS)
    return true;
  setenv(variable, jumps, 0);
  const char *chosen = getenv(variable);
  if (chosen != NULL && strcmp(chosen, jumps) != 0 && !atomic_flag_test_and_set(&is_warned))
    vptr__log_always(
        "%s is '%s': PoCL %u runs kernels with barriers under conditions or in loops rightly only with '%s'; "
        "unset the variable, and vptr sets it",
        variable, chosen, version, jumps);
  return false;
}
