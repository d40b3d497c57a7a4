/* SPDX-License-Identifier: MIT */
/*
 * conform_driver - the driver's interface without kernels: beginning, devices, contexts, memory, streams, events, and
 * the runtime beside it.
 *
 *     cc -I$prefix/include/vptr/cuda conform_driver.c -lvptr-cuda -lvptr-cudart      as vptr
 *     cc -I/usr/local/cuda/include conform_driver.c -L/usr/local/cuda/lib64 -lcuda -lcudart      as CUDA
 */
#include "conform_driver.h"

#include <cudaProfiler.h>
#include <cuda_runtime.h>
#include <pthread.h>
#include <string.h>

enum { COUNT = 1000 };

static CUdevice device;
static CUcontext primary;

static void nothing_works_before_the_beginning(void) {
  int value = 0;
  CUcontext context = NULL;
  driver_expect(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&value));
  driver_expect(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGet(&value, 0));
  driver_expect(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetCurrent(&context));
  driver_succeed(cuDriverGetVersion(&value));
  driver_true(value >= 12000);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuDriverGetVersion(NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  driver_succeed(cuInit(0));
  driver_succeed(cuInit(0));
}

static void results_have_names(void) {
  const char *text = NULL;
  driver_succeed(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text));
  driver_true(strcmp(text, "CUDA_ERROR_INVALID_VALUE") == 0);
  driver_succeed(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
  driver_true(strcmp(text, "invalid argument") == 0);
  driver_succeed(cuGetErrorString(CUDA_SUCCESS, &text));
  driver_true(strcmp(text, "no error") == 0);
  driver_succeed(cuGetErrorName(CUDA_ERROR_LAUNCH_FAILED, &text));
  driver_true(strcmp(text, "CUDA_ERROR_LAUNCH_FAILED") == 0);
  driver_succeed(cuGetErrorString(CUDA_ERROR_INVALID_CONTEXT, &text));
  driver_true(strcmp(text, "invalid device context") == 0);
  driver_succeed(cuGetErrorString(CUDA_ERROR_NOT_FOUND, &text));
  driver_true(strcmp(text, "named symbol not found") == 0);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuGetErrorName((CUresult)12345, &text));
  driver_true(text == NULL);
}

static void devices_are_told(void) {
  int count = 0, value = 0, major = 0;
  char name[256] = "", small[3] = "xx";
  size_t bytes = 0;
  CUuuid uuid;
  driver_succeed(cuDeviceGetCount(&count));
  driver_true(count > 0);
  driver_succeed(cuDeviceGet(&device, 0));
  driver_expect(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&value, count));
  driver_expect(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&value, -1));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuDeviceGet(NULL, 0));
  driver_succeed(cuDeviceGetName(name, sizeof name, device));
  driver_true(name[0] != '\0');
  driver_succeed(cuDeviceGetName(small, sizeof small, device));
  driver_true(small[2] == '\0');
  driver_succeed(cuDeviceTotalMem(&bytes, device));
  driver_true(bytes > 0);
  driver_succeed(cuDeviceGetUuid(&uuid, device));
  driver_succeed(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
  driver_true(value > 0);
  driver_succeed(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&value, (CUdevice_attribute)9999, device));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  driver_expect(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 9999));
}

static void without_a_context_there_is_no_memory(void) {
  CUdeviceptr ptr = 0;
  CUcontext context = (CUcontext)&ptr;
  CUstream stream;
  CUevent event;
  driver_succeed(cuCtxGetCurrent(&context));
  driver_true(context == NULL);
  driver_expect(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&ptr, COUNT));
  driver_expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
  driver_expect(CUDA_ERROR_INVALID_CONTEXT, cuStreamCreate(&stream, 0));
  driver_expect(CUDA_ERROR_INVALID_CONTEXT, cuEventCreate(&event, 0));
  driver_expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&context));
}

static void a_primary_context_is_counted(void) {
  unsigned flags = 77;
  int active = 77;
  CUcontext again = NULL;
  driver_succeed(cuDevicePrimaryCtxGetState(device, &flags, &active));
  driver_true(active == 0);
  driver_succeed(cuDevicePrimaryCtxRetain(&primary, device));
  driver_succeed(cuDevicePrimaryCtxRetain(&again, device));
  driver_true(primary == again && primary != NULL);
  driver_succeed(cuDevicePrimaryCtxGetState(device, &flags, &active));
  driver_true(active == 1);
  driver_succeed(cuDevicePrimaryCtxRelease(device));
  driver_expect(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRetain(&again, 9999));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxRetain(NULL, device));
}

