/* SPDX-License-Identifier: MIT */
/*
 * access - host accessors: the public vptr_map() and vptr_unmap().
 *
 * Where the device's memory is the host's (device->host_unified), an accessor is that memory itself. Elsewhere it
 * is a block of host memory, into which the bytes are copied when it opens, unless they are to be discarded, and
 * from which they are copied back when it closes, if they could have been written. Mapping through the driver
 * would do the same there, with pinned memory that the driver never returns. What the mode asks for decides what moves
 * (bytes_in(), bytes_out()), and VPTR_VERBOSE=2 says what did.
 *
 * Every open accessor is in its mapper's list, with three uses: vptr_unmap() finds it by its host address, two
 * accessors that overlap may both be open only if neither writes, and a mapper that goes away closes them all.
 * The list is short (a program opens a handful at a time, and each costs a transfer), so it is a list.
 *
 *     vptr_map:    pin the allocation -> enter the list, busy -> get the bytes -> busy no more
 *     vptr_unmap:  find it, busy      -> put the bytes back   -> leave the list -> unpin
 *
 * A vptr__mapping is allocated by vptr_map(), and freed when it is closed. mapper->mapping_lock (mapper/mapper.h), of
 * rank MAPPING, guards the list of them, which is the mapper's state of SUBSYSTEM_ACCESS, and `busy`. It is not held
 * while bytes are copied, so accessors by copies open and close side by side; where the memory is the host's it is held
 * for the driver's call that maps or unmaps, which waits for the queue. Who made an accessor busy owns all of it. To
 * pin an allocation takes vptr__heap.lock, of rank HEAP; to wait for earlier work, mapper->stream_lock, of rank STREAM.
 *
 * Called by programs, for vptr_map() and vptr_unmap() (vptr.h), which wait for earlier work and block until bytes have
 * moved; and through base/subsystem.h by mapper/mapper.c, for a mapper that goes away, whose accessors are all closed,
 * and by mapper/memory.c and checkpoint/checkpoint.c, whose vptr_clear() and vptr_checkpoint() are refused while one is
 * open.
 */
#include <string.h>

#include <vptr/vptr.h>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/subsystem.h"
#include "base/waiting.h"
#include "mapper/mapper.h"
#include "transfer/endpoint.h"
#include "transfer/seam.h"

/* Of blocks: a cache line, and enough for the widest vector registers. */
enum { BLOCK_ALIGNMENT = 64 };

typedef struct vptr__mapping {
  struct vptr__mapping *next;
  unsigned char *host; /* what the caller has; NULL until there is something */
  const void *ptr;     /* the first byte, by the mapper's address */
  void *block;         /* host memory of ours that `host` lies in; NULL where it is the device's */
  void *base;          /* the allocation, pinned */
  cl_mem buffer;       /* its root buffer, retained; NULL where it has seams */
  size_t offset;       /* of the bytes in that */
  size_t size;
  vptr_access access;
  bool has_seam; /* it lies in several buffers, or in one of several that may leave, and is shown by copies */
  bool busy;     /* opening or closing */
} vptr__mapping;

static bool is_access(vptr_access access) {
  return access >= VPTR_ACCESS_READ && access <= VPTR_ACCESS_DISCARD_READ_WRITE;
}

static bool is_writing(vptr_access access) {
  return access != VPTR_ACCESS_READ;
}

static bool is_discarding(vptr_access access) {
  return access == VPTR_ACCESS_DISCARD_WRITE || access == VPTR_ACCESS_DISCARD_READ_WRITE;
}

static const char *name_of(vptr_access access) {
  static const char *const names[] = { [VPTR_ACCESS_READ] = "READ",
                                       [VPTR_ACCESS_WRITE] = "WRITE",
                                       [VPTR_ACCESS_READ_WRITE] = "READ_WRITE",
                                       [VPTR_ACCESS_DISCARD_WRITE] = "DISCARD_WRITE",
                                       [VPTR_ACCESS_DISCARD_READ_WRITE] = "DISCARD_READ_WRITE" };
  return names[access];
}

