/* SPDX-License-Identifier: MIT */
/*
 * word - checking the words of CUDA's stream memory operations, and handing them to a stream (word.h).
 *
 * A lone write of device memory is a fill, and takes no detour by the host. Pinned memory is acquired before the work
 * is queued and once more behind it, so that freeing it waits for the stream (acquire_pinned() in copy.c says why
 * twice). No data and no lock of its own. While a stream is captured it takes vptr__graph_lock(), of rank GRAPH; to
 * find a host address the lock of `aliases` (pinned/alias.c), of rank MAPPING; and what stream/word.c and cuda/set.c
 * say. So callers hold no lock of rank GRAPH or behind it. Called by driver/word.c, for cuStreamWaitValue32() and its
 * kin, and by replay/word_node.c and replay/plain_node.c. The host does not wait for the words, but as
 * vptr__stream_words() does.
 */
#include "cuda/word.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
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

static vptr_status send_steps(vptr__stream *stream, const vptr__word_step *steps, size_t count) {
  vptr_mapper *mapper = vptr__stream_mapper(stream);
  vptr_status status = vptr__stream_words(stream, steps, count);
  for (size_t i = 0; i < count; i++)
    acquire_word(mapper, &steps[i]);
  return status;
}

static vptr_status locate_all(const char *call, vptr_mapper *user, vptr__word_step *steps, size_t count) {
  vptr_status status = VPTR_SUCCESS;
  for (size_t i = 0; i < count && status == VPTR_SUCCESS; i++)
    status = locate_word(call, user, &steps[i]);
  return status;
}

/* The caller's steps stay as they are: what is found is in a copy. */
static cudaError_t send_words(const char *call, vptr__stream *stream, const vptr__word_step *steps, size_t count) {
  vptr_mapper *mapper = vptr__stream_mapper(stream);
  vptr__word_step *found = vptr__memory_calloc(count, sizeof *found);
  if (found == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(count * sizeof *found));
  memcpy(found, steps, count * sizeof *found);
  cudaError_t error = cudaSuccess;
  if (locate_all(call, mapper, found, count) != VPTR_SUCCESS)
    error = cudaErrorInvalidValue;
  else if (is_fill(mapper, found, count))
    error = fill_word(call, (cudaStream_t)stream, found);
  else
    error = vptr__cuda_from_status(send_steps(stream, found, count));
  vptr__memory_free(found);
  return error;
}

/* ---- in graphs ------------------------------------------------------------------------------------------ */

/* What a node has of a call: the words as the program named them, which are looked for when it is launched; behind the
 * steps, what it is told by. */
typedef struct captured_words {
  size_t count, told_bytes;
  vptr__word_step steps[];
} captured_words;

static vptr_status send_captured(const void *context, const char *what, vptr__stream *stream) {
  const captured_words *words = context;
  const size_t bytes = words->count * sizeof *words->steps;
  if (words->count == 0)
    return VPTR_SUCCESS;
  vptr__word_step *steps = vptr__memory_calloc(words->count, sizeof *steps);
  if (steps == NULL)
    return vptr__error_host_memory(bytes);
  memcpy(steps, words->steps, bytes);
  vptr_status status = locate_all(what, vptr__stream_mapper(stream), steps, words->count);
  if (status == VPTR_SUCCESS)
    status = send_steps(stream, steps, words->count);
  vptr__memory_free(steps);
  return status;
}

cudaError_t vptr__cuda_words_work(const char *call, const vptr__words *words, vptr__graph_work *work) {
  const size_t bytes = words->count * sizeof *words->steps;
  captured_words *kept;
  memset(work, 0, sizeof *work);
  work->call = (vptr__graph_call){ .name = call, .send = send_captured };
  work->call.bytes = sizeof *kept + bytes + words->told_bytes;
  work->call.context = kept = vptr__memory_calloc(1, work->call.bytes);
  if (kept == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(work->call.bytes));
  kept->count = words->count;
  kept->told_bytes = words->told_bytes;
  if (bytes > 0)
    memcpy(kept->steps, words->steps, bytes);
  memcpy(kept->steps + words->count, words->told, words->told_bytes);
  return cudaSuccess;
}

const void *vptr__cuda_words_told(const vptr__graph_work *work, size_t *bytes_out) {
  const captured_words *kept = work->call.context;
  if (work->call.send != send_captured)
    return NULL;
  *bytes_out = kept->told_bytes;
  return kept->steps + kept->count;
}

cudaError_t vptr__cuda_words_check(const char *call, vptr_mapper *mapper, const vptr__words *words) {
  for (size_t i = 0; i < words->count; i++) {
    vptr__word_step found = words->steps[i];
    if (locate_word(call, mapper, &found) != VPTR_SUCCESS)
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

/* They are looked for now as well, so that what is wrong is told at once. A fill is a node that sets. */
static cudaError_t capture_words(const char *call, vptr__stream *stream, const vptr__words *words) {
  vptr__graph_work work;
  vptr_mapper *mapper = vptr__stream_mapper(stream);
  vptr__word_step first = *words->steps;
  cudaError_t error = vptr__cuda_words_check(call, mapper, words);
  if (error == cudaSuccess && words->count == 1 && locate_word(call, mapper, &first) == VPTR_SUCCESS &&
      is_fill(mapper, &first, 1))
    return fill_word(call, (cudaStream_t)stream, &first);
  if (error == cudaSuccess)
    error = vptr__cuda_words_work(call, words, &work);
  return error == cudaSuccess ? vptr__capture_add(call, stream, cudaGraphNodeTypeEmpty, &work) : error;
}

cudaError_t vptr__cuda_words(const char *call, cudaStream_t handle, const vptr__words *words) {
  vptr__stream *stream;
  bool captures = false;
  cudaError_t error = vptr__cuda_stream(handle, &stream);
  if (error == cudaSuccess && vptr__captures_any())
    error = vptr__capture_look(call, stream, &captures);
  if (error != cudaSuccess || words->count == 0)
    return error;
  return captures ? capture_words(call, stream, words) : send_words(call, stream, words->steps, words->count);
}
