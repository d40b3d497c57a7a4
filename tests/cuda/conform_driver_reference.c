/* SPDX-License-Identifier: MIT */
/*
 * conform_driver_reference - texture and surface references by the driver's calls, in a text that is compiled at run
 * time: what kernels read by them, what a launch in flight keeps, wrong arguments. CUDA's own compilers have none since
 * 12. All of it once for C, which the library's own front end reads, and once for C++, where there is clang.
 *
 * The fake device runs no kernels: what is bound and told is tried there as well.
 */
#include "conform_driver.h"

#include <cuda_runtime.h>
#include <nvrtc.h>
#include <stdint.h>
#include <string.h>

enum { WIDTH = 8, HEIGHT = 4, COUNT = WIDTH * HEIGHT };

static const char text[] =
    "texture<float, cudaTextureType1D> line;\n"
    "texture<unsigned char, 2, cudaReadModeNormalizedFloat> parts;\n"
    "texture<unsigned char, 2, cudaReadModeElementType> bytes;\n"
    "texture<float, 2> image;\n"
    "texture<float, cudaTextureTypeCubemap> cube;\n"
    "surface<void, 2> sheet;\n"
    "namespace a { texture<float, 2> inner; }\n"
    "extern \"C\" __global__ void read_line(float *o) {\n"
    "  o[threadIdx.x] = tex1Dfetch(line, (int)threadIdx.x);\n"
    "}\n"
    "extern \"C\" __global__ void read_bytes(float *o) {\n"
    "  int x = threadIdx.x, y = blockIdx.x;\n"
    "  o[y * 8 + x] = tex2D(parts, x, y) + 1000.0f * tex2D(bytes, x, y);\n"
    "}\n"
    "extern \"C\" __global__ void read_image(float *o, float by) {\n"
    "  o[blockIdx.x * 8 + threadIdx.x] = tex2D(image, threadIdx.x + by, blockIdx.x + by);\n"
    "}\n"
    "extern \"C\" __global__ void read_level(float *o, float level) {\n"
    "  o[threadIdx.x] = tex2DLod(a::inner, 0.5f, 0.5f, level);\n"
    "}\n"
    "extern \"C\" __global__ void read_cube(float *o, float z) {\n"
    "  o[threadIdx.x] = texCubemap(cube, 0.0f, 0.0f, z);\n"
    "}\n"
    "extern \"C\" __global__ void write_sheet(float *o) {\n"
    "  surf2Dwrite(threadIdx.x + 10.0f * blockIdx.x, sheet, 4 * threadIdx.x, blockIdx.x);\n"
    "  o[blockIdx.x * 8 + threadIdx.x] = surf2Dread<float>(sheet, 4 * threadIdx.x, blockIdx.x);\n"
    "}\n";

/* In front of the text: a kernel that only clang reads. `idle` is of none, so that its type alone says how it reads. */
static const char in_cxx[] = "template <class T> __device__ T same(T x) { return x; }\n"
                             "extern \"C\" __global__ void copy(int *to) { *to = same<int>(to[1]); }\n"
                             "texture<short2, 1, cudaReadModeNormalizedFloat> idle;\n"
                             "__device__ alignas(64) unsigned long long number;\n";

static CUmodule module;
static CUdeviceptr out;
static float seen[COUNT];
static int has_kernels;

