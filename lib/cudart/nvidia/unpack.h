/* SPDX-License-Identifier: MIT */
/*
 * unpack - the content of an entry of a fat binary, unpacked. Thread-safe, without a lock. Used by cuda/foreign.c.
 */
#ifndef VPTR_NVIDIA_UNPACK_H
#define VPTR_NVIDIA_UNPACK_H

#include "nvidia/fat_binary.h"

/* *bytes_out has a zero behind its *size_out bytes, and is vptr__memory_free()'s. Errors: INVALID_ARGUMENT (it is
 * damaged), UNSUPPORTED (there is no libzstd, and what to install), OUT_OF_HOST_MEMORY. */
vptr_status vptr__unpack(const vptr__fat_entry *entry, char **bytes_out, size_t *size_out);

#endif
