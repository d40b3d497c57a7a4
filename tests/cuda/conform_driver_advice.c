/* SPDX-License-Identifier: MIT */
/*
 * conform_driver_advice - advice about managed memory, prefetches, and what each kind of memory is, by the driver's
 * calls.
 */
#include "conform_driver.h"

#include <stdint.h>
#include <string.h>

enum { PAGE = 4096, SIZE = 1 << 20 };

static CUcontext primary;

static CUmemLocation at(int type, int id) {
  CUmemLocation location = { (CUmemLocationType)type, id };
  return location;
}

static CUmemLocation device(int id) {
  return at(CU_MEM_LOCATION_TYPE_DEVICE, id);
}

static int told(CUmem_range_attribute attribute, CUdeviceptr ptr, size_t size) {
  int answer = 77;
  driver_succeed(cuMemRangeGetAttribute(&answer, sizeof answer, attribute, ptr, size));
  return answer;
}

static CUdeviceptr managed(size_t size) {
  CUdeviceptr ptr = 0;
  driver_succeed(cuMemAllocManaged(&ptr, size, CU_MEM_ATTACH_GLOBAL));
  return ptr;
}

/* ---- advice --------------------------------------------------------------------------------------------- */

static void prefetches_are_told_and_refused(void) {
  CUdeviceptr ptr = managed(SIZE), other = 0;
  driver_succeed(cuMemAlloc(&other, PAGE));
  driver_succeed(cuMemPrefetchAsync(ptr, SIZE, device(0), 0, NULL));
  driver_true(told(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, ptr, SIZE) == 0);
  driver_succeed(cuMemPrefetchAsync(ptr, PAGE, at(CU_MEM_LOCATION_TYPE_HOST, 0), 0, CU_STREAM_PER_THREAD));
  driver_true(told(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, ptr, PAGE) == CU_DEVICE_CPU);
  driver_true(told(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE, ptr, PAGE) == CU_MEM_LOCATION_TYPE_HOST);
  driver_true(told(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, ptr, SIZE) == CU_DEVICE_INVALID);
  driver_expect(CUDA_ERROR_INVALID_DEVICE, cuMemPrefetchAsync(ptr, PAGE, device(99), 0, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync(ptr, 0, device(0), 0, NULL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync(other, PAGE, device(0), 0, NULL));
  driver_succeed(cuCtxSynchronize());
  driver_succeed(cuMemFree(other));
  driver_succeed(cuMemFree(ptr));
}

static void advice_is_told_and_refused(void) {
  CUdeviceptr ptr = managed(SIZE), other = 0;
  int by[2] = { 77, 77 }, mostly = 77;
  void *data[] = { by, &mostly };
  size_t sizes[] = { sizeof by, sizeof mostly };
  CUmem_range_attribute attributes[] = { CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY };
  driver_succeed(cuMemAlloc(&other, PAGE));
  driver_succeed(cuMemAdvise(ptr, PAGE, CU_MEM_ADVISE_SET_READ_MOSTLY, device(99)));
  driver_succeed(cuMemAdvise(ptr, PAGE, CU_MEM_ADVISE_SET_ACCESSED_BY, device(0)));
  driver_succeed(cuMemRangeGetAttributes(data, sizes, attributes, 2, ptr, PAGE));
  driver_true(by[0] == 0 && by[1] == CU_DEVICE_INVALID && mostly == 1);
  driver_succeed(cuMemAdvise(ptr, SIZE, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, at(CU_MEM_LOCATION_TYPE_HOST, 0)));
  driver_true(told(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, ptr, SIZE) == CU_DEVICE_CPU);
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAdvise(ptr, PAGE, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device(99)));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemAdvise(other, PAGE, CU_MEM_ADVISE_SET_READ_MOSTLY, device(0)));
  driver_expect(CUDA_ERROR_INVALID_VALUE,
                cuMemRangeGetAttribute(&mostly, 3, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, ptr, PAGE));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuMemRangeGetAttributes(data, sizes, attributes, 0, ptr, PAGE));
  driver_succeed(cuMemFree(other));
  driver_succeed(cuMemFree(ptr));
}

