/* SPDX-License-Identifier: MIT */
/*
 * resident_set - which managed memory has a buffer on which device, and which of it is evicted when that is full.
 *
 * An OpenCL buffer is the unit of device memory: a part of one cannot be given back. So a mirror is on a device
 * as a whole or not at all, and the one whose buffer there was acquired longest ago goes first: what only the device
 * has is brought to the host, and the buffer released. Never one that is acquired, since work with its buffer is
 * about to be sent; nor one that stays because its view lies at the device's own address (mirror.h). Such places
 * are granted for a quarter in all of what the heap leaves of the device's memory at the time, so that the rest can be
 * shared out.
 *
 * Mappers on one device share its memory, and so make room for each other.
 *
 * Waiting. When nothing can be given, it may be so for a moment only: buffers are acquired for work that is being
 * sent, or are being made or released. A thread that has acquired nothing then waits until that has changed. A thread
 * that has acquired some must not: of two, each could hold what the other needs. It is answered NOT_READY instead,
 * releases what it has, and acquires anew from the first. A thread that allocates may hold other locks, and waits for
 * a tenth of a second at most.
 *
 * Deadlock. A thread that asks for room holds no mirror's lock, and takes one at a time: the evicted mirror's. Whoever
 * holds such a lock waits for work in flight alone, which has been sent and so ends, and for a host function that
 * visits the mirror (visit.h), which asks for no room; neither for a release (waiting on a condition gives the lock
 * back) nor for room. And who waits for room has acquired nothing, so nobody waits for it. That leaves those who have
 * acquired memory and wait for a mirror that is acquired for another device: they take mirrors in rising order.
 *
 * The static `lock` of resident_set.c, of rank LEAF, guards the list; mirrors to evict are entered through the address
 * index, so that they live while they are asked.
 */
#ifndef VPTR_MIRROR_RESIDENT_SET_H
#define VPTR_MIRROR_RESIDENT_SET_H

#include <stdatomic.h>

#include "device/device.h"
#include "mapper/reclaim.h"

/* A buffer of a mirror's. It begins hidden: it has memory, but cannot be asked to give it up. */
typedef struct vptr__residency {
  struct vptr__residency *next, *before; /* under the lock, as what follows */
  const vptr__device *device;         /* down to bytes: set once */
  size_t bytes;
  const void *host;                   /* where its mirror is found in the address index; NULL: hidden */
  bool stays;                         /* gives up nothing, as long as it lives */
  _Atomic(uint64_t) used;             /* when it was acquired last: no two have the same; under the mirror's lock */
  _Atomic(size_t) acquired;           /* under the mirror's lock */
} vptr__residency;

/* Around an attempt to make a buffer: somebody may soon have more memory or less. What succeeds is entered. */
void vptr__resident_set_begin_change(void);
void vptr__resident_set_end_change(void);

/* enter: puts a buffer that was made after begin_change() into the list, hidden; `taken` is what the heap has of the
 * device's memory. residency->stays says then whether the buffer may stay for good. show: its mirror begins at `host`,
 * and it stays or may be evicted. hide: it may not be evicted any more. */
void vptr__resident_set_enter(vptr__residency *residency, const vptr__device *device, size_t bytes, uint64_t taken);
void vptr__resident_set_show(vptr__residency *residency, const void *host, bool stays);
void vptr__resident_set_hide(vptr__residency *residency);

/* The hidden residency's buffer has been released. */
void vptr__resident_set_leave(vptr__residency *residency);

/* The calling thread acquires it; releases it, which it has acquired before. Under the mirror's lock. */
void vptr__resident_set_acquire(vptr__residency *residency);
void vptr__resident_set_release(vptr__residency *residency);

/* Whether the calling thread has acquired memory. */
bool vptr__resident_set_thread_holds(void);

/* Makes somebody leave the request's device, or waits for a change, as long as the request allows; false if that is
 * all. */
bool vptr__resident_set_reclaim(vptr__reclaim *reclaim);

/* The bytes of a device's memory that are acquired, or stay; whether some are acquired for other threads. */
typedef struct vptr__residents_held {
  uint64_t acquired, staying;
  bool others;
} vptr__residents_held;
vptr__residents_held vptr__resident_set_held(const vptr__device *device);

/* The bytes of all buffers that mirrors have on a device. */
VPTR_API uint64_t vptr__resident_set_bytes(const vptr__device *device);

#endif
