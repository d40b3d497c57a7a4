/* SPDX-License-Identifier: MIT */
/*
 * request - a checkpoint that a signal asks for (VPTR_CHECKPOINT_SIGNAL), taken at the next synchronisation.
 *
 * The signal's handler writes one flag. Calls that have waited for all work of a stream, a device or a mapper look at
 * it before they return: there the program has a state that it knows, and may hold no lock of the library's. One of
 * them serves the request; what becomes of it is told on stderr and changes nothing for the program. No locks: the flag
 * is atomic.
 */
#ifndef VPTR_MAPPER_REQUEST_H
#define VPTR_MAPPER_REQUEST_H

#include <stdatomic.h>

#include <vptr/vptr.h>

VPTR_API extern atomic_bool vptr__request_waits;

/* Called for each mapper that is made; the first call installs the handler, if a signal is named. */
void vptr__request_install(void);

/* Has a checkpoint of the mapper taken, if one is asked for still. */
VPTR_API void vptr__request_serve(vptr_mapper *mapper);

static inline void vptr__request_look(vptr_mapper *mapper) {
  if (__builtin_expect(atomic_load_explicit(&vptr__request_waits, memory_order_relaxed), 0))
    vptr__request_serve(mapper);
}

#endif
