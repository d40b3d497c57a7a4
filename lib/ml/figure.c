/* SPDX-License-Identifier: MIT */
/*
 * figure - what a device can: its compute capability, and what the runtime's attributes tell.
 *
 * Each value is an attribute of cudaDeviceGetAttribute()'s, of which doc/cuda-device-properties.md says where it comes
 * from. What is invented there, such as the width of the memory's bus, is not told here, but in unknown.c. No state, no
 * locks. Called by programs. Nothing blocks.
 */
#include "cuda/property.h"
#include "ml/device.h"
#include "ml/memory.h"
#include "ml/status.h"

/* For a call with one answer: the attribute's value for the device. */
static nvmlReturn_t get_attribute(const char *call, nvmlDevice_t device, const void *output,
                                  enum cudaDeviceAttr attribute, int *value_out) {
  int ordinal = 0;
  nvmlReturn_t result = vptr__ml_device(call, device, output, &ordinal);
  return result == NVML_SUCCESS ? vptr__ml_return_of(vptr__cuda_get_attribute(value_out, attribute, ordinal))
                                : result;
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor) {
  static const char call[] = "nvmlDeviceGetCudaComputeCapability";
  int first = 0, second = 0;
  nvmlReturn_t result =
      get_attribute(call, device, minor != NULL ? major : NULL, cudaDevAttrComputeCapabilityMajor, &first);
  if (result == NVML_SUCCESS)
    result = get_attribute(call, device, minor, cudaDevAttrComputeCapabilityMinor, &second);
  if (result == NVML_SUCCESS) {
    *major = first;
    *minor = second;
  }
  return result;
}

static nvmlDeviceArchitecture_t architecture_of(int capability) {
  static const struct {
    int least;
    nvmlDeviceArchitecture_t architecture;
  } rows[] = {
    { 100, NVML_DEVICE_ARCH_BLACKWELL }, { 90, NVML_DEVICE_ARCH_HOPPER },  { 89, NVML_DEVICE_ARCH_ADA },
    { 80, NVML_DEVICE_ARCH_AMPERE },     { 75, NVML_DEVICE_ARCH_TURING },  { 70, NVML_DEVICE_ARCH_VOLTA },
    { 60, NVML_DEVICE_ARCH_PASCAL },     { 50, NVML_DEVICE_ARCH_MAXWELL }, { 30, NVML_DEVICE_ARCH_KEPLER },
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (capability >= rows[i].least)
      return rows[i].architecture;
  return NVML_DEVICE_ARCH_UNKNOWN;
}

nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device, nvmlDeviceArchitecture_t *arch) {
  static const char call[] = "nvmlDeviceGetArchitecture";
  int major = 0, minor = 0;
  nvmlReturn_t result = get_attribute(call, device, arch, cudaDevAttrComputeCapabilityMajor, &major);
  if (result == NVML_SUCCESS)
    result = get_attribute(call, device, arch, cudaDevAttrComputeCapabilityMinor, &minor);
  if (result == NVML_SUCCESS)
    *arch = architecture_of(major * 10 + minor);
  return result;
}

/* A device is one instance, all of it. */
nvmlReturn_t nvmlDeviceGetAttributes_v2(nvmlDevice_t device, nvmlDeviceAttributes_t *attributes) {
  static const char call[] = "nvmlDeviceGetAttributes";
  int processors = 0, engines = 0, ordinal = 0;
  size_t total = 0, left = 0;
  nvmlReturn_t result = get_attribute(call, device, attributes, cudaDevAttrMultiProcessorCount, &processors);
  if (result == NVML_SUCCESS)
    result = get_attribute(call, device, attributes, cudaDevAttrAsyncEngineCount, &engines);
  if (result == NVML_SUCCESS)
    result = vptr__ml_device(call, device, attributes, &ordinal);
  if (result == NVML_SUCCESS)
    result = vptr__ml_memory_of(call, ordinal, &total, &left);
  if (result == NVML_SUCCESS)
    *attributes = (nvmlDeviceAttributes_t){ .multiprocessorCount = (unsigned)processors,
                                            .sharedCopyEngineCount = (unsigned)engines,
                                            .memorySizeMB = total >> 20 };
  return result;
}

nvmlReturn_t nvmlDeviceGetAttributes(nvmlDevice_t device, nvmlDeviceAttributes_t *attributes) {
  return nvmlDeviceGetAttributes_v2(device, attributes);
}

/* cudaComputeMode and NVML's have the same values. */
nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode) {
  int value = 0;
  nvmlReturn_t result = get_attribute("nvmlDeviceGetComputeMode", device, mode, cudaDevAttrComputeMode, &value);
  if (result == NVML_SUCCESS)
    *mode = (nvmlComputeMode_t)value;
  return result;
}

nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t *current, nvmlEnableState_t *pending) {
  int enabled = 0;
  nvmlReturn_t result = get_attribute("nvmlDeviceGetEccMode", device, pending != NULL ? current : NULL,
                                      cudaDevAttrEccEnabled, &enabled);
  if (result == NVML_SUCCESS)
    *current = *pending = enabled ? NVML_FEATURE_ENABLED : NVML_FEATURE_DISABLED;
  return result;
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *clock) {
  static const char call[] = "nvmlDeviceGetMaxClockInfo";
  int kilohertz = 0;
  nvmlReturn_t result = get_attribute(call, device, clock, cudaDevAttrClockRate, &kilohertz);
  if (result == NVML_SUCCESS && (unsigned)type >= NVML_CLOCK_COUNT)
    return vptr__ml_invalid(call, "there is no such clock");
  if (result == NVML_SUCCESS && type != NVML_CLOCK_GRAPHICS && type != NVML_CLOCK_SM)
    return vptr__ml_not_told(call, "the clocks of memory and video");
  if (result == NVML_SUCCESS)
    *clock = (unsigned)kilohertz / 1000;
  return result;
}
