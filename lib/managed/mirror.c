/* SPDX-License-Identifier: MIT */
/* mirror - see mirror.h: life, and lending to the device. What comes back is in bring.c. */
#include "managed/mirror.h"

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "managed/atlas.h"
#include "managed/fault.h"
#include "managed/state.h"
#include "mapper/registry.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LEAST_PINNED = 1 << 20 /* bytes: below, a transfer's beginning is most of its time */ };

/* ---- what never changes --------------------------------------------------------------------------------- */

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
  return mirror->buffer;
}

uint64_t vptr__mirror_device_address(const vptr__mirror *mirror) {
  return mirror->address;
}

bool vptr__mirror_is_one_address(const vptr__mirror *mirror) {
  return mirror->address != 0 && mirror->address == (uintptr_t)mirror->view.user;
}

vptr_mapper *vptr__mirror_mapper(const vptr__mirror *mirror) {
  return mirror->mapper;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

/* 0 where the device has no such thing, or will not tell: the mirror does without. */
static uint64_t ask_address(vptr__device *device, cl_mem buffer) {
  uint64_t address = 0;
  vptr__error_try();
  if (device->ops->buffer_address(device, buffer, &address) != VPTR_SUCCESS)
    address = 0;
  vptr__error_tried(VPTR_SUCCESS);
  return address;
}

/* Memory without access may be anybody's: a guard page, a reservation of our own. Only NVIDIA's driver is known to
 * set its buffers' addresses aside in the process. */
static vptr__view_wish wish_for(const vptr__mirror *mirror) {
  const vptr__device *device = mirror->mapper->device;
  return (vptr__view_wish){
    .address = mirror->address,
    .may_replace = strstr(device->vendor, "NVIDIA") != NULL &&
                   vptr__mapper_owning((const void *)(uintptr_t)mirror->address) == NULL,
  };
}

static vptr_status have_pages(vptr__mirror *mirror, size_t size) {
  vptr_status status = vptr__pages_init(&mirror->pages, size / mirror->page_bytes);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__view_open(&mirror->view, size, wish_for(mirror));
  if (status != VPTR_SUCCESS)
    vptr__pages_fini(&mirror->pages);
  return status;
}

static vptr_status have_memory(vptr__mirror *mirror, size_t size) {
  vptr__device *device = mirror->mapper->device;
  vptr_status status = vptr__link_open(device, &mirror->link);
  if (status != VPTR_SUCCESS)
    return status;
  status = device->ops->buffer_create(device, size, &mirror->buffer);
  if (status != VPTR_SUCCESS)
    goto close_link;
  mirror->address = ask_address(device, mirror->buffer);
  status = have_pages(mirror, size);
  if (status == VPTR_SUCCESS)
    return status;

  device->ops->buffer_release(device, mirror->buffer);
close_link:
  vptr__link_close(mirror->link);
  return status;
}

static void unpin(vptr__mirror *mirror) {
  vptr__device *device = mirror->mapper->device;
  if (mirror->is_pinned)
    device->ops->unpin_host(device, mirror->pin, mirror->view.alias);
}

/* The view goes before the buffer does: its place may be the driver's, who must find it as it was. */
static void drop_memory(vptr__mirror *mirror) {
  vptr__device *device = mirror->mapper->device;
  vptr__uses_fini(&mirror->uses);
  unpin(mirror);
  vptr__view_close(&mirror->view);
  vptr__pages_fini(&mirror->pages);
  device->ops->buffer_release(device, mirror->buffer);
  vptr__link_close(mirror->link);
}

static vptr_status build(vptr__mirror *mirror, size_t size) {
  vptr_status status = have_memory(mirror, size);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__pattern_init(&mirror->pattern, mirror->page_bytes);
  vptr__lock_init(&mirror->lock, VPTR__RANK_MIRROR);
  pthread_cond_init(&mirror->settled, NULL);
  status = vptr__fault_watch();
  if (status == VPTR_SUCCESS)
    status = vptr__atlas_add(mirror);
  if (status == VPTR_SUCCESS)
    return status;

  pthread_cond_destroy(&mirror->settled);
  vptr__lock_fini(&mirror->lock);
  drop_memory(mirror);
  return status;
}

vptr_status vptr__mirror_create(vptr_mapper *mapper, size_t size, vptr__mirror **mirror_out) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  vptr_status status = vptr__registry_check_process();
  if (status != VPTR_SUCCESS)
    return status;
  if (size == 0 || size > SIZE_MAX / 2)
    return vptr__error(VPTR_ERROR_SIZE, "managed memory of %zu bytes: ask for 1 to %zu", size, SIZE_MAX / 2);
  vptr__mirror *mirror = vptr__memory_calloc(1, sizeof *mirror);
  if (mirror == NULL)
    return vptr__error_host_memory(sizeof *mirror);
  mirror->mapper = mapper;
  mirror->page_bytes = page;
  mirror->size = size;
  mirror->uses.device = mapper->device;
  status = build(mirror, (size + page - 1) / page * page);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(mirror);
    return status;
  }
  vptr__log(VPTR__LOG_DECISION, "managed memory: %zu bytes at %p on %s, %s", mirror->view.size,
            vptr__mirror_host(mirror), mapper->device->name,
            vptr__mirror_is_one_address(mirror) ? "the device's own address"
                                                : "which the device knows by another address");
  *mirror_out = mirror;
  return VPTR_SUCCESS;
}

