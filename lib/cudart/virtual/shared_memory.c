/* SPDX-License-Identifier: MIT */
/*
 * shared_memory - allocations over files, and those of other processes that are open here (shared_memory.h).
 *
 * The static `shared` has a list with a `memory` for each allocation and for each one that was opened, and `lock`, of
 * rank LEAF, which guards the list and how often each is open (`opens`). It is not held while another file is called:
 * an entry is taken out of the list before its range and its handle end, and put back if that fails. An entry is freed
 * when this process frees or closes the memory, and at a reset of its device. The static `opening`, of rank UNIT, is
 * held while memory of another process is opened, so that two threads that open the same get one address.
 *
 * Called by cudart/cuda/memory.c, which allocates and frees, by cudart/cuda/sharing.c and external.c, and by
 * cudart/cuda/reset.c, which forgets. It waits for the system; frees wait for the device's work.
 */
#include "virtual/shared_memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <vptr/cuda/driver_types.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/option.h"
#include "mapper/mapper.h"
#include "virtual/physical.h"
#include "virtual/virtual_range.h"

typedef struct memory {
  struct memory *next;
  vptr_mapper *mapper;
  uintptr_t base;
  uintptr_t ptr; /* that the program has: the base, but for a part of what is mapped */
  size_t bytes;  /* from the base on */
  uint64_t handle;
  vptr__shared_memory_name name;
  unsigned opens; /* 0: this process allocated it */
  bool is_mapped; /* as long as it lives, but where an end of it failed twice */
} memory;

static struct {
  vptr__lock lock;
  memory *first;
} shared = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

static vptr__lock opening = VPTR__LOCK_INIT(VPTR__RANK_UNIT);

static const char mark[8] = "vptrIPC1";

/* ---- the list ------------------------------------------------------------------------------------------- */

static void enter(memory *it) {
  vptr__lock_take(&shared.lock);
  it->next = shared.first;
  shared.first = it;
  vptr__lock_give(&shared.lock);
}

/* Under the lock. */
static memory **place_of(uintptr_t ptr) {
  memory **place = &shared.first;
  while (*place != NULL && (*place)->ptr != ptr)
    place = &(*place)->next;
  return place;
}

bool vptr__shared_memory_begins_at(const void *ptr) {
  vptr__lock_take(&shared.lock);
  const bool is_there = *place_of((uintptr_t)ptr) != NULL;
  vptr__lock_give(&shared.lock);
  return is_there;
}

/* Out of the list, if it is of that kind, and nobody has it open any more. */
static memory *take_memory(const void *ptr, bool is_opened, bool *found_out) {
  vptr__lock_take(&shared.lock);
  memory **place = place_of((uintptr_t)ptr), *it = *place;
  *found_out = it != NULL && (it->opens > 0) == is_opened;
  bool goes = *found_out && it->opens <= 1;
  if (*found_out && !goes)
    it->opens--;
  if (goes)
    *place = it->next;
  vptr__lock_give(&shared.lock);
  return goes ? it : NULL;
}

/* ---- memory under a range ------------------------------------------------------------------------------- */

bool vptr__shared_memory_is_wanted(vptr_mapper *mapper) {
  return vptr__option_flag(VPTR__OPTION_IPC) && vptr__virtual_range_is_possible(mapper);
}

static size_t whole_granules(size_t bytes) {
  return (bytes + VPTR__PHYSICAL_GRANULE - 1) / VPTR__PHYSICAL_GRANULE * VPTR__PHYSICAL_GRANULE;
}

/* The handle stays the caller's where it fails. */
static vptr_status place_memory(memory *it) {
  const int device = it->mapper->device->ordinal;
  vptr_status status = vptr__virtual_range_make(it->mapper, device, it->bytes, 0, &it->base);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__virtual_range_map(it->base, it->bytes, it->handle);
  it->is_mapped = status == VPTR_SUCCESS;
  it->ptr = it->base;
  if (status != VPTR_SUCCESS)
    vptr__virtual_range_free(it->base, it->bytes);
  else
    (void)vptr__virtual_range_allow(it->base, it->bytes, device, cudaMemAccessFlagsProtReadWrite); /* it is mapped */
  return status;
}

