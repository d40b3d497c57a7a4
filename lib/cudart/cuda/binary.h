/* SPDX-License-Identifier: MIT */
/*
 * binary - what clang and nvcc register: a GPU binary, and the stubs and shadows that go with it, one by one.
 *
 *     open ---- add_kernel, add_variable, add_managed ... ---- complete ---- calls that use them ---- close
 *
 * What is added is gathered, and registered as a whole by complete. Compilers of old do not complete: then the first
 * call that needs one of the binary's stubs or shadows does. So a binary is a unit (cuda/unit.h), from open on in that
 * file's list, and stays there if its registration fails, or if its content is not for OpenCL: whoever needs it is
 * told.
 *
 * It differs from a unit of vptrcc's in three ways. The lists are the host's half of the program, and the module may
 * have less: what it has not is an error when it is used. A stub may be several binaries', since linkers keep one of
 * each template's instances: when one of them closes, the stub is another's. And a managed variable is a pointer on the
 * host, set when the binary is registered; its bytes are the module's.
 *
 * Lock: that of the unit list (the static `lock` of unit.c, of rank UNIT) guards the list of binaries, which is
 * binary.c's, and all that is gathered. Called by binary_call.c, unit.c, registration.c and symbol.c.
 */
#ifndef VPTR_CUDA_BINARY_H
#define VPTR_CUDA_BINARY_H

#include <stdbool.h>

#include <vptr/cuda/vptr_kernel.h>

#include "cuda/need.h"

/* A new binary, for a record as content.h has it. Never NULL; where there is no memory, one to which nothing is added,
 * and calls that need what is not known are told so. site: who asks, for traces. */
void **vptr__cuda_binary_open(const void *record, const void *site);

/* Names and what they stand for stay until the binary closes. A managed variable's pointer lies at slot. Without memory
 * the binary lacks it, and calls that need what is not known are told so. */
void vptr__cuda_binary_add_kernel(void **handle, const void *stub, const char *name);
void vptr__cuda_binary_add_variable(void **handle, const vptr_cuda_variable *variable);
void vptr__cuda_binary_add_managed(void **handle, void **slot, const char *name, size_t size);

/* Registers it, unless it is registered. Failures go to stderr; that its content is not for OpenCL is none of them, and
 * only what needs it fails. For init, which managed variables need, it is one, and these are zeros of the host's then;
 * whether it is registered now. */
void vptr__cuda_binary_complete(void **handle);
bool vptr__cuda_binary_init(void **handle);

/* Forgets it, and waits for nothing, as vptr_cuda_unregister_module(); also for handlers of atexit(). */
void vptr__cuda_binary_close(void **handle);

/* For stubs and shadows that are unknown and are no unit's either. If the address is of a registered binary: binds the
 * stub again, or says what its module lacks. cudaSuccess: it is bound now, or no binary's. The caller holds no lock. */
cudaError_t vptr__cuda_binary_try(const char *call, const void *address);

/* ---- for unit.c ------------------------------------------------------------------------------------------ */

/* Whether a unit is part of a binary; what that needs to be registered; registers it. Under the list's lock. */
bool vptr__cuda_unit_is_binary(const vptr_cuda_unit *unit);
unsigned vptr__cuda_binary_needs(const vptr_cuda_unit *unit);
cudaError_t vptr__cuda_binary_register(vptr_cuda_unit *unit, const vptr__cuda_obtained *obtained);

/* Behind attempts: the shared objects of managed variables that they made known stay loaded from now on. The caller
 * holds no lock, since this takes the dynamic loader's. */
void vptr__cuda_binary_keep_managed(void);

#endif
