/* SPDX-License-Identifier: MIT */
/*
 * array_transfer - cudaMemcpy2DToArray() and its kin: rects and lines of an array, positions in bytes.
 *
 * Lines (cudaMemcpyToArray(), gone from CUDA 13's documents and still exported there) run on from the end of a row at
 * the start of the next: the rest of a row, whole rows, and a part of one. All of a line is checked before its first
 * piece moves. No data but constants, and no locks here: array_copy.c does the copies, under the static `lock` of
 * array.c, of rank ARRAY, and what it waits for is waited for here. Called by programs, and by driver/copy_array.c.
 */
#include "base/error.h"
#include "base/number.h"
#include "cuda/array.h"
#include "cuda/copy_rect.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/stream.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* ---- bytes and elements --------------------------------------------------------------------------------- */

static cudaError_t refuse_bytes(const char *what, size_t bytes, size_t element) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %zu bytes are no whole number of elements of %zu", what, bytes,
              element);
  return cudaErrorInvalidValue;
}

/* Bytes of an array's row into elements. */
static cudaError_t in_elements(const char *what, size_t bytes, size_t element, size_t *elements_out) {
  if (bytes % element != 0)
    return refuse_bytes(what, bytes, element);
  *elements_out = bytes / element;
  return cudaSuccess;
}

/* ---- rects ---------------------------------------------------------------------------------------------- */

/* An end of a two-dimensional copy: at x bytes and y rows of an array, or memory. */
static cudaError_t place_endpoint(const char *what, vptr__cuda_array_endpoint *endpoint, size_t x, size_t y,
                                  size_t width, size_t *elements_out) {
  size_t element = 1;
  cudaError_t error = vptr__cuda_array_element(what, endpoint->array, &element);
  if (error == cudaSuccess)
    error = in_elements(what, x, element, &endpoint->at[0]);
  if (error == cudaSuccess)
    error = in_elements(what, width, element, elements_out);
  endpoint->at[1] = y;
  return error;
}

static cudaError_t check_pitch(const char *what, const vptr__cuda_array_endpoint *endpoint, size_t width,
                               size_t height) {
  return endpoint->array == NULL ? vptr__cuda_check_pitch(what, endpoint->operand.row, width, height) : cudaSuccess;
}

/* Positions in bytes, by end; of memory they are not looked at. */
typedef struct rect_call {
  const vptr__cuda_call *call;
  vptr__cuda_array_endpoint to, from;
  size_t to_x, to_y, from_x, from_y;
  bool to_array, from_array; /* which ends shall be arrays */
  size_t width, height;
  enum cudaMemcpyKind kind;
  vptr__cuda_when when;
} rect_call;

static cudaError_t copy_rect(const rect_call *rect) {
  vptr__cuda_array_copy copy = { .call = rect->call, .to = rect->to, .from = rect->from, .kind = rect->kind };
  copy.when = rect->when;
  copy.region[1] = rect->height;
  copy.region[2] = 1;
  cudaError_t error = vptr__cuda_device_exists();
  if (rect->width == 0 || rect->height == 0)
    return error; /* CUDA looks at nothing then, an array that is none included */
  if (error == cudaSuccess && rect->to_array)
    error = place_endpoint(rect->call->destination, &copy.to, rect->to_x, rect->to_y, rect->width, &copy.region[0]);
  if (error == cudaSuccess && rect->from_array)
    error = place_endpoint(rect->call->source, &copy.from, rect->from_x, rect->from_y, rect->width, &copy.region[0]);
  if (error == cudaSuccess && !rect->to_array)
    error = check_pitch(rect->call->destination, &copy.to, rect->width, rect->height);
  if (error == cudaSuccess && !rect->from_array)
    error = check_pitch(rect->call->source, &copy.from, rect->width, rect->height);
  return error == cudaSuccess ? vptr__cuda_array_copy_rect(&copy) : error;
}

/* ---- lines ---------------------------------------------------------------------------------------------- */

/* Where a line is in an array: elements from its start, and how long a row is. */
typedef struct line_place {
  size_t at, row;
} line_place;

