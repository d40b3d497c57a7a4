/* SPDX-License-Identifier: MIT */
/*
 * copy_rect - cudaMemcpy2D(), cudaMemcpy3D() and their asynchronous and other forms (copy_rect.h).
 *
 * There is no data but constants, and no lock of its own. The shapes are checked and turned into rects here; copy.c
 * moves those between plain memory, array_copy.c those with an array. Called by programs; by batch.c and copy_peer.c;
 * by array_transfer.c, which has pitches checked; and by driver/copy_rect.c, replay/send.c and work_of.c,
 * cublas/transfer.c, cublas/lt_matmul.c, cusolver/call.c and transfer.c. Forms without "Async" block until the bytes
 * have moved, but between two places in one device's memory (copy.c).
 */
#include "cuda/copy_rect.h"

#include "base/error.h"
#include "cuda/array.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/stream.h"
#include "graph/memory.h"
#include "mapper/mapper.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* A single row has none behind it: a pitch of 0 will do then, and CUDA has another error for one that is too small. */
cudaError_t vptr__cuda_check_pitch(const char *what, size_t pitch, size_t width, size_t rows) {
  if (rows < 2 && pitch == 0)
    return cudaSuccess;
  if (width > pitch) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                "%s: a row takes %zu bytes and the next one begins after %zu; check the pitch", what, width, pitch);
    return rows < 2 ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue;
  }
  if (pitch < VPTR__CUDA_MOST_PITCH || rows < 2)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: a pitch of %zu bytes; it must be less than %d (cudaDevAttrMaxPitch)",
              what, pitch, VPTR__CUDA_MOST_PITCH);
  return cudaErrorInvalidValue;
}

/* ---- two dimensions ------------------------------------------------------------------------------------- */

static cudaError_t copy_2d(const vptr__cuda_call *call, void *dst, size_t dpitch, const void *src, size_t spitch,
                           size_t width, size_t height, enum cudaMemcpyKind kind, vptr__cuda_when when) {
  vptr__cuda_copy copy = { .call = call,
                           .to = { .ptr = dst, .row = dpitch },
                           .from = { .ptr = (void *)(uintptr_t)src, .row = spitch },
                           .region = { width, height, 1 },
                           .kind = kind,
                           .when = when };
  cudaError_t error = cudaSuccess;
  if (width > 0 && height > 0)
    error = vptr__cuda_check_pitch(call->destination, dpitch, width, height);
  if (width > 0 && height > 0 && error == cudaSuccess)
    error = vptr__cuda_check_pitch(call->source, spitch, width, height);
  return error == cudaSuccess ? vptr__cuda_copy_rect(&copy) : error;
}

/* ---- three dimensions ----------------------------------------------------------------------------------- */

/* a * b + c into *sum, false if it does not fit. */
static bool add_product(size_t a, size_t b, size_t *sum) {
  size_t product;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(*sum, product, sum);
}

static cudaError_t refuse_position(const vptr__cuda_endpoint *endpoint) {
  vptr__error(VPTR_ERROR_INVALID_SIZE, "%s: the rect at %zu, %zu, %zu runs past the end of the address space",
              endpoint->what, endpoint->position->x, endpoint->position->y, endpoint->position->z);
  return cudaErrorInvalidValue;
}

/* A position that leads out of the allocation could lead into another one, where the copy would look right. */
static cudaError_t check_position(const vptr__cuda_endpoint *endpoint, size_t lead) {
  vptr_mapper *owner = vptr__mapper_owning(endpoint->memory->ptr);
  if (owner == NULL)
    return cudaSuccess;
  vptr_location location;
  vptr_status status = vptr__mapper_locate_all(owner, endpoint->memory->ptr, lead + 1, &location);
  if (status != VPTR_SUCCESS && vptr__graph_memory_any() && vptr__graph_memory_has(endpoint->memory->ptr, lead + 1))
    return cudaSuccess; /* a launch looks at the whole once more */
  if (status != VPTR_SUCCESS)
    vptr__mapper_explain(owner, status, endpoint->what, endpoint->memory->ptr, lead + 1);
  return vptr__cuda_from_status(status);
}

