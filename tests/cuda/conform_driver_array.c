/* SPDX-License-Identifier: MIT */
/* conform_driver_array - arrays by the driver's calls: what they are, copies of lines and rects, wrong arguments. */
#include "conform_driver.h"

#include <stdint.h>
#include <string.h>

enum { WIDTH = 16, HEIGHT = 8, DEPTH = 4, BYTES = WIDTH * (int)sizeof(float) };

static float content[DEPTH][HEIGHT][WIDTH];

static CUarray plane(size_t width, size_t height) {
  CUarray array = NULL;
  CUDA_ARRAY_DESCRIPTOR wanted = { width, height, CU_AD_FORMAT_FLOAT, 1 };
  driver_succeed(cuArrayCreate(&array, &wanted));
  driver_true(array != NULL);
  return array;
}

static CUarray space(void) {
  CUarray array = NULL;
  CUDA_ARRAY3D_DESCRIPTOR wanted = { WIDTH, HEIGHT, DEPTH, CU_AD_FORMAT_FLOAT, 1, 0 };
  driver_succeed(cuArray3DCreate(&array, &wanted));
  return array;
}

/* ---- what they are -------------------------------------------------------------------------------------- */

static void descriptors_are_told(void) {
  static const CUarray_format all[] = { CU_AD_FORMAT_UNSIGNED_INT8,  CU_AD_FORMAT_UNSIGNED_INT16,
                                        CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT8,
                                        CU_AD_FORMAT_SIGNED_INT16,   CU_AD_FORMAT_SIGNED_INT32,
                                        CU_AD_FORMAT_HALF,           CU_AD_FORMAT_FLOAT };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (unsigned channels = 1; channels <= 4; channels *= 2) {
      CUarray array = NULL;
      CUDA_ARRAY_DESCRIPTOR wanted = { WIDTH, HEIGHT, all[i], channels }, found;
      CUDA_ARRAY3D_DESCRIPTOR whole;
      memset(&found, 77, sizeof found);
      memset(&whole, 77, sizeof whole);
      driver_succeed(cuArrayCreate(&array, &wanted));
      driver_succeed(cuArrayGetDescriptor(&found, array));
      driver_true(found.Width == WIDTH && found.Height == HEIGHT);
      driver_true(found.Format == all[i] && found.NumChannels == channels);
      driver_succeed(cuArray3DGetDescriptor(&whole, array));
      driver_true(whole.Width == WIDTH && whole.Height == HEIGHT && whole.Depth == 0 && whole.Flags == 0);
      driver_true(whole.Format == all[i] && whole.NumChannels == channels);
      driver_succeed(cuArrayDestroy(array));
    }
}

static void flags_and_depth_are_told(void) {
  CUarray array = NULL;
  CUDA_ARRAY3D_DESCRIPTOR wanted = { WIDTH, 0, 5, CU_AD_FORMAT_SIGNED_INT16, 2, CUDA_ARRAY3D_LAYERED }, found;
  driver_succeed(cuArray3DCreate(&array, &wanted));
  driver_succeed(cuArray3DGetDescriptor(&found, array));
  driver_true(found.Width == WIDTH && found.Height == 0 && found.Depth == 5 && found.Flags == CUDA_ARRAY3D_LAYERED);
  driver_true(found.Format == CU_AD_FORMAT_SIGNED_INT16 && found.NumChannels == 2);
  driver_succeed(cuArrayDestroy(array));
}

static void wrong_descriptors_are_refused(void) {
  CUarray array = NULL;
  CUDA_ARRAY_DESCRIPTOR wanted = { WIDTH, HEIGHT, CU_AD_FORMAT_FLOAT, 1 };
  CUDA_ARRAY3D_DESCRIPTOR whole = { WIDTH, HEIGHT, DEPTH, CU_AD_FORMAT_FLOAT, 1, 0 };
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(NULL, &wanted));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&array, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(NULL, &whole));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(&array, NULL));
  wanted.NumChannels = 3;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&array, &wanted));
  wanted.NumChannels = 1;
  wanted.Width = 0;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&array, &wanted));
  wanted.Width = (size_t)1 << 40;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&array, &wanted));
  wanted.Width = WIDTH;
  wanted.Format = (CUarray_format)0x77777;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&array, &wanted));
  whole.Height = 0;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(&array, &whole));
  driver_true(array == NULL);
  driver_observe("destroying no array", cuArrayDestroy(NULL));
}

