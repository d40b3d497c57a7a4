/* SPDX-License-Identifier: MIT */
/*
 * proxy_image - images and samplers of a proxy (proxy.h).
 *
 * An image is a buffer's handle that remembers how it was made. One over a buffer holds that buffer's handle.
 *
 * vptr__proxy.lock, of rank LEAF, guards the lists that handles are entered in (`buffers`, `samplers`, `events`), and
 * the gate that each call passes. Samplers are freed here, images as buffers are (proxy_buffer.c). Called by proxy.c,
 * which has its table filled, and through the device's table. Who calls through the table are cudart/image/image.c and
 * cudart/cuda/array_copy.c. Calls wait while a device is exchanged.
 */
#include "device/proxy_apart.h"

#include "base/error.h"
#include "base/memory.h"

static vptr__image image_of(const vptr__image *handles) {
  vptr__image image = *handles;
  image.memory = vptr__proxy_mem(handles->memory);
  image.buffer = vptr__proxy_mem(handles->buffer);
  return image;
}

/* What the device decides of the image is told. Inside. */
static vptr_status make_image(vptr__proxy *proxy, vptr__device *inner, vptr__image *image, vptr__proxy_buffer *made) {
  vptr__image object;
  vptr_status status;
  vptr__error_try();
  do {
    object = image_of(image);
    status = inner->ops->image.create(inner, &object);
  } while (vptr__proxy_made_room(proxy, status));
  vptr__error_tried(status);
  if (status != VPTR_SUCCESS)
    return status;
  made->inner = object.memory;
  object.memory = (cl_mem)made;
  object.buffer = image->buffer;
  *image = object;
  made->image = object;
  return status;
}

static vptr_status create(vptr__device *face, vptr__image *image) {
  vptr__proxy_buffer *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__error_host_memory(sizeof *made);
  atomic_init(&made->references, 1);
  made->kind = VPTR__PROXY_IMAGE;
  made->root = (vptr__proxy_buffer *)image->buffer;
  made->bytes = image->extent[0] * image->extent[1] * image->extent[2] * image->element;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = vptr__proxy_is_apart(image->buffer) ? vptr__proxy_refuse_part_apart(inner, made->bytes)
                                                           : make_image(face->proxy, inner, image, made);
  if (status == VPTR_SUCCESS) {
    if (made->root != NULL)
      atomic_fetch_add(&made->root->references, 1);
    vptr__proxy_enter_list(face->proxy, &face->proxy->buffers, &made->link);
  }
  vptr__proxy_leave(face);
  if (status != VPTR_SUCCESS)
    vptr__memory_free(made);
  return status;
}

/* ---- samplers ------------------------------------------------------------------------------------------- */

static vptr_status sampler_create(vptr__device *face, const vptr__sampler *what, cl_sampler *sampler_out) {
  vptr__proxy_sampler *sampler = vptr__memory_calloc(1, sizeof *sampler);
  if (sampler == NULL)
    return vptr__error_host_memory(sizeof *sampler);
  sampler->what = *what;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = inner->ops->image.sampler_create(inner, what, &sampler->inner);
  if (status == VPTR_SUCCESS) {
    vptr__proxy_enter_list(face->proxy, &face->proxy->samplers, &sampler->link);
    *sampler_out = (cl_sampler)sampler;
  }
  vptr__proxy_leave(face);
  if (status != VPTR_SUCCESS)
    vptr__memory_free(sampler);
  return status;
}

static void sampler_release(vptr__device *face, cl_sampler handle) {
  vptr__proxy_sampler *sampler = (vptr__proxy_sampler *)handle;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr__proxy_leave_list(face->proxy, &face->proxy->samplers, &sampler->link);
  inner->ops->image.sampler_release(inner, sampler->inner);
  vptr__proxy_leave(face);
  vptr__memory_free(sampler);
}

/* ---- elements ------------------------------------------------------------------------------------------- */