/* What opening copies to the host: also for WRITE, whose holder may leave bytes as they are. */
static size_t bytes_in(const vptr__mapping *mapping) {
  return mapping->block == NULL || is_discarding(mapping->access) ? 0 : mapping->size;
}

/* What closing copies to the device. */
static size_t bytes_out(const vptr__mapping *mapping) {
  return mapping->block == NULL || !is_writing(mapping->access) ? 0 : mapping->size;
}

/* By place in the buffer, since a buffer may be attached at two addresses; and by address, since what has seams lies in
 * several. */
static bool has_overlap(const vptr__mapping *a, const vptr__mapping *b) {
  const uintptr_t at = (uintptr_t)a->ptr, other = (uintptr_t)b->ptr;
  return (a->buffer != NULL && a->buffer == b->buffer && a->offset < b->offset + b->size &&
          b->offset < a->offset + a->size) ||
         (at < other + b->size && other < at + a->size);
}

/* The list, under the lock. */
static vptr__mapping *first_mapping(const vptr_mapper *mapper) {
  return vptr__mapper_state(mapper, VPTR__SUBSYSTEM_ACCESS);
}

static void set_first_mapping(vptr_mapper *mapper, vptr__mapping *mapping) {
  atomic_store_explicit(&mapper->states[VPTR__SUBSYSTEM_ACCESS], mapping, memory_order_release);
}

static const vptr__mapping *find_conflict(const vptr_mapper *mapper, const vptr__mapping *mapping) {
  for (const vptr__mapping *each = first_mapping(mapper); each != NULL; each = each->next)
    if (has_overlap(mapping, each) && (is_writing(mapping->access) || is_writing(each->access)))
      return each;
  return NULL;
}

static vptr_status refuse_map(const vptr__mapping *mapping, const vptr__mapping *other, const void *ptr) {
  const char *mode = is_writing(other->access) ? "writing" : "reading";
  if (other->busy)
    return vptr__error(VPTR_ERROR_MAPPED,
                       "vptr_map: %zu bytes at %p overlap %zu bytes that another thread maps or unmaps for %s now; "
                       "wait for it",
                       mapping->size, ptr, other->size, mode);
  return vptr__error(VPTR_ERROR_MAPPED,
                     "vptr_map: %zu bytes at %p overlap %zu bytes that are mapped for %s; vptr_unmap() %p first",
                     mapping->size, ptr, other->size, mode, (void *)other->host);
}

static vptr_status insert_mapping(vptr_mapper *mapper, vptr__mapping *mapping, const void *ptr) {
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_take(&mapper->mapping_lock);
  const vptr__mapping *other = find_conflict(mapper, mapping);
  if (other != NULL) {
    status = refuse_map(mapping, other, ptr);
  } else {
    mapping->next = first_mapping(mapper);
    set_first_mapping(mapper, mapping);
  }
  vptr__lock_give(&mapper->mapping_lock);
  return status;
}

static void remove_mapping(vptr_mapper *mapper, const vptr__mapping *mapping) {
  vptr__lock_take(&mapper->mapping_lock);
  vptr__mapping *before = first_mapping(mapper);
  if (before == mapping) {
    set_first_mapping(mapper, mapping->next);
  } else {
    while (before->next != mapping)
      before = before->next;
    before->next = mapping->next;
  }
  vptr__lock_give(&mapper->mapping_lock);
}

static void set_idle(vptr_mapper *mapper, vptr__mapping *mapping) {
  vptr__lock_take(&mapper->mapping_lock);
  mapping->busy = false;
  vptr__lock_give(&mapper->mapping_lock);
}

/* Drivers may give several accessors for reading one address. Any of those may be the one that is meant, so the
 * smallest goes first: what may still be in use stays guarded. */
