/* SPDX-License-Identifier: MIT */
/*
 * thread - each thread's own stream on a mapper: what CUDA calls the per-thread default stream.
 *
 * A thread has a list of them, one for each mapper it asked for. They are destroyed when the thread ends, as streams
 * are: their work goes on. The main thread's stay, since it ends with the process. An entry whose mapper ended first,
 * or closed its streams at a reset, holds the address of what was a stream: it is checked as a handle, and by its id,
 * before it is looked at.
 *
 * The list, of own_stream, is the thread-specific value of the static `key`, so it needs no lock; its entries are freed
 * when the thread ends. `once` and `key_error` are pthread_once()'s. To make or end a stream takes mapper->stream_lock,
 * of rank STREAM (stream.c). vptr__stream_per_thread() waits only where it makes a queue that is the first beside the
 * mapper's own: then for the work in that (vptr__mapper_use_queue()). It fails without host memory, when the driver
 * makes no queue, or when no thread-specific key is left.
 *
 * Called by cudart/cuda/stream.c and copy.c, and by cudart/library/call.c, for the handle cudaStreamPerThread and the
 * calls of the _ptds and _ptsz forms; and by the C library, when a thread ends.
 */
#include "stream/state.h"

#include "base/error.h"
#include "base/memory.h"
#include "stream/handle.h"

typedef struct own_stream {
  struct own_stream *next;
  vptr_mapper *mapper;
  vptr__stream *stream;
  uint64_t id;
} own_stream;

static pthread_key_t key; /* -> the thread's first own_stream */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int key_error;

static bool is_still_there(const own_stream *own) {
  return vptr__stream_is_live(own->stream) && own->stream->id == own->id;
}

static void end_all(void *first) {
  for (own_stream *own = first; own != NULL;) {
    own_stream *next = own->next;
    if (is_still_there(own))
      vptr__stream_unmake(own->stream);
    vptr__memory_free(own);
    own = next;
  }
}

static void make_key(void) {
  key_error = pthread_key_create(&key, end_all);
}

static vptr_status add_own_stream(vptr_mapper *mapper, own_stream *own) {
  vptr_status status = vptr__stream_make(mapper, 0, 0, true, &own->stream);
  if (status != VPTR_SUCCESS)
    return status;
  own->mapper = mapper;
  own->id = own->stream->id;
  own->next = pthread_getspecific(key);
  if (pthread_setspecific(key, own) == 0)
    return VPTR_SUCCESS;
  vptr__stream_unmake(own->stream);
  return vptr__error_host_memory(sizeof *own);
}

/* The entry of a mapper that is gone is used again by one at the same address. */
static vptr_status renew_own_stream(own_stream *own) {
  vptr_status status = vptr__stream_make(own->mapper, 0, 0, true, &own->stream);
  if (status == VPTR_SUCCESS)
    own->id = own->stream->id;
  return status;
}

static vptr_status make_own_stream(vptr_mapper *mapper, vptr__stream **stream_out) {
  own_stream *own = vptr__memory_calloc(1, sizeof *own);
  if (own == NULL)
    return vptr__error_host_memory(sizeof *own);
  vptr_status status = add_own_stream(mapper, own);
  if (status == VPTR_SUCCESS)
    *stream_out = own->stream;
  else
    vptr__memory_free(own);
  return status;
}

vptr_status vptr__stream_per_thread(vptr_mapper *mapper, vptr__stream **stream_out) {
  pthread_once(&once, make_key);
  if (key_error != 0)
    return vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "a thread's own stream needs a thread-specific key, and there "
                                                      "is none left: the program uses all of PTHREAD_KEYS_MAX");
  own_stream *own = pthread_getspecific(key);
  while (own != NULL && own->mapper != mapper)
    own = own->next;
  if (own == NULL)
    return make_own_stream(mapper, stream_out);
  vptr_status status = is_still_there(own) ? VPTR_SUCCESS : renew_own_stream(own);
  if (status == VPTR_SUCCESS)
    *stream_out = own->stream;
  return status;
}
