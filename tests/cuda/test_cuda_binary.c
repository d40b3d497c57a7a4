/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_binary - GPU binaries as clang and nvcc register them, by hand: kernels, variables, managed variables,
 * errors.
 *
 * On a device of OpenCL the modules' text is built; on the fake device functions of this file stand for the kernels.
 */
#include <vptr/cuda/vptr_binary.h>
#include <vptr/cuda/vptr_kernel.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "cuda/unit.h"
#include "device/fake.h"
#include "expect.h"
#include "mapper/mapper.h"

enum { POSITIONS = 60, THREADS = 4, ROUNDS = 50 };

#define POINTERS                                                                                                     \
  "#if VPTR_ADDRESSES\n"                                                                                             \
  "#define POINTER(name) ulong name\n"                                                                               \
  "#define AT(name) (__global int *)name\n"                                                                          \
  "#else\n"                                                                                                          \
  "#define POINTER(name) __global uchar *name, ulong name##_offset\n"                                                \
  "#define AT(name) (__global int *)(name + name##_offset)\n"                                                        \
  "#endif\n"

static const char text[] =
    "//vptr-module 1\n"
    "//vptr variable name=table lowered=_Z5table size=16 align=4 kind=device "
    "initial=01000000020000000300000004000000\n"
    "//vptr variable name=total lowered=total size=8 align=4 kind=managed initial=0500000006000000\n"
    "//vptr kernel name=add lowered=_Z3addPii entry=b_add\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr param size=4 align=4 kind=value\n"
    "//vptr kernel name=read lowered=_Z4readPi entry=b_read\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr hidden kind=variable name=_Z5table\n"
    "//vptr kernel name=count lowered=_Z5counti entry=b_count\n"
    "//vptr param size=4 align=4 kind=value\n"
    "//vptr hidden kind=variable name=total\n" POINTERS "__kernel void b_add(POINTER(x), int n) { *AT(x) += n; }\n"
    "__kernel void b_read(POINTER(out), POINTER(t)) { for (int i = 0; i < 4; i++) (AT(out))[i] = (AT(t))[i]; }\n"
    "__kernel void b_count(int n, POINTER(t)) { *AT(t) += n; }\n";

/* Another file of the same program: an instance of the same template, and the same inline variable. */
static const char other_text[] =
    "//vptr-module 1\n"
    "//vptr variable name=table lowered=_Z5table size=16 align=4 kind=device\n"
    "//vptr variable name=outer lowered=outer size=16 align=4 kind=device extern=1\n"
    "//vptr kernel name=read_outer lowered=read_outer entry=b_read_outer\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr hidden kind=variable name=outer\n"
    "//vptr kernel name=add lowered=_Z3addPii entry=b_add_too\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr param size=4 align=4 kind=value\n"
    "//vptr kernel name=subtract lowered=_Z8subtractPii entry=b_subtract\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr param size=4 align=4 kind=value\n" POINTERS "__kernel void b_read_outer(POINTER(out), POINTER(t)) { for "
    "(int i = 0; i < 4; i++) (AT(out))[i] = (AT(t))[i]; }\n"
    "__kernel void b_add_too(POINTER(x), int n) { *AT(x) += n; }\n"
    "__kernel void b_subtract(POINTER(x), int n) { *AT(x) -= n; }\n";
static const char unreadable[] = "//vptr-module 1\n//vptr bad\n";
static const unsigned fat[] = { 0xba55ed50, 0x00100001, 0, 0 };
static const char cubin[64] = "\177ELF"; /* no more than a header, and an empty one */

typedef struct record {
  unsigned magic;
  int version;
  const void *content;
  void *linked;
} record;

static const record of_text = { 0x466243b1, 1, text, NULL }, of_other = { 0x466243b1, 1, other_text, NULL },
                    of_unreadable = { 0x466243b1, 1, unreadable, NULL }, of_fat = { 0x466243b1, 1, fat, NULL },
                    of_cubin = { 0x466243b1, 1, cubin, NULL }, of_text_of_others = { 0x466243b1, 1, "", NULL },
                    of_nothing = { 0x466243b1, 1, NULL, NULL }, of_no_record = { 0x466243b0, 1, text, NULL };

/* ---- the same kernels on the fake device ---------------------------------------------------------------- */

