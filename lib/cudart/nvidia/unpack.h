/* SPDX-License-Identifier: MIT */
/*
 * unpack - the content of an entry of a fat binary, unpacked. Thread-safe, without a lock. Used by cuda/foreign.c,
 * loadable.c and need.c.
 */
#ifndef VPTR_NVIDIA_UNPACK_H
#define VPTR_NVIDIA_UNPACK_H

#include "nvidia/fat_binary.h"

/* Opens libzstd, unless it is open, for entries packed by zstd; where there is none, vptr__unpack() says so. It takes
 * the dynamic loader's lock, so none may be held that constructors or destructors take. */
void vptr__unpack_open_zstd(void);

/* Opens nothing. *bytes_out has a zero behind its *size_out bytes, and is vptr__memory_free()'s. Errors:
 * INVALID_ARGUMENT (it is damaged), UNSUPPORTED (libzstd is not open, and what to install), OUT_OF_HOST_MEMORY. */
vptr_status vptr__unpack(const vptr__fat_entry *entry, char **bytes_out, size_t *size_out);

#endif
