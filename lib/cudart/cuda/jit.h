/* SPDX-License-Identifier: MIT */
/*
 * jit - CUDA text that a program hands over at run time, made a module by libvptr-nvrtc, and modules with relocatable
 * code, linked by it.
 *
 * The translator is opened when it is first needed: most programs bring modules that vptrcc made, and never load it. It
 * is looked for beside this library, then wherever the loader looks. Once open it stays. Thread-safe; of threads that
 * come at once each opens it.
 *
 * Lock: one, the static `lock` of jit.c, of rank LEAF. Called by registration.c, loadable.c and need.c;
 * driver/link.c links by it.
 */
#ifndef VPTR_CUDA_JIT_H
#define VPTR_CUDA_JIT_H

#include <stddef.h>

#include <vptr/cuda/driver_types.h>
#include <vptr/vptr.h>

#include "nvrtc/link.h"

/* Opens the translator, unless it is open; where there is none, vptr__cuda_translate() says so. It takes the dynamic
 * loader's lock, so none may be held that constructors or destructors take. */
void vptr__cuda_translator_open(void);

/* Opens nothing. *module_out is vptr__memory_free()'s. Errors: cudaErrorInvalidPtx (the first message is
 * vptr_last_error()), cudaErrorJitCompilerNotFound (libvptr-nvrtc is not open), cudaErrorMemoryAllocation. */
cudaError_t vptr__cuda_translate(const char *text, size_t length, char **module_out);

/* Opens the translator where it is not open. *module_out and *log_out are vptr__memory_free()'s; the log is there with
 * cudaSuccess and with cudaErrorUnknown, the inputs cannot be linked, of which the first message is vptr_last_error().
 * Other errors: cudaErrorJitCompilerNotFound, cudaErrorMemoryAllocation. */
VPTR_API cudaError_t vptr__cuda_link(const vptr__nvrtc_input *inputs, size_t count, char **module_out,
                                     char **log_out);

#endif
