/* SPDX-License-Identifier: MIT */
/*
 * copy_rect - cuMemcpy2D() and cuMemcpy3D(): rects, described by structures.
 *
 * They become the runtime's structure for rects. Its endpoints are a pointer and a position; the driver's also have the
 * kind of memory, which is checked against the pointer, unless it is "unified": then the address decides. Positions and
 * widths are bytes here, also in arrays, and elements there. No state, no locks. Called by programs, directly or by the
 * table in entry.c, by driver/graph_exec.c, driver/graph_node.c and driver/graph_work.c. A call blocks
 * where the runtime's blocks.
 */
#include "base/error.h"
#include "driver/context.h"
#include "driver/graph_work.h"
#include "driver/result.h"
#include "driver/variant.h"
#include "mapper/mapper.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* One end, as the structures have it. */
typedef struct endpoint {
  const char *what;
  CUmemorytype type;
  const void *host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z, level, pitch, height;
} endpoint;

typedef struct rect {
  endpoint from, to;
  size_t width, height, depth;
} rect;

static CUresult refuse_end(const endpoint *endpoint, const char *what) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", endpoint->what, what);
  return vptr__driver_refuse(CUDA_ERROR_INVALID_VALUE);
}

static CUresult find_array(const endpoint *endpoint, const rect *rect, struct cudaMemcpy3DParms *made,
                           cudaArray_t *array_out, struct cudaPos *at_out) {
  struct cudaChannelFormatDesc desc;
  if (endpoint->level != 0)
    return refuse_end(endpoint, "arrays have one level of detail, 0");
  CUresult result = vptr__driver_result(cudaArrayGetInfo(&desc, NULL, NULL, (cudaArray_t)endpoint->array));
  if (result != CUDA_SUCCESS)
    return result;
  size_t element = (size_t)(desc.x + desc.y + desc.z + desc.w) / 8;
  if (endpoint->x % element != 0 || rect->width % element != 0)
    return refuse_end(endpoint, "the position or the width is no whole number of the array's elements");
  *array_out = (cudaArray_t)endpoint->array;
  *at_out = (struct cudaPos){ endpoint->x / element, endpoint->y, endpoint->z };
  made->extent.width = rect->width / element;
  return CUDA_SUCCESS;
}

static CUresult find_memory(const endpoint *endpoint, const rect *rect, struct cudaPitchedPtr *ptr_out,
                            struct cudaPos *at_out) {
  bool is_host = endpoint->type == CU_MEMORYTYPE_HOST;
  if (!is_host && endpoint->type != CU_MEMORYTYPE_DEVICE && endpoint->type != CU_MEMORYTYPE_UNIFIED)
    return refuse_end(endpoint, "the memory's type is none of CUDA's");
  if (endpoint->level != 0)
    return refuse_end(endpoint, "memory has one level of detail, 0");
  void *ptr = is_host ? (void *)(uintptr_t)endpoint->host : (void *)(uintptr_t)endpoint->device;
  if (is_host && vptr__mapper_owning(ptr) != NULL)
    return refuse_end(endpoint, "a device address is said to be host memory");
  if (endpoint->type == CU_MEMORYTYPE_DEVICE && vptr__mapper_owning(ptr) == NULL)
    return refuse_end(endpoint, "the address is said to be a device's, and is none");
  /* 0 means that rows follow each other, and so do slices */
  size_t pitch = endpoint->pitch != 0 ? endpoint->pitch : endpoint->x + rect->width;
  size_t rows = endpoint->height != 0 ? endpoint->height : endpoint->y + rect->height;
  *ptr_out = (struct cudaPitchedPtr){ ptr, pitch, pitch, rows };
  *at_out = (struct cudaPos){ endpoint->x, endpoint->y, endpoint->z };
  return CUDA_SUCCESS;
}

static CUresult make_ends(const rect *rect, struct cudaMemcpy3DParms *made) {
  CUresult result = rect->from.type == CU_MEMORYTYPE_ARRAY
                        ? find_array(&rect->from, rect, made, &made->srcArray, &made->srcPos)
                        : find_memory(&rect->from, rect, &made->srcPtr, &made->srcPos);
  if (result != CUDA_SUCCESS)
    return result;
  return rect->to.type == CU_MEMORYTYPE_ARRAY ? find_array(&rect->to, rect, made, &made->dstArray, &made->dstPos)
                                              : find_memory(&rect->to, rect, &made->dstPtr, &made->dstPos);
}

