/* SPDX-License-Identifier: MIT */
/*
 * reference_call - cuTexRef*() and cuSurfRef*(): what is bound to references, and how they read.
 *
 * Which references there are is reference.c's; what is bound is the runtime's (cuda/reference.c), which compares at
 * each launch how they read with how they did. So a call that says how is a field, and one that binds waits for
 * nothing. Linear memory is bound anew where its format changes.
 *
 * No state, no locks here. Called by programs, directly or by the table in entry.c. To unbind waits for the device's
 * streams where what was bound goes with it, being freed already.
 */
#include <string.h>

#include "base/error.h"
#include "cuda/device.h"
#include "driver/context.h"
#include "driver/format.h"
#include "driver/reference.h"
#include "driver/result.h"

#include <vptr/cuda/cuda_runtime_api.h>

typedef vptr__driver_reference reference;

static reference *of_handle(CUtexref handle) {
  return (reference *)handle;
}

static CUresult check_texture(const char *call, CUtexref handle) {
  return vptr__driver_reference_check(call, handle, false);
}

/* An output, and a handle. */
static CUresult check_question(const char *call, CUtexref handle, const void *output) {
  return vptr__driver_check_pointer(check_texture(call, handle), call, output, "the output");
}

/* ---- how one reads --------------------------------------------------------------------------------------- */

static bool has_small_integers(CUarray_format format) {
  return format == CU_AD_FORMAT_UNSIGNED_INT8 || format == CU_AD_FORMAT_UNSIGNED_INT16 ||
         format == CU_AD_FORMAT_SIGNED_INT8 || format == CU_AD_FORMAT_SIGNED_INT16;
}

