/* SPDX-License-Identifier: MIT */
/*
 * set - cudaMemset() and its forms for rects and streams.
 *
 * None waits for device memory to be set, as in CUDA, but where it is another device's than the stream's: then it is
 * set when the call returns. So are pinned host memory and __managed__ variables, behind the stream's earlier work; and
 * managed memory that page faults keep is waited for until it is on the device. Pitches follow what the copies do, but
 * that a row longer than the pitch is cudaErrorInvalidValue here. No data, and no locks here: lib/vptr/transfer does
 * the work. Called by programs, and by cusolver/transfer.c, for CUDA's calls; by word.c, for a lone word of device
 * memory, by replay/send.c and condition_step.c, and by driver/set.c, for elements of 1, 2 and 4 bytes, for
 * vptr__cuda_set_elements(), which copy.h declares.
 */
#include "base/error.h"
#include "base/hot.h"
#include "cuda/capture_work.h"
#include "cuda/copy.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/pointer.h"
#include "cuda/stream.h"
#include "mapper/mapper.h"
#include "pinned/pinned.h"

#include <vptr/cuda/cuda_runtime_api.h>

#include <stdbool.h>

VPTR__HOT static bool is_empty(const size_t region[3]) {
  return region[0] == 0 || region[1] == 0 || region[2] == 0;
}

/* A single row may be longer than the pitch as far as the memory is concerned, but hardly in the caller's mind. */
VPTR__HOT static vptr_status check_pitch(const vptr__operand *to, const size_t region[3]) {
  if (region[1] * region[2] == 1 || region[0] <= to->row)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                     "%s: a row takes %zu bytes and the next one begins after %zu; check the pitch", to->what,
                     region[0], to->row);
}

static vptr_status refuse_null(const char *what) {
  return vptr__error(VPTR_ERROR_NULL_POINTER, "%s: devPtr is NULL, with bytes to set", what);
}

VPTR__HOT static cudaError_t set_memory(vptr__operand *to, const vptr__element *element, const size_t region[3],
                                        vptr__cuda_when when) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess || is_empty(region))
    return error;
  if (to->ptr == NULL)
    return vptr__cuda_from_status(refuse_null(to->what));
  vptr_status status = check_pitch(to, region);
  if (status != VPTR_SUCCESS)
    return vptr__cuda_from_status(status);
  vptr_mapper *owner = vptr__mapper_owning(to->ptr);
  vptr__stream *stream;
  error = vptr__cuda_stream_for(owner, when, &stream);
  if (error == cudaSuccess && vptr__captures_any() &&
      vptr__cuda_captures_set(to, element, region, when, stream, &error))
    return error;
  if (error != cudaSuccess)
    return error;
  size_t reach = region[0] + (region[1] - 1) * to->row + (region[2] - 1) * to->slice;
  to->pinned = owner == NULL && (vptr__pinned_acquire(vptr__stream_mapper(stream), to->ptr, reach) ||
                                 vptr__cuda_is_variable(to->ptr, reach));
  error = vptr__cuda_from_status(vptr__transfer_set_elements(stream, to, element, region, 0));
  if (to->pinned)
    vptr__pinned_acquire(vptr__stream_mapper(stream), to->ptr,
                         reach); /* once more: see acquire_pinned() in cuda/copy.c */
  return error;
}

VPTR__HOT static cudaError_t set_bytes(vptr__operand *to, int value, const size_t region[3], vptr__cuda_when when) {
  const vptr__element element = { { (unsigned char)value }, 1 };
  return set_memory(to, &element, region, when);
}

cudaError_t vptr__cuda_set_elements(const char *call, void *ptr, size_t pitch, const vptr__element *element,
                                    size_t width, size_t height, vptr__cuda_when when) {
  vptr__operand to = { .what = call, .ptr = ptr, .row = pitch };
  size_t region[3] = { 0, height, 1 };
  if (__builtin_mul_overflow(width, element->size, &region[0])) {
    vptr__error(VPTR_ERROR_INVALID_SIZE, "%s: %zu elements of %zu bytes are more than there are addresses", call,
                width, element->size);
    return cudaErrorInvalidValue;
  }
  return set_memory(&to, element, region, when);
}