/* ---- lines ---------------------------------------------------------------------------------------------- */

static void lines_are_copied(void) {
  CUarray one = plane(WIDTH, 0), two = plane(WIDTH, 0);
  CUdeviceptr ptr = 0;
  float got[WIDTH] = { 0 };
  driver_succeed(cuMemAlloc(&ptr, BYTES));
  driver_succeed(cuMemcpyHtoA(one, 0, content[0][0], BYTES));
  driver_succeed(cuMemcpyAtoH(got, one, 0, BYTES));
  driver_true(memcmp(got, content[0][0], BYTES) == 0);
  driver_succeed(cuMemcpyHtoA(two, 0, content[1][0], BYTES));
  driver_succeed(cuMemcpyAtoA(two, 8, one, 16, 12));
  driver_succeed(cuMemcpyAtoH(got, two, 4, 20));
  driver_true(got[0] == content[1][0][1] && got[1] == content[0][0][4] && got[3] == content[0][0][6]);
  driver_true(got[4] == content[1][0][5]);
  driver_succeed(cuMemcpyHtoD(ptr, content[2][0], BYTES));
  driver_succeed(cuMemcpyDtoA(one, 4, ptr + 8, 8));
  driver_succeed(cuMemcpyAtoD(ptr, one, 0, 12));
  driver_succeed(cuMemcpyDtoH(got, ptr, 16));
  driver_true(got[0] == content[0][0][0] && got[1] == content[2][0][2] && got[2] == content[2][0][3]);
  driver_true(got[3] == content[2][0][3]);
  driver_succeed(cuMemFree(ptr));
  driver_succeed(cuArrayDestroy(one));
  driver_succeed(cuArrayDestroy(two));
}

static void lines_are_copied_on_streams(void) {
  CUarray array = plane(WIDTH, 0);
  CUstream stream = NULL;
  float *pinned = NULL;
  driver_succeed(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  driver_succeed(cuMemAllocHost((void **)&pinned, 2 * BYTES));
  memcpy(pinned, content[1][1], BYTES);
  driver_succeed(cuMemcpyHtoAAsync(array, 0, pinned, BYTES, stream));
  driver_succeed(cuMemcpyAtoHAsync(pinned + WIDTH, array, 0, BYTES, stream));
  driver_succeed(cuStreamSynchronize(stream));
  driver_true(memcmp(pinned + WIDTH, content[1][1], BYTES) == 0);
  driver_succeed(cuStreamDestroy(stream));
  driver_succeed(cuMemFreeHost(pinned));
  driver_succeed(cuArrayDestroy(array));
}

static void wrong_lines_are_refused(void) {
  CUarray array = plane(WIDTH, 0);
  CUdeviceptr ptr = 0;
  float got[2 * WIDTH] = { 0 };
  driver_succeed(cuMemAlloc(&ptr, 2 * BYTES));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoA(array, 0, got, BYTES + 4));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyAtoH(got, array, 4, BYTES));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyAtoD(ptr, array, BYTES + 4, 4));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoA(array, 8, ptr, BYTES));
  driver_succeed(cuMemFree(ptr));
  driver_succeed(cuArrayDestroy(array));
}

/* ---- rects ---------------------------------------------------------------------------------------------- */

