/* SPDX-License-Identifier: MIT */
/*
 * copy_box - cuMemcpy2D() and cuMemcpy3D(): boxes, described by structures.
 *
 * They become the runtime's structure for boxes. Its ends are a pointer and a position; the driver's also say of what
 * kind the memory is, which is checked where it is said: "unified" memory's kind is the address's own. Positions and widths
 * are bytes here, also in arrays, and elements there. No state, no locks.
 */
#include "base/error.h"
#include "driver/context.h"
#include "driver/result.h"
#include "driver/twin.h"
#include "mapper/mapper.h"

#include <vptr/cuda/cuda_runtime_api.h>

/* One end, as the structures have it. */
typedef struct end {
  const char *what;
  CUmemorytype type;
  const void *host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z, level, pitch, height;
} end;

typedef struct box {
  end from, to;
  size_t width, height, depth;
} box;

static CUresult refuse_end(const end *end, const char *what) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", end->what, what);
  return CUDA_ERROR_INVALID_VALUE;
}

static CUresult find_array(const end *end, const box *box, struct cudaMemcpy3DParms *made, cudaArray_t *array_out,
                           struct cudaPos *at_out) {
  struct cudaChannelFormatDesc desc;
  if (end->level != 0)
    return refuse_end(end, "arrays have one level of detail, 0");
  CUresult result = vptr__driver_result(cudaArrayGetInfo(&desc, NULL, NULL, (cudaArray_t)end->array));
  if (result != CUDA_SUCCESS)
    return result;
  size_t element = (size_t)(desc.x + desc.y + desc.z + desc.w) / 8;
  if (end->x % element != 0 || box->width % element != 0)
    return refuse_end(end, "the position or the width is no whole number of the array's elements");
  *array_out = (cudaArray_t)end->array;
  *at_out = (struct cudaPos){ end->x / element, end->y, end->z };
  made->extent.width = box->width / element;
  return CUDA_SUCCESS;
}

static CUresult find_memory(const end *end, const box *box, struct cudaPitchedPtr *ptr_out, struct cudaPos *at_out) {
  bool is_host = end->type == CU_MEMORYTYPE_HOST;
  if (!is_host && end->type != CU_MEMORYTYPE_DEVICE && end->type != CU_MEMORYTYPE_UNIFIED)
    return refuse_end(end, "the memory's type is none of CUDA's");
  if (end->level != 0)
    return refuse_end(end, "memory has one level of detail, 0");
  void *ptr = is_host ? (void *)(uintptr_t)end->host : (void *)(uintptr_t)end->device;
  if (is_host && vptr__mapper_owning(ptr) != NULL)
    return refuse_end(end, "a device address is said to be host memory");
  if (end->type == CU_MEMORYTYPE_DEVICE && vptr__mapper_owning(ptr) == NULL)
    return refuse_end(end, "the address is said to be a device's, and is none");
  /* 0 means that rows follow each other, and so do slices */
  size_t pitch = end->pitch != 0 ? end->pitch : end->x + box->width;
  size_t rows = end->height != 0 ? end->height : end->y + box->height;
  *ptr_out = (struct cudaPitchedPtr){ ptr, pitch, pitch, rows };
  *at_out = (struct cudaPos){ end->x, end->y, end->z };
  return CUDA_SUCCESS;
}

static CUresult make_copy_params(const box *box, struct cudaMemcpy3DParms *made) {
  *made = (struct cudaMemcpy3DParms){ .extent = { box->width, box->height, box->depth }, .kind = cudaMemcpyDefault };
  if (box->width == 0 || box->height == 0 || box->depth == 0)
    return CUDA_SUCCESS;
  CUresult result = box->from.type == CU_MEMORYTYPE_ARRAY
                        ? find_array(&box->from, box, made, &made->srcArray, &made->srcPos)
                        : find_memory(&box->from, box, &made->srcPtr, &made->srcPos);
  if (result != CUDA_SUCCESS)
    return result;
  return box->to.type == CU_MEMORYTYPE_ARRAY ? find_array(&box->to, box, made, &made->dstArray, &made->dstPos)
                                             : find_memory(&box->to, box, &made->dstPtr, &made->dstPos);
}

static box box_of_2d(const CUDA_MEMCPY2D *copy) {
  return (box){ .from = { "cuMemcpy2D source", copy->srcMemoryType, copy->srcHost, copy->srcDevice, copy->srcArray,
                          copy->srcXInBytes, copy->srcY, 0, 0, copy->srcPitch, 0 },
                .to = { "cuMemcpy2D destination", copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstArray,
                        copy->dstXInBytes, copy->dstY, 0, 0, copy->dstPitch, 0 },
                .width = copy->WidthInBytes,
                .height = copy->Height,
                .depth = 1 };
}

static box box_of_3d(const CUDA_MEMCPY3D *copy) {
  return (box){ .from = { "cuMemcpy3D source", copy->srcMemoryType, copy->srcHost, copy->srcDevice, copy->srcArray,
                          copy->srcXInBytes, copy->srcY, copy->srcZ, copy->srcLOD, copy->srcPitch, copy->srcHeight },
                .to = { "cuMemcpy3D destination", copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstArray,
                        copy->dstXInBytes, copy->dstY, copy->dstZ, copy->dstLOD, copy->dstPitch, copy->dstHeight },
                .width = copy->WidthInBytes,
                .height = copy->Height,
                .depth = copy->Depth };
}

/* With a current context, what a call was given as the runtime's structure. */
static CUresult read_2d(const CUDA_MEMCPY2D *copy, struct cudaMemcpy3DParms *made) {
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS && copy == NULL)
    result = vptr__driver_invalid("cuMemcpy2D", "pCopy is NULL");
  if (result != CUDA_SUCCESS)
    return result;
  box box = box_of_2d(copy);
  return make_copy_params(&box, made);
}

static CUresult read_3d(const CUDA_MEMCPY3D *copy, struct cudaMemcpy3DParms *made) {
  CUresult result = vptr__driver_enter(NULL);
  if (result == CUDA_SUCCESS && copy == NULL)
    result = vptr__driver_invalid("cuMemcpy3D", "pCopy is NULL");
  if (result != CUDA_SUCCESS)
    return result;
  box box = box_of_3d(copy);
  return make_copy_params(&box, made);
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
