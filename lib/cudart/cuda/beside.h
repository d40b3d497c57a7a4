/* SPDX-License-Identifier: MIT */
/*
 * beside - opening another library of this package's, which is in the same folder, or wherever the loader looks.
 *
 * No data, no locks; thread-safe. Called by jit.c and driver_entry.c.
 */
#ifndef VPTR_CUDA_BESIDE_H
#define VPTR_CUDA_BESIDE_H

/* dlopen()'s answer; NULL: dlerror() has why not. */
void *vptr__beside_open(const char *library_name);

#endif
