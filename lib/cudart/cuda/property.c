/* SPDX-License-Identifier: MIT */
/*
 * property - cudaGetDeviceProperties() in each of its layouts, and cudaDeviceGetAttribute(); see property.h.
 *
 * Drivers answer from memory, in well under a microsecond a query, so nothing is kept here: no data, and no locks of
 * its own: the list of devices has one, `lock` of vptr/device/platform.c, of rank DEVICE, which is held while devices
 * are looked for. The table is property_table.c's. A GPU with memory of its own is not opened, as with CUDA, whose
 * programs look at all devices before they choose one. CPUs and devices that share the host's memory are, where only a
 * trial tells (canMapHostMemory, pageableMemoryAccess), and the fake device is, to learn its size: that blocks while
 * the driver starts. Called by programs; by array_shape.c, cluster.c, device.c, function.c, property_identity.c and
 * texture.c, which ask about a device; by driver/device.c; and by the files of lib/ml, for devices of which none is
 * opened.
 */
#include "cuda/property.h"

#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/property_12.h"

#include <vptr/cuda/cuda_runtime_api.h>

enum { LARGEST_ANSWER = 16 /* words; arrays of sizes have 3 */ };

cudaError_t vptr__cuda_subject_of(const char *call, int ordinal, vptr__cuda_subject *subject_out) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  const vptr__device_entry *entries;
  int count, seen = 0;
  vptr_status status = vptr__device_list(&entries, &count);
  if (status != VPTR_SUCCESS)
    return vptr__cuda_from_status(status);
  for (int i = 0; i < count; i++) {
    if (!entries[i].chosen || seen++ != ordinal)
      continue;
    *subject_out = (vptr__cuda_subject){ entries[i].cl_device, ordinal, entries[i].name, entries[i].is_joint };
    return cudaSuccess;
  }
  return vptr__cuda_no_such_device(call, ordinal);
}

/* As CUDA does, a place for the answer is looked for before the device is. */
static cudaError_t find_subject(const char *call, const void *output, const char *argument, int device,
                                vptr__cuda_subject *subject_out) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && output == NULL)
    error = vptr__cuda_null_output(call, argument);
  return error == cudaSuccess ? vptr__cuda_subject_of(call, device, subject_out) : error;
}

/* ---- one value ------------------------------------------------------------------------------------------ */

/* OpenCL's numbers are 4 bytes wide (uint, bool) or 8 (ulong, size_t, bit fields), and the driver says which. */
static bool query_number(cl_device_id device, cl_device_info query, unsigned index, uint64_t *answer_out) {
  uint64_t words[LARGEST_ANSWER] = { 0 };
  uint32_t narrow;
  size_t size = 0;
  if (query == 0 || clGetDeviceInfo(device, query, sizeof words, words, &size) != CL_SUCCESS)
    return false;
  if (size == sizeof narrow) {
    memcpy(&narrow, words, sizeof narrow);
    *answer_out = narrow;
    return true;
  }
  *answer_out = words[index];
  return size >= (index + 1) * sizeof *words;
}

static int64_t scale_answer(const vptr__cuda_property *row, uint64_t answer) {
  if (row->mask != 0)
    return (answer & row->mask) != 0;
  if (row->multiply != 0 && __builtin_mul_overflow(answer, row->multiply, &answer))
    return INT64_MAX;
  if (row->divide != 0)
    answer /= row->divide;
  int64_t most = row->most != 0 ? row->most : INT64_MAX;
  return answer < (uint64_t)most ? (int64_t)answer : most;
}

static int64_t query_value(const vptr__cuda_property *row, cl_device_id device) {
  for (int i = 0; i < VPTR__CUDA_QUERIES && device != NULL; i++) {
    uint64_t answer;
    if (query_number(device, row->query[i], row->index, &answer) && (answer != 0 || row->fixed <= 1))
      return scale_answer(row, answer);
  }
  return row->fixed;
}

/* Whether the memory is the host's: that of several devices is not. */
static bool asks_unified(const vptr__cuda_property *row) {
  for (int i = 0; i < VPTR__CUDA_QUERIES; i++)
    if (row->query[i] == CL_DEVICE_HOST_UNIFIED_MEMORY)
      return true;
  return false;
}

/* What holds on all members of a joint device: the least. */
static int64_t query_members(const vptr__cuda_property *row) {
  const vptr__device_entry *entries;
  int64_t least = INT64_MAX;
  int count;
  if (asks_unified(row) || vptr__device_list(&entries, &count) != VPTR_SUCCESS)
    return row->fixed;
  for (int i = 0; i < count; i++) {
    const int64_t value = entries[i].is_member ? query_value(row, entries[i].cl_device) : INT64_MAX;
    least = value < least ? value : least;
  }
  return least;
}

