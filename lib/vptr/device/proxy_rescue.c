/* SPDX-License-Identifier: MIT */
/*
 * proxy_rescue - the bytes of a device that is lost, when a proxy (proxy.h) leaves it for another.
 *
 * Bytes are read as far as the old device gives any, and the rest is zeros, which is noted of the buffer.
 *
 * No data of its own. What is noted (`is_lost`, atomic) is written with the proxy's gate shut. Called by proxy_move.c;
 * and by heap/exchange.c, for which buffers are lost. It waits for both devices.
 */
#include "device/proxy.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"

enum { MOST_RESCUED = 16 << 20 };

/* Of images it gives nothing. */
static vptr_status rescue_buffer(vptr__device *from, vptr__device *to, vptr__proxy_buffer *buffer,
                                 unsigned char *room, size_t most) {
  vptr_status status = VPTR_SUCCESS;
  buffer->is_lost = buffer->kind != VPTR__PROXY_PLAIN;
  if (buffer->is_lost)
    return status;
  for (size_t at = 0; at < buffer->bytes && status == VPTR_SUCCESS; at += most) {
    const size_t size = vptr__smaller(buffer->bytes - at, most);
    vptr__error_try();
    if (!buffer->is_lost)
      buffer->is_lost = from->ops->transfer.read(from, buffer->inner, at, room, size) != VPTR_SUCCESS;
    vptr__error_tried(VPTR_SUCCESS);
    if (buffer->is_lost)
      memset(room, 0, size);
    status = to->ops->transfer.write(to, buffer->next, at, room, size);
  }
  return status;
}

vptr_status vptr__proxy_rescue(vptr__proxy *proxy, vptr__device *from, vptr__device *to) {
  unsigned char *room = vptr__memory_calloc(MOST_RESCUED, 1);
  if (room == NULL)
    return vptr__error_host_memory(MOST_RESCUED);
  vptr_status status = VPTR_SUCCESS;
  for (vptr__proxy_link *link = proxy->buffers.first; link != NULL && status == VPTR_SUCCESS; link = link->next)
    if (vptr__proxy_has_bytes((vptr__proxy_buffer *)link))
      status = rescue_buffer(from, to, (vptr__proxy_buffer *)link, room, MOST_RESCUED);
  vptr__memory_free(room);
  return status;
}

bool vptr__proxy_is_lost(cl_mem handle) {
  const vptr__proxy_buffer *buffer = (const vptr__proxy_buffer *)handle;
  return buffer->is_lost || (buffer->root != NULL && buffer->root->is_lost);
}
