/* SPDX-License-Identifier: MIT */
/*
 * library - nvmlInit() and nvmlShutdown(), and which versions of what there are; see library.h.
 *
 * The look for devices is the process's (device/choice.c), and is not given back: a shutdown only lowers the count. So
 * a shutdown in one thread cannot take a device from under a call in another. No locks: `count` is atomic. Called by
 * programs; and by device.c and process.c, which ask whether NVML has begun. The first look for devices blocks while
 * OpenCL's drivers are loaded.
 */
#include "ml/library.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cuda/property.h"
#include "device/device.h"
#include "ml/status.h"

#include <vptr/cuda/cuda_runtime_api.h>

enum { MOST_VERSION = 256 };

static atomic_int count;

nvmlReturn_t vptr__ml_begun(const char *call) {
  if (atomic_load(&count) > 0)
    return NVML_SUCCESS;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: nvmlInit() comes first", call);
  return NVML_ERROR_UNINITIALIZED;
}

/* The list itself says what is missing. */
static nvmlReturn_t check_devices(void) {
  const vptr__device_entry *entries;
  int listed;
  return vptr__device_list(&entries, &listed) == VPTR_SUCCESS ? NVML_SUCCESS : NVML_ERROR_DRIVER_NOT_LOADED;
}

nvmlReturn_t nvmlInitWithFlags(unsigned int flags) {
  if ((flags & ~(unsigned)(NVML_INIT_FLAG_NO_GPUS | NVML_INIT_FLAG_NO_ATTACH)) != 0)
    return vptr__ml_invalid("nvmlInitWithFlags", "there are no flags but NO_GPUS and NO_ATTACH");
  nvmlReturn_t result = check_devices();
  if (result != NVML_SUCCESS && (flags & NVML_INIT_FLAG_NO_GPUS) == 0)
    return result;
  atomic_fetch_add(&count, 1);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlInit_v2(void) {
  return nvmlInitWithFlags(0);
}

nvmlReturn_t nvmlInit(void) {
  return nvmlInitWithFlags(0);
}

nvmlReturn_t nvmlShutdown(void) {
  int before = atomic_load(&count);
  while (before > 0 && !atomic_compare_exchange_weak(&count, &before, before - 1))
    ;
  return before > 0 ? NVML_SUCCESS : vptr__ml_begun("nvmlShutdown");
}

/* ---- versions ------------------------------------------------------------------------------------------- */

static nvmlReturn_t check_output(const char *call, const void *output) {
  nvmlReturn_t result = vptr__ml_begun(call);
  return result != NVML_SUCCESS || output != NULL ? result
                                                  : vptr__ml_invalid(call, "there is no place for the answer");
}

/* The fake device has no driver but this library. */
nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length) {
  static const char call[] = "nvmlSystemGetDriverVersion";
  char text[MOST_VERSION] = VPTR_VERSION_STRING;
  vptr__cuda_subject subject;
  nvmlReturn_t result = check_output(call, version);
  if (result == NVML_SUCCESS)
    result = vptr__ml_return_of(vptr__cuda_subject_of(call, 0, &subject));
  if (result != NVML_SUCCESS)
    return result;
  if (subject.device != NULL &&
      clGetDeviceInfo(subject.device, CL_DRIVER_VERSION, sizeof text, text, NULL) != CL_SUCCESS) {
    vptr__error(VPTR_ERROR_OPENCL, "%s: %s does not tell CL_DRIVER_VERSION", call, subject.name);
    return NVML_ERROR_UNKNOWN;
  }
  return vptr__ml_put_text(call, text, version, length);
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned int length) {
  static const char call[] = "nvmlSystemGetNVMLVersion";
  nvmlReturn_t result = check_output(call, version);
  return result == NVML_SUCCESS
             ? vptr__ml_put_text(call, NVML_API_VERSION_STR "." VPTR_VERSION_STRING, version, length)
             : result;
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *cudaDriverVersion) {
  nvmlReturn_t result = check_output("nvmlSystemGetCudaDriverVersion", cudaDriverVersion);
  if (result == NVML_SUCCESS)
    *cudaDriverVersion = CUDART_VERSION;
  return result;
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *cudaDriverVersion) {
  return nvmlSystemGetCudaDriverVersion_v2(cudaDriverVersion);
}
