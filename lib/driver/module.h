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

#include <vptr/cuda/cuda.h>

/* Unloads what was loaded in a context. */
void vptr__driver_unload_all(CUcontext context);

/* All of a file, with zeros behind its bytes, for vptr__memory_free(). Else FILE_NOT_FOUND, which has been said. */
CUresult vptr__driver_read_file(const char *call, const char *path, char **text_out, size_t *size_out);

#endif
