/* SPDX-License-Identifier: MIT */
/*
 * context_call - cuCtx*(): the calls on contexts; what they are is in context.h.
 *
 * The file has no state and no lock. The list of contexts is context.c's, with its lock, of rank LEAF; a context's
 * flags, which cuCtxSetFlags() sets, are atomic. context.c frees a context that was destroyed when it is on no
 * thread's stack any more.
 *
 * Called by programs, directly or by the table in entry.c; by word.c, which tells the current context.
 * cuCtxSynchronize() and cuCtxDestroy() wait for all work of the context's device. The latter also unloads the modules
 * that were loaded in the context, and waits for each device where one of them was built. A call that makes a context
 * current opens its device, and blocks if it is the first.
 */
#include "base/error.h"
#include "driver/context.h"
#include "driver/module.h"
#include "driver/result.h"
#include "driver/variant.h"

#include <vptr/cuda/cuda_runtime_api.h>

enum { API_VERSION = 3020 /* what CUDA has called its contexts since version 3.2 */ };

static const unsigned known_flags =
    CU_CTX_SCHED_MASK | CU_CTX_MAP_HOST | CU_CTX_LMEM_RESIZE_TO_MAX | CU_CTX_SYNC_MEMOPS;

/* Of the ways to wait at most one may be named. */
static CUresult check_flags(const char *call, unsigned flags) {
  unsigned way = flags & CU_CTX_SCHED_MASK;
  if ((flags & ~known_flags) == 0 && (way & (way - 1)) == 0)
    return CUDA_SUCCESS;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: flags are 0x%x; there are 0x%x, and at most one way to wait", call,
              flags, known_flags);
  return vptr__driver_refuse(CUDA_ERROR_INVALID_VALUE);
}

/* ---- life ----------------------------------------------------------------------------------------------- */

static CUresult create_context(CUcontext *pctx, unsigned flags, CUdevice device) {
  CUresult result =
      vptr__driver_check_pointer(vptr__driver_check_device("cuCtxCreate", device), "cuCtxCreate", pctx, "pctx");
  if (result == CUDA_SUCCESS)
    result = check_flags("cuCtxCreate", flags);
  if (result != CUDA_SUCCESS)
    return result;
  CUcontext context;
  result = vptr__driver_create(device, flags, API_VERSION, &context);
  if (result != CUDA_SUCCESS)
    return result;
  result = vptr__driver_push(context);
  if (result != CUDA_SUCCESS)
    vptr__driver_destroy(context);
  else
    *pctx = context;
  return result;
}

static CUresult refuse_wishes(void) {
  vptr__error(VPTR_ERROR_UNSUPPORTED, "cuCtxCreate: a context here is all of its device: no share of its processors");
  return vptr__driver_refuse(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
}

CUresult cuCtxCreate_v2(CUcontext *pctx, unsigned int flags, CUdevice dev) {
  return create_context(pctx, flags, dev);
}

CUresult cuCtxCreate_v3(CUcontext *pctx, CUexecAffinityParam *paramsArray, int numParams, unsigned int flags,
                        CUdevice dev) {
  return paramsArray != NULL || numParams != 0 ? refuse_wishes() : create_context(pctx, flags, dev);
}

CUresult cuCtxCreate_v4(CUcontext *pctx, CUctxCreateParams *ctxCreateParams, unsigned int flags, CUdevice dev) {
  if (ctxCreateParams != NULL && (ctxCreateParams->numExecAffinityParams != 0 || ctxCreateParams->cigParams != NULL))
    return refuse_wishes();
  return create_context(pctx, flags, dev);
}

/* Waits in the context's own name, and makes what was current so again. */
static CUresult wait_for(CUcontext context) {
  CUresult result = vptr__driver_push(context);
  if (result != CUDA_SUCCESS)
    return result;
  result = vptr__driver_result(cudaDeviceSynchronize());
  vptr__driver_pop(NULL);
  return result;
}

/* What went wrong in its work is told, and the context is gone all the same; but not in a function that a stream calls
 * on the host, where nothing may be waited for. */
static CUresult destroy_context(CUcontext context) {
  CUresult result = vptr__driver_begun();
  if (result == CUDA_SUCCESS)
    result = vptr__driver_check_context("cuCtxDestroy", context);
  if (result != CUDA_SUCCESS)
    return result;
  if (context->is_primary) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cuCtxDestroy: a primary context is released, not destroyed");
    return vptr__driver_refuse(CUDA_ERROR_INVALID_CONTEXT);
  }
  result = wait_for(context);
  if (result == CUDA_ERROR_NOT_PERMITTED)
    return result;
  vptr__driver_unload_all(context);
  if (vptr__driver_current() == context)
    vptr__driver_pop(NULL);
  vptr__driver_destroy(context);
  return result;
}

CUresult cuCtxDestroy_v2(CUcontext ctx) {
  return destroy_context(ctx);
}

CUresult cuCtxDestroy(CUcontext ctx) {
  return destroy_context(ctx);
}

/* ---- which is current ----------------------------------------------------------------------------------- */

static CUresult push_context(CUcontext context) {
  CUresult result = vptr__driver_begun();
  if (result == CUDA_SUCCESS)
    result = vptr__driver_check_context("cuCtxPushCurrent", context);
  return result == CUDA_SUCCESS ? vptr__driver_push(context) : result;
}

static CUresult pop_context(CUcontext *pctx) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_pop(pctx) : result;
}

