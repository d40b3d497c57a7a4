/* SPDX-License-Identifier: MIT */
/*
 * mirror - one piece of managed memory for devices with memory of their own: a buffer, host pages, and page faults
 * that keep the two one.
 *
 * The host uses the mirror through its view (view.h), kernels through its buffer. Each page's valid bytes are on the
 * host, on the device, or on both (pages.h), and the view is open as far as the host's are, never farther. A kernel's
 * launch acquires the mirror to the device; a host access to what the device has is a page fault, which fetches
 * (fault.h, service.h).
 *
 *     acquire()    comes to the device, takes from the host what the kernel's access excludes, then sends what the host
 *               had written; with nothing written, nothing is sent
 *     ...       the kernel is sent, by whatever stream
 *     release()    says what to wait for
 *     fetch()   waits for all such work, brings the bytes, opens the view: what a fault does, for those who must not
 *               fault or know beforehand what they will touch
 *
 * The view is closed before anything is sent: a write by another thread meanwhile faults and waits, so it is neither
 * lost nor torn. Between acquire() and release() nothing is fetched, since what to wait for is not known yet; hence the
 * thread that acquires touches no managed memory between the two, always calls release(), and does not take long about
 * it.
 *
 * A failed command of the work that is waited for is its stream's to tell; the bytes are fetched as they are.
 *
 * Host pages of a mirror that travels for the second time, or all at once, are pinned (device.h: pin_host), for a
 * device moves pinned bytes some five times as fast. A driver may set as much device memory aside for that; where it
 * cannot, the pages stay as they are.
 *
 * Devices. A mirror is on one device at a time, its backing buffer. Work of another's makes it move: what only the
 * old backing buffer has is brought to the host, after all work there, and the new one is sent what it uses. So the
 * work of two devices on one mirror is done in turns; that is right, and slow. A full device makes other mirrors
 * leave it (resident_set.h); then, and when there was no room for it in the beginning, a mirror has no backing buffer
 * until it is acquired. Work that needs more mirrors at once than the device holds cannot be sent.
 *
 * One address. Where the device's own address for its buffer can be had for the view, pointers stored in the memory
 * mean the same on both sides, on the device that it was made for. Such a mirror keeps that buffer for as long as it
 * lives, for a driver may give the addresses of any other to somebody else.
 *
 * Host code may touch the view at any time, on any thread, but:
 *   - System calls fault as programs do if faults come by userfaultfd (fault.h). By SIGSEGV they do not: read(2) into a
 *     closed page fails with EFAULT. A caller that needs such an access calls fetch() first.
 *   - A driver that touches a closed page may hold locks that the fetch needs. The library's transfers therefore
 *     acquire, as kernels do, or fetch() first.
 *   - A function that a stream calls (vptr__stream_host()) waits for no work, since what precedes it is over: visit.h.
 *     The pages that it touches are open to all threads until it returns, though work behind it may use them.
 *   - A signal handler that interrupts a call of the library's may not touch managed memory, as it may not call
 *     malloc(): the call may hold the lock that the fault needs.
 *   - By SIGSEGV, a thread that blocks it, or has it replaced by a handler that does not pass on, dies of the fault.
 *   - By userfaultfd, a debugger that stops all threads and then reads a closed page waits for ever: nobody answers.
 *     With VPTR_FAULTS=mprotect it reads what the host had last.
 *   - A child after fork() does not have the view: its access is the SIGSEGV that it would be without us.
 *
 * Thread-safe, every call, but that a mirror must not be destroyed while another thread uses it. Each mirror has one
 * lock, vptr__mirror.lock (state.h), of rank MIRROR, which guards all of it but its entries (address_index.h) and the
 * list of visits (visit.h); a thread holds one of them at most. It is held while bytes move. While work is waited for
 * it is given back, but only to visits, and to who looks at the mirror and changes nothing.
 */
#ifndef VPTR_MIRROR_MIRROR_H
#define VPTR_MIRROR_MIRROR_H

#include "mapper/mapper.h"

typedef struct vptr__mirror vptr__mirror;

typedef struct vptr__mirror_counts {
  uint64_t faults;             /* that were answered */
  uint64_t fetches, fetched;   /* transfers to the host, and their bytes */
  uint64_t sends, sent;        /* transfers to the device, and their bytes */
  uint64_t evictions, moves;   /* a buffer was given up for another's sake; the mirror moved to another device */
} vptr__mirror_counts;

/* size at least 1, rounded up to pages. Contents undefined. The mapper's device has its first backing buffer, if it
 * has room. Errors: INVALID_SIZE, OUT_OF_HOST_MEMORY, OPENCL, FORKED; UNSUPPORTED, see fault.h. */
VPTR_API vptr_status vptr__mirror_create(vptr_mapper *mapper, size_t size, vptr__mirror **mirror_out);

/* The same at a host address of whole pages, or nowhere; 0: anywhere. Errors: also OUT_OF_ADDRESSES, if something else
 * is there. */
VPTR_API vptr_status vptr__mirror_create_at(vptr_mapper *mapper, uintptr_t address, size_t size,
                                            vptr__mirror **mirror_out);

/* From now on a mapper knows of mirrors, also of those in checkpoints. Again: nothing. */
void vptr__mirrors_watch(void);

/* Waits for the work that uses it. */
VPTR_API void vptr__mirror_destroy(vptr__mirror *mirror);

