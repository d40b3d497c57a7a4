/* SPDX-License-Identifier: MIT */
/*
 * trial - whether page faults by userfaultfd work here.
 *
 * What a kernel's features promise differs from version to version, and from what a container lets through. So one
 * fault of each kind is made, by a thread, and answered; a trial costs about a millisecond, once a process. It has no
 * lock: fault.c calls it with its own, of rank HEAP, held.
 */
#ifndef VPTR_MIRROR_TRIAL_H
#define VPTR_MIRROR_TRIAL_H

/* With the file of userfault.h open, before the service listens. NULL if all is well, else what is not, in words. */
const char *vptr__trial(void);

#endif