static vptr_status fill_name(memory *it) {
  memcpy(it->name.mark, mark, sizeof mark);
  it->name.process = getpid();
  it->name.bytes = it->bytes;
  return vptr__physical_identify(it->handle, &it->name.file, &it->name.inode);
}

static vptr_status make_memory(memory *it) {
  const uint64_t most = it->mapper->device->memory_bytes;
  vptr_status status =
      vptr__physical_create(it->mapper->device->ordinal, whole_granules(it->bytes), most, true, &it->handle);
  if (status != VPTR_SUCCESS)
    return status;
  status = fill_name(it);
  if (status == VPTR_SUCCESS)
    status = place_memory(it);
  if (status != VPTR_SUCCESS)
    vptr__physical_release(it->handle);
  return status;
}

vptr_status vptr__shared_memory_allocate(vptr_mapper *mapper, size_t bytes, void **ptr_out) {
  memory *it = vptr__memory_calloc(1, sizeof *it);
  if (it == NULL)
    return vptr__error_host_memory(sizeof *it);
  *it = (memory){ .mapper = mapper, .bytes = bytes };
  vptr_status status = make_memory(it);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(it);
    return status;
  }
  *ptr_out = (void *)it->base;
  enter(it);
  return VPTR_SUCCESS;
}

static vptr_status end_range(memory *it) {
  vptr_status status = it->is_mapped ? vptr__virtual_range_unmap(it->base, it->bytes) : VPTR_SUCCESS;
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__virtual_range_free(it->base, it->bytes);
  if (status != VPTR_SUCCESS)
    it->is_mapped = vptr__virtual_range_map(it->base, it->bytes, it->handle) == VPTR_SUCCESS;
  return status;
}

/* All of it, or it is in the list again. */
static vptr_status end(memory *it) {
  vptr_status status = end_range(it);
  if (status != VPTR_SUCCESS) {
    enter(it);
    return status;
  }
  vptr__physical_release(it->handle);
  vptr__memory_free(it);
  return VPTR_SUCCESS;
}

bool vptr__shared_memory_free(void *ptr, vptr_status *status_out) {
  bool is_ours;
  memory *it = take_memory(ptr, false, &is_ours);
  if (it != NULL)
    *status_out = end(it);
  return is_ours;
}

/* ---- imported memory ------------------------------------------------------------------------------------ */

/* With a reference of its own to the handle. */
static vptr_status map_part(memory *it, uint64_t handle) {
  it->handle = handle;
  vptr_status status = place_memory(it);
  return status == VPTR_SUCCESS ? vptr__virtual_range_retain_at(it->base, &it->handle) : status;
}

vptr_status vptr__shared_memory_map(vptr_mapper *mapper, uint64_t handle, uint64_t offset, uint64_t bytes,
                                    void **ptr_out) {
  memory *it = vptr__memory_calloc(1, sizeof *it);
  if (it == NULL)
    return vptr__error_host_memory(sizeof *it);
  *it = (memory){ .mapper = mapper, .bytes = whole_granules((size_t)(offset + bytes)) };
  vptr_status status = map_part(it, handle);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(it);
    return status;
  }
  it->ptr = it->base + (uintptr_t)offset;
  *ptr_out = (void *)it->ptr;
  enter(it);
  return VPTR_SUCCESS;
}

/* ---- other processes ------------------------------------------------------------------------------------ */

vptr_status vptr__shared_memory_tell(const char *call, const void *ptr, vptr__shared_memory_name *name_out) {
  vptr_location location;
  vptr__lock_take(&shared.lock);
  const memory *it = *place_of((uintptr_t)ptr);
  bool is_there = it != NULL && it->opens == 0 && it->name.process != 0;
  if (is_there)
    *name_out = it->name;
  vptr__lock_give(&shared.lock);
  if (is_there)
    return VPTR_SUCCESS;
  vptr_mapper *mapper = vptr__mapper_owning(ptr);
  if (mapper == NULL || vptr__mapper_locate(mapper, ptr, 1, &location) != VPTR_SUCCESS || location.base != ptr)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: no allocation of device memory begins at %p", call, ptr);
  return vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "%s: %p cannot be opened by other processes: memory of cudaMalloc() can, where device memory is the "
      "host's and VPTR_IPC=1 is set when the program begins",
      call, ptr);
}

