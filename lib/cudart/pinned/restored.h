/* SPDX-License-Identifier: MIT */
/*
 * restored - pinned memory in checkpoints: what has a device address is there again, at both of its addresses.
 *
 * That is memory of ours that the device works on in place: managed memory in place, shared and host memory of USM, and
 * what the program asked for a device address of, or gave to a kernel. All other pinned memory is host memory like any.
 * Memory of the program's that is registered is the program's to make again. If it lies in memory that the program
 * names (vptr_checkpoint_keep()), it is registered again where that is in the new process, which may be elsewhere, and
 * has its device address; while other registered memory has one, a checkpoint is refused (checkpoint/checkpoint.c).
 *
 * Large allocations are mapped where they were, and are idle regions like others once they are freed. Small ones lie in
 * chunks that their supply has cut (pinned/supply.h), whose state no other process can take over. So pages that have
 * some get a region of blocks of their own, which belongs to no supply: what is freed there is not issued again, but by
 * another restore.
 *
 * The functions are those of base/subsystem.h, entered by pinned.c. Callers hold the lock of checkpoint/kept.c, of rank
 * CHECKPOINT, which guards what restored.c has.
 */
#ifndef VPTR_PINNED_RESTORED_H
#define VPTR_PINNED_RESTORED_H

#include <stdbool.h>

#include "base/saved.h"
#include "mapper/mapper.h"

vptr_status vptr__pinned_save(vptr_mapper *mapper, vptr__saved_list *list);
bool vptr__pinned_has_saved(const vptr__saved *item);

/* Errors: OUT_OF_ADDRESSES (something else is at the address), INVALID_ARGUMENT (the mapper is not one of the process's
 * own), UNSUPPORTED (the device does not work on host memory), FILE, and those of vptr__pinned_allocate(). */
vptr_status vptr__pinned_restore(vptr_mapper *mapper, const vptr__saved_list *list);
void vptr__pinned_undo_restore(vptr_mapper *mapper);
void vptr__pinned_settle_restore(vptr_mapper *mapper);

#endif
