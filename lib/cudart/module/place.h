/* SPDX-License-Identifier: MIT */
/*
 * place - the memory of a variable on one device, as variable.c keeps it, group.c makes it, and restored.c finds it.
 *
 * Places are variable.c's, and guarded by its lock, of rank LEAF, which the functions here take; a
 * vptr__variable_member is its caller's, on the way to become one. Used by these three files alone.
 */
#ifndef VPTR_MODULE_PLACE_H
#define VPTR_MODULE_PLACE_H

#include "module/variable.h"

/* How far into its allocation a variable lies, so that nobody frees it by its address. */
enum { VPTR__VARIABLE_LEAD = 256 };

typedef struct vptr__variable_place {
  unsigned char *memory; /* NULL: none yet */
  uint64_t serial;       /* of its allocation */
  uint64_t until;        /* of what leaves: the last work that may use it */
} vptr__variable_place;

/* A variable that is about to have a place. */
typedef struct vptr__variable_member {
  vptr__variable of;
  vptr__variable_place seen, current;
  bool is_made; /* current was allocated, and is not entered yet */
  bool is_new;  /* current is not seen: it was made, or a checkpoint had it */
} vptr__variable_member;

bool vptr__variable_place_is_live(vptr_mapper *mapper, const vptr__variable_place *place);

vptr__variable_place vptr__variable_get_place(const void *key, int device);

/* Makes room for the places of all devices. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__variable_have_places(const void *key);

/* Enters all that are new, or none: another thread has replaced some meanwhile. */
bool vptr__variable_enter_places(const vptr__variable_member *members, size_t count, int device);

/* group.c: gives a variable, and those that it leads to, memory on a mapper's device, with their initial content, or as
 * a checkpoint had them. *is_entered_out false, with success: another thread was faster, and it is to be looked at
 * again. Errors: as vptr__variable_address(). */
vptr_status vptr__variable_make_group(vptr_mapper *mapper, const void *key, bool *is_entered_out);

#endif
