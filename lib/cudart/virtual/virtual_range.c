/* SPDX-License-Identifier: MIT */
/*
 * virtual_range - reserving addresses for a buffer, and mapping memory under them and away again (virtual_range.h).
 *
 * The static list `ranges` has each reservation, a `range`, with the list of its mappings. vptr__physical_lock()
 * (physical.h), of rank LEAF, guards both lists, and is held while pages are mapped and unmapped. A range that is freed
 * is taken out of the list first, and is its thread's alone from then on; each mapping counts in its vptr__physical.
 * The allocation of a range is the heap's, pinned there under the heap's lock, of rank HEAP, which is taken without the
 * other one.
 *
 * Called by shared_memory.c, by driver/device.c, driver/pointer.c and driver/virtual.c, by cudart/cuda/sharing.c and
 * external.c, which ask whether there can be any, and by cudart/cuda/reset.c, which lets go. It waits for the system,
 * which changes the pages; freeing and unmapping wait for the device's work, without the lock.
 */
#include "virtual/virtual_range.h"

#include <errno.h>
#include <stdalign.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/completion.h"
#include "mapper/mapper.h"
#include "virtual/physical.h"

typedef struct mapping {
  struct mapping *next; /* by address */
  size_t offset, bytes; /* in the range */
  vptr__physical *memory;
  unsigned rights;
} mapping;

typedef struct range {
  struct range *next;
  vptr_mapper *mapper;
  int device;
  uint64_t serial; /* of its allocation */
  uintptr_t base;
  size_t bytes;
  unsigned char *pages;
  bool is_pinned; /* so that no program frees it */
  mapping *first;
} range;

static range *ranges; /* guarded by vptr__physical_lock() */

/* ---- pages ---------------------------------------------------------------------------------------------- */

enum { SHOWN = PROT_READ | PROT_WRITE };

static vptr_status no_pages(const char *what) {
  return vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "pages of a reservation cannot be %s: %s", what, strerror(errno));
}

/* Zeros, which the system has no memory for until somebody writes. */
static void *empty_pages(void *at, size_t bytes) {
  const int fixed = at != NULL ? MAP_FIXED : 0;
  return mmap(at, bytes, SHOWN, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
}

/* ---- life ----------------------------------------------------------------------------------------------- */

bool vptr__virtual_range_is_possible(vptr_mapper *mapper) {
  alignas(VPTR__SHARE_ALIGNMENT) unsigned char bytes[VPTR__SHARE_ALIGNMENT] = { 0 };
  vptr__device *device = mapper->device;
  cl_mem buffer = NULL;
  vptr__error_try();
  vptr_status status = device->ops->memory.share_host(device, bytes, sizeof bytes, &buffer);
  vptr__error_tried(VPTR_SUCCESS);
  if (status == VPTR_SUCCESS)
    device->ops->memory.release(device, buffer);
  return status == VPTR_SUCCESS;
}

static vptr_status check_size(const vptr_mapper *mapper, size_t bytes) {
  const uint64_t most = mapper->device->max_buffer_bytes;
  if (bytes <= most)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_OUT_OF_DEVICE_MEMORY,
                     "a reservation is one OpenCL buffer, which has at most %llu bytes on this device, and not %zu",
                     (unsigned long long)most, bytes);
}

static vptr_status pin(range *it) {
  vptr_location location;
  vptr_status status = vptr__heap_pin(it->mapper->heap, (void *)it->base, 1, &location);
  if (status != VPTR_SUCCESS)
    return status;
  it->mapper->device->ops->memory.release(it->mapper->device, location.buffer);
  it->serial = location.serial;
  it->is_pinned = true;
  return VPTR_SUCCESS;
}

