/* SPDX-License-Identifier: MIT */
/*
 * restored - telling a checkpoint of pinned memory, and making it again at its addresses (restored.h).
 *
 * The static `made` has how many items of a list vptr_restore() has made so far, so that they can be undone; the lock
 * of checkpoint/kept.c, of rank CHECKPOINT, which all callers hold, guards it, and the list is restore.c's. Regions are
 * the registry's, whose lock, of rank HEAP, is taken to enter them; device addresses are alias.c's, with a lock of rank
 * MAPPING; what the program is given is entered in the ledger, under its lock of rank LEAF. Called by pinned.c, which
 * enters the functions, and through base/subsystem.h by checkpoint/checkpoint.c, taker.c and restore.c, who copies the
 * bytes. It blocks while the driver pins and unpins.
 */
#include "pinned/restored.h"

#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/page.h"
#include "checkpoint/kept.h"
#include "mapper/ledger.h"
#include "mapper/managed_mode.h"
#include "mirror/address_index.h"
#include "mirror/mirror.h"
#include "pinned/alias.h"
#include "pinned/chunk.h"
#include "pinned/depot.h"
#include "pinned/pinned.h"

typedef unsigned long long ull;

/* ---- saving ---------------------------------------------------------------------------------------------- */

static vptr_status save_one(vptr__saved_list *list, const void *host, vptr__saved_pinned_kind kind) {
  const vptr__pinned_place place = vptr__pinned_find(host);
  if (place.kind != VPTR__PINNED_OURS || place.base != host || !place.has_device_address)
    return VPTR_SUCCESS;
  vptr__saved_pinned is = { .flags = place.flags, .kind = kind };
  if (!vptr__alias_find(host, &is.device, &is.serial))
    is.device = is.serial = 0;
  const vptr__saved item = { .kind = VPTR__SAVED_PINNED,
                             .address = (uintptr_t)host,
                             .size = place.size,
                             .serial = is.serial,
                             .bytes = place.size };
  const char *name = (place.flags & VPTR__PINNED_IS_MANAGED) != 0 ? "managed" : "";
  return vptr__saved_add(list, &item, name, &is, sizeof is);
}

static vptr_status save_blocks(vptr__saved_list *list, const vptr__region *chunk) {
  const uintptr_t base = atomic_load(&chunk->base);
  const size_t bytes = atomic_load(&chunk->bytes);
  vptr_status status = VPTR_SUCCESS;
  uint32_t word;
  for (size_t offset = 0; offset < bytes && status == VPTR_SUCCESS; offset += VPTR__BLOCK_STEP)
    if (vptr__blocks_get(&chunk->blocks, offset / VPTR__BLOCK_STEP, &word) && (word & VPTR__BLOCK_SHARED) != 0)
      status = save_one(list, (const void *)(base + offset), VPTR__SAVED_PINNED_BLOCK);
  return status;
}

/* Whose device address can be told: who takes the checkpoint refuses the others. */
static vptr_status save_registered(vptr__saved_list *list, const void *host) {
  const vptr__pinned_place place = vptr__pinned_find(host);
  vptr__saved_pinned is = { .flags = place.flags, .kind = VPTR__SAVED_PINNED_REGISTERED };
  const vptr__kept *kept = vptr__kept_around(host, place.size);
  if (place.kind != VPTR__PINNED_REGISTERED || kept == NULL || !vptr__alias_find(host, &is.device, &is.serial))
    return VPTR_SUCCESS;
  is.offset = (uintptr_t)host - (uintptr_t)kept->host;
  const vptr__saved item = {
    .kind = VPTR__SAVED_PINNED, .address = (uintptr_t)host, .size = place.size, .serial = is.serial
  };
  return vptr__saved_add(list, &item, kept->name, &is, sizeof is);
}

static vptr_status save_region(vptr__saved_list *list, const vptr__region *region) {
  switch (atomic_load(&region->kind)) {
  case VPTR__REGION_BLOCKS:
    return save_blocks(list, region);
  case VPTR__REGION_WHOLE:
    return save_one(list, (const void *)atomic_load(&region->base), VPTR__SAVED_PINNED_WHOLE);
  case VPTR__REGION_REGISTERED:
    return save_registered(list, (const void *)atomic_load(&region->base));
  default:
    return VPTR_SUCCESS;
  }
}

