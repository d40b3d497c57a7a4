/* SPDX-License-Identifier: MIT */
/*
 * work_of - making a node's work of what a program describes the node by (call.h).
 *
 * What is wrong with it is found here, as in CUDA: memory that is not there, rows longer than a pitch, blocks that the
 * current device cannot have. Addresses are looked at again when the graph is launched, since memory may go until then;
 * and that of nodes that allocate, which comes with the launch, counts as there (graph/memory.h). A symbol becomes its
 * address on the current device. No data, no lock of its own: vptr__graph_lock(), of rank GRAPH (graph/graph.c), is
 * taken while a child graph is copied or its memory looked for. Called by the files of lib/cudart/replay. To find a
 * kernel or a symbol whose unit is not registered yet registers that, under the lock of rank UNIT (cuda/unit.c), which
 * may translate its text or open the device, as a block's limits do. To find a symbol makes its variable on the device,
 * if it is not there: that may start the driver, waits for the initial content, and fails without device memory. So
 * callers hold neither vptr__graph_lock() nor a lock behind it; nothing else blocks.
 */
#include "replay/call.h"

#include "base/error.h"
#include "cuda/copy_rect.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/registration.h"
#include "stream/event.h"

#include <stdio.h>
#include <string.h>

/* ---- kernels -------------------------------------------------------------------------------------------- */

/* extra: words with their values behind them, in any order: the driver's CU_LAUNCH_PARAM_*. */
static cudaError_t read_extra(void **extra, vptr__launch *launch) {
  enum { END = 0, POINTER = 1, SIZE = 2, MOST = 16 };
  const size_t *size = NULL;
  for (int i = 0; i < MOST && (uintptr_t)extra[i] != END; i += 2)
    if ((uintptr_t)extra[i] == POINTER)
      launch->packed = extra[i + 1];
    else if ((uintptr_t)extra[i] == SIZE)
      size = extra[i + 1];
    else
      return vptr__graph_refuse(launch->what, "extra has a word that is no CU_LAUNCH_PARAM_*");
  if (launch->packed == NULL || size == NULL)
    return vptr__graph_refuse(launch->what, "extra is a buffer, its size, and CU_LAUNCH_PARAM_END behind them");
  launch->packed_size = *size;
  return cudaSuccess;
}

static cudaError_t check_shape(const vptr__function *function, vptr__launch *launch) {
  vptr_mapper *mapper;
  cudaError_t error = vptr__cuda_current_mapper(&mapper);
  return error == cudaSuccess ? vptr__cuda_from_status(vptr__function_check_shape(function, mapper, launch)) : error;
}

cudaError_t vptr__work_of_kernel(const char *call, const struct cudaKernelNodeParams *params,
                                 vptr__graph_work *work) {
  if (params == NULL)
    return vptr__cuda_null_output(call, "pNodeParams");
  const dim3 grid = params->gridDim, block = params->blockDim;
  vptr__launch launch = { .what = call,
                          .grid = { grid.x, grid.y, grid.z },
                          .block = { block.x, block.y, block.z },
                          .shared = params->sharedMemBytes,
                          .arguments = params->kernelParams };
  memset(work, 0, sizeof *work);
  cudaError_t error = vptr__cuda_function(call, params->func, &work->kernel.function);
  if (error == cudaSuccess && params->kernelParams != NULL && params->extra != NULL)
    error = vptr__graph_refuse(call, "arguments come in kernelParams or in extra, not in both");
  if (error == cudaSuccess && params->extra != NULL)
    error = read_extra(params->extra, &launch);
  if (error == cudaSuccess)
    error = check_shape(work->kernel.function, &launch);
  if (error != cudaSuccess)
    return error;
  work->kernel.stub = params->func;
  return vptr__cuda_from_status(vptr__graph_kernel_fill(&launch, &work->kernel));
}

/* ---- copies --------------------------------------------------------------------------------------------- */

static bool is_one_end(cudaArray_const_t array, const void *ptr) {
  return (array != NULL) != (ptr != NULL);
}

/* As cudaMemcpy3D() would be, which is not made. */
static cudaError_t check_copy(const char *call, const struct cudaMemcpy3DParms *params) {
  char destination[80], source[80];
  snprintf(destination, sizeof destination, "%s destination", call);
  snprintf(source, sizeof source, "%s source", call);
  const vptr__cuda_call named = { call, destination, source };
  const vptr__cuda_endpoint to = { destination, params->dstArray, &params->dstPtr, &params->dstPos },
                            from = { source, params->srcArray, &params->srcPtr, &params->srcPos };
  return vptr__cuda_copy_3d(&named, &to, &from, &params->extent, params->kind, vptr__cuda_never());
}