static CUresult make_copy_params(const rect *rect, struct cudaMemcpy3DParms *made) {
  *made =
      (struct cudaMemcpy3DParms){ .extent = { rect->width, rect->height, rect->depth }, .kind = cudaMemcpyDefault };
  if (rect->width == 0 || rect->height == 0 || rect->depth == 0)
    return CUDA_SUCCESS;
  return make_ends(rect, made);
}

static rect rect_of_2d(const CUDA_MEMCPY2D *copy) {
  return (rect){ .from = { "cuMemcpy2D source", copy->srcMemoryType, copy->srcHost, copy->srcDevice, copy->srcArray,
                           copy->srcXInBytes, copy->srcY, 0, 0, copy->srcPitch, 0 },
                 .to = { "cuMemcpy2D destination", copy->dstMemoryType, copy->dstHost, copy->dstDevice,
                         copy->dstArray, copy->dstXInBytes, copy->dstY, 0, 0, copy->dstPitch, 0 },
                 .width = copy->WidthInBytes,
                 .height = copy->Height,
                 .depth = 1 };
}

static rect rect_of_3d(const CUDA_MEMCPY3D *copy) {
  return (rect){ .from = { "cuMemcpy3D source", copy->srcMemoryType, copy->srcHost, copy->srcDevice, copy->srcArray,
                           copy->srcXInBytes, copy->srcY, copy->srcZ, copy->srcLOD, copy->srcPitch, copy->srcHeight },
                 .to = { "cuMemcpy3D destination", copy->dstMemoryType, copy->dstHost, copy->dstDevice,
                         copy->dstArray, copy->dstXInBytes, copy->dstY, copy->dstZ, copy->dstLOD, copy->dstPitch,
                         copy->dstHeight },
                 .width = copy->WidthInBytes,
                 .height = copy->Height,
                 .depth = copy->Depth };
}

/* With a current context, what a call was given as the runtime's structure. */
static CUresult read_2d(const CUDA_MEMCPY2D *copy, struct cudaMemcpy3DParms *made) {
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), "cuMemcpy2D", copy, "pCopy");
  if (result != CUDA_SUCCESS)
    return result;
  rect rect = rect_of_2d(copy);
  return make_copy_params(&rect, made);
}

static CUresult read_3d(const CUDA_MEMCPY3D *copy, struct cudaMemcpy3DParms *made) {
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), "cuMemcpy3D", copy, "pCopy");
  if (result != CUDA_SUCCESS)
    return result;
  rect rect = rect_of_3d(copy);
  return make_copy_params(&rect, made);
}

/* ---- copies that are nodes of a graph ------------------------------------------------------------------- */

