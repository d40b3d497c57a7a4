/* SPDX-License-Identifier: MIT */
/*
 * memory - the public calls that change what is live, and count it: allocate, free, attach, clear, trim, compact.
 *
 * The file owns nothing, and takes no lock of its own: the heap (vptr__heap.lock, of rank HEAP, and where a program
 * allocates on a full device heap/residence.c's, of rank LEASE), pools (rank POOL) and accessors (rank MAPPING) take
 * theirs. Called by programs; by cudart/cuda/memory.c, usm/usm.c, curand/discrete.c and cusparse/triangle.c, which
 * allocate and free; by cudart/cuda/pitched.c and cublas/tuning.c, and by pool/reuse.c before an allocation in a
 * stream's order fails, which allocate; by cudart/cuda/reset.c, which clears; by
 * cudart/graph/memory.c, which allocates for graphs, and cudart/replay/memory_node.c, which trims; by
 * cudart/virtual/virtual_range.c, which attaches; by cudart/record/file.c and checkpoint/checkpoint.c and restore.c,
 * which ask where the addresses are; and by cudart/module/program.c, which asks how large windows are; and by
 * cudart/module/grid.c, group.c, print.c, room.c, spill.c and variable.c and cudart/pinned/alias.c, for memory of the
 * library's own.
 *
 * On a full device an allocation waits for the device's work, for managed memory to leave (reclaim.h), and where memory
 * may leave, the program's for what other threads use. A free waits where work of other queues than the mapper's own
 * may still use the memory; to clear waits for all work; to compact, for all queues of the device; to trim, for the
 * other threads' large copies, and where the heap has to.
 */
#include "base/waiting.h"
#include "base/error.h"
#include "base/hot.h"
#include "base/subsystem.h"
#include "heap/magazine.h"
#include "mapper/mapper.h"
#include "mapper/reclaim.h"

/* An allocation that is asked for. */
typedef struct request {
  vptr__heap *heap;
  size_t size;
  const void *site;
  void **ptr_out;
} request;

static vptr_status allocate_request(void *context) {
  const request *want = context;
  return vptr__heap_allocate(want->heap, want->size, want->site, want->ptr_out);
}

/* Whoever allocates may hold locks that those wait for who are about to send work. */
static vptr_status allocate_or_reclaim(vptr_mapper *mapper, size_t size, const void *site, void **ptr_out) {
  vptr__reclaim reclaim = vptr__reclaim_begin(mapper, false);
  request want = { mapper->heap, size, site, ptr_out };
  return vptr__reclaim_insist(&reclaim, allocate_request, &want);
}

/* Work of others holds what has to leave, and new work would as well: they let this thread pass. */
VPTR__APART static vptr_status allocate_anew(vptr_mapper *mapper, size_t size, const void *site, void **ptr_out) {
  vptr__heap_anew anew = vptr__heap_anew_begin(mapper->heap);
  vptr_status status;
  vptr__error_try();
  do
    status = allocate_or_reclaim(mapper, size, site, ptr_out);
  while (status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY && vptr__heap_anew_again(&anew));
  vptr__heap_anew_end();
  return vptr__error_tried(status);
}

static vptr_status allocate_or_wait(vptr_mapper *mapper, size_t size, const void *site, void **ptr_out) {
  vptr_status status = allocate_or_reclaim(mapper, size, site, ptr_out);
  return status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY && vptr__heap_may_allocate_anew(mapper->heap)
             ? allocate_anew(mapper, size, site, ptr_out)
             : status;
}

VPTR__HOT vptr_status vptr__mapper_allocate(vptr_mapper *mapper, size_t size, const void *site, void **ptr_out) {
  const bool may_share = site != NULL || !vptr__heap_moves(mapper->heap);
  void *ptr = may_share ? vptr__magazine_issue(mapper->heap, size) : NULL;
  if (ptr == NULL)
    return allocate_or_reclaim(mapper, size, site, ptr_out);
  *ptr_out = ptr;
  return VPTR_SUCCESS;
}

VPTR__HOT vptr_status vptr__mapper_allocate_for_program(vptr_mapper *mapper, size_t size, const void *site,
                                                        void **ptr_out) {
  void *ptr = vptr__magazine_issue(mapper->heap, size);
  if (ptr == NULL)
    return allocate_or_wait(mapper, size, site, ptr_out);
  *ptr_out = ptr;
  return VPTR_SUCCESS;
}

