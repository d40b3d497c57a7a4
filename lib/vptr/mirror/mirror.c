/* SPDX-License-Identifier: MIT */
/*
 * mirror - making and ending a mirror (mirror.h). What goes to a device is in acquire.c, what comes back in bring.c,
 * and which device it is on in move.c.
 *
 * A vptr__mirror (state.h) is allocated here, and freed by vptr__mirror_destroy(); meanwhile it is its creator's, and
 * in the address index, by which faults find it. vptr__mirror.lock, of rank MIRROR, begins and ends here;
 * vptr__mirror_destroy() and vptr__mirror_get_counts() take it. Mapper, sizes and addresses are set before the index
 * has the mirror, and need none; vptr__mirror_buffer() and vptr__mirror_device_address() are for who has the mirror
 * acquired, or alone knows it. The address index, tombstones.c and mapper/ledger.c take locks of their own, of rank
 * LEAF.
 *
 * Called by cudart/managed/managed.c, which creates and destroys the mirrors of cudaMallocManaged() and of the shared
 * memory of vptr_usm.h; and by all who ask what a mirror is: acquire.c, address_index.c, bring.c, move.c and
 * working_set.c, transfer/endpoint.c, cudart/module/argument.c, managed_pointer.c and reach.c,
 * cudart/pinned/register.c; by mirror/restored.c and cudart/pinned/restored.c, which make mirrors of checkpoints again;
 * and through base/subsystem.h and by its own name by checkpoint/restore.c, which has the table entered. Creation fails
 * without host memory, and works without room on the device: the mirror has no backing buffer then. To destroy one
 * waits for the work that uses it, and for all who have it entered.
 */
#include "mirror/mirror.h"

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/page.h"
#include "base/saved.h"
#include "base/subsystem.h"
#include "mirror/address_index.h"
#include "mirror/fault.h"
#include "mirror/restored.h"
#include "mirror/tombstones.h"
#include "mapper/ledger.h"
#include "mirror/state.h"
#include "mapper/registry.h"

#include <inttypes.h>
#include <string.h>

/* ---- what the mapper calls ------------------------------------------------------------------------------ */

void vptr__mirrors_watch(void) {
  static const vptr__subsystem subsystem = { .depart = vptr__mirrors_depart,
                                             .saved_kinds = 1u << VPTR__SAVED_MANAGED,
                                             .save = vptr__mirrors_save,
                                             .restore = vptr__mirrors_restore,
                                             .undo_restore = vptr__mirrors_undo_restore,
                                             .settle_restore = vptr__mirrors_settle_restore,
                                             .has_saved = vptr__mirror_has_saved,
                                             .reclaim = vptr__resident_set_reclaim,
                                             .list_hosts = vptr__mirrors_look,
                                             .host_serial = vptr__mirrors_serial };
  vptr__subsystem_enter(VPTR__SUBSYSTEM_MIRROR, &subsystem);
}

/* ---- what it is ----------------------------------------------------------------------------------------- */

void *vptr__mirror_host(const vptr__mirror *mirror) {
  return mirror->view.user;
}

void *vptr__mirror_alias(const vptr__mirror *mirror) {
  return mirror->view.alias;
}

size_t vptr__mirror_size(const vptr__mirror *mirror) {
  return mirror->size;
}

cl_mem vptr__mirror_buffer(const vptr__mirror *mirror) {
  return mirror->backing != NULL ? mirror->backing->buffer : NULL;
}

uint64_t vptr__mirror_device_address(const vptr__mirror *mirror) {
  return mirror->backing != NULL ? vptr__backing_address(mirror->backing) : 0;
}

bool vptr__mirror_is_one_address(const vptr__mirror *mirror) {
  return mirror->is_one_address;
}

