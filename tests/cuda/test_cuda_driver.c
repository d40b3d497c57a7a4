/* SPDX-License-Identifier: MIT */
/* test_cuda_driver - what lib/driver promises beyond CUDA: one state with the runtime, destroyed contexts, faults. */
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include <vptr/cuda/cuda.h>

#include "base/memory.h"
#include "device/fake.h"
#include "expect.h"
#include "mapper/mapper.h"

static void expect_driver(CUresult expected, CUresult got, const char *call, int line) {
  const char *name = "?";
  cuGetErrorName(got, &name);
  ck_assert_msg(expected == got, "line %d: %s: got %d (%s), expected %d: %s", line, call, (int)got, name,
                (int)expected, vptr_last_error());
}

#define drive(expected, call) expect_driver((expected), (call), #call, __LINE__)

/* In each test's own process. */
static CUcontext begin(void) {
  CUcontext context = NULL;
  drive(CUDA_SUCCESS, cuInit(0));
  drive(CUDA_SUCCESS, cuDevicePrimaryCtxRetain(&context, 0));
  drive(CUDA_SUCCESS, cuCtxSetCurrent(context));
  return context;
}

static CUcontext create(void) {
  CUcontext context = NULL;
  drive(CUDA_SUCCESS, cuCtxCreate(&context, NULL, 0, 0));
  return context;
}

/* ---- one state ------------------------------------------------------------------------------------------ */

START_TEST(both_interfaces_structures_are_the_same) {
  ck_assert_uint_eq(sizeof(CUmemPoolProps), sizeof(struct cudaMemPoolProps));
  ck_assert_uint_eq(offsetof(CUmemPoolProps, location), offsetof(struct cudaMemPoolProps, location));
  ck_assert_uint_eq(offsetof(CUmemPoolProps, maxSize), offsetof(struct cudaMemPoolProps, maxSize));
  ck_assert_int_eq(CU_MEMPOOL_ATTR_USED_MEM_HIGH, cudaMemPoolAttrUsedMemHigh);
  ck_assert_int_eq(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, cudaMemPoolAttrReleaseThreshold);
  ck_assert_int_eq(CU_DEVICE_ATTRIBUTE_CLOCK_RATE, cudaDevAttrClockRate);
  ck_assert_int_eq(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, cudaDevAttrMemoryPoolsSupported);
  ck_assert_int_eq(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8);
  ck_assert_int_eq(CUDA_ERROR_LAUNCH_FAILED, cudaErrorLaunchFailure);
  ck_assert_int_eq(CUDA_ERROR_OUT_OF_MEMORY, cudaErrorMemoryAllocation);
}
END_TEST

START_TEST(every_result_has_a_name_and_a_text) {
  int named = 0;
  for (int value = 0; value < 1000; value++) {
    const char *name = NULL, *said = NULL;
    if (cuGetErrorName((CUresult)value, &name) != CUDA_SUCCESS)
      continue;
    named++;
    drive(CUDA_SUCCESS, cuGetErrorString((CUresult)value, &said));
    ck_assert_msg(strcmp(said, "unrecognized error code") != 0, "%s has no text", name);
  }
  ck_assert_int_gt(named, 90);
}
END_TEST

START_TEST(an_error_of_the_runtime_outlives_those_of_the_driver) {
  CUdeviceptr ptr;
  begin();
  ck_assert_int_eq(cudaMemset(NULL, 0, 1), cudaErrorInvalidValue);
  drive(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&ptr, (size_t)1 << 60));
  drive(CUDA_ERROR_INVALID_VALUE, cuMemFree(77));
  expect(cudaErrorInvalidValue, cudaGetLastError());
  drive(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&ptr, (size_t)1 << 60));
  expect(cudaSuccess, cudaGetLastError());
}
END_TEST

