/* SPDX-License-Identifier: MIT */
/*
 * conform_driver_texture - the driver's interface: texture and surface objects over arrays, levels, and memory; what
 * kernels read by them, what they tell, and wrong arguments.
 *
 * The fake device runs no kernels: what is made, told and refused is tried there as well.
 */
#include "conform_driver.h"

#include <nvrtc.h>
#include <string.h>

enum { WIDTH = 8, HEIGHT = 4, COUNT = WIDTH * HEIGHT };

static const char text[] =
    "extern \"C\" __global__ void read_floats(cudaTextureObject_t from, float *o) {\n"
    "  o[blockIdx.x * 8 + threadIdx.x] = tex2D<float>(from, threadIdx.x, blockIdx.x);\n"
    "}\n"
    "extern \"C\" __global__ void read_bytes(cudaTextureObject_t from, float *o) {\n"
    "  o[blockIdx.x * 8 + threadIdx.x] = tex2D<unsigned char>(from, threadIdx.x, blockIdx.x);\n"
    "}\n"
    "extern \"C\" __global__ void read_line(cudaTextureObject_t from, float *o) {\n"
    "  o[threadIdx.x] = tex1Dfetch<float>(from, (int)threadIdx.x);\n"
    "}\n"
    "extern \"C\" __global__ void read_level(cudaTextureObject_t from, float *o) {\n"
    "  o[threadIdx.x] = tex2DLod<float>(from, 0.5f, 0.5f, (float)threadIdx.x);\n"
    "}\n"
    "extern \"C\" __global__ void write_sheet(cudaSurfaceObject_t to, float *o) {\n"
    "  surf2Dwrite(threadIdx.x + 10.0f * blockIdx.x, to, 4 * threadIdx.x, blockIdx.x);\n"
    "  o[blockIdx.x * 8 + threadIdx.x] = 0;\n"
    "}\n";

static CUmodule module;
static CUdeviceptr out;
static float seen[COUNT];

/* Where kernels run: they are C++, as objects are read by templates. */
static void load(void) {
  char name[100] = "";
  nvrtcProgram program = NULL;
  size_t size = 0;
  driver_succeed(cuDeviceGetName(name, sizeof name, 0));
  if (strstr(name, "fake") != NULL || strstr(name, "Fake") != NULL)
    return;
  setenv("VPTR_CACHE", "off", 1); /* what clang compiles is of the tools of now */
  if (!driver_finds_clang()) {
    puts("left out: what kernels read, since vptr-kernelc is not built here, or there is no clang");
    return;
  }
  driver_true(nvrtcCreateProgram(&program, text, "text.cu", 0, NULL, NULL) == NVRTC_SUCCESS);
  driver_true(nvrtcCompileProgram(program, 0, NULL) == NVRTC_SUCCESS);
  driver_true(nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS);
  char *image = calloc(size + 1, 1);
  driver_true(nvrtcGetPTX(program, image) == NVRTC_SUCCESS);
  driver_true(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
  driver_succeed(cuModuleLoadData(&module, image));
  free(image);
}

static void run(const char *name, unsigned blocks, unsigned threads, unsigned long long object) {
  CUfunction function = NULL;
  void *arguments[] = { &object, &out };
  if (module == NULL)
    return;
  driver_succeed(cuModuleGetFunction(&function, module, name));
  driver_succeed(cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, NULL, arguments, NULL));
  driver_succeed(cuMemcpyDtoH(seen, out, sizeof seen));
}

/* Whether that is what was read, if anything was. */
static int is_seen(int count, float first, float step) {
  for (int i = 0; i < count && module != NULL; i++)
    if (seen[i] - (first + step * i) > 1e-5f || seen[i] - (first + step * i) < -1e-5f)
      return 0;
  return 1;
}

static void fill(CUarray array, const void *content, size_t width, size_t height) {
  CUDA_MEMCPY2D copy;
  memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = content;
  copy.srcPitch = copy.WidthInBytes = width;
  copy.Height = height;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  driver_succeed(cuMemcpy2D(&copy));
}