/* Of one slice ysize may be 0, as of one row the pitch. */
static cudaError_t check_rows(const vptr__cuda_endpoint *endpoint, const struct cudaExtent *extent) {
  const struct cudaPitchedPtr *memory = endpoint->memory;
  size_t width = endpoint->position->x, rows = endpoint->position->y;
  if (!add_product(extent->width, 1, &width) || !add_product(extent->height, 1, &rows))
    return refuse_position(endpoint);
  cudaError_t error =
      vptr__cuda_check_pitch(endpoint->what, memory->pitch, extent->width, extent->depth > 1 ? 2 : extent->height);
  if (error != cudaSuccess)
    return error;
  if ((width > memory->pitch && memory->pitch > 0) ||
      (rows > memory->ysize && (memory->ysize > 0 || extent->depth > 1))) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                "%s: bytes to %zu of rows to %zu of each slice are wanted; the pitch says that a row has %zu, and "
                "ysize that a slice has %zu",
                endpoint->what, width, rows, memory->pitch, memory->ysize);
    return extent->depth > 1 && extent->height > memory->ysize ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

static cudaError_t make_operand(const vptr__cuda_endpoint *endpoint, const struct cudaExtent *extent,
                                vptr__operand *operand_out) {
  const struct cudaPitchedPtr *memory = endpoint->memory;
  cudaError_t error = check_rows(endpoint, extent);
  if (error != cudaSuccess)
    return error;
  size_t slice = 0, lead = endpoint->position->x;
  bool fits = add_product(memory->pitch, memory->ysize, &slice) &&
              add_product(memory->pitch, endpoint->position->y, &lead) &&
              add_product(slice, endpoint->position->z, &lead) && lead < SIZE_MAX - (uintptr_t)memory->ptr;
  if (!fits)
    return refuse_position(endpoint);
  if (lead > 0)
    error = check_position(endpoint, lead);
  if (error == cudaSuccess)
    *operand_out =
        (vptr__operand){ .ptr = (unsigned char *)memory->ptr + lead, .row = memory->pitch, .slice = slice };
  return error;
}

/* Adding a position to NULL would make something else of it. */
static cudaError_t check_endpoint(const vptr__cuda_endpoint *endpoint) {
  bool has_array = endpoint->array != NULL, has_memory = endpoint->memory->ptr != NULL;
  if (has_array != has_memory)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s an array %s a pointer is given; give one of them", endpoint->what,
              has_array ? "both" : "neither", has_array ? "and" : "nor");
  return cudaErrorInvalidValue;
}

static cudaError_t make_array_endpoint(const vptr__cuda_endpoint *endpoint, const struct cudaExtent *bytes,
                                       vptr__cuda_array_endpoint *endpoint_out) {
  if (endpoint->array == NULL)
    return make_operand(endpoint, bytes, &endpoint_out->operand);
  *endpoint_out =
      (vptr__cuda_array_endpoint){ .array = endpoint->array,
                                   .at = { endpoint->position->x, endpoint->position->y, endpoint->position->z } };
  return cudaSuccess;
}

/* Arrays are on the device. Of one that is written the kind may say otherwise; of one that is read CUDA's document has
 * that too, and NVIDIA's runtime has it not. */
static cudaError_t correct_kind(const vptr__cuda_call *call, bool to_array, bool from_array,
                                enum cudaMemcpyKind *kind) {
  if (from_array && (*kind == cudaMemcpyHostToHost || *kind == cudaMemcpyHostToDevice)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: kind %d reads from the host, and the source is an array",
                call->name, (int)*kind);
    return cudaErrorInvalidValue;
  }
  if (to_array && *kind == cudaMemcpyHostToHost)
    *kind = cudaMemcpyHostToDevice;
  if (to_array && *kind == cudaMemcpyDeviceToHost)
    *kind = cudaMemcpyDeviceToDevice;
  return cudaSuccess;
}

/* The extent is in elements then, also of the end that is memory, whose own position is in bytes. */
static cudaError_t copy_array(const vptr__cuda_call *call, const vptr__cuda_endpoint *to,
                              const vptr__cuda_endpoint *from, const struct cudaExtent *extent,
                              enum cudaMemcpyKind kind, vptr__cuda_when when) {
  vptr__cuda_array_copy copy = {
    .call = call, .region = { extent->width, extent->height, extent->depth }, .kind = kind, .when = when
  };
  const vptr__cuda_endpoint *arrayed = to->array != NULL ? to : from;
  struct cudaExtent bytes = *extent;
  size_t element;
  cudaError_t error = correct_kind(call, to->array != NULL, from->array != NULL, &copy.kind);
  if (error == cudaSuccess)
    error = vptr__cuda_array_element(arrayed->what, arrayed->array, &element);
  if (error != cudaSuccess)
    return error;
  if (__builtin_mul_overflow(extent->width, element, &bytes.width))
    return refuse_position(arrayed);
  error = make_array_endpoint(to, &bytes, &copy.to);
  if (error == cudaSuccess)
    error = make_array_endpoint(from, &bytes, &copy.from);
  return error == cudaSuccess ? vptr__cuda_array_copy_rect(&copy) : error;
}