START_TEST(a_reset_leaves_contexts_usable) {
  CUcontext primary = begin(), current = NULL;
  CUdeviceptr ptr;
  drive(CUDA_SUCCESS, cuMemAlloc(&ptr, SIZE));
  succeed(cudaDeviceReset());
  drive(CUDA_ERROR_INVALID_VALUE, cuMemFree(ptr));
  drive(CUDA_SUCCESS, cuCtxGetCurrent(&current));
  ck_assert_ptr_eq(current, primary);
  drive(CUDA_SUCCESS, cuMemAlloc(&ptr, SIZE));
  drive(CUDA_SUCCESS, cuDevicePrimaryCtxReset(0));
  drive(CUDA_ERROR_INVALID_VALUE, cuMemFree(ptr));
}
END_TEST

/* ---- contexts ------------------------------------------------------------------------------------------- */

typedef struct shared_context {
  CUcontext context;
  pthread_barrier_t barrier;
} shared_context;

static void *work_in_a_destroyed_context(void *argument) {
  shared_context *shared = argument;
  CUdeviceptr ptr;
  support_must(cuCtxSetCurrent(shared->context) == CUDA_SUCCESS);
  pthread_barrier_wait(&shared->barrier); /* it is current here */
  pthread_barrier_wait(&shared->barrier); /* it was destroyed there */
  support_must(cuMemAlloc(&ptr, SIZE) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
  support_must(cuCtxSetCurrent(shared->context) == CUDA_ERROR_INVALID_CONTEXT);
  support_must(cuCtxSetCurrent(NULL) == CUDA_SUCCESS);
  support_must(cuMemAlloc(&ptr, SIZE) == CUDA_ERROR_INVALID_CONTEXT);
  return NULL;
}

START_TEST(a_destroyed_context_is_told_to_those_who_have_it) {
  shared_context shared;
  pthread_t thread;
  begin();
  shared.context = create();
  pthread_barrier_init(&shared.barrier, NULL, 2);
  pthread_create(&thread, NULL, work_in_a_destroyed_context, &shared);
  pthread_barrier_wait(&shared.barrier);
  drive(CUDA_SUCCESS, cuCtxDestroy(shared.context));
  pthread_barrier_wait(&shared.barrier);
  pthread_join(thread, NULL);
  pthread_barrier_destroy(&shared.barrier);
  drive(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(shared.context));
}
END_TEST

typedef struct ending {
  CUcontext context;
  _Atomic int result;
} ending;

static void destroy_in_a_host_function(void *context) {
  ending *it = context;
  it->result = (int)cuCtxDestroy(it->context);
}

START_TEST(a_host_function_destroys_no_context) {
  ending it = { .result = -1 };
  CUstream stream;
  begin();
  it.context = create();
  drive(CUDA_SUCCESS, cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  drive(CUDA_SUCCESS, cuLaunchHostFunc(stream, destroy_in_a_host_function, &it));
  drive(CUDA_SUCCESS, cuStreamSynchronize(stream));
  ck_assert_int_eq(it.result, CUDA_ERROR_NOT_PERMITTED);
  drive(CUDA_SUCCESS, cuCtxSynchronize());
  drive(CUDA_SUCCESS, cuStreamDestroy(stream));
  drive(CUDA_SUCCESS, cuCtxDestroy(it.context));
}
END_TEST

/* No more than before, and not as many: where tests share a process, the thread of an earlier one's host function may
 * still be about to free its own record. */
START_TEST(contexts_leave_nothing_behind) {
  begin();
  long before = vptr__memory_live();
  for (int i = 0; i < 100; i++)
    drive(CUDA_SUCCESS, cuCtxDestroy(create()));
  ck_assert_int_le(vptr__memory_live(), before);
}
END_TEST

START_TEST(a_stack_has_an_end) {
  CUcontext primary = begin(), popped = NULL;
  int depth = 1;
  while (depth < 1000 && cuCtxPushCurrent(primary) == CUDA_SUCCESS)
    depth++;
  ck_assert_int_eq(depth, 64);
  for (; depth > 0; depth--)
    drive(CUDA_SUCCESS, cuCtxPopCurrent(&popped));
  drive(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&popped));
}
END_TEST

START_TEST(wild_handles_are_refused) {
  CUcontext wild = (CUcontext)&wild;
  CUmodule module = (CUmodule)&wild;
  CUfunction function = (CUfunction)&wild;
  CUdevice device;
  int value;
  begin();
  drive(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent(wild));
  drive(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent(wild));
  drive(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(wild));
  drive(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetDevice_v2(&device, wild));
  drive(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
  drive(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction(&function, module, "k"));
  function = (CUfunction)&wild;
  drive(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
  drive(CUDA_ERROR_INVALID_HANDLE, cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
  drive(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize((CUstream)&wild));
  drive(CUDA_ERROR_INVALID_HANDLE, cuEventQuery((CUevent)&wild));
}
END_TEST

/* ---- modules, as far as no device is needed ------------------------------------------------------------- */

static const char image[] = "//vptr-module 1\n"
                            "//vptr kernel name=k lowered=_Z1kPi entry=vptr_k_k shared=0 max_threads=0 min_blocks=0\n"
                            "//vptr param size=8 align=8 kind=pointer\n"
                            "\n";

START_TEST(modules_are_loaded_and_unloaded) {
  CUmodule module = NULL;
  CUfunction function = NULL, lowered = NULL;
  size_t offset = 1, size = 0;
  unsigned count = 0;
  CUcontext context;
  begin();
  context = create();
  long before = vptr__memory_live();
  drive(CUDA_SUCCESS, cuModuleLoadData(&module, image));
  drive(CUDA_SUCCESS, cuModuleGetFunctionCount(&count, module));
  ck_assert_uint_eq(count, 1);
  drive(CUDA_SUCCESS, cuModuleGetFunction(&function, module, "k"));
  drive(CUDA_SUCCESS, cuModuleGetFunction(&lowered, module, "_Z1kPi"));
  ck_assert_ptr_eq(function, lowered);
  drive(CUDA_SUCCESS, cuFuncGetParamInfo(function, 0, &offset, &size));
  ck_assert_uint_eq(offset, 0);
  ck_assert_uint_eq(size, 8);
  drive(CUDA_SUCCESS, cuModuleUnload(module));
  drive(CUDA_ERROR_INVALID_HANDLE, cuFuncGetParamInfo(function, 0, &offset, &size));
  drive(CUDA_SUCCESS, cuModuleLoadData(&module, image));
  drive(CUDA_SUCCESS, cuCtxDestroy(context)); /* takes it along */
  drive(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
  ck_assert_int_le(vptr__memory_live(), before);
}
END_TEST

/* Devices that take them look into them, and find these damaged. */
START_TEST(images_of_others_are_refused) {
  static const char cubin[64] = "\177ELF\2\1\1", fat[16] = "\x50\xed\x55\xba\1";
  CUmodule module = NULL;
  vptr_mapper *mapper;
  char log[100] = "";
  CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
  void *values[] = { log, (void *)sizeof log };
  begin();
  drive(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&module, "// made\n//\n\n .version 8.0\n"));
  support_succeed(vptr__mapper_for_device(0, &mapper));
  bool looks = mapper->device->ptx != 0;
  CUresult expected = looks ? CUDA_ERROR_INVALID_IMAGE : CUDA_ERROR_NO_BINARY_FOR_GPU;
  drive(expected, cuModuleLoadData(&module, cubin));
  drive(expected, cuModuleLoadDataEx(&module, fat, 2, options, values));
  ck_assert_ptr_nonnull(strstr(log, looks ? "damaged" : "NVIDIA"));
  ck_assert_uint_eq((size_t)values[1], strlen(log));
  drive(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, "//vptr-module 1\n//vptr nonsense\n"));
  ck_assert_ptr_null(module);
}
END_TEST

/* ---- faults --------------------------------------------------------------------------------------------- */

static CUresult live(void) {
  CUcontext context = NULL;
  CUmodule module = NULL;
  CUfunction function = NULL;
  CUresult result = cuCtxCreate(&context, NULL, 0, 0);
  if (result != CUDA_SUCCESS)
    return result;
  result = cuModuleLoadData(&module, image);
  if (result == CUDA_SUCCESS)
    result = cuModuleGetFunction(&function, module, "k");
  if (module != NULL)
    cuModuleUnload(module);
  cuCtxDestroy(context);
  return result;
}

START_TEST(a_lack_of_memory_is_told) {
  begin();
  drive(CUDA_SUCCESS, live());
  CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
  int hits = 0;
  for (long n = 1; result != CUDA_SUCCESS && n < 200; n++) {
    vptr__memory_fail_nth(n);
    result = live();
    vptr__memory_fail_nth(0);
    ck_assert(result == CUDA_SUCCESS || result == CUDA_ERROR_OUT_OF_MEMORY);
    hits += result != CUDA_SUCCESS;
  }
  drive(CUDA_SUCCESS, result);
  ck_assert_int_gt(hits, 1);
}
END_TEST

static const char references[] = "//vptr-module 1\n"
                                 "//vptr variable name=a lowered=a size=8 align=8 kind=device reference=texture\n"
                                 "//vptr variable name=b lowered=b size=8 align=8 kind=device reference=surface\n"
                                 "//vptr variable name=c lowered=c size=8 align=8 kind=device reference=texture\n";

/* Binds all that a module has; what failed before leaves what was bound. */
static CUresult bind(CUmodule module, CUdeviceptr memory, CUarray array) {
  CUtexref a = NULL, made = NULL;
  CUsurfref b = NULL;
  CUdeviceptr told = 0;
  CUresult result = cuModuleGetTexRef(&a, module, "a");
  if (result == CUDA_SUCCESS)
    result = cuModuleGetSurfRef(&b, module, "b");
  if (result == CUDA_SUCCESS)
    result = cuTexRefSetAddress(NULL, a, memory, SIZE);
  if (result == CUDA_SUCCESS)
    result = cuSurfRefSetArray(b, array, 0);
  if (result == CUDA_SUCCESS && (result = cuTexRefSetArray(a, array, CU_TRSA_OVERRIDE_FORMAT)) != CUDA_SUCCESS)
    ck_assert(cuTexRefGetAddress(&told, a) == CUDA_SUCCESS && told == memory);
  if (result == CUDA_SUCCESS)
    result = cuTexRefCreate(&made);
  if (result == CUDA_SUCCESS)
    drive(CUDA_SUCCESS, cuTexRefDestroy(made));
  return result;
}

static CUresult load_and_bind(CUdeviceptr memory, CUarray array) {
  CUmodule module = NULL;
  CUresult result = cuModuleLoadData(&module, references);
  if (result != CUDA_SUCCESS) {
    ck_assert_ptr_null(module);
    return result;
  }
  result = bind(module, memory, array);
  drive(CUDA_SUCCESS, cuModuleUnload(module));
  return result;
}

START_TEST(references_are_bound_or_stay) {
  const CUDA_ARRAY3D_DESCRIPTOR wanted = { 8, 8, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST };
  CUdeviceptr memory;
  CUarray array;
  begin();
  drive(CUDA_SUCCESS, cuMemAlloc(&memory, SIZE));
  drive(CUDA_SUCCESS, cuArray3DCreate(&array, &wanted));
  drive(CUDA_SUCCESS, load_and_bind(memory, array));
  CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
  int hits = 0;
  for (long n = 1; result != CUDA_SUCCESS && n < 200; n++) {
    vptr__memory_fail_nth(n);
    result = load_and_bind(memory, array);
    vptr__memory_fail_nth(0);
    ck_assert(result == CUDA_SUCCESS || result == CUDA_ERROR_OUT_OF_MEMORY);
    hits += result != CUDA_SUCCESS;
  }
  drive(CUDA_SUCCESS, result);
  ck_assert_int_gt(hits, 10);
  drive(CUDA_SUCCESS, load_and_bind(memory, array));
  drive(CUDA_SUCCESS, cuArrayDestroy(array));
  drive(CUDA_SUCCESS, cuMemFree(memory));
}
END_TEST

/* ---- bounds --------------------------------------------------------------------------------------------- */

static void refuse_copies(CUdeviceptr p, size_t size, CUdeviceptr device) {
  unsigned char host[2 * SIZE] = "";
  const size_t pitch = (size - 8) / 9;
  CUDA_MEMCPY2D rect = { .srcMemoryType = CU_MEMORYTYPE_UNIFIED, .dstMemoryType = CU_MEMORYTYPE_UNIFIED };
  drive(CUDA_ERROR_INVALID_VALUE, cuMemcpy(p, device, size));
  drive(CUDA_ERROR_INVALID_VALUE, cuMemcpy(device, p, size));
  drive(CUDA_ERROR_INVALID_VALUE, cuMemcpyAsync(p, (CUdeviceptr)(uintptr_t)host, size, NULL));
  drive(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(p, host, size));
  drive(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(host, p, size));
  drive(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD(p, device, size));
  drive(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoHAsync((void *)(uintptr_t)p, device, size, NULL));
  drive(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(p, 1, size));
  drive(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D8(p, pitch, 1, 8, 10));
  rect.dstDevice = p;
  rect.dstPitch = pitch;
  rect.srcDevice = device;
  rect.srcPitch = rect.WidthInBytes = 8;
  rect.Height = 10;
  drive(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&rect));
}

START_TEST(copies_stay_within_memory_that_is_there) {
  begin();
  for (int is_managed = 0; is_managed < 2; is_managed++) {
    CUdeviceptr p, device;
    void *pinned = NULL;
    drive(CUDA_SUCCESS, cuMemAlloc(&device, 2 * SIZE));
    drive(CUDA_SUCCESS,
          is_managed ? cuMemAllocManaged(&p, SIZE, CU_MEM_ATTACH_GLOBAL) : cuMemAllocHost(&pinned, SIZE));
    if (!is_managed)
      p = (CUdeviceptr)(uintptr_t)pinned;
    drive(CUDA_SUCCESS, cuMemcpy(p, device, SIZE));
    refuse_copies(p, SIZE + 20, device);
    drive(CUDA_SUCCESS, is_managed ? cuMemFree(p) : cuMemFreeHost(pinned));
    refuse_copies(p, SIZE, device);
    drive(CUDA_SUCCESS, cuMemFree(device));
  }
}
END_TEST

/* ---- words that streams wait for ------------------------------------------------------------------------- */

static CUdeviceptr allocate_word(void) {
  CUdeviceptr ptr = 0;
  drive(CUDA_SUCCESS, cuMemAlloc(&ptr, 64));
  drive(CUDA_SUCCESS, cuMemsetD32(ptr, 0, 16));
  return ptr;
}

START_TEST(words_that_are_none_are_refused_with_words) {
  static unsigned plain;
  void *freed = NULL;
  CUdeviceptr word;
  CUstream stream;
  begin();
  word = allocate_word();
  drive(CUDA_SUCCESS, cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  drive(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(stream, (CUdeviceptr)(uintptr_t)&plain, 0, 0));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "pinned"));
  drive(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue64(stream, word + 60, 0, 0)); /* misplaced, and beyond the end */
  drive(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue64(stream, word + 64, 0, 0));
  drive(CUDA_SUCCESS, cuMemAllocHost(&freed, 64));
  drive(CUDA_SUCCESS, cuMemFreeHost(freed));
  drive(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(stream, (CUdeviceptr)(uintptr_t)freed, 1, 0));
  drive(CUDA_SUCCESS, cuMemFree(word));
  drive(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(stream, word, 1, 0));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "freed"));
  drive(CUDA_SUCCESS, cuStreamDestroy(stream));
  drive(CUDA_ERROR_INVALID_HANDLE, cuStreamWaitValue32(stream, allocate_word(), 0, 0));
}
END_TEST

