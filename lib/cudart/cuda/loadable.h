/* SPDX-License-Identifier: MIT */
/*
 * loadable - an image that a program hands over while it runs, and the module that becomes of it.
 *
 * It is text of nvrtcGetPTX() or vptrcc, or CUDA text, which is translated; or what NVIDIA's compiler made, PTX,
 * machine code or a fat binary, where the current device takes PTX. Text ends with a zero. Thread-safe; no data, no
 * locks. Called by library.c, driver/module.c and driver/link.c.
 */
#ifndef VPTR_CUDA_LOADABLE_H
#define VPTR_CUDA_LOADABLE_H

#include <stdbool.h>

#include <vptr/cuda/driver_types.h>
#include <vptr/vptr.h>

#include "module/module.h"

/* Whether it is a module's text already. */
VPTR_API bool vptr__cuda_loadable_is_ours(const char *image);

/* Of such a text: whether it is only a unit of relocatable code, which has to be linked, alone if it is loaded; and
 * whether it has such a unit, so that it can be linked with others. */
VPTR_API bool vptr__cuda_loadable_is_unlinked(const char *image);
VPTR_API bool vptr__cuda_loadable_has_unit(const char *image);

/* A module's text for the current device, of an image of NVIDIA's compiler. size, *text_out and *length_out as
 * vptr__cuda_foreign_text() has them. What is refused is said: cudaErrorInvalidPtx, cudaErrorNoKernelImageForDevice,
 * cudaErrorInvalidKernelImage. */
VPTR_API cudaError_t vptr__cuda_loadable_text(const char *image, size_t size, char **text_out, size_t *length_out);

/* The module of an image. size: of a file, or SIZE_MAX. Errors: those, and of translating, linking and memory. */
VPTR_API cudaError_t vptr__cuda_loadable_load(const char *image, size_t size, vptr__module **module_out);

/* All of a file, with zeros behind its bytes, for vptr__memory_free(); NULL: it cannot be read. */
VPTR_API char *vptr__cuda_loadable_read(const char *path, size_t *size_out);

#endif
