/* SPDX-License-Identifier: MIT */
/*
 * variable - variables of the device, and their memory on each.
 *
 * A variable is known by a key: the address of its shadow on the host, or any other that is unique. A table of them,
 * sorted by key, is one a process; each has a place for each device, filled when the device is first asked for it. The
 * memory is the heap's like any other, and whoever empties the heap (a reset, vptr_clear()) need not know of variables:
 * a place remembers the serial number of its allocation, and when that is no longer live the next call makes a new one,
 * with the initial content. That is what CUDA's reset does too.
 *
 * The address that is told lies some bytes into its allocation, so that vptr_free() refuses it as it refuses any
 * interior address: a variable cannot be freed.
 *
 * Variables may begin with addresses of others, and those with theirs: all that lead to each other get their memory
 * together, so that nobody sees one without its addresses.
 *
 * Lock: one, the static `lock` of variable.c, of rank LEAF, guards the table and the places. No allocation is made and
 * nothing is copied under it: two threads that meet an empty place may both fill one, and the later one frees its own
 * again. Places of variables that lead to each other are entered under one hold. Used by the files of
 * lib/cudart/module, by cuda/registration.c, symbol.c and pointer.c, and by usm/usm.c.
 */
#ifndef VPTR_MODULE_VARIABLE_H
#define VPTR_MODULE_VARIABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <vptr/vptr.h>

#include "base/digest.h"
#include "mapper/mapper.h"
#include "module/leaving.h"

/* Of another variable, to be written at byte `at` of one: *key is that one's key, NULL while there is none. */
typedef struct vptr__variable_link {
  const void *const *key;
  size_t at, plus;
} vptr__variable_link;

typedef struct vptr__variable {
  const void *key;
  const char *name;     /* these two stay as long as the variable is known */
  vptr__digest module;  /* of the text that it came in; zeros: it is of none */
  const void *initial;  /* size bytes, or NULL: zeros */
  size_t size;
  const void *site;     /* who made it known, for traces */
  const vptr__variable_link *addresses; /* in the initial content; they stay, too */
  size_t address_count;
  bool is_scratch;      /* what it holds is over with the work: it need not be in a checkpoint */
  bool is_managed;      /* key is where its size bytes lie on the host, which may change them */
  struct vptr__variable_places *places; /* these two are the table's own */
  uint64_t number;
} vptr__variable;

/* Makes it known. NOT_READY, in silence, if its key is known already; OUT_OF_HOST_MEMORY. */
vptr_status vptr__variable_register(const vptr__variable *variable);

/* Forgets it, and frees its memory: nobody may be using it. False if it was not known. The latter waits for nothing:
 * work in flight may be using the memory, which goes behind it (module/leaving.h). */
bool vptr__variable_forget(const void *key);
bool vptr__variable_leave(const void *key, vptr__leaving_when when);

/* A copy of what key means, good while it is known. */
bool vptr__variable_find(const void *key, vptr__variable *variable_out);

/* How many others of its name and module became known before it, and are known; 0 if it is of no module. And a copy of
 * the one of such a position. False: there is none. */
uint32_t vptr__variable_position(const void *key);
bool vptr__variable_find_alike(vptr__digest module, const char *name, uint32_t position, vptr__variable *variable_out);

/* Tells all that are no scratch and have memory on a mapper's device, and all managed ones, whose place may be NULL,
 * until the function fails, with its status. It is called under the lock, and calls nothing that takes one. */
struct vptr__variable_place;
typedef vptr_status vptr__variable_teller(const vptr__variable *variable, const struct vptr__variable_place *place,
                                          uint32_t position, void *context);
vptr_status vptr__variable_tell(const vptr_mapper *mapper, vptr__variable_teller *tell, void *context);

/* The managed variable that ptr points into, or one past the end of; a copy. False if there is none. */
bool vptr__variable_managed_at(const void *ptr, vptr__variable *variable_out);

/* Its memory on a mapper's device, which is one of the process's own (vptr__mapper_for_device()). Errors:
 * INVALID_ARGUMENT if it is not known, and those of allocating and copying. */
vptr_status vptr__variable_address(const void *key, vptr_mapper *mapper, void **address_out);

#endif
