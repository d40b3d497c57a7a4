/* SPDX-License-Identifier: MIT */
/*
 * unsaved - a checkpoint is refused while a variable of a module has memory on the device.
 *
 * The module makes that memory anew in another process, with its initial content: what a variable held would be lost
 * without a sound. Thread-safe, no lock of its own. Used by variable.c, when a variable becomes known.
 */
#ifndef VPTR_MODULE_UNSAVED_H
#define VPTR_MODULE_UNSAVED_H

/* From now on checkpoints are looked at; again: nothing. */
void vptr__unsaved_watch(void);

#endif