CUresult cuCtxPushCurrent_v2(CUcontext ctx) {
  return push_context(ctx);
}

CUresult cuCtxPushCurrent(CUcontext ctx) {
  return push_context(ctx);
}

CUresult cuCtxPopCurrent_v2(CUcontext *pctx) {
  return pop_context(pctx);
}

CUresult cuCtxPopCurrent(CUcontext *pctx) {
  return pop_context(pctx);
}

CUresult cuCtxSetCurrent(CUcontext ctx) {
  CUresult result = vptr__driver_begun();
  if (result == CUDA_SUCCESS && ctx != NULL)
    result = vptr__driver_check_context("cuCtxSetCurrent", ctx);
  return result == CUDA_SUCCESS ? vptr__driver_set_current(ctx) : result;
}

CUresult cuCtxGetCurrent(CUcontext *pctx) {
  CUresult result = vptr__driver_begun();
  if (result != CUDA_SUCCESS)
    return result;
  if (pctx == NULL)
    return vptr__driver_invalid("cuCtxGetCurrent", "pctx is NULL");
  *pctx = vptr__driver_current();
  return CUDA_SUCCESS;
}

/* ---- what it is ----------------------------------------------------------------------------------------- */

/* The context that a call means: one that it names, or the current one. */
static CUresult find_context(const char *call, CUcontext context, const void *output, CUcontext *context_out) {
  CUresult result = context != NULL ? vptr__driver_begun() : vptr__driver_enter(&context);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_check_context(call, context);
  result = vptr__driver_check_pointer(result, call, output, "the output");
  if (result == CUDA_SUCCESS)
    *context_out = context;
  return result;
}

static CUresult get_device(CUdevice *device, CUcontext context) {
  CUcontext found;
  CUresult result = find_context("cuCtxGetDevice", context, device, &found);
  if (result == CUDA_SUCCESS)
    *device = found->device;
  return result;
}

CUresult cuCtxGetDevice(CUdevice *device) {
  return get_device(device, NULL);
}

CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx) {
  return get_device(device, ctx);
}

CUresult cuCtxGetFlags(unsigned int *flags) {
  CUcontext context;
  CUresult result = find_context("cuCtxGetFlags", NULL, flags, &context);
  if (result == CUDA_SUCCESS && context->is_primary)
    return vptr__driver_result(cudaGetDeviceFlags(flags));
  if (result == CUDA_SUCCESS)
    *flags = context->flags | CU_CTX_MAP_HOST;
  return result;
}

CUresult cuCtxSetFlags(unsigned int flags) {
  CUcontext context;
  CUresult result = vptr__driver_enter(&context);
  if (result == CUDA_SUCCESS)
    result = check_flags("cuCtxSetFlags", flags);
  if (result == CUDA_SUCCESS && context->is_primary)
    return vptr__driver_result(cudaSetDeviceFlags(flags));
  if (result == CUDA_SUCCESS)
    context->flags = flags;
  return result;
}

CUresult cuCtxGetId(CUcontext ctx, unsigned long long *ctxId) {
  CUcontext context;
  CUresult result = find_context("cuCtxGetId", ctx, ctxId, &context);
  if (result == CUDA_SUCCESS)
    *ctxId = context->id;
  return result;
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version) {
  CUcontext context;
  CUresult result = find_context("cuCtxGetApiVersion", ctx, version, &context);
  if (result == CUDA_SUCCESS)
    *version = API_VERSION;
  return result;
}

/* ---- the device, through its context -------------------------------------------------------------------- */

CUresult cuCtxSynchronize(void) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDeviceSynchronize()) : result;
}

CUresult cuCtxSynchronize_v2(CUcontext ctx) {
  CUcontext context;
  CUresult result = find_context("cuCtxSynchronize", ctx, &ctx, &context);
  return result == CUDA_SUCCESS ? wait_for(context) : result;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDeviceSetLimit((enum cudaLimit)limit, value)) : result;
}

CUresult cuCtxGetLimit(size_t *pvalue, CUlimit limit) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDeviceGetLimit(pvalue, (enum cudaLimit)limit)) : result;
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *pconfig) {
  enum cudaFuncCache config;
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaDeviceGetCacheConfig(pconfig != NULL ? &config : NULL));
  if (result == CUDA_SUCCESS)
    *pconfig = (CUfunc_cache)config;
  return result;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  CUresult result = vptr__driver_enter(NULL);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDeviceSetCacheConfig((enum cudaFuncCache)config)) : result;
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *pConfig) {
  enum cudaSharedMemConfig config;
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result(cudaDeviceGetSharedMemConfig(pConfig != NULL ? &config : NULL));
  if (result == CUDA_SUCCESS)
    *pConfig = (CUsharedconfig)config;
  return result;
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)config));
}

CUresult cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result(cudaDeviceGetStreamPriorityRange(leastPriority, greatestPriority));
}

CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags) {
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_check_context("cuCtxEnablePeerAccess", peerContext);
  if (result == CUDA_SUCCESS && peerContext == vptr__driver_current()) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cuCtxEnablePeerAccess: the current context is no peer of itself");
    return vptr__driver_refuse(CUDA_ERROR_INVALID_CONTEXT);
  }
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDeviceEnablePeerAccess(peerContext->device, Flags))
                                : result;
}

CUresult cuCtxDisablePeerAccess(CUcontext peerContext) {
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_check_context("cuCtxDisablePeerAccess", peerContext);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaDeviceDisablePeerAccess(peerContext->device)) : result;
}
