/* SPDX-License-Identifier: MIT */
/*
 * memory - nvmlDeviceGetMemoryInfo(); see memory.h.
 *
 * OpenCL tells how much memory a device has, and not what other processes hold of it, so what is in use is what vptr
 * holds in this one. Opening a device may take a second and some hundred megabytes, which no program expects of NVML:
 * of one that is not open the driver is asked for its size, and nothing is in use. No state, no locks. Called by
 * programs; and by figure.c and process.c. Nothing blocks, but that the fake device is opened.
 */
#include "ml/memory.h"

#include "base/error.h"
#include "cuda/memory.h"
#include "cuda/property.h"
#include "mapper/mapper.h"
#include "ml/device.h"
#include "ml/status.h"

static nvmlReturn_t ask_driver(const char *call, cl_device_id device, size_t *bytes_out) {
  cl_ulong bytes = 0;
  if (clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof bytes, &bytes, NULL) != CL_SUCCESS) {
    vptr__error(VPTR_ERROR_OPENCL, "%s: the device does not tell CL_DEVICE_GLOBAL_MEM_SIZE", call);
    return NVML_ERROR_UNKNOWN;
  }
  *bytes_out = (size_t)bytes;
  return NVML_SUCCESS;
}

nvmlReturn_t vptr__ml_memory_of(const char *call, int ordinal, size_t *total_out, size_t *free_out) {
  vptr__cuda_subject subject;
  vptr_mapper *mapper = vptr__mapper_made(ordinal);
  nvmlReturn_t result = vptr__ml_return_of(vptr__cuda_subject_of(call, ordinal, &subject));
  if (result != NVML_SUCCESS)
    return result;
  if (mapper == NULL && subject.device == NULL && vptr__mapper_for_device(ordinal, &mapper) != VPTR_SUCCESS)
    return NVML_ERROR_UNKNOWN;
  if (mapper != NULL)
    return vptr__ml_return_of(vptr__cuda_memory_of(mapper, free_out, total_out));
  result = ask_driver(call, subject.device, total_out);
  if (result == NVML_SUCCESS)
    *free_out = *total_out;
  return result;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
  static const char call[] = "nvmlDeviceGetMemoryInfo";
  size_t total = 0, left = 0;
  int ordinal = 0;
  nvmlReturn_t result = vptr__ml_device(call, device, memory, &ordinal);
  if (result == NVML_SUCCESS)
    result = vptr__ml_memory_of(call, ordinal, &total, &left);
  if (result == NVML_SUCCESS)
    *memory = (nvmlMemory_t){ total, left, total - left };
  return result;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory) {
  static const char call[] = "nvmlDeviceGetMemoryInfo_v2";
  size_t total = 0, left = 0;
  int ordinal = 0;
  nvmlReturn_t result = vptr__ml_device(call, device, memory, &ordinal);
  if (result == NVML_SUCCESS && memory->version != nvmlMemory_v2) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the structure's version is %#x, and here it is nvmlMemory_v2, %#x",
                call, memory->version, nvmlMemory_v2);
    return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  }
  if (result == NVML_SUCCESS)
    result = vptr__ml_memory_of(call, ordinal, &total, &left);
  if (result == NVML_SUCCESS)
    *memory = (nvmlMemory_v2_t){ nvmlMemory_v2, total, 0, left, total - left };
  return result;
}
