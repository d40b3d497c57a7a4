/* SPDX-License-Identifier: MIT */
/*
 * lookup - where vptr_resolve() hears of host memory.
 *
 * Pinned memory and the kinds of memory made of it belong to libvptr-cudart, which stands on this library and tells here,
 * when it is loaded, how to ask; without it no host memory is known.
 */
#ifndef VPTR_MAPPER_LOOKUP_H
#define VPTR_MAPPER_LOOKUP_H

#include <vptr/vptr.h>

/* What an address of the host's means, and to which mapper it belongs. Errors, in silence: FREED, NOT_OURS. Called from
 * any thread. */
typedef vptr_status vptr__host_teller(const void *ptr, vptr_location *location_out, vptr_mapper **owner_out);

/* From now on the teller is asked. */
VPTR_API void vptr__lookup_tell_host_by(vptr__host_teller *teller);

#endif
