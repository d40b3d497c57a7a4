/* SPDX-License-Identifier: MIT */
/*
 * svm_memory - see svm_memory.h.
 *
 * Shared virtual memory is the driver's, as it comes. Pinned and device memory are vptr's, which keeps what is
 * freed: a library would keep shared virtual memory as well, so a pair of the one is not to be held against a pair
 * of the other.
 */
#include "svm_memory.h"

#include <cuda_runtime_api.h>
#include <vptr/vptr_usm.h>

#include <stdio.h>
#include <stdlib.h>

/* ---- the device ------------------------------------------------------------------------------------------ */

/* OpenCL 2.0 brought the calls; what an older driver's table of functions has in their place is nobody's to know. */
static cl_device_svm_capabilities capabilities(void) {
  char version[128] = "";
  unsigned major = 0;
  cl_device_svm_capabilities svm = 0;
  cl_device_id device = vptr_get_device(NULL);
  if (clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL) != CL_SUCCESS ||
      sscanf(version, "OpenCL %u", &major) != 1 || major < 2 ||
      clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL) != CL_SUCCESS)
    return 0;
  return svm;
}

const char *svm_capabilities(void) {
  static char text[80];
  cl_device_svm_capabilities svm = capabilities();
  snprintf(text, sizeof text, "%s%s%s%s%s", svm == 0 ? "none" : "",
           (svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0 ? "coarse" : "",
           (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0 ? ", fine" : "",
           (svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0 ? ", system" : "",
           (svm & CL_DEVICE_SVM_ATOMICS) != 0 ? ", atomics" : "");
  return text;
}

/* ---- both sides' at once --------------------------------------------------------------------------------- */

/* Nothing to do: whoever takes it has waited for the kernel. */
static bool take_in_place(svm_memory *memory, svm_use use) {
  (void)use;
  memory->host = memory->ptr;
  return true;
}

static bool give_in_place(svm_memory *memory) {
  (void)memory;
  return true;
}

static bool argument_by_vptr(cl_kernel kernel, const svm_memory *memory) {
  return vptr_set_kernel_arg(NULL, kernel, 0, memory->ptr) == VPTR_SUCCESS;
}

static bool argument_by_svm(cl_kernel kernel, const svm_memory *memory) {
  return clSetKernelArgSVMPointer(kernel, 0, memory->ptr) == CL_SUCCESS;
}

/* ---- pinned memory --------------------------------------------------------------------------------------- */

static const char *pinned_missing(void) {
  return vptr_usm_supports(NULL, VPTR_USM_HOST) != 0 ? NULL : "kernels do not reach pinned memory";
}

static bool pinned_allocate(svm_memory *memory) {
  return vptr_usm_alloc(NULL, VPTR_USM_HOST, memory->size, 0, &memory->ptr) == VPTR_SUCCESS;
}

static bool pinned_free(svm_memory *memory) {
  return vptr_usm_free(NULL, memory->ptr) == VPTR_SUCCESS;
}

/* ---- device memory, and a pinned runner -------------------------------------------------------------------- */

static const char *copies_missing(void) {
  return NULL;
}

static bool copies_allocate(svm_memory *memory) {
  if (vptr_usm_alloc(NULL, VPTR_USM_HOST, memory->size, 0, &memory->host) != VPTR_SUCCESS)
    return false;
  if (vptr_malloc(NULL, memory->size, &memory->ptr) == VPTR_SUCCESS)
    return true;
  vptr_usm_free(NULL, memory->host);
  return false;
}

static bool copies_free(svm_memory *memory) {
  bool good = vptr_free(NULL, memory->ptr) == VPTR_SUCCESS;
  return vptr_usm_free(NULL, memory->host) == VPTR_SUCCESS && good;
}

static bool copies_take(svm_memory *memory, svm_use use) {
  memory->is_changed = use != SVM_READ;
  return use == SVM_OVERWRITE ||
         cudaMemcpy(memory->host, memory->ptr, memory->size, cudaMemcpyDeviceToHost) == cudaSuccess;
}

static bool copies_give(svm_memory *memory) {
  return !memory->is_changed ||
         cudaMemcpy(memory->ptr, memory->host, memory->size, cudaMemcpyHostToDevice) == cudaSuccess;
}

/* ---- shared virtual memory ------------------------------------------------------------------------------- */

static const char *coarse_missing(void) {
  return (capabilities() & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0 ? NULL : "the driver has none";
}

static const char *fine_missing(void) {
  return (capabilities() & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0 ? NULL : "the driver has none";
}

static bool coarse_allocate(svm_memory *memory) {
  memory->ptr = clSVMAlloc(vptr_get_context(NULL), CL_MEM_READ_WRITE, memory->size, 0);
  return memory->ptr != NULL;
}

static bool fine_allocate(svm_memory *memory) {
  memory->ptr = clSVMAlloc(vptr_get_context(NULL), CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, memory->size, 0);
  return memory->ptr != NULL;
}

static bool svm_free(svm_memory *memory) {
  clSVMFree(vptr_get_context(NULL), memory->ptr);
  return true;
}

static bool coarse_take(svm_memory *memory, svm_use use) {
  static const cl_map_flags flags[] = { [SVM_OVERWRITE] = CL_MAP_WRITE_INVALIDATE_REGION,
                                        [SVM_CHANGE] = CL_MAP_READ | CL_MAP_WRITE,
                                        [SVM_READ] = CL_MAP_READ };
  memory->host = memory->ptr;
  return clEnqueueSVMMap(vptr_get_queue(NULL), CL_TRUE, flags[use], memory->ptr, memory->size, 0, NULL, NULL) ==
         CL_SUCCESS;
}

static bool coarse_give(svm_memory *memory) {
  return clEnqueueSVMUnmap(vptr_get_queue(NULL), memory->ptr, 0, NULL, NULL) == CL_SUCCESS &&
         clFinish(vptr_get_queue(NULL)) == CL_SUCCESS;
}

/* ---- plain memory ---------------------------------------------------------------------------------------- */

static const char *system_missing(void) {
  return vptr_usm_supports(NULL, VPTR_USM_SYSTEM) != 0 ? NULL : "kernels do not take it";
}

static bool system_allocate(svm_memory *memory) {
  memory->ptr = malloc(memory->size);
  return memory->ptr != NULL;
}

static bool system_free(svm_memory *memory) {
  free(memory->ptr);
  return true;
}

/* ---- all of them ----------------------------------------------------------------------------------------- */

const svm_way svm_ways[SVM_WAYS] = {
  [SVM_IN_PLACE] = { "pinned, in place", pinned_missing, pinned_allocate, pinned_free, take_in_place, give_in_place,
                     argument_by_vptr },
  [SVM_COPIES] = { "device, copied", copies_missing, copies_allocate, copies_free, copies_take, copies_give,
                   argument_by_vptr },
  [SVM_COARSE] = { "SVM, coarse", coarse_missing, coarse_allocate, svm_free, coarse_take, coarse_give,
                   argument_by_svm },
  [SVM_FINE] = { "SVM, fine", fine_missing, fine_allocate, svm_free, take_in_place, give_in_place, argument_by_svm },
  [SVM_SYSTEM] = { "plain", system_missing, system_allocate, system_free, take_in_place, give_in_place,
                   argument_by_vptr },
};