/* What never changes. The host's pointer; its bytes, as they were asked for; the mapper that it was made for; whether
 * the host's pointer is that device's own. */
VPTR_API void *vptr__mirror_host(const vptr__mirror *mirror);
VPTR_API size_t vptr__mirror_size(const vptr__mirror *mirror);
VPTR_API vptr_mapper *vptr__mirror_mapper(const vptr__mirror *mirror);
bool vptr__mirror_is_one_address(const vptr__mirror *mirror);

/* Of the backing buffer: the buffer, borrowed, which begins where the mirror begins, and its own address there. NULL
 * and 0 while there is none; to be asked while it is acquired, or by the only thread that knows it. */
VPTR_API cl_mem vptr__mirror_buffer(const vptr__mirror *mirror);
VPTR_API uint64_t vptr__mirror_device_address(const vptr__mirror *mirror);

/* The mapper of the backing buffer's device, or the one that it was made for while there is none. May be another's by
 * the time it is used. */
vptr_mapper *vptr__mirror_current_mapper(vptr__mirror *mirror);

/* The host's bytes, for tests: always open, and as valid as the last fetch() made them. */
void *vptr__mirror_alias(const vptr__mirror *mirror);

/* What an acquisition tells the caller: the bytes as the device has them, from the mirror's first on. Holds until
 * release(). */
typedef struct vptr__acquired {
  cl_mem buffer;    /* borrowed */
  uint64_t address; /* the device's own; 0: it tells none */
} vptr__acquired;

/* Before work is sent to a mapper's device that uses size bytes at offset in that way; the discard modes promise to
 * write all of them. Blocks until the device has the bytes. Pages that lie in the range with some of their bytes are
 * acquired whole, and never discarded; others stay as they are. A thread that has several mirrors acquired at once
 * takes them in rising order of their host addresses, with what locks it needs until they are sent taken before, or
 * two could wait for each other; and all to one device. acquired_out may be NULL. Errors: OUT_OF_HOST_MEMORY,
 * OUT_OF_DEVICE_MEMORY, OPENCL, OUT_OF_BOUNDS: then it is not acquired, and release() is not called. NOT_READY, to a
 * thread with acquired memory: there is no room while other threads have some; it gives back all, and acquires them
 * anew from the first, which waits. working_set.h keeps these rules for who acquires several. */
VPTR_API vptr_status vptr__mirror_acquire(vptr__mirror *mirror, vptr_mapper *mapper, size_t offset, size_t size,
                              vptr_access access, vptr__acquired *acquired_out);

/* The work was sent: the stream's id, and the event of its last command, which is retained. NULL: it was not sent, or
 * is done. Each acquire() has one release(). Called before vptr__stream_end(), so that of two threads that send to one
 * stream the later work is noted later: its event stands for both. A stream of 0 is none of the library's. */
VPTR_API void vptr__mirror_release(vptr__mirror *mirror, uint64_t stream, cl_event event);

/* The host has size bytes at offset from now on, until the next acquire(): to read, or to write too. The discard
 * modes promise that it overwrites all of them: they are not brought. Blocks. Errors: OUT_OF_BOUNDS,
 * OUT_OF_HOST_MEMORY, OPENCL. */
vptr_status vptr__mirror_fetch(vptr__mirror *mirror, size_t offset, size_t size, vptr_access access);

/* How often it was acquired so far. And a fetch to read for those who must not wait for work that was sent later than
 * they were: NOT_READY, in silence, while work is in flight; nothing happens if it was acquired more often than that
 * since. */
VPTR_API uint64_t vptr__mirror_acquisitions(vptr__mirror *mirror);
VPTR_API vptr_status vptr__mirror_fetch_idle(vptr__mirror *mirror, size_t offset, size_t size, uint64_t acquisitions);

/* The mirrors whose backing buffer is on a mapper's device and has an address there, the host's or another: as many as
 * there is room for, in rising order. Returns how many there are. Only those that are acquired stay as they are. */
size_t vptr__mirrors_look(const vptr_mapper *mapper, vptr__host_range *list, size_t room);

/* Rises whenever that answer may have changed. */
uint64_t vptr__mirrors_serial(void);

/* Before a mapper goes away: mirrors that were made for others leave its device. None is acquired there. Errors: as
 * fetch(), the first one; what could not be brought is lost. */
vptr_status vptr__mirrors_depart(const vptr_mapper *mapper);

void vptr__mirror_get_counts(vptr__mirror *mirror, vptr__mirror_counts *counts_out);

/* ---- for the service (service.h) ------------------------------------------------------------------ */

/* What an access was. UNKNOWN: a read of what is closed, a write to what may be read. */
typedef enum vptr__touch { VPTR__TOUCH_READ, VPTR__TOUCH_WRITE, VPTR__TOUCH_UNKNOWN } vptr__touch;

/* Answers a fault: the access succeeds when it is tried again. is_visit: of the thread that runs a host function
 * (visit.h). Errors as fetch(). */
vptr_status vptr__mirror_fault(vptr__mirror *mirror, size_t offset, vptr__touch touch, bool is_visit);

/* Brings one piece that a steady reader will want next; false if there is none, or it could not be had. Waits for
 * nobody but who holds the mirror. */
bool vptr__mirror_read_ahead(vptr__mirror *mirror);

#endif
