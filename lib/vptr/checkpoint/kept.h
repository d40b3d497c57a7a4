/* SPDX-License-Identifier: MIT */
/*
 * kept - the host memory that goes along with checkpoints: the public vptr_checkpoint_keep().
 *
 * The static `lock` of kept.c, of rank CHECKPOINT, guards the list of that memory. It is also the lock of taking and
 * restoring: who does that holds it from vptr__kept_begin() to vptr__kept_end(), so that there is one at a time, and
 * names neither come nor go meanwhile.
 */
#ifndef VPTR_CHECKPOINT_KEPT_H
#define VPTR_CHECKPOINT_KEPT_H

#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

typedef struct vptr__kept {
  struct vptr__kept *next;
  void *host;
  size_t size, name_length;
  char name[256];
} vptr__kept;

void vptr__kept_begin(void);
void vptr__kept_end(void);

/* Between the two: the first of the list; the one with a name; and one that has all of a range. NULL: there is none. */
const vptr__kept *vptr__kept_first(void);
VPTR_API const vptr__kept *vptr__kept_named(const char *name);
VPTR_API const vptr__kept *vptr__kept_around(const void *host, size_t size);

#endif
