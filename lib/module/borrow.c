/* SPDX-License-Identifier: MIT */
/*
 * borrow - managed memory that a launch uses.
 *
 * Where it is kept in step by page faults (managed/mirror.h), a pointer into it means nothing to a kernel until it is
 * lent: only then is it sure where on the device the bytes are. So preparing a launch notes which pointers are such, and
 * they are filled in when the launch is about to be sent:
 *
 *     vptr__borrow_note()     this pointer, at this place of the block, lies there in that mirror     prepare.c
 *     vptr__borrow_note_all() every mirror that there is: the kernel follows pointers
 *     vptr__borrow_all()      lends each mirror once, and fills the pointers in                       launch.c, before begin
 *     vptr__borrow_return()   the kernel is in the queue, or is not                                   launch.c, before end
 *     vptr__borrow_clear()    the mirrors may go                                                      prepare.c
 *
 * A kernel may reach all of a mirror from any pointer into it, so all of it is lent. Between lending and giving back this
 * thread touches no managed memory: arguments were copied before. No state, no locks of its own.
 */
#include "module/state.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* ---- noting --------------------------------------------------------------------------------------------- */

static bool grow(vptr__preparation *it) {
  vptr__borrowed *grown = vptr__memory_calloc(2 * (size_t)it->borrowed_room, sizeof *grown);
  if (grown == NULL)
    return false;
  memcpy(grown, it->borrowed, it->borrowed_count * sizeof *grown);
  if (it->borrowed != it->some_borrowed)
    vptr__memory_free(it->borrowed);
  it->borrowed = grown;
  it->borrowed_room *= 2;
  return true;
}

/* In rising order of the mirrors' addresses, which is the order they want to be lent in. */
static void insert(vptr__preparation *it, const vptr__borrowed *noted) {
  uint32_t at = it->borrowed_count++;
  for (; at > 0 && vptr__mirror_host(it->borrowed[at - 1].mirror) > vptr__mirror_host(noted->mirror); at--)
    it->borrowed[at] = it->borrowed[at - 1];
  it->borrowed[at] = *noted;
}

vptr_status vptr__borrow_note(vptr__preparation *it, const vptr__borrowed *noted) {
  if (it->borrowed_count == it->borrowed_room && !grow(it)) {
    vptr__atlas_leave(noted->mirror);
    return vptr__error_host_memory(2 * it->borrowed_room * sizeof *noted);
  }
  insert(it, noted);
  return VPTR_SUCCESS;
}

vptr_status vptr__borrow_note_all(vptr__preparation *it) {
  const void *from = NULL;
  vptr_status status = VPTR_SUCCESS;
  for (vptr__mirror *mirror; status == VPTR_SUCCESS && (mirror = vptr__atlas_enter_next(from)) != NULL;) {
    from = (const char *)vptr__mirror_host(mirror) + 1;
    status = vptr__borrow_note(it, &(vptr__borrowed){ .mirror = mirror, .access = VPTR_ACCESS_READ_WRITE });
  }
  return status;
}

void vptr__borrow_clear(vptr__preparation *it) {
  for (uint32_t i = 0; i < it->borrowed_count; i++)
    vptr__atlas_leave(it->borrowed[i].mirror);
  if (it->borrowed != it->some_borrowed)
    vptr__memory_free(it->borrowed);
}

/* ---- lending -------------------------------------------------------------------------------------------- */

/* Behind the last pointer into the same mirror as the first. */
static uint32_t behind(const vptr__preparation *it, uint32_t first) {
  uint32_t end = first + 1;
  while (end < it->borrowed_count && it->borrowed[end].mirror == it->borrowed[first].mirror)
    end++;
  return end;
}

static vptr_access joined_access(const vptr__preparation *it, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++)
    if (it->borrowed[i].access != it->borrowed[first].access)
      return VPTR_ACCESS_READ_WRITE;
  return it->borrowed[first].access;
}

static void fill_in(const vptr__preparation *it, const vptr__borrowed *borrowed, const vptr__loan *loan) {
  uint64_t address = loan->address + borrowed->offset;
  if (borrowed->at != NULL)
    memcpy(borrowed->at, &address, sizeof address);
  if (borrowed->meaning == NULL)
    return;
  if (it->kernel->program->has_addresses)
    *borrowed->meaning = (vptr__pointer_meaning){ .address = address };
  else
    *borrowed->meaning = (vptr__pointer_meaning){ .buffer = loan->buffer, .offset = borrowed->offset };
}

static vptr_status refuse_unaddressed(const vptr__preparation *it, const vptr__mirror *mirror) {
  return vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: %s does not tell where the managed memory at %p is",
                     it->launch->what, it->kernel->mapper->device->name, vptr__mirror_host(mirror));
}

static vptr_status lend(const vptr__preparation *it, uint32_t first, uint32_t end) {
  vptr__mirror *mirror = it->borrowed[first].mirror;
  vptr__loan loan;
  vptr_status status = vptr__mirror_lend(mirror, it->kernel->mapper, 0, vptr__mirror_size(mirror),
                                         joined_access(it, first, end), &loan);
  if (status != VPTR_SUCCESS)
    return status;
  if (it->kernel->program->has_addresses && loan.address == 0) {
    vptr__mirror_lent(mirror, 0, NULL);
    return refuse_unaddressed(it, mirror);
  }
  for (uint32_t i = first; i < end; i++)
    fill_in(it, &it->borrowed[i], &loan);
  return VPTR_SUCCESS;
}

static void give_back(const vptr__preparation *it, uint32_t end, uint64_t stream, cl_event event) {
  for (uint32_t i = 0; i < end; i = behind(it, i))
    vptr__mirror_lent(it->borrowed[i].mirror, stream, event);
}

static vptr_status lend_all(const vptr__preparation *it) {
  vptr_status status = VPTR_SUCCESS;
  for (uint32_t i = 0, end; i < it->borrowed_count; i = end) {
    end = behind(it, i);
    status = lend(it, i, end);
    if (status != VPTR_SUCCESS) {
      give_back(it, i, 0, NULL);
      return status;
    }
  }
  return status;
}

/* Who has loans does not wait for room, but begins again. */
vptr_status vptr__borrow_all(const vptr__preparation *it) {
  vptr_status status = VPTR_ERROR_BUSY;
  while (status == VPTR_ERROR_BUSY)
    status = lend_all(it);
  return status;
}

void vptr__borrow_return(vptr__preparation *it, uint64_t stream) {
  vptr__device *device = it->kernel->mapper->device;
  give_back(it, it->borrowed_count, stream, it->last);
  if (it->last != NULL)
    device->ops->event_release(device, it->last);
  it->last = NULL;
}
