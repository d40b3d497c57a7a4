/* SPDX-License-Identifier: MIT */
/*
 * call - how a call of a generator begins, and what it asks for; see call.h.
 *
 * No state, no locks. Called by generate.c, lanes.c, quasi.c and twister.c. An upload waits until the host's bytes may
 * change; the rest waits for nothing.
 */
#include "curand/call.h"

#include "base/error.h"
#include "base/memory.h"
#include "curand/status.h"
#include "library/call.h"
#include "mapper/host.h"
#include "mapper/registry.h"
#include "pool/pool.h"
#include "transfer/async.h"

#include <stdio.h>
#include <string.h>

void vptr__rand_call_fail(vptr__rand_call *it, vptr_status status) {
  if (it->status == CURAND_STATUS_SUCCESS)
    it->status = vptr__rand_status_of(status);
}

vptr__rand_call vptr__rand_call_enter(const char *name, curandGenerator_t generator) {
  vptr__rand_call it = { .name = name, .generator = generator, .status = vptr__rand_check(name, generator) };
  if (it.status != CURAND_STATUS_SUCCESS || generator->is_host)
    return it;
  vptr__rand_call_fail(&it,
                       vptr__library_stream_or_capture(name, "the generator's stream", "generator", generator->mapper,
                                                       generator->stream, &it.stream, &it.captures));
  if (it.status == CURAND_STATUS_SUCCESS && !it.captures)
    vptr__rand_call_fail(&it, vptr__rand_use(generator, it.stream));
  return it;
}

vptr__rand_call vptr__rand_call_resume(const char *name, curandGenerator_t generator, vptr__stream *stream) {
  vptr__rand_call it = { .name = name, .generator = generator, .stream = stream, .status = CURAND_STATUS_SUCCESS };
  if (vptr__stream_mapper(stream) != generator->mapper)
    vptr__rand_call_fail(
        &it, vptr__error(VPTR_ERROR_OTHER_MAPPER, "%s: the stream is of another device than the generator", name));
  else
    vptr__rand_call_fail(&it, vptr__rand_use(generator, stream));
  return it;
}

void vptr__rand_call_refuse(vptr__rand_call *it, curandStatus_t status, const char *what) {
  if (it->status != CURAND_STATUS_SUCCESS)
    return;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", it->name, what);
  it->status = status;
}

static void check_host_output(vptr__rand_call *it, const void *to, size_t bytes) {
  char words[96];
  snprintf(words, sizeof words, "%s: the output", it->name);
  vptr__rand_call_fail(it, vptr__host_check(words, to, bytes));
}

void vptr__rand_call_check_output(vptr__rand_call *it, const void *to, size_t count, size_t size) {
  size_t bytes;
  if (it->status != CURAND_STATUS_SUCCESS || count == 0)
    return;
  if (to == NULL)
    vptr__rand_call_refuse(it, CURAND_STATUS_OUT_OF_RANGE, "the output is NULL");
  if (__builtin_mul_overflow(count, size, &bytes))
    vptr__rand_call_refuse(it, CURAND_STATUS_OUT_OF_RANGE, "there is no memory for so many numbers");
  if (it->status != CURAND_STATUS_SUCCESS)
    return;
  if (!it->generator->is_host)
    vptr__rand_call_fail(it, vptr__library_memory(it->name, "the output", it->generator->mapper, to, bytes));
  else if (vptr__mapper_owning(to) != NULL)
    vptr__rand_call_refuse(it, CURAND_STATUS_OUT_OF_RANGE,
                           "the output is a device's memory, and the generator is the host's");
  else
    check_host_output(it, to, bytes);
}

void vptr__rand_call_reserve(vptr__rand_call *it, size_t bytes) {
  curandGenerator_t generator = it->generator;
  void *states = NULL;
  if (it->status != CURAND_STATUS_SUCCESS || generator->state_bytes >= bytes)
    return;
  vptr_status status = VPTR_SUCCESS;
  if (!generator->is_host)
    status = vptr__pool_allocate(NULL, bytes, it->stream, __builtin_return_address(0), &states);
  else if ((states = vptr__memory_calloc(1, bytes)) == NULL)
    status = vptr__error(VPTR_ERROR_OUT_OF_HOST_MEMORY, "%s: no host memory for the generator's %zu bytes", it->name,
                         bytes);
  if (status == VPTR_SUCCESS && generator->is_host)
    vptr__memory_free(generator->states);
  else if (status == VPTR_SUCCESS && generator->states != NULL)
    status = vptr__pool_free(generator->mapper, generator->states, it->stream, it->name);
  vptr__rand_call_fail(it, status);
  if (states == NULL)
    return;
  generator->states = states;
  generator->state_bytes = bytes;
}

void vptr__rand_call_upload(vptr__rand_call *it, const void *from, size_t offset, size_t bytes) {
  char *to = (char *)it->generator->states + offset;
  if (it->status != CURAND_STATUS_SUCCESS || bytes == 0)
    return;
  if (it->generator->is_host) {
    memcpy(to, from, bytes);
    return;
  }
  vptr__operand target = { .what = it->name, .ptr = to };
  vptr__operand source = { .what = it->name, .ptr = (void *)from };
  vptr__operand_classify(&target);
  vptr__operand_classify(&source);
  vptr__rand_call_fail(
      it, vptr__transfer_copy_classified(it->stream, &target, &source, (const size_t[3]){ bytes, 1, 1 }, 0));
}
