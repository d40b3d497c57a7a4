/* SPDX-License-Identifier: MIT */
/*
 * driver_entry - cudaGetDriverEntryPoint(): functions of libvptr-cuda's by their names.
 *
 * That library stands on this one, so it is opened when it is first asked for, and its cuGetProcAddress() answers. Only
 * the handle of that library is searched: a driver of NVIDIA's in the process, which its OpenCL brings, has the same
 * names. The static `find_entry` is that function, which is atomic; there is no lock. Opening takes the dynamic
 * loader's, under which constructors of plugins may come here, so nobody waits for a thread that opens it. Called by
 * programs. The first call blocks while the library is opened.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "cuda/beside.h"
#include "cuda/device.h"
#include "cuda/error.h"

#include <vptr/cuda/cuda_runtime_api.h>
#include <vptr/cuda/vptr_driver_types.h>

static const char library_name[] = "libvptr-cuda.so.0";

typedef CUresult find_function(const char *symbol, void **function, int version, cuuint64_t flags,
                               CUdriverProcAddressQueryResult *status);

static _Atomic(find_function *) find_entry; /* NULL: not found so far */

static cudaError_t open_driver(const char *call) {
  find_function *find;
  if (atomic_load(&find_entry) != NULL)
    return cudaSuccess;
  void *library = vptr__beside_open(library_name);
  void *found = library != NULL ? dlsym(library, "cuGetProcAddress_v2") : NULL;
  if (found == NULL) {
    const char *reason = dlerror();
    vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: the driver's interface is %s, and that cannot be opened: %s", call,
                library_name, reason != NULL ? reason : "no such library");
    return cudaErrorNotSupported;
  }
  memcpy(&find, &found, sizeof find); /* C has no cast for it */
  atomic_store(&find_entry, find);
  return cudaSuccess;
}

static cudaError_t check_request(const char *call, const char *symbol, void **function, unsigned long long flags) {
  if (symbol == NULL || function == NULL) {
    vptr__error(VPTR_ERROR_NULL_POINTER, "%s: the name or the output is NULL", call);
    return cudaErrorInvalidValue;
  }
  if (flags > cudaEnablePerThreadDefaultStream) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: flags are 0x%llx, and can be 0, 1 or 2", call, flags);
    return cudaErrorInvalidValue;
  }
  return open_driver(call);
}

/* What is not found is no error, but NULL. */
static cudaError_t tell_absent(CUdriverProcAddressQueryResult found, void **function,
                               enum cudaDriverEntryPointQueryResult *status) {
  *function = NULL;
  if (status != NULL)
    *status = found == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT ? cudaDriverEntryPointVersionNotSufficent
                                                                  : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

/* Flags are the driver's of the same values, but that its 0 is not the caller's. */
static cudaError_t get_entry(const char *call, const char *symbol, void **function, unsigned version,
                             unsigned long long flags, bool is_own, enum cudaDriverEntryPointQueryResult *status) {
  void *found = NULL;
  CUdriverProcAddressQueryResult answer = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess)
    error = check_request(call, symbol, function, flags);
  if (error != cudaSuccess)
    return error;
  if (flags == cudaEnableDefault)
    flags = is_own ? cudaEnablePerThreadDefaultStream : cudaEnableLegacyStream;
  vptr__error_try();
  CUresult result = atomic_load(&find_entry)(symbol, &found, (int)version, flags, &answer);
  vptr__error_tried(result == CUDA_ERROR_INVALID_VALUE ? VPTR_ERROR_INVALID_ARGUMENT : VPTR_SUCCESS);
  if (result == CUDA_ERROR_INVALID_VALUE)
    return cudaErrorInvalidValue;
  if (result != CUDA_SUCCESS)
    return tell_absent(answer, function, status);
  *function = found;
  if (status != NULL)
    *status = cudaDriverEntryPointSuccess;
  return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *driverStatus) {
  return vptr__cuda_record(
      get_entry("cudaGetDriverEntryPoint", symbol, funcPtr, CUDART_VERSION, flags, false, driverStatus));
}

cudaError_t cudaGetDriverEntryPoint_ptsz(const char *symbol, void **funcPtr, unsigned long long flags,
                                         enum cudaDriverEntryPointQueryResult *driverStatus) {
  return vptr__cuda_record(
      get_entry("cudaGetDriverEntryPoint", symbol, funcPtr, CUDART_VERSION, flags, true, driverStatus));
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr, unsigned int cudaVersion,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *driverStatus) {
  return vptr__cuda_record(
      get_entry("cudaGetDriverEntryPointByVersion", symbol, funcPtr, cudaVersion, flags, false, driverStatus));
}

cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char *symbol, void **funcPtr, unsigned int cudaVersion,
                                                  unsigned long long flags,
                                                  enum cudaDriverEntryPointQueryResult *driverStatus) {
  return vptr__cuda_record(
      get_entry("cudaGetDriverEntryPointByVersion", symbol, funcPtr, cudaVersion, flags, true, driverStatus));
}