static cudaError_t place_line(const char *what, cudaArray_const_t handle, size_t x, size_t y, size_t count,
                              line_place *place_out, size_t *element_out) {
  vptr__cuda_array *array;
  cudaError_t error = vptr__cuda_array_get(what, handle, &array);
  if (error != cudaSuccess)
    return error;
  const size_t *extent = array->image.extent;
  size_t element = array->image.element, rows = extent[1], row = extent[0], at = 0;
  vptr__cuda_array_release(array);
  if (count % element != 0)
    return refuse_bytes(what, count, element);
  error = in_elements(what, x, element, &at);
  if (error != cudaSuccess)
    return error;
  if (at > row || y >= rows || count / element > (rows - y) * row - at) {
    vptr__error(VPTR_ERROR_OUT_OF_BOUNDS,
                "%s: %zu bytes from byte %zu of row %zu leave the array, %zu rows of %zu bytes", what, count, x, y,
                rows, row * element);
    return cudaErrorInvalidValue;
  }
  *place_out = (line_place){ y * row + at, row };
  *element_out = element;
  return cudaSuccess;
}

static size_t rest_of_row(const line_place *place) {
  return place->row - place->at % place->row;
}

/* A line, with an array at one endpoint or both. */
typedef struct line_call {
  vptr__cuda_array_copy copy; /* its ends' arrays, or the memory's address */
  line_place to, from;        /* where an array is, else of no meaning */
  size_t element;
} line_call;

/* Whether both endpoints come to the end of a row at the same time. */
static bool in_step(const line_call *line) {
  const line_place *to = &line->to, *from = &line->from;
  bool both = line->copy.to.array != NULL && line->copy.from.array != NULL;
  return !both || (to->row == from->row && to->at % to->row == from->at % from->row);
}

static void set_position(vptr__cuda_array_endpoint *endpoint, const line_place *place) {
  endpoint->at[0] = endpoint->array != NULL ? place->at % place->row : 0;
  endpoint->at[1] = endpoint->array != NULL ? place->at / place->row : 0;
}

/* The next piece as a rect of both endpoints, whole rows or what fits into one; how many elements it has. */
static size_t take_piece(line_call *line, size_t left) {
  vptr__cuda_array_copy *copy = &line->copy;
  const line_place *guide = copy->to.array != NULL ? &line->to : &line->from;
  size_t row = guide->row, piece = vptr__smaller(left, rest_of_row(guide));
  if (!in_step(line))
    piece = vptr__smaller(piece, rest_of_row(&line->from));
  copy->region[0] = piece;
  copy->region[1] = piece == row && in_step(line) ? left / row : 1;
  copy->region[2] = 1;
  set_position(&copy->to, &line->to);
  set_position(&copy->from, &line->from);
  copy->to.operand.row = copy->from.operand.row = row * line->element;
  return piece * copy->region[1];
}

static void advance_line(line_call *line, size_t elements) {
  vptr__cuda_array_copy *copy = &line->copy;
  line->to.at += elements;
  line->from.at += elements;
  if (copy->to.array == NULL)
    copy->to.operand.ptr = (unsigned char *)copy->to.operand.ptr + elements * line->element;
  if (copy->from.array == NULL)
    copy->from.operand.ptr = (unsigned char *)copy->from.operand.ptr + elements * line->element;
}

/* Device memory is checked as a whole first; each piece is checked again, and held. */
static cudaError_t check_line_memory(const char *what, const void *ptr, size_t count) {
  vptr_mapper *owner = vptr__mapper_owning(ptr);
  vptr_location location;
  if (owner == NULL)
    return cudaSuccess;
  vptr_status status = vptr__mapper_locate_all(owner, ptr, count, &location);
  return vptr__cuda_from_status(status == VPTR_SUCCESS ? status
                                                       : vptr__mapper_explain(owner, status, what, ptr, count));
}

static cudaError_t copy_pieces(line_call *line, size_t count) {
  cudaError_t error = cudaSuccess;
  for (size_t left = count / line->element; left > 0 && error == cudaSuccess;) {
    size_t piece = take_piece(line, left);
    error = vptr__cuda_array_copy_rect(&line->copy);
    advance_line(line, piece);
    left -= piece;
  }
  return error;
}