/* An address for the buffer, and no program can free it. */
static vptr_status give_address(vptr_mapper *mapper, cl_mem buffer, size_t alignment, range *it) {
  void *base = NULL;
  vptr_status status = vptr_attach(mapper, buffer, &base);
  if (status != VPTR_SUCCESS)
    return status;
  it->base = (uintptr_t)base;
  if (alignment != 0 && (uintptr_t)base % alignment != 0)
    status =
        vptr__error(VPTR_ERROR_UNSUPPORTED, "addresses here are aligned to windows, and not to %zu bytes", alignment);
  if (status == VPTR_SUCCESS)
    status = pin(it);
  if (status != VPTR_SUCCESS)
    vptr_free(mapper, base);
  return status;
}

static vptr_status fill(range *it, size_t alignment) {
  cl_mem buffer = NULL;
  vptr__device *device = it->mapper->device;
  it->pages = empty_pages(NULL, it->bytes);
  if (it->pages == MAP_FAILED)
    return no_pages("had");
  vptr_status status = device->ops->memory.share_host(device, it->pages, it->bytes, &buffer);
  if (status == VPTR_SUCCESS) {
    status = give_address(it->mapper, buffer, alignment, it);
    device->ops->memory.release(device, buffer);
  }
  if (status != VPTR_SUCCESS)
    munmap(it->pages, it->bytes);
  return status;
}

vptr_status vptr__virtual_range_make(vptr_mapper *mapper, int device, size_t bytes, size_t alignment,
                                     uintptr_t *base_out) {
  vptr_status status = check_size(mapper, bytes);
  if (status != VPTR_SUCCESS)
    return status;
  range *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__error_host_memory(sizeof *made);
  *made = (range){ .mapper = mapper, .device = device, .bytes = bytes };
  status = fill(made, alignment);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(made);
    return status;
  }
  *base_out = made->base;
  vptr__physical_lock();
  made->next = ranges;
  ranges = made;
  vptr__physical_unlock();
  return VPTR_SUCCESS;
}

/* A reset of the device ends the buffer; addresses come again, serials do not. */
static bool is_live(const range *it) {
  vptr_location location;
  return vptr__mapper_locate(it->mapper, (const void *)it->base, 1, &location) == VPTR_SUCCESS &&
         location.serial == it->serial;
}

/* ---- finding -------------------------------------------------------------------------------------------- */

/* Under the lock: the one that has all of [at, at + bytes). A dead one is found by its whole range alone. */
static range *find_range(uintptr_t at, size_t bytes) {
  for (range *it = ranges; it != NULL; it = it->next)
    if (at - it->base < it->bytes && bytes <= it->bytes - (at - it->base))
      return it;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "[0x%zx, +%zu) lies in no range that was reserved", (size_t)at, bytes);
  return NULL;
}

/* Under the lock: the mapping that begins at an offset, or has that address in it. */
static mapping *find_mapping(const range *it, size_t offset, bool begins) {
  for (mapping *one = it->first; one != NULL; one = one->next)
    if (begins ? one->offset == offset : offset - one->offset < one->bytes)
      return one;
  return NULL;
}

/* Under the lock: whole mappings without a gap between them. NULL, and it is said, if they are not. */
static range *find_mapped(uintptr_t at, size_t bytes) {
  range *it = find_range(at, bytes);
  if (it == NULL)
    return NULL;
  const size_t begin = at - it->base;
  size_t offset = begin;
  for (const mapping *one; offset < begin + bytes && (one = find_mapping(it, offset, true)) != NULL;)
    offset += one->bytes;
  if (offset == begin + bytes)
    return it;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "[0x%zx, +%zu) are not whole mappings: what cuMemMap() was given",
              (size_t)at, bytes);
  return NULL;
}

/* ---- freeing -------------------------------------------------------------------------------------------- */

/* Under the lock: out of the list. */
static void unlink_found(const range *it) {
  range **place = &ranges;
  while (*place != it)
    place = &(*place)->next;
  *place = it->next;
}

/* Under the lock. */
static range *take_range(uintptr_t base, size_t bytes) {
  range *it = find_range(base, bytes);
  if (it != NULL && (it->base != base || it->bytes != bytes || it->first != NULL)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                "[0x%zx, +%zu) is not all of what was reserved, or something is mapped there", (size_t)base, bytes);
    return NULL;
  }
  if (it != NULL)
    unlink_found(it);
  return it;
}

