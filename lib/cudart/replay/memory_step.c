/* SPDX-License-Identifier: MIT */
/*
 * memory_step - what a launch does about memory that its graph allocates and frees (graph/memory.h).
 *
 * For the host an allocation begins when its step is sent, and ends when the step is sent that frees it: what is sent
 * in between finds it live, as it will be in the order of the device. A launch that fails has allocated nothing. The
 * exec's lock, vptr__exec.lock of rank EXEC, is held by the caller, and vptr__graph_lock(), of rank GRAPH
 * (graph/graph.c), which guards the places, is taken here. No data of its own: it takes and puts back the `event` of a
 * place. Called by send.c and update.c. A free of memory that no graph holds any more may wait as cudaFreeAsync() does.
 */
#include "replay/exec.h"

#include "base/error.h"
#include "cuda/error.h"
#include "pool/pool.h"

/* Under the lock. */
static cudaError_t begin_step(const vptr__exec *exec, const vptr__step *step) {
  vptr__graph_place *place = step->work.alloc.place;
  if (!place->is_live || place->mapper == NULL)
    return cudaSuccess;
  if ((exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0)
    return vptr__cuda_from_status(vptr__graph_memory_close(place));
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "%s: the memory at %p that an earlier launch allocated is not freed: free it, or instantiate the graph "
              "with cudaGraphInstantiateFlagAutoFreeOnLaunch",
              step->what, place->ptr);
  return cudaErrorInvalidValue;
}

cudaError_t vptr__exec_memory_begin(const vptr__exec *exec) {
  cudaError_t error = cudaSuccess;
  if (!exec->has_memory)
    return error;
  vptr__graph_lock();
  for (uint32_t i = 0; i < exec->steps.count && error == cudaSuccess; i++)
    if (exec->steps.items[i].type == cudaGraphNodeTypeMemAlloc)
      error = begin_step(exec, &exec->steps.items[i]);
  vptr__graph_unlock();
  return error;
}

void vptr__exec_memory_abandon(const vptr__exec *exec) {
  if (!exec->has_memory)
    return;
  vptr__graph_lock();
  for (uint32_t i = 0; i < exec->steps.count; i++) {
    const vptr__step *step = &exec->steps.items[i];
    if (step->type == cudaGraphNodeTypeMemAlloc && step->work.alloc.place->is_live)
      vptr__graph_memory_close(step->work.alloc.place);
  }
  vptr__graph_unlock();
}

/* What another stream freed it behind is waited for, once. */
cudaError_t vptr__exec_memory_open(const vptr__step *step, vptr__stream *stream) {
  vptr__graph_place *place = step->work.alloc.place;
  vptr__event *event = NULL;
  vptr_status status = VPTR_SUCCESS;
  vptr__graph_lock();
  if (place->mapper != NULL && place->mapper != vptr__stream_mapper(stream))
    status =
        vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: the memory is of another device than the stream", step->what);
  if (status == VPTR_SUCCESS)
    status = vptr__graph_memory_open(&step->work.alloc, step->what);
  if (status == VPTR_SUCCESS) {
    event = place->event;
    place->event = NULL;
  }
  vptr__graph_unlock();
  if (event == NULL || !vptr__event_is_live(event))
    return vptr__cuda_from_status(status);
  status = vptr__pool_stream_wait(stream, event);
  if (status == VPTR_SUCCESS) {
    vptr__pool_event_destroy(event);
    return cudaSuccess;
  }
  vptr__graph_lock(); /* nobody else has given it another: it is live */
  place->event = event;
  vptr__graph_unlock();
  return vptr__cuda_from_status(status);
}

cudaError_t vptr__exec_memory_close(const vptr__exec *exec, const vptr__step *step, vptr__stream *stream) {
  void *ptr = step->work.free;
  vptr_status status = VPTR_SUCCESS;
  vptr__graph_lock();
  vptr__graph_place *place = vptr__graph_memory_at(ptr);
  vptr_mapper *mapper = place != NULL ? place->mapper : NULL;
  const bool is_own = place != NULL && place->graph == exec->graph;
  if (is_own)
    status = vptr__graph_memory_close(place);
  vptr__graph_unlock();
  if (place == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is not allocated: no launch of a graph has, or it was freed",
                step->what, ptr);
    return cudaErrorInvalidValue;
  }
  if (!is_own && !vptr__graph_memory_free(ptr, stream, &status))
    status = vptr__pool_free(mapper, ptr, stream, step->what);
  return vptr__cuda_from_status(status);
}

/* ---- updates -------------------------------------------------------------------------------------------- */

/* Addresses are fixed: another graph's nodes have others. */
bool vptr__step_has_same_memory(const vptr__step *was, const vptr__step *is) {
  if (was->type == cudaGraphNodeTypeMemAlloc)
    return was->work.alloc.place == is->work.alloc.place &&
           was->work.alloc.params.bytesize == is->work.alloc.params.bytesize;
  return was->type != cudaGraphNodeTypeMemFree || was->work.free == is->work.free;
}
