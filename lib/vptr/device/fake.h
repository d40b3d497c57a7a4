/* SPDX-License-Identifier: MIT */
/*
 * fake - a device made of host memory, with exact accounting and faults on demand.
 *
 * VPTR_PLATFORM=fake selects it, VPTR_FAKE_BYTES sizes it (64 GiB if unset; memory is mapped, not touched, so sizes
 * beyond the machine's are fine as long as nobody writes to them). It behaves like a discrete GPU: its memory is not
 * the host's, mapping is by copy. Its kernels are functions of the test's. Its queues run beside each other on threads
 * of its own, which a program that only makes blocking calls does not have. Freed buffers are unmapped, so a use after
 * release crashes at once, and misuse (a range outside the buffer, overlapping copies, release without retain) aborts
 * with a message: it is there to find our mistakes.
 *
 * Thread-safe: one mutex, a static of fake_pool.c, guards all that fake devices share, but for what tests set in
 * fake.c, which is atomic. platform.c opens fake devices; the functions of this header are for tests.
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
  size_t host_buffers;  /* live: host memory that is pinned or shared */
  uint64_t operations;  /* calls of the operations table that may fail, ever */
  uint64_t written, read, copied, filled; /* bytes moved, ever */
  size_t queues;        /* live, devices' own and released ones with work left included */
  size_t events;        /* live */
  size_t commands;      /* queued or running now */
  size_t threads;       /* of the fake device's own */
} vptr__fake_counts;

/* Over all fake devices of the process. */
void vptr__fake_get_counts(vptr__fake_counts *counts_out);

/* The n-th operation that may fail from now on fails with code (1: the next), once; 0 switches this off. In a row: so
 * many do, from the n-th on. */
void vptr__fake_fail_in_a_row(long n, long count, cl_int code);
static inline void vptr__fake_fail_nth(long n, cl_int code) {
  vptr__fake_fail_in_a_row(n, 1, code);
}

/* The n-th command that begins from now on, of those that do not block, fails with code (1: the next), once, without
 * having moved a byte: its event gets the code. Commands that wait for that event fail with
 * CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST; later ones of its queue run all the same, and waiting for the queue
 * succeeds. 0 switches this off. */
void vptr__fake_fail_command(long n, cl_int code);

/* From now on every operation that may fail does, with code, as with a driver whose context is ruined. CL_SUCCESS
 * switches this off. */
void vptr__fake_lose(cl_int code);

/* From now on kernels take plain memory of the process, by its address, as a CPU's do; or no more. */
void vptr__fake_take_system(bool takes);

/* Buffers that vptr lets go of from now on keep their bytes on the device for so long, as with a driver that destroys
 * them when it gets to it. 0 switches this off. */
void vptr__fake_destroy_late(unsigned delay_us);

/* From now on all that OpenCL leaves open is left to chance: which of the queues goes on, how long a command takes to
 * begin and a callback to be called (up to max_delay_us), and commands that were not flushed do not begin at all until
 * their queue is flushed or waited for, or released. A seed of 0 switches this off. */
void vptr__fake_disorder(uint64_t seed, unsigned max_delay_us);

/* What a kernel is given: how it was launched, and its arguments: of a buffer its first byte, or NULL; of a value its
 * bytes; of local memory zeros. It runs once for the whole grid, on a thread of the device's. */
typedef struct vptr__fake_launch {
  const size_t *offset, *global, *local;
  void *const *arguments;
} vptr__fake_launch;
typedef void vptr__fake_function(const vptr__fake_launch *launch);

/* Kernels of that name do this from now on, in programs whose text has the name in it; name stays. */
void vptr__fake_define(const char *name, vptr__fake_function *run);

/* From now on buffers have addresses, those of their memory, or again none: as long as no mapper is asked whether
 * they do. */
void vptr__fake_report_addresses(bool tells);

/* From now on devices that are opened reach pinned memory by its own address, as NVIDIA's do: the first pin of `host`
 * registers it, and others do nothing while that one is there. NULL: no more. And whether it is registered. */
void vptr__fake_register_once(void *host);
bool vptr__fake_is_registered(void);

/* From now on new buffers have addresses that nobody can use, as a device's are on the host; or no more. Parts of a
 * buffer are there too. */
void vptr__fake_hide_memory(bool hides);

/* The memory at an address that a buffer has so; NULL: none is there. For kernels. */
void *vptr__fake_at(uint64_t address);

/* Devices that are opened from now on take PTX, of 100 times this compute capability; 0: none does. */
void vptr__fake_take_ptx(unsigned ptx);

/* A buffer of the fake device as a stranger would make it, with one reference, for attach tests; the reference
 * count of any of its buffers; and letting go of one reference. */
cl_mem vptr__fake_buffer_make(vptr__device *device, size_t bytes);
unsigned vptr__fake_buffer_references(cl_mem buffer);
void vptr__fake_buffer_release(cl_mem buffer);

#endif