/* Of formats and flags. */
static void say_reading(const reference *of) {
  vptr__cuda_reference_read(of->runtime, (of->flags & CU_TRSF_READ_AS_INTEGER) == 0 && has_small_integers(of->format),
                            (of->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0, of->border);
}

CUresult cuTexRefSetFlags(CUtexref hTexRef, unsigned int Flags) {
  static const char call[] = "cuTexRefSetFlags";
  const unsigned known = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                         CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP;
  CUresult result = check_texture(call, hTexRef);
  if (result == CUDA_SUCCESS && (Flags & ~known) != 0)
    result = vptr__driver_invalid(call, "a flag is none of CU_TRSF_*");
  if (result != CUDA_SUCCESS)
    return result;
  reference *of = of_handle(hTexRef);
  of->flags = Flags;
  of->fields.normalized = (Flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  of->fields.sRGB = (Flags & CU_TRSF_SRGB) != 0;
  of->fields.disableTrilinearOptimization = (Flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  say_reading(of);
  return CUDA_SUCCESS;
}

CUresult cuTexRefGetFlags(unsigned int *pFlags, CUtexref hTexRef) {
  CUresult result = check_question("cuTexRefGetFlags", hTexRef, pFlags);
  if (result == CUDA_SUCCESS)
    *pFlags = of_handle(hTexRef)->flags;
  return result;
}

static CUresult check_dimension(const char *call, CUresult result, int dim) {
  return result == CUDA_SUCCESS && (dim < 0 || dim > 2) ? vptr__driver_invalid(call, "dim is 0, 1 or 2") : result;
}

CUresult cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am) {
  static const char call[] = "cuTexRefSetAddressMode";
  CUresult result = check_dimension(call, check_texture(call, hTexRef), dim);
  if (result == CUDA_SUCCESS && (unsigned)am > CU_TR_ADDRESS_MODE_BORDER)
    result = vptr__driver_invalid(call, "the mode is none of CU_TR_ADDRESS_MODE_*");
  if (result == CUDA_SUCCESS)
    of_handle(hTexRef)->fields.addressMode[dim] = (enum cudaTextureAddressMode)am;
  return result;
}

CUresult cuTexRefGetAddressMode(CUaddress_mode *pam, CUtexref hTexRef, int dim) {
  static const char call[] = "cuTexRefGetAddressMode";
  CUresult result = check_dimension(call, check_question(call, hTexRef, pam), dim);
  if (result == CUDA_SUCCESS)
    *pam = (CUaddress_mode)of_handle(hTexRef)->fields.addressMode[dim];
  return result;
}

static CUresult check_filter(const char *call, CUtexref handle, CUfilter_mode mode) {
  CUresult result = check_texture(call, handle);
  if (result == CUDA_SUCCESS && mode != CU_TR_FILTER_MODE_POINT && mode != CU_TR_FILTER_MODE_LINEAR)
    result = vptr__driver_invalid(call, "the mode is none of CU_TR_FILTER_MODE_*");
  return result;
}

CUresult cuTexRefSetFilterMode(CUtexref hTexRef, CUfilter_mode fm) {
  CUresult result = check_filter("cuTexRefSetFilterMode", hTexRef, fm);
  if (result == CUDA_SUCCESS)
    of_handle(hTexRef)->fields.filterMode = (enum cudaTextureFilterMode)fm;
  return result;
}

CUresult cuTexRefGetFilterMode(CUfilter_mode *pfm, CUtexref hTexRef) {
  CUresult result = check_question("cuTexRefGetFilterMode", hTexRef, pfm);
  if (result == CUDA_SUCCESS)
    *pfm = (CUfilter_mode)of_handle(hTexRef)->fields.filterMode;
  return result;
}

CUresult cuTexRefSetMipmapFilterMode(CUtexref hTexRef, CUfilter_mode fm) {
  CUresult result = check_filter("cuTexRefSetMipmapFilterMode", hTexRef, fm);
  if (result == CUDA_SUCCESS)
    of_handle(hTexRef)->fields.mipmapFilterMode = (enum cudaTextureFilterMode)fm;
  return result;
}

CUresult cuTexRefGetMipmapFilterMode(CUfilter_mode *pfm, CUtexref hTexRef) {
  CUresult result = check_question("cuTexRefGetMipmapFilterMode", hTexRef, pfm);
  if (result == CUDA_SUCCESS)
    *pfm = (CUfilter_mode)of_handle(hTexRef)->fields.mipmapFilterMode;
  return result;
}

CUresult cuTexRefSetMipmapLevelBias(CUtexref hTexRef, float bias) {
  CUresult result = check_texture("cuTexRefSetMipmapLevelBias", hTexRef);
  if (result == CUDA_SUCCESS)
    of_handle(hTexRef)->fields.mipmapLevelBias = bias;
  return result;
}

CUresult cuTexRefGetMipmapLevelBias(float *pbias, CUtexref hTexRef) {
  CUresult result = check_question("cuTexRefGetMipmapLevelBias", hTexRef, pbias);
  if (result == CUDA_SUCCESS)
    *pbias = of_handle(hTexRef)->fields.mipmapLevelBias;
  return result;
}

CUresult cuTexRefSetMipmapLevelClamp(CUtexref hTexRef, float minMipmapLevelClamp, float maxMipmapLevelClamp) {
  CUresult result = check_texture("cuTexRefSetMipmapLevelClamp", hTexRef);
  if (result != CUDA_SUCCESS)
    return result;
  of_handle(hTexRef)->fields.minMipmapLevelClamp = minMipmapLevelClamp;
  of_handle(hTexRef)->fields.maxMipmapLevelClamp = maxMipmapLevelClamp;
  return CUDA_SUCCESS;
}

CUresult cuTexRefGetMipmapLevelClamp(float *pminMipmapLevelClamp, float *pmaxMipmapLevelClamp, CUtexref hTexRef) {
  CUresult result = check_question("cuTexRefGetMipmapLevelClamp", hTexRef,
                                   pminMipmapLevelClamp != NULL ? pmaxMipmapLevelClamp : NULL);
  if (result != CUDA_SUCCESS)
    return result;
  *pminMipmapLevelClamp = of_handle(hTexRef)->fields.minMipmapLevelClamp;
  *pmaxMipmapLevelClamp = of_handle(hTexRef)->fields.maxMipmapLevelClamp;
  return CUDA_SUCCESS;
}

CUresult cuTexRefSetMaxAnisotropy(CUtexref hTexRef, unsigned int maxAniso) {
  CUresult result = check_texture("cuTexRefSetMaxAnisotropy", hTexRef);
  if (result == CUDA_SUCCESS)
    of_handle(hTexRef)->fields.maxAnisotropy = maxAniso;
  return result;
}

CUresult cuTexRefGetMaxAnisotropy(int *pmaxAniso, CUtexref hTexRef) {
  CUresult result = check_question("cuTexRefGetMaxAnisotropy", hTexRef, pmaxAniso);
  if (result == CUDA_SUCCESS)
    *pmaxAniso = (int)of_handle(hTexRef)->fields.maxAnisotropy;
  return result;
}

CUresult cuTexRefSetBorderColor(CUtexref hTexRef, float *pBorderColor) {
  CUresult result = check_question("cuTexRefSetBorderColor", hTexRef, pBorderColor);
  if (result != CUDA_SUCCESS)
    return result;
  reference *of = of_handle(hTexRef);
  memcpy(of->border, pBorderColor, sizeof of->border);
  say_reading(of);
  return CUDA_SUCCESS;
}

CUresult cuTexRefGetBorderColor(float *pBorderColor, CUtexref hTexRef) {
  CUresult result = check_question("cuTexRefGetBorderColor", hTexRef, pBorderColor);
  if (result == CUDA_SUCCESS)
    memcpy(pBorderColor, of_handle(hTexRef)->border, sizeof of_handle(hTexRef)->border);
  return result;
}

/* ---- what is bound --------------------------------------------------------------------------------------- */

/* Another state of the reference becomes its own once the runtime has bound what that says: else it stays as it was. */
static CUresult bind_as(const char *call, reference *to, const reference *wanted,
                        const struct cudaResourceDesc *resource) {
  const reference before = *to;
  *to = *wanted;
  say_reading(to);
  CUresult result = vptr__driver_result_of(vptr__cuda_reference_bind(call, to->runtime, resource));
  if (result == CUDA_SUCCESS)
    return result;
  *to = before;
  say_reading(to);
  return result;
}

static CUresult unbind_all(reference *from) {
  vptr_mapper *mapper;
  CUresult result = vptr__driver_result_of(vptr__cuda_current_mapper(&mapper));
  if (result != CUDA_SUCCESS)
    return result;
  vptr__cuda_reference_unbind(from->runtime, mapper);
  from->bound = VPTR__DRIVER_NOTHING;
  return CUDA_SUCCESS;
}

static CUresult bind_line(const char *call, reference *to, const reference *wanted) {
  struct cudaResourceDesc resource = { .resType = cudaResourceTypeLinear };
  CUresult result = vptr__driver_to_channels(call, wanted->format, wanted->channels, &resource.res.linear.desc);
  resource.res.linear.devPtr = (void *)(uintptr_t)wanted->address;
  resource.res.linear.sizeInBytes = wanted->bytes;
  return result == CUDA_SUCCESS ? bind_as(call, to, wanted, &resource) : result;
}

static CUresult bind_rows(const char *call, reference *to, const reference *wanted) {
  struct cudaResourceDesc resource = { .resType = cudaResourceTypePitch2D };
  CUresult result = vptr__driver_to_channels(call, wanted->format, wanted->channels, &resource.res.pitch2D.desc);
  resource.res.pitch2D.devPtr = (void *)(uintptr_t)wanted->address;
  resource.res.pitch2D.width = wanted->width;
  resource.res.pitch2D.height = wanted->height;
  resource.res.pitch2D.pitchInBytes = wanted->pitch;
  return result == CUDA_SUCCESS ? bind_as(call, to, wanted, &resource) : result;
}

CUresult cuTexRefSetAddress_v2(size_t *ByteOffset, CUtexref hTexRef, CUdeviceptr dptr, size_t bytes) {
  static const char call[] = "cuTexRefSetAddress";
  CUresult result = check_texture(call, hTexRef);
  if (result != CUDA_SUCCESS)
    return result;
  reference *to = of_handle(hTexRef), wanted = *to;
  wanted.bound = VPTR__DRIVER_LINE;
  wanted.address = dptr;
  wanted.bytes = bytes;
  result = dptr == 0 ? unbind_all(to) : bind_line(call, to, &wanted);
  if (result == CUDA_SUCCESS && ByteOffset != NULL)
    *ByteOffset = 0;
  return result;
}

CUresult cuTexRefSetAddress2D_v3(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr dptr,
                                 size_t Pitch) {
  static const char call[] = "cuTexRefSetAddress2D";
  CUresult result = vptr__driver_check_pointer(check_texture(call, hTexRef), call, desc, "the descriptor");
  if (result != CUDA_SUCCESS)
    return result;
  reference *to = of_handle(hTexRef), wanted = *to;
  wanted.bound = VPTR__DRIVER_ROWS;
  wanted.address = dptr;
  wanted.format = desc->Format;
  wanted.channels = desc->NumChannels;
  wanted.width = desc->Width;
  wanted.height = desc->Height;
  wanted.pitch = Pitch;
  return dptr == 0 ? unbind_all(to) : bind_rows(call, to, &wanted);
}

CUresult cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents) {
  static const char call[] = "cuTexRefSetFormat";
  struct cudaChannelFormatDesc desc;
  CUresult result = check_texture(call, hTexRef);
  if (result == CUDA_SUCCESS)
    result = vptr__driver_to_channels(call, fmt, (unsigned)NumPackedComponents, &desc);
  if (result != CUDA_SUCCESS)
    return result;
  reference *of = of_handle(hTexRef), wanted = *of;
  wanted.format = fmt;
  wanted.channels = (unsigned)NumPackedComponents;
  if (of->bound == VPTR__DRIVER_LINE)
    return bind_line(call, of, &wanted);
  if (of->bound == VPTR__DRIVER_ROWS)
    return bind_rows(call, of, &wanted);
  *of = wanted; /* an array has a format of its own, which counts where one is bound */
  say_reading(of);
  return CUDA_SUCCESS;
}

CUresult cuTexRefGetFormat(CUarray_format *pFormat, int *pNumChannels, CUtexref hTexRef) {
  CUresult result = check_question("cuTexRefGetFormat", hTexRef, pFormat);
  if (result != CUDA_SUCCESS)
    return result;
  *pFormat = of_handle(hTexRef)->format;
  if (pNumChannels != NULL)
    *pNumChannels = (int)of_handle(hTexRef)->channels;
  return CUDA_SUCCESS;
}

static CUresult check_override(const char *call, CUresult result, unsigned flags) {
  if (result == CUDA_SUCCESS && flags != CU_TRSA_OVERRIDE_FORMAT)
    return vptr__driver_invalid(call, "Flags is CU_TRSA_OVERRIDE_FORMAT: an array has a format of its own");
  return result;
}

static CUresult format_of(cudaArray_t array, reference *wanted) {
  struct cudaChannelFormatDesc desc;
  struct cudaExtent extent;
  unsigned flags;
  CUresult result = vptr__driver_result(cudaArrayGetInfo(&desc, &extent, &flags, array));
  if (result == CUDA_SUCCESS)
    vptr__driver_from_channels(&desc, &wanted->format, &wanted->channels);
  return result;
}

CUresult cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags) {
  static const char call[] = "cuTexRefSetArray";
  struct cudaResourceDesc resource = { .resType = cudaResourceTypeArray };
  CUresult result = check_override(call, check_texture(call, hTexRef), Flags);
  if (result != CUDA_SUCCESS)
    return result;
  reference *to = of_handle(hTexRef), wanted = *to;
  if (hArray == NULL)
    return unbind_all(to);
  result = format_of((cudaArray_t)hArray, &wanted);
  if (result != CUDA_SUCCESS)
    return result;
  wanted.bound = VPTR__DRIVER_ARRAY;
  wanted.array = hArray;
  resource.res.array.array = (cudaArray_t)hArray;
  return bind_as(call, to, &wanted, &resource);
}