static void memory_is_attached(void) {
  CUstream stream = NULL;
  CUdeviceptr ptr = managed(SIZE), other = 0;
  driver_succeed(cuMemAlloc(&other, PAGE));
  driver_succeed(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  driver_succeed(cuStreamAttachMemAsync(stream, ptr, 0, CU_MEM_ATTACH_SINGLE));
  driver_succeed(cuStreamAttachMemAsync(NULL, ptr, SIZE, CU_MEM_ATTACH_GLOBAL));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamAttachMemAsync(NULL, ptr, 0, CU_MEM_ATTACH_SINGLE));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuStreamAttachMemAsync(stream, other, 0, CU_MEM_ATTACH_SINGLE));
  driver_succeed(cuStreamSynchronize(stream));
  driver_succeed(cuStreamDestroy(stream));
  driver_succeed(cuMemFree(other));
  driver_succeed(cuMemFree(ptr));
}

/* ---- versions of before 12.2 ---------------------------------------------------------------------------- */

typedef CUresult (*prefetch_8)(CUdeviceptr ptr, size_t count, CUdevice device, CUstream stream);
typedef CUresult (*advise_8)(CUdeviceptr ptr, size_t count, CUmem_advise advice, CUdevice device);

static void *found(const char *name, int version) {
  void *function = NULL;
  CUdriverProcAddressQueryResult why;
  driver_succeed(cuGetProcAddress(name, &function, version, 0, &why));
  return function;
}

static void older_versions_take_ordinals(void) {
  CUdeviceptr ptr = managed(SIZE);
  prefetch_8 prefetch;
  advise_8 advise;
  void *function = found("cuMemPrefetchAsync", 8000);
  memcpy(&prefetch, &function, sizeof prefetch);
  driver_true(function == found("cuMemPrefetchAsync", 12010));
  driver_true(function != found("cuMemPrefetchAsync", 12020));
  function = found("cuMemAdvise", 8000);
  memcpy(&advise, &function, sizeof advise);
  driver_true(function == found("cuMemAdvise", 12010));
  driver_true(function != found("cuMemAdvise", 12020));
  driver_succeed(prefetch(ptr, PAGE, 0, NULL));
  driver_true(told(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, ptr, PAGE) == 0);
  driver_succeed(prefetch(ptr, PAGE, CU_DEVICE_CPU, NULL));
  driver_true(told(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE, ptr, PAGE) == CU_MEM_LOCATION_TYPE_HOST);
  driver_expect(CUDA_ERROR_INVALID_DEVICE, prefetch(ptr, PAGE, CU_DEVICE_INVALID, NULL));
  driver_expect(CUDA_ERROR_INVALID_DEVICE, prefetch(ptr, PAGE, 99, NULL));
  driver_succeed(advise(ptr, PAGE, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_DEVICE_CPU));
  driver_true(told(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, ptr, PAGE) == CU_MEM_LOCATION_TYPE_HOST);
  driver_succeed(advise(ptr, PAGE, CU_MEM_ADVISE_SET_READ_MOSTLY, 99));
  driver_expect(CUDA_ERROR_INVALID_DEVICE, advise(ptr, PAGE, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 99));
  driver_expect(CUDA_ERROR_INVALID_DEVICE, advise(ptr, PAGE, CU_MEM_ADVISE_UNSET_ACCESSED_BY, CU_DEVICE_INVALID));
  driver_succeed(cuMemFree(ptr));
}

/* ---- what memory is -------------------------------------------------------------------------------------- */

static unsigned long long attribute(CUpointer_attribute which, CUdeviceptr ptr) {
  unsigned long long answer = 0;
  driver_succeed(cuPointerGetAttribute(&answer, which, ptr));
  return answer;
}