static cudaError_t copy_line(const rect_call *rect, size_t count) {
  line_call line = { .copy = { .call = rect->call, .to = rect->to, .from = rect->from, .kind = rect->kind } };
  line.copy.when = rect->when;
  size_t other;
  cudaError_t error = vptr__cuda_device_exists();
  if (error == cudaSuccess && rect->to_array)
    error =
        place_line(rect->call->destination, rect->to.array, rect->to_x, rect->to_y, count, &line.to, &line.element);
  if (error == cudaSuccess && rect->from_array)
    error = place_line(rect->call->source, rect->from.array, rect->from_x, rect->from_y, count, &line.from,
                       rect->to_array ? &other : &line.element);
  if (error == cudaSuccess && count > 0 && !rect->to_array)
    error = check_line_memory(rect->call->destination, rect->to.operand.ptr, count);
  if (error == cudaSuccess && count > 0 && !rect->from_array)
    error = check_line_memory(rect->call->source, rect->from.operand.ptr, count);
  return error == cudaSuccess ? copy_pieces(&line, count) : error;
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

static rect_call to_array(const vptr__cuda_call *call, cudaArray_t dst, size_t x, size_t y, const void *src,
                          enum cudaMemcpyKind kind, vptr__cuda_when when) {
  return (rect_call){ .call = call,
                      .to = { .array = dst },
                      .to_x = x,
                      .to_y = y,
                      .to_array = true,
                      .from = { .operand = { .ptr = (void *)(uintptr_t)src } },
                      .kind = kind,
                      .when = when };
}

static rect_call from_array(const vptr__cuda_call *call, void *dst, cudaArray_const_t src, size_t x, size_t y,
                            enum cudaMemcpyKind kind, vptr__cuda_when when) {
  return (rect_call){ .call = call,
                      .from = { .array = src },
                      .from_x = x,
                      .from_y = y,
                      .from_array = true,
                      .to = { .operand = { .ptr = dst } },
                      .kind = kind,
                      .when = when };
}

static rect_call between_arrays(const vptr__cuda_call *call, cudaArray_t dst, size_t to_x, size_t to_y,
                                cudaArray_const_t src, size_t from_x, size_t from_y, enum cudaMemcpyKind kind,
                                vptr__cuda_when when) {
  return (rect_call){ .call = call,
                      .to = { .array = dst },
                      .to_x = to_x,
                      .to_y = to_y,
                      .to_array = true,
                      .from = { .array = src },
                      .from_x = from_x,
                      .from_y = from_y,
                      .from_array = true,
                      .kind = kind,
                      .when = when };
}

static cudaError_t copy_2d(rect_call rect, size_t pitch, size_t width, size_t height) {
  rect.to.operand.row = rect.from.operand.row = pitch;
  rect.width = width;
  rect.height = height;
  return vptr__cuda_record(copy_rect(&rect));
}

static cudaError_t copy_1d(const rect_call rect, size_t count) {
  return vptr__cuda_record(copy_line(&rect, count));
}

static const vptr__cuda_call to_2d = { "cudaMemcpy2DToArray", "cudaMemcpy2DToArray destination",
                                       "cudaMemcpy2DToArray source" };
static const vptr__cuda_call to_2d_async = { "cudaMemcpy2DToArrayAsync", "cudaMemcpy2DToArrayAsync destination",
                                             "cudaMemcpy2DToArrayAsync source" };
static const vptr__cuda_call from_2d = { "cudaMemcpy2DFromArray", "cudaMemcpy2DFromArray destination",
                                         "cudaMemcpy2DFromArray source" };
static const vptr__cuda_call from_2d_async = { "cudaMemcpy2DFromArrayAsync", "cudaMemcpy2DFromArrayAsync destination",
                                               "cudaMemcpy2DFromArrayAsync source" };
static const vptr__cuda_call between_2d = { "cudaMemcpy2DArrayToArray", "cudaMemcpy2DArrayToArray destination",
                                            "cudaMemcpy2DArrayToArray source" };
static const vptr__cuda_call to_line = { "cudaMemcpyToArray", "cudaMemcpyToArray destination",
                                         "cudaMemcpyToArray source" };
static const vptr__cuda_call to_line_async = { "cudaMemcpyToArrayAsync", "cudaMemcpyToArrayAsync destination",
                                               "cudaMemcpyToArrayAsync source" };
static const vptr__cuda_call from_line = { "cudaMemcpyFromArray", "cudaMemcpyFromArray destination",
                                           "cudaMemcpyFromArray source" };
static const vptr__cuda_call from_line_async = { "cudaMemcpyFromArrayAsync", "cudaMemcpyFromArrayAsync destination",
                                                 "cudaMemcpyFromArrayAsync source" };
static const vptr__cuda_call between_line = { "cudaMemcpyArrayToArray", "cudaMemcpyArrayToArray destination",
                                              "cudaMemcpyArrayToArray source" };

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind) {
  return copy_2d(to_array(&to_2d, dst, wOffset, hOffset, src, kind, vptr__cuda_now()), spitch, width, height);
}

