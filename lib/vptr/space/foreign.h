/* SPDX-License-Identifier: MIT */
/*
 * foreign - a range of addresses that is a device's, and that the host may not use.
 *
 * A driver that shows its device's memory at addresses of the process's keeps them without access there (NVIDIA's), or
 * leaves them free; then they are reserved here, piece by piece where only some are free. Where the host has memory
 * that it may read, write or run, the range is refused: a device pointer must never equal a host address, and a host
 * dereference must trap. No locks; no state but the caller's.
 */
#ifndef VPTR_SPACE_FOREIGN_H
#define VPTR_SPACE_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

enum { VPTR__FOREIGN_GAPS = 16 };

typedef struct vptr__foreign {
  struct {
    uintptr_t base;
    size_t size;
  } gaps[VPTR__FOREIGN_GAPS]; /* what was free, and is reserved now */
  unsigned gap_count;
} vptr__foreign;

/* Makes sure that the host has no access to [base, base + size). Errors: UNSUPPORTED (it has, or another thread took
 * some of it meanwhile, or it is in too many pieces; or the system does not list what it has). */
vptr_status vptr__foreign_hold(uintptr_t base, size_t size, vptr__foreign *foreign_out);

void vptr__foreign_release(const vptr__foreign *foreign);

#endif
