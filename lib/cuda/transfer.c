/* SPDX-License-Identifier: MIT */
/*
 * transfer - cudaMemcpy() and cudaMemset().
 *
 * An address says itself which side it is on, so `kind` is not needed to copy; it is a promise of the caller's
 * that is checked. The rules are CUDA's, observed: "device" is taken at its word and refused for any other
 * address, "host" allows device memory too, and with a count of 0 nothing is looked at, the kind included.
 *
 *     kind               destination   source         (-: any)
 *     HostToHost              -           -
 *     HostToDevice         device         -
 *     DeviceToHost            -         device
 *     DeviceToDevice       device       device
 *     Default                 -           -
 *
 * Two devices have no common OpenCL context in general: a copy between them goes through host memory in pieces.
 * No state, no locks.
 */
#include "base/error.h"
#include "base/memory.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "mapper/mapper.h"

#include <vptr/cuda/cuda_runtime_api.h>

#include <stdbool.h>

/* A piece of a copy between devices: large enough to be limited by the bus, small enough to stay in a cache. */
static const size_t PIECE_BYTES = (size_t)4 << 20;

typedef struct copy_direction {
  const char *name;
  bool to_device, from_device; /* the end must be device memory */
} copy_direction;

static const copy_direction directions[] = {
  [cudaMemcpyHostToHost] = { "cudaMemcpyHostToHost", false, false },
  [cudaMemcpyHostToDevice] = { "cudaMemcpyHostToDevice", true, false },
  [cudaMemcpyDeviceToHost] = { "cudaMemcpyDeviceToHost", false, true },
  [cudaMemcpyDeviceToDevice] = { "cudaMemcpyDeviceToDevice", true, true },
  [cudaMemcpyDefault] = { "cudaMemcpyDefault", false, false },
};

/* One end of a copy. */
typedef struct copy_end {
  const char *what; /* begins a sentence about it */
  const void *ptr;
  vptr_mapper *owner; /* NULL: host memory */
  bool must_be_device;
} copy_end;

static vptr_status refuse_host(const copy_end *end, const copy_direction *direction, bool swapped) {
  return vptr__error(VPTR_ERROR_NOT_OURS, "%s: %p is host memory, or none at all, and %s needs a device address%s",
                     end->what, end->ptr, direction->name,
                     swapped ? "; are destination and source swapped?" : "; cudaMemcpyDefault takes any");
}

/* Checks what can be checked without holding the memory; vptr_memcpy() looks again, and holds it. This look is
 * for the words: it knows the kind, and which call the program made. */
static vptr_status check_end(const copy_end *end, const copy_end *other, const copy_direction *direction,
                             size_t count) {
  if (end->ptr == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "%s: NULL, with %zu bytes to copy", end->what, count);
  if (end->owner == NULL)
    return end->must_be_device ? refuse_host(end, direction, other->owner != NULL && !other->must_be_device)
                               : VPTR_SUCCESS;
  vptr_location location;
  vptr_status status = vptr__mapper_locate(end->owner, end->ptr, count, &location);
  return status == VPTR_SUCCESS ? status : vptr__mapper_explain(end->owner, status, end->what, end->ptr, count);
}

static vptr_status copy_between(const copy_end *to, const copy_end *from, size_t count) {
  size_t piece = count < PIECE_BYTES ? count : PIECE_BYTES;
  unsigned char *bytes = vptr__memory_calloc(piece, 1);
  if (bytes == NULL)
    return vptr__error_host_memory(piece);
  vptr_status status = VPTR_SUCCESS;
  for (size_t done = 0; done < count && status == VPTR_SUCCESS; done += piece) {
    size_t step = count - done < piece ? count - done : piece;
    status = vptr_memcpy(from->owner, bytes, (const unsigned char *)from->ptr + done, step);
    if (status == VPTR_SUCCESS)
      status = vptr_memcpy(to->owner, (unsigned char *)(uintptr_t)to->ptr + done, bytes, step);
  }
  vptr__memory_free(bytes);
  return status;
}

/* From host to host any mapper will do. It is the current device's, which is thereby opened, as in CUDA. */
static cudaError_t copy_checked(const copy_end *to, const copy_end *from, size_t count) {
  vptr_mapper *mapper = to->owner != NULL ? to->owner : from->owner;
  if (to->owner != NULL && from->owner != NULL && to->owner != from->owner)
    return vptr__cuda_from_status(copy_between(to, from, count));
  cudaError_t error = mapper != NULL ? cudaSuccess : vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  return vptr__cuda_from_status(vptr_memcpy(mapper, (void *)(uintptr_t)to->ptr, from->ptr, count));
}

static cudaError_t copy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess || count == 0)
    return error;
  if ((unsigned)kind > cudaMemcpyDefault) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaMemcpy: kind %d is no direction, they are 0 to %d", (int)kind,
                (int)cudaMemcpyDefault);
    return cudaErrorInvalidMemcpyDirection;
  }
  const copy_direction *direction = &directions[kind];
  copy_end to = { "cudaMemcpy destination", dst, vptr__mapper_owning(dst), direction->to_device };
  copy_end from = { "cudaMemcpy source", src, vptr__mapper_owning(src), direction->from_device };
  vptr_status status = check_end(&to, &from, direction, count);
  if (status == VPTR_SUCCESS)
    status = check_end(&from, &to, direction, count);
  return status == VPTR_SUCCESS ? copy_checked(&to, &from, count) : vptr__cuda_from_status(status);
}

static vptr_status refuse_set(const void *ptr, size_t count) {
  if (ptr == NULL)
    return vptr__error(VPTR_ERROR_NULL_POINTER, "cudaMemset: devPtr is NULL, with %zu bytes to set", count);
  return vptr__error(VPTR_ERROR_NOT_OURS, "cudaMemset: %p is host memory, or none at all; the host has memset()",
                     ptr);
}

static vptr_status set_checked(vptr_mapper *owner, void *ptr, int value, size_t count) {
  vptr_location location;
  vptr_status status = vptr__mapper_locate(owner, ptr, count, &location);
  if (status != VPTR_SUCCESS)
    return vptr__mapper_explain(owner, status, "cudaMemset", ptr, count);
  return vptr_memset(owner, ptr, value, count);
}

static cudaError_t set(void *ptr, int value, size_t count) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess || count == 0)
    return error;
  vptr_mapper *owner = vptr__mapper_owning(ptr);
  return vptr__cuda_from_status(owner != NULL ? set_checked(owner, ptr, value, count) : refuse_set(ptr, count));
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind) {
  return vptr__cuda_record(copy(dst, src, count, kind));
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count) {
  return vptr__cuda_record(set(devPtr, value, count));
}
