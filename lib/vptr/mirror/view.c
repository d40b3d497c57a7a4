/* SPDX-License-Identifier: MIT */
/*
 * view - making the two mappings of a mirror's host pages, and opening and closing the user's (view.h).
 *
 * A vptr__view is part of its mirror (state.h), or trial.c's variable; its two mappings and its record `open`, which
 * keeps how far each page was opened where userfaultfd is in use, are made and ended here. The file has no lock:
 * callers have vptr__mirror.lock, of rank MIRROR, so that one thread at a time changes a view. Three have none:
 * mirror.c for a mirror that it makes or ends, which nobody else knows; trial.c; and tombstones.c, which touches no
 * view.
 *
 * Called by mirror.c, which opens and closes a view; by acquire.c, which closes pages and opens them again after a
 * failure; by bring.c, which opens them, and visit.c, which does both; by tombstones.c, which asks whether an address
 * is vacant; and by trial.c. It makes system calls, and waits for nothing else. It fails without memory, or when the
 * process has no mappings left.
 */
#include "mirror/view.h"

#include "base/error.h"
#include "base/hold.h"
#include "base/page.h"
#include "mirror/userfault.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Newer than some C libraries are. */
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* ---- addresses that are set aside ----------------------------------------------------------------------- */

/* One line of /proc/self/maps: private memory without access, of no file. */
static bool is_set_aside(const char *line, uint64_t *begin_out, uint64_t *end_out) {
  unsigned long long begin, end, offset, inode;
  char access[5], device[16];
  if (sscanf(line, "%llx-%llx %4s %llx %15s %llu", &begin, &end, access, &offset, device, &inode) != 6)
    return false;
  *begin_out = begin;
  *end_out = end;
  return strcmp(access, "---p") == 0 && inode == 0;
}

/* Whether all of [begin, end) is. Lines come in rising order, so the range is eaten from the left. */
static bool range_is_set_aside(uint64_t begin, uint64_t end) {
  FILE *maps = fopen("/proc/self/maps", "re");
  char line[512];
  if (maps == NULL)
    return false;
  while (begin < end && fgets(line, sizeof line, maps) != NULL) {
    uint64_t from, to;
    if (is_set_aside(line, &from, &to) && from <= begin && begin < to)
      begin = to;
  }
  fclose(maps);
  return begin >= end;
}

static bool is_mapped(uint64_t address) {
  unsigned char resident;
  return mincore((void *)vptr__page_begin(address), 1, &resident) == 0 || errno != ENOMEM;
}

bool vptr__view_is_vacant(const void *address) {
  uint64_t at = (uintptr_t)address;
  return !is_mapped(at) || range_is_set_aside(at, at + 1);
}

/* ---- placing -------------------------------------------------------------------------------------------- */

static void *map_shared(int file, void *at, size_t size, int protection, int flags) {
  void *memory = mmap(at, size, protection, MAP_SHARED | flags, file, 0);
  return memory != MAP_FAILED ? memory : NULL;
}

/* A kernel that does not know NOREPLACE takes the address for a hint. */
static void *map_where_free(int file, void *at, size_t size, int protection) {
  void *memory = map_shared(file, at, size, protection, MAP_FIXED_NOREPLACE);
  if (memory == NULL || memory == at)
    return memory;
  munmap(memory, size);
  return NULL;
}

/* With a page behind it that is nobody else's: one past the end must not be where another view begins. */
static void map_with_page(vptr__view *view, int file, void *at, int protection) {
  size_t page = vptr__page_bytes();
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at != NULL ? MAP_FIXED_NOREPLACE : 0);
  void *room = mmap(at, view->size + page, PROT_NONE, flags, -1, 0);
  if (room == MAP_FAILED)
    return;
  if (at != NULL && room != at) {
    munmap(room, view->size + page);
    return;
  }
  view->user = map_shared(file, room, view->size, protection, MAP_FIXED);
  view->behind = page;
  if (view->user == NULL)
    munmap(room, view->size + page);
}

