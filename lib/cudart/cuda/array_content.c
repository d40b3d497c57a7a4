/* SPDX-License-Identifier: MIT */
/*
 * array_content - an array's elements as a line of bytes, in whichever form the array is (array_saved.h).
 *
 * Plain memory is such a line. An image takes and gives regions: what goes on in the middle of a row is one, whole rows
 * are one, and whole slices, each through a staging buffer, in which elements lie without gaps.
 *
 * No data. The lock of array.c, of rank ARRAY, is held for the whole copy, so that the array keeps its form. Called by
 * array_saved.c. It blocks until the bytes are there, and fails where the device has no room for a staging buffer.
 */
#include "cuda/array_saved.h"

#include "base/number.h"
#include "image/image.h"
#include "stream/stream.h"

/* Bytes of an array that are one region of an image. */
typedef struct piece {
  size_t origin[3], region[3], bytes;
} piece;

/* The most that is one, from an element on. */
static piece piece_at(const vptr__image *image, size_t at, size_t left) {
  const size_t row = image->extent[0], slice = row * image->extent[1];
  piece it = { .origin = { at % row, at / row % image->extent[1], at / slice }, .region = { row, 1, 1 } };
  if (it.origin[0] != 0 || left < row) {
    it.region[0] = vptr__smaller(left, row - it.origin[0]);
  } else if (it.origin[1] != 0 || left < slice) {
    it.region[1] = vptr__smaller(left / row, image->extent[1] - it.origin[1]);
  } else {
    it.region[1] = image->extent[1];
    it.region[2] = left / slice;
  }
  it.bytes = it.region[0] * it.region[1] * it.region[2] * image->element;
  return it;
}

static vptr_status send_piece(vptr_mapper *mapper, const vptr__image *image, const piece *it, cl_mem stage,
                              bool to_host) {
  vptr__device *device = mapper->device;
  vptr__stream *stream;
  cl_command_queue queue;
  cl_event event = NULL;
  vptr_status status = vptr__stream_legacy(mapper, &stream);
  if (status == VPTR_SUCCESS)
    status = vptr__stream_begin(stream, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status =
      to_host
          ? device->ops->image.enqueue_to_buffer(device, queue, image, it->origin, it->region, stage, 0, &event)
          : device->ops->image.enqueue_from_buffer(device, queue, stage, 0, image, it->origin, it->region, &event);
  vptr__stream_note(stream, event);
  vptr__stream_end(stream);
  return status == VPTR_SUCCESS ? vptr__stream_synchronize(stream) : status;
}

static vptr_status copy_piece(vptr_mapper *mapper, const vptr__image *image, const piece *it, void *host,
                              bool to_host) {
  vptr__device *device = mapper->device;
  cl_mem stage;
  vptr_status status = vptr__image_stage_make(mapper, it->bytes, &stage);
  if (status != VPTR_SUCCESS)
    return status;
  if (!to_host)
    status = device->ops->transfer.write(device, stage, 0, host, it->bytes);
  if (status == VPTR_SUCCESS)
    status = send_piece(mapper, image, it, stage, to_host);
  if (status == VPTR_SUCCESS && to_host)
    status = device->ops->transfer.read(device, stage, 0, host, it->bytes);
  vptr__image_stage_release(mapper, stage);
  return status;
}

/* Chunks are whole elements, which have 1, 2, 4, 8 or 16 bytes. */
static vptr_status copy_image(vptr_mapper *mapper, const vptr__image *image, size_t offset, unsigned char *host,
                              size_t size, bool to_host) {
  vptr_status status = VPTR_SUCCESS;
  for (size_t done = 0; done < size && status == VPTR_SUCCESS;) {
    const piece it = piece_at(image, (offset + done) / image->element, (size - done) / image->element);
    status = copy_piece(mapper, image, &it, host + done, to_host);
    done += it.bytes;
  }
  return status;
}

static vptr_status copy_held(const vptr__cuda_array *array, size_t offset, void *host, size_t size, bool to_host) {
  vptr_mapper *mapper = array->object.mapper;
  vptr__device *device = mapper->device;
  const vptr__image *image = &array->image;
  const size_t at = image->offset + offset;
  if (!image->plain)
    return copy_image(mapper, image, offset, host, size, to_host);
  return to_host ? device->ops->transfer.read(device, image->memory, at, host, size)
                 : device->ops->transfer.write(device, image->memory, at, host, size);
}

vptr_status vptr__cuda_array_copy_content(vptr__cuda_array *array, size_t offset, void *host, size_t size,
                                          bool to_host) {
  vptr__cuda_array_lock();
  const vptr_status status = copy_held(array, offset, host, size, to_host);
  vptr__cuda_array_unlock();
  return status;
}
