/* SPDX-License-Identifier: MIT */
/* entry_driver_copy - rows of the driver's interface: copies and sets, arrays, and copies from and to them. */
#include "entry.h"

enum { PITCH = 64, WIDTH = 32, HEIGHT = 4, LINE = 64 };

static CUdeviceptr device, other;
static CUarray array, second;
static unsigned char host[BYTES];

static unsigned char *host_of(int value) {
  return memset(host, value, sizeof host);
}

static int holds(CUdeviceptr at, int value, size_t size) {
  return entry_device_holds((const void *)(size_t)at, value, size);
}

static int host_arrived(int value, size_t size) {
  return cuCtxSynchronize() == CUDA_SUCCESS && entry_host_holds(host, value, size);
}

/* Whole lines of WIDTH bytes, PITCH apart, of other. */
static int rows_hold(int value) {
  for (int row = 0; row < HEIGHT; row++)
    if (!holds(other + (size_t)row * PITCH, value, WIDTH))
      return 0;
  return 1;
}

static void lines(void) {
  CUcontext context = NULL;
  NEED(cuCtxGetCurrent(&context) == CUDA_SUCCESS);
  ENTRY(cuMemcpyHtoD, (device, host_of(1), BYTES), CUDA_SUCCESS, holds(device, 1, BYTES), (device, host, BYTES * 100),
        CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemcpyHtoDAsync, (device, host_of(2), BYTES, NULL), CUDA_SUCCESS, holds(device, 2, BYTES),
        (device, host, BYTES * 100, NULL), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuMemcpyDtoD, (other, device, BYTES), CUDA_SUCCESS, holds(other, 2, BYTES), (other, device, BYTES * 100),
        CUDA_ERROR_INVALID_VALUE);
  host_of(0);
  ENTRY(cuMemcpyDtoH, (host, other, BYTES), CUDA_SUCCESS, host_arrived(2, BYTES), (host, other, BYTES * 100),
        CUDA_ERROR_INVALID_VALUE);
  host_of(0);
  ENTRY(cuMemcpyDtoHAsync, (host, other, BYTES, NULL), CUDA_SUCCESS, host_arrived(2, BYTES),
        (host, other, BYTES * 100, NULL), CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemcpyHtoD(device, host_of(3), BYTES) == CUDA_SUCCESS);
  ENTRY(cuMemcpyDtoDAsync, (other, device, BYTES, NULL), CUDA_SUCCESS, holds(other, 3, BYTES),
        (other, device, BYTES * 100, NULL), CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemcpyHtoD(device, host_of(4), BYTES) == CUDA_SUCCESS);
  ENTRY(cuMemcpy, (other, device, BYTES), CUDA_SUCCESS, holds(other, 4, BYTES), (other, device, BYTES * 100),
        CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemcpyHtoD(device, host_of(5), BYTES) == CUDA_SUCCESS);
  ENTRY(cuMemcpyAsync, (other, device, BYTES, NULL), CUDA_SUCCESS, holds(other, 5, BYTES),
        (other, device, BYTES * 100, NULL), CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemcpyHtoD(device, host_of(6), BYTES) == CUDA_SUCCESS);
  ENTRY(cuMemcpyPeer, (other, context, device, context, BYTES), CUDA_SUCCESS, holds(other, 6, BYTES),
        (other, (CUcontext)(void *)host, device, context, BYTES), CUDA_ERROR_INVALID_CONTEXT);
  NEED(cuMemcpyHtoD(device, host_of(7), BYTES) == CUDA_SUCCESS);
  ENTRY(cuMemcpyPeerAsync, (other, context, device, context, BYTES, NULL), CUDA_SUCCESS, holds(other, 7, BYTES),
        (other, context, device, (CUcontext)(void *)host, BYTES, NULL), CUDA_ERROR_INVALID_CONTEXT);
}

