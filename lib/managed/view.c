/* SPDX-License-Identifier: MIT */
/* view - see view.h. */
#include "managed/view.h"

#include "base/error.h"

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
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  unsigned char resident;
  return mincore((void *)(uintptr_t)(address - address % page), 1, &resident) == 0 || errno != ENOMEM;
}

bool vptr__view_is_vacant(const void *address) {
  uint64_t at = (uintptr_t)address;
  return !is_mapped(at) || range_is_set_aside(at, at + 1);
}

/* ---- placing -------------------------------------------------------------------------------------------- */

static void *map(int file, void *at, size_t size, int protection, int flags) {
  void *memory = mmap(at, size, protection, MAP_SHARED | flags, file, 0);
  return memory != MAP_FAILED ? memory : NULL;
}

/* A kernel that does not know NOREPLACE takes the address for a hint. */
static void *map_where_free(int file, void *at, size_t size) {
  void *memory = map(file, at, size, PROT_READ, MAP_FIXED_NOREPLACE);
  if (memory == NULL || memory == at)
    return memory;
  munmap(memory, size);
  return NULL;
}

static void place(vptr__view *view, int file, vptr__view_wish wish) {
  void *at = (void *)(uintptr_t)wish.address;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (wish.address != 0 && wish.address % page == 0 && wish.address <= UINTPTR_MAX - view->size) {
    view->user = map_where_free(file, at, view->size);
    if (view->user == NULL && wish.may_replace && range_is_set_aside(wish.address, wish.address + view->size)) {
      view->user = map(file, at, view->size, PROT_READ, MAP_FIXED);
      view->is_reserved = view->user != NULL;
    }
  }
  if (view->user == NULL)
    view->user = map(file, NULL, view->size, PROT_READ, 0);
}

static void displace(vptr__view *view) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (view->user != NULL && view->is_reserved)
    mmap(view->user, view->size, PROT_NONE, flags, -1, 0);
  else if (view->user != NULL)
    munmap(view->user, view->size);
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static bool map_twice(vptr__view *view, int file, vptr__view_wish wish) {
  if (ftruncate(file, (off_t)view->size) != 0)
    return false;
  place(view, file, wish); /* first, or the alias might take the place */
  view->alias = map(file, NULL, view->size, PROT_READ | PROT_WRITE, 0);
  return view->user != NULL && view->alias != NULL && madvise(view->user, view->size, MADV_DONTFORK) == 0 &&
         madvise(view->alias, view->size, MADV_DONTFORK) == 0;
}

static vptr_status refuse(size_t size, int reason) {
  return vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY,
                     "the host has no pages for %zu bytes of managed memory (%s); free some, or raise the limit "
                     "(ulimit -v, ulimit -n, or that of the container)",
                     size, strerror(reason));
}

vptr_status vptr__view_open(vptr__view *view, size_t size, vptr__view_wish wish) {
  vptr__view made = { .size = size };
  int file = memfd_create("vptr-managed", MFD_CLOEXEC);
  if (file < 0)
    return refuse(size, errno);
  bool is_mapped = map_twice(&made, file, wish);
  int reason = errno;
  close(file);
  if (!is_mapped) {
    vptr__view_close(&made);
    return refuse(size, reason);
  }
  *view = made;
  return VPTR_SUCCESS;
}

void vptr__view_close(vptr__view *view) {
  displace(view);
  if (view->alias != NULL)
    munmap(view->alias, view->size);
}

/* ---- access --------------------------------------------------------------------------------------------- */

vptr_status vptr__view_protect(vptr__view *view, size_t offset, size_t size, int protection) {
  return mprotect(view->user + offset, size, protection) == 0 ? VPTR_SUCCESS : VPTR_ERROR_OUT_OF_HOST_MEMORY;
}
