/* SPDX-License-Identifier: MIT */
/*
 * typed - what functions share whose types are arguments, and whose sizes have 64 bits.
 *
 * All types of a call are one, and it is computed in that. Sizes of work areas are in bytes. No state, no locks.
 */
#ifndef VPTR_CUSOLVER_TYPED_H
#define VPTR_CUSOLVER_TYPED_H

#include "cusolver/factor.h"

/* A call of the type's; else one that has failed. And one that only tells a size. */
vptr__solver_call vptr__solver_enter_typed(const char *name, cusolverDnHandle_t handle, cudaDataType a,
                                           cudaDataType other);
vptr__solver_call vptr__solver_ask_typed(const char *name, cusolverDnHandle_t handle, cudaDataType a,
                                         cudaDataType other);

/* W or S, of the call's parts. */
void vptr__solver_require_real(vptr__solver_call *call, cudaDataType real);

/* What a work area on the device has, in elements; and whether it has one. */
vptr__solver_area vptr__solver_area_of(const vptr__solver_call *call, void *at, size_t bytes);
void vptr__solver_require_rooms(vptr__solver_call *call, size_t on_device);

/* bufferSize's answer: so many elements on the device, and nothing on the host; or one, for programs that take 0 for a
 * failure. The call ends. */
cusolverStatus_t vptr__solver_tell_elements(vptr__solver_call *call, int64_t elements, size_t *on_device,
                                            size_t *on_host);
cusolverStatus_t vptr__solver_tell_rooms(vptr__solver_call *call, size_t *on_device, size_t *on_host);

#endif
