/* SPDX-License-Identifier: MIT */
/*
 * device - a recording's memory at its addresses on a device of this machine, and launches run on it.
 *
 * All device memory that any of the launches reaches is allocated at once, where it was; memory of the host's lies at
 * its addresses too, as pinned memory. It is the process's one device, the one that VPTR_PLATFORM and VPTR_DEVICE
 * select. No locks: one thread.
 */
#ifndef VPTR_REPLAY_DEVICE_H
#define VPTR_REPLAY_DEVICE_H

#include "recording.h"

/* Opens the device and makes memory for launches first to last. False: a line on stderr says why. */
bool rp_device_open(const rp_recording *recording, uint64_t first, uint64_t last);

/* Runs a launch `repeat` times, each from what it began with; seconds_out[i] is how long the kernel took by the
 * device's events. False: a line on stderr says why. */
bool rp_device_run(const rp_recording *recording, const rp_launch *launch, unsigned repeat, double *seconds_out);

/* Reads bytes of an area behind a run. */
bool rp_device_read(const rp_launch *launch, uint32_t area, size_t offset, void *bytes, size_t size);

#endif