static int *pointer_at(const vptr__fake_launch *launch, int index) {
  return (int *)((char *)launch->arguments[index] + *(cl_ulong *)launch->arguments[index + 1]);
}

static void fake_add(const vptr__fake_launch *launch) {
  *pointer_at(launch, 0) += *(int *)launch->arguments[2];
}

static void fake_subtract(const vptr__fake_launch *launch) {
  *pointer_at(launch, 0) -= *(int *)launch->arguments[2];
}

static void fake_read(const vptr__fake_launch *launch) {
  memcpy(pointer_at(launch, 0), pointer_at(launch, 2), 16);
}

static void fake_count(const vptr__fake_launch *launch) {
  *pointer_at(launch, 1) += *(int *)launch->arguments[0];
}

/* ---- what a compiler emits ------------------------------------------------------------------------------ */

static char add, read_table, read_outer, count, subtract, left_out; /* stubs */
static char table[16] = "not read", missing[4];                     /* shadows */
static int *total;                                                  /* a managed variable */
static void **handle, **other;
static const dim3 one = { 1, 1, 1 };

static void add_function(void **to, const char *stub, const char *name) {
  __cudaRegisterFunction(to, stub, (char *)(uintptr_t)name, name, -1, NULL, NULL, NULL, NULL, NULL);
}

static void add_variable(void **to, char *shadow, const char *name, size_t size) {
  __cudaRegisterVar(to, shadow, (char *)(uintptr_t)name, name, 0, size, 0, 0);
}

static void add_all(void **to) {
  add_function(to, &add, "_Z3addPii");
  add_function(to, &read_table, "_Z4readPi");
  add_function(to, &count, "_Z5counti");
  add_function(to, &left_out, "_Z8left_outv");
  add_variable(to, table, "_Z5table", sizeof table);
  add_variable(to, missing, "missing", sizeof missing);
  __cudaRegisterManagedVar(to, (void **)&total, (char *)(uintptr_t) "total", "total", 0, 8, 0, 0);
  __cudaRegisterTexture(to, NULL, NULL, "texture", 2, 0, 0);
  __cudaRegisterSurface(to, NULL, NULL, "surface", 2, 0);
}

static void **opened(const record *of) {
  void **made = __cudaRegisterFatBinary((void *)(uintptr_t)of);
  ck_assert_ptr_nonnull(made);
  add_all(made);
  return made;
}

static void **registered(const record *of) {
  void **made = opened(of);
  __cudaRegisterFatBinaryEnd(made);
  return made;
}

static void **registered_other(void) {
  void **made = __cudaRegisterFatBinary((void *)(uintptr_t)&of_other);
  add_function(made, &add, "_Z3addPii");
  add_function(made, &subtract, "_Z8subtractPii");
  add_function(made, &read_outer, "read_outer");
  add_variable(made, table, "_Z5table", sizeof table);
  add_variable(made, table, "outer", sizeof table);
  __cudaRegisterFatBinaryEnd(made);
  return made;
}

static void setup(void) {
  total = NULL;
  handle = other = NULL;
  succeed(cudaFree(NULL));
  cudaGetLastError();
}

static void teardown(void) {
  vptr__memory_fail_nth(0);
  __cudaUnregisterFatBinary(handle);
  __cudaUnregisterFatBinary(other);
  cudaGetLastError();
  expect(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(&add, one, one, NULL, 0, NULL));
  cudaGetLastError();
  succeed(cudaDeviceSynchronize()); /* what they had goes behind work in flight */
  ck_assert_uint_eq(vptr_count(NULL), 0);
  support_succeed(vptr_check(NULL));
}

static cudaError_t launch_number(const void *stub, int n) {
  int *x = (int *)device_memory(sizeof n), seen = -1;
  succeed(cudaMemset(x, 0, sizeof n));
  void *arguments[] = { &x, &n };
  cudaError_t error = cudaLaunchKernel(stub, one, one, arguments, 0, NULL);
  succeed(cudaMemcpy(&seen, x, sizeof seen, cudaMemcpyDeviceToHost));
  succeed(cudaFree(x));
  if (error == cudaSuccess)
    ck_assert_int_eq(seen, stub == &subtract ? -n : n);
  return error;
}

