/* SPDX-License-Identifier: MIT */
/*
 * condition_step - a step that depends on a condition: the host reads the word, and sends the body that it chooses.
 *
 * OpenCL has no command that depends on memory, so the launch waits: for what comes before the step, and in a loop for
 * each round. A body's steps are sent one behind the other, to the stream that the condition was read on. The exec's
 * lock, vptr__exec.lock of rank EXEC, is held by the caller, and vptr__graph_lock(), of rank GRAPH (graph/graph.c), is
 * taken to look at the word. No data. Called by send.c.
 */
#include "replay/exec.h"

#include "base/error.h"
#include "cuda/copy.h"
#include "cuda/error.h"
#include "graph/condition.h"

#include <string.h>

/* A reset takes the word away, and another device has another. */
static cudaError_t check_word(const vptr__step *step, const vptr__stream *stream) {
  const vptr__condition *condition = step->work.branch.condition;
  vptr__graph_lock();
  const vptr_mapper *mapper = condition->word->mapper;
  vptr__graph_unlock();
  if (mapper == vptr__stream_mapper(stream))
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the condition is of another device than the stream, or was reset",
              step->what);
  return cudaErrorInvalidValue;
}

static cudaError_t set_word(const vptr__step *step, vptr__stream *stream) {
  const vptr__condition *condition = step->work.branch.condition;
  vptr__element element = { .size = sizeof condition->initial };
  memcpy(element.bytes, &condition->initial, sizeof condition->initial);
  cudaError_t error = check_word(step, stream);
  return error == cudaSuccess ? vptr__cuda_set_elements(step->what, condition->word->ptr, element.size, &element, 1,
                                                        1, vptr__cuda_on((cudaStream_t)stream))
                              : error;
}

cudaError_t vptr__steps_set_conditions(const vptr__steps *steps, vptr__stream *stream) {
  cudaError_t error = cudaSuccess;
  for (uint32_t i = 0; i < steps->count && error == cudaSuccess; i++) {
    const vptr__step *step = &steps->items[i];
    if (step->type != cudaGraphNodeTypeConditional)
      continue;
    error = set_word(step, stream);
    for (uint32_t k = 0; k < step->body_count && error == cudaSuccess; k++)
      error = vptr__steps_set_conditions(&step->bodies[k], stream);
  }
  return error;
}

cudaError_t vptr__step_read_condition(const vptr__step *step, vptr__stream *stream, unsigned *value_out) {
  cudaError_t error = check_word(step, stream);
  if (error != cudaSuccess)
    return error;
  vptr_status status = vptr__stream_synchronize(stream);
  if (status == VPTR_SUCCESS)
    status = vptr_memcpy(vptr__stream_mapper(stream), value_out, step->work.branch.condition->word->ptr,
                         sizeof *value_out);
  return vptr__cuda_from_status(status);
}

uint32_t vptr__step_choose_body(const vptr__step *step, unsigned value) {
  if (step->work.branch.type == cudaGraphCondTypeSwitch)
    return value < step->body_count ? value : VPTR__NO_BODY;
  if (value != 0)
    return 0;
  return step->body_count > 1 ? 1 : VPTR__NO_BODY;
}