static CUarray make_array(CUarray_format format, size_t element, const void *content) {
  const CUDA_ARRAY3D_DESCRIPTOR wanted = { WIDTH, HEIGHT, 0, format, 1, CUDA_ARRAY3D_SURFACE_LDST };
  CUarray array = NULL;
  driver_succeed(cuArray3DCreate(&array, &wanted));
  fill(array, content, WIDTH * element, HEIGHT);
  return array;
}

static CUDA_RESOURCE_DESC over_array(CUarray array) {
  CUDA_RESOURCE_DESC resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  return resource;
}

static CUDA_TEXTURE_DESC read_with(unsigned flags) {
  CUDA_TEXTURE_DESC texture;
  memset(&texture, 0, sizeof texture);
  for (int i = 0; i < 3; i++)
    texture.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
  texture.flags = flags;
  return texture;
}

/* ---- arrays --------------------------------------------------------------------------------------------- */

static void floats_are_read(void) {
  float content[COUNT];
  CUtexObject object = 0;
  CUDA_RESOURCE_DESC told;
  CUDA_TEXTURE_DESC told_texture;
  CUDA_RESOURCE_VIEW_DESC view;
  for (int i = 0; i < COUNT; i++)
    content[i] = 3.0f * i;
  CUarray array = make_array(CU_AD_FORMAT_FLOAT, sizeof *content, content);
  const CUDA_RESOURCE_DESC resource = over_array(array);
  CUDA_TEXTURE_DESC texture = read_with(0);
  texture.addressMode[1] = CU_TR_ADDRESS_MODE_BORDER;
  texture.borderColor[2] = 0.5f;
  texture.maxAnisotropy = 3;
  driver_succeed(cuTexObjectCreate(&object, &resource, &texture, NULL));
  run("read_floats", HEIGHT, WIDTH, object);
  driver_true(is_seen(COUNT, 0, 3));
  driver_succeed(cuTexObjectGetResourceDesc(&told, object));
  driver_true(told.resType == CU_RESOURCE_TYPE_ARRAY && told.res.array.hArray == array && told.flags == 0);
  driver_succeed(cuTexObjectGetTextureDesc(&told_texture, object));
  driver_true(told_texture.addressMode[0] == CU_TR_ADDRESS_MODE_CLAMP &&
              told_texture.addressMode[1] == CU_TR_ADDRESS_MODE_BORDER && told_texture.maxAnisotropy == 3 &&
              told_texture.flags == 0);
  driver_succeed(cuTexObjectGetResourceViewDesc(&view, object));
#ifndef ON_NVIDIA /* which writes neither the colour, nor a view where there is none */
  driver_true(told_texture.borderColor[2] == 0.5f);
  driver_true(view.format == CU_RES_VIEW_FORMAT_NONE && view.width == 0);
#endif
  driver_succeed(cuTexObjectDestroy(object));
  driver_succeed(cuArrayDestroy(array));
}

static void bytes_are_read_both_ways(void) {
  unsigned char content[COUNT];
  CUtexObject parts = 0, bytes = 0;
  CUDA_TEXTURE_DESC told;
  for (int i = 0; i < COUNT; i++)
    content[i] = (unsigned char)(5 * i);
  CUarray array = make_array(CU_AD_FORMAT_UNSIGNED_INT8, 1, content);
  const CUDA_RESOURCE_DESC resource = over_array(array);
  const CUDA_TEXTURE_DESC normalized = read_with(0), plain = read_with(CU_TRSF_READ_AS_INTEGER);
  driver_succeed(cuTexObjectCreate(&parts, &resource, &normalized, NULL));
  driver_succeed(cuTexObjectCreate(&bytes, &resource, &plain, NULL));
  run("read_floats", HEIGHT, WIDTH, parts);
  driver_true(is_seen(COUNT, 0, 5 / 255.0f));
  run("read_bytes", HEIGHT, WIDTH, bytes);
  driver_true(is_seen(COUNT, 0, 5));
  driver_succeed(cuTexObjectGetTextureDesc(&told, parts));
  driver_true(told.flags == 0);
  driver_succeed(cuTexObjectGetTextureDesc(&told, bytes));
  driver_true(told.flags == CU_TRSF_READ_AS_INTEGER);
  driver_succeed(cuTexObjectDestroy(parts));
  driver_succeed(cuTexObjectDestroy(bytes));
  driver_succeed(cuArrayDestroy(array));
}