CUresult cuTexRefSetMipmappedArray(CUtexref hTexRef, CUmipmappedArray hMipmappedArray, unsigned int Flags) {
  static const char call[] = "cuTexRefSetMipmappedArray";
  struct cudaResourceDesc resource = { .resType = cudaResourceTypeMipmappedArray };
  cudaArray_t first;
  CUresult result = check_override(call, check_texture(call, hTexRef), Flags);
  if (result != CUDA_SUCCESS)
    return result;
  reference *to = of_handle(hTexRef), wanted = *to;
  if (hMipmappedArray == NULL)
    return unbind_all(to);
  result = vptr__driver_result(cudaGetMipmappedArrayLevel(&first, (cudaMipmappedArray_const_t)hMipmappedArray, 0));
  if (result == CUDA_SUCCESS)
    result = format_of(first, &wanted);
  if (result != CUDA_SUCCESS)
    return result;
  wanted.bound = VPTR__DRIVER_MIPMAP;
  wanted.mipmap = hMipmappedArray;
  resource.res.mipmap.mipmap = (cudaMipmappedArray_t)hMipmappedArray;
  return bind_as(call, to, &wanted, &resource);
}

/* ---- what is asked of it --------------------------------------------------------------------------------- */

static CUresult check_bound(const char *call, CUresult result, bool is_bound) {
  return result == CUDA_SUCCESS && !is_bound ? vptr__driver_invalid(call, "nothing of that kind is bound") : result;
}

