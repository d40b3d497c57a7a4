/* SPDX-License-Identifier: MIT */
/*
 * proxy_plan - how the object of a handle (proxy.h) is made on another device, and whether it can be.
 *
 * A plan is a copy of what the handle was made with, so it is good when the handle has gone: what is made before the
 * gate closes is made by plans, while other threads release handles and make new ones.
 *
 * No data, no locks: the caller has vptr__proxy.lock, of rank LEAF, or the gate is shut, when a plan is made of a
 * handle; a plan is its caller's. Called by proxy_ahead.c and proxy_move.c. Making waits for the new device.
 */
#include "device/proxy_apart.h"

#include "base/error.h"
#include "base/page.h"

void vptr__proxy_plan_buffer(const vptr__proxy_buffer *buffer, vptr__proxy_plan *plan) {
  const bool is_pin = buffer->kind == VPTR__PROXY_PINNED;
  *plan = (vptr__proxy_plan){
    .what = is_pin ? VPTR__PROXY_SPARE_PIN : VPTR__PROXY_SPARE_MEMORY,
    .serial = buffer->link.serial,
    .root = buffer->root != NULL ? buffer->root->link.serial : 0,
    .kind = buffer->kind,
    .is_shown = atomic_load(&buffer->is_shown),
    .is_mapped = atomic_load(&buffer->maps) > 0,
    .is_told = atomic_load(&buffer->told) != 0,
    .may_be_apart = buffer->may_be_apart,
    .origin = buffer->origin,
    .bytes = buffer->bytes,
    .host = buffer->host,
    .image = buffer->image,
  };
}

void vptr__proxy_plan_queue(const vptr__proxy_queue *queue, vptr__proxy_plan *plan) {
  *plan = (vptr__proxy_plan){ .what = VPTR__PROXY_SPARE_QUEUE,
                              .serial = queue->link.serial,
                              .priority = queue->priority,
                              .is_timed = queue->is_timed };
}

void vptr__proxy_plan_sampler(const vptr__proxy_sampler *sampler, vptr__proxy_plan *plan) {
  *plan = (vptr__proxy_plan){ .what = VPTR__PROXY_SPARE_SAMPLER,
                              .serial = sampler->link.serial,
                              .sampler = sampler->what };
}

/* ---- whether everything can go -------------------------------------------------------------------------- */

static vptr_status refuse_shown(const vptr__proxy_plan *plan) {
  return vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "a buffer of %zu bytes cannot go to another device: the program %s it; free that allocation first", plan->bytes,
      plan->kind == VPTR__PROXY_FOREIGN ? "made" : "was given the cl_mem of");
}

vptr_status vptr__proxy_plan_check(const vptr__proxy_plan *plan, const vptr__device *to) {
  if (plan->kind == VPTR__PROXY_FOREIGN || plan->is_shown)
    return refuse_shown(plan);
  if (plan->is_mapped)
    return vptr__error(VPTR_ERROR_MAPPED, "a buffer of %zu bytes is mapped: vptr_unmap() it before it goes to %s",
                       plan->bytes, to->name);
  if (plan->kind == VPTR__PROXY_PART && plan->origin % to->alignment != 0)
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "a part of a buffer begins at %zu, and %s wants multiples of %zu: make the mapper with a "
                       "vptr_config.alignment of that",
                       plan->origin, to->name, to->alignment);
  return VPTR_SUCCESS;
}

vptr_status vptr__proxy_check_strangers(const vptr__proxy *proxy) {
  if (!proxy->has_strangers)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "the program has a queue of %s, or vptr has one of the program's "
                     "(vptr_get_queue(), vptr_use_queue()): the mapper cannot leave that device",
                     proxy->going.device->name);
}

/* ---- making --------------------------------------------------------------------------------------------- */