static void boxes(void) {
  CUDA_MEMCPY2D flat = { .srcMemoryType = CU_MEMORYTYPE_DEVICE, .dstMemoryType = CU_MEMORYTYPE_DEVICE }, narrow;
  CUDA_MEMCPY3D deep = { .srcMemoryType = CU_MEMORYTYPE_DEVICE, .dstMemoryType = CU_MEMORYTYPE_DEVICE }, thin;
  flat.srcDevice = deep.srcDevice = device;
  flat.dstDevice = deep.dstDevice = other;
  flat.srcPitch = flat.dstPitch = deep.srcPitch = deep.dstPitch = PITCH;
  flat.WidthInBytes = deep.WidthInBytes = WIDTH;
  flat.Height = deep.Height = deep.srcHeight = deep.dstHeight = HEIGHT;
  deep.Depth = 1;
  narrow = flat;
  thin = deep;
  narrow.srcPitch = thin.srcPitch = WIDTH - 1;
  NEED(cuMemcpyHtoD(device, host_of(8), BYTES) == CUDA_SUCCESS);
  ENTRY(cuMemcpy2D, (&flat), CUDA_SUCCESS, rows_hold(8) && holds(other + WIDTH, 7, PITCH - WIDTH), (&narrow),
        CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemcpyHtoD(device, host_of(9), BYTES) == CUDA_SUCCESS);
  ENTRY(cuMemcpy2DUnaligned, (&flat), CUDA_SUCCESS, rows_hold(9), (&narrow), CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemcpyHtoD(device, host_of(10), BYTES) == CUDA_SUCCESS);
  ENTRY(cuMemcpy2DAsync, (&flat, NULL), CUDA_SUCCESS, rows_hold(10), (&narrow, NULL), CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemcpyHtoD(device, host_of(11), BYTES) == CUDA_SUCCESS);
  ENTRY(cuMemcpy3D, (&deep), CUDA_SUCCESS, rows_hold(11), (&thin), CUDA_ERROR_INVALID_VALUE);
  NEED(cuMemcpyHtoD(device, host_of(12), BYTES) == CUDA_SUCCESS);
  ENTRY(cuMemcpy3DAsync, (&deep, NULL), CUDA_SUCCESS, rows_hold(12), (&thin, NULL), CUDA_ERROR_INVALID_VALUE);
}

/* Of elements whose bytes are all alike, so that the order of bytes is not asked. An odd address fits none but
   bytes. */
static void sets(void) {
  const CUresult refused = CUDA_ERROR_INVALID_VALUE;
  ENTRY(cuMemsetD8, (other, 0x11, BYTES), CUDA_SUCCESS, holds(other, 0x11, BYTES), (other, 1, BYTES * 100), refused);
  ENTRY(cuMemsetD16, (other, 0x2222, BYTES / 2), CUDA_SUCCESS, holds(other, 0x22, BYTES), (other + 1, 1, 1), refused);
  ENTRY(cuMemsetD32, (other, 0x33333333, BYTES / 4), CUDA_SUCCESS, holds(other, 0x33, BYTES), (other + 1, 1, 1),
        refused);
  ENTRY(cuMemsetD2D8, (other, PITCH, 0x44, WIDTH, HEIGHT), CUDA_SUCCESS,
        rows_hold(0x44) && holds(other + WIDTH, 0x33, PITCH - WIDTH), (other, WIDTH - 1, 1, WIDTH, HEIGHT), refused);
  ENTRY(cuMemsetD2D16, (other, PITCH, 0x5555, WIDTH / 2, HEIGHT), CUDA_SUCCESS, rows_hold(0x55),
        (other + 1, PITCH, 1, 1, HEIGHT), refused);
  ENTRY(cuMemsetD2D32, (other, PITCH, 0x66666666, WIDTH / 4, HEIGHT), CUDA_SUCCESS, rows_hold(0x66),
        (other + 1, PITCH, 1, 1, HEIGHT), refused);
  ENTRY(cuMemsetD8Async, (other, 0x77, BYTES, NULL), CUDA_SUCCESS, holds(other, 0x77, BYTES),
        (other, 1, BYTES * 100, NULL), refused);
  ENTRY(cuMemsetD16Async, (other, 0x1818, BYTES / 2, NULL), CUDA_SUCCESS, holds(other, 0x18, BYTES),
        (other + 1, 1, 1, NULL), refused);
  ENTRY(cuMemsetD32Async, (other, 0x19191919, BYTES / 4, NULL), CUDA_SUCCESS, holds(other, 0x19, BYTES),
        (other + 1, 1, 1, NULL), refused);
  ENTRY(cuMemsetD2D8Async, (other, PITCH, 0x20, WIDTH, HEIGHT, NULL), CUDA_SUCCESS, rows_hold(0x20),
        (other, WIDTH - 1, 1, WIDTH, HEIGHT, NULL), refused);
  ENTRY(cuMemsetD2D16Async, (other, PITCH, 0x2121, WIDTH / 2, HEIGHT, NULL), CUDA_SUCCESS, rows_hold(0x21),
        (other + 1, PITCH, 1, 1, HEIGHT, NULL), refused);
  ENTRY(cuMemsetD2D32Async, (other, PITCH, 0x23232323, WIDTH / 4, HEIGHT, NULL), CUDA_SUCCESS, rows_hold(0x23),
        (other + 1, PITCH, 1, 1, HEIGHT, NULL), refused);
}