vptr_status vptr__pinned_save(vptr_mapper *mapper, vptr__saved_list *list) {
  vptr_status status = VPTR_SUCCESS;
  for (const vptr__region *region = vptr__region_latest(); region != NULL && status == VPTR_SUCCESS;
       region = region->older)
    if (atomic_load(&region->mapper) == mapper)
      status = save_region(list, region);
  return status;
}

bool vptr__pinned_has_saved(const vptr__saved *item) {
  const vptr__pinned_place place = vptr__pinned_find((const void *)(uintptr_t)item->address);
  return place.kind == VPTR__PINNED_OURS && (uintptr_t)place.base == item->address && place.size == item->size;
}

/* ---- what a file says ------------------------------------------------------------------------------------ */

static struct {
  const vptr__saved_list *list;
  size_t end; /* items of it before this one, of our kind, are there */
} made;

static bool is_ours(const vptr__saved *item) {
  return item->kind == VPTR__SAVED_PINNED;
}

static const vptr__saved_pinned *detail_of(const vptr__saved_list *list, const vptr__saved *item) {
  return vptr__saved_detail(list, item);
}

static bool is_block(const vptr__saved_list *list, const vptr__saved *item) {
  return detail_of(list, item)->kind == VPTR__SAVED_PINNED_BLOCK;
}

static bool is_registered(const vptr__saved_list *list, const vptr__saved *item) {
  return detail_of(list, item)->kind == VPTR__SAVED_PINNED_REGISTERED;
}

static bool is_managed(const vptr__saved_list *list, const vptr__saved *item) {
  return (detail_of(list, item)->flags & VPTR__PINNED_IS_MANAGED) != 0;
}

/* The device of this process keeps managed memory by page faults. */
static bool is_for_mirror(const vptr_mapper *mapper, const vptr__saved_list *list, const vptr__saved *item) {
  return is_managed(list, item) && vptr__managed_mode_of(mapper) == VPTR__MANAGED_FAULTS;
}

static bool is_placed(const vptr__saved_list *list, const vptr__saved *item) {
  switch (detail_of(list, item)->kind) {
  case VPTR__SAVED_PINNED_WHOLE:
    return item->size == item->bytes && item->address % vptr__page_bytes() == 0;
  case VPTR__SAVED_PINNED_BLOCK:
    return item->size == item->bytes && item->address % VPTR__BLOCK_STEP == 0 && item->size < VPTR__BLOCK_LIMIT;
  case VPTR__SAVED_PINNED_REGISTERED:
    return item->bytes == 0;
  default:
    return false;
  }
}

static vptr_status check_item(const vptr__saved_list *list, const vptr__saved *item) {
  if (item->detail_bytes == sizeof(vptr__saved_pinned) && item->size > 0 && item->size < UINTPTR_MAX / 2 &&
      detail_of(list, item)->flags <= VPTR__PINNED_FLAGS && is_placed(list, item))
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_FILE, "vptr_restore: pinned memory at %#llx of %llu bytes is none that there can be",
                     (ull)item->address, (ull)item->size);
}

static vptr_status check_all(const vptr__saved_list *list, size_t *count_out) {
  vptr_status status = VPTR_SUCCESS;
  *count_out = 0;
  for (size_t i = 0; i < list->count && status == VPTR_SUCCESS; i++)
    if (is_ours(&list->items[i])) {
      status = check_item(list, &list->items[i]);
      ++*count_out;
    }
  return status;
}

/* ---- restoring ------------------------------------------------------------------------------------------- */

static void enter_in_ledger(vptr_mapper *mapper, const vptr__saved_list *list, const vptr__saved *item) {
  const vptr__ledger_kind kind = is_managed(list, item) ? VPTR__LEDGER_MANAGED : VPTR__LEDGER_PINNED;
  if (vptr__ledger_wanted())
    vptr__ledger_enter(kind, mapper, (const void *)(uintptr_t)item->address, item->size, NULL);
}

/* The memory is there, and gets its device address. That of managed memory no program knows. */
static vptr_status finish_item(vptr_mapper *mapper, const vptr__saved_list *list, const vptr__saved *item) {
  const vptr__saved_pinned *is = detail_of(list, item);
  const bool is_anywhere = is_managed(list, item) && mapper->device->reaches_pinned;
  enter_in_ledger(mapper, list, item);
  return vptr__alias_restore((const void *)(uintptr_t)item->address, is_anywhere ? 0 : is->device, is->serial);
}

