/* SPDX-License-Identifier: MIT */
/*
 * managed_mode - how a device's managed memory is kept: one address for host and kernels.
 *
 *     PLACE    pinned memory of the host's that kernels work on where it lies: device memory is the host's, or the
 *              device reaches the host's across the bus at its own address. Nothing is copied. Only where there is one
 *              device.
 *     FAULTS   a mirror (mirror/mirror.h): device memory and host memory, kept one by page faults. Kernels run at the
 *              speed of the device's memory, and only what the other side has touched is copied.
 *
 * PLACE is for devices whose memory is the host's. Across a bus a kernel would read at the bus's speed again and again
 * (51 GB/s against 3 TB/s on an H100), so there it is FAULTS, unless VPTR_MANAGED says otherwise.
 *
 * There is no lock: the mapper's device is read once, atomically, and the number of devices stays once it is known. The
 * answer may be another one after vptr_migrate(), so it is not to be kept.
 */
#ifndef VPTR_MAPPER_MANAGED_MODE_H
#define VPTR_MAPPER_MANAGED_MODE_H

#include "mapper/mapper.h"

typedef enum vptr__managed_mode { VPTR__MANAGED_PLACE, VPTR__MANAGED_FAULTS } vptr__managed_mode;

/* The mode of a mapper. PLACE is what to try first: whether the device can use the host's memory in place it only
 * answers for the very memory. */
VPTR_API vptr__managed_mode vptr__managed_mode_of(const vptr_mapper *mapper);

#endif