static char *compile(const char *prefix) {
  nvrtcProgram program = NULL;
  size_t size = 0;
  char whole[sizeof in_cxx + sizeof text];
  snprintf(whole, sizeof whole, "%s%s", prefix, text);
  driver_true(nvrtcCreateProgram(&program, whole, "text.cu", 0, NULL, NULL) == NVRTC_SUCCESS);
  driver_true(nvrtcCompileProgram(program, 0, NULL) == NVRTC_SUCCESS);
  driver_true(nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS);
  char *image = calloc(size + 1, 1);
  driver_true(nvrtcGetPTX(program, image) == NVRTC_SUCCESS);
  driver_true(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
  return image;
}

static CUtexref texture(const char *name) {
  CUtexref found = NULL;
  driver_succeed(cuModuleGetTexRef(&found, module, name));
  driver_true(found != NULL);
  return found;
}

static CUresult launch(const char *name, unsigned blocks, CUdeviceptr to, float number) {
  CUfunction function = NULL;
  void *arguments[] = { &to, &number };
  driver_succeed(cuModuleGetFunction(&function, module, name));
  return cuLaunchKernel(function, blocks, 1, 1, WIDTH, 1, 1, 0, NULL, arguments, NULL);
}

static void run(const char *name, unsigned blocks, float number) {
  driver_succeed(launch(name, blocks, out, number));
  driver_succeed(cuMemcpyDtoH(seen, out, blocks * WIDTH * sizeof *seen));
}

static CUdeviceptr memory_of(const void *content, size_t size) {
  CUdeviceptr memory = 0;
  driver_succeed(cuMemAlloc(&memory, size));
  driver_succeed(cuMemcpyHtoD(memory, content, size));
  return memory;
}

static CUarray array_of(const void *content, CUarray_format format, size_t element) {
  CUarray array = NULL;
  CUDA_ARRAY3D_DESCRIPTOR wanted = { WIDTH, HEIGHT, 0, format, 1, CUDA_ARRAY3D_SURFACE_LDST };
  CUDA_MEMCPY2D copy;
  memset(&copy, 0, sizeof copy);
  driver_succeed(cuArray3DCreate(&array, &wanted));
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = content;
  copy.srcPitch = copy.WidthInBytes = WIDTH * element;
  copy.Height = HEIGHT;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  driver_succeed(cuMemcpy2D(&copy));
  return array;
}

/* ---- what is read ---------------------------------------------------------------------------------------- */

static void memory_is_read(void) {
  float content[COUNT], zeros = 0;
  size_t offset = 7;
  CUtexref line = texture("line");
  CUdeviceptr told = 0;
  for (int i = 0; i < COUNT; i++)
    content[i] = (float)i + 0.5f;
  CUdeviceptr memory = memory_of(content, sizeof content);
  if (has_kernels) {
    run("read_line", 1, 0); /* nothing is bound */
    for (int i = 0; i < WIDTH; i++)
      zeros += seen[i] != 0;
    driver_true(zeros == 0);
  }
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuTexRefGetAddress(&told, line));
  driver_succeed(cuTexRefSetFormat(line, CU_AD_FORMAT_FLOAT, 1));
  driver_succeed(cuTexRefSetAddress(&offset, line, memory + 8, 16));
  driver_succeed(cuTexRefGetAddress(&told, line));
  driver_true(offset == 0 && told == memory + 8);
  if (has_kernels) {
    run("read_line", 1, 0);
    for (int i = 0; i < WIDTH; i++)
      driver_true(seen[i] == (i < 4 ? content[i + 2] : 0));
  }
  driver_succeed(cuTexRefSetAddress(NULL, line, 0, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuTexRefGetAddress(&told, line));
  driver_succeed(cuMemFree(memory));
}

/* Integers are floats or not by the flags, which a module's references have from its text. */
static void bytes_are_read(void) {
  unsigned char content[COUNT];
  unsigned flags = 99;
  CUtexref parts = texture("parts"), bytes = texture("bytes");
  CUDA_ARRAY_DESCRIPTOR rows = { WIDTH, HEIGHT, CU_AD_FORMAT_UNSIGNED_INT8, 1 };
  CUarray_format format = (CUarray_format)0;
  int channels = 0;
  for (int i = 0; i < COUNT; i++)
    content[i] = (unsigned char)(i * 8);
  CUdeviceptr memory = memory_of(content, sizeof content);
  driver_succeed(cuTexRefGetFlags(&flags, parts));
  driver_true(flags == 0);
  driver_succeed(cuTexRefGetFlags(&flags, bytes));
  driver_true(flags == CU_TRSF_READ_AS_INTEGER);
  driver_succeed(cuTexRefSetAddress2D(parts, &rows, memory, WIDTH));
  driver_succeed(cuTexRefSetArray(bytes, array_of(content, CU_AD_FORMAT_UNSIGNED_INT8, 1), CU_TRSA_OVERRIDE_FORMAT));
  driver_succeed(cuTexRefGetFormat(&format, &channels, bytes));
  driver_true(format == CU_AD_FORMAT_UNSIGNED_INT8 && channels == 1);
  if (!has_kernels)
    return;
  run("read_bytes", HEIGHT, 0);
  for (int i = 0; i < COUNT; i++)
    driver_true(seen[i] > content[i] / 255.0f + 1000.0f * content[i] - 0.1f &&
                seen[i] < content[i] / 255.0f + 1000.0f * content[i] + 0.1f);
}

/* Fields count for the next launch; a launch keeps what was bound when it was made. */
static void images_are_read(void) {
  float content[2][COUNT], border[4] = { 77, 0, 0, 0 };
  CUtexref image = texture("image");
  CUdeviceptr other = 0;
  CUarray arrays[2], told = NULL;
  for (int i = 0; i < 2 * COUNT; i++)
    (&content[0][0])[i] = (float)i;
  for (int i = 0; i < 2; i++)
    arrays[i] = array_of(content[i], CU_AD_FORMAT_FLOAT, sizeof(float));
  driver_succeed(cuMemAlloc(&other, sizeof seen));
  driver_succeed(cuTexRefSetArray(image, arrays[0], CU_TRSA_OVERRIDE_FORMAT));
  driver_succeed(cuTexRefGetArray(&told, image));
  driver_true(told == arrays[0]);
  if (has_kernels) {
    driver_succeed(launch("read_image", HEIGHT, other, 0.5f));
    driver_succeed(cuTexRefSetArray(image, arrays[1], CU_TRSA_OVERRIDE_FORMAT));
    run("read_image", HEIGHT, 0.5f);
    driver_true(memcmp(seen, content[1], sizeof seen) == 0);
    driver_succeed(cuMemcpyDtoH(seen, other, sizeof seen));
    driver_true(memcmp(seen, content[0], sizeof seen) == 0);
  }
  driver_succeed(cuTexRefSetFilterMode(image, CU_TR_FILTER_MODE_LINEAR));
  driver_succeed(cuTexRefSetAddressMode(image, 0, CU_TR_ADDRESS_MODE_BORDER));
  driver_succeed(cuTexRefSetAddressMode(image, 1, CU_TR_ADDRESS_MODE_BORDER));
  driver_succeed(cuTexRefSetBorderColor(image, border));
  if (has_kernels) {
    run("read_image", HEIGHT, 0);
    driver_true(seen[0] == (3 * 77 + content[1][0]) / 4);
    driver_true(seen[WIDTH + 1] == (content[1][0] + content[1][1] + content[1][WIDTH] + content[1][WIDTH + 1]) / 4);
    driver_succeed(cuTexRefSetFlags(image, CU_TRSF_NORMALIZED_COORDINATES));
    driver_succeed(cuTexRefSetFilterMode(image, CU_TR_FILTER_MODE_POINT));
    run("read_image", 1, 0.5f);
    driver_true(seen[0] == content[1][COUNT / 2 + WIDTH / 2] && seen[1] == 77);
  }
  driver_succeed(cuTexRefSetArray(image, NULL, CU_TRSA_OVERRIDE_FORMAT));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuTexRefGetArray(&told, image));
}

