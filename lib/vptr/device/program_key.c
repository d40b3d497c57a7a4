/* SPDX-License-Identifier: MIT */
/*
 * program_key - the key of a program's binary on disk (program_key.h).
 *
 * No data and no locks. Called by program_kept.c and opencl_helper.c, which look for a binary under the key and keep
 * one there; opencl_helper.c does so with a trial's verdict on a device as well.
 */
#include "device/program_key.h"

#include <string.h>

vptr__binary_key vptr__binary_key_of(const vptr__device *device, const vptr__program_source *source) {
  return (vptr__binary_key){ { { source->text, source->length },
                               { source->options, strlen(source->options) },
                               { device->platform, strlen(device->platform) },
                               { device->name, strlen(device->name) },
                               { device->version, strlen(device->version) },
                               { device->driver, strlen(device->driver) } } };
}
