/* SPDX-License-Identifier: MIT */
/*
 * foreign - what NVIDIA's compiler made, PTX text, machine code or a fat binary, as a module's text for a device that
 * takes PTX. Thread-safe; no data, no locks. Called by binary.c and loadable.c.
 */
#ifndef VPTR_CUDA_FOREIGN_H
#define VPTR_CUDA_FOREIGN_H

#include <vptr/vptr.h>

#include "cuda/content.h"
#include "device/device.h"

/* size: of the content; SIZE_MAX: unknown, PTX ends with a zero and others say their size. Where an entry is packed by
 * zstd, vptr__unpack_open_zstd() was called before. *text_out has *length_out bytes, ended by a zero, and is
 * vptr__memory_free()'s. Errors: UNSUPPORTED (the device takes no PTX, nothing in it is for the device, or there is no
 * libzstd), INVALID_ARGUMENT (it is damaged, or is no PTX), OUT_OF_HOST_MEMORY. */
vptr_status vptr__cuda_foreign_text(const vptr__device *device, const void *content, size_t size, char **text_out,
                                    size_t *length_out);

#endif
