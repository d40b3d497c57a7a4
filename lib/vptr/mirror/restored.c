/* SPDX-License-Identifier: MIT */
/*
 * restored - telling a checkpoint of a mapper's mirrors, and making them again (restored.h).
 *
 * The static `restoring` is the mapper that vptr_restore() makes mirrors for now, if any; the lock of
 * checkpoint/kept.c, of rank CHECKPOINT, which all callers hold, guards it. Mirrors are found by the address index,
 * whose lock, of rank LEAF, is taken for moments. Called by mirror.c, which enters the functions, and through
 * base/subsystem.h by checkpoint/checkpoint.c, taker.c and restore.c, who copies the bytes. Nothing waits here but for
 * a mirror that is made or destroyed.
 */
#include "mirror/restored.h"

#include "base/error.h"
#include "base/page.h"
#include "mapper/ledger.h"
#include "mirror/address_index.h"
#include "mirror/state.h"

static const vptr_mapper *restoring;

static vptr_status save_mirror(const vptr__mirror *mirror, vptr__saved_list *list) {
  const vptr__saved item = {
    .kind = VPTR__SAVED_MANAGED, .address = (uintptr_t)mirror->view.user, .size = mirror->size, .bytes = mirror->size
  };
  return vptr__saved_add(list, &item, "", NULL, 0);
}

vptr_status vptr__mirrors_save(vptr_mapper *mapper, vptr__saved_list *list) {
  vptr_status status = VPTR_SUCCESS;
  vptr__mirror *mirror = vptr__address_index_enter_next(NULL);
  while (mirror != NULL) {
    const unsigned char *host = mirror->view.user;
    if (mirror->mapper == mapper && status == VPTR_SUCCESS)
      status = save_mirror(mirror, list);
    vptr__address_index_leave(mirror);
    mirror = vptr__address_index_enter_next(host + 1);
  }
  return status;
}

bool vptr__mirror_has_saved(const vptr__saved *item) {
  return vptr__address_index_has((const void *)(uintptr_t)item->address);
}

/* ---- restoring ------------------------------------------------------------------------------------------- */

static vptr_status check_none(const vptr_mapper *mapper) {
  vptr_status status = VPTR_SUCCESS;
  vptr__mirror *mirror = vptr__address_index_enter_next(NULL);
  while (mirror != NULL) {
    const unsigned char *host = mirror->view.user;
    if (mirror->mapper == mapper && status == VPTR_SUCCESS)
      status =
          vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                      "vptr_restore: managed memory of %zu bytes at %p is live; restore before any is allocated, "
                      "or free it",
                      mirror->size, (const void *)host);
    vptr__address_index_leave(mirror);
    mirror = vptr__address_index_enter_next(host + 1);
  }
  return status;
}

static vptr_status restore_mirror(vptr_mapper *mapper, const vptr__saved *item) {
  vptr__mirror *mirror;
  if (item->size != item->bytes || item->address % vptr__page_bytes() != 0)
    return vptr__error(VPTR_ERROR_FILE,
                       "vptr_restore: managed memory at %#llx of %llu bytes is none that there can be",
                       (unsigned long long)item->address, (unsigned long long)item->size);
  vptr_status status = vptr__mirror_create_at(mapper, item->address, item->size, &mirror);
  if (status == VPTR_SUCCESS)
    vptr__ledger_enter(VPTR__LEDGER_MANAGED, mapper, vptr__mirror_host(mirror), item->size, NULL);
  return status;
}

vptr_status vptr__mirrors_restore(vptr_mapper *mapper, const vptr__saved_list *list) {
  const size_t first = vptr__saved_first_stored(list);
  vptr_status status = VPTR_SUCCESS;
  for (size_t i = first; i < list->count && status == VPTR_SUCCESS; i++) {
    if (list->items[i].kind != VPTR__SAVED_MANAGED)
      continue;
    if (restoring == NULL)
      status = check_none(mapper);
    if (status == VPTR_SUCCESS) {
      restoring = mapper;
      status = restore_mirror(mapper, &list->items[i]);
    }
  }
  return status;
}

void vptr__mirrors_undo_restore(vptr_mapper *mapper) {
  vptr__mirror *mirror;
  while (restoring == mapper && (mirror = vptr__address_index_take_any(mapper)) != NULL)
    vptr__mirror_destroy(mirror);
  restoring = NULL;
}

void vptr__mirrors_settle_restore(vptr_mapper *mapper) {
  (void)mapper;
  restoring = NULL;
}
