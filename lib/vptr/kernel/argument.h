/* SPDX-License-Identifier: MIT */
/*
 * argument - where kernel arguments find host memory.
 *
 * Pinned memory belongs to libvptr-cudart, which stands on this library. It tells here, when it is loaded, how to find
 * the device address of such memory; without it no host memory is known, and none is taken.
 */
#ifndef VPTR_KERNEL_ARGUMENT_H
#define VPTR_KERNEL_ARGUMENT_H

#include <vptr/vptr.h>

/* Finds the address, among the mapper's, of host memory that its device works on in place; or the memory's own, where
 * the device takes that. Errors: UNKNOWN_ADDRESS, in silence, for plain host memory that it does not take; others in
 * words that begin with `what`. Called from any thread. */
typedef vptr_status vptr__host_finder(vptr_mapper *mapper, const char *what, const void *host, void **device_out);

/* From now on the finder is asked. */
VPTR_API void vptr__argument_find_host_by(vptr__host_finder *finder);

#endif