static void tell(const vptr__mirror *mirror) {
  const vptr__mirror_counts *counts = &mirror->counts;
  vptr__log(VPTR__LOG_DECISION,
            "managed memory at %p: %" PRIu64 " faults; %" PRIu64 " bytes fetched in %" PRIu64 " pieces, %" PRIu64
            " sent in %" PRIu64 "; %s",
            (void *)mirror->view.user, counts->faults, counts->fetched, counts->fetches, counts->sent, counts->sends,
            mirror->is_pinned ? "pinned" : "not pinned");
}

void vptr__mirror_destroy(vptr__mirror *mirror) {
  vptr__atlas_remove(mirror);
  tell(mirror);
  drop_memory(mirror);
  pthread_cond_destroy(&mirror->settled);
  vptr__lock_fini(&mirror->lock);
  vptr__memory_free(mirror);
}

void vptr__mirror_get_counts(vptr__mirror *mirror, vptr__mirror_counts *counts_out) {
  vptr__lock_take(&mirror->lock);
  *counts_out = mirror->counts;
  vptr__lock_give(&mirror->lock);
}

/* ---- lending -------------------------------------------------------------------------------------------- */

static bool is_dirty(const vptr__mirror *mirror) {
  return mirror->pages.in[VPTR__PAGE_HOST] > 0;
}

/* All at once, which joins what was protected in pieces, and so cannot run out of mappings. */
static vptr_status close_all(vptr__mirror *mirror) {
  vptr_status status = vptr__mirror_protect(mirror, vptr__pages_all(&mirror->pages), PROT_NONE);
  if (status != VPTR_SUCCESS)
    return vptr__error(status, "the host's access to managed memory at %p could not be taken back: %s",
                       (void *)mirror->view.user, strerror(errno));
  return status;
}

/* The host may read what it wrote, and no more. Closing all of it is as good: faults open it again. */
static vptr_status close_to_writes(vptr__mirror *mirror) {
  vptr__run run, rest = vptr__pages_all(&mirror->pages);
  for (; vptr__pages_find(&mirror->pages, rest, VPTR__PAGE_HOST, &run); rest.first = run.end)
    if (vptr__mirror_protect(mirror, run, PROT_READ) != VPTR_SUCCESS)
      return close_all(mirror);
  return VPTR_SUCCESS;
}

/* Whether the bytes that have travelled, and those that are about to, pay for pinning. */
static bool pays_to_pin(const vptr__mirror *mirror) {
  uint64_t dirty = mirror->pages.in[VPTR__PAGE_HOST] * mirror->page_bytes;
  return !mirror->pin_was_tried && mirror->view.size >= LEAST_PINNED &&
         mirror->counts.fetched + mirror->counts.sent + dirty >= mirror->view.size;
}

/* Here, since nobody may write while a driver pins, and the view is closed to writes now. */
static void pin(vptr__mirror *mirror) {
  vptr__device *device = mirror->mapper->device;
  mirror->pin_was_tried = true;
  vptr__error_try();
  mirror->is_pinned =
      device->ops->pin_host(device, mirror->view.alias, mirror->view.size, &mirror->pin) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
}