static void surfaces_are_written(void) {
  float content[COUNT] = { 0 };
  CUsurfObject object = 0;
  CUDA_RESOURCE_DESC told;
  CUarray array = make_array(CU_AD_FORMAT_FLOAT, sizeof *content, content);
  const CUDA_RESOURCE_DESC resource = over_array(array);
  driver_succeed(cuSurfObjectCreate(&object, &resource));
  run("write_sheet", HEIGHT, WIDTH, object);
  CUDA_MEMCPY2D copy;
  memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = content;
  copy.dstPitch = copy.WidthInBytes = WIDTH * sizeof *content;
  copy.Height = HEIGHT;
  driver_succeed(cuMemcpy2D(&copy));
  driver_true(module == NULL || (content[7] == 7 && content[COUNT - 1] == 37));
  driver_succeed(cuSurfObjectGetResourceDesc(&told, object));
  driver_true(told.resType == CU_RESOURCE_TYPE_ARRAY && told.res.array.hArray == array);
  driver_succeed(cuSurfObjectDestroy(object));
  driver_succeed(cuArrayDestroy(array));
}

/* ---- levels --------------------------------------------------------------------------------------------- */

static void levels_are_read(void) {
  const CUDA_ARRAY3D_DESCRIPTOR wanted = { WIDTH, WIDTH, 0, CU_AD_FORMAT_FLOAT, 1, 0 };
  CUmipmappedArray levels = NULL;
  CUarray level = NULL;
  CUtexObject object = 0;
  CUDA_RESOURCE_DESC resource, told;
  CUDA_TEXTURE_DESC texture = read_with(CU_TRSF_NORMALIZED_COORDINATES);
  const CUresult result = cuMipmappedArrayCreate(&levels, &wanted, 2);
  if (result == CUDA_ERROR_NOT_SUPPORTED) { /* where the device tells no addresses */
    driver_observe("arrays of levels", result);
    return;
  }
  driver_succeed(result);
  for (unsigned i = 0; i < 2; i++) {
    const size_t side = WIDTH >> i;
    float content[WIDTH * WIDTH];
    CUDA_ARRAY_DESCRIPTOR found;
    for (int k = 0; k < WIDTH * WIDTH; k++)
      content[k] = 10.0f + (float)i;
    driver_succeed(cuMipmappedArrayGetLevel(&level, levels, i));
    driver_succeed(cuArrayGetDescriptor(&found, level));
    driver_true(found.Width == side && found.Height == side);
    fill(level, content, side * sizeof *content, side);
  }
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMipmappedArrayGetLevel(&level, levels, 2));
  memset(&resource, 0, sizeof resource);
  resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  resource.res.mipmap.hMipmappedArray = levels;
  texture.maxMipmapLevelClamp = 5;
  driver_succeed(cuTexObjectCreate(&object, &resource, &texture, NULL));
  run("read_level", 1, 2, object);
  driver_true(is_seen(2, 10, 1));
  driver_succeed(cuTexObjectGetResourceDesc(&told, object));
  driver_true(told.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY && told.res.mipmap.hMipmappedArray == levels);
  driver_succeed(cuTexObjectDestroy(object));
  driver_succeed(cuMipmappedArrayDestroy(levels));
}

/* ---- memory --------------------------------------------------------------------------------------------- */

