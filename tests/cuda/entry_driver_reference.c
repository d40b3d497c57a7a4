/* SPDX-License-Identifier: MIT */
/* entry_driver_reference - rows of the driver's interface: texture and surface references, which CUDA had up to 11, and
 * objects, which it has since. */
#include "entry.h"

enum { WIDTH = 8, HEIGHT = 4 };

static const char text[] = "texture<float, 2> image;\n"
                           "surface<void, 2> sheet;\n"
                           "extern \"C\" __global__ void read(float *x) {\n"
                           "  *x = tex2D(image, 1, 2) + surf2Dread<float>(sheet, 4, 1);\n"
                           "}\n";

static CUmodule module;
static CUfunction kernel;
static CUtexref image;
static CUsurfref sheet;
static CUarray array;

static CUtexref no_image(void) {
  return (CUtexref)(void *)&module;
}

static void found(void) {
  CUtexref other = NULL;
  ENTRY(cuModuleGetTexRef, (&image, module, "image"), CUDA_SUCCESS, image != NULL, (&other, module, "sheet"),
        CUDA_ERROR_NOT_FOUND);
  ENTRY(cuModuleGetSurfRef, (&sheet, module, "sheet"), CUDA_SUCCESS, sheet != NULL, (&sheet, module, "image"),
        CUDA_ERROR_NOT_FOUND);
  ENTRY(cuTexRefCreate, (&other), CUDA_SUCCESS, other != NULL, (NULL), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefDestroy, (other), CUDA_SUCCESS, 1, (image), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuParamSetTexRef, (kernel, CU_PARAM_TR_DEFAULT, image), CUDA_SUCCESS, 1, (kernel, 1, image),
        CUDA_ERROR_INVALID_VALUE);
}

static void read_otherwise(void) {
  CUaddress_mode mode = (CUaddress_mode)9;
  CUfilter_mode filter = (CUfilter_mode)9, between = (CUfilter_mode)9;
  CUarray_format format = (CUarray_format)0;
  float bias = 9, least = 9, most = 9, colour[4] = { 1, 2, 3, 4 }, told[4] = { 0 };
  unsigned flags = 99;
  int aniso = 99, channels = 99;
  ENTRY(cuTexRefSetAddressMode, (image, 1, CU_TR_ADDRESS_MODE_BORDER), CUDA_SUCCESS, 1,
        (image, 3, CU_TR_ADDRESS_MODE_BORDER), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefGetAddressMode, (&mode, image, 1), CUDA_SUCCESS, mode == CU_TR_ADDRESS_MODE_BORDER,
        (&mode, image, -1), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefSetFilterMode, (image, CU_TR_FILTER_MODE_LINEAR), CUDA_SUCCESS, 1, (image, (CUfilter_mode)2),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefGetFilterMode, (&filter, image), CUDA_SUCCESS, filter == CU_TR_FILTER_MODE_LINEAR, (NULL, image),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefSetMipmapFilterMode, (image, CU_TR_FILTER_MODE_LINEAR), CUDA_SUCCESS, 1, (image, (CUfilter_mode)2),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefGetMipmapFilterMode, (&between, image), CUDA_SUCCESS, between == CU_TR_FILTER_MODE_LINEAR,
        (NULL, image), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefSetMipmapLevelBias, (image, 0.5f), CUDA_SUCCESS, 1, (no_image(), 0.5f), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuTexRefGetMipmapLevelBias, (&bias, image), CUDA_SUCCESS, bias == 0.5f, (NULL, image),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefSetMipmapLevelClamp, (image, 1, 3), CUDA_SUCCESS, 1, (no_image(), 1, 3), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuTexRefGetMipmapLevelClamp, (&least, &most, image), CUDA_SUCCESS, least == 1 && most == 3,
        (NULL, &most, image), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefSetMaxAnisotropy, (image, 4), CUDA_SUCCESS, 1, (no_image(), 4), CUDA_ERROR_INVALID_HANDLE);
  ENTRY(cuTexRefGetMaxAnisotropy, (&aniso, image), CUDA_SUCCESS, aniso == 4, (NULL, image), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefSetBorderColor, (image, colour), CUDA_SUCCESS, 1, (image, NULL), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefGetBorderColor, (told, image), CUDA_SUCCESS, memcmp(told, colour, sizeof told) == 0, (NULL, image),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefSetFlags, (image, CU_TRSF_NORMALIZED_COORDINATES), CUDA_SUCCESS, 1, (image, 4),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefGetFlags, (&flags, image), CUDA_SUCCESS, flags == CU_TRSF_NORMALIZED_COORDINATES, (NULL, image),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefSetFormat, (image, CU_AD_FORMAT_HALF, 2), CUDA_SUCCESS, 1, (image, CU_AD_FORMAT_HALF, 3),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefGetFormat, (&format, &channels, image), CUDA_SUCCESS, format == CU_AD_FORMAT_HALF && channels == 2,
        (NULL, &channels, image), CUDA_ERROR_INVALID_VALUE);
}