static vptr__mapping *find_idle(vptr_mapper *mapper, const void *host) {
  vptr__mapping *found = NULL;
  for (vptr__mapping *each = first_mapping(mapper); each != NULL; each = each->next)
    if (!each->busy && each->host == host && (found == NULL || each->size < found->size))
      found = each;
  return found;
}

static vptr__mapping *acquire_mapping(vptr_mapper *mapper, const void *host) {
  vptr__lock_take(&mapper->mapping_lock);
  vptr__mapping *mapping = find_idle(mapper, host);
  if (mapping != NULL)
    mapping->busy = true;
  vptr__lock_give(&mapper->mapping_lock);
  return mapping;
}

static vptr_status refuse_unmap(vptr_mapper *mapper, const void *host) {
  uintptr_t address = (uintptr_t)host, start = 0;
  vptr__lock_take(&mapper->mapping_lock);
  for (const vptr__mapping *each = first_mapping(mapper); each != NULL && start == 0; each = each->next)
    if (!each->busy && address - (uintptr_t)each->host < each->size)
      start = (uintptr_t)each->host;
  vptr__lock_give(&mapper->mapping_lock);
  if (start != 0)
    return vptr__error(
        VPTR_ERROR_NOT_MAPPED,
        "vptr_unmap: %p lies %zu bytes inside a mapping; pass its start, %p, which vptr_map() returned", host,
        (size_t)(address - start), (void *)start);
  return vptr__error(VPTR_ERROR_NOT_MAPPED,
                     "vptr_unmap: %p is no open mapping of this mapper; pass what vptr_map() returned, once", host);
}

/* The device's own memory. One thread at a time, since drivers tell mappings apart by their host address alone: in
 * PoCL 3.1 an unmap of an address frees what a map that is about to return the same address still reads. Nobody
 * waits longer for it, as all of these calls wait for the same queue. */
static vptr_status show_in_place(vptr_mapper *mapper, vptr__mapping *mapping) {
  vptr__device *device = mapper->device;
  void *host = NULL;
  vptr__lock_take(&mapper->mapping_lock);
  vptr_status status =
      device->ops->memory.map(device, mapping->buffer, mapping->offset, mapping->size, mapping->access, &host);
  mapping->host = host;
  vptr__lock_give(&mapper->mapping_lock);
  return status;
}

static vptr_status hide_in_place(vptr_mapper *mapper, const vptr__mapping *mapping) {
  vptr__lock_take(&mapper->mapping_lock);
  vptr_status status = mapper->device->ops->memory.unmap(mapper->device, mapping->buffer, mapping->host);
  vptr__lock_give(&mapper->mapping_lock);
  return status;
}

static vptr_status show_copy(vptr_mapper *mapper, vptr__mapping *mapping) {
  vptr__device *device = mapper->device;
  size_t bytes = mapping->size + (BLOCK_ALIGNMENT - 1);
  mapping->block = vptr__memory_calloc(1, bytes);
  if (mapping->block == NULL)
    return vptr__error_host_memory(bytes);
  size_t odd = (uintptr_t)mapping->block % BLOCK_ALIGNMENT;
  mapping->host = (unsigned char *)mapping->block + (odd == 0 ? 0 : BLOCK_ALIGNMENT - odd);
  if (bytes_in(mapping) == 0)
    return VPTR_SUCCESS;
  if (mapping->has_seam)
    return vptr__seam_read(mapper, "vptr_map", mapping->host, mapping->ptr, mapping->size);
  return device->ops->transfer.read(device, mapping->buffer, mapping->offset, mapping->host, mapping->size);
}

static vptr_status copy_back(vptr_mapper *mapper, const vptr__mapping *mapping) {
  vptr__device *device = mapper->device;
  if (bytes_out(mapping) == 0)
    return VPTR_SUCCESS;
  if (mapping->has_seam)
    return vptr__seam_write(mapper, "vptr_unmap", (void *)(uintptr_t)mapping->ptr, mapping->host, mapping->size);
  return device->ops->transfer.write(device, mapping->buffer, mapping->offset, mapping->host, mapping->size);
}