static void levels_are_read(void) {
  cudaMipmappedArray_t levels = NULL;
  CUmipmappedArray told = NULL;
  CUtexref inner = NULL;
  struct cudaChannelFormatDesc floats = { 32, 0, 0, 0, cudaChannelFormatKindFloat };
  struct cudaExtent extent = { 2, 2, 0 };
  driver_succeed(cuModuleGetTexRef(&inner, module, "_ZN1a5innerE"));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuTexRefGetMipmappedArray(&told, inner));
  if (!has_kernels) /* nor levels */
    return;
  driver_true(cudaMallocMipmappedArray(&levels, &floats, extent, 2, 0) == cudaSuccess);
  for (unsigned i = 0; i < 2; i++) {
    float content[4] = { 5.0f + i, 0, 0, 0 };
    cudaArray_t level;
    driver_true(cudaGetMipmappedArrayLevel(&level, levels, i) == cudaSuccess);
    driver_true(cudaMemcpy2DToArray(level, 0, 0, content, 4, 4, 1, cudaMemcpyHostToDevice) == cudaSuccess);
  }
  driver_succeed(cuTexRefSetMipmapLevelClamp(inner, 0, 9));
  driver_succeed(cuTexRefSetMipmappedArray(inner, (CUmipmappedArray)levels, CU_TRSA_OVERRIDE_FORMAT));
  driver_succeed(cuTexRefGetMipmappedArray(&told, inner));
  driver_true(told == (CUmipmappedArray)levels);
  for (int i = 0; i < 2; i++) {
    run("read_level", 1, (float)i);
    driver_true(seen[0] == 5.0f + (float)i);
  }
}

