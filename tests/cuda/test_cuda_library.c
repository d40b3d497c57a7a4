/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_library - libraries of kernels, attributes of streams and messages where memory is missing, and what goes
 * with a stream, a device's reset, or another thread that comes between.
 */
#include <pthread.h>
#include <string.h>

#include <vptr/cuda/cuda_runtime.h>

#include "base/memory.h"
#include "cuda/library.h"
#include "expect.h"
#include "mapper/mapper.h"

static const char text[] = "//vptr-module 1\n"
                           "//vptr variable name=a lowered=a size=8 align=8 kind=device\n"
                           "//vptr variable name=m lowered=m size=4 align=4 kind=managed\n";

static cudaError_t load(cudaLibrary_t *library) {
  return cudaLibraryLoadData(library, text, NULL, NULL, 0, NULL, NULL, 0);
}

START_TEST(all_of_a_library_is_loaded_or_nothing) {
  cudaLibrary_t library = NULL;
  cudaError_t error = cudaErrorMemoryAllocation;
  int failures = 0;
  succeed(load(&library)); /* what the process keeps from its first is no loss */
  succeed(cudaLibraryUnload(library));
  long before = vptr__memory_live();
  for (long n = 1; error != cudaSuccess && n < 200; n++) {
    library = NULL;
    vptr__memory_fail_nth(n);
    error = load(&library);
    vptr__memory_fail_nth(0);
    if (error == cudaSuccess)
      break;
    failures++;
    expect(cudaErrorMemoryAllocation, error);
    ck_assert_ptr_null(library);
    ck_assert_int_eq(vptr__memory_live(), before);
  }
  succeed(error);
  ck_assert_int_ge(failures, 3);
  succeed(cudaLibraryUnload(library));
  ck_assert_int_eq(vptr__memory_live(), before);
}
END_TEST

START_TEST(handles_of_what_is_gone_are_refused) {
  cudaLibrary_t library = NULL, other = NULL;
  void *ptr = NULL;
  unsigned count = 9;
  succeed(load(&library));
  succeed(load(&other));
  ck_assert_ptr_eq(vptr__cuda_library_of(vptr__cuda_library_module(other)), other);
  succeed(cudaLibraryUnload(library));
  expect(cudaErrorInvalidResourceHandle, cudaLibraryUnload(library));
  expect(cudaErrorInvalidResourceHandle, cudaLibraryGetKernelCount(&count, library));
  expect(cudaErrorInvalidResourceHandle, cudaLibraryGetGlobal(&ptr, NULL, library, "a"));
  expect(cudaErrorInvalidResourceHandle, cudaLibraryGetGlobal(&ptr, NULL, NULL, "a"));
  ck_assert_uint_eq(count, 9);
  ck_assert_ptr_null(ptr);
  succeed(cudaLibraryUnload(other));
}
END_TEST

START_TEST(options_are_checked_before_anything_is_loaded) {
  enum cudaLibraryOption table = cudaLibraryHostUniversalFunctionAndDataTable, unknown = (enum cudaLibraryOption)7;
  enum cudaJitOption none = (enum cudaJitOption)99;
  void *value = NULL;
  cudaLibrary_t library = NULL;
  expect(cudaErrorNotSupported, cudaLibraryLoadData(&library, text, NULL, NULL, 0, &table, &value, 1));
  expect(cudaErrorInvalidValue, cudaLibraryLoadData(&library, text, NULL, NULL, 0, &unknown, &value, 1));
  expect(cudaErrorInvalidValue, cudaLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 1));
  expect(cudaErrorInvalidValue, cudaLibraryLoadData(&library, text, &none, &value, 1, NULL, NULL, 0));
  expect(cudaErrorInvalidKernelImage,
         cudaLibraryLoadData(&library, "//vptr-module 99\n", NULL, NULL, 0, NULL, NULL, 0));
  ck_assert_ptr_null(library);
}
END_TEST