/* Another opening of what is open, or NULL. */
static void *open_again(const vptr__shared_memory_name *name) {
  vptr__lock_take(&shared.lock);
  memory *it = shared.first;
  while (it != NULL && (it->opens == 0 || memcmp(&it->name, name, sizeof *name) != 0))
    it = it->next;
  if (it != NULL)
    it->opens++;
  vptr__lock_give(&shared.lock);
  return it != NULL ? (void *)it->base : NULL;
}

static vptr_status no_memory(const vptr__shared_memory_name *name) {
  return vptr__error(
      VPTR_ERROR_INVALID_ARGUMENT,
      "memory of process %lld cannot be opened: it ended or freed it, is another user's, or its files are "
      "not seen here",
      (long long)name->process);
}

/* The file of another process, as a handle of this one's. */
static vptr_status find_file(const vptr__shared_memory_name *name, int device, uint64_t *handle_out) {
  char path[64];
  int64_t file = 0;
  uint64_t inode = 0;
  snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)name->process, (long long)name->file);
  const int opened = open(path, O_RDWR | O_CLOEXEC);
  if (opened < 0)
    return no_memory(name);
  vptr_status status = vptr__physical_import(device, opened, handle_out);
  close(opened);
  if (status != VPTR_SUCCESS)
    return status;
  if (vptr__physical_identify(*handle_out, &file, &inode) == VPTR_SUCCESS && inode == name->inode)
    return VPTR_SUCCESS;
  vptr__physical_release(*handle_out);
  return no_memory(name);
}

static vptr_status open_first(memory *it) {
  vptr_status status = find_file(&it->name, it->mapper->device->ordinal, &it->handle);
  if (status != VPTR_SUCCESS)
    return status;
  status = place_memory(it);
  if (status != VPTR_SUCCESS)
    vptr__physical_release(it->handle);
  return status;
}

static vptr_status open_anew(vptr_mapper *mapper, const vptr__shared_memory_name *name, void **ptr_out) {
  memory *it = vptr__memory_calloc(1, sizeof *it);
  if (it == NULL)
    return vptr__error_host_memory(sizeof *it);
  *it = (memory){ .mapper = mapper, .bytes = (size_t)name->bytes, .name = *name, .opens = 1 };
  vptr_status status = open_first(it);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(it);
    return status;
  }
  *ptr_out = (void *)it->base;
  enter(it);
  return VPTR_SUCCESS;
}

vptr_status vptr__shared_memory_open(vptr_mapper *mapper, const vptr__shared_memory_name *name, void **ptr_out) {
  vptr_status status = VPTR_SUCCESS;
  if (memcmp(name->mark, mark, sizeof mark) != 0 || name->bytes == 0 || name->bytes > SIZE_MAX / 2)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "the handle is none that cudaIpcGetMemHandle() of this library gave");
  vptr__lock_take(&opening);
  void *there = open_again(name);
  if (there != NULL)
    *ptr_out = there;
  else
    status = open_anew(mapper, name, ptr_out);
  vptr__lock_give(&opening);
  return status;
}

vptr_status vptr__shared_memory_close(void *ptr) {
  bool is_open;
  memory *it = take_memory(ptr, true, &is_open);
  if (!is_open)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is no memory that cudaIpcOpenMemHandle() opened", ptr);
  return it != NULL ? end(it) : VPTR_SUCCESS;
}

/* The ranges' buffers have gone; their pages, and the files, go now. */
void vptr__shared_memory_forget(const vptr_mapper *mapper) {
  for (;;) {
    vptr__lock_take(&shared.lock);
    memory **place = &shared.first;
    while (*place != NULL && (*place)->mapper != mapper)
      place = &(*place)->next;
    memory *it = *place;
    if (it != NULL)
      *place = it->next;
    vptr__lock_give(&shared.lock);
    if (it == NULL)
      return;
    if (!it->is_mapped || vptr__virtual_range_unmap(it->base, it->bytes) == VPTR_SUCCESS)
      vptr__virtual_range_free(it->base, it->bytes);
    vptr__physical_release(it->handle);
    vptr__memory_free(it);
  }
}