/* Filters end at the edges of faces: what is not to is refused where it filters. */
static void faces_are_read(void) {
  CUtexref cube = texture("cube");
  CUDA_ARRAY3D_DESCRIPTOR wanted = { 4, 4, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP };
  CUarray faces = NULL;
  float content[6][4][4];
  unsigned flags = 99;
  for (int i = 0; i < 6 * 4 * 4; i++)
    (&content[0][0][0])[i] = (float)(i / 16);
  CUDA_MEMCPY3D copy = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = content, .srcPitch = 16, .srcHeight = 4 };
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.WidthInBytes = 16, copy.Height = 4, copy.Depth = 6;
  driver_succeed(cuArray3DCreate(&faces, &wanted));
  copy.dstArray = faces;
  driver_succeed(cuMemcpy3D(&copy));
  driver_succeed(cuTexRefSetFlags(cube, CU_TRSF_SEAMLESS_CUBEMAP | CU_TRSF_NORMALIZED_COORDINATES));
  driver_succeed(cuTexRefGetFlags(&flags, cube));
  driver_true(flags == (CU_TRSF_SEAMLESS_CUBEMAP | CU_TRSF_NORMALIZED_COORDINATES));
  driver_succeed(cuTexRefSetFilterMode(cube, CU_TR_FILTER_MODE_LINEAR));
  driver_expect(CUDA_ERROR_NOT_SUPPORTED, cuTexRefSetArray(cube, faces, CU_TRSA_OVERRIDE_FORMAT));
  driver_succeed(cuTexRefSetFilterMode(cube, CU_TR_FILTER_MODE_POINT));
  driver_succeed(cuTexRefSetArray(cube, faces, CU_TRSA_OVERRIDE_FORMAT));
  if (!has_kernels)
    return;
  run("read_cube", 1, -1);
  driver_true(seen[0] == 5);
  driver_succeed(cuTexRefSetFilterMode(cube, CU_TR_FILTER_MODE_LINEAR));
  driver_expect(CUDA_ERROR_NOT_SUPPORTED, launch("read_cube", 1, out, 1));
  driver_succeed(cuTexRefSetFlags(cube, CU_TRSF_NORMALIZED_COORDINATES));
  run("read_cube", 1, 1);
  driver_true(seen[0] == 4);
}

static void surfaces_are_written(void) {
  static float zeros[COUNT];
  CUsurfref sheet = NULL;
  CUarray array = array_of(zeros, CU_AD_FORMAT_FLOAT, sizeof(float)), told = NULL;
  driver_succeed(cuModuleGetSurfRef(&sheet, module, "sheet"));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuSurfRefGetArray(&told, sheet));
  driver_succeed(cuSurfRefSetArray(sheet, array, 0));
  driver_succeed(cuSurfRefGetArray(&told, sheet));
  driver_true(told == array);
  if (!has_kernels)
    return;
  run("write_sheet", HEIGHT, 0);
  for (int i = 0; i < COUNT; i++)
    driver_true(seen[i] == (float)(i % WIDTH) + 10.0f * (float)(i / WIDTH));
}

/* ---- wrong arguments ------------------------------------------------------------------------------------- */

