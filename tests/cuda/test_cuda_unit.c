/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_unit - modules of vptrcc's whose constructor found no memory: who needs them tries again.
 *
 * The units are written by hand, as vptrcc writes them, and a function of this file stands for the kernel on the fake
 * device.
 */
#include <vptr/cuda/vptr_kernel.h>
#include <vptr/cuda/vptr_symbol.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cuda/unit.h"
#include "device/fake.h"
#include "expect.h"
#include "mapper/mapper.h"

enum { POSITIONS = 40 };

#define KERNEL_OF(name)                                                                                              \
  "#if VPTR_ADDRESSES\n"                                                                                             \
  "__kernel void " name "(ulong table) { *(__global int *)table += 1; }\n"                                           \
  "#else\n"                                                                                                          \
  "__kernel void " name "(__global uchar *m, ulong o) { *(__global int *)(m + o) += 1; }\n"                          \
  "#endif\n"

/* The one has a variable, and the other a kernel that uses it. */
static const char defining[] = "//vptr-module 1\n"
                               "//vptr variable name=table lowered=table size=16 align=4 kind=device\n"
                               "//vptr variable name=shared lowered=shared size=16 align=4 kind=managed\n"
                               "//vptr kernel name=near lowered=near entry=k_near\n"
                               "//vptr hidden kind=variable name=table\n" KERNEL_OF("k_near");
static const char using[] = "//vptr-module 1\n"
                            "//vptr variable name=table lowered=table size=16 align=4 kind=device extern=1\n"
                            "//vptr kernel name=far lowered=far entry=k_far\n"
                            "//vptr hidden kind=variable name=table\n" KERNEL_OF("k_far");
static const char unreadable[] = "//vptr-module 1\n//vptr bad\n";

static const dim3 one = { 1, 1, 1 };
static char near, far, lost; /* stubs */
static int table[4] = { 5, 6, 7, 8 }, shared[4];

static const vptr_cuda_kernel near_kernel = { &near, "near" }, far_kernel = { &far, "far" },
                              lost_kernel = { &lost, "k" };
static const vptr_cuda_variable variables[] = { { table, "table", sizeof table, 0 },
                                                { shared, "shared", sizeof shared, VPTR_CUDA_VARIABLE_MANAGED } };
static vptr_cuda_unit first, second, broken;

static vptr_cuda_unit unit_of(const char *text, const vptr_cuda_kernel *kernel, size_t variable_count,
                              const char *file) {
  vptr_cuda_module module = { sizeof module, text, strlen(text), kernel, 1, variables, variable_count };
  return (vptr_cuda_unit){ .struct_size = sizeof(vptr_cuda_unit), .module = module, .file = file };
}

static void add_one(const vptr__fake_launch *launch) {
  *(int *)((char *)launch->arguments[0] + *(cl_ulong *)launch->arguments[1]) += 1;
}

static void setup(void) {
  first = unit_of(defining, &near_kernel, 2, "first.cu");
  second = unit_of(using, &far_kernel, 1, "second.cu");
  broken = unit_of(unreadable, &lost_kernel, 0, "broken.cu");
  succeed(cudaFree(NULL));
  cudaGetLastError();
}

static void teardown(void) {
  vptr__memory_fail_nth(0);
  vptr_cuda_unregister_unit(&first);
  vptr_cuda_unregister_unit(&second);
  vptr_cuda_unregister_unit(&broken);
  cudaGetLastError();
  ck_assert(!vptr__cuda_unit_waits());
  succeed(cudaDeviceSynchronize()); /* what they had goes behind work in flight */
  ck_assert_uint_eq(vptr_count(NULL), 0);
  support_succeed(vptr_check(NULL));
}

static void register_without_memory(vptr_cuda_unit *unit) {
  vptr__memory_fail_from(1);
  vptr_cuda_register_unit(unit);
  vptr__memory_fail_nth(0);
  ck_assert_ptr_null(unit->handle);
  ck_assert(vptr__cuda_unit_waits());
  ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
}

static cudaError_t launch(const void *stub) {
  return cudaLaunchKernel(stub, one, one, NULL, 0, NULL);
}