static vptr_status restore_as_mirror(vptr_mapper *mapper, const vptr__saved_list *list, size_t index) {
  const vptr__saved *item = &list->items[index];
  vptr__mirror *mirror;
  if (item->address % vptr__page_bytes() != 0)
    return vptr__error(
        VPTR_ERROR_UNSUPPORTED,
        "vptr_restore: managed memory of %llu bytes at %#llx begins within a page, and %s keeps managed "
        "memory by page faults: restore it on a device that has it in place, or with VPTR_MANAGED=place",
        (ull)item->size, (ull)item->address, mapper->device->name);
  vptr_status status = vptr__mirror_create_at(mapper, item->address, item->size, &mirror);
  if (status != VPTR_SUCCESS)
    return status;
  made.end = index + 1;
  enter_in_ledger(mapper, list, item);
  return VPTR_SUCCESS;
}

static vptr_status restore_whole(vptr_mapper *mapper, const vptr__saved_list *list, size_t index) {
  const vptr__saved *item = &list->items[index];
  vptr__region *region;
  vptr__region_plan plan = { .kind = VPTR__REGION_WHOLE,
                             .mapper = mapper,
                             .base = (void *)(uintptr_t)item->address,
                             .bytes = vptr__align_up(item->size, vptr__page_bytes()),
                             .size = item->size,
                             .flags = detail_of(list, item)->flags };
  vptr_status status = vptr__chunk_create(&plan, &region);
  if (status != VPTR_SUCCESS)
    return status;
  made.end = index + 1;
  return finish_item(mapper, list, item);
}

/* Where it is in this process: its names have been compared by restore.c; NULL: there is no such memory. */
static void *registered_at(const vptr__saved_list *list, const vptr__saved *item) {
  const vptr__saved_pinned *is = detail_of(list, item);
  const vptr__kept *kept = vptr__kept_named(vptr__saved_name(list, item));
  const bool has_all = kept != NULL && is->offset <= kept->size && item->size <= kept->size - is->offset;
  return has_all ? (unsigned char *)kept->host + is->offset : NULL;
}

static vptr_status restore_registered(vptr_mapper *mapper, const vptr__saved_list *list, size_t index) {
  const vptr__saved *item = &list->items[index];
  const vptr__saved_pinned *is = detail_of(list, item);
  void *host = registered_at(list, item);
  if (host == NULL)
    return vptr__error(VPTR_ERROR_FILE, "vptr_restore: registered memory of %llu bytes does not lie in \"%s\"",
                       (ull)item->size, vptr__saved_name(list, item));
  vptr_status status = vptr__pinned_register(mapper, host, item->size, is->flags);
  if (status != VPTR_SUCCESS)
    return status;
  made.end = index + 1;
  return vptr__alias_restore(host, is->device, is->serial);
}

static uintptr_t end_of_pages(const vptr__saved *item) {
  return vptr__align_up(item->address + item->size, vptr__page_bytes());
}

/* Blocks from this item on that lie on the same pages, or on those behind them. */
static size_t end_of_run(const vptr_mapper *mapper, const vptr__saved_list *list, size_t first) {
  size_t next = first + 1;
  while (next < list->count && is_ours(&list->items[next]) && is_block(list, &list->items[next]) &&
         !is_for_mirror(mapper, list, &list->items[next]) &&
         vptr__page_begin(list->items[next].address) <= end_of_pages(&list->items[next - 1]))
    next++;
  return next;
}

static bool has_live_block(const vptr__region *region) {
  const size_t slots = atomic_load(&region->bytes) / VPTR__BLOCK_STEP;
  bool has = false;
  uint32_t word;
  for (size_t slot = 0; slot < slots && !has; slot++)
    has = vptr__blocks_get(&region->blocks, slot, &word);
  return has;
}

/* Pages that a restore made which was undone, or whose blocks have been freed. */
static bool can_serve(const vptr__region *region, vptr_mapper *mapper, uintptr_t base, size_t bytes) {
  return region != NULL && atomic_load(&region->kind) == VPTR__REGION_BLOCKS && region->is_restored &&
         atomic_load(&region->mapper) == mapper && !has_live_block(region) &&
         atomic_load(&region->base) + atomic_load(&region->bytes) - base >= bytes;
}

