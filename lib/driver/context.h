/* SPDX-License-Identifier: MIT */
/*
 * context - contexts, and which one is current.
 *
 * A context is a device and a name for it; everything that it would own in CUDA is the device's mapper's, but the
 * modules that were loaded in it (module.h). So one that is made current makes its device the runtime's current one,
 * and the other way round: whoever asks for the current context after cudaSetDevice(), or after any call of the
 * runtime's in a thread without a context, finds that device's primary one. The runtime knows nothing of contexts; the
 * comparison is made here, when somebody asks.
 *
 * A destroyed context may be current to other threads. It stays, as destroyed, until the last of them lets go.
 *
 * Lock: one, in the static `contexts` of context.c, of rank LEAF, guards the list of contexts and what changes in them;
 * what is atomic is read without it. A thread's stack is its own.
 */
#ifndef VPTR_DRIVER_CONTEXT_H
#define VPTR_DRIVER_CONTEXT_H

#include <stdbool.h>

#include <vptr/cuda/cuda.h>

struct CUctx_st {
  struct CUctx_st *next;  /* of all that were created */
  CUdevice device;
  _Atomic unsigned flags;
  unsigned long long id;  /* unique in the process */
  unsigned api_version;
  long places;            /* on threads' stacks */
  _Atomic unsigned retained; /* of a primary one */
  bool is_primary;
  _Atomic bool is_live;
};

/* CUDA_SUCCESS if the process has begun: cuInit(), or any call of the runtime that asks for devices. */
CUresult vptr__driver_begun(void);

/* The same, and there is a current context that lives; it is told if context_out is not NULL. */
CUresult vptr__driver_enter(CUcontext *context_out);

/* vptr__driver_begun(), and the ordinal is one of a device's; the call is for words. */
CUresult vptr__driver_check_device(const char *call, CUdevice device);

/* Says that an argument is wrong; returns INVALID_VALUE. */
CUresult vptr__driver_invalid(const char *call, const char *what);

/* The result of the checks before it; where those passed, and the pointer is NULL, says so of `what`: INVALID_VALUE. */
CUresult vptr__driver_check_pointer(CUresult result, const char *call, const void *pointer, const char *what);

/* vptr__driver_enter(), and memory may be allocated: its pointer has a place, and bytes are asked for. */
CUresult vptr__driver_enter_allocation(const char *call, const void *output, size_t bytes);

CUcontext vptr__driver_primary(CUdevice device);

/* Whether it is one that lives: INVALID_CONTEXT if not. */
CUresult vptr__driver_check_context(const char *call, CUcontext context);

/* The calling thread's stack. NULL as the current context makes the stack shorter by one. */
CUresult vptr__driver_push(CUcontext context);
CUresult vptr__driver_pop(CUcontext *context_out);
CUresult vptr__driver_set_current(CUcontext context);

/* NULL: none. */
CUcontext vptr__driver_current(void);

CUresult vptr__driver_create(CUdevice device, unsigned flags, unsigned api_version, CUcontext *context_out);
void vptr__driver_destroy(CUcontext context);

/* How often a primary context is retained is changed by this; it stays if that would be below 0: false. */
bool vptr__driver_retain(CUcontext primary, int change);

#endif
