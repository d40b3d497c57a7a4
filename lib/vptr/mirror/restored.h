/* SPDX-License-Identifier: MIT */
/*
 * restored - managed memory that is kept by page faults, in checkpoints.
 *
 * A mirror is made again at its host address, which programs and kernels know it by; where something else is there,
 * the restore fails, and says so. Its bytes are read from the side that has them, and which side that was is not kept:
 * they come to the device when it needs them.
 *
 * The functions are those of base/subsystem.h. One thread takes or restores a checkpoint at a time: the lock of
 * checkpoint/kept.h, of rank CHECKPOINT, is held. Called by mirror.c, which enters them.
 */
#ifndef VPTR_MIRROR_RESTORED_H
#define VPTR_MIRROR_RESTORED_H

#include "base/saved.h"
#include "mapper/mapper.h"

vptr_status vptr__mirrors_save(vptr_mapper *mapper, vptr__saved_list *list);
vptr_status vptr__mirrors_restore(vptr_mapper *mapper, const vptr__saved_list *list);
void vptr__mirrors_undo_restore(vptr_mapper *mapper);
void vptr__mirrors_settle_restore(vptr_mapper *mapper);
bool vptr__mirror_has_saved(const vptr__saved *item);

#endif