static void place_view(vptr__view *view, int file, vptr__view_wish wish) {
  void *at = (void *)(uintptr_t)wish.address;
  size_t page = vptr__page_bytes();
  int protection = view->is_guarded ? PROT_READ | PROT_WRITE : PROT_READ;
  if (wish.is_must) {
    vptr__hold_release(at, view->size);
    map_with_page(view, file, at, protection);
  }
  if (view->user == NULL && wish.address != 0 && wish.address % page == 0 &&
      wish.address <= UINTPTR_MAX - view->size) {
    view->user = map_where_free(file, at, view->size, protection);
    if (view->user == NULL && wish.may_replace && range_is_set_aside(wish.address, wish.address + view->size)) {
      view->user = map_shared(file, at, view->size, protection, MAP_FIXED);
      view->is_reserved = view->user != NULL;
    }
  }
  if (view->user == NULL && !wish.is_must)
    map_with_page(view, file, NULL, protection);
}

static void vacate_user_range(vptr__view *view) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (view->user != NULL && view->is_reserved)
    mmap(view->user, view->size, PROT_NONE, flags, -1, 0);
  else if (view->user != NULL)
    munmap(view->user, view->size + view->behind);
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static bool guard_view(const vptr__view *view) {
  return !view->is_guarded || vptr__userfault_guard(view->user, view->size);
}

static bool map_twice(vptr__view *view, int file, vptr__view_wish wish) {
  if (ftruncate(file, (off_t)view->size) != 0)
    return false;
  place_view(view, file, wish); /* first, or the alias might take the place */
  view->alias = map_shared(file, NULL, view->size, PROT_READ | PROT_WRITE, 0);
  return view->user != NULL && view->alias != NULL && madvise(view->user, view->size, MADV_DONTFORK) == 0 &&
         madvise(view->alias, view->size, MADV_DONTFORK) == 0 && guard_view(view);
}

static vptr_status refuse_view(size_t size, int reason) {
  return vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY,
                     "the host has no pages for %zu bytes of managed memory (%s); free some, or raise the limit "
                     "(ulimit -v, ulimit -n, or that of the container)",
                     size, strerror(reason));
}

static vptr_status refuse_place(size_t size, const vptr__view_wish *wish) {
  return vptr__error(
      VPTR_ERROR_OUT_OF_ADDRESSES,
      "managed memory of %zu bytes was at %#llx, and something else of the process is there now: start "
      "it again, for memory lies elsewhere each time, or restore earlier in it",
      size, (unsigned long long)wish->address);
}

static vptr_status map_file(vptr__view *view, vptr__view_wish wish) {
  int file = memfd_create("vptr-managed", MFD_CLOEXEC);
  if (file < 0)
    return refuse_view(view->size, errno);
  bool is_mapped = map_twice(view, file, wish);
  int reason = errno;
  close(file);
  if (!is_mapped && wish.is_must && view->user == NULL && reason != ENOMEM)
    return refuse_place(view->size, &wish);
  return is_mapped ? VPTR_SUCCESS : refuse_view(view->size, reason);
}

/* A view that is guarded begins closed: reading is granted, and the first touch mends. */
static vptr_status have_record(vptr__view *view) {
  if (!view->is_guarded)
    return VPTR_SUCCESS;
  vptr_status status = vptr__pages_init(&view->open, view->size / vptr__page_bytes());
  if (status == VPTR_SUCCESS)
    vptr__pages_set(&view->open, vptr__pages_all(&view->open), VPTR__PAGE_DEVICE);
  return status;
}

vptr_status vptr__view_open(vptr__view *view, size_t size, vptr__view_wish wish) {
  vptr__view made = { .size = size, .is_guarded = vptr__userfault_is_on() };
  vptr_status status = have_record(&made);
  if (status == VPTR_SUCCESS)
    status = map_file(&made, wish);
  if (status == VPTR_SUCCESS)
    *view = made;
  else
    vptr__view_close(&made);
  return status;
}

/* A thread that waits at a page of it is woken by the answer that it gets all the same (userfault.c). */
void vptr__view_close(vptr__view *view) {
  vacate_user_range(view);
  if (view->alias != NULL)
    munmap(view->alias, view->size);
  vptr__pages_fini(&view->open);
}

/* ---- access, guarded ------------------------------------------------------------------------------------ */

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

static vptr__run run_of(size_t offset, size_t size) {
  size_t page = vptr__page_bytes();
  return (vptr__run){ offset / page, (offset + size) / page };
}

/* The file gets pages, zeros, where it has none. */
static bool populate_file(const vptr__view *view, size_t offset, size_t size) {
  return madvise(view->alias + offset, size, MADV_POPULATE_WRITE) == 0;
}

