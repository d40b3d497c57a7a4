/* SPDX-License-Identifier: MIT */
/*
 * registry - all mappers of the process, and whose address is whose.
 *
 * A tree from the first address of each reservation to its entry answers "which mapper does this address belong
 * to" without a lock. Entries are never freed, only used again, so a look-up that races the end of a mapper reads
 * an entry that is empty by then, not freed memory. Changes are guarded by the registry's lock, the outermost.
 */
#ifndef VPTR_MAPPER_REGISTRY_H
#define VPTR_MAPPER_REGISTRY_H

#include "mapper/mapper.h"

/* Makes a mapper known. Errors: OUT_OF_HOST_MEMORY. */
vptr_status vptr__registry_add(vptr_mapper *mapper);

/* Forgets it. */
void vptr__registry_remove(vptr_mapper *mapper);

/* Whether it is one of the process's own, made by vptr__mapper_for_device(). */
bool vptr__registry_is_default(const vptr_mapper *mapper);

#endif