static vptr_status refuse_output(void) {
  return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_malloc: ptr_out is NULL");
}

VPTR__HOT vptr_status vptr_malloc(vptr_mapper *mapper, size_t size, void **ptr_out) {
  if (ptr_out == NULL)
    return refuse_output();
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return status;
  void *ptr = vptr__magazine_issue(meant->heap, size);
  if (ptr == NULL && size != 0)
    return allocate_or_wait(meant, size, __builtin_return_address(0), ptr_out);
  *ptr_out = ptr;
  return VPTR_SUCCESS;
}

/* The program's buffer, or one of ours that has a handle. */
static vptr_status attach_handle(vptr_mapper *mapper, cl_mem buffer, const void *site, void **ptr_out) {
  vptr__device *device = mapper->device;
  cl_mem handle;
  vptr_status status = vptr__proxy_adopt_buffer(device, buffer, &handle);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__heap_attach(mapper->heap, handle, site, ptr_out);
  device->ops->memory.release(device, handle);
  return status;
}

vptr_status vptr_attach(vptr_mapper *mapper, cl_mem buffer, void **ptr_out) {
  if (ptr_out == NULL || buffer == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_attach: %s is NULL", ptr_out == NULL ? "ptr_out" : "buffer");
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return status;
  return meant->device->proxy != NULL ? attach_handle(meant, buffer, __builtin_return_address(0), ptr_out)
                                      : vptr__heap_attach(meant->heap, buffer, __builtin_return_address(0), ptr_out);
}

/* Whether ptr can be freed, for a call that would wait and shall not do so in vain. The heap decides in the end. */
static vptr_status check_freeable(vptr_mapper *mapper, const void *ptr) {
  vptr_location location;
  vptr_status status = vptr__mapper_locate(mapper, ptr, 1, &location);
  if (status != VPTR_SUCCESS)
    return status;
  if (location.base != ptr)
    return VPTR_ERROR_INTERIOR;
  return vptr__heap_is_pinned(mapper->heap, ptr) ? VPTR_ERROR_MAPPED : VPTR_SUCCESS;
}

static VPTR__APART bool must_wait_for_streams(vptr_mapper *mapper) {
  const vptr__subsystem *streams = vptr__subsystem_at(VPTR__SUBSYSTEM_STREAM);
  return streams == NULL || !streams->is_drained(mapper);
}

/* Memory that commands of other queues may use is not given to anyone before those are done; the mapper's own
 * queue is in order, so whoever comes next waits there by itself. */
VPTR__HOT static bool must_wait(vptr_mapper *mapper) {
  if (!mapper->device->has_queues)
    return false;
  bool has_streams = vptr__mapper_state(mapper, VPTR__SUBSYSTEM_STREAM) != NULL;
  return !has_streams || vptr__mapper_has_strangers(mapper) ||
         (!vptr__mapper_is_quiet(mapper) && must_wait_for_streams(mapper));
}

static VPTR__APART bool ask_pools(vptr_mapper *mapper, const void *ptr) {
  return vptr__subsystem_at(VPTR__SUBSYSTEM_POOL)->owns(mapper, ptr);
}

VPTR__HOT static bool is_a_pools(vptr_mapper *mapper, const void *ptr) {
  return vptr__mapper_state(mapper, VPTR__SUBSYSTEM_POOL) != NULL && ask_pools(mapper, ptr);
}

/* Whether nobody else can still use the memory. */
VPTR__HOT static bool is_done_with(vptr_mapper *mapper, const void *ptr) {
  return !must_wait(mapper) && !is_a_pools(mapper, ptr);
}

static vptr_status wait_for_others(vptr_mapper *mapper) {
  const vptr__subsystem *streams = vptr__subsystem_at(VPTR__SUBSYSTEM_STREAM);
  return streams != NULL ? streams->drain(mapper) : mapper->device->ops->queue.finish_all(mapper->device);
}

static vptr_status take_back(vptr_mapper *mapper, void *ptr) {
  return is_a_pools(mapper, ptr) ? vptr__subsystem_at(VPTR__SUBSYSTEM_POOL)->take_back(mapper, ptr)
                                 : VPTR_ERROR_UNKNOWN_ADDRESS;
}

/* Frees what others may still use. false: *status_out has been said. */
static bool free_after_others(vptr_mapper *mapper, void *ptr, vptr_status *status_out) {
  *status_out = check_freeable(mapper, ptr);
  if (*status_out != VPTR_SUCCESS)
    return true;
  if (must_wait(mapper) && (*status_out = wait_for_others(mapper)) != VPTR_SUCCESS)
    return false;
  *status_out = take_back(mapper, ptr);
  if (*status_out == VPTR_ERROR_UNKNOWN_ADDRESS)
    *status_out = vptr__heap_free(mapper->heap, ptr);
  return true;
}

VPTR__HOT bool vptr__mapper_free_at_once(vptr_mapper *mapper, void *ptr) {
  return is_done_with(mapper, ptr) && vptr__heap_free_pooled(mapper->heap, ptr);
}

VPTR__HOT vptr_status vptr_free(vptr_mapper *mapper, void *ptr) {
  if (ptr == NULL)
    return VPTR_SUCCESS;
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return status;
  if (is_done_with(meant, ptr))
    status = vptr__heap_free(meant->heap, ptr);
  else if (!free_after_others(meant, ptr, &status))
    return status;
  return status == VPTR_SUCCESS ? status : vptr__mapper_explain(meant, status, "vptr_free", ptr, 1);
}

static vptr_status refuse_pools(const void *ptr) {
  return vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "vptr_free_no_reuse: the memory at %p is a stream-ordered pool's, which issues it again: free it "
      "by vptr_free() or in its stream's order",
      ptr);
}

