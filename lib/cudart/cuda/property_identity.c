/* SPDX-License-Identifier: MIT */
/*
 * property_identity - how devices are told apart: their place on the PCI bus and their UUID.
 *
 * OpenCL tells both by extensions that few drivers have. Where there is no answer something is made up that is at least
 * unique in the process and the same in each run: programs use these as keys. No data, no locks of its own: the list of
 * devices has one, `lock` of vptr/device/platform.c, of rank DEVICE. Called by programs; by property.c, for the UUID;
 * by property_table.c, whose rows have the functions for domain, bus and slot; by driver/device.c; and by
 * ml/identity.c, for the UUID. Nothing blocks, but the look for devices while none has been found yet.
 */
#include "cuda/property.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* Of extensions, whose headers are not everywhere. */
#define PCI_BUS_INFO 0x410F   /* CL_DEVICE_PCI_BUS_INFO_KHR: 4 words */
#define PCI_BUS_ID_NV 0x4008  /* CL_DEVICE_PCI_BUS_ID_NV */
#define PCI_SLOT_ID_NV 0x4009 /* CL_DEVICE_PCI_SLOT_ID_NV: device number * 8 + function */
#define PCI_DOMAIN_NV 0x400A  /* CL_DEVICE_PCI_DOMAIN_ID_NV */
#define UUID_KHR 0x106A       /* CL_DEVICE_UUID_KHR: 16 bytes */

enum { NO_DOMAIN = 0xffff };

typedef struct place {
  uint32_t domain, bus, device, function;
} place;

static bool query_bytes(cl_device_id device, cl_device_info query, void *answer, size_t size) {
  size_t told = 0;
  return clGetDeviceInfo(device, query, size, answer, &told) == CL_SUCCESS && told == size;
}

static bool is_part(cl_device_id device) {
  cl_device_id parent = NULL;
  return query_bytes(device, CL_DEVICE_PARENT_DEVICE, &parent, sizeof parent) && parent != NULL;
}

/* Parts of a device share its slot, and so have no place of their own. */
static place place_of(const vptr__cuda_subject *subject) {
  place found = { NO_DOMAIN, 0, (uint32_t)subject->ordinal, 0 };
  uint32_t info[4], bus, slot, domain = 0;
  if (subject->device == NULL || is_part(subject->device))
    return found;
  if (query_bytes(subject->device, PCI_BUS_INFO, info, sizeof info))
    return (place){ info[0], info[1], info[2], info[3] };
  if (!query_bytes(subject->device, PCI_BUS_ID_NV, &bus, sizeof bus) ||
      !query_bytes(subject->device, PCI_SLOT_ID_NV, &slot, sizeof slot))
    return found;
  query_bytes(subject->device, PCI_DOMAIN_NV, &domain, sizeof domain); /* older drivers know one domain */
  return (place){ domain, bus, slot >> 3, slot & 7 };
}

int64_t vptr__cuda_ask_domain(const vptr__cuda_subject *subject, int64_t fixed) {
  (void)fixed;
  return place_of(subject).domain;
}

int64_t vptr__cuda_ask_bus(const vptr__cuda_subject *subject, int64_t fixed) {
  (void)fixed;
  return place_of(subject).bus;
}

int64_t vptr__cuda_ask_slot(const vptr__cuda_subject *subject, int64_t fixed) {
  (void)fixed;
  return place_of(subject).device;
}

/* 64-bit FNV-1a. */
static uint64_t hash_text(const char *text, uint64_t seed) {
  uint64_t value = UINT64_C(0xcbf29ce484222325) ^ seed;
  for (; *text != '\0'; text++)
    value = (value ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return value;
}

void vptr__cuda_uuid_of(const vptr__cuda_subject *subject, char uuid[16]) {
  if (subject->device != NULL && !is_part(subject->device) && query_bytes(subject->device, UUID_KHR, uuid, 16))
    return;
  uint64_t halves[2] = { hash_text(subject->name, 0), hash_text(subject->name, (uint64_t)subject->ordinal + 1) };
  memcpy(uuid, halves, sizeof halves);
}

/* ---- the place in words --------------------------------------------------------------------------------- */

/* What does not fit is cut off, and then refused: CUDA writes all the same. */
static cudaError_t get_bus_id(char *pciBusId, int len, int device) {
  vptr__cuda_subject subject;
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && pciBusId == NULL)
    error = vptr__cuda_null_output("cudaDeviceGetPCIBusId", "pciBusId");
  if (error == cudaSuccess)
    error = vptr__cuda_subject_of("cudaDeviceGetPCIBusId", device, &subject);
  if (error != cudaSuccess)
    return error;
  place at = place_of(&subject);
  int needed = 1 + snprintf(pciBusId, len > 0 ? (size_t)len : 0, "%04x:%02x:%02x.%x", at.domain, at.bus, at.device,
                            at.function);
  if (needed <= len)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaDeviceGetPCIBusId: len is %d, and the text takes %d bytes", len,
              needed);
  return cudaErrorInvalidValue;
}

/* domain:bus:device[.function] or bus:device.function, in hexadecimal. */
static bool parse_place(const char *text, place *place_out) {
  place read = { 0 };
  int end = 0, more = 0;
  bool has_domain = sscanf(text, "%x:%x:%x%n", &read.domain, &read.bus, &read.device, &end) == 3;
  if (!has_domain) {
    read.domain = 0;
    if (sscanf(text, "%x:%x%n", &read.bus, &read.device, &end) < 2)
      return false;
  }
  if (sscanf(text + end, ".%x%n", &read.function, &more) == 1)
    end += more;
  else if (!has_domain)
    return false;
  *place_out = read;
  return text[end] == '\0';
}

static cudaError_t get_by_bus_id(int *device, const char *pciBusId) {
  vptr__cuda_subject subject;
  place wanted;
  cudaError_t error = vptr__cuda_subject_of("cudaDeviceGetByPCIBusId", 0, &subject);
  if (error != cudaSuccess)
    return error;
  if (device == NULL)
    return vptr__cuda_null_output("cudaDeviceGetByPCIBusId", "device");
  if (pciBusId == NULL || !parse_place(pciBusId, &wanted)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaDeviceGetByPCIBusId: '%.40s' is not domain:bus:device.function",
                pciBusId != NULL ? pciBusId : "NULL");
    return cudaErrorInvalidValue;
  }
  for (int ordinal = 0; ordinal < vptr__device_count(); ordinal++) {
    error = vptr__cuda_subject_of("cudaDeviceGetByPCIBusId", ordinal, &subject);
    if (error != cudaSuccess)
      return error;
    place at = place_of(&subject);
    if (memcmp(&at, &wanted, sizeof at) == 0) {
      *device = ordinal;
      return cudaSuccess;
    }
  }
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaDeviceGetByPCIBusId: no device of vptr's is at %.40s", pciBusId);
  return cudaErrorInvalidDevice;
}

cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device) {
  return vptr__cuda_record(get_bus_id(pciBusId, len, device));
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId) {
  return vptr__cuda_record(get_by_bus_id(device, pciBusId));
}
