/* SPDX-License-Identifier: MIT */
/* link - see link.h. */
#include "managed/link.h"

#include "base/error.h"
#include "base/memory.h"

struct vptr__link {
  vptr__link *next;
  vptr__device *device;
  cl_command_queue queue;
  size_t users;
};

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_HEAP);
static vptr__link *links;

/* ---- life ----------------------------------------------------------------------------------------------- */

static vptr_status make_link(vptr__device *device, vptr__link **link_out) {
  vptr__link *link = vptr__memory_calloc(1, sizeof *link);
  if (link == NULL)
    return vptr__error_host_memory(sizeof *link);
  *link = (vptr__link){ .next = links, .device = device };
  vptr_status status = device->ops->queue_create(device, 0, false, &link->queue);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(link);
    return status;
  }
  links = link;
  *link_out = link;
  return VPTR_SUCCESS;
}

vptr_status vptr__link_open(vptr__device *device, vptr__link **link_out) {
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_take(&lock);
  vptr__link *link = links;
  while (link != NULL && link->device != device)
    link = link->next;
  if (link == NULL)
    status = make_link(device, &link);
  if (status == VPTR_SUCCESS) {
    link->users++;
    *link_out = link;
  }
  vptr__lock_give(&lock);
  return status;
}

static void remove_link(const vptr__link *link) {
  vptr__link **at = &links;
  while (*at != link)
    at = &(*at)->next;
  *at = link->next;
}

/* Nothing is in flight: each haul was waited for. */
void vptr__link_close(vptr__link *link) {
  vptr__lock_take(&lock);
  if (--link->users == 0) {
    remove_link(link);
    link->device->ops->queue_release(link->device, link->queue);
    vptr__memory_free(link);
  }
  vptr__lock_give(&lock);
}

/* ---- hauls ---------------------------------------------------------------------------------------------- */

static void note_status(vptr__haul *haul, vptr_status status) {
  if (haul->status == VPTR_SUCCESS)
    haul->status = status;
}

/* One that cannot be waited for may still be under way, and the host memory that it uses is not ours: so the queue is
 * waited for. */
static vptr_status await_one(vptr__link *link, cl_event event) {
  vptr__device *device = link->device;
  vptr_status status = device->ops->event_wait(device, event);
  if (status == VPTR_SUCCESS)
    return status;
  vptr__error_try();
  device->ops->queue_finish(device, link->queue);
  vptr__error_tried(VPTR_SUCCESS);
  return status;
}

/* A command that fails fails its event alone, so each is asked. */
static void await_all(vptr__haul *haul) {
  vptr__device *device = haul->link->device;
  for (int i = 0; i < haul->pending; i++) {
    note_status(haul, await_one(haul->link, haul->events[i]));
    device->ops->event_release(device, haul->events[i]);
  }
  haul->pending = 0;
}

/* Whether one more may be sent. */
static bool has_room(vptr__haul *haul) {
  if (haul->pending == VPTR__HAUL_TRANSFERS)
    await_all(haul);
  return haul->status == VPTR_SUCCESS;
}

static void note_command(vptr__haul *haul, vptr_status status) {
  if (status == VPTR_SUCCESS)
    haul->pending++;
  note_status(haul, status);
}

void vptr__haul_fetch(vptr__haul *haul, size_t offset, void *to, size_t size) {
  vptr__device *device = haul->link->device;
  if (has_room(haul))
    note_command(haul, device->ops->enqueue_read(device, haul->link->queue, haul->buffer, offset, to, size,
                                                 &haul->events[haul->pending]));
}

void vptr__haul_send(vptr__haul *haul, size_t offset, const void *from, size_t size) {
  vptr__device *device = haul->link->device;
  if (has_room(haul))
    note_command(haul, device->ops->enqueue_write(device, haul->link->queue, haul->buffer, offset, from, size,
                                                  &haul->events[haul->pending]));
}

vptr_status vptr__haul_end(vptr__haul *haul) {
  await_all(haul);
  return haul->status;
}
