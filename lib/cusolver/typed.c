/* SPDX-License-Identifier: MIT */
/*
 * typed - the beginning of a call whose types are arguments, and its work areas; see typed.h.
 *
 * No state, no locks. Called by geev.c, generic.c, generic_eigen.c, generic_svd.c, indefinite.c and triangle.c. Nothing
 * waits.
 */
#include "cusolver/typed.h"

typedef vptr__solver_call beginning(const char *name, cusolverDnHandle_t handle, vptr__solver_type type);

static vptr__solver_call begin_typed(beginning *begin, const char *name, cusolverDnHandle_t handle, cudaDataType a,
                                     cudaDataType other) {
  static const cudaDataType types[] = { CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F };
  int type = 0;
  while (type < VPTR__SOLVER_Z && types[type] != a)
    type++;
  vptr__solver_call call = begin(name, handle, (vptr__solver_type)type);
  vptr__solver_require(&call, types[type] == a, "the type of A is %d, none of float, double and pairs of them",
                       (int)a);
  vptr__solver_require(&call, other == a, "the types %d and %d differ", (int)a, (int)other);
  return call;
}

vptr__solver_call vptr__solver_enter_typed(const char *name, cusolverDnHandle_t handle, cudaDataType a,
                                           cudaDataType other) {
  return begin_typed(vptr__solver_enter, name, handle, a, other);
}

vptr__solver_call vptr__solver_ask_typed(const char *name, cusolverDnHandle_t handle, cudaDataType a,
                                         cudaDataType other) {
  return begin_typed(vptr__solver_ask, name, handle, a, other);
}

void vptr__solver_require_real(vptr__solver_call *call, cudaDataType real) {
  cudaDataType own = vptr__solver_real_size(call->type) == sizeof(float) ? CUDA_R_32F : CUDA_R_64F;
  vptr__solver_require(call, real == own, "the type of values is %d, and A's parts are %d", (int)real, (int)own);
}

vptr__solver_area vptr__solver_area_of(const vptr__solver_call *call, void *at, size_t bytes) {
  return (vptr__solver_area){ at, (int64_t)(bytes / vptr__solver_size(call->type)) };
}

void vptr__solver_require_rooms(vptr__solver_call *call, size_t on_device) {
  size_t least = vptr__solver_size(call->type);
  vptr__solver_require(call, on_device >= least, "the work area has %zu bytes, and bufferSize said %zu", on_device,
                       least);
}

cusolverStatus_t vptr__solver_tell_elements(vptr__solver_call *call, int64_t elements, size_t *on_device,
                                            size_t *on_host) {
  vptr__solver_require(call, on_device != NULL && on_host != NULL, "there is no place for the size of a work area");
  if (call->status == CUSOLVER_STATUS_SUCCESS) {
    *on_device = (size_t)elements * vptr__solver_size(call->type);
    *on_host = 0;
  }
  return vptr__solver_finish(call);
}

cusolverStatus_t vptr__solver_tell_rooms(vptr__solver_call *call, size_t *on_device, size_t *on_host) {
  return vptr__solver_tell_elements(call, 1, on_device, on_host);
}