/* Which of both ends is the host's, if both were said to be something: "unified" says nothing. */
static enum cudaMemcpyKind kind_of(CUmemorytype from, CUmemorytype to) {
  if (from == CU_MEMORYTYPE_UNIFIED || to == CU_MEMORYTYPE_UNIFIED)
    return cudaMemcpyDefault;
  if (from == CU_MEMORYTYPE_HOST)
    return to == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  return to == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

CUresult vptr__driver_node_copy(const char *call, const CUDA_MEMCPY3D *from, struct cudaMemcpy3DParms *made_out) {
  CUresult result = vptr__driver_check_pointer(vptr__driver_begun(), call, from, "the parameters");
  if (result != CUDA_SUCCESS)
    return result;
  const rect rect = rect_of_3d(from);
  *made_out = (struct cudaMemcpy3DParms){ .extent = { rect.width, rect.height, rect.depth },
                                          .kind = kind_of(from->srcMemoryType, from->dstMemoryType) };
  return make_ends(&rect, made_out);
}

static CUmemorytype type_of(enum cudaMemcpyKind kind, bool is_source) {
  if (kind == cudaMemcpyDefault)
    return CU_MEMORYTYPE_UNIFIED;
  bool is_host =
      kind == cudaMemcpyHostToHost || kind == (is_source ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
  return is_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

static CUresult tell_end(cudaArray_t array, const struct cudaPitchedPtr *ptr, const struct cudaPos *at,
                         CUmemorytype type, endpoint *end, size_t *element) {
  struct cudaChannelFormatDesc desc;
  *end = (endpoint){ .type = type, .x = at->x, .y = at->y, .z = at->z, .pitch = ptr->pitch, .height = ptr->ysize };
  if (array == NULL) {
    end->host = type == CU_MEMORYTYPE_HOST ? ptr->ptr : NULL;
    end->device = type == CU_MEMORYTYPE_HOST ? 0 : (CUdeviceptr)(uintptr_t)ptr->ptr;
    return CUDA_SUCCESS;
  }
  CUresult result = vptr__driver_result(cudaArrayGetInfo(&desc, NULL, NULL, array));
  if (result != CUDA_SUCCESS)
    return result;
  *element = (size_t)(desc.x + desc.y + desc.z + desc.w) / 8;
  *end = (endpoint){ .type = CU_MEMORYTYPE_ARRAY, .array = (CUarray)array, .y = at->y, .z = at->z };
  end->x = at->x * *element;
  return CUDA_SUCCESS;
}

CUresult vptr__driver_node_copy_told(const struct cudaMemcpy3DParms *from, CUDA_MEMCPY3D *told_out) {
  endpoint src, dst;
  size_t element = 1;
  CUresult result = tell_end(from->srcArray, &from->srcPtr, &from->srcPos, type_of(from->kind, true), &src, &element);
  if (result == CUDA_SUCCESS)
    result = tell_end(from->dstArray, &from->dstPtr, &from->dstPos, type_of(from->kind, false), &dst, &element);
  if (result != CUDA_SUCCESS)
    return result;
  *told_out = (CUDA_MEMCPY3D){ .srcXInBytes = src.x,
                               .srcY = src.y,
                               .srcZ = src.z,
                               .srcMemoryType = src.type,
                               .srcHost = src.host,
                               .srcDevice = src.device,
                               .srcArray = src.array,
                               .srcPitch = src.pitch,
                               .srcHeight = src.height,
                               .dstXInBytes = dst.x,
                               .dstY = dst.y,
                               .dstZ = dst.z,
                               .dstMemoryType = dst.type,
                               .dstHost = (void *)(uintptr_t)dst.host,
                               .dstDevice = dst.device,
                               .dstArray = dst.array,
                               .dstPitch = dst.pitch,
                               .dstHeight = dst.height,
                               .WidthInBytes = from->extent.width * element,
                               .Height = from->extent.height,
                               .Depth = from->extent.depth };
  return CUDA_SUCCESS;
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *pCopy) {
  struct cudaMemcpy3DParms made;
  CUresult result = read_2d(pCopy, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaMemcpy3D(&made)) : result;
}

CUresult cuMemcpy2D_v2_ptds(const CUDA_MEMCPY2D *pCopy) {
  struct cudaMemcpy3DParms made;
  CUresult result = read_2d(pCopy, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaMemcpy3D_ptds(&made)) : result;
}

/* CUDA's takes pitches that the other one might refuse; none is refused here for its alignment. */
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *pCopy) {
  return cuMemcpy2D_v2(pCopy);
}

CUresult cuMemcpy2DUnaligned_v2_ptds(const CUDA_MEMCPY2D *pCopy) {
  return cuMemcpy2D_v2_ptds(pCopy);
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *pCopy, CUstream hStream) {
  struct cudaMemcpy3DParms made;
  CUresult result = read_2d(pCopy, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaMemcpy3DAsync(&made, hStream)) : result;
}

CUresult cuMemcpy2DAsync_v2_ptsz(const CUDA_MEMCPY2D *pCopy, CUstream hStream) {
  return cuMemcpy2DAsync_v2(pCopy, vptr__driver_own_default(hStream));
}

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *pCopy) {
  struct cudaMemcpy3DParms made;
  CUresult result = read_3d(pCopy, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaMemcpy3D(&made)) : result;
}

CUresult cuMemcpy3D_v2_ptds(const CUDA_MEMCPY3D *pCopy) {
  struct cudaMemcpy3DParms made;
  CUresult result = read_3d(pCopy, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaMemcpy3D_ptds(&made)) : result;
}

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *pCopy, CUstream hStream) {
  struct cudaMemcpy3DParms made;
  CUresult result = read_3d(pCopy, &made);
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaMemcpy3DAsync(&made, hStream)) : result;
}

CUresult cuMemcpy3DAsync_v2_ptsz(const CUDA_MEMCPY3D *pCopy, CUstream hStream) {
  return cuMemcpy3DAsync_v2(pCopy, vptr__driver_own_default(hStream));
}