vptr_status vptr_free_no_reuse(vptr_mapper *mapper, void *ptr) {
  if (ptr == NULL)
    return VPTR_SUCCESS;
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return status;
  status = check_freeable(meant, ptr);
  if (status == VPTR_SUCCESS && is_a_pools(meant, ptr))
    return refuse_pools(ptr);
  if (status == VPTR_SUCCESS && must_wait(meant) && (status = wait_for_others(meant)) != VPTR_SUCCESS)
    return status;
  if (status == VPTR_SUCCESS)
    status = vptr__heap_free_no_reuse(meant->heap, ptr);
  return status == VPTR_SUCCESS ? status : vptr__mapper_explain(meant, status, "vptr_free_no_reuse", ptr, 1);
}

vptr_status vptr_clear(vptr_mapper *mapper) {
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return status;
  status = vptr__waiting_check();
  if (status == VPTR_SUCCESS)
    status = vptr__subsystems_check_clear(meant);
  if (status == VPTR_SUCCESS)
    status = meant->device->ops->queue.finish_all(meant->device);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__subsystems_clear(meant);
  vptr_location location;
  uintptr_t from = 0;
  while (vptr__heap_next(meant->heap, from, &location)) {
    vptr__heap_free(meant->heap, location.base);
    from = (uintptr_t)location.base + 1;
  }
  return VPTR_SUCCESS;
}

vptr_status vptr_trim(vptr_mapper *mapper, size_t keep_bytes) {
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL || (status = vptr__waiting_check()) != VPTR_SUCCESS)
    return status;
  vptr__subsystems_trim(meant, false);
  return vptr__heap_trim(meant->heap, keep_bytes);
}

vptr_status vptr_compact(vptr_mapper *mapper, size_t *released_out) {
  enum { HALF_FREE = 2 };
  size_t released = 0;
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL || (status = vptr__waiting_check()) != VPTR_SUCCESS)
    return status;
  if (!vptr__heap_moves(meant->heap))
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "vptr_compact: nothing of this mapper moves; make it with VPTR_CONFIG_OVERSUBSCRIBE, or set "
                       "VPTR_OVERSUBSCRIBE=1");
  status = vptr__heap_compact(meant->heap, HALF_FREE, &released);
  if (status == VPTR_SUCCESS && released_out != NULL)
    *released_out = released;
  return status;
}

size_t vptr_count(vptr_mapper *mapper) {
  vptr_status status;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  return meant != NULL ? vptr__heap_count(meant->heap) : 0;
}

vptr_status vptr_get_stats(vptr_mapper *mapper, vptr_stats *stats_out) {
  if (stats_out == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_get_stats: stats_out is NULL");
  if (stats_out->struct_size != sizeof *stats_out)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "vptr_get_stats: struct_size is %zu, not sizeof(vptr_stats) = %zu", stats_out->struct_size,
                       sizeof *stats_out);
  vptr_status status = VPTR_SUCCESS;
  vptr_mapper *meant = vptr__mapper_of(mapper, &status);
  if (meant == NULL)
    return status;
  vptr__heap_stats(meant->heap, stats_out);
  return VPTR_SUCCESS;
}
