/* SPDX-License-Identifier: MIT */
/*
 * proxy_buffer - buffers of a proxy (proxy.h): handles that count their own references.
 *
 * The driver's object has one reference of the handle's, so whether others hold it is told by both counts. A part holds
 * its root's handle, for the root is made first on the device that is to come. What the program brought (a buffer of
 * its own) gets a handle, too, and cannot be exchanged; nor can what the program was shown.
 *
 * vptr__proxy.lock, of rank LEAF, guards the list of buffers; a handle's counts are atomic, and what it means is read
 * inside of the gate. Handles are made here, and freed with their last reference. Called by proxy.c, which has its
 * table filled; through the device's table; by mapper/lookup.c and memory.c, where the program's buffers and ours
 * meet; and by cudart/pinned/alias.c, for pinned memory that is to have an address on the device. Who calls through the
 * table are folders of lib/vptr and lib/cudart: heap, transfer, mapper, mirror and others.
 */
#include "device/proxy_apart.h"

#include "base/error.h"
#include "base/memory.h"

static vptr__proxy_buffer *buffer_of(cl_mem handle) {
  return (vptr__proxy_buffer *)handle;
}

/* ---- handles -------------------------------------------------------------------------------------------- */

static vptr__proxy_buffer *make_handle(vptr__proxy_kind kind, size_t bytes) {
  vptr__proxy_buffer *buffer = vptr__memory_calloc(1, sizeof *buffer);
  if (buffer == NULL) {
    vptr__error_host_memory(sizeof *buffer);
    return NULL;
  }
  atomic_init(&buffer->references, 1);
  buffer->kind = kind;
  buffer->bytes = bytes;
  return buffer;
}

/* Inside. */
static vptr_status finish_handle(vptr__device *face, vptr__proxy_buffer *buffer, vptr_status status,
                                 cl_mem *buffer_out) {
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(buffer);
    return status;
  }
  if (buffer->root != NULL)
    atomic_fetch_add(&buffer->root->references, 1);
  vptr__proxy_enter_list(face->proxy, &face->proxy->buffers, &buffer->link);
  *buffer_out = (cl_mem)buffer;
  return status;
}

