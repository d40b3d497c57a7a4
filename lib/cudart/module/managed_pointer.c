/* SPDX-License-Identifier: MIT */
/*
 * managed_pointer - acquiring the managed memory that a launch's pointers lead to, and giving it back.
 *
 * Where it is kept in step by page faults (mirror/mirror.h), a pointer into it means nothing to a kernel until it is
 * acquired: only then is it sure where on the device the bytes are. So preparing a launch notes which pointers are
 * such, and they are filled in when the launch is about to be sent:
 *
 *     vptr__managed_pointers_add()      this pointer, at this place of the block, lies there in that mirror  prepare.c
 *     vptr__managed_pointers_add_all()  every mirror that there is: the kernel follows pointers              prepare.c
 *     vptr__managed_pointers_acquire()  acquires them, and fills the pointers in                 launch.c, before begin
 *     vptr__managed_pointers_release()  the kernel is in the queue, or is not                    launch.c, before end
 *     vptr__managed_pointers_clear()    the mirrors may go                                                   prepare.c
 *
 * A kernel may reach all of a mirror from any pointer into it, so all of it is acquired. Between acquiring and giving
 * back this thread touches no managed memory: arguments were copied before. It has no static data and no locks of its
 * own: what is noted is in the launch, a vptr__preparation of the calling thread's. Acquiring takes the locks of the
 * mirrors (mirror/working_set.c, of ranks WORKING_SET and MIRROR), and adding and clearing take the address index's, of
 * rank LEAF. Acquiring blocks until the mirrors are on the device. Called by prepare.c and launch.c, as above.
 */
#include "module/state.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* ---- noting --------------------------------------------------------------------------------------------- */

static bool grow_managed_pointers(vptr__preparation *it) {
  size_t room = 2 * (size_t)it->managed_pointer_room;
  vptr__managed_pointer *pointer = vptr__memory_calloc(room, sizeof *pointer);
  vptr__working_set_item *items = vptr__memory_calloc(room, sizeof *items);
  if (pointer == NULL || items == NULL) {
    vptr__memory_free(pointer);
    vptr__memory_free(items);
    return false;
  }
  memcpy(pointer, it->managed_pointers, it->managed_pointer_count * sizeof *pointer);
  memcpy(items, it->items, it->managed_pointer_count * sizeof *items);
  if (it->managed_pointers != it->some_managed_pointers) {
    vptr__memory_free(it->managed_pointers);
    vptr__memory_free(it->items);
  }
  it->managed_pointers = pointer;
  it->items = items;
  it->managed_pointer_room = (uint32_t)room;
  return true;
}

vptr_status vptr__managed_pointers_add(vptr__preparation *it, vptr__mirror *mirror, vptr_access access,
                                       const vptr__managed_pointer *pointer) {
  if (it->managed_pointer_count == it->managed_pointer_room && !grow_managed_pointers(it)) {
    vptr__address_index_leave(mirror);
    return vptr__error_host_memory(2 * it->managed_pointer_room * (sizeof *it->managed_pointers + sizeof *it->items));
  }
  uint32_t index = it->managed_pointer_count++;
  it->managed_pointers[index] = *pointer;
  it->items[index] =
      (vptr__working_set_item){ .mirror = mirror, .size = vptr__mirror_size(mirror), .access = access, .tag = index };
  return VPTR_SUCCESS;
}

vptr_status vptr__managed_pointers_add_all(vptr__preparation *it) {
  static const vptr__managed_pointer nowhere;
  const void *from = NULL;
  vptr_status status = VPTR_SUCCESS;
  for (vptr__mirror *mirror; status == VPTR_SUCCESS && (mirror = vptr__address_index_enter_next(from)) != NULL;) {
    from = (const char *)vptr__mirror_host(mirror) + 1;
    status = vptr__managed_pointers_add(it, mirror, VPTR_ACCESS_READ_WRITE, &nowhere);
  }
  return status;
}

void vptr__managed_pointers_clear(vptr__preparation *it) {
  for (uint32_t i = 0; i < it->managed_pointer_count; i++)
    vptr__address_index_leave(it->items[i].mirror);
  if (it->managed_pointers != it->some_managed_pointers) {
    vptr__memory_free(it->managed_pointers);
    vptr__memory_free(it->items);
  }
}

/* ---- acquiring -------------------------------------------------------------------------------------------- */

static void fill_in(const vptr__managed_pointer *pointer, const vptr__acquired *acquisition) {
  uint64_t address = acquisition->address + pointer->offset;
  if (pointer->at != NULL)
    memcpy(pointer->at, &address, sizeof address);
  if (pointer->meaning != NULL)
    *pointer->meaning = (vptr__pointer_meaning){ .buffer = acquisition->buffer, .offset = pointer->offset };
}

static vptr_status fill_in_all(const vptr__preparation *it) {
  for (uint32_t i = 0; i < it->managed_pointer_count; i++) {
    const vptr__working_set_item *item = &it->items[i];
    if (it->kernel->program->has_addresses && item->acquisition.address == 0)
      return vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: %s does not tell where the managed memory at %p is",
                         it->launch->what, it->kernel->mapper->device->name, vptr__mirror_host(item->mirror));
    fill_in(&it->managed_pointers[item->tag], &item->acquisition);
  }
  return VPTR_SUCCESS;
}

/* What a parent has acquired, which is all that there was, is its children's too until all of them are over. To
 * acquire it anew could mean to wait for a thread of the host's, which waits for them. */
static bool is_borrower(const vptr__preparation *it) {
  return it->launch->child_room_out != NULL;
}

static vptr_status borrow_all(const vptr__preparation *it) {
  for (uint32_t i = 0; i < it->managed_pointer_count; i++) {
    vptr__working_set_item *item = &it->items[i];
    item->acquisition =
        (vptr__acquired){ vptr__mirror_buffer(item->mirror), vptr__mirror_device_address(item->mirror) };
  }
  return fill_in_all(it);
}

vptr_status vptr__managed_pointers_acquire(vptr__preparation *it) {
  if (is_borrower(it))
    return borrow_all(it);
  vptr_status status = vptr__working_set_acquire(it->kernel->mapper, it->items, it->managed_pointer_count);
  if (status != VPTR_SUCCESS)
    return status;
  status = fill_in_all(it);
  if (status != VPTR_SUCCESS)
    vptr__working_set_release(it->items, it->managed_pointer_count, 0, NULL);
  return status;
}

void vptr__managed_pointers_release(vptr__preparation *it, uint64_t stream) {
  vptr__device *device = it->kernel->mapper->device;
  cl_event last = it->last != NULL && it->family != NULL ? vptr__child_end(it) : it->last;
  if (!is_borrower(it))
    vptr__working_set_release(it->items, it->managed_pointer_count, stream, last);
  if (it->last != NULL)
    device->ops->event.release(device, it->last);
  it->last = NULL;
}
