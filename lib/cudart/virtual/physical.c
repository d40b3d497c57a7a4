/* SPDX-License-Identifier: MIT */
/*
 * physical - files in memory with handles, and who has them: making, importing, exporting and releasing (physical.h).
 *
 * The static `memories` has the list of all vptr__physical, the handle that was given last, and `lock`, of rank LEAF,
 * which guards both, all that changes in each vptr__physical, and the reservations of virtual_range.c. That file takes
 * it by vptr__physical_lock(), and calls vptr__physical_find() and vptr__physical_settle() with it held; all other
 * functions take it themselves. A file is made without it. vptr__physical_settle() closes the file and frees a
 * vptr__physical that no handle and no mapping needs any more.
 *
 * Called by shared_memory.c and virtual_range.c, by cudart/cuda/external.c, and by driver/virtual.c and
 * driver/pointer.c. To make memory waits for the system, which takes the pages; nothing waits for a device.
 */
#include "virtual/physical.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"

static struct {
  vptr__lock lock;
  vptr__physical *first;
  uint64_t last; /* handle */
} memories = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

void vptr__physical_lock(void) {
  vptr__lock_take(&memories.lock);
}

void vptr__physical_unlock(void) {
  vptr__lock_give(&memories.lock);
}

/* ---- files ---------------------------------------------------------------------------------------------- */

static vptr_status no_memory(size_t bytes, const char *why) {
  return vptr__error(VPTR_ERROR_OUT_OF_DEVICE_MEMORY, "%zu bytes of device memory, which is the host's: %s", bytes,
                     why);
}

static vptr_status make_file(size_t bytes, int *file_out) {
  int file = memfd_create("vptr-physical", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0)
    return no_memory(bytes, strerror(errno));
  int code = posix_fallocate(file, 0, (off_t)bytes);
  if (code == 0 && fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
    code = errno;
  if (code != 0) {
    close(file);
    return no_memory(bytes, strerror(code));
  }
  *file_out = file;
  return VPTR_SUCCESS;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

/* Under the lock. */
static uint64_t bytes_on(int device) {
  uint64_t bytes = 0;
  for (const vptr__physical *it = memories.first; it != NULL; it = it->next)
    bytes += it->device == device ? it->bytes : 0;
  return bytes;
}

/* Under the lock. It counts among what there is on its device; no handle finds it yet. */
static void link_in(vptr__physical *physical) {
  physical->next = memories.first;
  memories.first = physical;
}

/* Under the lock. */
static void link_out(const vptr__physical *physical) {
  vptr__physical **at = &memories.first;
  while (*at != physical)
    at = &(*at)->next;
  *at = physical->next;
}

/* Under the lock. */
static uint64_t give_handle(vptr__physical *physical) {
  physical->handle = ++memories.last;
  physical->references = 1;
  return physical->handle;
}

/* Takes its bytes of the device's before there is a file, so that two threads cannot both have the last ones. */
static vptr_status take_bytes(vptr__physical *physical, uint64_t most) {
  const size_t bytes = physical->bytes;
  vptr__physical_lock();
  const uint64_t there = bytes_on(physical->device);
  const bool fits = bytes <= most && there <= most - bytes;
  if (fits)
    link_in(physical);
  vptr__physical_unlock();
  if (fits)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_OUT_OF_DEVICE_MEMORY,
                     "%zu bytes are asked for, %llu were made before, and the device has %llu", bytes,
                     (unsigned long long)there, (unsigned long long)most);
}

static vptr_status fill(vptr__physical *physical, uint64_t most, uint64_t *handle_out) {
  int file = -1;
  vptr_status status = take_bytes(physical, most);
  if (status != VPTR_SUCCESS)
    return status;
  status = make_file(physical->bytes, &file);
  vptr__physical_lock();
  if (status == VPTR_SUCCESS) {
    physical->file = file;
    *handle_out = give_handle(physical);
  } else {
    link_out(physical);
  }
  vptr__physical_unlock();
  return status;
}

vptr_status vptr__physical_create(int device, size_t bytes, uint64_t most, bool is_shareable, uint64_t *handle_out) {
  vptr__physical *physical = vptr__memory_calloc(1, sizeof *physical);
  if (physical == NULL)
    return vptr__error_host_memory(sizeof *physical);
  *physical = (vptr__physical){ .device = device, .file = -1, .bytes = bytes, .is_shareable = is_shareable };
  vptr_status status = fill(physical, most, handle_out);
  if (status != VPTR_SUCCESS)
    vptr__memory_free(physical);
  return status;
}

/* A descriptor of ours is sealed, and its file has whole granules. */
static bool is_ours(int file, size_t *bytes_out) {
  struct stat about;
  const int seals = fcntl(file, F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || fstat(file, &about) != 0)
    return false;
  *bytes_out = (size_t)about.st_size;
  return about.st_size > 0 && about.st_size % VPTR__PHYSICAL_GRANULE == 0;
}

vptr_status vptr__physical_import(int device, int file, uint64_t *handle_out) {
  size_t bytes = 0;
  if (!is_ours(file, &bytes))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "descriptor %d is none that cuMemExportToShareableHandle() of this library gave", file);
  vptr__physical *physical = vptr__memory_calloc(1, sizeof *physical);
  if (physical == NULL)
    return vptr__error_host_memory(sizeof *physical);
  const int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (own < 0) {
    vptr__memory_free(physical);
    return vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "descriptor %d cannot be kept: %s", file, strerror(errno));
  }
  *physical = (vptr__physical){ .device = device, .file = own, .bytes = bytes, .is_shareable = true };
  vptr__physical_lock();
  link_in(physical);
  *handle_out = give_handle(physical);
  vptr__physical_unlock();
  return VPTR_SUCCESS;
}