/* What a call that succeeded has moved. */
static void log_mapping(const char *call, const vptr_mapper *mapper, const vptr__mapping *mapping, size_t in,
                        size_t out) {
  vptr__log(VPTR__LOG_DECISION, "%s: %zu bytes at %p for %s on %s, %s: %zu bytes in, %zu bytes out", call,
            mapping->size, mapping->ptr, name_of(mapping->access), mapper->device->name,
            mapping->block == NULL ? "in place" : "by copies", in, out);
}

/* Gets the bytes to where the host can see them. */
static vptr_status show_mapping(vptr_mapper *mapper, vptr__mapping *mapping) {
  vptr_status status = vptr__endpoint_settle(mapper);
  if (status != VPTR_SUCCESS)
    return status;
  return mapper->device->host_unified && !mapping->has_seam ? show_in_place(mapper, mapping)
                                                            : show_copy(mapper, mapping);
}

/* Gets the bytes back to the device. When this fails the accessor is as it was, so that nothing written is lost. */
static vptr_status hide_mapping(vptr_mapper *mapper, const vptr__mapping *mapping) {
  return mapping->block == NULL ? hide_in_place(mapper, mapping) : copy_back(mapper, mapping);
}

/* Frees what show_mapping() got, without putting bytes back. */
static void drop_block(vptr__mapping *mapping) {
  vptr__memory_free(mapping->block);
}

/* A part that is shown in place would stay on the device, and one that may leave is one of many. */
static bool has_seams(const vptr__heap *heap, const void *ptr, size_t size) {
  vptr_location location;
  return vptr__heap_has_seam(heap, ptr, size) ||
         (vptr__heap_moves(heap) &&
          vptr__directory_locate(vptr__heap_directory(heap), ptr, 1, &location) == VPTR_SUCCESS &&
          location.kind == VPTR_KIND_PART && location.buffer == NULL);
}

static vptr_status pin_allocation(vptr_mapper *mapper, vptr__mapping *mapping, const void *ptr) {
  vptr_location location = { .buffer = NULL };
  vptr_status status = VPTR_SUCCESS;
  mapping->has_seam = has_seams(mapper->heap, ptr, mapping->size);
  if (mapping->has_seam)
    status = vptr__mapper_locate_all(mapper, ptr, mapping->size, &location);
  if (status == VPTR_SUCCESS)
    status = vptr__heap_pin(mapper->heap, ptr, mapping->has_seam ? 0 : mapping->size, &location);
  if (status > VPTR_ERROR_INTERIOR)
    return status; /* no verdict about the address: said where it was found */
  if (status != VPTR_SUCCESS)
    return vptr__mapper_explain(mapper, status, "vptr_map", ptr, mapping->size);
  mapping->base = location.base;
  mapping->buffer = location.buffer;
  mapping->offset = location.buffer_offset;
  return VPTR_SUCCESS;
}

static void unpin_allocation(vptr_mapper *mapper, const vptr__mapping *mapping) {
  vptr__heap_unpin(mapper->heap, mapping->base);
  if (mapping->buffer != NULL)
    mapper->device->ops->memory.release(mapper->device, mapping->buffer);
}

/* Opens what mapping asks for: size and access are set, and it is busy. */
static vptr_status open_accessor(vptr_mapper *mapper, vptr__mapping *mapping, const void *ptr) {
  vptr_status status = pin_allocation(mapper, mapping, ptr);
  if (status != VPTR_SUCCESS)
    return status;
  status = insert_mapping(mapper, mapping, ptr);
  if (status != VPTR_SUCCESS)
    goto undo_pin;
  status = show_mapping(mapper, mapping);
  if (status != VPTR_SUCCESS)
    goto undo_enter;
  return VPTR_SUCCESS;
undo_enter:
  remove_mapping(mapper, mapping);
  drop_block(mapping);
undo_pin:
  unpin_allocation(mapper, mapping);
  return status;
}