/* One page that could not be mapped (errno): whether to go on behind it. Pages that are open stay so; those
 * that the file does not have are about to be written, or are left for the one who reads them. */
static bool step_over_page(const vptr__view *view, size_t offset, size_t size, bool writes, size_t *done) {
  const int reason = errno;
  if (reason == EFAULT && writes)
    return populate_file(view, offset + *done, size - *done);
  *done += vptr__page_bytes();
  return reason == EFAULT || reason == EEXIST;
}

static bool open_closed(const vptr__view *view, size_t offset, size_t size, bool writes) {
  for (size_t done = 0; done < size;) {
    done += vptr__userfault_map(view->user + offset + done, size - done, writes);
    if (done < size && !step_over_page(view, offset, size, writes, &done))
      return false;
  }
  return true;
}

static bool shut_range(vptr__view *view, size_t offset, size_t size) {
  if (!vptr__userfault_unmap(view->user + offset, size))
    return false;
  vptr__pages_set(&view->open, run_of(offset, size), VPTR__PAGE_DEVICE);
  return true;
}

/* What may be read already is closed before it is opened to writes: userfault.h says why. */
static bool grant_range(vptr__view *view, size_t offset, size_t size, bool writes) {
  size_t page = vptr__page_bytes();
  vptr__run all = run_of(offset, size), rest = all, run;
  if (writes && vptr__pages_find(&view->open, all, VPTR__PAGE_BOTH, &run) && !shut_range(view, offset, size))
    return false;
  for (; vptr__pages_find(&view->open, rest, VPTR__PAGE_DEVICE, &run); rest.first = run.end)
    if (!open_closed(view, run.first * page, (run.end - run.first) * page, writes))
      return false;
  vptr__pages_set(&view->open, all, writes ? VPTR__PAGE_HOST : VPTR__PAGE_BOTH);
  return true;
}

/* Nearly always another thread was faster, and the page is open; or the system took it out of the page table. Else the
 * file does not have it. */
static bool mend_page(vptr__view *view, size_t page, vptr__run around, bool writes) {
  size_t bytes = vptr__page_bytes(), offset = around.first * bytes, size = (around.end - around.first) * bytes;
  unsigned char *at = view->user + page * bytes;
  if (writes && !vptr__userfault_unmap(at, bytes)) /* it might be open to be read alone */
    return false;
  if (vptr__userfault_map(at, bytes, writes) == bytes || errno == EEXIST)
    return true;
  if (errno != EFAULT || !populate_file(view, offset, size))
    return false;
  vptr__pages_set(&view->open, around, VPTR__PAGE_DEVICE);
  return grant_range(view, offset, size, writes);
}

static bool keep_writes_out(vptr__view *view, size_t offset, size_t size) {
  vptr__run rest = run_of(offset, size), run;
  if (!vptr__userfault_keep_writes_out(view->user + offset, size))
    return false;
  for (; vptr__pages_find(&view->open, rest, VPTR__PAGE_HOST, &run); rest.first = run.end)
    vptr__pages_set(&view->open, run, VPTR__PAGE_BOTH);
  return true;
}

/* ---- access --------------------------------------------------------------------------------------------- */

static bool protect_range(const vptr__view *view, size_t offset, size_t size, int protection) {
  return mprotect(view->user + offset, size, protection) == 0;
}

static vptr_status status_of(bool is_done) {
  return is_done ? VPTR_SUCCESS : VPTR_ERROR_OUT_OF_HOST_MEMORY;
}

vptr_status vptr__view_grant(vptr__view *view, size_t offset, size_t size, int protection) {
  if (!view->is_guarded)
    return status_of(protect_range(view, offset, size, protection));
  return status_of(grant_range(view, offset, size, (protection & PROT_WRITE) != 0));
}

vptr_status vptr__view_mend(vptr__view *view, size_t page, vptr__run around, int protection) {
  if (!view->is_guarded)
    return status_of(protect_range(view, page * vptr__page_bytes(), vptr__page_bytes(), protection));
  return status_of(mend_page(view, page, around, (protection & PROT_WRITE) != 0));
}

vptr_status vptr__view_revoke(vptr__view *view, size_t offset, size_t size, int protection) {
  if (!view->is_guarded)
    return status_of(protect_range(view, offset, size, protection));
  return status_of(protection == PROT_NONE ? shut_range(view, offset, size) : keep_writes_out(view, offset, size));
}