VPTR__HOT static cudaError_t set_line(const char *what, void *ptr, int value, size_t count, vptr__cuda_when when) {
  vptr__operand to = { .what = what, .ptr = ptr };
  return set_bytes(&to, value, (size_t[3]){ count, 1, 1 }, when);
}

static cudaError_t set_2d(const char *what, void *ptr, size_t pitch, int value, size_t width, size_t height,
                          vptr__cuda_when when) {
  vptr__operand to = { .what = what, .ptr = ptr, .row = pitch };
  return set_bytes(&to, value, (size_t[3]){ width, height, 1 }, when);
}

static cudaError_t set_3d(const char *what, const struct cudaPitchedPtr *memory, int value,
                          const struct cudaExtent *extent, vptr__cuda_when when) {
  vptr__operand to = { .what = what, .ptr = memory->ptr, .row = memory->pitch };
  if (extent->height > memory->ysize && extent->width > 0 && extent->depth > 0) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %zu rows, and ysize says that a slice has %zu", what,
                extent->height, memory->ysize);
    return cudaErrorInvalidValue;
  }
  if (__builtin_mul_overflow(memory->pitch, memory->ysize, &to.slice)) {
    vptr__error(VPTR_ERROR_INVALID_SIZE, "%s: %zu rows at a pitch of %zu run past the end of the address space", what,
                memory->ysize, memory->pitch);
    return cudaErrorInvalidValue;
  }
  return set_bytes(&to, value, (size_t[3]){ extent->width, extent->height, extent->depth }, when);
}

VPTR__HOT cudaError_t cudaMemset(void *devPtr, int value, size_t count) {
  return vptr__cuda_record(set_line("cudaMemset", devPtr, value, count, vptr__cuda_now()));
}

cudaError_t cudaMemset_ptds(void *devPtr, int value, size_t count) {
  return vptr__cuda_record(set_line("cudaMemset", devPtr, value, count, vptr__cuda_now_ptds()));
}

VPTR__HOT cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream) {
  return vptr__cuda_record(set_line("cudaMemsetAsync", devPtr, value, count, vptr__cuda_on(stream)));
}

cudaError_t cudaMemsetAsync_ptsz(void *devPtr, int value, size_t count, cudaStream_t stream) {
  return cudaMemsetAsync(devPtr, value, count, vptr__cuda_own_default(stream));
}

cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height) {
  return vptr__cuda_record(set_2d("cudaMemset2D", devPtr, pitch, value, width, height, vptr__cuda_now()));
}

cudaError_t cudaMemset2D_ptds(void *devPtr, size_t pitch, int value, size_t width, size_t height) {
  return vptr__cuda_record(set_2d("cudaMemset2D", devPtr, pitch, value, width, height, vptr__cuda_now_ptds()));
}

cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return vptr__cuda_record(set_2d("cudaMemset2DAsync", devPtr, pitch, value, width, height, vptr__cuda_on(stream)));
}

cudaError_t cudaMemset2DAsync_ptsz(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                                   cudaStream_t stream) {
  return cudaMemset2DAsync(devPtr, pitch, value, width, height, vptr__cuda_own_default(stream));
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent) {
  return vptr__cuda_record(set_3d("cudaMemset3D", &pitchedDevPtr, value, &extent, vptr__cuda_now()));
}

cudaError_t cudaMemset3D_ptds(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent) {
  return vptr__cuda_record(set_3d("cudaMemset3D", &pitchedDevPtr, value, &extent, vptr__cuda_now_ptds()));
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent,
                              cudaStream_t stream) {
  return vptr__cuda_record(set_3d("cudaMemset3DAsync", &pitchedDevPtr, value, &extent, vptr__cuda_on(stream)));
}

cudaError_t cudaMemset3DAsync_ptsz(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent,
                                   cudaStream_t stream) {
  return cudaMemset3DAsync(pitchedDevPtr, value, extent, vptr__cuda_own_default(stream));
}