vptr_mapper *vptr__mirror_mapper(const vptr__mirror *mirror) {
  return mirror->mapper;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

/* What can go to another device has no address of one device. Memory without access may be anybody's: a guard page, a
 * reservation of our own. Only NVIDIA's driver is known to set its buffers' addresses aside in the process. */
static vptr__view_wish wish_for(const vptr__mirror *mirror) {
  const vptr__device *device = mirror->mapper->device;
  if (mirror->backing == NULL || !mirror->backing->residency.stays || device->proxy != NULL)
    return (vptr__view_wish){ 0 };
  uint64_t address = mirror->backing->address;
  return (vptr__view_wish){
    .address = address,
    .may_replace =
        strstr(device->vendor, "NVIDIA") != NULL && vptr__mapper_owning((const void *)(uintptr_t)address) == NULL,
  };
}

static vptr_status have_pages(vptr__mirror *mirror, size_t size, uintptr_t at) {
  const vptr__view_wish wish = at != 0 ? (vptr__view_wish){ .address = at, .is_must = true } : wish_for(mirror);
  vptr_status status = vptr__pages_init(&mirror->pages, size / mirror->page_bytes);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__view_open(&mirror->view, size, wish);
  if (status != VPTR_SUCCESS)
    vptr__pages_fini(&mirror->pages);
  return status;
}

/* On a full device it begins without a backing buffer. Nobody is made to leave for memory that may never be used
 * there. */
static vptr_status have_backing(vptr__mirror *mirror, size_t size) {
  vptr__error_try();
  vptr_status status = vptr__backing_open(mirror->mapper, size, false, &mirror->backing);
  mirror->backings = mirror->backing;
  return vptr__error_tried(status == VPTR_ERROR_OUT_OF_DEVICE_MEMORY ? VPTR_SUCCESS : status);
}

static vptr_status have_memory(vptr__mirror *mirror, size_t size, uintptr_t at) {
  vptr_status status = have_backing(mirror, size);
  if (status != VPTR_SUCCESS)
    return status;
  status = have_pages(mirror, size, at);
  if (status != VPTR_SUCCESS && mirror->backing != NULL)
    vptr__backing_close(mirror->backing);
  return status;
}

/* From now on it may be evicted, if it has a backing buffer. */
static void show_backing(vptr__mirror *mirror) {
  vptr__backing *backing = mirror->backing;
  if (backing != NULL)
    vptr__resident_set_show(&backing->residency, mirror->view.user, mirror->is_one_address);
}

static void hide_backings(vptr__mirror *mirror) {
  vptr__mirror_hold(mirror);
  for (vptr__backing *backing = mirror->backings; backing != NULL; backing = backing->next)
    vptr__resident_set_hide(&backing->residency);
  vptr__lock_give(&mirror->lock);
}

/* The view goes before the buffers do: it may lie over a driver's mapping, which the driver must find unchanged when
 * the buffer is released. */
static void drop_memory(vptr__mirror *mirror) {
  vptr__uses_fini(&mirror->uses);
  for (vptr__backing *backing = mirror->backings; backing != NULL; backing = backing->next)
    vptr__backing_unpin(backing, mirror->view.alias);
  vptr__view_close(&mirror->view);
  vptr__pages_fini(&mirror->pages);
  for (vptr__backing *backing = mirror->backings, *next; backing != NULL; backing = next) {
    next = backing->next;
    vptr__backing_close(backing);
  }
}

/* vptr__fault_watch() comes first: it chooses between userfaultfd and SIGSEGV, and views open and close accordingly. */
static vptr_status build_mirror(vptr__mirror *mirror, size_t size, uintptr_t at) {
  vptr_status status = vptr__fault_watch();
  if (status == VPTR_SUCCESS)
    status = have_memory(mirror, size, at);
  if (status != VPTR_SUCCESS)
    return status;
  mirror->is_one_address =
      vptr__mirror_device_address(mirror) != 0 && vptr__mirror_device_address(mirror) == (uintptr_t)mirror->view.user;
  vptr__pattern_init(&mirror->pattern, mirror->page_bytes);
  vptr__lock_init(&mirror->lock, VPTR__RANK_MIRROR);
  pthread_cond_init(&mirror->settled, NULL);
  status = vptr__address_index_add(mirror);
  if (status == VPTR_SUCCESS) {
    vptr__mirror_moved();
    show_backing(mirror);
    return status;
  }

  pthread_cond_destroy(&mirror->settled);
  vptr__lock_fini(&mirror->lock);
  drop_memory(mirror);
  return status;
}

static void report_birth(const vptr__mirror *mirror) {
  const char *where =
      mirror->is_one_address ? "the device's own address" : "which the device knows by another address";
  if (mirror->backing == NULL)
    where = "which has no room for it now";
  vptr__log(VPTR__LOG_DECISION, "managed memory: %zu bytes at %p on %s, %s", mirror->view.size,
            (void *)mirror->view.user, mirror->mapper->device->name, where);
}

vptr_status vptr__mirror_create(vptr_mapper *mapper, size_t size, vptr__mirror **mirror_out) {
  return vptr__mirror_create_at(mapper, 0, size, mirror_out);
}

vptr_status vptr__mirror_create_at(vptr_mapper *mapper, uintptr_t address, size_t size, vptr__mirror **mirror_out) {
  size_t page = vptr__page_bytes();
  vptr_status status = vptr__registry_check_process();
  if (status != VPTR_SUCCESS)
    return status;
  if (size == 0 || size > SIZE_MAX / 2)
    return vptr__error(VPTR_ERROR_INVALID_SIZE, "managed memory of %zu bytes: ask for 1 to %zu", size, SIZE_MAX / 2);
  vptr__mirror *mirror = vptr__memory_calloc(1, sizeof *mirror);
  if (mirror == NULL)
    return vptr__error_host_memory(sizeof *mirror);
  mirror->mapper = mapper;
  mirror->page_bytes = page;
  mirror->size = size;
  mirror->uses.device = mapper->device;
  vptr__mirrors_watch();
  status = build_mirror(mirror, vptr__align_up(size, page), address);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(mirror);
    return status;
  }
  report_birth(mirror);
  *mirror_out = mirror;
  return VPTR_SUCCESS;
}

