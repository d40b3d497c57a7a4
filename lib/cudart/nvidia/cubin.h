/* SPDX-License-Identifier: MIT */
/*
 * cubin - machine code of nvcc's, an ELF file, as a module (module/image.h) whose text it is. No data, no locks. Used
 * by cuda/foreign.c and cuda/binary.c.
 */
#ifndef VPTR_NVIDIA_CUBIN_H
#define VPTR_NVIDIA_CUBIN_H

#include <stdbool.h>
#include <stddef.h>

#include <vptr/vptr.h>

/* For a device of capability ptx (900). size: SIZE_MAX: the file's headers say. *module_out has *length_out bytes and a
 * zero behind them, and is vptr__memory_free()'s. Errors: INVALID_ARGUMENT (it is none, or is damaged), UNSUPPORTED (it
 * is for another device, or has kernels that launch kernels), OUT_OF_HOST_MEMORY. */
vptr_status vptr__cubin_translate(const void *bytes, size_t size, unsigned ptx, char **module_out,
                                  size_t *length_out);

/* Whether a module's text is what vptr__cubin_translate() makes. */
bool vptr__cubin_is_text_of(const char *module);

#endif
