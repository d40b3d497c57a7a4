/* SPDX-License-Identifier: MIT */
/*
 * visit - how a function that a stream calls on the host uses managed memory.
 *
 *     stream   --kernel--[before]==========================[barrier]--kernel--
 *     thread                 begin -> function -> end -> opens
 *                                        |          |
 *     mirror                          visit()     what the function wrote goes back
 *
 * The thread is that of stream/host.c, which calls functions, one at a time: it waits for the event `before`, and
 * when the function has returned it opens the barrier, a user event that the stream's later commands wait for.
 *
 * When the function begins, all work that the program put before it is over, and what was put behind it has not begun.
 * So its faults wait for no work: to wait for all that uses the mirror, as other threads' faults do, would be to wait
 * for the stream's next kernel, which waits for the function. What it touches is fetched from the device and opened,
 * while the mirror's pages stay the device's, for work that acquires them meanwhile is behind the function; and when
 * the function has returned, what it wrote is on the device before the stream goes on. If no work uses the mirror by
 * then, its pages become the host's instead, and nothing is sent.
 *
 * Other threads' faults, and whoever else wants bytes of the device's, wait for work as before, and then until the
 * visit has ended. Those who wait have the mirror held, and are parked (state.h), so that visits take place meanwhile.
 * A function that in turn waits for such a thread waits for ever. Only pages that a visit has opened are open to all
 * threads meanwhile.
 *
 * Work of other streams may run at the same time, which CUDA forbids where concurrentManagedAccess is 0. Then the
 * function sees what was there when it touched a page, and what it wrote goes back in words of four bytes, so that
 * the rest of a page stays the other work's. Where all work in flight is the function's own stream's, a row of pages
 * goes back in one piece, from the first word that changed to the last.
 *
 * The thread is known by its number: threads that a function begins are others, and wait as all do.
 *
 * The static `lock` of visit.c, of rank LEAF, guards the list of visited mirrors; a visited mirror is entered
 * (address_index.h), so freeing it waits for the function.
 */
#ifndef VPTR_MIRROR_VISIT_H
#define VPTR_MIRROR_VISIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <vptr/vptr.h>

/* Adds `more`, which is -1 when one has returned, to the number of functions that are queued or run; and whether there
 * are any. */
void vptr__visit_expect(int more);
bool vptr__visits_are_expected(void);

/* Around a function of that stream's, on the thread that calls it. Errors of the latter: OPENCL, OUT_OF_HOST_MEMORY;
 * then work behind the function does not see all that it wrote, which the host has. */
void vptr__visit_begin(uint64_t stream);
vptr_status vptr__visit_end(void);

/* Whether that thread is between the two. Takes no lock. */
bool vptr__visit_is_by(pid_t thread);

#endif
