/* SPDX-License-Identifier: MIT */
/*
 * library - libraries of kernels: modules that a program loads for all devices, and asks by the runtime's calls.
 *
 * A cudaLibrary_t is the address of a struct CUlib_st; a list tells live ones from others. A kernel's handle is its
 * function (module/module.h), which stands for itself among stubs.
 *
 * Lock: one, that of the static `libraries` of library.c, of rank LEAF, guards the list. Called by driver/library.c,
 * driver/kernel.c and driver/module.c; programs call what vptr_library.h declares.
 */
#ifndef VPTR_CUDA_LIBRARY_H
#define VPTR_CUDA_LIBRARY_H

#include <vptr/cuda/vptr_library.h>
#include <vptr/vptr.h>

#include "module/module.h"

/* The module of a library, or NULL: it is none that is loaded; and the library of a module, likewise. Nothing is
 * said. */
VPTR_API vptr__module *vptr__cuda_library_module(cudaLibrary_t library);
VPTR_API cudaLibrary_t vptr__cuda_library_of(const vptr__module *module);

#endif