CUresult cuTexRefGetAddress_v2(CUdeviceptr *pdptr, CUtexref hTexRef) {
  static const char call[] = "cuTexRefGetAddress";
  CUresult result = check_question(call, hTexRef, pdptr);
  const reference *of = of_handle(hTexRef);
  if (result == CUDA_SUCCESS)
    result = check_bound(call, result, of->bound == VPTR__DRIVER_LINE || of->bound == VPTR__DRIVER_ROWS);
  if (result == CUDA_SUCCESS)
    *pdptr = of->address;
  return result;
}

CUresult cuTexRefGetArray(CUarray *phArray, CUtexref hTexRef) {
  static const char call[] = "cuTexRefGetArray";
  CUresult result = check_question(call, hTexRef, phArray);
  const reference *of = of_handle(hTexRef);
  if (result == CUDA_SUCCESS)
    result = check_bound(call, result, of->bound == VPTR__DRIVER_ARRAY);
  if (result == CUDA_SUCCESS)
    *phArray = of->array;
  return result;
}

CUresult cuTexRefGetMipmappedArray(CUmipmappedArray *phMipmappedArray, CUtexref hTexRef) {
  static const char call[] = "cuTexRefGetMipmappedArray";
  CUresult result = check_question(call, hTexRef, phMipmappedArray);
  const reference *of = of_handle(hTexRef);
  if (result == CUDA_SUCCESS)
    result = check_bound(call, result, of->bound == VPTR__DRIVER_MIPMAP);
  if (result == CUDA_SUCCESS)
    *phMipmappedArray = of->mipmap;
  return result;
}