START_TEST(a_reset_leaves_libraries) {
  cudaLibrary_t library = NULL;
  void *before = NULL, *after = NULL;
  succeed(load(&library));
  succeed(cudaLibraryGetGlobal(&before, NULL, library, "a"));
  succeed(cudaDeviceReset());
  succeed(cudaLibraryGetGlobal(&after, NULL, library, "a"));
  succeed(cudaMemset(after, 1, 8));
  succeed(cudaLibraryUnload(library));
}
END_TEST

/* NULL: it all went well. */
static void *load_often(void *self) {
  for (int i = 0; i < 50; i++) {
    cudaLibrary_t library = NULL;
    size_t bytes = 0;
    if (load(&library) != cudaSuccess || cudaLibraryGetManaged(NULL, &bytes, library, "m") != cudaSuccess ||
        bytes != 4 || cudaLibraryUnload(library) != cudaSuccess)
      return self;
  }
  return NULL;
}

START_TEST(threads_load_and_unload_at_once) {
  pthread_t threads[4];
  int self = 0;
  void *failed = NULL;
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, load_often, &self), 0);
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(pthread_join(threads[i], &failed), 0);
    ck_assert_ptr_null(failed);
  }
}
END_TEST

/* ---- attributes of streams ------------------------------------------------------------------------------ */

static cudaError_t set_policy(cudaStream_t stream, enum cudaSynchronizationPolicy policy) {
  cudaStreamAttrValue value;
  memset(&value, 0, sizeof value);
  value.syncPolicy = policy;
  return cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value);
}

static enum cudaSynchronizationPolicy policy_of(cudaStream_t stream) {
  cudaStreamAttrValue value;
  memset(&value, 0, sizeof value);
  succeed(cudaStreamGetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value));
  return value.syncPolicy;
}

START_TEST(what_is_kept_of_streams_goes_with_them) {
  cudaStream_t stream = NULL;
  succeed(cudaStreamCreate(&stream));
  long before = vptr__memory_live();
  succeed(set_policy(stream, cudaSyncPolicySpin));
  succeed(set_policy(stream, cudaSyncPolicyYield));
  ck_assert_int_eq(vptr__memory_live(), before + 1);
  vptr__memory_fail_nth(1);
  expect(cudaErrorMemoryAllocation, set_policy(stream, cudaSyncPolicySpin));
  vptr__memory_fail_nth(0);
  ck_assert_int_eq(policy_of(stream), cudaSyncPolicyYield);
  succeed(cudaStreamDestroy(stream));
  succeed(set_policy(NULL, cudaSyncPolicySpin));
  ck_assert_int_eq(policy_of(NULL), cudaSyncPolicySpin);
  succeed(cudaDeviceReset());
  ck_assert_int_eq(policy_of(NULL), cudaSyncPolicyAuto);
}
END_TEST

/* ---- messages ------------------------------------------------------------------------------------------- */

static void CUDART_CB count_message(void *data, cudaLogLevel level, char *message, size_t length) {
  (void)level, (void)message, (void)length;
  ++*(int *)data;
}

START_TEST(a_function_that_finds_no_memory_is_not_told) {
  cudaLogsCallbackHandle handle = NULL;
  int told = 0;
  vptr__memory_fail_nth(1);
  expect(cudaErrorMemoryAllocation, cudaLogsRegisterCallback(count_message, &told, &handle));
  vptr__memory_fail_nth(0);
  expect(cudaErrorInvalidValue, cudaFree(&told));
  ck_assert_int_eq(told, 0);
  ck_assert_ptr_null(handle);
}
END_TEST

static Suite *cuda_library_suite(void) {
  Suite *suite = suite_create("cuda_library");
  TCase *tests = tcase_create("libraries");
  tcase_add_test(tests, all_of_a_library_is_loaded_or_nothing);
  tcase_add_test(tests, handles_of_what_is_gone_are_refused);
  tcase_add_test(tests, options_are_checked_before_anything_is_loaded);
  tcase_add_test(tests, a_reset_leaves_libraries);
  tcase_add_test(tests, threads_load_and_unload_at_once);
  tcase_add_test(tests, what_is_kept_of_streams_goes_with_them);
  tcase_add_test(tests, a_function_that_finds_no_memory_is_not_told);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(cuda_library_suite());
}