static int64_t find_value(const vptr__cuda_property *row, const vptr__cuda_subject *subject) {
  if (row->ask != NULL)
    return row->ask(subject, row->fixed);
  return subject->is_joint ? query_members(row) : query_value(row, subject->device);
}

int64_t vptr__cuda_property_value(const vptr__cuda_property *row, const vptr__cuda_subject *subject) {
  int64_t value = find_value(row, subject);
  bool wide = row->field != NULL && row->size == sizeof value;
  return wide || value < INT_MAX ? value : INT_MAX;
}

/* ---- the structure -------------------------------------------------------------------------------------- */

static void store_value(char *structure, int offset, int size, int64_t value) {
  if (size == sizeof value)
    memcpy(structure + offset, &value, sizeof value);
  else
    memcpy(structure + offset, &(int){ (int)value }, sizeof(int));
}

/* What the beginning of all layouts has in common. */
static void put_identity(const vptr__cuda_subject *subject, char name[256], cudaUUID_t *uuid) {
  strncpy(name, subject->name, 255);
  vptr__cuda_uuid_of(subject, uuid->bytes);
}

cudaError_t vptr__cuda_get_properties(struct cudaDeviceProp *prop, int device) {
  vptr__cuda_subject subject;
  cudaError_t error = find_subject("cudaGetDeviceProperties", prop, "prop", device, &subject);
  if (error != cudaSuccess)
    return error;
  memset(prop, 0, sizeof *prop);
  put_identity(&subject, prop->name, &prop->uuid);
  for (size_t i = 0; i < vptr__cuda_property_count; i++) {
    const vptr__cuda_property *row = &vptr__cuda_properties[i];
    if (row->field != NULL)
      store_value((char *)prop, row->offset, row->size, vptr__cuda_property_value(row, &subject));
  }
  return cudaSuccess;
}

/* The first size bytes of CUDA 12's structure. */
static cudaError_t get_properties_12(void *prop, size_t size, int device) {
  vptr__cuda_subject subject;
  cudaError_t error = find_subject("cudaGetDeviceProperties", prop, "prop", device, &subject);
  if (error != cudaSuccess)
    return error;
  vptr__cuda_properties_12 whole = { 0 };
  put_identity(&subject, whole.name, &whole.uuid);
  for (size_t i = 0; i < vptr__cuda_property_count; i++) {
    const vptr__cuda_property *row = &vptr__cuda_properties[i];
    if (row->field != NULL && row->offset_12 != VPTR__CUDA_NOT_THERE)
      store_value((char *)&whole, row->offset_12, row->size, vptr__cuda_property_value(row, &subject));
  }
  memcpy(prop, &whole, size);
  return cudaSuccess;
}

/* ---- attributes ----------------------------------------------------------------------------------------- */

static const vptr__cuda_property *find_attribute(enum cudaDeviceAttr attribute) {
  for (size_t i = 0; i < vptr__cuda_property_count; i++)
    if (vptr__cuda_properties[i].attribute_name != NULL && vptr__cuda_properties[i].attribute == attribute)
      return &vptr__cuda_properties[i];
  return NULL;
}

cudaError_t vptr__cuda_get_attribute(int *value, enum cudaDeviceAttr attr, int device) {
  vptr__cuda_subject subject;
  cudaError_t error = find_subject("cudaDeviceGetAttribute", value, "value", device, &subject);
  if (error != cudaSuccess)
    return error;
  const vptr__cuda_property *row = find_attribute(attr);
  if (row == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaDeviceGetAttribute: %d is no enumerator of cudaDeviceAttr",
                (int)attr);
    return cudaErrorInvalidValue;
  }
  int64_t answer = vptr__cuda_property_value(row, &subject);
  *value = answer < INT_MAX ? (int)answer : INT_MAX;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device) {
  return vptr__cuda_record(vptr__cuda_get_properties(prop, device));
}

cudaError_t cudaGetDeviceProperties_v2(void *prop, int device) {
  return vptr__cuda_record(get_properties_12(prop, sizeof(vptr__cuda_properties_12), device));
}

cudaError_t vptr__cuda_get_device_properties_11(void *prop, int device) {
  return vptr__cuda_record(get_properties_12(prop, VPTR__CUDA_PROPERTIES_11_SIZE, device));
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device) {
  return vptr__cuda_record(vptr__cuda_get_attribute(value, attr, device));
}
