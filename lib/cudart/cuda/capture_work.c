/* SPDX-License-Identifier: MIT */
/*
 * capture_work - from a copy, a set or a host function to the node that does the same (capture_work.h).
 *
 * A copy between plain memory becomes one of cudaMemcpy3D()'s form; a set whose slices do not lie row behind row
 * becomes one node for each slice. No data, no lock of its own: graph/capture.h, which it calls, takes
 * vptr__graph_lock(), of rank GRAPH. Called by copy.c, array_copy.c, advice_call.c, pool.c, set.c, event.c and
 * stream.c, and by library/captured.c. Nothing waits, but an allocation where the device is full, and giving that lock
 * back where memory goes with a node that cannot be added (vptr__graph_unlock()).
 */
#include "cuda/capture_work.h"

#include "base/error.h"
#include "cuda/error.h"
#include "device/device.h"
#include "mapper/mapper.h"

#include <string.h>

/* Whether the stream is captured; of a call that waits, whether it may be made: CUDA counts no copy or set among what
 * is unsafe, so only the stream that it is work of matters. */
static bool is_captured(const char *call, vptr__cuda_when when, vptr__stream *stream, cudaError_t *error_out) {
  bool captures = false;
  if (when.synchronous)
    *error_out = vptr__capture_refuse(call, stream);
  else
    *error_out = vptr__capture_look(call, stream, &captures);
  return captures && *error_out == cudaSuccess;
}

/* Rows behind each other; what has one row or slice need not say how far the next one is. */
static struct cudaPitchedPtr pitched(const vptr__operand *operand, const size_t region[3]) {
  const size_t pitch = operand->row > 0 ? operand->row : region[0];
  const size_t rows = region[2] > 1 && pitch > 0 ? operand->slice / pitch : region[1];
  return (struct cudaPitchedPtr){ operand->ptr, pitch, region[0], rows };
}

bool vptr__cuda_captures_copy(const vptr__cuda_copy *copy, vptr__stream *stream, cudaError_t *error_out) {
  vptr__graph_work work;
  if (!is_captured(copy->call->name, copy->when, stream, error_out))
    return *error_out != cudaSuccess;
  memset(&work, 0, sizeof work);
  work.copy.dstPtr = pitched(&copy->to, copy->region);
  work.copy.srcPtr = pitched(&copy->from, copy->region);
  work.copy.extent = (struct cudaExtent){ copy->region[0], copy->region[1], copy->region[2] };
  work.copy.kind = copy->kind;
  *error_out = vptr__capture_add(copy->call->name, stream, cudaGraphNodeTypeMemcpy, &work);
  return true;
}

static void fill_end(const vptr__cuda_array_endpoint *end, const size_t region[3], cudaArray_t *array,
                     struct cudaPos *position, struct cudaPitchedPtr *memory) {
  *array = (cudaArray_t)(uintptr_t)end->array;
  if (end->array != NULL)
    *position = (struct cudaPos){ end->at[0], end->at[1], end->at[2] };
  else
    *memory = pitched(&end->operand, region);
}

/* Widths of memory are not known here, and not needed: a pitch is there wherever there are several rows. */
bool vptr__cuda_captures_array_copy(const vptr__cuda_array_copy *copy, vptr__stream *stream, cudaError_t *error_out) {
  vptr__graph_work work;
  struct cudaMemcpy3DParms *params = &work.copy;
  size_t bytes[3] = { copy->region[0], copy->region[1], copy->region[2] }, element;
  const vptr__cuda_array_endpoint *any = copy->to.array != NULL ? &copy->to : &copy->from;
  if (!is_captured(copy->call->name, copy->when, stream, error_out))
    return *error_out != cudaSuccess;
  *error_out = vptr__cuda_array_element(copy->call->name, any->array, &element);
  if (*error_out != cudaSuccess)
    return true;
  bytes[0] *= element;
  memset(&work, 0, sizeof work);
  fill_end(&copy->to, bytes, &params->dstArray, &params->dstPos, &params->dstPtr);
  fill_end(&copy->from, bytes, &params->srcArray, &params->srcPos, &params->srcPtr);
  params->extent = (struct cudaExtent){ copy->region[0], copy->region[1], copy->region[2] };
  params->kind = copy->kind;
  *error_out = vptr__capture_add(copy->call->name, stream, cudaGraphNodeTypeMemcpy, &work);
  return true;
}

bool vptr__cuda_captures_set(const vptr__operand *to, const vptr__element *element, const size_t region[3],
                             vptr__cuda_when when, vptr__stream *stream, cudaError_t *error_out) {
  vptr__graph_work work;
  if (!is_captured(to->what, when, stream, error_out))
    return *error_out != cudaSuccess;
  const bool is_dense = region[2] == 1 || to->slice == to->row * region[1];
  const size_t slices = is_dense ? 1 : region[2], rows = is_dense ? region[1] * region[2] : region[1];
  for (size_t z = 0; z < slices && *error_out == cudaSuccess; z++) {
    memset(&work, 0, sizeof work);
    work.set = (struct cudaMemsetParams){ .dst = (unsigned char *)to->ptr + z * to->slice,
                                          .pitch = to->row,
                                          .elementSize = (unsigned)element->size,
                                          .width = region[0] / element->size,
                                          .height = rows };
    memcpy(&work.set.value, element->bytes, element->size);
    *error_out = vptr__capture_add(to->what, stream, cudaGraphNodeTypeMemset, &work);
  }
  return true;
}

