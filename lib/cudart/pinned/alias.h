/* SPDX-License-Identifier: MIT */
/*
 * alias - device addresses of pinned host memory.
 *
 * Where a device works on host memory in place, the memory gets a buffer over its own bytes, and that buffer is
 * attached to the mapper as if the program had done so: from then on it has a virtual device address like any other
 * memory, that copies and kernel arguments take. It is made when somebody asks for it or for the memory's attributes,
 * and goes with the allocation or registration.
 *
 * A program cannot free such a device address (lib/cudart/cuda/memory.c refuses it); it frees or unregisters the host
 * address.
 *
 * Kernels that follow pointers learn of it by lib/vptr/mapper/translation_table. They may reach any pinned memory, so
 * from the first translation table of a device on, pinned memory is freed behind all work of that device.
 *
 * Lock: one, the member `lock` of the static `aliases` in alias.c, of rank MAPPING, guards the two trees that lead from
 * either address to the other. Used by pinned.c and register.c; through base/subsystem.h by mapper/translation_table.c,
 * which lists such memory.
 */
#ifndef VPTR_PINNED_ALIAS_H
#define VPTR_PINNED_ALIAS_H

#include <stdbool.h>

#include "pinned/region.h"

/* Waits for the work that a region was acquired for, for any of its own device if the memory in question is shared,
 * since who uses a device address is not known, and for any of devices with kernels that follow pointers in memory. */
vptr_status vptr__alias_wait(vptr__region *region, bool is_shared);

/* Takes the device address of the allocation or registration at host back, if it has one. */
void vptr__alias_drop(const void *host);

/* The device address and the serial of the allocation or registration at host; false: it has none. */
bool vptr__alias_find(const void *host, uint64_t *device_out, uint64_t *serial_out);

/* Gives the pinned memory at host, a whole allocation, the device address and the serial that it had in another
 * process. Errors: those of vptr__pinned_device_address() and vptr__heap_attach_at(). */
vptr_status vptr__alias_restore(const void *host, uintptr_t device, uint64_t serial);

/* As vptr__subsystem.list_hosts and host_serial have it: memory with a device address. */
size_t vptr__alias_list(const vptr_mapper *mapper, vptr__host_range *ranges, size_t room);
uint64_t vptr__alias_serial(void);

#endif