cudaError_t cudaMemcpy2DToArray_ptds(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind) {
  return copy_2d(to_array(&to_2d, dst, wOffset, hOffset, src, kind, vptr__cuda_now_ptds()), spitch, width, height);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_2d(to_array(&to_2d_async, dst, wOffset, hOffset, src, kind, vptr__cuda_on(stream)), spitch, width,
                 height);
}

cudaError_t cudaMemcpy2DToArrayAsync_ptsz(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                          size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                                          cudaStream_t stream) {
  return cudaMemcpy2DToArrayAsync(dst, wOffset, hOffset, src, spitch, width, height, kind,
                                  vptr__cuda_own_default(stream));
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                  size_t width, size_t height, enum cudaMemcpyKind kind) {
  return copy_2d(from_array(&from_2d, dst, src, wOffset, hOffset, kind, vptr__cuda_now()), dpitch, width, height);
}

cudaError_t cudaMemcpy2DFromArray_ptds(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                       size_t hOffset, size_t width, size_t height, enum cudaMemcpyKind kind) {
  return copy_2d(from_array(&from_2d, dst, src, wOffset, hOffset, kind, vptr__cuda_now_ptds()), dpitch, width,
                 height);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                       size_t hOffset, size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return copy_2d(from_array(&from_2d_async, dst, src, wOffset, hOffset, kind, vptr__cuda_on(stream)), dpitch, width,
                 height);
}

cudaError_t cudaMemcpy2DFromArrayAsync_ptsz(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                            size_t hOffset, size_t width, size_t height, enum cudaMemcpyKind kind,
                                            cudaStream_t stream) {
  return cudaMemcpy2DFromArrayAsync(dst, dpitch, src, wOffset, hOffset, width, height, kind,
                                    vptr__cuda_own_default(stream));
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
                                     size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height,
                                     enum cudaMemcpyKind kind) {
  return copy_2d(
      between_arrays(&between_2d, dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, kind, vptr__cuda_now()),
      0, width, height);
}

cudaError_t cudaMemcpy2DArrayToArray_ptds(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                          cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc, size_t width,
                                          size_t height, enum cudaMemcpyKind kind) {
  return copy_2d(between_arrays(&between_2d, dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, kind,
                                vptr__cuda_now_ptds()),
                 0, width, height);
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                              enum cudaMemcpyKind kind) {
  return copy_1d(to_array(&to_line, dst, wOffset, hOffset, src, kind, vptr__cuda_now()), count);
}

cudaError_t cudaMemcpyToArray_ptds(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                                   enum cudaMemcpyKind kind) {
  return copy_1d(to_array(&to_line, dst, wOffset, hOffset, src, kind, vptr__cuda_now_ptds()), count);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                                   enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_1d(to_array(&to_line_async, dst, wOffset, hOffset, src, kind, vptr__cuda_on(stream)), count);
}

cudaError_t cudaMemcpyToArrayAsync_ptsz(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                        size_t count, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpyToArrayAsync(dst, wOffset, hOffset, src, count, kind, vptr__cuda_own_default(stream));
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                                enum cudaMemcpyKind kind) {
  return copy_1d(from_array(&from_line, dst, src, wOffset, hOffset, kind, vptr__cuda_now()), count);
}

cudaError_t cudaMemcpyFromArray_ptds(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                                     enum cudaMemcpyKind kind) {
  return copy_1d(from_array(&from_line, dst, src, wOffset, hOffset, kind, vptr__cuda_now_ptds()), count);
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_1d(from_array(&from_line_async, dst, src, wOffset, hOffset, kind, vptr__cuda_on(stream)), count);
}

cudaError_t cudaMemcpyFromArrayAsync_ptsz(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                          size_t count, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpyFromArrayAsync(dst, src, wOffset, hOffset, count, kind, vptr__cuda_own_default(stream));
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
                                   size_t wOffsetSrc, size_t hOffsetSrc, size_t count, enum cudaMemcpyKind kind) {
  return copy_1d(
      between_arrays(&between_line, dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, kind, vptr__cuda_now()),
      count);
}

cudaError_t cudaMemcpyArrayToArray_ptds(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
                                        size_t wOffsetSrc, size_t hOffsetSrc, size_t count,
                                        enum cudaMemcpyKind kind) {
  return copy_1d(between_arrays(&between_line, dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, kind,
                                vptr__cuda_now_ptds()),
                 count);
}
