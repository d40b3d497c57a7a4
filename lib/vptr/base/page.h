/* SPDX-License-Identifier: MIT */
/* page - the size of the system's pages, which mmap() and its kin take and give. Signal handlers may ask, too. No data,
 * no locks. Used by folders of lib/vptr and by lib/cudart/pinned. */
#ifndef VPTR_BASE_PAGE_H
#define VPTR_BASE_PAGE_H

#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

/* A power of two. The C library has it from the process's start: no system call. */
static inline size_t vptr__page_bytes(void) {
  return (size_t)sysconf(_SC_PAGESIZE);
}

/* Where the page of an address begins. */
static inline uintptr_t vptr__page_begin(uintptr_t address) {
  return address & ~((uintptr_t)vptr__page_bytes() - 1);
}

#endif