cudaError_t vptr__work_of_copy(const char *call, const struct cudaMemcpy3DParms *params, vptr__graph_work *work) {
  if (params == NULL)
    return vptr__cuda_null_output(call, "pCopyParams");
  if (!is_one_end(params->srcArray, params->srcPtr.ptr) || !is_one_end(params->dstArray, params->dstPtr.ptr))
    return vptr__graph_refuse(call, "an end is an array or a pointer, and one of both");
  if ((unsigned)params->kind > cudaMemcpyDefault) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: kind %d is no direction, they are 0 to %d", call, (int)params->kind,
                (int)cudaMemcpyDefault);
    return cudaErrorInvalidMemcpyDirection;
  }
  if (params->extent.width == 0 || params->extent.height == 0 || params->extent.depth == 0)
    return vptr__graph_refuse(call, "the extent is empty, and a node has something to copy");
  cudaError_t error = check_copy(call, params);
  if (error != cudaSuccess)
    return error;
  memset(work, 0, sizeof *work);
  work->copy = *params;
  return cudaSuccess;
}

cudaError_t vptr__work_of_line(const char *call, void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                               vptr__graph_work *work) {
  const struct cudaMemcpy3DParms params = { .srcPtr = { (void *)(uintptr_t)src, count, count, 1 },
                                            .dstPtr = { dst, count, count, 1 },
                                            .extent = { count, 1, 1 },
                                            .kind = kind };
  return vptr__work_of_copy(call, &params, work);
}

static cudaError_t find_symbol(const char *call, const void *symbol, size_t count, size_t offset,
                               unsigned char **address_out) {
  void *address;
  size_t size;
  vptr__error_try(); /* whose messages would be two */
  cudaError_t error = cudaGetSymbolAddress(&address, symbol);
  if (error == cudaSuccess)
    error = cudaGetSymbolSize(&size, symbol);
  vptr__error_tried(error == cudaSuccess ? VPTR_SUCCESS : VPTR_ERROR_INVALID_ARGUMENT);
  if (error != cudaSuccess)
    return error;
  if (offset > size || count > size - offset) {
    vptr__error(VPTR_ERROR_OUT_OF_BOUNDS, "%s: %zu bytes from %zu leave the symbol, which has %zu", call, count,
                offset, size);
    return cudaErrorInvalidValue;
  }
  *address_out = (unsigned char *)address + offset;
  return cudaSuccess;
}

/* A symbol is device memory. */
static cudaError_t check_kind(const char *call, enum cudaMemcpyKind kind, enum cudaMemcpyKind host_kind) {
  if (kind == host_kind || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: kind %d is no direction for it: a symbol is device memory", call,
              (int)kind);
  return cudaErrorInvalidMemcpyDirection;
}

cudaError_t vptr__work_of_line_to_symbol(const char *call, const void *symbol, const void *src, size_t count,
                                         size_t offset, enum cudaMemcpyKind kind, vptr__graph_work *work) {
  unsigned char *address;
  cudaError_t error = find_symbol(call, symbol, count, offset, &address);
  if (error == cudaSuccess)
    error = check_kind(call, kind, cudaMemcpyHostToDevice);
  return error == cudaSuccess ? vptr__work_of_line(call, address, src, count, kind, work) : error;
}

cudaError_t vptr__work_of_line_from_symbol(const char *call, void *dst, const void *symbol, size_t count,
                                           size_t offset, enum cudaMemcpyKind kind, vptr__graph_work *work) {
  unsigned char *address;
  cudaError_t error = find_symbol(call, symbol, count, offset, &address);
  if (error == cudaSuccess)
    error = check_kind(call, kind, cudaMemcpyDeviceToHost);
  return error == cudaSuccess ? vptr__work_of_line(call, dst, address, count, kind, work) : error;
}

/* ---- others --------------------------------------------------------------------------------------------- */

