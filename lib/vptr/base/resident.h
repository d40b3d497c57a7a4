/* SPDX-License-Identifier: MIT */
/*
 * resident - keeps the library loaded until the process ends.
 *
 * For a library that was opened with dlopen(): once there is a mapper, dlclose() must not take the code away. Threads
 * of the library's and callbacks of drivers run it, the C library calls it when a thread ends, and mappers of devices,
 * with the addresses and the driver's objects that they hold, are there for the process: opened anew, the library finds
 * them again. Called when a mapper is made, and for objects of the program's that register managed variables. The
 * shared libraries are linked to stay from the start (-z nodelete), so this is for the static ones, in plugins. No
 * data, no locks but the loader's. Callers: mapper/mapper.c, cudart/cuda/registration.c and binary.c.
 */
#ifndef VPTR_BASE_RESIDENT_H
#define VPTR_BASE_RESIDENT_H

#include <vptr/vptr.h>

void vptr__stay_resident(void);

/* Does the same for whoever has a static object at address: a plugin whose bytes work in flight may read and write.
 * Nothing is done for the program itself. */
VPTR_API void vptr__keep_resident(const void *address);

#endif
