/* SPDX-License-Identifier: MIT */
/* page - the system's pages, which mmap() and its kin take and give: their size, and huge ones. Signal handlers may ask
 * for the size, too. No data, no locks. Used by folders of lib/vptr and by lib/cudart/pinned. */
#ifndef VPTR_BASE_PAGE_H
#define VPTR_BASE_PAGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/number.h"

/* A power of two. The C library has it from the process's start: no system call. */
static inline size_t vptr__page_bytes(void) {
  return (size_t)sysconf(_SC_PAGESIZE);
}

/* Where the page of an address begins. */
static inline uintptr_t vptr__page_begin(uintptr_t address) {
  return address & ~((uintptr_t)vptr__page_bytes() - 1);
}

/* What most processors have beside the page: 2 MiB. */
#define VPTR__HUGE_PAGE ((size_t)2 << 20)

/* A wish: memory that will be written whole is found in huge pages, as many as lie inside of it, which takes the system
 * a fraction of the time. Where it has none to give, it is found as ever. */
static inline void vptr__page_want_huge(void *memory, size_t bytes) {
  const uintptr_t begin = (uintptr_t)vptr__align_up((uintptr_t)memory, VPTR__HUGE_PAGE);
  const uintptr_t end = ((uintptr_t)memory + bytes) & ~(VPTR__HUGE_PAGE - 1);
  if (begin < end)
    madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

#endif