static void memory_is_read(void) {
  float content[COUNT];
  CUdeviceptr memory = 0;
  CUtexObject line = 0, rows = 0;
  CUDA_RESOURCE_DESC resource, told;
  const CUDA_TEXTURE_DESC texture = read_with(0);
  size_t pitch = 0;
  for (int i = 0; i < COUNT; i++)
    content[i] = 7.0f + i;
  driver_succeed(cuMemAllocPitch(&memory, &pitch, WIDTH * sizeof *content, HEIGHT, 4));
  driver_succeed(cuMemcpyHtoD(memory, content, WIDTH * sizeof *content));
  memset(&resource, 0, sizeof resource);
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = memory;
  resource.res.linear.format = CU_AD_FORMAT_FLOAT;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = WIDTH * sizeof *content;
  driver_succeed(cuTexObjectCreate(&line, &resource, &texture, NULL));
  run("read_line", 1, WIDTH, line);
  driver_true(is_seen(WIDTH, 7, 1));
  driver_succeed(cuTexObjectGetResourceDesc(&told, line));
  driver_true(told.res.linear.devPtr == memory && told.res.linear.format == CU_AD_FORMAT_FLOAT &&
              told.res.linear.numChannels == 1 && told.res.linear.sizeInBytes == WIDTH * sizeof *content);
  memset(&resource, 0, sizeof resource);
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
  resource.res.pitch2D.numChannels = 1;
  resource.res.pitch2D.width = WIDTH;
  resource.res.pitch2D.height = HEIGHT;
  resource.res.pitch2D.pitchInBytes = pitch;
  driver_succeed(cuTexObjectCreate(&rows, &resource, &texture, NULL));
  run("read_floats", 1, WIDTH, rows);
  driver_true(is_seen(WIDTH, 7, 1));
  driver_succeed(cuTexObjectGetResourceDesc(&told, rows));
  driver_true(told.res.pitch2D.devPtr == memory && told.res.pitch2D.width == WIDTH &&
              told.res.pitch2D.height == HEIGHT && told.res.pitch2D.pitchInBytes == pitch);
  driver_succeed(cuTexObjectDestroy(line));
  driver_succeed(cuTexObjectDestroy(rows));
  driver_succeed(cuMemFree(memory));
}

/* ---- errors --------------------------------------------------------------------------------------------- */

static void wrong_arguments_are_refused(void) {
  float content[COUNT] = { 0 };
  CUtexObject object = 77;
  CUsurfObject surface = 77;
  CUmipmappedArray levels = NULL;
  CUarray array = make_array(CU_AD_FORMAT_FLOAT, sizeof *content, content);
  CUDA_RESOURCE_DESC resource = over_array(array);
  const CUDA_TEXTURE_DESC texture = read_with(0);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(NULL, &resource, &texture, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&object, NULL, &texture, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&object, &resource, NULL, NULL));
  resource.resType = (CUresourcetype)9;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&object, &resource, &texture, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuSurfObjectCreate(&surface, &resource));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuSurfObjectCreate(&surface, NULL));
  driver_true(object == 77 && surface == 77);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuTexObjectGetResourceDesc(NULL, object));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuTexObjectGetTextureDesc(NULL, object));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuTexObjectGetResourceViewDesc(NULL, object));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuSurfObjectGetResourceDesc(NULL, surface));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMipmappedArrayCreate(&levels, NULL, 1));
  driver_true(levels == NULL);
  driver_succeed(cuArrayDestroy(array));
}

int main(void) {
  CUcontext context = NULL;
  driver_succeed(cuInit(0));
  driver_succeed(cuDevicePrimaryCtxRetain(&context, 0));
  driver_succeed(cuCtxSetCurrent(context));
  driver_succeed(cuMemAlloc(&out, sizeof seen));
  load();
  floats_are_read();
  bytes_are_read_both_ways();
  surfaces_are_written();
  levels_are_read();
  memory_is_read();
  wrong_arguments_are_refused();
  driver_succeed(cuMemFree(out));
  if (module != NULL)
    driver_succeed(cuModuleUnload(module));
  driver_succeed(cuDevicePrimaryCtxRelease(0));
  return driver_done("conform_driver_texture");
}
