/* SPDX-License-Identifier: MIT */
/*
 * jit - CUDA text that a program hands over at run time, made a module by libvptr-nvrtc.
 *
 * The translator is opened when it is first needed: most programs bring modules that vptrcc made, and never load it. It
 * is looked for beside this library, then wherever the loader looks. Once open it stays. Thread-safe; threads that come
 * at once wait for the one that opens it.
 *
 * No lock: jit.c's static `translator` is filled by pthread_once(). Called by registration.c and loadable.c.
 */
#ifndef VPTR_CUDA_JIT_H
#define VPTR_CUDA_JIT_H

#include <stddef.h>

#include <vptr/cuda/driver_types.h>
#include <vptr/vptr.h>

/* *module_out is vptr__memory_free()'s. Errors: cudaErrorInvalidPtx (the first message is vptr_last_error()),
 * cudaErrorJitCompilerNotFound (no libvptr-nvrtc), cudaErrorMemoryAllocation. */
cudaError_t vptr__cuda_translate(const char *text, size_t length, char **module_out);

#endif