static void contexts_are_a_stack(void) {
  CUcontext one = NULL, current = NULL;
  CUdevice on = -1;
  unsigned version = 0;
  driver_succeed(cuCtxSetCurrent(primary));
  driver_succeed(cuCtxGetCurrent(&current));
  driver_true(current == primary);
  driver_succeed(cuCtxGetDevice(&on));
  driver_true(on == device);
#if CUDA_VERSION >= 13000
  driver_succeed(cuCtxCreate(&one, NULL, CU_CTX_SCHED_AUTO, device));
#else
  driver_succeed(cuCtxCreate(&one, CU_CTX_SCHED_AUTO, device));
#endif
  driver_true(one != primary);
  driver_succeed(cuCtxGetCurrent(&current));
  driver_true(current == one);
  driver_succeed(cuCtxGetApiVersion(one, &version));
  printf("observed: version of a context: %u\n", version);
  driver_succeed(cuCtxPushCurrent(primary));
  driver_succeed(cuCtxPopCurrent(&current));
  driver_true(current == primary);
  driver_succeed(cuCtxPopCurrent(&current));
  driver_true(current == one);
  driver_succeed(cuCtxGetCurrent(&current));
  driver_true(current == primary);
  driver_succeed(cuCtxDestroy(one));
  driver_observe("destroying a primary context", cuCtxDestroy(primary));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuCtxGetCurrent(NULL));
  driver_succeed(cuCtxSetCurrent(NULL));
  driver_succeed(cuCtxGetCurrent(&current));
  driver_true(current == NULL);
  driver_succeed(cuCtxSetCurrent(primary));
}

static void memory_comes_and_goes(void) {
  CUdeviceptr ptr = 0, base = 0;
  size_t size = 0, free = 0, total = 0, pitch = 0;
  driver_succeed(cuMemGetInfo(&free, &total));
  driver_true(free <= total && total > 0);
  driver_succeed(cuMemAlloc(&ptr, COUNT));
  driver_true(ptr != 0);
  driver_succeed(cuMemGetAddressRange(&base, &size, ptr + 10));
  driver_true(base == ptr && size >= COUNT);
  driver_succeed(cuMemGetAddressRange(NULL, &size, ptr));
  driver_succeed(cuMemFree(ptr));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&ptr, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(NULL, 1));
  driver_expect(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&ptr, (size_t)1 << 50));
  driver_observe("freeing address 0", cuMemFree(0));
  driver_observe("freeing twice", cuMemFree(ptr));
  driver_succeed(cuMemAllocPitch(&ptr, &pitch, 100, 20, 4));
  driver_true(pitch >= 100);
  driver_succeed(cuMemFree(ptr));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&ptr, &pitch, 100, 20, 3));
}

