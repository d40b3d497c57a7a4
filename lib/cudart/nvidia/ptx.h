/* SPDX-License-Identifier: MIT */
/*
 * ptx - PTX text as a module (module/image.h), which is PTX still and has lines before it. No data, no locks. Used by
 * cuda/foreign.c.
 */
#ifndef VPTR_NVIDIA_PTX_H
#define VPTR_NVIDIA_PTX_H

#include <stddef.h>

#include <vptr/vptr.h>

/* *module_out ends with a zero, and is vptr__memory_free()'s. Errors: INVALID_ARGUMENT with the line and what is wrong
 * with it, OUT_OF_HOST_MEMORY. */
vptr_status vptr__ptx_translate(const char *text, size_t length, char **module_out);

#endif