static void wrong_arguments_are_refused(void) {
  CUtexref image = texture("image"), none = NULL, made = NULL;
  CUsurfref sheet = NULL;
  CUDA_ARRAY_DESCRIPTOR rows = { WIDTH, HEIGHT, CU_AD_FORMAT_FLOAT, 1 };
  CUarray_format format = (CUarray_format)0;
  CUarray plain = NULL;
  int channels = 0;
  driver_succeed(cuModuleGetSurfRef(&sheet, module, "sheet"));
  driver_expect(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&none, module, "nobody"));
  driver_expect(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&none, module, "read_line"));
  driver_expect(CUDA_ERROR_NOT_FOUND, cuModuleGetSurfRef((CUsurfref *)&none, module, "image"));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuModuleGetTexRef(NULL, module, "image"));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuModuleGetTexRef(&none, module, NULL));
  driver_true(none == NULL);
  driver_expect(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetFlags((CUtexref)sheet, 0));
  driver_expect(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetFlags(NULL, 0));
  driver_expect(CUDA_ERROR_INVALID_HANDLE, cuSurfRefSetArray((CUsurfref)image, NULL, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFlags(image, 0x80));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddressMode(image, 0, (CUaddress_mode)4));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFormat(image, (CUarray_format)0x7777, 1));
  driver_succeed(cuTexRefSetFormat(image, CU_AD_FORMAT_SIGNED_INT16, 2));
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuTexRefSetAddress2D(image, &rows, out, 3));    /* a pitch of less than a row */
  driver_succeed(cuTexRefGetFormat(&format, &channels, image)); /* what failed changed nothing */
  driver_true(format == CU_AD_FORMAT_SIGNED_INT16 && channels == 2);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddress(NULL, image, (CUdeviceptr)1234, 64));
  driver_true(cuTexRefSetArray(image, (CUarray)(uintptr_t)&rows, CU_TRSA_OVERRIDE_FORMAT) != CUDA_SUCCESS);
  rows.Format = CU_AD_FORMAT_FLOAT;
  driver_succeed(cuArrayCreate(&plain, &rows));
  driver_true(cuSurfRefSetArray(sheet, plain, 0) != CUDA_SUCCESS); /* made for no surface */
  driver_succeed(cuArrayDestroy(plain));
  driver_succeed(cuTexRefCreate(&made));
  driver_succeed(cuTexRefSetAddress(NULL, made, out, sizeof seen));
  driver_succeed(cuTexRefDestroy(made));
  driver_expect(CUDA_ERROR_INVALID_HANDLE, cuTexRefDestroy(made));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuTexRefDestroy(image));
}

static void types_say_what_no_kernel_does(void) {
  CUtexref none = NULL;
  unsigned flags = 99;
  driver_succeed(cuTexRefGetFlags(&flags, texture("idle")));
  driver_true(flags == 0);
  driver_expect(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&none, module, "number"));
  driver_expect(CUDA_ERROR_NOT_FOUND, cuModuleGetSurfRef((CUsurfref *)&none, module, "number"));
  driver_true(none == NULL);
}

/* A wrong combination is the launch's error, as fields of the runtime's references are. */
static void wrong_readings_are_the_launchs(void) {
  unsigned char content[COUNT] = { 0 };
  CUtexref bytes = texture("bytes");
  driver_succeed(cuTexRefSetArray(bytes, array_of(content, CU_AD_FORMAT_UNSIGNED_INT8, 1), CU_TRSA_OVERRIDE_FORMAT));
  driver_succeed(cuTexRefSetFilterMode(bytes, CU_TR_FILTER_MODE_LINEAR)); /* of integers as they are */
  if (has_kernels)
    driver_true(launch("read_bytes", HEIGHT, out, 0) != CUDA_SUCCESS);
  driver_succeed(cuTexRefSetFilterMode(bytes, CU_TR_FILTER_MODE_POINT));
  if (has_kernels)
    driver_succeed(launch("read_bytes", HEIGHT, out, 0));
}

static void check_module(const char *prefix) {
  char *image = compile(prefix);
  driver_succeed(cuModuleLoadData(&module, image));
  memory_is_read();
  bytes_are_read();
  images_are_read();
  levels_are_read();
  faces_are_read();
  surfaces_are_written();
  wrong_arguments_are_refused();
  wrong_readings_are_the_launchs();
  if (*prefix != '\0')
    types_say_what_no_kernel_does();
  CUtexref line = texture("line");
  driver_succeed(cuModuleUnload(module));
  driver_expect(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetFlags(line, 0));
  driver_succeed(cuModuleLoadData(&module, image)); /* a module's references are its own */
  memory_is_read();
  driver_succeed(cuModuleUnload(module));
  free(image);
}

int main(void) {
  CUcontext context = NULL;
  CUdevice device = 0;
  char name[100] = "";
  setenv("VPTR_CACHE", "off", 1); /* what clang compiles is of the tools of now */
  driver_succeed(cuInit(0));
  driver_succeed(cuDeviceGetName(name, sizeof name, device));
  has_kernels = strstr(name, "fake") == NULL && strstr(name, "Fake") == NULL;
  driver_succeed(cuDevicePrimaryCtxRetain(&context, device));
  driver_succeed(cuCtxSetCurrent(context));
  driver_succeed(cuMemAlloc(&out, sizeof seen));
  check_module("");
  if (driver_finds_clang())
    check_module(in_cxx);
  else
    puts("left out: C++, since vptr-kernelc is not built here, or there is no clang");
  driver_succeed(cuDevicePrimaryCtxRelease(device));
  return driver_done("conform_driver_reference");
}