static vptr_status enqueue_write(vptr__device *face, cl_command_queue queue, const vptr__image *to,
                                 const size_t origin[3], const size_t region[3], const void *from, size_t from_row,
                                 size_t from_slice, cl_event *event_out) {
  vptr__proxy_event *event;
  if (!vptr__proxy_event_begin(event_out, &event))
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  const vptr__image image = image_of(to);
  vptr_status status =
      inner->ops->image.enqueue_write(inner, vptr__proxy_queue_of(inner, queue), &image, origin, region, from,
                                      from_row, from_slice, vptr__proxy_event_room(event));
  status = vptr__proxy_event_end(face->proxy, event, event_out, status);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status enqueue_read(vptr__device *face, cl_command_queue queue, const vptr__image *from,
                                const size_t origin[3], const size_t region[3], void *to, size_t to_row,
                                size_t to_slice, cl_event *event_out) {
  vptr__proxy_event *event;
  if (!vptr__proxy_event_begin(event_out, &event))
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  const vptr__image image = image_of(from);
  vptr_status status = inner->ops->image.enqueue_read(inner, vptr__proxy_queue_of(inner, queue), &image, origin,
                                                      region, to, to_row, to_slice, vptr__proxy_event_room(event));
  status = vptr__proxy_event_end(face->proxy, event, event_out, status);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status enqueue_copy(vptr__device *face, cl_command_queue queue, const vptr__image *from,
                                const size_t from_origin[3], const vptr__image *to, const size_t to_origin[3],
                                const size_t region[3], cl_event *event_out) {
  vptr__proxy_event *event;
  if (!vptr__proxy_event_begin(event_out, &event))
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  const vptr__image here = image_of(from), there = image_of(to);
  vptr_status status = inner->ops->image.enqueue_copy(inner, vptr__proxy_queue_of(inner, queue), &here, from_origin,
                                                      &there, to_origin, region, vptr__proxy_event_room(event));
  status = vptr__proxy_event_end(face->proxy, event, event_out, status);
  vptr__proxy_leave(face);
  return status;
}

/* Buffers have elements one behind the other. */
static size_t bytes_of(const vptr__image *image, const size_t region[3]) {
  return region[0] * region[1] * region[2] * image->element;
}

static vptr_status enqueue_from_buffer(vptr__device *face, cl_command_queue queue, cl_mem from, size_t offset,
                                       const vptr__image *to, const size_t origin[3], const size_t region[3],
                                       cl_event *event_out) {
  const vptr__rect rect = { .buffer = from, .offset = offset };
  const size_t line[3] = { bytes_of(to, region), 1, 1 };
  vptr__proxy_turn turn;
  vptr__proxy_event *event;
  if (!vptr__proxy_event_begin(event_out, &event))
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  const vptr__image image = image_of(to);
  cl_command_queue there = vptr__proxy_queue_of(inner, queue);
  cl_event *room = vptr__proxy_event_room(event);
  vptr_status status = vptr__proxy_turn_begin(face->proxy, inner, there, &rect, NULL, line, &turn);
  if (status == VPTR_SUCCESS)
    status = inner->ops->image.enqueue_from_buffer(inner, there, vptr__proxy_mem(from), offset, &image, origin,
                                                   region, vptr__proxy_turn_room(&turn, room));
  status = vptr__proxy_turn_end(&turn, status, room);
  status = vptr__proxy_event_end(face->proxy, event, event_out, status);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status enqueue_to_buffer(vptr__device *face, cl_command_queue queue, const vptr__image *from,
                                     const size_t origin[3], const size_t region[3], cl_mem to, size_t offset,
                                     cl_event *event_out) {
  const vptr__rect rect = { .buffer = to, .offset = offset };
  const size_t line[3] = { bytes_of(from, region), 1, 1 };
  vptr__proxy_turn turn;
  vptr__proxy_event *event;
  if (!vptr__proxy_event_begin(event_out, &event))
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  const vptr__image image = image_of(from);
  cl_command_queue there = vptr__proxy_queue_of(inner, queue);
  cl_event *room = vptr__proxy_event_room(event);
  vptr_status status = vptr__proxy_turn_begin(face->proxy, inner, there, NULL, &rect, line, &turn);
  if (status == VPTR_SUCCESS)
    status = inner->ops->image.enqueue_to_buffer(inner, there, &image, origin, region, vptr__proxy_mem(to), offset,
                                                 vptr__proxy_turn_room(&turn, room));
  status = vptr__proxy_turn_end(&turn, status, room);
  status = vptr__proxy_event_end(face->proxy, event, event_out, status);
  vptr__proxy_leave(face);
  return status;
}

void vptr__proxy_image_ops(vptr__device_ops *ops) {
  ops->image.create = create;
  ops->image.sampler_create = sampler_create;
  ops->image.sampler_release = sampler_release;
  ops->image.enqueue_write = enqueue_write;
  ops->image.enqueue_read = enqueue_read;
  ops->image.enqueue_copy = enqueue_copy;
  ops->image.enqueue_from_buffer = enqueue_from_buffer;
  ops->image.enqueue_to_buffer = enqueue_to_buffer;
}