/* Earlier work may be reading what these bytes replace, so it has to end first. */
static vptr_status send_dirty(vptr__mirror *mirror) {
  vptr__uses_wait(&mirror->uses);
  if (pays_to_pin(mirror))
    pin(mirror);
  vptr__haul haul = vptr__haul_begin(mirror->link, mirror->buffer);
  vptr__run run, rest = vptr__pages_all(&mirror->pages);
  for (; vptr__pages_find(&mirror->pages, rest, VPTR__PAGE_HOST, &run); rest.first = run.end) {
    size_t at = vptr__mirror_at(mirror, run.first), size = vptr__mirror_bytes(mirror, run);
    vptr__haul_send(&haul, at, mirror->view.alias + at, size);
    mirror->counts.sends++;
    mirror->counts.sent += size;
  }
  return vptr__haul_end(&haul);
}

/* The view as the states say, after a step that failed. */
static void reopen(vptr__mirror *mirror, vptr__page state, int protection) {
  vptr__run run, rest = vptr__pages_all(&mirror->pages);
  for (; vptr__pages_find(&mirror->pages, rest, state, &run); rest.first = run.end)
    vptr__mirror_protect(mirror, run, protection);
}

static vptr_status undo(vptr__mirror *mirror, vptr_status status) {
  reopen(mirror, VPTR__PAGE_BOTH, PROT_READ);
  reopen(mirror, VPTR__PAGE_HOST, PROT_READ | PROT_WRITE);
  return status;
}

static void mark_sent(vptr__mirror *mirror) {
  vptr__run run, rest = vptr__pages_all(&mirror->pages);
  for (; vptr__pages_find(&mirror->pages, rest, VPTR__PAGE_HOST, &run); rest.first = run.end)
    vptr__pages_set(&mirror->pages, run, VPTR__PAGE_BOTH);
}

static vptr_status lend_to_read(vptr__mirror *mirror) {
  if (!is_dirty(mirror))
    return VPTR_SUCCESS;
  vptr_status status = close_to_writes(mirror);
  if (status == VPTR_SUCCESS)
    status = send_dirty(mirror);
  if (status != VPTR_SUCCESS)
    return undo(mirror, status);
  mark_sent(mirror);
  return VPTR_SUCCESS;
}

static vptr_status lend_to_write(vptr__mirror *mirror, bool discards) {
  if (mirror->pages.in[VPTR__PAGE_DEVICE] == mirror->pages.count)
    return VPTR_SUCCESS;
  vptr_status status = close_all(mirror);
  if (status == VPTR_SUCCESS && is_dirty(mirror) && !discards)
    status = send_dirty(mirror);
  if (status != VPTR_SUCCESS)
    return undo(mirror, status);
  vptr__pages_set(&mirror->pages, vptr__pages_all(&mirror->pages), VPTR__PAGE_DEVICE);
  return VPTR_SUCCESS;
}

/* Room for the uses of all that are between lend() and lent(), so that the latter cannot fail. While there are
 * such, nothing becomes dirty (bring.c), so nobody waits here for a use that is not noted yet. */
vptr_status vptr__mirror_lend(vptr__mirror *mirror, vptr_mapper *mapper, size_t offset, size_t size,
                              vptr_access access, vptr__loan *loan_out) {
  (void)mapper, (void)offset, (void)size;
  vptr__lock_take(&mirror->lock);
  vptr_status status = vptr__uses_reserve(&mirror->uses, mirror->loans + 1);
  if (status == VPTR_SUCCESS)
    status =
        vptr__access_writes(access) ? lend_to_write(mirror, vptr__access_discards(access)) : lend_to_read(mirror);
  if (status == VPTR_SUCCESS) {
    vptr__pattern_break(&mirror->pattern);
    mirror->loans++;
    if (loan_out != NULL)
      *loan_out = (vptr__loan){ mirror->buffer, mirror->address };
  }
  vptr__lock_give(&mirror->lock);
  return status;
}

void vptr__mirror_lent(vptr__mirror *mirror, uint64_t stream, cl_event event) {
  vptr__lock_take(&mirror->lock);
  if (event != NULL)
    vptr__uses_note(&mirror->uses, stream, event);
  if (--mirror->loans == 0)
    pthread_cond_broadcast(&mirror->settled);
  vptr__lock_give(&mirror->lock);
}
