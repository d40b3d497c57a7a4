/* SPDX-License-Identifier: MIT */
/*
 * property - what CUDA's properties and attributes of a device are, here.
 *
 * One table (property_table.c) says of each field of struct cudaDeviceProp and of each attribute where its value comes
 * from: an OpenCL query, vptr's own knowledge, or nowhere (invented, so that programs that divide by it live). All else
 * is drawn from the table: three layouts of the structure, cudaDeviceGetAttribute(), and doc/cuda-device-properties.md,
 * which a test compares. The table is vptr__cuda_properties, constant; no locks. Called by array_shape.c, device.c,
 * property.c and property_identity.c, and by the files of lib/ml.
 */
#ifndef VPTR_CUDA_PROPERTY_H
#define VPTR_CUDA_PROPERTY_H

#include <stddef.h>
#include <stdint.h>

#include "device/device.h"

#include <vptr/cuda/driver_types.h>

/* Where a value comes from. An answer of OpenCL's that is missing, on old drivers and on the fake device, is replaced
 * by the row's fixed value, and that is invented then. */
typedef enum vptr__cuda_source {
  VPTR__CUDA_INVENTED, /* OpenCL does not tell, and vptr does not know */
  VPTR__CUDA_KNOWN,    /* vptr itself has or has not what is asked about */
  VPTR__CUDA_ASKED     /* the device is asked */
} vptr__cuda_source;

/* The device that is asked. */
typedef struct vptr__cuda_subject {
  cl_device_id device; /* NULL: the fake device, which answers nothing, or a joint one, whose members do */
  int ordinal;
  const char *name;
  bool is_joint;
} vptr__cuda_subject;

enum { VPTR__CUDA_QUERIES = 2, VPTR__CUDA_NOT_THERE = -1 };

typedef struct vptr__cuda_property {
  const char *field; /* of struct cudaDeviceProp, with its index; NULL: an attribute alone */
  short offset;      /* in struct cudaDeviceProp; meaningless without a field */
  short offset_12;   /* in CUDA 12's structure, or VPTR__CUDA_NOT_THERE */
  short size;        /* 4 or 8 bytes */
  const char *attribute_name; /* NULL: a field alone */
  enum cudaDeviceAttr attribute;
  vptr__cuda_source source;
  const char *asked;                         /* the queries in words; NULL: none */
  cl_device_info query[VPTR__CUDA_QUERIES];  /* tried in order; 0: none */
  unsigned char index;                       /* of the answer, where it is an array */
  uint64_t mask;                             /* of the answer; 0: all of it. With a mask the value is 0 or 1 */
  unsigned multiply, divide;                 /* the answer by these; 0: 1 */
  int64_t most;                              /* and no more than that; 0: any */
  int64_t (*ask)(const vptr__cuda_subject *subject, int64_t fixed); /* instead of query */
  int64_t fixed;    /* the value, or what stands in for an answer; above 1, also for an answer of 0 */
  const char *note; /* NULL: nothing to add */
} vptr__cuda_property;

extern const vptr__cuda_property vptr__cuda_properties[];
extern const size_t vptr__cuda_property_count;

/* property.c: the device with an ordinal; call is for the words. Errors: cudaErrorNoDevice, cudaErrorInvalidDevice. */
VPTR_API cudaError_t vptr__cuda_subject_of(const char *call, int ordinal, vptr__cuda_subject *subject_out);

/* property.c: cudaGetDeviceProperties(), without a trace in the last error. */
cudaError_t vptr__cuda_get_properties(struct cudaDeviceProp *prop, int device);

/* property.c: cudaDeviceGetAttribute(), without a trace in the last error. */
VPTR_API cudaError_t vptr__cuda_get_attribute(int *value, enum cudaDeviceAttr attr, int device);

/* property.c: the value for a device, cut to INT_MAX where the row's place is an int. */
int64_t vptr__cuda_property_value(const vptr__cuda_property *row, const vptr__cuda_subject *subject);

/* property_identity.c: where the device is plugged in. Without an answer the domain is 0xffff, which no machine has,
 * and the device its ordinal, so that each place is one device's alone. */
int64_t vptr__cuda_ask_domain(const vptr__cuda_subject *subject, int64_t fixed);
int64_t vptr__cuda_ask_bus(const vptr__cuda_subject *subject, int64_t fixed);
int64_t vptr__cuda_ask_slot(const vptr__cuda_subject *subject, int64_t fixed);

/* property_identity.c: 16 bytes that tell devices apart: the driver's (cl_khr_device_uuid), else made from the name and
 * the ordinal, the same in each run. */
VPTR_API void vptr__cuda_uuid_of(const vptr__cuda_subject *subject, char uuid[16]);

#endif
