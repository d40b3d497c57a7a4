/* SPDX-License-Identifier: MIT */
/*
 * image - making, moving and releasing OpenCL images and samplers for arrays and textures (image.h).
 *
 * The file has no data and no lock: a vptr__image is the caller's variable, part of the array or texture that it was
 * made for (cudart/cuda/array.c, texture.h). Each texture and surface object over an array that a kernel in OpenCL was
 * given has a copy of it; the OpenCL memory object in them is one, and counted, and goes with the last. Which image an
 * array has is guarded by the static `lock` of cudart/cuda/array.c, of rank ARRAY. array.c holds it while it replaces
 * an image, and array_copy.c while it queues commands. The image of a texture over memory, and a texture's sampler, are
 * made when a kernel in OpenCL first asks for them, and put into the texture under the static `making` of
 * cudart/cuda/texture_object.c, of rank LEAF; they never change after. What texture.c calls for a texture reference
 * runs under the static `binding` of cudart/cuda/reference.c, of rank REFERENCE. A release needs no lock.
 *
 * Called by cudart/cuda/array.c, which makes and releases images, retains one for each texture or surface object, and
 * moves elements when an array gets another form; by texture.c, which retains and releases the memory under a texture,
 * its image and its sampler; by texture_object.c, which makes and releases images over memory, and samplers; by
 * array_copy.c, which moves elements; by array_content.c, for staging buffers. Both array.c and array_copy.c have
 * the staging buffers of such moves made here. On a full device an image and a staging buffer are made when others
 * have made room (mapper/reclaim.h), which waits for the device. An image over a buffer is not tried again.
 * vptr__image_hold_memory() and _keep_memory() take vptr__heap.lock, of rank HEAP, and wait where that memory has to
 * come back to the device. Moves are commands of a stream, and are not waited for.
 */
#include "image/image.h"

#include "base/error.h"
#include "mapper/reclaim.h"

/* ---- images --------------------------------------------------------------------------------------------- */

/* An image that is asked for. */
typedef struct image_request {
  vptr__device *device;
  vptr__image *image;
} image_request;

static vptr_status create_image(void *context) {
  const image_request *want = context;
  return want->device->ops->image.create(want->device, want->image);
}

/* `false`: who makes room must not wait for threads that are about to send work. The caller may hold the lock of all
 * arrays, which those need who are about to send copies. */
vptr_status vptr__image_make(vptr_mapper *mapper, vptr__image *image) {
  vptr__reclaim reclaim = vptr__reclaim_begin(mapper, false);
  image_request want = { mapper->device, image };
  return vptr__reclaim_insist(&reclaim, create_image, &want);
}

/* An image begins at the first byte of a buffer: the root's, if that is it, since not every driver makes images of
 * sub-buffers (PoCL does not). */
static vptr_status buffer_at(vptr__device *device, const char *what, const vptr_location *location, size_t bytes,
                             cl_mem *buffer_out) {
  if (location->buffer_offset % device->alignment != 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "%s: byte %zu of a buffer is not aligned to %zu, as textures of %s are", what,
                       location->buffer_offset, device->alignment, device->name);
  if (location->buffer_offset > 0)
    return device->ops->memory.create_sub(device, location->buffer, location->buffer_offset, bytes, buffer_out);
  device->ops->memory.retain(device, location->buffer);
  *buffer_out = location->buffer;
  return VPTR_SUCCESS;
}

vptr_status vptr__image_hold_memory(vptr_mapper *mapper, const char *what, const void *ptr, size_t bytes,
                                    vptr__image *image) {
  vptr__device *device = mapper->device;
  vptr_location location;
  vptr_status status = vptr__heap_retain(mapper->heap, ptr, bytes, &location);
  if (status != VPTR_SUCCESS)
    return status > VPTR_ERROR_INTERIOR ? status : vptr__mapper_explain(mapper, status, what, ptr, bytes);
  status = buffer_at(device, what, &location, bytes, &image->buffer);
  device->ops->memory.release(device, location.buffer);
  return status;
}

vptr_status vptr__image_keep_memory(vptr_mapper *mapper, const char *what, const void *ptr, size_t bytes,
                                    vptr__image *image) {
  vptr_location location;
  if ((uintptr_t)ptr % image->element != 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is not aligned to an element, of %zu bytes", what, ptr,
                       image->element);
  vptr_status status = vptr__heap_retain(mapper->heap, ptr, bytes, &location);
  if (status != VPTR_SUCCESS)
    return status > VPTR_ERROR_INTERIOR ? status : vptr__mapper_explain(mapper, status, what, ptr, bytes);
  image->buffer = location.buffer;
  return VPTR_SUCCESS;
}

void vptr__image_let_go_of_memory(const vptr_mapper *mapper, vptr__image *image) {
  mapper->device->ops->memory.release(mapper->device, image->buffer);
  image->buffer = NULL;
}

vptr_status vptr__image_make_over(vptr_mapper *mapper, vptr__image *image) {
  return mapper->device->ops->image.create(mapper->device, image);
}

void vptr__image_retain(const vptr_mapper *mapper, const vptr__image *image) {
  mapper->device->ops->memory.retain(mapper->device, image->memory);
}

void vptr__image_release(const vptr_mapper *mapper, const vptr__image *image) {
  mapper->device->ops->memory.release(mapper->device, image->memory);
}

/* ---- elements on their way ------------------------------------------------------------------------------ */

/* A staging buffer that is asked for. */
typedef struct stage_request {
  vptr__device *device;
  size_t bytes;
  cl_mem *stage_out;
} stage_request;

static vptr_status create_stage(void *context) {
  const stage_request *want = context;
  return want->device->ops->memory.create(want->device, want->bytes, want->stage_out);
}

vptr_status vptr__image_stage_make(vptr_mapper *mapper, size_t bytes, cl_mem *stage_out) {
  vptr__reclaim reclaim = vptr__reclaim_begin(mapper, false);
  stage_request want = { mapper->device, bytes, stage_out };
  return vptr__reclaim_insist(&reclaim, create_stage, &want);
}

void vptr__image_stage_release(const vptr_mapper *mapper, cl_mem stage) {
  mapper->device->ops->memory.release(mapper->device, stage);
}

vptr_status vptr__image_note_step(vptr__stream *stream, cl_event event) {
  vptr__stream_note(stream, event);
  return vptr__stream_expect(stream);
}

vptr_status vptr__image_move(vptr__stream *stream, cl_command_queue queue, const vptr__image *from,
                             const size_t from_at[3], const vptr__image *to, const size_t to_at[3],
                             const size_t region[3], cl_mem stage, cl_event *event_out) {
  vptr__device *device = vptr__stream_mapper(stream)->device;
  cl_event step = NULL;
  vptr_status status = device->ops->image.enqueue_to_buffer(device, queue, from, from_at, region, stage, 0, &step);
  if (status == VPTR_SUCCESS)
    status = vptr__image_note_step(stream, step);
  if (status == VPTR_SUCCESS)
    status = device->ops->image.enqueue_from_buffer(device, queue, stage, 0, to, to_at, region, event_out);
  return status;
}

/* ---- samplers ------------------------------------------------------------------------------------------- */

vptr_status vptr__image_sampler_make(const vptr_mapper *mapper, const vptr__sampler *how, cl_sampler *sampler_out) {
  return mapper->device->ops->image.sampler_create(mapper->device, how, sampler_out);
}

void vptr__image_sampler_release(const vptr_mapper *mapper, cl_sampler sampler) {
  mapper->device->ops->image.sampler_release(mapper->device, sampler);
}