static void log_counts(const vptr__mirror *mirror) {
  const vptr__mirror_counts *counts = &mirror->counts;
  vptr__log(VPTR__LOG_DECISION,
            "managed memory at %p: %" PRIu64 " faults; %" PRIu64 " bytes fetched in %" PRIu64 " pieces, %" PRIu64
            " sent in %" PRIu64 "; evicted %" PRIu64 " times, moved %" PRIu64 " times; %s",
            (void *)mirror->view.user, counts->faults, counts->fetched, counts->fetches, counts->sent, counts->sends,
            counts->evictions, counts->moves,
            mirror->backing != NULL && mirror->backing->is_pinned ? "pinned" : "not pinned");
}

/* The backings are hidden first: a thread that needs memory then waits for what is released here, and does not try to
 * evict it. */
void vptr__mirror_destroy(vptr__mirror *mirror) {
  const void *begin = mirror->view.user;
  size_t size = mirror->view.size;
  vptr__ledger_strike(begin);
  hide_backings(mirror);
  vptr__tombstones_add(begin, size);
  vptr__address_index_remove(mirror);
  vptr__mirror_moved();
  log_counts(mirror);
  drop_memory(mirror);
  vptr__tombstones_settle(begin);
  pthread_cond_destroy(&mirror->settled);
  vptr__lock_fini(&mirror->lock);
  vptr__memory_free(mirror);
}

void vptr__mirror_get_counts(vptr__mirror *mirror, vptr__mirror_counts *counts_out) {
  vptr__lock_take(&mirror->lock);
  *counts_out = mirror->counts;
  vptr__lock_give(&mirror->lock);
}

vptr_status vptr__mirror_check_range(const vptr__mirror *mirror, size_t offset, size_t size) {
  if (offset <= mirror->view.size && size <= mirror->view.size - offset)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_OUT_OF_BOUNDS, "%zu bytes at offset %zu of managed memory of %zu bytes", size, offset,
                     mirror->view.size);
}
