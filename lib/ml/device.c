/* SPDX-License-Identifier: MIT */
/*
 * device - counting devices, and finding one by its index, its UUID or its place on the bus; see device.h.
 *
 * No state but constant addresses, no locks. Called by programs; and by identity.c, memory.c, figure.c, process.c and
 * unknown.c, which look at what they were given. Nothing blocks but the first look for devices.
 */
#include "ml/device.h"

#include <stdio.h>
#include <strings.h>

#include "base/error.h"
#include "cuda/property.h"
#include "device/device.h"
#include "ml/identity.h"
#include "ml/library.h"
#include "ml/status.h"

struct nvmlDevice_st {
  char nothing; /* what is at a handle's address is never looked at */
};

static struct nvmlDevice_st handles[VPTR__MOST_DEVICES];

nvmlReturn_t vptr__ml_device(const char *call, nvmlDevice_t device, const void *output, int *ordinal_out) {
  nvmlReturn_t result = vptr__ml_begun(call);
  if (result != NVML_SUCCESS)
    return result;
  if (output == NULL)
    return vptr__ml_invalid(call, "there is no place for the answer");
  for (int ordinal = 0; ordinal < vptr__device_count(); ordinal++)
    if (device == &handles[ordinal]) {
      *ordinal_out = ordinal;
      return NVML_SUCCESS;
    }
  return vptr__ml_invalid(call, "the handle is no device's: nvmlDeviceGetHandleByIndex() gives one");
}

nvmlReturn_t vptr__ml_place_of(int ordinal, vptr__ml_place *place_out) {
  vptr__ml_place place = { 0 };
  cudaError_t error = vptr__cuda_get_attribute(&place.domain, cudaDevAttrPciDomainId, ordinal);
  if (error == cudaSuccess)
    error = vptr__cuda_get_attribute(&place.bus, cudaDevAttrPciBusId, ordinal);
  if (error == cudaSuccess)
    error = vptr__cuda_get_attribute(&place.device, cudaDevAttrPciDeviceId, ordinal);
  if (error == cudaSuccess)
    *place_out = place;
  return vptr__ml_return_of(error);
}

/* Of a call that asks for a device by what key points at. */
static nvmlReturn_t check_search(const char *call, const void *key, const void *output) {
  nvmlReturn_t result = vptr__ml_begun(call);
  if (result == NVML_SUCCESS && (key == NULL || output == NULL))
    result =
        vptr__ml_invalid(call, key == NULL ? "there is nothing to look for" : "there is no place for the device");
  return result;
}

static nvmlReturn_t say_not_found(const char *call, const char *key) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: none of %d devices is %.80s", call, vptr__device_count(), key);
  return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *deviceCount) {
  static const char call[] = "nvmlDeviceGetCount";
  nvmlReturn_t result = check_search(call, call, deviceCount);
  if (result == NVML_SUCCESS)
    *deviceCount = (unsigned)vptr__device_count();
  return result;
}

nvmlReturn_t nvmlDeviceGetCount(unsigned int *deviceCount) {
  return nvmlDeviceGetCount_v2(deviceCount);
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device) {
  static const char call[] = "nvmlDeviceGetHandleByIndex";
  nvmlReturn_t result = check_search(call, call, device);
  if (result != NVML_SUCCESS)
    return result;
  if (index >= (unsigned)vptr__device_count()) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: there is no device %u, there are %d", call, index,
                vptr__device_count());
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *device = &handles[index];
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t *device) {
  return nvmlDeviceGetHandleByIndex_v2(index, device);
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device) {
  static const char call[] = "nvmlDeviceGetHandleByUUID";
  nvmlReturn_t result = check_search(call, uuid, device);
  for (int ordinal = 0; result == NVML_SUCCESS && ordinal < vptr__device_count(); ordinal++) {
    char text[VPTR__ML_UUID_SIZE];
    result = vptr__ml_uuid_text(ordinal, text);
    if (result == NVML_SUCCESS && strcasecmp(text, uuid) == 0) {
      *device = &handles[ordinal];
      return NVML_SUCCESS;
    }
  }
  return result == NVML_SUCCESS ? say_not_found(call, uuid) : result;
}

/* [domain:]bus:device[.function], in hexadecimal; OpenCL tells of function 0 alone. */
static bool parse_place(const char *text, vptr__ml_place *place_out) {
  unsigned domain = 0, bus, device, function = 0;
  int end = 0, more = 0;
  if (sscanf(text, "%x:%x:%x%n", &domain, &bus, &device, &end) < 3) {
    domain = 0;
    if (sscanf(text, "%x:%x%n", &bus, &device, &end) < 2)
      return false;
  }
  if (sscanf(text + end, ".%x%n", &function, &more) == 1)
    end += more;
  *place_out = (vptr__ml_place){ (int)domain, (int)bus, (int)device };
  return text[end] == '\0' && function == 0;
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *pciBusId, nvmlDevice_t *device) {
  static const char call[] = "nvmlDeviceGetHandleByPciBusId";
  vptr__ml_place wanted = { 0 }, place = { 0 };
  nvmlReturn_t result = check_search(call, pciBusId, device);
  if (result == NVML_SUCCESS && !parse_place(pciBusId, &wanted))
    result = vptr__ml_invalid(call, "the text is not domain:bus:device.function");
  for (int ordinal = 0; result == NVML_SUCCESS && ordinal < vptr__device_count(); ordinal++) {
    result = vptr__ml_place_of(ordinal, &place);
    if (result == NVML_SUCCESS && place.domain == wanted.domain && place.bus == wanted.bus &&
        place.device == wanted.device) {
      *device = &handles[ordinal];
      return NVML_SUCCESS;
    }
  }
  return result == NVML_SUCCESS ? say_not_found(call, pciBusId) : result;
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *pciBusId, nvmlDevice_t *device) {
  return nvmlDeviceGetHandleByPciBusId_v2(pciBusId, device);
}
