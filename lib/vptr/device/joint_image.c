/* SPDX-License-Identifier: MIT */
/*
 * joint_image - images of a joint device (joint.h): buffers, element behind element (plain_image.h), since an image is
 * one driver's object.
 *
 * So arrays of CUDA's can be copied to and from. No kernel reads them: one that would take a pointer to them follows
 * addresses, which there are none of. An image over a buffer is for kernels alone, and a sampler, too: both are
 * refused.
 *
 * No data, and no locks. Called by joint.c, which has its table filled, and through the device's table. To make an
 * image may wait for a member, as to make a buffer.
 */
#include "device/joint.h"

#include "base/error.h"
#include "device/plain_image.h"

static vptr_status refuse_image(const vptr__device *device) {
  return vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "%s has no images that kernels read: its members are several devices; unset VPTR_STRIPE, or give "
      "kernels pointers",
      device->name);
}

static vptr_status create(vptr__device *device, vptr__image *image) {
  size_t bytes;
  if (image->buffer != NULL)
    return refuse_image(device);
  if (__builtin_mul_overflow(image->extent[0] * image->element, image->extent[1], &bytes) ||
      __builtin_mul_overflow(bytes, image->extent[2], &bytes))
    return vptr__error(VPTR_ERROR_INVALID_SIZE, "%zu x %zu x %zu elements are more than %s has room for",
                       image->extent[0], image->extent[1], image->extent[2], device->name);
  vptr_status status = device->ops->memory.create(device, bytes, &image->memory);
  if (status == VPTR_SUCCESS) {
    image->plain = true;
    image->offset = 0;
  }
  return status;
}

static vptr_status sampler_create(vptr__device *device, const vptr__sampler *what, cl_sampler *sampler_out) {
  (void)what, (void)sampler_out;
  return refuse_image(device);
}

static void sampler_release(vptr__device *device, cl_sampler sampler) {
  (void)device, (void)sampler;
}

void vptr__joint_image_ops(vptr__device_ops *ops) {
  ops->image.create = create;
  ops->image.sampler_create = sampler_create;
  ops->image.sampler_release = sampler_release;
  ops->image.enqueue_write = vptr__plain_image_write;
  ops->image.enqueue_read = vptr__plain_image_read;
  ops->image.enqueue_copy = vptr__plain_image_copy;
  ops->image.enqueue_from_buffer = vptr__plain_image_from_buffer;
  ops->image.enqueue_to_buffer = vptr__plain_image_to_buffer;
}