static cudaError_t copy_memory(const vptr__cuda_call *call, const vptr__cuda_endpoint *to,
                               const vptr__cuda_endpoint *from, const struct cudaExtent *extent,
                               enum cudaMemcpyKind kind, vptr__cuda_when when) {
  vptr__cuda_copy copy = {
    .call = call, .region = { extent->width, extent->height, extent->depth }, .kind = kind, .when = when
  };
  cudaError_t error = make_operand(to, extent, &copy.to);
  if (error == cudaSuccess)
    error = make_operand(from, extent, &copy.from);
  return error == cudaSuccess ? vptr__cuda_copy_rect(&copy) : error;
}

cudaError_t vptr__cuda_copy_3d(const vptr__cuda_call *call, const vptr__cuda_endpoint *to,
                               const vptr__cuda_endpoint *from, const struct cudaExtent *extent,
                               enum cudaMemcpyKind kind, vptr__cuda_when when) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess || extent->width == 0 || extent->height == 0 || extent->depth == 0)
    return error;
  error = check_endpoint(to);
  if (error == cudaSuccess)
    error = check_endpoint(from);
  if (error != cudaSuccess)
    return error;
  bool has_array = to->array != NULL || from->array != NULL;
  return has_array ? copy_array(call, to, from, extent, kind, when) : copy_memory(call, to, from, extent, kind, when);
}

static cudaError_t copy_3d(const vptr__cuda_call *call, const struct cudaMemcpy3DParms *p, vptr__cuda_when when) {
  if (p == NULL) {
    vptr__error(VPTR_ERROR_NULL_POINTER, "%s: p is NULL, and all that is to be done stands there", call->name);
    return cudaErrorInvalidValue;
  }
  const vptr__cuda_endpoint to = { call->destination, p->dstArray, &p->dstPtr, &p->dstPos };
  const vptr__cuda_endpoint from = { call->source, p->srcArray, &p->srcPtr, &p->srcPos };
  return vptr__cuda_copy_3d(call, &to, &from, &p->extent, p->kind, when);
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

static const vptr__cuda_call call_2d = { "cudaMemcpy2D", "cudaMemcpy2D destination", "cudaMemcpy2D source" };
static const vptr__cuda_call call_2d_async = { "cudaMemcpy2DAsync", "cudaMemcpy2DAsync destination",
                                               "cudaMemcpy2DAsync source" };
static const vptr__cuda_call call_3d = { "cudaMemcpy3D", "cudaMemcpy3D destination", "cudaMemcpy3D source" };
static const vptr__cuda_call call_3d_async = { "cudaMemcpy3DAsync", "cudaMemcpy3DAsync destination",
                                               "cudaMemcpy3DAsync source" };

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) {
  return vptr__cuda_record(copy_2d(&call_2d, dst, dpitch, src, spitch, width, height, kind, vptr__cuda_now()));
}

cudaError_t cudaMemcpy2D_ptds(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind) {
  return vptr__cuda_record(copy_2d(&call_2d, dst, dpitch, src, spitch, width, height, kind, vptr__cuda_now_ptds()));
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream) {
  return vptr__cuda_record(
      copy_2d(&call_2d_async, dst, dpitch, src, spitch, width, height, kind, vptr__cuda_on(stream)));
}

cudaError_t cudaMemcpy2DAsync_ptsz(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                                   size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, vptr__cuda_own_default(stream));
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) {
  return vptr__cuda_record(copy_3d(&call_3d, p, vptr__cuda_now()));
}

cudaError_t cudaMemcpy3D_ptds(const struct cudaMemcpy3DParms *p) {
  return vptr__cuda_record(copy_3d(&call_3d, p, vptr__cuda_now_ptds()));
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream) {
  return vptr__cuda_record(copy_3d(&call_3d_async, p, vptr__cuda_on(stream)));
}

cudaError_t cudaMemcpy3DAsync_ptsz(const struct cudaMemcpy3DParms *p, cudaStream_t stream) {
  return cudaMemcpy3DAsync(p, vptr__cuda_own_default(stream));
}