static void bytes_are_copied(void) {
  unsigned char from[COUNT], to[COUNT] = { 0 };
  CUdeviceptr a = 0, b = 0;
  CUstream stream;
  for (int i = 0; i < COUNT; i++)
    from[i] = (unsigned char)(7 * i);
  driver_succeed(cuMemAlloc(&a, COUNT));
  driver_succeed(cuMemAlloc(&b, COUNT));
  driver_succeed(cuMemcpyHtoD(a, from, COUNT));
  driver_succeed(cuMemcpyDtoD(b, a, COUNT));
  driver_succeed(cuMemcpyDtoH(to, b, COUNT));
  driver_true(memcmp(from, to, COUNT) == 0);
  driver_succeed(cuMemsetD8(a, 0, COUNT));
  driver_succeed(cuMemcpy(a, b, COUNT));
  driver_succeed(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  driver_succeed(cuCtxSynchronize());
  memset(to, 0, sizeof to);
  driver_succeed(cuMemcpyDtoDAsync(b, a + 10, COUNT - 10, stream));
  driver_succeed(cuMemcpyDtoHAsync(to, b, COUNT - 10, stream));
  driver_succeed(cuStreamSynchronize(stream));
  driver_true(memcmp(from + 10, to, COUNT - 10) == 0);
  driver_succeed(cuMemcpyHtoDAsync(a, to, COUNT, stream));
  driver_succeed(cuMemcpyPeer(b, primary, a, primary, COUNT));
  driver_succeed(cuMemcpyHtoD(a, from, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(0, from, COUNT));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(NULL, a, COUNT));
  driver_succeed(cuStreamDestroy(stream));
  driver_succeed(cuMemFree(a));
  driver_succeed(cuMemFree(b));
}

static void elements_are_set(void) {
  unsigned words[64];
  unsigned short halves[128];
  CUdeviceptr ptr = 0;
  int wrong = 0;
  driver_succeed(cuMemAlloc(&ptr, sizeof words));
  driver_succeed(cuMemsetD32(ptr, 0x01020304, 64));
  driver_succeed(cuMemcpyDtoH(words, ptr, sizeof words));
  for (int i = 0; i < 64; i++)
    wrong += words[i] != 0x01020304;
  driver_succeed(cuMemsetD16(ptr + 2, 0xabcd, 100));
  driver_succeed(cuMemcpyDtoH(halves, ptr, sizeof halves));
  wrong += halves[0] != 0x0304 || halves[101] != 0x0102;
  for (int i = 1; i <= 100; i++)
    wrong += halves[i] != 0xabcd;
  driver_succeed(cuMemsetD2D32(ptr, 32, 9, 3, 8));
  driver_succeed(cuMemsetD2D16Async(ptr + 16, 32, 8, 2, 8, NULL));
  driver_succeed(cuMemsetD2D8(ptr + 24, 32, 7, 4, 8));
  driver_succeed(cuMemsetD32Async(ptr + 28, 6, 1, NULL));
  driver_succeed(cuMemcpyDtoH(words, ptr, sizeof words));
  for (int y = 0; y < 8; y++)
    wrong += words[8 * y] != 9 || words[8 * y + 2] != 9 || words[8 * y + 4] != 0x00080008 ||
             words[8 * y + 6] != 0x07070707;
  wrong += words[7] != 6;
  driver_true(wrong == 0);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(ptr + 2, 1, 1));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD16(ptr + 1, 1, 1));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(0, 1, 1));
  driver_succeed(cuMemsetD8(ptr, 1, 0));
  driver_succeed(cuMemFree(ptr));
}

static void rects_are_copied(void) {
  unsigned char from[8][16], to[4][4] = { { 0 } };
  CUdeviceptr ptr = 0;
  size_t pitch = 0;
  for (int i = 0; i < 8 * 16; i++)
    from[i / 16][i % 16] = (unsigned char)i;
  driver_succeed(cuMemAllocPitch(&ptr, &pitch, 16, 8, 4));
  CUDA_MEMCPY2D copy = { .srcMemoryType = CU_MEMORYTYPE_HOST,
                         .srcHost = from,
                         .srcPitch = 16,
                         .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                         .dstDevice = ptr,
                         .dstPitch = pitch,
                         .WidthInBytes = 16,
                         .Height = 8 };
  driver_succeed(cuMemcpy2D(&copy));
  CUDA_MEMCPY2D back = { .srcXInBytes = 3,
                         .srcY = 2,
                         .srcMemoryType = CU_MEMORYTYPE_DEVICE,
                         .srcDevice = ptr,
                         .srcPitch = pitch,
                         .dstMemoryType = CU_MEMORYTYPE_HOST,
                         .dstHost = to,
                         .dstPitch = 4,
                         .WidthInBytes = 4,
                         .Height = 4 };
  driver_succeed(cuMemcpy2DAsync(&back, NULL));
  driver_succeed(cuStreamSynchronize(NULL));
  int wrong = 0;
  for (int y = 0; y < 4; y++)
    wrong += memcmp(to[y], &from[y + 2][3], 4) != 0;
  driver_true(wrong == 0);
  CUDA_MEMCPY3D whole = { .srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                          .srcDevice = ptr,
                          .srcPitch = pitch,
                          .srcHeight = 8,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = to,
                          .dstPitch = 4,
                          .dstHeight = 4,
                          .WidthInBytes = 4,
                          .Height = 4,
                          .Depth = 1 };
  driver_succeed(cuMemcpy3D(&whole));
  driver_true(to[1][0] == 16);
  copy.srcPitch = 16;
  copy.dstPitch = 8;
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&copy));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(NULL));
  driver_succeed(cuMemFree(ptr));
}