static void expect_kind(unsigned type, int is_managed, CUdeviceptr begin, size_t size) {
  for (size_t offset = 0; offset < size; offset += size - 1) {
    CUdeviceptr ptr = begin + offset;
    driver_true(attribute(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, ptr) == type);
    driver_true(attribute(CU_POINTER_ATTRIBUTE_IS_MANAGED, ptr) == (unsigned)is_managed);
    driver_true(attribute(CU_POINTER_ATTRIBUTE_CONTEXT, ptr) == (uintptr_t)primary);
    driver_true(attribute(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, ptr) == 0);
    driver_true(attribute(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, ptr) == begin);
    driver_true(attribute(CU_POINTER_ATTRIBUTE_RANGE_SIZE, ptr) == size);
    driver_true(attribute(CU_POINTER_ATTRIBUTE_MAPPED, ptr) == 1);
  }
}

/* Nobody's is refused, asked for one attribute; asked for several, it is taken for the host's. */
static void expect_nothing(CUdeviceptr ptr) {
  unsigned long long answer = 0;
  unsigned type = 77;
  void *host = &type;
  int ordinal = 77;
  CUpointer_attribute attributes[] = { CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_HOST_POINTER,
                                       CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL };
  void *answers[] = { &type, &host, &ordinal };
  for (int which = CU_POINTER_ATTRIBUTE_CONTEXT; which <= CU_POINTER_ATTRIBUTE_HOST_POINTER; which++)
    driver_expect(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&answer, (CUpointer_attribute)which, ptr));
  driver_expect(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&answer, CU_POINTER_ATTRIBUTE_IS_MANAGED, ptr));
  driver_succeed(cuPointerGetAttributes(3, attributes, answers, ptr));
  driver_true(type == 0 && (uintptr_t)host == ptr && ordinal == CU_DEVICE_INVALID);
}

static void each_kind_is_told(void) {
  static char pages[3 * PAGE];
  char *registered = pages + (PAGE - (uintptr_t)pages % PAGE);
  void *pinned = NULL;
  CUdeviceptr shared = managed(1000), on_device = 0;
  driver_succeed(cuMemAlloc(&on_device, 1000));
  driver_succeed(cuMemAllocHost(&pinned, 1000));
  driver_succeed(cuMemHostRegister(registered, PAGE, 0));
  expect_kind(CU_MEMORYTYPE_DEVICE, 1, shared, 1000);
  expect_kind(CU_MEMORYTYPE_DEVICE, 0, on_device, 1000);
  expect_kind(CU_MEMORYTYPE_HOST, 0, (CUdeviceptr)(uintptr_t)pinned, 1000);
  expect_kind(CU_MEMORYTYPE_HOST, 0, (CUdeviceptr)(uintptr_t)registered, PAGE);
  driver_true(attribute(CU_POINTER_ATTRIBUTE_HOST_POINTER, shared + 7) == shared + 7);
  driver_true(attribute(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, shared + 7) == shared + 7);
  driver_true(attribute(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, on_device + 7) == on_device + 7);
  driver_true(attribute(CU_POINTER_ATTRIBUTE_HOST_POINTER, (CUdeviceptr)(uintptr_t)pinned + 7) ==
              (uintptr_t)pinned + 7);
  expect_nothing(shared + 1000);
  expect_nothing((CUdeviceptr)(uintptr_t)registered + PAGE);
  driver_succeed(cuMemFree(shared));
  driver_succeed(cuMemFree(on_device));
  driver_succeed(cuMemFreeHost(pinned));
  driver_succeed(cuMemHostUnregister(registered));
  expect_nothing(shared);
  expect_nothing(on_device);
  expect_nothing((CUdeviceptr)(uintptr_t)pinned);
  expect_nothing((CUdeviceptr)(uintptr_t)registered);
  expect_nothing(0);
  expect_nothing(1);
  expect_nothing(UINTPTR_MAX);
}

int main(void) {
  driver_succeed(cuInit(0));
  driver_succeed(cuDevicePrimaryCtxRetain(&primary, 0));
  driver_succeed(cuCtxSetCurrent(primary));
  prefetches_are_told_and_refused();
  advice_is_told_and_refused();
  memory_is_attached();
  older_versions_take_ordinals();
  each_kind_is_told();
  return driver_done("conform_driver_advice");
}