static void arrays(void) {
  CUDA_ARRAY_DESCRIPTOR flat = { LINE, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1 }, seen = { 0, 9, CU_AD_FORMAT_HALF, 9 };
  CUDA_ARRAY3D_DESCRIPTOR deep = { LINE, 0, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0 }, deep_seen = { .Width = 0 };
  CUarray refused = NULL;
  ENTRY(cuArrayCreate, (&array, &flat), CUDA_SUCCESS, array != NULL, (&refused, NULL), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuArray3DCreate, (&second, &deep), CUDA_SUCCESS, second != NULL, (&refused, NULL), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuArrayGetDescriptor, (&seen, array), CUDA_SUCCESS, seen.Width == LINE && seen.NumChannels == 1,
        (NULL, array), CUDA_ERROR_INVALID_VALUE);
  ENTRY(cuArray3DGetDescriptor, (&deep_seen, second), CUDA_SUCCESS, deep_seen.Width == LINE, (NULL, second),
        CUDA_ERROR_INVALID_VALUE);
}

static int array_arrived(CUarray from, int value) {
  host_of(0);
  return cuCtxSynchronize() == CUDA_SUCCESS && cuMemcpyAtoH(host, from, 0, LINE) == CUDA_SUCCESS &&
         entry_host_holds(host, value, LINE);
}

static void array_copies(void) {
  const CUresult refused = CUDA_ERROR_INVALID_VALUE;
  ENTRY(cuMemcpyHtoA, (array, 0, host_of(1), LINE), CUDA_SUCCESS, array_arrived(array, 1), (array, 1, host, LINE),
        refused);
  ENTRY(cuMemcpyHtoAAsync, (array, 0, host_of(2), LINE, NULL), CUDA_SUCCESS, array_arrived(array, 2),
        (array, 1, host, LINE, NULL), refused);
  NEED(cuMemsetD8(device, 3, LINE) == CUDA_SUCCESS);
  ENTRY(cuMemcpyDtoA, (array, 0, device, LINE), CUDA_SUCCESS, array_arrived(array, 3), (array, 1, device, LINE),
        refused);
  host_of(0);
  ENTRY(cuMemcpyAtoH, (host, array, 0, LINE), CUDA_SUCCESS, host_arrived(3, LINE), (host, array, 1, LINE), refused);
  host_of(0);
  ENTRY(cuMemcpyAtoHAsync, (host, array, 0, LINE, NULL), CUDA_SUCCESS, host_arrived(3, LINE),
        (host, array, 1, LINE, NULL), refused);
  ENTRY(cuMemcpyAtoD, (other, array, 0, LINE), CUDA_SUCCESS, holds(other, 3, LINE), (other, array, 1, LINE), refused);
  ENTRY(cuMemcpyAtoA, (second, 0, array, 0, LINE), CUDA_SUCCESS, array_arrived(second, 3),
        (second, 1, array, 0, LINE), refused);
  ENTRY(cuArrayDestroy, (array), CUDA_SUCCESS, cuArrayDestroy(second) == CUDA_SUCCESS, ((CUarray)(void *)host),
        CUDA_ERROR_INVALID_HANDLE);
}

void entry_driver_copy(void) {
  NEED(cuMemAlloc(&device, BYTES) == CUDA_SUCCESS && cuMemAlloc(&other, BYTES) == CUDA_SUCCESS);
  lines();
  boxes();
  sets();
  arrays();
  array_copies();
  NEED(cuMemFree(device) == CUDA_SUCCESS && cuMemFree(other) == CUDA_SUCCESS);
}
