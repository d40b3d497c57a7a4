/* SPDX-License-Identifier: MIT */
/*
 * lane - which bytes of a long copy go to which member of a joint device, in the order of the members.
 *
 * Where the bytes are at home: that is where a copy writes them, and mostly whence it reads them. A device that is no
 * joint one is one lane. Of buffers only what never changes is read. No locks, and nothing waits. Used by
 * transfer/bulk.c, and made in joint_buffer.c.
 */
#ifndef VPTR_DEVICE_LANE_H
#define VPTR_DEVICE_LANE_H

#include "device/device.h"

enum { VPTR__LANES_MOST = 16 };

/* device/joint_buffer.c: of a joint device. */
unsigned vptr__joint_lane_count(const vptr__device *device);
vptr__device *vptr__joint_lane_device(const vptr__device *device, unsigned lane);
size_t vptr__joint_lane_end(cl_mem buffer, size_t offset, size_t size, unsigned lane);

static inline unsigned vptr__lane_count(const vptr__device *device) {
  return device->joint != NULL ? vptr__joint_lane_count(device) : 1;
}

/* For whose copies host memory is to be pinned. */
static inline vptr__device *vptr__lane_device(vptr__device *device, unsigned lane) {
  return device->joint != NULL ? vptr__joint_lane_device(device, lane) : device;
}

/* Of the bytes [offset, offset + size) of a buffer: behind those of lanes up to this one, counted from offset. The last
 * lane ends with the last byte. */
static inline size_t vptr__lane_end(const vptr__device *device, cl_mem buffer, size_t offset, size_t size,
                                    unsigned lane) {
  return device->joint != NULL ? vptr__joint_lane_end(buffer, offset, size, lane) : size;
}

#endif
