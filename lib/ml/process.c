/* SPDX-License-Identifier: MIT */
/*
 * process - which processes use a device, and what they are called.
 *
 * vptr knows of the process that it is in, which uses a device from when it has opened it; OpenCL tells of no other. No
 * state, no locks. Called by programs. Nothing blocks.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "mapper/mapper.h"
#include "ml/device.h"
#include "ml/library.h"
#include "ml/memory.h"
#include "ml/status.h"

enum { MOST_NAME = 4096, NO_INSTANCE = -1 };

/* 0 or 1 processes. INSUFFICIENT_SIZE tells the program how many there are, and writes no other output. */
static nvmlReturn_t get_processes(const char *call, nvmlDevice_t device, unsigned *count, const void *infos,
                                  nvmlProcessInfo_t *info_out) {
  size_t total = 0, left = 0;
  int ordinal = 0;
  nvmlReturn_t result = vptr__ml_device(call, device, count, &ordinal);
  if (result == NVML_SUCCESS && *count > 0 && infos == NULL)
    result = vptr__ml_invalid(call, "the count is not 0, and there is no place for processes");
  if (result != NVML_SUCCESS)
    return result;
  unsigned room = *count, there = vptr__mapper_made(ordinal) != NULL;
  if (room < there) {
    *count = there;
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: there is room for no process, and there is one", call);
    return NVML_ERROR_INSUFFICIENT_SIZE;
  }
  if (there)
    result = vptr__ml_memory_of(call, ordinal, &total, &left);
  if (result != NVML_SUCCESS)
    return result;
  *count = there;
  *info_out = (nvmlProcessInfo_t){ (unsigned)getpid(), total - left, (unsigned)NO_INSTANCE, (unsigned)NO_INSTANCE };
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int *infoCount,
                                                     nvmlProcessInfo_t *infos) {
  nvmlProcessInfo_t info;
  nvmlReturn_t result = get_processes("nvmlDeviceGetComputeRunningProcesses", device, infoCount, infos, &info);
  if (result == NVML_SUCCESS && *infoCount > 0)
    *infos = info;
  return result;
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t device, unsigned int *infoCount,
                                                     nvmlProcessInfo_v2_t *infos) {
  return nvmlDeviceGetComputeRunningProcesses_v3(device, infoCount, infos);
}

/* Programs of before CUDA 11, whose structure is shorter. */
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned int *infoCount,
                                                  nvmlProcessInfo_v1_t *infos) {
  nvmlProcessInfo_t info;
  nvmlReturn_t result = get_processes("nvmlDeviceGetComputeRunningProcesses", device, infoCount, infos, &info);
  if (result == NVML_SUCCESS && *infoCount > 0)
    *infos = (nvmlProcessInfo_v1_t){ info.pid, info.usedGpuMemory };
  return result;
}

/* The command, without its arguments. */
static nvmlReturn_t read_name(const char *call, unsigned pid, char name[MOST_NAME]) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%u/cmdline", pid);
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: there is no process %u", call, pid);
    return NVML_ERROR_NOT_FOUND;
  }
  size_t size = fread(name, 1, MOST_NAME - 1, file);
  name[size] = '\0';
  fclose(file);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlSystemGetProcessName(unsigned int pid, char *name, unsigned int length) {
  static const char call[] = "nvmlSystemGetProcessName";
  char text[MOST_NAME];
  nvmlReturn_t result = vptr__ml_begun(call);
  if (result == NVML_SUCCESS && (name == NULL || length == 0))
    result = vptr__ml_invalid(call, "there is no place for the name");
  if (result == NVML_SUCCESS)
    result = read_name(call, pid, text);
  if (result == NVML_SUCCESS)
    snprintf(name, length, "%s", text); /* as NVML's, what is longer is cut */
  return result;
}