static void expect_read(const void *stub, const int content[4]) {
  int seen[4], *out = (int *)device_memory(sizeof seen);
  void *arguments[] = { &out };
  succeed(cudaLaunchKernel(stub, one, one, arguments, 0, NULL));
  succeed(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  succeed(cudaFree(out));
  ck_assert_mem_eq(seen, content, sizeof seen);
}

static void expect_table(const int content[4]) {
  expect_read(&read_table, content);
}

static void expect_words(const char *words) {
  ck_assert_msg(strstr(vptr_last_error(), words) != NULL, "\"%s\" is not in \"%s\"", words, vptr_last_error());
}

/* ---- kernels -------------------------------------------------------------------------------------------- */

START_TEST(a_stub_is_a_kernel) {
  struct cudaFuncAttributes attributes = { .maxThreadsPerBlock = -1 };
  const char *name = NULL;
  handle = registered(&of_text);
  succeed(launch_number(&add, 7));
  succeed(cudaFuncGetName(&name, &add));
  ck_assert_str_eq(name, "_Z3addPii");
  succeed(cudaFuncGetAttributes(&attributes, &add));
  ck_assert_int_gt(attributes.maxThreadsPerBlock, 0);
  ck_assert_int_eq(attributes.ptxVersion, 70); /* what it was compiled for, not what the device is */
  ck_assert_int_eq(attributes.binaryVersion, 70);
}
END_TEST

/* As a stub does it; those of CUDA 13 keep a kernel's handle, and may ask for it before all else. */
START_TEST(a_call_is_a_push_and_a_launch_by_the_stub) {
  struct CUkern_st *kernel = NULL;
  int *x = (int *)device_memory(4), n = 3, seen = 0;
  void *arguments[] = { &x, &n };
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  succeed(__cudaGetKernel(&kernel, &add));
  handle = registered(&of_text);
  succeed(cudaMemset(x, 0, 4));
  ck_assert_uint_eq(__cudaPushCallConfiguration(one, one, 0, cudaStreamPerThread), 0);
  succeed(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
  ck_assert_ptr_eq(stream, cudaStreamPerThread);
  succeed(__cudaLaunchKernel(kernel, grid, block, arguments, shared, stream));
  succeed(__cudaLaunchKernel_ptsz(kernel, grid, block, arguments, shared, NULL));
  succeed(cudaStreamSynchronize(cudaStreamPerThread));
  succeed(cudaMemcpy(&seen, x, 4, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(seen, 6);
  succeed(cudaFree(x));
  expect(cudaErrorMissingConfiguration, __cudaPopCallConfiguration(&grid, &block, &shared, &stream));
  expect(cudaErrorInvalidValue, __cudaGetKernel(NULL, &add));
}
END_TEST

START_TEST(what_the_module_lacks_is_an_error_when_it_is_used) {
  size_t size = 0;
  handle = registered(&of_text);
  ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
  expect(cudaErrorInvalidDeviceFunction, launch_number(&left_out, 1));
  expect_words("_Z8left_outv");
  expect(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, missing));
  expect_words("missing");
  succeed(launch_number(&add, 2));
}
END_TEST

START_TEST(without_an_end_the_first_use_registers) {
  size_t size = 0;
  handle = opened(&of_text);
  succeed(launch_number(&add, 7));
  ck_assert_ptr_nonnull(total);
  __cudaUnregisterFatBinary(handle);
  handle = opened(&of_text);
  succeed(cudaGetSymbolSize(&size, table));
  ck_assert_uint_eq(size, sizeof table);
  __cudaUnregisterFatBinary(handle);
  handle = opened(&of_text);
  ck_assert_int_eq(__cudaInitModule(handle), 1);
  succeed(launch_number(&add, 7));
  __cudaRegisterFatBinaryEnd(handle);
  add_function(handle, &subtract,
               "_Z3addPii"); /* none that emits calls does this, and the kernel is there all the same */
  int *x = (int *)device_memory(4), n = 1;
  void *arguments[] = { &x, &n };
  succeed(cudaLaunchKernel(&subtract, one, one, arguments, 0, NULL));
  succeed(cudaFree(x));
}
END_TEST

/* ---- variables ------------------------------------------------------------------------------------------ */

START_TEST(a_variable_begins_with_what_the_module_says) {
  int changed[4] = { 9, 8, 7, 6 }, seen[4] = { 0 };
  void *address = NULL;
  handle = registered(&of_text);
  expect_table((const int[]){ 1, 2, 3, 4 });
  succeed(cudaMemcpyToSymbol(table, changed, sizeof changed, 0, cudaMemcpyHostToDevice));
  expect_table(changed);
  succeed(cudaGetSymbolAddress(&address, table));
  succeed(cudaMemcpy(seen, address, sizeof seen, cudaMemcpyDeviceToHost));
  ck_assert_mem_eq(seen, changed, sizeof seen);
  ck_assert_str_eq(table, "not read");
}
END_TEST

static void count_by(int n) {
  void *arguments[] = { &n };
  succeed(cudaLaunchKernel(&count, one, one, arguments, 0, NULL));
  succeed(cudaDeviceSynchronize());
}

START_TEST(a_managed_variable_is_a_pointer_on_the_host) {
  struct cudaPointerAttributes attributes;
  int seen = 0, more = 50;
  handle = registered(&of_text);
  ck_assert_ptr_nonnull(total);
  ck_assert_int_eq(total[0], 5);
  ck_assert_int_eq(total[1], 6);
  count_by(10);
  ck_assert_int_eq(total[0], 15);
  total[0] = 100;
  count_by(10);
  ck_assert_int_eq(total[0], 110);
  succeed(launch_number(&add, 1));
  succeed(cudaMemcpyFromSymbol(&seen, total, sizeof seen, 0, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(seen, 110);
  succeed(cudaMemcpyToSymbol(total, &more, sizeof more, 0, cudaMemcpyHostToDevice));
  ck_assert_int_eq(total[0], 50);
  succeed(cudaPointerGetAttributes(&attributes, total));
  ck_assert_int_eq(attributes.type, cudaMemoryTypeManaged);
}
END_TEST

/* ---- several binaries ----------------------------------------------------------------------------------- */

START_TEST(several_binaries_are_one_program) {
  handle = registered(&of_text);
  other = registered_other();
  expect_read(&read_outer, (const int[]){ 1, 2, 3, 4 });
  succeed(launch_number(&add, 5));
  succeed(launch_number(&subtract, 5));
  expect_table((const int[]){ 1, 2, 3, 4 });
}
END_TEST

/* Linkers keep one stub of each template's instances, whichever files register it. */
START_TEST(a_stub_of_several_binaries_stays_while_one_of_them_does) {
  handle = registered(&of_text);
  other = registered_other();
  __cudaUnregisterFatBinary(other);
  other = NULL;
  succeed(launch_number(&add, 5));
  other = registered_other();
  __cudaUnregisterFatBinary(handle);
  handle = NULL;
  succeed(launch_number(&add, 6));
  expect(cudaErrorInvalidDeviceFunction, launch_number(&read_table, 1));
}
END_TEST

START_TEST(what_is_closed_is_forgotten) {
  size_t size;
  __cudaUnregisterFatBinary(NULL);
  handle = opened(&of_text);
  __cudaUnregisterFatBinary(handle);
  handle = registered(&of_text);
  succeed(launch_number(&add, 5));
  __cudaUnregisterFatBinary(handle);
  handle = NULL;
  expect(cudaErrorInvalidDeviceFunction, launch_number(&add, 5));
  expect(cudaErrorInvalidDeviceFunction, launch_number(&left_out, 5));
  expect(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, table));
}
END_TEST

/* As a handler of atexit() must, since the driver may be gone. All work is over, so that it could be released at
   once. */
START_TEST(what_is_closed_calls_no_driver) {
  handle = registered(&of_text);
  expect_table((const int[]){ 1, 2, 3, 4 });
  succeed(cudaDeviceSynchronize());
  ck_assert_uint_eq(vptr_count(NULL), 1);
  __cudaUnregisterFatBinary(handle);
  handle = NULL;
  ck_assert_uint_eq(vptr_count(NULL), 1);
  succeed(cudaDeviceSynchronize());
  ck_assert_uint_eq(vptr_count(NULL), 0);
}
END_TEST

/* ---- content -------------------------------------------------------------------------------------------- */

static void expect_no_image(const record *of, const char *words) {
  void *address = NULL;
  total = NULL;
  handle = registered(of);
  ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
  expect(cudaErrorNoKernelImageForDevice, launch_number(&add, 1));
  expect_words(words);
  expect_words("vptrcc");
  expect(cudaErrorNoKernelImageForDevice, cudaGetSymbolAddress(&address, table));
  expect(cudaErrorNoKernelImageForDevice, launch_number(&left_out, 1));
  ck_assert_int_eq(cudaGetLastError(), cudaErrorNoKernelImageForDevice);
  ck_assert_int_eq(__cudaInitModule(handle), 0);
  ck_assert_ptr_nonnull(total); /* zeros of the host's */
  ck_assert_int_eq(total[0], 0);
  cudaGetLastError();
  succeed(cudaDeviceSynchronize());
  __cudaUnregisterFatBinary(handle);
  handle = NULL;
  vptr__memory_free(total);
  total = NULL;
}

START_TEST(content_for_others_is_told_by_the_launch) {
  expect_no_image(&of_fat, "fat binary");
  expect_no_image(&of_cubin, "cubin");
  expect_no_image(&of_text_of_others, "nothing that is known");
  expect_no_image(&of_nothing, "there is none");
  expect_no_image(&of_no_record, "there is none");
  expect_no_image(NULL, "there is none");
}
END_TEST

START_TEST(a_binary_for_others_is_in_nobodys_way) {
  other = registered(&of_fat);
  handle = registered(&of_text);
  succeed(launch_number(&add, 4));
  expect_table((const int[]){ 1, 2, 3, 4 });
}
END_TEST

START_TEST(a_module_that_cannot_be_read_says_so) {
  total = NULL;
  handle = registered(&of_unreadable);
  expect(cudaErrorInvalidValue, cudaGetLastError());
  expect(cudaErrorInvalidValue, launch_number(&add, 1));
  expect_words("is not registered");
  other = registered_other();
  succeed(launch_number(&subtract, 1));
  vptr__memory_free(total); /* zeros, which it got */
  total = NULL;
}
END_TEST

/* ---- memory, threads ------------------------------------------------------------------------------------ */

/* While it is registered, and in the first launch. What could not be noted stays unknown; the rest comes later. */
START_TEST(each_allocation_may_fail) {
  int failures = 0, made_up_for = 0;
  for (long n = 1; n <= POSITIONS; n++) {
    vptr__memory_fail_from(n);
    handle = registered(&of_text);
    vptr__memory_fail_nth(0);
    ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
    cudaError_t error = launch_number(&read_table, 1);
    ck_assert(error == cudaSuccess || error == cudaErrorMemoryAllocation);
    failures += error != cudaSuccess;
    if (error == cudaSuccess && launch_number(&add, 2) == cudaSuccess)
      expect_table((const int[]){ 1, 2, 3, 4 });
    __cudaUnregisterFatBinary(handle);
    handle = opened(&of_text);
    vptr__memory_fail_from(n);
    __cudaRegisterFatBinaryEnd(handle);
    vptr__memory_fail_nth(0);
    made_up_for += vptr__cuda_unit_waits();
    succeed(launch_number(&add, 2));
    ck_assert_ptr_nonnull(total);
    expect_table((const int[]){ 1, 2, 3, 4 });
    __cudaUnregisterFatBinary(handle);
    handle = NULL;
    expect(cudaErrorInvalidDeviceFunction, launch_number(&add, 1));
    cudaGetLastError();
  }
  ck_assert_int_ge(failures, 1);
  ck_assert_int_lt(failures, POSITIONS);
  ck_assert_int_ge(made_up_for, 5);
}
END_TEST

/* The n-th allocation that fails is one for the kernels first, and may be one of the zeros'. */
START_TEST(what_the_host_wrote_while_memory_was_lacking_stays) {
  int compared = 0;
  for (long n = 1; n <= POSITIONS; n++) {
    total = NULL;
    handle = opened(&of_text);
    vptr__memory_fail_nth(n);
    __cudaRegisterFatBinaryEnd(handle);
    vptr__memory_fail_nth(0);
    int *before = total;
    const bool waits = vptr__cuda_unit_waits();
    if (waits && before != NULL) {
      ck_assert(before[0] == 0 && before[1] == 0);
      before[1] = n % 2 == 0 ? 9 : 0;
    }
    succeed(launch_number(&add, 2));
    if (waits && before != NULL) {
      ck_assert_ptr_ne(total, before);
      ck_assert_int_eq(total[0], n % 2 == 0 ? 0 : 5); /* what nobody wrote is as the module has it */
      ck_assert_int_eq(total[1], n % 2 == 0 ? 9 : 6);
      vptr__memory_free(before);
      compared++;
    }
    __cudaUnregisterFatBinary(handle);
    handle = NULL;
    succeed(cudaDeviceSynchronize());
    cudaGetLastError();
  }
  ck_assert_int_ge(compared, 2);
}
END_TEST

static void *registers_in_thread(void *stubs) {
  char *own = stubs;
  for (int round = 0; round < ROUNDS; round++) {
    void **made = __cudaRegisterFatBinary((void *)(uintptr_t)&of_other);
    add_function(made, own, "_Z3addPii");
    add_function(made, own + 1, "_Z8subtractPii");
    add_function(made, &add, "_Z3addPii");
    __cudaRegisterFatBinaryEnd(made);
    succeed(launch_number(own, round));
    __cudaUnregisterFatBinary(made);
    expect(cudaErrorInvalidDeviceFunction, launch_number(own, round));
  }
  return NULL;
}

START_TEST(threads_open_and_close_libraries_at_once) {
  static char stubs[THREADS][2];
  pthread_t threads[THREADS];
  handle = registered(&of_text);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, registers_in_thread, stubs[i]), 0);
  for (int round = 0; round < ROUNDS; round++)
    expect_table((const int[]){ 1, 2, 3, 4 });
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  succeed(launch_number(&add, 5));
}
END_TEST

/* Its parent's devices are not the child's, and another thread of the parent may hold the lock for ever. */
START_TEST(a_forked_child_registers_nothing) {
  int status = -1;
  handle = registered(&of_text);
  vptr__cuda_units_lock();
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    alarm(60);
    other = registered(&of_other);
    bool is_right = __cudaInitModule(other) == 0 && cudaLaunchKernel(&add, one, one, NULL, 0, NULL) != cudaSuccess;
    __cudaUnregisterFatBinary(other);
    __cudaUnregisterFatBinary(handle);
    _exit(is_right ? 0 : 1);
  }
  vptr__cuda_units_unlock();
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_int_eq(status, 0);
  succeed(launch_number(&add, 3));
}
END_TEST

static Suite *binary_suite(void) {
  Suite *suite = suite_create("binary");
  TCase *tests = tcase_create("GPU binaries");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, a_stub_is_a_kernel);
  tcase_add_test(tests, a_call_is_a_push_and_a_launch_by_the_stub);
  tcase_add_test(tests, what_the_module_lacks_is_an_error_when_it_is_used);
  tcase_add_test(tests, without_an_end_the_first_use_registers);
  tcase_add_test(tests, a_variable_begins_with_what_the_module_says);
  tcase_add_test(tests, a_managed_variable_is_a_pointer_on_the_host);
  tcase_add_test(tests, several_binaries_are_one_program);
  tcase_add_test(tests, a_stub_of_several_binaries_stays_while_one_of_them_does);
  tcase_add_test(tests, what_is_closed_is_forgotten);
  tcase_add_test(tests, what_is_closed_calls_no_driver);
  tcase_add_test(tests, content_for_others_is_told_by_the_launch);
  tcase_add_test(tests, a_binary_for_others_is_in_nobodys_way);
  tcase_add_test(tests, a_module_that_cannot_be_read_says_so);
  tcase_add_test(tests, each_allocation_may_fail);
  tcase_add_test(tests, what_the_host_wrote_while_memory_was_lacking_stays);
  tcase_add_test(tests, threads_open_and_close_libraries_at_once);
  tcase_add_test(tests, a_forked_child_registers_nothing);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  setenv("VPTR_CACHE", "off", 1);
  vptr__fake_define("b_add", fake_add);
  vptr__fake_define("b_add_too", fake_add);
  vptr__fake_define("b_subtract", fake_subtract);
  vptr__fake_define("b_read", fake_read);
  vptr__fake_define("b_read_outer", fake_read);
  vptr__fake_define("b_count", fake_count);
  return support_run(binary_suite());
}
