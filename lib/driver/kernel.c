/* SPDX-License-Identifier: MIT */
/*
 * kernel - cuKernel*(): what is known of kernels, whatever device is current.
 *
 * A CUkernel has the address that the same kernel's CUfunction has: it is built for each device where it is used. What
 * is asked of one device is the function's answer while that device's primary context is current. No state, no locks.
 * Called by programs, directly or by the table in entry.c. Questions about a build have the driver build the kernel,
 * which blocks.
 */
#include "base/error.h"
#include "cuda/library.h"
#include "driver/context.h"
#include "driver/result.h"
#include "driver/variant.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* entered: what came of the checks before. */
static CUresult find_kernel(CUresult entered, const char *call, CUkernel kernel, const void *output,
                            vptr__function **function_out) {
  CUresult result = vptr__driver_check_pointer(entered, call, output, "the output");
  if (result != CUDA_SUCCESS)
    return result;
  *function_out = kernel != NULL ? vptr__function_of(kernel) : NULL;
  if (*function_out != NULL)
    return CUDA_SUCCESS;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no kernel of a library that is loaded", call, (void *)kernel);
  return vptr__driver_refuse(CUDA_ERROR_INVALID_HANDLE);
}

CUresult cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel) {
  vptr__function *function;
  CUresult result = find_kernel(vptr__driver_enter(NULL), "cuKernelGetFunction", kernel, pFunc, &function);
  if (result == CUDA_SUCCESS)
    *pFunc = (CUfunction)function;
  return result;
}

CUresult cuKernelGetLibrary(CUlibrary *pLib, CUkernel kernel) {
  vptr__function *function;
  CUresult result = find_kernel(vptr__driver_begun(), "cuKernelGetLibrary", kernel, pLib, &function);
  if (result != CUDA_SUCCESS)
    return result;
  CUlibrary library = vptr__cuda_library_of(vptr__function_module(function));
  if (library == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                "cuKernelGetLibrary: kernel %s came with a module or the program, not "
                "with a library",
                vptr__function_image(function)->name);
    return vptr__driver_refuse(CUDA_ERROR_NOT_FOUND);
  }
  *pLib = library;
  return CUDA_SUCCESS;
}

CUresult cuKernelGetName(const char **name, CUkernel hfunc) {
  vptr__function *function;
  CUresult result = find_kernel(vptr__driver_begun(), "cuKernelGetName", hfunc, name, &function);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaFuncGetName(name, hfunc)) : result;
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t *paramOffset, size_t *paramSize) {
  vptr__function *function;
  CUresult result = find_kernel(vptr__driver_begun(), "cuKernelGetParamInfo", kernel, paramOffset, &function);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaFuncGetParamInfo(kernel, paramIndex, paramOffset, paramSize));
}

/* ---- on one device -------------------------------------------------------------------------------------- */

static CUresult find_on_device(const char *call, CUkernel kernel, CUdevice device, const void *output) {
  vptr__function *function;
  return find_kernel(vptr__driver_check_device(call, device), call, kernel, output, &function);
}

CUresult cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev) {
  CUresult result = find_on_device("cuKernelGetAttribute", kernel, dev, pi);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_push(vptr__driver_primary(dev));
  if (result != CUDA_SUCCESS)
    return result;
  result = cuFuncGetAttribute(pi, attrib, (CUfunction)(void *)kernel);
  vptr__driver_pop(NULL);
  return result;
}

CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev) {
  CUresult result = find_on_device("cuKernelSetAttribute", kernel, dev, "");
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaKernelSetAttributeForDevice(kernel, (enum cudaFuncAttribute)attrib, val, dev));
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev) {
  CUresult result = find_on_device("cuKernelSetCacheConfig", kernel, dev, "");
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaFuncSetCacheConfig(kernel, (enum cudaFuncCache)config));
}
