/* SPDX-License-Identifier: MIT */
/*
 * fake - a device made of host memory, with exact accounting and faults on demand.
 *
 * VPTR_PLATFORM=fake selects it, VPTR_FAKE_BYTES sizes it (64 GiB if unset; memory is mapped, not touched, so
 * sizes beyond the machine's are fine as long as nobody writes to them). It behaves like a discrete GPU: its
 * memory is not the host's, mapping is by copy. It runs no kernels. Freed buffers are unmapped, so a use after
 * release crashes at once, and misuse (a range outside the buffer, overlapping copies, release without retain)
 * aborts with a message: it is there to find our mistakes. Thread-safe.
 */
#ifndef VPTR_DEVICE_FAKE_H
#define VPTR_DEVICE_FAKE_H

#include <stddef.h>
#include <stdint.h>

#include "device/device.h"

typedef struct vptr__fake_counts {
  size_t buffers;       /* live, sub-buffers not counted */
  size_t bytes;         /* of live buffers */
  size_t sub_buffers;   /* live */
  uint64_t operations;  /* calls of the operations table that may fail, ever */
  uint64_t written, read, copied, filled; /* bytes moved, ever */
} vptr__fake_counts;

/* Over all fake devices of the process. */
void vptr__fake_get_counts(vptr__fake_counts *counts_out);

/* The n-th operation that may fail from now on fails with code (1: the next), once; 0 switches this off. */
void vptr__fake_fail_nth(long n, cl_int code);

/* A buffer of the fake device as a stranger would make it, with one reference, for attach tests; the reference
 * count of any of its buffers; and letting go of one reference. */
cl_mem vptr__fake_buffer_make(vptr__device *device, size_t bytes);
unsigned vptr__fake_buffer_references(cl_mem buffer);
void vptr__fake_buffer_release(cl_mem buffer);

#endif