static void put_back(range *it) {
  vptr__physical_lock();
  it->next = ranges;
  ranges = it;
  vptr__physical_unlock();
}

static vptr_status free_buffer(range *it) {
  if (!is_live(it))
    return VPTR_SUCCESS;
  if (it->is_pinned)
    vptr__heap_unpin(it->mapper->heap, (void *)it->base);
  it->is_pinned = false;
  vptr_status status = vptr_free(it->mapper, (void *)it->base);
  if (status != VPTR_SUCCESS)
    pin(it);
  return status;
}

vptr_status vptr__virtual_range_free(uintptr_t base, size_t bytes) {
  vptr__physical_lock();
  range *it = take_range(base, bytes);
  vptr__physical_unlock();
  if (it == NULL)
    return VPTR_ERROR_INVALID_ARGUMENT;
  vptr_status status = free_buffer(it);
  if (status != VPTR_SUCCESS) {
    put_back(it);
    return status;
  }
  munmap(it->pages, it->bytes);
  vptr__memory_free(it);
  return VPTR_SUCCESS;
}

/* The heap's lock, of rank HEAP, must not be taken while vptr__physical_lock() is held. */
void vptr__virtual_ranges_let_go(const vptr_mapper *mapper) {
  for (;;) {
    vptr__physical_lock();
    range *it = ranges;
    while (it != NULL && (it->mapper != mapper || !it->is_pinned))
      it = it->next;
    if (it != NULL)
      it->is_pinned = false;
    vptr__physical_unlock();
    if (it == NULL)
      return;
    vptr__heap_unpin(it->mapper->heap, (void *)it->base);
  }
}

/* ---- mapping -------------------------------------------------------------------------------------------- */

static bool is_free(const range *it, size_t offset, size_t bytes) {
  for (const mapping *one = it->first; one != NULL; one = one->next)
    if (offset < one->offset + one->bytes && one->offset < offset + bytes)
      return false;
  return true;
}

static vptr_status refuse_mapping(const char *what) {
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s", what);
}

/* Under the lock. */
static vptr_status check_map(const range *it, uintptr_t at, size_t bytes, const vptr__physical *memory) {
  if (!is_live(it))
    return refuse_mapping("the device was reset since the range was reserved: free it, and reserve another one");
  if (bytes > memory->bytes)
    return refuse_mapping("more bytes are to be mapped than the handle has");
  if (memory->device != it->device)
    return refuse_mapping(
        "the range was reserved while another device was current than the one whose memory this is");
  return is_free(it, at - it->base, bytes) ? VPTR_SUCCESS
                                           : refuse_mapping("something is mapped there: cuMemUnmap() it first");
}

/* Under the lock. */
static vptr_status map_found(range *it, uintptr_t at, size_t bytes, vptr__physical *memory, mapping *made) {
  const size_t offset = at - it->base;
  vptr_status status = check_map(it, at, bytes, memory);
  if (status != VPTR_SUCCESS)
    return status;
  if (mmap(it->pages + offset, bytes, SHOWN, MAP_SHARED | MAP_FIXED, memory->file, 0) == MAP_FAILED)
    return no_pages("mapped");
  mapping **place = &it->first;
  while (*place != NULL && (*place)->offset < offset)
    place = &(*place)->next;
  *made = (mapping){ .next = *place, .offset = offset, .bytes = bytes, .memory = memory };
  *place = made;
  memory->mappings++;
  return VPTR_SUCCESS;
}

