/* SPDX-License-Identifier: MIT */
/*
 * fake_image - images of the fake device: buffers whose elements lie row behind row.
 *
 * An image's handle is that of its buffer, and moving elements is moving rects of bytes. So images are counted, made
 * to fail, delayed and checked for misuse as buffers are, and nothing of that is written twice. There are no kernels
 * here that could tell formats or samplers apart; both are taken as they come. A sampler is only counted.
 *
 * No data but the static count `samplers`, which is atomic, and no lock: what moves goes through the fake device's own
 * table, whose commands take its mutex (fake_driver.h). An image is its caller's. Called through the device's table
 * (fake.c) by cudart/image/image.c, cudart/cuda/array_content.c, array_copy.c and proxy_*.c. Moves do not wait.
 */
#include "device/fake_image.h"

#include "base/error.h"
#include "device/plain_image.h"

#include <stdio.h>
#include <stdlib.h>

static atomic_size_t samplers;

/* ---- making --------------------------------------------------------------------------------------------- */

vptr_status vptr__fake_image_create(vptr__device *device, vptr__image *image) {
  size_t bytes = image->element;
  for (int i = 0; i < 3; i++)
    if (__builtin_mul_overflow(bytes, image->extent[i], &bytes))
      return vptr__error(VPTR_ERROR_INVALID_SIZE, "the fake device takes no image of %zux%zux%zu elements",
                         image->extent[0], image->extent[1], image->extent[2]);
  if (image->buffer == NULL)
    return device->ops->memory.create(device, bytes, &image->memory);
  device->ops->memory.retain(device, image->buffer);
  image->memory = image->buffer;
  return VPTR_SUCCESS;
}

/* The handle only has to be none of NULL and of buffers. */
vptr_status vptr__fake_sampler_create(vptr__device *device, const vptr__sampler *what, cl_sampler *sampler_out) {
  (void)device, (void)what;
  static char body;
  atomic_fetch_add(&samplers, 1);
  *sampler_out = (cl_sampler)(void *)&body;
  return VPTR_SUCCESS;
}

void vptr__fake_sampler_release(vptr__device *device, cl_sampler sampler) {
  (void)device, (void)sampler;
  if (atomic_fetch_sub(&samplers, 1) == 0) {
    fputs("vptr: fake device misused: release of a sampler that is not there\n", stderr);
    abort();
  }
}

size_t vptr__fake_samplers(void) {
  return atomic_load(&samplers);
}

/* ---- moving --------------------------------------------------------------------------------------------- */

/* A rect that leaves its image is a mistake of ours, even where it stays in the buffer. */
static void check_rect(const vptr__image *image, const size_t origin[3], const size_t region[3]) {
  for (int i = 0; i < 3; i++)
    if (origin[i] > image->extent[i] || region[i] > image->extent[i] - origin[i]) {
      fprintf(stderr, "vptr: fake device misused: %zu elements from %zu in dimension %d of an image that has %zu\n",
              region[i], origin[i], i, image->extent[i]);
      abort();
    }
}

vptr_status vptr__fake_enqueue_image_write(vptr__device *device, cl_command_queue queue, const vptr__image *to,
                                           const size_t origin[3], const size_t region[3], const void *from,
                                           size_t from_row, size_t from_slice, cl_event *event_out) {
  check_rect(to, origin, region);
  return vptr__plain_image_write(device, queue, to, origin, region, from, from_row, from_slice, event_out);
}

vptr_status vptr__fake_enqueue_image_read(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                          const size_t origin[3], const size_t region[3], void *to, size_t to_row,
                                          size_t to_slice, cl_event *event_out) {
  check_rect(from, origin, region);
  return vptr__plain_image_read(device, queue, from, origin, region, to, to_row, to_slice, event_out);
}

vptr_status vptr__fake_enqueue_image_copy(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                          const size_t from_origin[3], const vptr__image *to,
                                          const size_t to_origin[3], const size_t region[3], cl_event *event_out) {
  check_rect(from, from_origin, region);
  check_rect(to, to_origin, region);
  return vptr__plain_image_copy(device, queue, from, from_origin, to, to_origin, region, event_out);
}

vptr_status vptr__fake_enqueue_image_from_buffer(vptr__device *device, cl_command_queue queue, cl_mem from,
                                                 size_t offset, const vptr__image *to, const size_t origin[3],
                                                 const size_t region[3], cl_event *event_out) {
  check_rect(to, origin, region);
  return vptr__plain_image_from_buffer(device, queue, from, offset, to, origin, region, event_out);
}

vptr_status vptr__fake_enqueue_image_to_buffer(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                               const size_t origin[3], const size_t region[3], cl_mem to,
                                               size_t offset, cl_event *event_out) {
  check_rect(from, origin, region);
  return vptr__plain_image_to_buffer(device, queue, from, origin, region, to, offset, event_out);
}