/* Programs that look up every name find those as well that have nothing to do. */
static void entries_are_there(void) {
  static const char *const names[] = { "cuIpcGetEventHandle", "cuIpcOpenEventHandle", "cuIpcGetMemHandle",
                                       "cuIpcOpenMemHandle",  "cuIpcCloseMemHandle",  "cuProfilerStart",
                                       "cuProfilerStop" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void *found = NULL;
    driver_succeed(cuGetProcAddress(names[i], &found, CUDA_VERSION, 0, NULL));
    driver_true(found != NULL);
  }
  CUdeviceptr ptr = 0;
  CUipcMemHandle handle;
  driver_true(sizeof handle == 64 && sizeof(CUipcEventHandle) == 64);
  driver_succeed(cuMemAlloc(&ptr, COUNT));
  driver_observe("a handle for other processes", cuIpcGetMemHandle(&handle, ptr));
  driver_succeed(cuMemFree(ptr));
  driver_succeed(cuProfilerStart());
  driver_succeed(cuProfilerStop());
}

static void host_memory_is_pinned(void) {
  void *host = NULL;
  unsigned flags = 0, type = 0;
  driver_succeed(cuMemAllocHost(&host, COUNT));
  driver_succeed(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(size_t)host));
  driver_true(type == CU_MEMORYTYPE_HOST);
  driver_succeed(cuMemFreeHost(host));
  driver_succeed(cuMemHostAlloc(&host, COUNT, CU_MEMHOSTALLOC_PORTABLE));
  driver_succeed(cuMemHostGetFlags(&flags, host));
  driver_true((flags & CU_MEMHOSTALLOC_PORTABLE) != 0);
  driver_succeed(cuMemFreeHost(host));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAllocHost(NULL, 1));
  driver_observe("pinned memory of no bytes", cuMemAllocHost(&host, 0));
  host = calloc(2, 4096);
  driver_succeed(cuMemHostRegister(host, 4096, 0));
  driver_succeed(cuMemHostUnregister(host));
  driver_expect(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(host));
  free(host);
}

static void addresses_are_explained(void) {
  int on_stack = 0, ordinal = -1;
  unsigned type = 0, managed = 77;
  CUdeviceptr ptr = 0, start = 0;
  CUcontext context = NULL;
  size_t size = 0;
  driver_succeed(cuMemAlloc(&ptr, COUNT));
  driver_succeed(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, ptr + 5));
  driver_true(type == CU_MEMORYTYPE_DEVICE);
  driver_succeed(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, ptr));
  driver_true(context == primary);
  driver_succeed(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, ptr + 5));
  driver_true(start == ptr);
  driver_succeed(cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, ptr + 5));
  driver_true(size >= COUNT);
  driver_succeed(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, ptr));
  driver_true(ordinal == 0);
  CUpointer_attribute attributes[] = { CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_CONTEXT,
                                       CU_POINTER_ATTRIBUTE_IS_MANAGED };
  void *answers[] = { &type, &context, &managed };
  managed = 0;
  driver_succeed(cuPointerGetAttributes(3, attributes, answers, ptr));
  driver_true(type == CU_MEMORYTYPE_DEVICE && context == primary && managed == 0);
  driver_succeed(cuPointerGetAttributes(3, attributes, answers, (CUdeviceptr)(size_t)&on_stack));
  driver_true(type == 0 && context == NULL);
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(size_t)&on_stack));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(NULL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, ptr));
  driver_succeed(cuMemFree(ptr));
}

static int sync_of(CUdeviceptr ptr) {
  unsigned is_on = 77; /* all of which is written */
  driver_succeed(cuPointerGetAttribute(&is_on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, ptr));
  return (int)is_on;
}