START_TEST(a_batch_with_a_wrong_operation_does_nothing) {
  CUstreamBatchMemOpParams batch[2] = { { CU_STREAM_MEM_OP_WRITE_VALUE_32 }, { CU_STREAM_MEM_OP_WAIT_VALUE_32 } };
  unsigned value = 77;
  begin();
  batch[0].writeValue.address = allocate_word();
  batch[0].writeValue.value = 1;
  batch[1].waitValue.address = batch[0].writeValue.address + 1;
  drive(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(NULL, 2, batch, 0));
  drive(CUDA_ERROR_INVALID_VALUE,
        cuStreamBatchMemOp(NULL, 1, NULL, 0)); /* a driver of NVIDIA's ends the process here */
  batch[1].waitValue.address = batch[0].writeValue.address;
  batch[1].waitValue.flags = CU_STREAM_WAIT_VALUE_FLUSH;
  drive(CUDA_ERROR_NOT_SUPPORTED, cuStreamBatchMemOp(NULL, 2, batch, 0));
  drive(CUDA_SUCCESS, cuCtxSynchronize());
  drive(CUDA_SUCCESS, cuMemcpyDtoH(&value, batch[0].writeValue.address, sizeof value));
  ck_assert_uint_eq(value, 0);
}
END_TEST

