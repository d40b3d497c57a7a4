/* SPDX-License-Identifier: MIT */
/*
 * plain_image - images that are buffers, moved by the device's commands for rects (plain_image.h).
 *
 * There is no data and no lock: an image is the caller's, and its memory a buffer of the device. Called by
 * fake_image.c, and through the device's table, where joint_image.c has entered it, for all images, and by
 * opencl_image.c for those that are asked for, and for formats that the device has no images of. Moves are commands,
 * and are not waited for.
 */
#include "device/plain_image.h"

static size_t row_of(const vptr__image *image) {
  return image->buffer != NULL && image->row > 0 ? image->row : image->extent[0] * image->element;
}

/* The bytes of a rect of elements. */
static vptr__rect rect_of(const vptr__image *image, const size_t origin[3]) {
  size_t row = row_of(image), slice = row * image->extent[1];
  return (vptr__rect){ image->memory,
                       image->offset + origin[2] * slice + origin[1] * row + origin[0] * image->element, row, slice };
}

/* A buffer beside an image: elements without gaps. */
static vptr__rect packed_rect(cl_mem buffer, size_t offset, const size_t bytes[3]) {
  return (vptr__rect){ buffer, offset, bytes[0], bytes[0] * bytes[1] };
}

typedef struct byte_region {
  size_t of[3];
} byte_region;

static byte_region in_bytes(const vptr__image *image, const size_t region[3]) {
  return (byte_region){ { region[0] * image->element, region[1], region[2] } };
}

vptr_status vptr__plain_image_write(vptr__device *device, cl_command_queue queue, const vptr__image *to,
                                    const size_t origin[3], const size_t region[3], const void *from, size_t from_row,
                                    size_t from_slice, cl_event *event_out) {
  const vptr__rect rect = rect_of(to, origin);
  const byte_region bytes = in_bytes(to, region);
  return device->ops->transfer.enqueue_write_rect(device, queue, &rect, from, from_row, from_slice, bytes.of,
                                                  event_out);
}

vptr_status vptr__plain_image_read(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                   const size_t origin[3], const size_t region[3], void *to, size_t to_row,
                                   size_t to_slice, cl_event *event_out) {
  const vptr__rect rect = rect_of(from, origin);
  const byte_region bytes = in_bytes(from, region);
  return device->ops->transfer.enqueue_read_rect(device, queue, &rect, to, to_row, to_slice, bytes.of, event_out);
}

vptr_status vptr__plain_image_copy(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                   const size_t from_origin[3], const vptr__image *to, const size_t to_origin[3],
                                   const size_t region[3], cl_event *event_out) {
  const vptr__rect source = rect_of(from, from_origin), target = rect_of(to, to_origin);
  const byte_region bytes = in_bytes(from, region);
  return device->ops->transfer.enqueue_copy_rect(device, queue, &source, &target, bytes.of, event_out);
}

vptr_status vptr__plain_image_from_buffer(vptr__device *device, cl_command_queue queue, cl_mem from, size_t offset,
                                          const vptr__image *to, const size_t origin[3], const size_t region[3],
                                          cl_event *event_out) {
  const byte_region bytes = in_bytes(to, region);
  const vptr__rect source = packed_rect(from, offset, bytes.of), target = rect_of(to, origin);
  return device->ops->transfer.enqueue_copy_rect(device, queue, &source, &target, bytes.of, event_out);
}

vptr_status vptr__plain_image_to_buffer(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                        const size_t origin[3], const size_t region[3], cl_mem to, size_t offset,
                                        cl_event *event_out) {
  const byte_region bytes = in_bytes(from, region);
  const vptr__rect source = rect_of(from, origin), target = packed_rect(to, offset, bytes.of);
  return device->ops->transfer.enqueue_copy_rect(device, queue, &source, &target, bytes.of, event_out);
}
