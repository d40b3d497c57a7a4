/* SPDX-License-Identifier: MIT */
/*
 * program_key - the key of a program's binary on disk (base/binary.h): its text and options, its device and driver.
 *
 * No data, no locks. Used by program_kept.c and opencl_helper.c.
 */
#ifndef VPTR_DEVICE_PROGRAM_KEY_H
#define VPTR_DEVICE_PROGRAM_KEY_H

#include "base/binary.h"
#include "device/device.h"

/* The key points into both arguments, and is good as long as they stay. */
vptr__binary_key vptr__binary_key_of(const vptr__device *device, const vptr__program_source *source);

#endif
