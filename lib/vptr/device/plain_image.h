/* SPDX-License-Identifier: MIT */
/*
 * plain_image - images that are buffers, their elements row behind row, slice behind slice.
 *
 * The fake device has no others. An OpenCL device gets them where kernels compute what a texture reads by themselves,
 * and for formats of which it has no images. These are entries of a device's table, as device.h says them, through the
 * table's own commands for rects. No state, no locks: an image is its caller's. Used by fake_image.c, joint_image.c and
 * opencl_image.c.
 */
#ifndef VPTR_DEVICE_PLAIN_IMAGE_H
#define VPTR_DEVICE_PLAIN_IMAGE_H

#include "device/device.h"

vptr_status vptr__plain_image_write(vptr__device *device, cl_command_queue queue, const vptr__image *to,
                                    const size_t origin[3], const size_t region[3], const void *from,
                                    size_t from_row, size_t from_slice, cl_event *event_out);
vptr_status vptr__plain_image_read(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                   const size_t origin[3], const size_t region[3], void *to, size_t to_row,
                                   size_t to_slice, cl_event *event_out);
vptr_status vptr__plain_image_copy(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                   const size_t from_origin[3], const vptr__image *to,
                                   const size_t to_origin[3], const size_t region[3], cl_event *event_out);
vptr_status vptr__plain_image_from_buffer(vptr__device *device, cl_command_queue queue, cl_mem from,
                                          size_t offset, const vptr__image *to, const size_t origin[3],
                                          const size_t region[3], cl_event *event_out);
vptr_status vptr__plain_image_to_buffer(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                        const size_t origin[3], const size_t region[3], cl_mem to,
                                        size_t offset, cl_event *event_out);

#endif
