/* SPDX-License-Identifier: MIT */
/*
 * pitched - cudaMallocPitch() and cudaMalloc3D(): memory whose rows begin at good addresses.
 *
 * The pitch is the next multiple of 512 bytes, CUDA's own on all of its devices and no less than the alignment of any
 * OpenCL device known, so programs that store pitches or print them see what they are used to. No data but a constant,
 * no lock of its own: the heap has one, of rank HEAP. Called by programs, and by driver/memory.c, by the function of
 * site.h.
 */
#include "base/error.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/site.h"
#include "graph/capture.h"
#include "mapper/mapper.h"

#include <vptr/cuda/cuda_runtime_api.h>

#include <stdbool.h>

static const size_t PITCH = 512;

/* Memory that is to be: sizes, and what they come to. */
typedef struct plan {
  size_t pitch, bytes;
} plan;

/* Whether there are as many addresses. The pitch of what has too many is 0, or its row's. */
static bool make_plan(const struct cudaExtent *extent, plan *plan_out) {
  size_t pitch, bytes;
  *plan_out = (plan){ 0, 0 };
  if (__builtin_add_overflow(extent->width, PITCH - 1, &pitch))
    return false;
  pitch -= pitch % PITCH;
  plan_out->pitch = pitch;
  if (__builtin_mul_overflow(pitch, extent->height, &bytes) || __builtin_mul_overflow(bytes, extent->depth, &bytes))
    return false;
  *plan_out = (plan){ pitch, bytes };
  return true;
}

/* What no address can count is a wrong argument to CUDA, and no lack of memory. */
static cudaError_t refuse_extent(const char *call, const struct cudaExtent *extent) {
  vptr__error(VPTR_ERROR_INVALID_SIZE,
              "%s: %zu times %zu times %zu bytes are more than there are addresses; check the extent", call,
              extent->width, extent->height, extent->depth);
  return cudaErrorInvalidValue;
}

static cudaError_t allocate_pitched(const char *call, const struct cudaExtent *extent, const void *site,
                                    void **ptr_out, size_t *pitch_out) {
  vptr_mapper *mapper;
  plan made = { 0, 0 };
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  if (error != cudaSuccess)
    return error;
  bool is_counted = make_plan(extent, &made);
  *ptr_out = NULL;
  *pitch_out = made.pitch;
  if (vptr__captures_any() && (!is_counted || made.bytes > 0))
    error = vptr__capture_unsafe(call);
  if (error != cudaSuccess)
    return error;
  if (!is_counted)
    return refuse_extent(call, extent);
  void *ptr = NULL;
  vptr_status status =
      made.bytes > 0 ? vptr__mapper_allocate_for_program(mapper, made.bytes, site, &ptr) : VPTR_SUCCESS;
  if (status != VPTR_SUCCESS)
    return status == VPTR_ERROR_INVALID_SIZE ? cudaErrorMemoryAllocation : vptr__cuda_from_status(status);
  *ptr_out = ptr;
  *pitch_out = made.bytes > 0 ? made.pitch : 0;
  return cudaSuccess;
}

static cudaError_t allocate_2d(void **devPtr, size_t *pitch, size_t width, size_t height, const void *site) {
  if (devPtr == NULL || pitch == NULL)
    return vptr__cuda_null_output("cudaMallocPitch", devPtr == NULL ? "devPtr" : "pitch");
  const struct cudaExtent extent = { width, height, 1 };
  return allocate_pitched("cudaMallocPitch", &extent, site, devPtr, pitch);
}

static cudaError_t allocate_3d(struct cudaPitchedPtr *pitchedDevPtr, const struct cudaExtent *extent,
                               const void *site) {
  if (pitchedDevPtr == NULL)
    return vptr__cuda_null_output("cudaMalloc3D", "pitchedDevPtr");
  struct cudaPitchedPtr made = { NULL, 0, extent->width, extent->height };
  cudaError_t error = allocate_pitched("cudaMalloc3D", extent, site, &made.ptr, &made.pitch);
  if (error == cudaSuccess) {
    *pitchedDevPtr = made;
  } else {
    pitchedDevPtr->ptr = NULL;
    pitchedDevPtr->pitch = made.pitch;
  }
  return error;
}

cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height) {
  return vptr__cuda_record(allocate_2d(devPtr, pitch, width, height, __builtin_return_address(0)));
}

cudaError_t vptr__cuda_malloc_pitch_at(void **ptr, size_t *pitch, size_t width, size_t height, const void *site) {
  return vptr__cuda_record(allocate_2d(ptr, pitch, width, height, site));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent) {
  return vptr__cuda_record(allocate_3d(pitchedDevPtr, &extent, __builtin_return_address(0)));
}