static vptr_status create(vptr__device *face, size_t bytes, cl_mem *buffer_out) {
  vptr__proxy_buffer *buffer = make_handle(VPTR__PROXY_PLAIN, bytes);
  vptr_status status;
  if (buffer == NULL)
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr__error_try();
  do
    status = inner->ops->memory.create(inner, bytes, &buffer->inner);
  while (vptr__proxy_made_room(face->proxy, status));
  status = finish_handle(face, buffer, vptr__error_tried(status), buffer_out);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status create_set(vptr__device *face, size_t bytes, unsigned char byte, cl_mem *buffer_out) {
  vptr__proxy_buffer *buffer = make_handle(VPTR__PROXY_PLAIN, bytes);
  if (buffer == NULL)
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status;
  vptr__error_try();
  do
    status = inner->ops->memory.create_set(inner, bytes, byte, &buffer->inner);
  while (vptr__proxy_made_room(face->proxy, status));
  status = finish_handle(face, buffer, vptr__error_tried(status), buffer_out);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status create_of(vptr__device *face, const void *bytes, size_t size, cl_mem *buffer_out) {
  vptr__proxy_buffer *buffer = make_handle(VPTR__PROXY_PLAIN, size);
  if (buffer == NULL)
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = inner->ops->memory.create_of(inner, bytes, size, &buffer->inner);
  status = finish_handle(face, buffer, status, buffer_out);
  vptr__proxy_leave(face);
  return status;
}

static vptr__proxy_buffer *make_part(cl_mem root, size_t origin, size_t size) {
  vptr__proxy_buffer *buffer = make_handle(VPTR__PROXY_PART, size);
  if (buffer != NULL) {
    buffer->root = buffer_of(root);
    buffer->origin = origin;
  }
  return buffer;
}

static vptr_status create_sub(vptr__device *face, cl_mem root, size_t origin, size_t size, cl_mem *buffer_out) {
  vptr__proxy_buffer *buffer = make_part(root, origin, size);
  if (buffer == NULL)
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = vptr__proxy_is_apart(root) ? vptr__proxy_refuse_part_apart(inner, size)
                                                  : inner->ops->memory.create_sub(inner, vptr__proxy_mem(root),
                                                                                  origin, size, &buffer->inner);
  status = finish_handle(face, buffer, status, buffer_out);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status create_sub_set(vptr__device *face, cl_mem root, size_t origin, size_t size, unsigned char byte,
                                  cl_mem *buffer_out) {
  vptr__proxy_buffer *buffer = make_part(root, origin, size);
  if (buffer == NULL)
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status =
      vptr__proxy_is_apart(root)
          ? vptr__proxy_refuse_part_apart(inner, size)
          : inner->ops->memory.create_sub_set(inner, vptr__proxy_mem(root), origin, size, byte, &buffer->inner);
  status = finish_handle(face, buffer, status, buffer_out);
  vptr__proxy_leave(face);
  return status;
}

/* Whether the next device could have them one behind the other, nobody knows: they lie apart (heap/span.h). */
static vptr_status create_row(vptr__device *face, size_t bytes, size_t part_bytes, vptr__row **row_out) {
  (void)part_bytes, (void)row_out;
  return vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "%zu bytes one behind the other are more than one buffer of %s may have, and a mapper that can go "
      "to another device has its buffers apart",
      bytes, face->name);
}

/* ---- references ----------------------------------------------------------------------------------------- */

static void retain(vptr__device *face, cl_mem handle) {
  (void)face;
  atomic_fetch_add_explicit(&buffer_of(handle)->references, 1, memory_order_relaxed);
}

static void release(vptr__device *face, cl_mem handle) {
  vptr__proxy_buffer *buffer = buffer_of(handle);
  if (atomic_fetch_sub_explicit(&buffer->references, 1, memory_order_acq_rel) > 1)
    return;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr__proxy_leave_list(face->proxy, &face->proxy->buffers, &buffer->link);
  inner->ops->memory.release(inner, buffer->inner);
  if (buffer->is_apart)
    atomic_fetch_sub(&face->proxy->turn.apart, 1);
  vptr__proxy_leave(face);
  if (buffer->root != NULL)
    release(face, (cl_mem)buffer->root);
  vptr__memory_free(buffer);
}

static bool is_shared(vptr__device *face, cl_mem handle) {
  vptr__device *inner = vptr__proxy_enter(face);
  const bool is =
      atomic_load(&buffer_of(handle)->references) > 1 || inner->ops->memory.is_shared(inner, vptr__proxy_mem(handle));
  vptr__proxy_leave(face);
  return is;
}

/* ---- the program's -------------------------------------------------------------------------------------- */

static bool is_handle(vptr__proxy *proxy, cl_mem buffer) {
  bool found = false;
  vptr__lock_take(&proxy->lock);
  for (vptr__proxy_link *link = proxy->buffers.first; link != NULL && !found; link = link->next)
    found = (cl_mem)link == buffer;
  vptr__lock_give(&proxy->lock);
  return found;
}

/* A handle, or the program's own object. */
static vptr_status size_of(vptr__device *face, cl_mem buffer, size_t *bytes_out) {
  vptr__device *inner = vptr__proxy_enter(face);
  cl_mem object = is_handle(face->proxy, buffer) ? vptr__proxy_mem(buffer) : buffer;
  vptr_status status = inner->ops->memory.size(inner, object, bytes_out);
  vptr__proxy_leave(face);
  return status;
}

/* Not one that is about to leave the list. */
static bool retain_living(vptr__proxy_buffer *buffer) {
  unsigned now = atomic_load(&buffer->references);
  while (now > 0 && !atomic_compare_exchange_weak(&buffer->references, &now, now + 1))
    ;
  return now > 0;
}

/* The handle that is the buffer, or means it, retained: one object has one handle, by which the heap tells that two
 * addresses are the same memory. NULL: there is none; then the one that was made, if any, is it. */
static vptr__proxy_buffer *retain_known(vptr__proxy *proxy, cl_mem buffer, vptr__proxy_buffer *made) {
  vptr__proxy_buffer *known = NULL;
  vptr__lock_take(&proxy->lock);
  for (vptr__proxy_link *link = proxy->buffers.first; link != NULL && known == NULL; link = link->next) {
    vptr__proxy_buffer *each = (vptr__proxy_buffer *)link;
    if (((cl_mem)each == buffer || each->inner == buffer) && retain_living(each))
      known = each;
  }
  if (known == NULL && made != NULL)
    vptr__proxy_list_append(&proxy->buffers, &made->link);
  vptr__lock_give(&proxy->lock);
  return known;
}

/* Inside. One that another thread makes meanwhile is taken instead. */
static vptr_status adopt_anew(vptr__proxy *proxy, vptr__device *inner, cl_mem buffer, cl_mem *handle_out) {
  vptr__proxy_buffer *made = make_handle(VPTR__PROXY_FOREIGN, 0);
  if (made == NULL)
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  vptr_status status = inner->ops->memory.size(inner, buffer, &made->bytes);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(made);
    return status;
  }
  inner->ops->memory.retain(inner, buffer);
  made->inner = buffer;
  vptr__proxy_buffer *known = retain_known(proxy, buffer, made);
  if (known != NULL) {
    inner->ops->memory.release(inner, buffer);
    vptr__memory_free(made);
  }
  *handle_out = (cl_mem)(known != NULL ? known : made);
  return VPTR_SUCCESS;
}

vptr_status vptr__proxy_adopt_buffer(vptr__device *face, cl_mem buffer, cl_mem *handle_out) {
  vptr__device *inner = vptr__proxy_enter(face);
  vptr__proxy_buffer *known = retain_known(face->proxy, buffer, NULL);
  vptr_status status = VPTR_SUCCESS;
  if (known != NULL)
    *handle_out = (cl_mem)known;
  else
    status = adopt_anew(face->proxy, inner, buffer, handle_out);
  vptr__proxy_leave(face);
  return status;
}

cl_mem vptr__proxy_show_buffer(vptr__device *face, cl_mem handle) {
  vptr__proxy_enter(face);
  atomic_store(&buffer_of(handle)->is_shown, true);
  cl_mem object = vptr__proxy_mem(handle);
  vptr__proxy_leave(face);
  return object;
}

cl_mem vptr__proxy_give_buffer(vptr__device *face, cl_mem handle) {
  vptr__device *inner = vptr__proxy_enter(face);
  atomic_store(&buffer_of(handle)->is_shown, true);
  cl_mem object = vptr__proxy_mem(handle);
  inner->ops->memory.retain(inner, object);
  vptr__proxy_leave(face);
  release(face, handle);
  return object;
}

/* ---- the rest ------------------------------------------------------------------------------------------- */

static vptr_status map(vptr__device *face, cl_mem handle, size_t offset, size_t size, vptr_access access,
                       void **host_out) {
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = inner->ops->memory.map(inner, vptr__proxy_mem(handle), offset, size, access, host_out);
  if (status == VPTR_SUCCESS)
    atomic_fetch_add(&buffer_of(handle)->maps, 1);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status unmap(vptr__device *face, cl_mem handle, void *host) {
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = inner->ops->memory.unmap(inner, vptr__proxy_mem(handle), host);
  if (status == VPTR_SUCCESS)
    atomic_fetch_sub(&buffer_of(handle)->maps, 1);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status takes_addresses(vptr__device *face, bool *takes_out) {
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = inner->ops->memory.takes_addresses(inner, takes_out);
  vptr__proxy_leave(face);
  return status;
}

/* One that never moves, on one device: so it is asked for once there. */
static vptr_status address(vptr__device *face, cl_mem handle, uint64_t *address_out) {
  vptr__proxy_buffer *buffer = buffer_of(handle);
  vptr_status status = VPTR_SUCCESS;
  vptr__device *inner = vptr__proxy_enter(face);
  uint64_t told = atomic_load(&buffer->told);
  if (told == 0 && buffer->is_apart && inner->reaches_pinned)
    told = (uintptr_t)buffer->host;
  if (told == 0)
    status = inner->ops->memory.address(inner, buffer->inner, &told);
  if (status == VPTR_SUCCESS) {
    atomic_store(&buffer->told, told);
    *address_out = told;
  }
  vptr__proxy_leave(face);
  return status;
}

/* A handle also where the device has nothing to undo: another one may. */
static vptr_status pin_host(vptr__device *face, void *host, size_t size, cl_mem *pin_out) {
  vptr__proxy_buffer *buffer = make_handle(VPTR__PROXY_PINNED, size);
  if (buffer == NULL)
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  buffer->host = host;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = inner->ops->memory.pin_host(inner, host, size, &buffer->inner);
  status = finish_handle(face, buffer, status, pin_out);
  vptr__proxy_leave(face);
  return status;
}

static void unpin_host(vptr__device *face, cl_mem pin, void *host) {
  vptr__proxy_buffer *buffer = buffer_of(pin);
  if (buffer == NULL)
    return;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr__proxy_leave_list(face->proxy, &face->proxy->buffers, &buffer->link);
  if (buffer->inner != NULL)
    inner->ops->memory.unpin_host(inner, buffer->inner, host);
  vptr__proxy_leave(face);
  vptr__memory_free(buffer);
}

static vptr_status share(vptr__device *face, void *host, size_t size, bool may_be_apart, cl_mem *buffer_out) {
  vptr__proxy_buffer *buffer = make_handle(VPTR__PROXY_SHARED, size);
  if (buffer == NULL)
    return VPTR_ERROR_OUT_OF_HOST_MEMORY;
  buffer->host = host;
  buffer->may_be_apart = may_be_apart;
  vptr__device *inner = vptr__proxy_enter(face);
  vptr_status status = vptr__proxy_share(inner, host, size, may_be_apart, &buffer->inner, &buffer->is_apart);
  if (status == VPTR_SUCCESS && buffer->is_apart)
    atomic_fetch_add(&face->proxy->turn.apart, 1);
  status = finish_handle(face, buffer, status, buffer_out);
  vptr__proxy_leave(face);
  return status;
}

static vptr_status share_host(vptr__device *face, void *host, size_t size, cl_mem *buffer_out) {
  return share(face, host, size, false, buffer_out);
}

vptr_status vptr__proxy_share_pinned(vptr__device *face, void *host, size_t size, cl_mem *buffer_out) {
  return share(face, host, size, true, buffer_out);
}

static bool takes_system(vptr__device *face) {
  vptr__device *inner = vptr__proxy_enter(face);
  const bool takes = inner->ops->memory.takes_system(inner);
  vptr__proxy_leave(face);
  return takes;
}

void vptr__proxy_buffer_ops(vptr__device_ops *ops) {
  ops->memory.create = create;
  ops->memory.create_set = create_set;
  ops->memory.create_of = create_of;
  ops->memory.row_create = create_row;
  ops->memory.retain = retain;
  ops->memory.release = release;
  ops->memory.is_shared = is_shared;
  ops->memory.create_sub = create_sub;
  ops->memory.create_sub_set = create_sub_set;
  ops->memory.size = size_of;
  ops->memory.map = map;
  ops->memory.unmap = unmap;
  ops->memory.takes_addresses = takes_addresses;
  ops->memory.address = address;
  ops->memory.pin_host = pin_host;
  ops->memory.unpin_host = unpin_host;
  ops->memory.share_host = share_host;
  ops->memory.takes_system = takes_system;
}
