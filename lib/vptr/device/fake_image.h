/* SPDX-License-Identifier: MIT */
/*
 * fake_image - images of the fake device; the entries of its table, as device.h says them.
 *
 * Thread-safe: they stand on the fake device's buffers and commands, which take its mutex (fake_driver.h), and are
 * called without it. fake.c puts them into the device's table; nobody else calls them.
 */
#ifndef VPTR_DEVICE_FAKE_IMAGE_H
#define VPTR_DEVICE_FAKE_IMAGE_H

#include "device/device.h"

vptr_status vptr__fake_image_create(vptr__device *device, vptr__image *image);
vptr_status vptr__fake_sampler_create(vptr__device *device, const vptr__sampler *what, cl_sampler *sampler_out);
void vptr__fake_sampler_release(vptr__device *device, cl_sampler sampler);

vptr_status vptr__fake_enqueue_image_write(vptr__device *device, cl_command_queue queue, const vptr__image *to,
                                           const size_t origin[3], const size_t region[3], const void *from,
                                           size_t from_row, size_t from_slice, cl_event *event_out);
vptr_status vptr__fake_enqueue_image_read(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                          const size_t origin[3], const size_t region[3], void *to, size_t to_row,
                                          size_t to_slice, cl_event *event_out);
vptr_status vptr__fake_enqueue_image_copy(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                          const size_t from_origin[3], const vptr__image *to,
                                          const size_t to_origin[3], const size_t region[3], cl_event *event_out);
vptr_status vptr__fake_enqueue_image_from_buffer(vptr__device *device, cl_command_queue queue, cl_mem from,
                                                 size_t offset, const vptr__image *to, const size_t origin[3],
                                                 const size_t region[3], cl_event *event_out);
vptr_status vptr__fake_enqueue_image_to_buffer(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                               const size_t origin[3], const size_t region[3], cl_mem to,
                                               size_t offset, cl_event *event_out);

/* For tests: how many samplers there are. */
size_t vptr__fake_samplers(void);

#endif