START_TEST(a_reset_ends_what_streams_wait_for) {
  CUstream stream;
  void *host = NULL;
  begin();
  drive(CUDA_SUCCESS, cuMemAllocHost(&host, 64));
  memset(host, 0, 64);
  drive(CUDA_SUCCESS, cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  drive(CUDA_SUCCESS, cuStreamWaitValue32(stream, (CUdeviceptr)(uintptr_t)host, 1, CU_STREAM_WAIT_VALUE_EQ));
  drive(CUDA_SUCCESS, cuStreamWaitValue32(stream, allocate_word(), 1, CU_STREAM_WAIT_VALUE_EQ));
  drive(CUDA_SUCCESS, cuStreamWaitValue32(NULL, allocate_word(), 1, CU_STREAM_WAIT_VALUE_EQ));
  drive(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
  succeed(cudaDeviceReset());
  drive(CUDA_SUCCESS, cuStreamWaitValue32(NULL, allocate_word(), 0, CU_STREAM_WAIT_VALUE_EQ));
  drive(CUDA_SUCCESS, cuCtxSynchronize());
}
END_TEST

static Suite *cuda_driver_suite(void) {
  Suite *suite = suite_create("cuda_driver");
  TCase *state = tcase_create("one state");
  tcase_add_test(state, both_interfaces_structures_are_the_same);
  tcase_add_test(state, every_result_has_a_name_and_a_text);
  tcase_add_test(state, an_error_of_the_runtime_outlives_those_of_the_driver);
  tcase_add_test(state, a_reset_leaves_contexts_usable);
  tcase_add_test(state, copies_stay_within_memory_that_is_there);
  suite_add_tcase(suite, state);
  TCase *contexts = tcase_create("contexts");
  tcase_add_test(contexts, a_destroyed_context_is_told_to_those_who_have_it);
  tcase_add_test(contexts, a_host_function_destroys_no_context);
  tcase_add_test(contexts, contexts_leave_nothing_behind);
  tcase_add_test(contexts, a_stack_has_an_end);
  tcase_add_test(contexts, wild_handles_are_refused);
  suite_add_tcase(suite, contexts);
  TCase *modules = tcase_create("modules");
  tcase_add_test(modules, modules_are_loaded_and_unloaded);
  tcase_add_test(modules, images_of_others_are_refused);
  tcase_add_test(modules, a_lack_of_memory_is_told);
  tcase_add_test(modules, references_are_bound_or_stay);
  suite_add_tcase(suite, modules);
  TCase *words = tcase_create("words");
  tcase_add_test(words, words_that_are_none_are_refused_with_words);
  tcase_add_test(words, a_batch_with_a_wrong_operation_does_nothing);
  tcase_add_test(words, a_reset_ends_what_streams_wait_for);
  suite_add_tcase(suite, words);
  return suite;
}

int main(void) {
  return support_run(cuda_driver_suite());
}
