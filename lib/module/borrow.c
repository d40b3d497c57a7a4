/* SPDX-License-Identifier: MIT */
/*
 * borrow - managed memory that a launch uses.
 *
 * Where it is kept in step by page faults (managed/mirror.h), a pointer into it means nothing to a kernel until it is
 * acquired: only then is it sure where on the device the bytes are. So preparing a launch notes which pointers are
 * such, and they are filled in when the launch is about to be sent:
 *
 *     vptr__borrow_note()     this pointer, at this place of the block, lies there in that mirror     prepare.c
 *     vptr__borrow_note_all() every mirror that there is: the kernel follows pointers                 prepare.c
 *     vptr__borrow_all()      acquires them, and fills the pointers in                       launch.c, before begin
 *     vptr__borrow_return()   the kernel is in the queue, or is not                       launch.c, before end
 *     vptr__borrow_clear()    the mirrors may go                                                      prepare.c
 *
 * A kernel may reach all of a mirror from any pointer into it, so all of it is acquired. Between acquiring and giving
 * back this thread touches no managed memory: arguments were copied before. No state, no locks of its own.
 */
#include "module/state.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* ---- noting --------------------------------------------------------------------------------------------- */

static bool grow_borrowed(vptr__preparation *it) {
  size_t room = 2 * (size_t)it->borrowed_room;
  vptr__borrowed *borrowed = vptr__memory_calloc(room, sizeof *borrowed);
  vptr__working_set_item *items = vptr__memory_calloc(room, sizeof *items);
  if (borrowed == NULL || items == NULL) {
    vptr__memory_free(borrowed);
    vptr__memory_free(items);
    return false;
  }
  memcpy(borrowed, it->borrowed, it->borrowed_count * sizeof *borrowed);
  memcpy(items, it->items, it->borrowed_count * sizeof *items);
  if (it->borrowed != it->some_borrowed) {
    vptr__memory_free(it->borrowed);
    vptr__memory_free(it->items);
  }
  it->borrowed = borrowed;
  it->items = items;
  it->borrowed_room = (uint32_t)room;
  return true;
}

vptr_status vptr__borrow_note(vptr__preparation *it, vptr__mirror *mirror, vptr_access access,
                              const vptr__borrowed *borrowed) {
  if (it->borrowed_count == it->borrowed_room && !grow_borrowed(it)) {
    vptr__address_index_leave(mirror);
    return vptr__error_host_memory(2 * it->borrowed_room * (sizeof *it->borrowed + sizeof *it->items));
  }
  uint32_t index = it->borrowed_count++;
  it->borrowed[index] = *borrowed;
  it->items[index] =
      (vptr__working_set_item){ .mirror = mirror, .size = vptr__mirror_size(mirror), .access = access, .tag = index };
  return VPTR_SUCCESS;
}

vptr_status vptr__borrow_note_all(vptr__preparation *it) {
  static const vptr__borrowed nowhere;
  const void *from = NULL;
  vptr_status status = VPTR_SUCCESS;
  for (vptr__mirror *mirror; status == VPTR_SUCCESS && (mirror = vptr__address_index_enter_next(from)) != NULL;) {
    from = (const char *)vptr__mirror_host(mirror) + 1;
    status = vptr__borrow_note(it, mirror, VPTR_ACCESS_READ_WRITE, &nowhere);
  }
  return status;
}

void vptr__borrow_clear(vptr__preparation *it) {
  for (uint32_t i = 0; i < it->borrowed_count; i++)
    vptr__address_index_leave(it->items[i].mirror);
  if (it->borrowed != it->some_borrowed) {
    vptr__memory_free(it->borrowed);
    vptr__memory_free(it->items);
  }
}

/* ---- acquiring -------------------------------------------------------------------------------------------- */

static void fill_in(const vptr__borrowed *borrowed, const vptr__acquired *acquisition) {
  uint64_t address = acquisition->address + borrowed->offset;
  if (borrowed->at != NULL)
    memcpy(borrowed->at, &address, sizeof address);
  if (borrowed->meaning != NULL)
    *borrowed->meaning = (vptr__pointer_meaning){ .buffer = acquisition->buffer, .offset = borrowed->offset };
}

static vptr_status fill_in_all(const vptr__preparation *it) {
  for (uint32_t i = 0; i < it->borrowed_count; i++) {
    const vptr__working_set_item *item = &it->items[i];
    if (it->kernel->program->has_addresses && item->acquisition.address == 0)
      return vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: %s does not tell where the managed memory at %p is",
                         it->launch->what, it->kernel->mapper->device->name, vptr__mirror_host(item->mirror));
    fill_in(&it->borrowed[item->tag], &item->acquisition);
  }
  return VPTR_SUCCESS;
}

vptr_status vptr__borrow_all(vptr__preparation *it) {
  vptr_status status = vptr__working_set_acquire(it->kernel->mapper, it->items, it->borrowed_count);
  if (status != VPTR_SUCCESS)
    return status;
  status = fill_in_all(it);
  if (status != VPTR_SUCCESS)
    vptr__working_set_release(it->items, it->borrowed_count, 0, NULL);
  return status;
}

void vptr__borrow_return(vptr__preparation *it, uint64_t stream) {
  vptr__device *device = it->kernel->mapper->device;
  vptr__working_set_release(it->items, it->borrowed_count, stream, it->last);
  if (it->last != NULL)
    device->ops->event_release(device, it->last);
  it->last = NULL;
}
