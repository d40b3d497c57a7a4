/* SPDX-License-Identifier: MIT */
/*
 * registration - modules of the program's, with their stubs and shadows; see registration.c.
 *
 * A module is lib/cudart/module's. The list of registrations that failed is registration.c's, under its static `lock`,
 * of rank LEAF; binary.c and unit.c register with the lock of units held, of rank UNIT. Called by binary.c and unit.c,
 * which register, and by cluster.c, function.c, launch.c and replay/work_of.c, which ask for the function of a stub.
 */
#ifndef VPTR_CUDA_REGISTRATION_H
#define VPTR_CUDA_REGISTRATION_H

#include <vptr/cuda/driver_types.h>
#include <vptr/cuda/vptr_kernel.h>

#include "module/module.h"

/* The kernel that an address stands for. cudaErrorInvalidDeviceFunction if there is none; what its registration
 * failed with, if it did. */
cudaError_t vptr__cuda_function(const char *call, const void *func, vptr__function **function_out);

/* What the lists of kernels and variables are: those of the module's text, and what it has not is an error; or those of
 * the host's half of a program, of which the text may have less. */
typedef enum vptr__cuda_lists { VPTR__CUDA_LISTS_EXACT, VPTR__CUDA_LISTS_OF_HOST } vptr__cuda_lists;

/* vptr_cuda_register_module() without the last error, and without opening a library or keeping one loaded: what the
 * text needs was obtained (cuda/need.h). site: who asks, for traces. */
cudaError_t vptr__cuda_register(const vptr_cuda_module *module, vptr__cuda_lists lists, void **handle_out,
                                const void *site);

/* vptr_cuda_unregister_module(); LATER for handlers of atexit(). */
void vptr__cuda_unregister(void *handle, vptr__leaving_when when);

/* Keeps the shared object of a module's managed variables loaded; of a module that vptr__cuda_register() has checked.
 * It takes the dynamic loader's lock, so none may be held that destructors take. */
void vptr__cuda_keep_managed(const vptr_cuda_module *module);

#endif
