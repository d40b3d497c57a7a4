/* SPDX-License-Identifier: MIT */
/*
 * word - checking the words of CUDA's stream memory operations, and handing them to a stream (word.h).
 *
 * A lone write of device memory is a fill, and takes no detour by the host. Pinned memory is acquired before the work
 * is queued and once more behind it, so that freeing it waits for the stream (acquire_pinned() in copy.c says why
 * twice). No data and no lock of its own. While a stream is captured it takes vptr__graph_lock(), of rank GRAPH; to
 * find a host address the lock of `aliases` (pinned/alias.c), of rank MAPPING; and what stream/word.c and cuda/set.c
 * say. So callers hold no lock of rank GRAPH or behind it. Called by driver/word.c alone, for cuStreamWaitValue32() and
 * its kin. The host does not wait for the words, but as vptr__stream_words() does.
 */
#include "cuda/word.h"

#include <string.h>

#include "base/error.h"
#include "cuda/copy.h"
#include "cuda/error.h"
#include "cuda/stream.h"
#include "graph/capture.h"
#include "mapper/mapper.h"
#include "pinned/pinned.h"
#include "managed/managed.h"

static void *pointer_of(const vptr__word_step *step) {
  return (void *)step->address;
}

static bool acquire_word(vptr_mapper *user, const vptr__word_step *step) {
  return step->owner == NULL && vptr__pinned_acquire(user, pointer_of(step), step->size);
}

static vptr_status refuse_host(const char *call, const vptr__word_step *step) {
  vptr__managed_place place;
  if (vptr__managed_find(pointer_of(step), &place))
    return vptr__error(
        VPTR_ERROR_UNSUPPORTED,
        "%s: %p is managed memory that goes back and forth by page faults, and a stream cannot wait for it "
        "or write it; CUDA takes no managed memory here either: use cuMemAlloc() or cuMemAllocHost()",
        call, pointer_of(step));
  return vptr__error(
      VPTR_ERROR_UNKNOWN_ADDRESS,
      "%s: %p is neither device memory nor pinned host memory, of which %zu bytes are needed; if it was, "
      "it has been freed",
      call, pointer_of(step), step->size);
}

static vptr_status place_device(const char *call, vptr__word_step *step) {
  vptr_location location;
  vptr_status status = vptr__mapper_locate(step->owner, pointer_of(step), step->size, &location);
  return status == VPTR_SUCCESS ? status
                                : vptr__mapper_explain(step->owner, status, call, pointer_of(step), step->size);
}

static vptr_status locate_word(const char *call, vptr_mapper *user, vptr__word_step *step) {
  if (step->address % step->size != 0 || step->address == 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no place for a word of %zu bytes: %s", call,
                       pointer_of(step), step->size, step->address == 0 ? "it is NULL" : "it is no multiple of that");
  const void *host = vptr__pinned_host_address(pointer_of(step));
  if (host != NULL)
    step->address = (uintptr_t)host;
  step->owner = vptr__mapper_owning(pointer_of(step));
  if (step->owner != NULL)
    return place_device(call, step);
  return acquire_word(user, step) ? VPTR_SUCCESS : refuse_host(call, step);
}

static bool is_fill(vptr_mapper *user, const vptr__word_step *steps, size_t count) {
  return count == 1 && steps->verb == VPTR__WORD_WRITE && steps->owner == user;
}

static cudaError_t fill_word(const char *call, cudaStream_t stream, const vptr__word_step *step) {
  vptr__element element = { .size = step->size };
  memcpy(element.bytes, &step->value, sizeof element.bytes);
  return vptr__cuda_set_elements(call, pointer_of(step), 0, &element, 1, 1, vptr__cuda_on(stream));
}

static cudaError_t send_steps(vptr__stream *stream, const vptr__word_step *steps, size_t count) {
  vptr_mapper *mapper = vptr__stream_mapper(stream);
  vptr_status status = vptr__stream_words(stream, steps, count);
  for (size_t i = 0; i < count; i++)
    acquire_word(mapper, &steps[i]);
  return vptr__cuda_from_status(status);
}

cudaError_t vptr__cuda_words(const char *call, cudaStream_t handle, vptr__word_step *steps, size_t count) {
  vptr__stream *stream;
  cudaError_t error = vptr__cuda_stream(handle, &stream);
  if (error == cudaSuccess && vptr__captures_any())
    error = vptr__capture_refuse(call, stream);
  if (error != cudaSuccess)
    return error;
  vptr_mapper *mapper = vptr__stream_mapper(stream);
  for (size_t i = 0; i < count; i++)
    if (locate_word(call, mapper, &steps[i]) != VPTR_SUCCESS)
      return cudaErrorInvalidValue;
  if (count == 0)
    return cudaSuccess;
  return is_fill(mapper, steps, count) ? fill_word(call, handle, steps) : send_steps(stream, steps, count);
}
