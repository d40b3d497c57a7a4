/* SPDX-License-Identifier: MIT */
/*
 * restored - variables of modules in checkpoints.
 *
 * A variable is told by its module, whose text's digest stands for it, its name, and how many others of both were there
 * before it. Its memory is the heap's, and comes back with that, at its address; what lacks is who it belongs to. So
 * what a checkpoint says of variables is kept, and when one has no memory on a device yet it is looked up here first:
 * whether its module was loaded before the restore or is loaded a day later. What no module asked for stays in the
 * next checkpoint. A managed variable's bytes are the host's, and are written there as soon as it is known.
 *
 * Where a variable of that name is asked for, but of a module with another text, it begins with its initial content,
 * and that is told; and so is, when the process ends, what no module was loaded for.
 *
 * Thread-safe. The static lock of restored.c, of rank LEAF, guards what is kept. Used by group.c, variable.c and
 * module.c.
 */
#ifndef VPTR_MODULE_RESTORED_H
#define VPTR_MODULE_RESTORED_H

#include "module/place.h"

/* What a checkpoint had of a variable on a mapper's device; memory NULL: nothing, or it has gone since. Errors:
 * INVALID_ARGUMENT (it has another size). */
vptr_status vptr__restored_find(vptr_mapper *mapper, const vptr__variable *of, vptr__variable_place *place_out);

/* A variable became known; and one takes the place of another that is known. */
void vptr__restored_meet(const void *key);
void vptr__restored_replace(const void *key, const void *by);

#endif