vptr__physical *vptr__physical_find(uint64_t handle) {
  for (vptr__physical *it = memories.first; it != NULL; it = it->next)
    if (it->handle == handle && it->references > 0)
      return it;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "0x%llx is no handle of memory: it was released, or never made",
              (unsigned long long)handle);
  return NULL;
}

void vptr__physical_settle(vptr__physical *physical) {
  if (physical->references > 0 || physical->mappings > 0)
    return;
  link_out(physical);
  close(physical->file);
  vptr__memory_free(physical);
}

/* ---- handles -------------------------------------------------------------------------------------------- */

vptr_status vptr__physical_release(uint64_t handle) {
  vptr__physical_lock();
  vptr__physical *physical = vptr__physical_find(handle);
  if (physical != NULL) {
    physical->references--;
    vptr__physical_settle(physical);
  }
  vptr__physical_unlock();
  return physical != NULL ? VPTR_SUCCESS : VPTR_ERROR_INVALID_ARGUMENT;
}

/* Under the lock. */
static vptr_status export_found(const vptr__physical *physical, int *file_out) {
  if (!physical->is_shareable)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "handle 0x%llx was made without CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR",
                       (unsigned long long)physical->handle);
  const int file = fcntl(physical->file, F_DUPFD_CLOEXEC, 0);
  if (file < 0)
    return vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "there is no descriptor left: %s", strerror(errno));
  *file_out = file;
  return VPTR_SUCCESS;
}

vptr_status vptr__physical_export(uint64_t handle, int *file_out) {
  vptr__physical_lock();
  const vptr__physical *physical = vptr__physical_find(handle);
  vptr_status status = physical != NULL ? export_found(physical, file_out) : VPTR_ERROR_INVALID_ARGUMENT;
  vptr__physical_unlock();
  return status;
}

vptr_status vptr__physical_describe(uint64_t handle, int *device_out, bool *is_shareable_out) {
  vptr__physical_lock();
  const vptr__physical *physical = vptr__physical_find(handle);
  if (physical != NULL) {
    *device_out = physical->device;
    *is_shareable_out = physical->is_shareable;
  }
  vptr__physical_unlock();
  return physical != NULL ? VPTR_SUCCESS : VPTR_ERROR_INVALID_ARGUMENT;
}

vptr_status vptr__physical_identify(uint64_t handle, int64_t *file_out, uint64_t *inode_out) {
  struct stat about;
  vptr_status status = VPTR_ERROR_INVALID_ARGUMENT;
  vptr__physical_lock();
  const vptr__physical *physical = vptr__physical_find(handle);
  if (physical != NULL && fstat(physical->file, &about) == 0) {
    *file_out = physical->file;
    *inode_out = about.st_ino;
    status = VPTR_SUCCESS;
  }
  vptr__physical_unlock();
  return status;
}