static void attributes_of_addresses_are_kept(void) {
  const unsigned on = 1, off = 0;
  unsigned handles = 77, rights = 0;
  CUdeviceptr one = 0, other = 0, start = 0;
  driver_succeed(cuMemAlloc(&one, COUNT));
  driver_succeed(cuMemAlloc(&other, COUNT));
  driver_true(sync_of(one) == 0);
  driver_succeed(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, one + 3));
  driver_succeed(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, one));
  driver_true(sync_of(one) == 1 && sync_of(one + 1) == 1 && sync_of(other) == 0);
  driver_succeed(cuPointerSetAttribute(&off, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, one));
  driver_true(sync_of(one) == 0);
  driver_succeed(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, one));
  driver_succeed(cuMemFree(one));
  driver_succeed(cuMemAlloc(&one, COUNT)); /* which may lie there again */
  driver_true(sync_of(one) == 0);
  driver_succeed(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, other));
  driver_true(sync_of(one) == 0 && sync_of(other) == 1);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuPointerSetAttribute(NULL, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, one));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_IS_MANAGED, one));
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, (CUdeviceptr)(size_t)&rights));
  driver_succeed(cuPointerGetAttribute(&handles, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, one));
  driver_true(handles == 0);
  driver_succeed(cuPointerGetAttribute(&rights, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, one));
  driver_true(rights == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  driver_succeed(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, one + 5));
  driver_true(start <= one + 5);
  driver_succeed(cuMemFree(one));
  driver_succeed(cuMemFree(other));
}

static void managed_memory_is_told(void) {
  CUdeviceptr ptr = 0, begin = 0;
  size_t size = 0;
  _Bool managed = 0;
  unsigned type = 0;
  driver_succeed(cuMemAllocManaged(&ptr, COUNT, CU_MEM_ATTACH_GLOBAL));
  ((volatile char *)(size_t)ptr)[COUNT - 1] = 1;
  driver_succeed(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, ptr + 1));
  driver_true(managed == 1);
  driver_succeed(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, ptr + 1));
  driver_true(type == CU_MEMORYTYPE_DEVICE);
  driver_succeed(cuMemGetAddressRange(&begin, &size, ptr + 1));
  driver_true(begin == ptr && size >= COUNT);
  driver_succeed(cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, ptr + 1));
  driver_true(size >= COUNT);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&ptr, 0, CU_MEM_ATTACH_GLOBAL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&ptr, COUNT, CU_MEM_ATTACH_SINGLE));
  driver_succeed(cuMemFree(ptr));
}

static void CUDA_CB note_status(CUstream stream, CUresult status, void *noted) {
  (void)stream;
  __atomic_store_n((int *)noted, status == CUDA_SUCCESS ? 1 : -1, __ATOMIC_RELEASE);
}

static void streams_and_events_keep_order(void) {
  CUstream stream = NULL;
  CUevent first = NULL, second = NULL;
  unsigned flags = 0;
  float ms = -1;
  int noted = 0;
  CUdevice on = -1;
  CUcontext context = NULL;
  driver_succeed(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  driver_succeed(cuStreamGetFlags(stream, &flags));
  driver_true(flags == CU_STREAM_NON_BLOCKING);
  driver_succeed(cuStreamGetCtx(stream, &context));
  driver_true(context == primary);
#if CUDA_VERSION >= 12080
  driver_succeed(cuStreamGetDevice(stream, &on));
  driver_true(on == device);
#endif
  (void)on;
  driver_succeed(cuEventCreate(&first, CU_EVENT_DEFAULT));
  driver_succeed(cuEventCreate(&second, CU_EVENT_DEFAULT));
  driver_succeed(cuEventRecord(first, stream));
  driver_succeed(cuStreamAddCallback(stream, note_status, &noted, 0));
  driver_succeed(cuEventRecord(second, stream));
  driver_succeed(cuStreamWaitEvent(NULL, second, 0));
  driver_succeed(cuEventSynchronize(second));
  driver_true(noted == 1);
  driver_succeed(cuStreamSynchronize(stream));
  driver_succeed(cuStreamQuery(stream));
  driver_succeed(cuEventQuery(first));
  driver_succeed(cuEventElapsedTime(&ms, first, second));
  driver_true(ms >= 0);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuEventCreate(NULL, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamCreate(NULL, 0));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamCreate(&stream, 0x80));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamAddCallback(stream, NULL, NULL, 0));
  driver_succeed(cuEventDestroy(first));
  driver_succeed(cuEventDestroy(second));
  driver_succeed(cuStreamDestroy(stream));
}

static void memory_follows_streams(void) {
  CUdeviceptr ptr = 0;
  CUmemoryPool pool = NULL;
  driver_succeed(cuMemAllocAsync(&ptr, COUNT, NULL));
  driver_succeed(cuMemsetD8Async(ptr, 1, COUNT, NULL));
  driver_succeed(cuMemFreeAsync(ptr, NULL));
  printf("observed: cuMemFreeAsync(0) is %d\n", cuMemFreeAsync(0, NULL));
  driver_succeed(cuDeviceGetDefaultMemPool(&pool, device));
  driver_succeed(cuMemAllocFromPoolAsync(&ptr, COUNT, pool, NULL));
  driver_succeed(cuMemFreeAsync(ptr, NULL));
  driver_succeed(cuMemPoolTrimTo(pool, 0));
  driver_succeed(cuCtxSynchronize());
}

