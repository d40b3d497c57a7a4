/* SPDX-License-Identifier: MIT */
/*
 * kept - the list of host memory that the program named, and the lock of taking and restoring (kept.h).
 *
 * The static list `first` has a vptr__kept for each name, allocated and freed by vptr_checkpoint_keep(); the memory
 * that it means is the program's. The static `lock`, of rank CHECKPOINT, guards the list, and is held as long as a
 * checkpoint is taken or restored: vptr__kept_first(), _named() and _around() are for who holds it. Called by programs,
 * for vptr_checkpoint_keep(), which waits for a checkpoint that is under way; by checkpoint.c, restore.c and
 * taker.c; and by cudart/pinned/restored.c, for registered memory that is named.
 */
#include "checkpoint/kept.h"

#include <string.h>

#include <vptr/vptr.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_CHECKPOINT);
static vptr__kept *first;

void vptr__kept_begin(void) {
  vptr__lock_take(&lock);
}

void vptr__kept_end(void) {
  vptr__lock_give(&lock);
}

const vptr__kept *vptr__kept_first(void) {
  return first;
}

/* The place of the pointer to it. */
static vptr__kept **place_of(const char *name) {
  vptr__kept **place = &first;
  while (*place != NULL && strcmp((*place)->name, name) != 0)
    place = &(*place)->next;
  return place;
}

const vptr__kept *vptr__kept_named(const char *name) {
  return *place_of(name);
}

const vptr__kept *vptr__kept_around(const void *host, size_t size) {
  const vptr__kept *kept = first;
  while (kept != NULL && ((uintptr_t)host < (uintptr_t)kept->host || size > kept->size ||
                          (uintptr_t)host - (uintptr_t)kept->host > kept->size - size))
    kept = kept->next;
  return kept;
}

static vptr_status check_name(const char *name) {
  if (name == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "vptr_checkpoint_keep: name is NULL");
  size_t length = strlen(name);
  if (length > 0 && length < sizeof first->name)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                     "vptr_checkpoint_keep: the name has %zu bytes, and must have 1 to %zu", length,
                     sizeof first->name - 1);
}

static vptr__kept *new_kept(const char *name, void *host, size_t size) {
  vptr__kept *kept = vptr__memory_calloc(1, sizeof *kept);
  if (kept == NULL)
    return NULL;
  kept->host = host;
  kept->size = size;
  kept->name_length = strlen(name);
  memcpy(kept->name, name, kept->name_length);
  return kept;
}

vptr_status vptr_checkpoint_keep(const char *name, void *host, size_t size) {
  vptr_status status = check_name(name);
  if (status != VPTR_SUCCESS)
    return status;
  if (host != NULL && size == 0)
    return vptr__error(VPTR_ERROR_INVALID_SIZE,
                       "vptr_checkpoint_keep: size is 0; to give the name %s up, pass NULL as "
                       "host",
                       name);
  vptr__kept *kept = host != NULL ? new_kept(name, host, size) : NULL;
  if (host != NULL && kept == NULL)
    return vptr__error_host_memory(sizeof *kept);
  vptr__lock_take(&lock);
  vptr__kept **place = place_of(name), *former = *place;
  if (kept != NULL) {
    kept->next = former != NULL ? former->next : NULL;
    *place = kept;
  } else if (former != NULL) {
    *place = former->next;
  }
  vptr__lock_give(&lock);
  vptr__memory_free(former);
  return VPTR_SUCCESS;
}
