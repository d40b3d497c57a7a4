/* SPDX-License-Identifier: MIT */
/*
 * identity - what a device is called: its name, index, UUID and place on the bus.
 *
 * They are the runtime's (cuda/property_identity.c), so that a program that knows a device by one of them, from NVML or
 * from CUDA, finds it by the other. No state, no locks. Called by programs; and by device.c, which looks for a UUID.
 * Nothing blocks.
 */
#include "ml/identity.h"

#include <stdio.h>
#include <string.h>

#include "cuda/property.h"
#include "ml/device.h"
#include "ml/status.h"

nvmlReturn_t vptr__ml_uuid_text(int ordinal, char text[VPTR__ML_UUID_SIZE]) {
  vptr__cuda_subject subject;
  char bytes[16];
  cudaError_t error = vptr__cuda_subject_of("nvmlDeviceGetUUID", ordinal, &subject);
  if (error != cudaSuccess)
    return vptr__ml_return_of(error);
  vptr__cuda_uuid_of(&subject, bytes);
  int end = snprintf(text, VPTR__ML_UUID_SIZE, "GPU");
  for (int i = 0; i < 16; i++)
    end += snprintf(text + end, VPTR__ML_UUID_SIZE - (size_t)end, i % 2 == 0 && i != 2 && i < 11 ? "-%02x" : "%02x",
                    (unsigned char)bytes[i]);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length) {
  char text[VPTR__ML_UUID_SIZE];
  int ordinal = 0;
  nvmlReturn_t result = vptr__ml_device("nvmlDeviceGetUUID", device, uuid, &ordinal);
  if (result == NVML_SUCCESS)
    result = vptr__ml_uuid_text(ordinal, text);
  return result == NVML_SUCCESS ? vptr__ml_put_text("nvmlDeviceGetUUID", text, uuid, length) : result;
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length) {
  vptr__cuda_subject subject = { 0 };
  int ordinal = 0;
  nvmlReturn_t result = vptr__ml_device("nvmlDeviceGetName", device, name, &ordinal);
  if (result == NVML_SUCCESS)
    result = vptr__ml_return_of(vptr__cuda_subject_of("nvmlDeviceGetName", ordinal, &subject));
  return result == NVML_SUCCESS ? vptr__ml_put_text("nvmlDeviceGetName", subject.name, name, length) : result;
}

/* A device of OpenCL has none of NVIDIA's brands, as far as it tells. */
nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t *type) {
  int ordinal = 0;
  nvmlReturn_t result = vptr__ml_device("nvmlDeviceGetBrand", device, type, &ordinal);
  if (result == NVML_SUCCESS)
    *type = NVML_BRAND_UNKNOWN;
  return result;
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index) {
  int ordinal = 0;
  nvmlReturn_t result = vptr__ml_device("nvmlDeviceGetIndex", device, index, &ordinal);
  if (result == NVML_SUCCESS)
    *index = (unsigned)ordinal;
  return result;
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  vptr__ml_place place = { 0 };
  int ordinal = 0;
  nvmlReturn_t result = vptr__ml_device("nvmlDeviceGetPciInfo", device, pci, &ordinal);
  if (result == NVML_SUCCESS)
    result = vptr__ml_place_of(ordinal, &place);
  if (result != NVML_SUCCESS)
    return result;
  nvmlPciInfo_t info = { .domain = (unsigned)place.domain,
                         .bus = (unsigned)place.bus,
                         .device = (unsigned)place.device };
  /* The older text has room for a domain of 16 bits. */
  snprintf(info.busIdLegacy, sizeof info.busIdLegacy, NVML_DEVICE_PCI_BUS_ID_LEGACY_FMT, info.domain & 0xffff,
           info.bus & 0xff, info.device & 0xff);
  snprintf(info.busId, sizeof info.busId, NVML_DEVICE_PCI_BUS_ID_FMT, NVML_DEVICE_PCI_BUS_ID_FMT_ARGS(&info));
  *pci = info;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  return nvmlDeviceGetPciInfo_v3(device, pci);
}

/* The first version's structure ended before the newer text. */
nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  nvmlPciInfo_t info;
  nvmlReturn_t result = nvmlDeviceGetPciInfo_v3(device, pci != NULL ? &info : NULL);
  if (result == NVML_SUCCESS)
    memcpy(pci, &info, offsetof(nvmlPciInfo_t, busId));
  return result;
}

nvmlReturn_t nvmlDeviceOnSameBoard(nvmlDevice_t device1, nvmlDevice_t device2, int *onSameBoard) {
  int first = 0, second = 0;
  nvmlReturn_t result = vptr__ml_device("nvmlDeviceOnSameBoard", device1, onSameBoard, &first);
  if (result == NVML_SUCCESS)
    result = vptr__ml_device("nvmlDeviceOnSameBoard", device2, onSameBoard, &second);
  if (result == NVML_SUCCESS)
    *onSameBoard = first == second;
  return result;
}

/* There are no handles of a device's parts: VPTR_PARTITION makes devices of them. */
nvmlReturn_t nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device, unsigned int *isMigDevice) {
  int ordinal = 0;
  nvmlReturn_t result = vptr__ml_device("nvmlDeviceIsMigDeviceHandle", device, isMigDevice, &ordinal);
  if (result == NVML_SUCCESS)
    *isMigDevice = 0;
  return result;
}