static void bound(void) {
  const CUDA_ARRAY_DESCRIPTOR rows = { WIDTH, HEIGHT, CU_AD_FORMAT_FLOAT, 1 };
  CUdeviceptr memory = 0, told = 0;
  CUarray seen = NULL;
  CUmipmappedArray levels = NULL;
  size_t offset = 9;
  NEED(cuMemAlloc(&memory, 4 * WIDTH * HEIGHT) == CUDA_SUCCESS);
  ENTRY(cuTexRefSetAddress, (&offset, image, memory, 64), CUDA_SUCCESS, offset == 0, (&offset, image, 12345, 64),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefSetAddress2D, (image, &rows, memory, 4 * WIDTH), CUDA_SUCCESS, 1, (image, NULL, memory, 4 * WIDTH),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefGetAddress, (&told, image), CUDA_SUCCESS, told == memory, (NULL, image), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefSetArray, (image, array, CU_TRSA_OVERRIDE_FORMAT), CUDA_SUCCESS, 1, (image, array, 0),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexRefGetArray, (&seen, image), CUDA_SUCCESS, seen == array, (NULL, image), CUDA_ERROR_INVALID_VALUE);
  ENTRY_HOLDS(cuTexRefSetMipmappedArray, cuTexRefSetMipmappedArray(image, NULL, 0) == CUDA_ERROR_INVALID_VALUE);
  ENTRY_HOLDS(cuTexRefGetMipmappedArray, cuTexRefGetMipmappedArray(&levels, image) == CUDA_ERROR_INVALID_VALUE);
  seen = NULL;
  ENTRY(cuSurfRefSetArray, (sheet, array, 0), CUDA_SUCCESS, 1, (sheet, array, 1), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuSurfRefGetArray, (&seen, sheet), CUDA_SUCCESS, seen == array, (NULL, sheet), CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemFree(memory) == CUDA_SUCCESS);
}

static void objects(void) {
  CUDA_RESOURCE_DESC resource, told;
  CUDA_TEXTURE_DESC texture, told_texture;
  CUDA_RESOURCE_VIEW_DESC view;
  CUtexObject object = 0;
  CUsurfObject surface = 0;
  memset(&resource, 0, sizeof resource);
  memset(&texture, 0, sizeof texture);
  resource.res.array.hArray = array;
  texture.maxAnisotropy = 2;
  ENTRY(cuTexObjectCreate, (&object, &resource, &texture, NULL), CUDA_SUCCESS, object != 0,
        (&object, &resource, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexObjectGetResourceDesc, (&told, object), CUDA_SUCCESS, told.res.array.hArray == array, (NULL, object),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexObjectGetTextureDesc, (&told_texture, object), CUDA_SUCCESS, told_texture.maxAnisotropy == 2,
        (NULL, object), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexObjectGetResourceViewDesc, (&view, object), CUDA_SUCCESS, view.width == 0, (NULL, object),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuTexObjectDestroy, (object), CUDA_SUCCESS, 1, (object), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuSurfObjectCreate, (&surface, &resource), CUDA_SUCCESS, surface != 0, (&surface, NULL),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuSurfObjectGetResourceDesc, (&told, surface), CUDA_SUCCESS, told.res.array.hArray == array, (NULL, surface),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuSurfObjectDestroy, (surface), CUDA_SUCCESS, 1, (surface), CUDA_ERROR_INVALID_VALUE);
}

/* Of the fake device there are none. */
static void levels(void) {
  const CUDA_ARRAY3D_DESCRIPTOR wanted = { WIDTH, HEIGHT, 0, CU_AD_FORMAT_FLOAT, 1, 0 };
  CUmipmappedArray made = NULL;
  CUarray level = NULL;
  if (cuMipmappedArrayCreate(&made, &wanted, 2) == CUDA_ERROR_NOT_SUPPORTED) {
    ENTRY_HOLDS(cuMipmappedArrayCreate, made == NULL);
    ENTRY_HOLDS(cuMipmappedArrayGetLevel, cuMipmappedArrayGetLevel(NULL, made, 0) == CUDA_ERROR_INVALID_VALUE);
    ENTRY_HOLDS(cuMipmappedArrayDestroy, cuMipmappedArrayDestroy(NULL) == CUDA_ERROR_INVALID_HANDLE);
    return;
  }
  NEED(cuMipmappedArrayDestroy(made) == CUDA_SUCCESS);
  ENTRY(cuMipmappedArrayCreate, (&made, &wanted, 2), CUDA_SUCCESS, made != NULL, (&made, NULL, 2),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMipmappedArrayGetLevel, (&level, made, 1), CUDA_SUCCESS, level != NULL, (&level, made, 2),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMipmappedArrayDestroy, (made), CUDA_SUCCESS, 1, (NULL), CUDA_ERROR_INVALID_HANDLE);
}

void entry_driver_references(void) {
  const CUDA_ARRAY3D_DESCRIPTOR wanted = { WIDTH, HEIGHT, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST };
  NEED(cuModuleLoadData(&module, text) == CUDA_SUCCESS);
  NEED(cuModuleGetFunction(&kernel, module, "read") == CUDA_SUCCESS);
  NEED(cuArray3DCreate(&array, &wanted) == CUDA_SUCCESS);
  found();
  read_otherwise();
  bound();
  objects();
  levels();
  NEED(cuArrayDestroy(array) == CUDA_SUCCESS);
  NEED(cuModuleUnload(module) == CUDA_SUCCESS);
}