static void both_interfaces_mix(void) {
  char from[] = "one state for both", to[sizeof from] = "";
  void *ptr = NULL;
  CUstream stream = NULL;
  cudaEvent_t event = NULL;
  int on = -1;
  driver_true(cudaMalloc(&ptr, sizeof from) == cudaSuccess);
  driver_succeed(cuMemcpyHtoD((CUdeviceptr)(size_t)ptr, from, sizeof from));
  driver_true(cudaMemcpy(to, ptr, sizeof to, cudaMemcpyDeviceToHost) == cudaSuccess);
  driver_true(strcmp(from, to) == 0);
  driver_succeed(cuMemFree((CUdeviceptr)(size_t)ptr));
  driver_succeed(cuStreamCreate(&stream, 0));
  driver_true(cudaEventCreate(&event) == cudaSuccess);
  driver_true(cudaEventRecord(event, stream) == cudaSuccess);
  driver_succeed(cuEventSynchronize(event));
  driver_true(cudaStreamDestroy(stream) == cudaSuccess);
  driver_succeed(cuEventDestroy(event));
  driver_true(cudaGetDevice(&on) == cudaSuccess && on == device);
  /* errors of one are none of the other */
  driver_true(cudaGetLastError() == cudaSuccess);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(NULL, 1));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(0, from, 1));
  driver_true(cudaGetLastError() == cudaSuccess);
}

/* In a thread that the runtime was used in, the primary context is current. */
static void *begin_with_the_runtime(void *nothing) {
  CUcontext current = NULL;
  driver_succeed(cuCtxGetCurrent(&current));
  driver_true(current == NULL);
  driver_true(cudaFree(NULL) == cudaSuccess);
  driver_succeed(cuCtxGetCurrent(&current));
  driver_true(current == primary);
  driver_succeed(cuCtxSynchronize());
  return nothing;
}

static void a_context_is_a_threads_own_affair(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, begin_with_the_runtime, NULL);
  pthread_join(thread, NULL);
}

typedef CUresult (*get_count)(int *count);

static void functions_are_found_by_name(void) {
  void *found = NULL;
  int count = 0;
  CUdriverProcAddressQueryResult why = CU_GET_PROC_ADDRESS_SUCCESS;
  driver_succeed(cuGetProcAddress("cuDeviceGetCount", &found, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &why));
  driver_true(found != NULL && why == CU_GET_PROC_ADDRESS_SUCCESS);
  get_count call;
  memcpy(&call, &found, sizeof call);
  driver_succeed(call(&count));
  driver_true(count > 0);
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuGetProcAddress("cuInit", &found, 99000, CU_GET_PROC_ADDRESS_DEFAULT, &why));
  driver_observe("a name that is none", cuGetProcAddress("cuNoSuchThing", &found, 12000, 0, &why));
  driver_true(found == NULL && why == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  driver_observe("a version that is too old", cuGetProcAddress("cuMemAlloc", &found, 1000, 0, &why));
  driver_true(why != CU_GET_PROC_ADDRESS_SUCCESS);
}

static void the_last_release_is_counted(void) {
  driver_succeed(cuCtxSetCurrent(NULL));
  driver_succeed(cuDevicePrimaryCtxRelease(device));
  driver_observe("releasing once too often", cuDevicePrimaryCtxRelease(device));
}

int main(void) {
  nothing_works_before_the_beginning();
  results_have_names();
  devices_are_told();
  without_a_context_there_is_no_memory();
  a_primary_context_is_counted();
  contexts_are_a_stack();
  memory_comes_and_goes();
  bytes_are_copied();
  elements_are_set();
  rects_are_copied();
  entries_are_there();
  host_memory_is_pinned();
  addresses_are_explained();
  attributes_of_addresses_are_kept();
  managed_memory_is_told();
  streams_and_events_keep_order();
  memory_follows_streams();
  both_interfaces_mix();
  a_context_is_a_threads_own_affair();
  functions_are_found_by_name();
  the_last_release_is_counted();
  return driver_done("conform_driver");
}