static void planes_are_copied(void) {
  CUarray array = plane(WIDTH, HEIGHT), other = plane(WIDTH, HEIGHT);
  float got[HEIGHT][WIDTH] = { { 0 } };
  CUDA_MEMCPY2D in = { .srcMemoryType = CU_MEMORYTYPE_HOST, .dstMemoryType = CU_MEMORYTYPE_ARRAY };
  in.srcHost = content[0];
  in.dstArray = array;
  in.srcPitch = in.WidthInBytes = BYTES;
  in.Height = HEIGHT;
  driver_succeed(cuMemcpy2D(&in));
  CUDA_MEMCPY2D between = { .srcMemoryType = CU_MEMORYTYPE_ARRAY, .dstMemoryType = CU_MEMORYTYPE_ARRAY };
  between.srcArray = array;
  between.dstArray = other;
  between.srcXInBytes = 8;
  between.srcY = 1;
  between.dstXInBytes = 4;
  between.WidthInBytes = 16;
  between.Height = 3;
  driver_succeed(cuMemcpy2D(&between));
  CUDA_MEMCPY2D out = { .srcMemoryType = CU_MEMORYTYPE_ARRAY, .dstMemoryType = CU_MEMORYTYPE_HOST };
  out.srcArray = other;
  out.srcXInBytes = 4;
  out.dstHost = got;
  out.dstXInBytes = 12;
  out.dstY = 2;
  out.dstPitch = BYTES;
  out.WidthInBytes = 16;
  out.Height = 3;
  driver_succeed(cuMemcpy2DAsync(&out, NULL));
  driver_succeed(cuCtxSynchronize());
  for (int y = 0; y < 3; y++)
    driver_true(memcmp(&got[2 + y][3], &content[0][1 + y][2], 16) == 0);
  driver_true(got[2][2] == 0 && got[2][7] == 0 && got[1][3] == 0);
  out.WidthInBytes = 15;
  driver_observe("a part of an element", cuMemcpy2D(&out));
  out.WidthInBytes = 16;
  out.srcY = HEIGHT - 2;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&out));
  driver_succeed(cuArrayDestroy(array));
  driver_succeed(cuArrayDestroy(other));
}

static void spaces_are_copied(void) {
  CUarray array = space();
  CUdeviceptr ptr = 0;
  float got[DEPTH][HEIGHT][WIDTH];
  memset(got, 0, sizeof got);
  driver_succeed(cuMemAlloc(&ptr, sizeof content));
  driver_succeed(cuMemcpyHtoD(ptr, content, sizeof content));
  CUDA_MEMCPY3D in = { .srcMemoryType = CU_MEMORYTYPE_DEVICE, .dstMemoryType = CU_MEMORYTYPE_ARRAY };
  in.srcDevice = ptr;
  in.srcPitch = in.WidthInBytes = BYTES;
  in.srcHeight = in.Height = HEIGHT;
  in.dstArray = array;
  in.Depth = DEPTH;
  driver_succeed(cuMemcpy3D(&in));
  CUDA_MEMCPY3D out = { .srcMemoryType = CU_MEMORYTYPE_ARRAY, .dstMemoryType = CU_MEMORYTYPE_HOST };
  out.srcArray = array;
  out.srcXInBytes = 4;
  out.srcY = 2;
  out.srcZ = 1;
  out.dstHost = got;
  out.dstPitch = BYTES;
  out.dstHeight = HEIGHT;
  out.WidthInBytes = 20;
  out.Height = 4;
  out.Depth = 2;
  driver_succeed(cuMemcpy3D(&out));
  for (int z = 0; z < 2; z++)
    for (int y = 0; y < 4; y++)
      driver_true(memcmp(got[z][y], &content[1 + z][2 + y][1], 20) == 0 && got[z][y][5] == 0);
  out.srcZ = DEPTH - 1;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&out));
  driver_succeed(cuMemFree(ptr));
  driver_succeed(cuArrayDestroy(array));
}

int main(void) {
  CUcontext context = NULL;
  for (int i = 0; i < DEPTH * HEIGHT * WIDTH; i++)
    (&content[0][0][0])[i] = (float)(i + 1);
  driver_succeed(cuInit(0));
  driver_succeed(cuDevicePrimaryCtxRetain(&context, 0));
  driver_succeed(cuCtxSetCurrent(context));
  descriptors_are_told();
  flags_and_depth_are_told();
  wrong_descriptors_are_refused();
  lines_are_copied();
  lines_are_copied_on_streams();
  wrong_lines_are_refused();
  planes_are_copied();
  spaces_are_copied();
  return driver_done("conform_driver_array");
}
