/* SPDX-License-Identifier: MIT */
/*
 * program_key - what the binary of a program of a device's depends on: its text and options, and who builds it.
 */
#ifndef VPTR_DEVICE_PROGRAM_KEY_H
#define VPTR_DEVICE_PROGRAM_KEY_H

#include "base/binary.h"
#include "device/device.h"

/* Points into both. */
vptr__binary_key vptr__binary_key_of(const vptr__device *device, const vptr__program_source *source);

#endif
