/* SPDX-License-Identifier: MIT */
/*
 * unsaved - refusing a checkpoint while a variable of a module has memory on the device (unsaved.h).
 *
 * No data but a constant table of functions, which is entered in base/subsystem.c, and no locks of its own; that of
 * variable.c, of rank LEAF, is taken to look. Called by variable.c, when a variable becomes known; and through
 * base/subsystem.h, by checkpoint/checkpoint.c. Nothing blocks.
 */
#include "module/unsaved.h"

#include "base/error.h"
#include "base/subsystem.h"
#include "module/variable.h"

static vptr_status refuse_variables(vptr_mapper *mapper) {
  vptr__variable variable;
  const void *key = vptr__variable_on(mapper);
  if (key == NULL || !vptr__variable_find(key, &variable))
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "vptr_checkpoint: the variable %s has memory on %s, and variables of modules cannot be in a "
                     "checkpoint: keep what it holds in memory that was allocated",
                     variable.name, mapper->device->name);
}

void vptr__unsaved_watch(void) {
  static const vptr__subsystem subsystem = { .check_checkpoint = refuse_variables };
  vptr__subsystem_enter(VPTR__SUBSYSTEM_MODULE, &subsystem);
}
