/* SPDX-License-Identifier: MIT */
/*
 * request - a page fault that waits for its answer, and where such come from.
 *
 * There are two places, and a process has one of them (fault.h): mailboxes that a signal handler fills (mailbox.h), and
 * the kernel's own list (userfault.h). The service's threads take requests from it without knowing which it is.
 *
 * A vptr__request is a variable of the thread that answers it (service.c, trial.c). A vptr__requests is a constant
 * table: mailbox.c and userfault.c have one each, fault.c gives one of them to the service. No locks here: mailboxes
 * are atomics, and the lock of userfault.c guards its list.
 */
#ifndef VPTR_MIRROR_REQUEST_H
#define VPTR_MIRROR_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "mirror/mirror.h"

typedef struct vptr__request {
  const void *address;
  vptr__touch touch;
  bool is_visit;           /* by the thread that runs a host function: visit.h */
  void *mailbox;           /* mailbox.c's */
  struct vptr__request *next; /* userfault.c's */
} vptr__request;

typedef struct vptr__requests {
  /* How many requests there ever were, for sleep(). */
  uint32_t (*arrived)(void);

  /* Takes one, if there is any. It stays where it is until it was answered. */
  bool (*take)(vptr__request *request);

  /* Whoever waits tries again. */
  void (*answered)(vptr__request *request);

  /* Until there is a request that arrived() did not count; also wakes for no reason. */
  void (*sleep)(uint32_t arrived);
} vptr__requests;

#endif
