/* SPDX-License-Identifier: MIT */
/*
 * opencl - the device that is an OpenCL device, in private.
 *
 *     opencl.c           opening and closing: context, queues, what the device says of itself
 *     opencl_buffer.c    making, committing and releasing buffers
 *     opencl_transfer.c  moving bytes
 *     opencl_queue.c     the queues that others brought, and waiting
 *     opencl_kernel.c    kernel arguments
 *     opencl_address.c   the device's own addresses
 *
 * Two queues: the device's queue carries what the user asks for, in order with the user's kernels. The service
 * queue carries what vptr needs for itself, committing buffers and asking for addresses, so that an allocation
 * does not wait behind a long kernel, nor hear of an error that is not its own.
 */
#ifndef VPTR_DEVICE_OPENCL_H
#define VPTR_DEVICE_OPENCL_H

#include "base/lock.h"
#include "device/device.h"

/* A queue that the user named, in a list by rising number. */
typedef struct vptr__opencl_queue {
  struct vptr__opencl_queue *next;
  uint64_t number;        /* never used again: how finish finds its place in a list that changes */
  cl_command_queue queue; /* retained */
  unsigned users;         /* the list, and each thread that waits for the queue; the last one releases it */
} vptr__opencl_queue;

typedef enum vptr__opencl_verdict {
  VPTR__OPENCL_UNKNOWN, /* not tried yet, or the try was cut short by some other error */
  VPTR__OPENCL_YES,
  VPTR__OPENCL_NO
} vptr__opencl_verdict;

/* What device addresses need; see opencl_address.c. */
typedef struct vptr__opencl_address {
  vptr__opencl_verdict verdict;
  cl_program program; /* the rest is there once the verdict is YES */
  cl_kernel tell;
  cl_mem answer;
} vptr__opencl_address;

typedef struct vptr__opencl {
  vptr__device device; /* first: the two are converted into each other */
  cl_command_queue service;

  vptr__lock lock; /* rank DEVICE: guards what follows */
  vptr__opencl_queue *queues;
  uint64_t queues_named; /* ever */
  vptr__opencl_address address;
} vptr__opencl;

static inline vptr__opencl *vptr__opencl_of(vptr__device *device) {
  return (vptr__opencl *)device;
}

/* opencl_buffer.c */
vptr_status vptr__opencl_buffer_create(vptr__device *device, size_t bytes, cl_mem *buffer_out);
void vptr__opencl_buffer_retain(vptr__device *device, cl_mem buffer);
void vptr__opencl_buffer_release(vptr__device *device, cl_mem buffer);
vptr_status vptr__opencl_sub_buffer(vptr__device *device, cl_mem root, size_t origin, size_t size,
                                    cl_mem *buffer_out);
vptr_status vptr__opencl_buffer_size(vptr__device *device, cl_mem buffer, size_t *bytes_out);

/* opencl_transfer.c */
vptr_status vptr__opencl_write(vptr__device *device, cl_mem buffer, size_t offset, const void *from, size_t size);
vptr_status vptr__opencl_read(vptr__device *device, cl_mem buffer, size_t offset, void *to, size_t size);
vptr_status vptr__opencl_copy(vptr__device *device, cl_mem from, size_t from_offset, cl_mem to, size_t to_offset,
                              size_t size);
vptr_status vptr__opencl_fill(vptr__device *device, cl_mem buffer, size_t offset, size_t size,
                              const void *pattern, size_t pattern_size);
vptr_status vptr__opencl_map(vptr__device *device, cl_mem buffer, size_t offset, size_t size, vptr_access access,
                             void **host_out);
vptr_status vptr__opencl_unmap(vptr__device *device, cl_mem buffer, void *host);

/* opencl_queue.c */
vptr_status vptr__opencl_finish(vptr__device *device);
vptr_status vptr__opencl_queue_use(vptr__device *device, cl_command_queue queue);
vptr_status vptr__opencl_queue_drop(vptr__device *device, cl_command_queue queue);
void vptr__opencl_queue_forget_all(vptr__opencl *opencl);

/* Waits for one command and releases its event: the code that the command ended with. */
cl_int vptr__opencl_await(cl_event event);

/* opencl_kernel.c */
vptr_status vptr__opencl_arg_buffer(vptr__device *device, cl_kernel kernel, cl_uint index, cl_mem buffer);
vptr_status vptr__opencl_arg_value(vptr__device *device, cl_kernel kernel, cl_uint index, const void *value,
                                   size_t size);
vptr_status vptr__opencl_arg_address(vptr__device *device, cl_kernel kernel, cl_uint index, uint64_t address);

/* opencl_address.c */
vptr_status vptr__opencl_buffer_address(vptr__device *device, cl_mem buffer, uint64_t *address_out);
void vptr__opencl_address_fini(vptr__opencl_address *address);

#endif
