/* SPDX-License-Identifier: MIT */
/*
 * module - modules that were loaded, and the contexts they were loaded in.
 *
 * A CUmodule is a vptr__module, a CUfunction a vptr__function (module/module.h). The list here tells live ones from
 * others, and finds those of a context that is destroyed. A module runs on every device: it is built where it is
 * first used.
 *
 * Lock: one, in the static `modules` of module.c, of rank LEAF, guards the list.
 */
#ifndef VPTR_DRIVER_MODULE_H
#define VPTR_DRIVER_MODULE_H

#include <stdbool.h>

#include <vptr/cuda/cuda.h>

/* Unloads what was loaded in a context. */
void vptr__driver_unload_all(CUcontext context);

/* Whether an image, ended by a zero, is what nvrtcGetPTX() and vptrcc make. */
bool vptr__driver_is_text_of_ours(const char *image);

/* A text of ours for the current device, of an image that is none: PTX, machine code or a fat binary of NVIDIA's
 * compiler, where the device takes PTX. size, *text_out and *length_out as vptr__cuda_foreign_text() has them. What is
 * refused is said: INVALID_PTX, NO_BINARY_FOR_GPU, INVALID_IMAGE. */
CUresult vptr__driver_foreign_text(const char *image, size_t size, char **text_out, size_t *length_out);

/* Says why another one is not taken, PTX or a binary of NVIDIA's compilers: INVALID_PTX, NO_BINARY_FOR_GPU. */
CUresult vptr__driver_refuse_image(const char *image);

/* All of a file, with zeros behind its bytes, for vptr__memory_free(). Else FILE_NOT_FOUND, which has been said. */
CUresult vptr__driver_read_file(const char *call, const char *path, char **text_out, size_t *size_out);

#endif