bool vptr__cuda_captures_host(const char *call, cudaHostFn_t function, void *context, vptr__stream *stream,
                              cudaError_t *error_out) {
  vptr__graph_work work;
  if (!is_captured(call, vptr__cuda_on(NULL), stream, error_out))
    return *error_out != cudaSuccess;
  memset(&work, 0, sizeof work);
  work.host = (struct cudaHostNodeParams){ function, context };
  *error_out = vptr__capture_add(call, stream, cudaGraphNodeTypeHost, &work);
  return true;
}

/* ---- memory --------------------------------------------------------------------------------------------- */

static cudaError_t add_alloc(const char *call, size_t size, const void *site, vptr__stream *stream, void **ptr_out) {
  vptr__graph_work work;
  vptr__graph_alloc *alloc = &work.alloc;
  vptr_mapper *mapper = vptr__stream_mapper(stream);
  vptr_status status = VPTR_SUCCESS;
  memset(&work, 0, sizeof work);
  alloc->site = site;
  alloc->params.poolProps.allocType = cudaMemAllocationTypePinned;
  alloc->params.poolProps.location = (struct cudaMemLocation){ cudaMemLocationTypeDevice, mapper->device->ordinal };
  alloc->params.bytesize = size;
  vptr__capture_find_memory(stream, mapper, size, alloc);
  if (alloc->place == NULL)
    status = vptr__graph_memory_make(mapper, size, site, alloc);
  if (status != VPTR_SUCCESS)
    return status == VPTR_ERROR_INVALID_SIZE ? cudaErrorMemoryAllocation : vptr__cuda_from_status(status);
  void *ptr = alloc->params.dptr = alloc->place->ptr;
  cudaError_t error = vptr__capture_add(call, stream, cudaGraphNodeTypeMemAlloc, &work);
  if (error == cudaSuccess)
    *ptr_out = ptr;
  return error;
}

bool vptr__cuda_captures_alloc(const char *call, size_t size, const void *site, vptr__stream *stream, void **ptr_out,
                               cudaError_t *error_out) {
  if (!is_captured(call, vptr__cuda_on(NULL), stream, error_out)) {
    if (*error_out == cudaSuccess)
      *error_out = vptr__capture_unsafe(call);
    return *error_out != cudaSuccess;
  }
  *ptr_out = NULL;
  if (size > 0)
    *error_out = add_alloc(call, size, site, stream, ptr_out);
  return true;
}

bool vptr__cuda_captures_free(const char *call, void *ptr, vptr__stream *stream, cudaError_t *error_out) {
  vptr__graph_work work;
  if (!is_captured(call, vptr__cuda_on(NULL), stream, error_out))
    return *error_out != cudaSuccess;
  if (ptr == NULL)
    return true;
  memset(&work, 0, sizeof work);
  work.free = ptr;
  *error_out = vptr__capture_add(call, stream, cudaGraphNodeTypeMemFree, &work);
  return true;
}

bool vptr__cuda_captures_prefetch(const char *call, const vptr__graph_prefetch *prefetch, vptr__stream *stream,
                                  cudaError_t *error_out) {
  vptr__graph_work work;
  if (!is_captured(call, vptr__cuda_on(NULL), stream, error_out))
    return *error_out != cudaSuccess;
  memset(&work, 0, sizeof work);
  work.prefetch = *prefetch;
  *error_out = vptr__capture_add(call, stream, cudaGraphNodeTypeEmpty, &work);
  return true;
}

/* ---- events --------------------------------------------------------------------------------------------- */

/* As a node, or with a flag that there is not. Only where the stream is captured. */
static bool captures_flags(const char *call, vptr__stream *stream, cudaEvent_t event, unsigned flags,
                           enum cudaGraphNodeType type, cudaError_t *error_out) {
  vptr__graph_work work;
  if (!is_captured(call, vptr__cuda_on(NULL), stream, error_out))
    return *error_out != cudaSuccess;
  memset(&work, 0, sizeof work);
  work.event = event;
  if (flags == cudaEventRecordExternal) {
    *error_out = vptr__capture_add(call, stream, type, &work);
    return true;
  }
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: flags are 0x%x, and 0 or %d is possible", call, flags,
              cudaEventRecordExternal);
  *error_out = cudaErrorInvalidValue;
  return true;
}

_Static_assert(cudaEventRecordExternal == cudaEventWaitExternal, "one check for both");

/* The capture goes on. */
static bool refuse_shared_event(const char *call, vptr__stream *stream, cudaError_t *error_out) {
  if (!is_captured(call, vptr__cuda_on(NULL), stream, error_out))
    return *error_out != cudaSuccess;
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: the stream is captured, and the event was made for other processes", call);
  *error_out = cudaErrorStreamCaptureUnsupported;
  return true;
}

bool vptr__cuda_captures_record(vptr__stream *stream, cudaEvent_t event, unsigned flags, cudaError_t *error_out) {
  static const char call[] = "cudaEventRecord";
  if ((vptr__event_flags((vptr__event *)event) & cudaEventInterprocess) != 0)
    return refuse_shared_event(call, stream, error_out);
  if (flags != cudaEventRecordDefault)
    return captures_flags(call, stream, event, flags, cudaGraphNodeTypeEventRecord, error_out);
  return vptr__capture_record(call, stream, (vptr__event *)event, error_out);
}

bool vptr__cuda_captures_wait(vptr__stream *stream, cudaEvent_t event, unsigned flags, cudaError_t *error_out) {
  static const char call[] = "cudaStreamWaitEvent";
  if (flags != cudaEventWaitDefault)
    return captures_flags(call, stream, event, flags, cudaGraphNodeTypeWaitEvent, error_out);
  return vptr__capture_wait(call, stream, (vptr__event *)event, error_out);
}
