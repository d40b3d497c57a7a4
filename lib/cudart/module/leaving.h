/* SPDX-License-Identifier: MIT */
/*
 * leaving - what a closed plugin (a library that dlclose() closes) had, and work in flight may still use: built OpenCL
 * programs of its modules, and memory of its variables.
 *
 * A module ends in a destructor, which dlclose() calls with the dynamic loader's lock held. A driver may need that
 * lock for work that it has been given: PoCL loads a kernel's code when the kernel begins. So a destructor never waits
 * for a device; and while work is in flight it calls no driver, nor takes a lock that another thread may hold while it
 * calls one. What it gives up goes at once if nothing is under way, else onto a list, and calls that are made by no
 * destructor look there: a kernel's or a variable's first use on a device, cudaDeviceSynchronize(), cudaMalloc() on a
 * full device, cudaDeviceReset().
 *
 * A handler of atexit() that was registered before main() runs when the driver's own have taken the driver down, and
 * cannot tell. What such a one gives up goes onto the list in any case, and ends with the process.
 *
 * Lock: one, the static `lock` of leaving.c, of rank LEAF, guards the list. Used by module.c, program.c, variable.c and
 * cuda/reference.c, device.c, memory.c and reset.c.
 */
#ifndef VPTR_MODULE_LEAVING_H
#define VPTR_MODULE_LEAVING_H

#include <stdbool.h>

/* The first member of what leaves. */
typedef struct vptr__leaving {
  struct vptr__leaving *next;
  /* Whether the work that may use it is over. Without may_ask it waits for nothing and takes no lock; with it the
   * device may be asked, and queues that the program named to vptr_use_queue() are waited for. */
  bool (*is_over)(const struct vptr__leaving *it, bool may_ask);
  void (*release)(struct vptr__leaving *it);
} vptr__leaving;

/* Takes it over; the two functions are set. For destructors; LATER, for handlers of atexit(): no driver is called. */
typedef enum vptr__leaving_when { VPTR__LEAVING_WHEN_UNUSED, VPTR__LEAVING_LATER } vptr__leaving_when;
void vptr__leaving_add(vptr__leaving *it, vptr__leaving_when when);

/* Releases what may go by now, and whether that was anything. Costs next to nothing where the list is empty. Not for
 * constructors or destructors. */
bool vptr__leaving_look(void);

#endif