static void expect_table(int begins_with) {
  int seen[4];
  succeed(cudaMemcpyFromSymbol(seen, table, sizeof seen, 0, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(seen[0], begins_with);
  ck_assert_int_eq(seen[3], 8);
}

START_TEST(a_launch_registers_what_had_no_memory) {
  register_without_memory(&first);
  succeed(launch(&near));
  expect_table(6);
  ck_assert(!vptr__cuda_unit_waits());
}
END_TEST

START_TEST(without_memory_each_call_says_so_and_the_next_tries_again) {
  size_t size = 77;
  const char *name = NULL;
  int host[4];
  register_without_memory(&first);
  vptr__memory_fail_from(1);
  cudaError_t errors[] = { launch(&near), launch(&near), cudaFuncGetName(&name, &near),
                           cudaGetSymbolSize(&size, table),
                           cudaMemcpyFromSymbol(host, table, sizeof host, 0, cudaMemcpyDeviceToHost) };
  vptr__memory_fail_nth(0);
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    expect(cudaErrorMemoryAllocation, errors[i]);
  ck_assert_int_eq(cudaGetLastError(), cudaErrorMemoryAllocation);
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "first.cu"));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "tries again"));
  ck_assert_uint_eq(size, 77);
  succeed(cudaGetSymbolSize(&size, table));
  ck_assert_uint_eq(size, sizeof table);
  succeed(launch(&near));
  expect_table(6);
}
END_TEST

/* In the constructor, and in the first launch. Each time all of the module is there in the end, or nothing. */
START_TEST(each_allocation_may_fail) {
  int failures = 0;
  for (long n = 1; n <= POSITIONS; n++) {
    vptr__memory_fail_from(n);
    vptr_cuda_register_unit(&first);
    bool waits = vptr__cuda_unit_waits();
    ck_assert_int_eq(waits, first.handle == NULL);
    failures += waits;
    vptr__memory_fail_from(n);
    cudaError_t error = launch(&near);
    vptr__memory_fail_nth(0);
    ck_assert(error == cudaSuccess || error == cudaErrorMemoryAllocation);
    ck_assert(!waits || error == cudaErrorMemoryAllocation);
    succeed(launch(&near));
    expect_table(error == cudaSuccess ? 7 : 6);
    vptr_cuda_unregister_unit(&first);
    ck_assert(!vptr__cuda_unit_waits());
    expect(cudaErrorInvalidDeviceFunction, launch(&near));
    succeed(cudaDeviceSynchronize());
    ck_assert_uint_eq(vptr_count(NULL), 0);
  }
  ck_assert_int_ge(failures, 5);
  ck_assert_int_lt(failures, POSITIONS);
}
END_TEST

START_TEST(a_launch_finds_the_variable_of_another_unit) {
  vptr_cuda_register_unit(&second);
  succeed(cudaDeviceSynchronize());
  register_without_memory(&first);
  succeed(launch(&far));
  expect_table(6);
}
END_TEST

START_TEST(a_managed_variable_is_known_by_its_address) {
  struct cudaPointerAttributes attributes;
  register_without_memory(&first);
  succeed(cudaPointerGetAttributes(&attributes, shared));
  ck_assert_int_eq(attributes.type, cudaMemoryTypeManaged);
}
END_TEST

START_TEST(what_is_closed_before_it_was_registered_is_forgotten) {
  register_without_memory(&first);
  register_without_memory(&second);
  vptr_cuda_unregister_unit(&second);
  expect(cudaErrorInvalidDeviceFunction, launch(&far));
  vptr_cuda_unregister_unit(&first);
  expect(cudaErrorInvalidDeviceFunction, launch(&near));
}
END_TEST

START_TEST(other_failures_keep_their_words_and_slow_nobody_down) {
  vptr_cuda_register_unit(&broken);
  ck_assert(!vptr__cuda_unit_waits());
  expect(cudaErrorInvalidValue, launch(&lost));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "broken.cu"));
  ck_assert_ptr_null(strstr(vptr_last_error(), "tries again"));
  vptr_cuda_register_unit(&first);
  succeed(launch(&near));
  expect_table(6);
}
END_TEST

static void *launch_in_thread(void *none) {
  (void)none;
  return (void *)(uintptr_t)launch(&near);
}

START_TEST(threads_register_a_unit_once) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  void *error;
  register_without_memory(&first);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, launch_in_thread, NULL), 0);
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_join(threads[i], &error), 0);
    ck_assert_ptr_null(error);
  }
  expect_table(5 + THREADS);
}
END_TEST

static Suite *unit_suite(void) {
  Suite *suite = suite_create("unit");
  TCase *tests = tcase_create("without memory");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, a_launch_registers_what_had_no_memory);
  tcase_add_test(tests, without_memory_each_call_says_so_and_the_next_tries_again);
  tcase_add_test(tests, each_allocation_may_fail);
  tcase_add_test(tests, a_launch_finds_the_variable_of_another_unit);
  tcase_add_test(tests, a_managed_variable_is_known_by_its_address);
  tcase_add_test(tests, what_is_closed_before_it_was_registered_is_forgotten);
  tcase_add_test(tests, other_failures_keep_their_words_and_slow_nobody_down);
  tcase_add_test(tests, threads_register_a_unit_once);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  setenv("VPTR_CACHE", "off", 1);
  vptr__fake_define("k_near", add_one);
  vptr__fake_define("k_far", add_one);
  return support_run(unit_suite());
}
