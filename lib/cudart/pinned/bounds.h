/* SPDX-License-Identifier: MIT */
/*
 * bounds - whether a range of host memory keeps within the pinned memory that it begins in, and out of what was freed.
 *
 * This is the check of mapper/host.h. Registered memory is the program's own, whose bounds nobody knows here. No locks,
 * but for an address that was managed memory: then that of tombstones, of rank LEAF. Used by copies and fills through
 * base/subsystem.h, where pinned.c enters it.
 */
#ifndef VPTR_PINNED_BOUNDS_H
#define VPTR_PINNED_BOUNDS_H

#include <stddef.h>

#include <vptr/vptr.h>

vptr_status vptr__bounds_classify(const char *what, const void *ptr, size_t size);

#endif