vptr_status vptr__virtual_range_map(uintptr_t at, size_t bytes, uint64_t handle) {
  mapping *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__error_host_memory(sizeof *made);
  vptr__physical_lock();
  range *it = find_range(at, bytes);
  vptr__physical *memory = it != NULL ? vptr__physical_find(handle) : NULL;
  vptr_status status = memory != NULL ? map_found(it, at, bytes, memory, made) : VPTR_ERROR_INVALID_ARGUMENT;
  vptr__physical_unlock();
  if (status != VPTR_SUCCESS)
    vptr__memory_free(made);
  return status;
}

/* Work in flight may use what is about to go; what comes of it, its own calls tell. */
static void await_device(uintptr_t at, size_t bytes) {
  vptr__physical_lock();
  const range *it = find_range(at, bytes);
  vptr__device *device = it != NULL && is_live(it) ? it->mapper->device : NULL;
  vptr__physical_unlock();
  if (device == NULL)
    return;
  vptr__completion_drain(device, NULL);
}

/* Under the lock. */
static void drop(range *it, size_t offset) {
  mapping **place = &it->first;
  while ((*place)->offset != offset)
    place = &(*place)->next;
  mapping *gone = *place;
  *place = gone->next;
  gone->memory->mappings--;
  vptr__physical_settle(gone->memory);
  vptr__memory_free(gone);
}

vptr_status vptr__virtual_range_unmap(uintptr_t at, size_t bytes) {
  vptr_status status = VPTR_ERROR_INVALID_ARGUMENT;
  await_device(at, bytes);
  vptr__physical_lock();
  range *it = find_mapped(at, bytes);
  if (it != NULL) {
    const size_t begin = at - it->base;
    status = empty_pages(it->pages + begin, bytes) != MAP_FAILED ? VPTR_SUCCESS : no_pages("unmapped");
    for (size_t offset = begin; status == VPTR_SUCCESS && offset < begin + bytes;) {
      const size_t step = find_mapping(it, offset, true)->bytes;
      drop(it, offset);
      offset += step;
    }
  }
  vptr__physical_unlock();
  return status;
}

/* ---- rights --------------------------------------------------------------------------------------------- */

vptr_status vptr__virtual_range_allow(uintptr_t at, size_t bytes, int device, unsigned rights) {
  vptr__physical_lock();
  range *it = find_mapped(at, bytes);
  bool is_own = it != NULL && it->device == device;
  if (it != NULL && !is_own)
    refuse_mapping("memory is reached by its own device alone, as cuDeviceCanAccessPeer() tells");
  for (mapping *one = is_own ? it->first : NULL; one != NULL; one = one->next)
    if (one->offset >= at - it->base && one->offset < at - it->base + bytes)
      one->rights = rights;
  vptr__physical_unlock();
  return is_own ? VPTR_SUCCESS : VPTR_ERROR_INVALID_ARGUMENT;
}

/* Under the lock: what is mapped at an address. NULL, and it is said, if nothing is. */
static const mapping *mapped_at(uintptr_t at, int *device_out) {
  const range *it = find_range(at, 1);
  const mapping *one = it != NULL ? find_mapping(it, at - it->base, false) : NULL;
  if (it != NULL && one == NULL)
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "nothing is mapped at 0x%zx", (size_t)at);
  if (one != NULL)
    *device_out = it->device;
  return one;
}

vptr_status vptr__virtual_range_rights(uintptr_t at, int device, unsigned *rights_out) {
  int own = -1;
  vptr__physical_lock();
  const mapping *one = mapped_at(at, &own);
  if (one != NULL)
    *rights_out = own == device ? one->rights : 0;
  vptr__physical_unlock();
  return one != NULL ? VPTR_SUCCESS : VPTR_ERROR_INVALID_ARGUMENT;
}

vptr_status vptr__virtual_range_retain_at(uintptr_t at, uint64_t *handle_out) {
  int own = -1;
  vptr__physical_lock();
  const mapping *one = mapped_at(at, &own);
  if (one != NULL) {
    one->memory->references++;
    *handle_out = one->memory->handle;
  }
  vptr__physical_unlock();
  return one != NULL ? VPTR_SUCCESS : VPTR_ERROR_INVALID_ARGUMENT;
}