/* One that is of another form there would read as something else. */
static vptr_status make_image(const vptr__proxy_plan *plan, vptr__device *to, cl_mem root, cl_mem *object_out) {
  vptr__image image = plan->image;
  image.memory = NULL;
  image.buffer = root;
  vptr_status status = to->ops->image.create(to, &image);
  if (status != VPTR_SUCCESS)
    return status;
  *object_out = image.memory;
  if (image.plain == plan->image.plain && image.offset == plan->image.offset && image.row == plan->image.row)
    return status;
  to->ops->memory.release(to, image.memory);
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "%s has no images of the form that the device before has: %s, and rows of %zu bytes", to->name,
                     plan->image.plain ? "plain memory" : "images of its own", plan->image.row);
}

/* Once more where it fails: what stays mapped is never given back. */
static vptr_status unmap(vptr__device *device, cl_mem buffer, void *host) {
  vptr__error_try();
  vptr_status status = device->ops->memory.unmap(device, buffer, host);
  vptr__error_tried(VPTR_SUCCESS);
  return status == VPTR_SUCCESS ? status : device->ops->memory.unmap(device, buffer, host);
}

/* The copy writes all of it. On PoCL that is mostly the time in which the system finds pages: with an H200 beside it
 * 8 GiB took 5.2 s, and 2.4 s in huge ones. */
static vptr_status want_huge_pages(vptr__device *to, cl_mem buffer, size_t bytes) {
  void *host;
  vptr__error_try();
  vptr_status status = to->ops->memory.map(to, buffer, 0, bytes, VPTR_ACCESS_WRITE, &host);
  vptr__error_tried(VPTR_SUCCESS);
  if (status != VPTR_SUCCESS)
    return VPTR_SUCCESS; /* it is no worse than it was */
  vptr__page_want_huge(host, bytes);
  return unmap(to, buffer, host);
}

static vptr_status make_plain(vptr__device *to, size_t bytes, cl_mem *object_out) {
  vptr_status status = to->ops->memory.create(to, bytes, object_out);
  if (status != VPTR_SUCCESS || !to->host_unified || bytes < 2 * VPTR__HUGE_PAGE)
    return status;
  status = want_huge_pages(to, *object_out, bytes);
  if (status != VPTR_SUCCESS)
    to->ops->memory.release(to, *object_out);
  return status;
}

static vptr_status make_memory(vptr__proxy_plan *plan, vptr__device *to, cl_mem root, cl_mem *object_out) {
  switch (plan->kind) {
  case VPTR__PROXY_PART:
    return to->ops->memory.create_sub(to, root, plan->origin, plan->bytes, object_out);
  case VPTR__PROXY_SHARED:
    return vptr__proxy_share(to, plan->host, plan->bytes, plan->may_be_apart, object_out, &plan->is_apart);
  case VPTR__PROXY_PINNED:
    return to->ops->memory.pin_host(to, plan->host, plan->bytes, object_out);
  case VPTR__PROXY_IMAGE:
    return make_image(plan, to, root, object_out);
  case VPTR__PROXY_PLAIN:
  case VPTR__PROXY_FOREIGN:
    break;
  }
  return make_plain(to, plan->bytes, object_out);
}

vptr_status vptr__proxy_plan_make(vptr__proxy_plan *plan, vptr__device *to, cl_mem root, void **object_out) {
  cl_mem memory = NULL;
  cl_command_queue queue = NULL;
  cl_sampler sampler = NULL;
  vptr_status status;
  if (plan->what == VPTR__PROXY_SPARE_QUEUE)
    status = to->ops->queue.create(to, plan->priority, plan->is_timed, &queue);
  else if (plan->what == VPTR__PROXY_SPARE_SAMPLER)
    status = to->ops->image.sampler_create(to, &plan->sampler, &sampler);
  else
    status = make_memory(plan, to, root, &memory);
  if (status != VPTR_SUCCESS)
    return status;
  *object_out = queue != NULL ? (void *)queue : sampler != NULL ? (void *)sampler : (void *)memory;
  return status;
}