static vptr_status have_pages(vptr_mapper *mapper, uintptr_t base, size_t bytes, vptr__region **region_out) {
  vptr__region_plan plan = {
    .kind = VPTR__REGION_BLOCKS, .mapper = mapper, .base = (void *)base, .bytes = bytes, .is_restored = true
  };
  vptr__region *there = vptr__region_of((const void *)base);
  if (!can_serve(there, mapper, base, bytes))
    return vptr__chunk_create(&plan, region_out);
  memset((void *)base, 0, bytes);
  *region_out = there;
  return VPTR_SUCCESS;
}

static vptr_status restore_blocks(vptr_mapper *mapper, const vptr__saved_list *list, size_t first, size_t end) {
  const uintptr_t base = vptr__page_begin(list->items[first].address);
  vptr__region *region = NULL;
  vptr_status status = have_pages(mapper, base, end_of_pages(&list->items[end - 1]) - base, &region);
  for (size_t i = first; i < end && status == VPTR_SUCCESS; i++) {
    const vptr__saved *item = &list->items[i];
    vptr__blocks_issue(&region->blocks, (item->address - atomic_load(&region->base)) / VPTR__BLOCK_STEP, item->size,
                       detail_of(list, item)->flags);
    made.end = i + 1;
    status = finish_item(mapper, list, item);
  }
  return status;
}

static vptr_status restore_all(vptr_mapper *mapper, const vptr__saved_list *list) {
  vptr_status status = VPTR_SUCCESS;
  for (size_t i = 0, next; i < list->count && status == VPTR_SUCCESS; i = next) {
    next = i + 1;
    if (!is_ours(&list->items[i]))
      continue;
    if (is_registered(list, &list->items[i])) {
      status = restore_registered(mapper, list, i);
    } else if (is_for_mirror(mapper, list, &list->items[i])) {
      status = restore_as_mirror(mapper, list, i);
    } else if (is_block(list, &list->items[i])) {
      next = end_of_run(mapper, list, i);
      status = restore_blocks(mapper, list, i, next);
    } else {
      status = restore_whole(mapper, list, i);
    }
  }
  return status;
}

/* What is idle may lie where something was. */
vptr_status vptr__pinned_restore(vptr_mapper *mapper, const vptr__saved_list *list) {
  vptr__depot *depot;
  size_t count;
  made.list = list;
  made.end = 0;
  vptr_status status = check_all(list, &count);
  if (status != VPTR_SUCCESS || count == 0)
    return status;
  status = vptr__depot_of(mapper, &depot);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__depot_trim(depot, 0);
  return restore_all(mapper, list);
}

/* ---- undoing --------------------------------------------------------------------------------------------- */

static void undo_whole(vptr__region *region, void *host) {
  vptr__alias_drop(host);
  atomic_store(&region->size, 0);
  vptr__chunk_destroy(region);
}

/* The pages stay, as those of every chunk do, for the next try. */
static void undo_block(vptr__region *region, void *host) {
  if (vptr__blocks_end(&region->blocks, ((uintptr_t)host - atomic_load(&region->base)) / VPTR__BLOCK_STEP))
    vptr__alias_drop(host);
}

static void undo_item(const vptr__saved *item) {
  if (is_registered(made.list, item)) {
    (void)vptr__pinned_unregister(registered_at(made.list, item));
    return;
  }
  void *host = (void *)(uintptr_t)item->address;
  vptr__region *region = vptr__region_of(host);
  if (vptr__ledger_wanted())
    (void)vptr__ledger_strike(host);
  if (region == NULL)
    vptr__mirror_destroy(vptr__address_index_take(host));
  else if (is_block(made.list, item))
    undo_block(region, host);
  else
    undo_whole(region, host);
}

void vptr__pinned_undo_restore(vptr_mapper *mapper) {
  (void)mapper;
  for (size_t i = 0; i < made.end; i++)
    if (is_ours(&made.list->items[i]))
      undo_item(&made.list->items[i]);
  made.end = 0;
  made.list = NULL;
}

void vptr__pinned_settle_restore(vptr_mapper *mapper) {
  (void)mapper;
  made.end = 0;
  made.list = NULL;
}