/* The bytes are back, or nobody wants them any more. */
static void close_accessor(vptr_mapper *mapper, vptr__mapping *mapping) {
  remove_mapping(mapper, mapping);
  drop_block(mapping);
  unpin_allocation(mapper, mapping);
  vptr__memory_free(mapping);
}

/* ---- what the mapper calls ------------------------------------------------------------------------------ */

/* Bytes that were written still go back: an attached buffer outlives the mapper. An error there has been said,
 * and must not keep the mapper from going. No other call runs, so nothing is busy. */
static void close_all(vptr_mapper *mapper) {
  for (vptr__mapping *mapping; (mapping = first_mapping(mapper)) != NULL;) {
    hide_mapping(mapper, mapping);
    close_accessor(mapper, mapping);
  }
}

static vptr_status refuse_clear_if_mapped(vptr_mapper *mapper) {
  if (vptr__mapper_state(mapper, VPTR__SUBSYSTEM_ACCESS) == NULL)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_MAPPED, "vptr_clear: host accessors are open: vptr_unmap() them first");
}

static vptr_status refuse_checkpoint_if_mapped(vptr_mapper *mapper) {
  if (vptr__mapper_state(mapper, VPTR__SUBSYSTEM_ACCESS) == NULL)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_MAPPED, "vptr_checkpoint: host accessors are open: vptr_unmap() them first");
}

static void enter_subsystem(void) {
  static const vptr__subsystem subsystem = { .stop = close_all,
                                             .check_clear = refuse_clear_if_mapped,
                                             .check_checkpoint = refuse_checkpoint_if_mapped };
  vptr__subsystem_enter(VPTR__SUBSYSTEM_ACCESS, &subsystem);
}

vptr_status vptr_map(vptr_mapper *mapper, void *ptr, size_t size, vptr_access access, void **host_out) {
  if (host_out == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_map: host_out is NULL; pass where to put the host address");
  if (!is_access(access))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "vptr_map: access %d is none of VPTR_ACCESS_* (%d to %d)",
                       (int)access, VPTR_ACCESS_READ, VPTR_ACCESS_DISCARD_READ_WRITE);
  if (size == 0) {
    *host_out = NULL;
    return VPTR_SUCCESS;
  }
  vptr_status status = VPTR_SUCCESS;
  mapper = vptr__mapper_of(mapper, &status);
  if (mapper == NULL)
    return status;
  vptr__mapping *mapping = vptr__memory_calloc(1, sizeof *mapping);
  if (mapping == NULL)
    return vptr__error_host_memory(sizeof *mapping);
  mapping->ptr = ptr;
  mapping->size = size;
  mapping->access = access;
  mapping->busy = true;
  enter_subsystem();
  status = open_accessor(mapper, mapping, ptr);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(mapping);
    return status;
  }
  /* Read before it may be unmapped: another accessor for reading may have the same address and be closed now. */
  void *host = mapping->host;
  log_mapping("vptr_map", mapper, mapping, bytes_in(mapping), 0);
  set_idle(mapper, mapping);
  *host_out = host;
  return VPTR_SUCCESS;
}

vptr_status vptr_unmap(vptr_mapper *mapper, void *host) {
  if (host == NULL)
    return VPTR_SUCCESS;
  vptr_status status = VPTR_SUCCESS;
  mapper = vptr__mapper_of(mapper, &status);
  if (mapper == NULL)
    return status;
  status = vptr__waiting_check();
  if (status != VPTR_SUCCESS)
    return status;
  vptr__mapping *mapping = acquire_mapping(mapper, host);
  if (mapping == NULL)
    return refuse_unmap(mapper, host);
  status = hide_mapping(mapper, mapping);
  if (status == VPTR_SUCCESS) {
    log_mapping("vptr_unmap", mapper, mapping, 0, bytes_out(mapping));
    close_accessor(mapper, mapping);
  } else {
    set_idle(mapper, mapping);
  }
  return status;
}
