/* SPDX-License-Identifier: MIT */
/*
 * host - host memory that vptr itself hands out, and whether a range of addresses keeps within its bounds.
 *
 * Pinned memory and managed memory have addresses of the host's, so a copy into them looks like a copy into any host
 * memory. But their bounds are known, and nothing else keeps a copy that is too long from overwriting the neighbour, or
 * one that comes too late from reading what is somebody else's by now. So each range that a transfer takes for the
 * host's is checked here.
 *
 * Most host memory is the program's own, and must not pay for that: everything that vptr ever handed out lies between
 * two addresses, and a range outside of them is checked by two comparisons. What lies between them is checked by
 * whoever hands such memory out: libvptr-cudart, which stands on this library (base/subsystem.h: check_host).
 *
 * Thread-safe. The two addresses only move apart, and take no lock. vptr__host_check() calls that hook, which for an
 * address that was vptr's takes locks of rank LEAF for a moment (cudart/pinned/bounds.c, mirror/tombstones.c): its
 * caller holds none of that rank.
 */
#ifndef VPTR_MAPPER_HOST_H
#define VPTR_MAPPER_HOST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

/* All host memory that vptr ever handed out lies from low to before high. */
extern _Atomic(uintptr_t) vptr__host_low, vptr__host_high;

/* The range is handed out from now on. Before anybody knows its address. */
VPTR_API void vptr__host_widen(const void *base, size_t bytes);

/* Whether any byte from first to last may be vptr's. */
static inline bool vptr__host_may_have(uintptr_t first, uintptr_t last) {
  return last >= atomic_load_explicit(&vptr__host_low, memory_order_relaxed) &&
         first < atomic_load_explicit(&vptr__host_high, memory_order_acquire);
}

/* Whether size (at least 1) bytes at ptr, which are no device's and wrap around no end, are what the host may use: the
 * program's own, or within one allocation. Managed memory that is kept by page faults has its own rules
 * (mirror/mirror.h), and is checked only if it was freed, or lies behind the program's own. Errors: FREED,
 * OUT_OF_BOUNDS, INVALID_ARGUMENT (the program's own memory, and it runs into vptr's). `what` begins the sentence
 * about an error; NULL: there is none. Called from any thread. */
VPTR_API vptr_status vptr__host_check(const char *what, const void *ptr, size_t size);

#endif