cudaError_t vptr__work_of_set(const char *call, const struct cudaMemsetParams *params, vptr__graph_work *work) {
  size_t row, bytes = 0;
  if (params == NULL)
    return vptr__cuda_null_output(call, "pMemsetParams");
  const unsigned element = params->elementSize;
  if (params->dst == NULL)
    return vptr__graph_refuse(call, "dst is NULL");
  if (element != 1 && element != 2 && element != 4)
    return vptr__graph_refuse(call, "elementSize is 1, 2 or 4");
  if (__builtin_mul_overflow(params->width, element, &row) || (params->height > 1 && row > params->pitch))
    return vptr__graph_refuse(call, "a row is longer than the pitch");
  if (params->width == 0 || params->height == 0)
    return vptr__graph_refuse(call, "width or height is 0, and a node has something to set");
  if ((uintptr_t)params->dst % element != 0 || (params->height > 1 && params->pitch % element != 0))
    return vptr__graph_refuse(call, "dst and pitch are multiples of elementSize");
  if (__builtin_mul_overflow(params->height - 1, params->pitch, &bytes) || __builtin_add_overflow(bytes, row, &bytes))
    return vptr__graph_refuse(call, "the rows run past the end of the address space");
  cudaError_t error = vptr__cuda_check_range(call, params->dst, bytes, true);
  if (error != cudaSuccess)
    return error;
  memset(work, 0, sizeof *work);
  work->set = *params;
  return cudaSuccess;
}

cudaError_t vptr__work_of_host(const char *call, const struct cudaHostNodeParams *params, vptr__graph_work *work) {
  if (params == NULL || params->fn == NULL)
    return vptr__cuda_null_output(call, params == NULL ? "pNodeParams" : "fn");
  memset(work, 0, sizeof *work);
  work->host = *params;
  return cudaSuccess;
}

cudaError_t vptr__work_of_child(const char *call, cudaGraph_t child, vptr__graph_work *work) {
  vptr__graph *graph = NULL;
  memset(work, 0, sizeof *work);
  vptr__graph_lock();
  cudaError_t error = vptr__graph_find(call, child, &graph);
  if (error == cudaSuccess)
    error = vptr__graph_check_moved(call, graph);
  if (error == cudaSuccess)
    error = vptr__cuda_from_status(vptr__graph_clone(graph, &work->child));
  vptr__graph_unlock();
  return error;
}

cudaError_t vptr__work_of_event(const char *call, cudaEvent_t event, vptr__graph_work *work) {
  if (!vptr__event_is_live(event)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no event: it was destroyed, or never created", call,
                (void *)event);
    return cudaErrorInvalidValue;
  }
  memset(work, 0, sizeof *work);
  work->event = event;
  return cudaSuccess;
}

/* ---- of any kind ---------------------------------------------------------------------------------------- */

static cudaError_t of_child(const char *call, const struct cudaChildGraphNodeParams *params, vptr__graph_work *work) {
  if (params->ownership != cudaGraphChildGraphOwnershipClone)
    return vptr__graph_refuse(call,
                              "ownership is neither to copy the child graph nor, where a node is added, to move it");
  return vptr__work_of_child(call, params->graph, work);
}

/* Both versions of each structure are laid out alike. */
cudaError_t vptr__work_of_params(const char *call, const struct cudaGraphNodeParams *params, vptr__graph_work *work) {
  if (params == NULL)
    return vptr__cuda_null_output(call, "nodeParams");
  switch (params->type) {
  case cudaGraphNodeTypeKernel:
    return vptr__work_of_kernel(call, (const struct cudaKernelNodeParams *)(const void *)&params->kernel, work);
  case cudaGraphNodeTypeMemcpy:
    return vptr__work_of_copy(call, &params->memcpy.copyParams, work);
  case cudaGraphNodeTypeMemset:
    return vptr__work_of_set(call, (const struct cudaMemsetParams *)(const void *)&params->memset, work);
  case cudaGraphNodeTypeHost:
    return vptr__work_of_host(call, (const struct cudaHostNodeParams *)(const void *)&params->host, work);
  case cudaGraphNodeTypeGraph:
    return of_child(call, &params->graph, work);
  case cudaGraphNodeTypeEmpty:
    memset(work, 0, sizeof *work);
    return cudaSuccess;
  case cudaGraphNodeTypeWaitEvent:
    return vptr__work_of_event(call, params->eventWait.event, work);
  case cudaGraphNodeTypeEventRecord:
    return vptr__work_of_event(call, params->eventRecord.event, work);
  case cudaGraphNodeTypeMemFree:
    return vptr__work_of_free(call, params->free.dptr, work);
  default:
    vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: there are no nodes of type %d", call, (int)params->type);
    return cudaErrorNotSupported;
  }
}