/* ---- life, and what is no texture ------------------------------------------------------------------------ */

CUresult cuTexRefCreate(CUtexref *pTexRef) {
  static const char call[] = "cuTexRefCreate";
  reference *made;
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), call, pTexRef, "the output");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_reference_create(&made);
  if (result == CUDA_SUCCESS)
    *pTexRef = (CUtexref)made;
  return result;
}

CUresult cuTexRefDestroy(CUtexref hTexRef) {
  static const char call[] = "cuTexRefDestroy";
  CUresult result = check_texture(call, hTexRef);
  return result == CUDA_SUCCESS ? vptr__driver_reference_destroy(call, of_handle(hTexRef)) : result;
}

CUresult cuSurfRefSetArray(CUsurfref hSurfRef, CUarray hArray, unsigned int Flags) {
  static const char call[] = "cuSurfRefSetArray";
  CUresult result = vptr__driver_reference_check(call, hSurfRef, true);
  if (result == CUDA_SUCCESS && Flags != 0)
    result = vptr__driver_invalid(call, "Flags is 0");
  if (result != CUDA_SUCCESS)
    return result;
  reference *to = (reference *)hSurfRef;
  result = vptr__driver_result_of(vptr__cuda_reference_bind_surface(call, to->runtime, (cudaArray_t)hArray));
  if (result != CUDA_SUCCESS)
    return result;
  to->bound = VPTR__DRIVER_ARRAY;
  to->array = hArray;
  return CUDA_SUCCESS;
}

CUresult cuSurfRefGetArray(CUarray *phArray, CUsurfref hSurfRef) {
  static const char call[] = "cuSurfRefGetArray";
  CUresult result =
      vptr__driver_check_pointer(vptr__driver_reference_check(call, hSurfRef, true), call, phArray, "the output");
  const reference *of = (const reference *)hSurfRef;
  if (result == CUDA_SUCCESS)
    result = check_bound(call, result, of->bound == VPTR__DRIVER_ARRAY);
  if (result == CUDA_SUCCESS)
    *phArray = of->array;
  return result;
}

/* Kernels name the references that they read by, so that there is nothing to be said of them. */
CUresult cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef) {
  static const char call[] = "cuParamSetTexRef";
  CUresult result = check_texture(call, hTexRef);
  if (result == CUDA_SUCCESS && (hfunc == NULL || vptr__function_of(hfunc) == NULL)) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no function of a module that is loaded", call, (void *)hfunc);
    result = CUDA_ERROR_INVALID_HANDLE;
  }
  return result == CUDA_SUCCESS && texunit != CU_PARAM_TR_DEFAULT
             ? vptr__driver_invalid(call, "texunit is CU_PARAM_TR_DEFAULT")
             : result;
}
