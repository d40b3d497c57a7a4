/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_launch - kernels from a registered module to their results: arguments, order, variables, errors, faults.
 *
 * The module is written by hand. On a device of OpenCL its text is built; on the fake device functions of this file
 * stand for its kernels, which is enough for all that happens around a kernel, and lets every call fail in turn.
 */
#include <vptr/cuda/vptr_kernel.h>
#include <vptr/cuda/vptr_symbol.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/fake.h"
#include "expect.h"
#include "mapper/mapper.h"
#include "module/module.h"
#include "stream/event.h"

static const char text[] =
    "//vptr-module 1\n"
    "//vptr variable name=table lowered=table size=16 align=4 kind=device initial=01000000020000000300000004000000\n"
    "//vptr variable name=total lowered=total size=8 align=4 kind=managed\n"
    "//vptr variable name=elsewhere lowered=elsewhere size=16 align=4 kind=device extern=1\n"
    "//vptr kernel name=scale lowered=_Z5scale entry=k_scale shared=0 max_threads=128 min_blocks=0\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr param size=4 align=4 kind=value\n"
    "//vptr param size=4 align=4 kind=value\n"
    "//vptr kernel name=same lowered=same entry=k_same\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr kernel name=inner lowered=inner entry=k_inner\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr param size=16 align=8 kind=value pointers=8\n"
    "//vptr kernel name=read_table lowered=read_table entry=k_read_table\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr hidden kind=variable name=table\n"
    "//vptr kernel name=read_elsewhere lowered=read_elsewhere entry=k_read_table\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr hidden kind=variable name=elsewhere\n"
    "//vptr kernel name=add lowered=add entry=k_add\n"
    "//vptr param size=4 align=4 kind=value\n"
    "//vptr hidden kind=variable name=total\n"
    "//vptr kernel name=add_at lowered=add_at entry=k_add_at\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr param size=4 align=4 kind=value\n"
    "//vptr kernel name=check lowered=check entry=k_check\n"
    "//vptr param size=4 align=4 kind=value\n"
    "//vptr hidden kind=status\n"
    "//vptr kernel name=room lowered=room entry=k_room\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr param size=4 align=4 kind=value\n"
    "//vptr hidden kind=shared\n"
    "//vptr kernel name=missing lowered=missing entry=k_missing\n"
    "#if VPTR_ADDRESSES\n"
    "#define POINTER(name) ulong name\n"
    "#define AT(name) (__global uchar *)name\n"
    "#else\n"
    "#define POINTER(name) __global uchar *name, ulong name##_offset\n"
    "#define AT(name) (__global uchar *)(name + name##_offset)\n"
    "#endif\n"
    "__kernel void k_scale(POINTER(x), int by, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) ((__global int *)AT(x))[i] *= by; }\n"
    "__kernel void k_same(POINTER(out), POINTER(a), POINTER(b)) {\n"
    "  __global ulong *to = (__global ulong *)AT(out);\n"
    "  to[0] = (AT(a)) == 0; to[1] = (AT(b)) - (AT(a)); }\n"
    "struct pair { int n; ulong p; };\n"
    "__kernel void k_inner(POINTER(out), struct pair in) {\n"
    "  *(__global int *)AT(out) = ((__global int *)in.p)[in.n]; }\n"
    "__kernel void k_read_table(POINTER(out), POINTER(table)) {\n"
    "  for (int i = 0; i < 4; i++) ((__global int *)AT(out))[i] = ((__global int *)AT(table))[i]; }\n"
    "__kernel void k_add(int n, POINTER(total)) { *(__global int *)AT(total) += n; }\n"
    "__kernel void k_add_at(POINTER(at), int n) { *(__global int *)AT(at) += n; }\n"
    "__kernel void k_check(int code, POINTER(status)) { if (code) *(__global int *)AT(status) = code; }\n"
    "__kernel void k_room(POINTER(out), int n, __local uchar *room) {\n"
    "  for (int i = 0; i < n; i++) room[i] = i;\n"
    "  int sum = 0; for (int i = 0; i < n; i++) sum += room[i];\n"
    "  *(__global int *)AT(out) = sum; }\n";

/* ---- the same kernels on the fake device ---------------------------------------------------------------- */

static void *pointer_at(const vptr__fake_launch *launch, int index) {
  char *base = launch->arguments[index];
  return base != NULL ? base + *(cl_ulong *)launch->arguments[index + 1] : NULL;
}

static int value_at(const vptr__fake_launch *launch, int index) {
  return *(int *)launch->arguments[index];
}

static void fake_scale(const vptr__fake_launch *launch) {
  int *x = pointer_at(launch, 0);
  for (int i = 0; i < value_at(launch, 3) && (size_t)i < launch->global[0]; i++)
    x[i] *= value_at(launch, 2);
}

static void fake_same(const vptr__fake_launch *launch) {
  uint64_t *to = pointer_at(launch, 0);
  char *a = pointer_at(launch, 2), *b = pointer_at(launch, 4);
  to[0] = a == NULL;
  to[1] = (uintptr_t)b - (uintptr_t)a;
}

static void fake_read_table(const vptr__fake_launch *launch) {
  memcpy(pointer_at(launch, 0), pointer_at(launch, 2), 16);
}

static void fake_add(const vptr__fake_launch *launch) {
  *(int *)pointer_at(launch, 1) += value_at(launch, 0);
}

static void fake_add_at(const vptr__fake_launch *launch) {
  *(int *)pointer_at(launch, 0) += value_at(launch, 2);
}

static void fake_check(const vptr__fake_launch *launch) {
  if (value_at(launch, 0) != 0)
    *(int *)pointer_at(launch, 1) = value_at(launch, 0);
}

static void fake_room(const vptr__fake_launch *launch) {
  unsigned char *room = launch->arguments[3];
  int n = value_at(launch, 2), sum = 0;
  for (int i = 0; i < n; i++)
    room[i] = (unsigned char)i;
  for (int i = 0; i < n; i++)
    sum += room[i];
  *(int *)pointer_at(launch, 0) = sum;
}

/* Pieces of a grid: each adds how many work-items it has. */
static uint64_t items;
static size_t pieces, last_offset;
static void fake_count(const vptr__fake_launch *launch) {
  items += launch->global[0] * launch->global[1] * launch->global[2];
  pieces++;
  last_offset = launch->offset[0];
}

/* ---- the module ----------------------------------------------------------------------------------------- */

static char scale, same, inner, read_table, read_elsewhere, add, add_at, check, room, missing; /* stubs */
static int table[4] = { 1, 2, 3, 4 }, elsewhere[4] = { 9, 8, 7, 6 };
static struct { int total[2], beside[4]; } globals; /* the one is managed, the other plain */
#define total globals.total
static void *handle;

static const vptr_cuda_kernel kernels[] = { { &scale, "scale" }, { &same, "same" },
                                            { &inner, "inner" }, { &read_table, "read_table" },
                                            { &add, "add" },     { &add_at, "add_at" },
                                            { &check, "check" }, { &read_elsewhere, "read_elsewhere" },
                                            { &room, "room" },   { &missing, "missing" } };
static const vptr_cuda_variable variables[] = { { table, "table", sizeof table, 0 },
                                                { total, "total", sizeof total, VPTR_CUDA_VARIABLE_MANAGED },
                                                { elsewhere, "elsewhere", sizeof elsewhere, 0 } };
static const vptr_cuda_module module = { sizeof module, text, sizeof text - 1, kernels, 10, variables, 3 };

static void define_fakes(void) {
  vptr__fake_define("k_scale", fake_scale);
  vptr__fake_define("k_same", fake_same);
  vptr__fake_define("k_inner", fake_same);
  vptr__fake_define("k_read_table", fake_read_table);
  vptr__fake_define("k_add", fake_add);
  vptr__fake_define("k_add_at", fake_add_at);
  vptr__fake_define("k_check", fake_check);
  vptr__fake_define("k_room", fake_room);
  vptr__fake_define("k_count", fake_count);
}

static void setup(void) {
  cudaGetLastError();
  total[0] = total[1] = 0;
  succeed(vptr_cuda_register_module(&module, &handle));
}

static void teardown(void) {
  vptr__fake_fail_nth(0, CL_SUCCESS);
  vptr__memory_fail_nth(0);
  succeed(vptr_cuda_unregister_module(handle));
  vptr__launch_forget_asserts(0);
  cudaGetLastError();
  succeed(cudaDeviceSynchronize()); /* what it had goes behind work in flight */
  ck_assert_uint_eq(vptr_count(NULL), 0);
  support_succeed(vptr_check(NULL));
}

static const dim3 one = { 1, 1, 1 };

static cudaError_t scale_it(void *x, int by, int n, cudaStream_t stream) {
  return VPTR_CUDA_LAUNCH(&scale, ((dim3){ (unsigned)(n + 63) / 64, 1, 1 }), ((dim3){ 64, 1, 1 }), 0, stream, &x, &by,
                          &n);
}

static int *numbers(int n) {
  int host[1000];
  for (int i = 0; i < n; i++)
    host[i] = i;
  void *p = device_memory((size_t)n * sizeof(int));
  succeed(cudaMemcpy(p, host, (size_t)n * sizeof(int), cudaMemcpyHostToDevice));
  return p;
}

static int number_at(const int *p) {
  int value = -1;
  succeed(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

/* ---- arguments ------------------------------------------------------------------------------------------ */

START_TEST(a_kernel_does_its_work) {
  int *x = numbers(1000);
  succeed(scale_it(x, 3, 1000, NULL));
  succeed(cudaDeviceSynchronize());
  ck_assert_int_eq(number_at(x + 999), 2997);
  succeed(cudaFree(x));
}
END_TEST

/* As on drivers whose commands need no flush, and whose failed ones need no event of their own to be heard of. */
START_TEST(what_is_sent_without_flush_and_event_is_in_order_all_the_same) {
  vptr_mapper *mapper;
  int *x = numbers(1000), *y = numbers(1000);
  ck_assert_int_eq(vptr__mapper_for_device(0, &mapper), VPTR_SUCCESS);
  bool fails_whole = mapper->device->quirk.fails_whole, unflushed = mapper->device->quirk.begins_unflushed;
  mapper->device->quirk.fails_whole = mapper->device->quirk.begins_unflushed = true;
  cudaStream_t stream;
  succeed(cudaStreamCreate(&stream));
  for (int i = 0; i < 10; i++)
    succeed(scale_it(x, 2, 1000, i % 2 != 0 ? stream : NULL));
  succeed(cudaMemcpyAsync(y, x, 4000, cudaMemcpyDeviceToDevice, NULL));
  succeed(scale_it(x, 0, 1000, stream));
  succeed(cudaMemcpyAsync(x + 1, y + 1, 3996, cudaMemcpyDeviceToDevice, stream));
  succeed(cudaStreamSynchronize(stream));
  ck_assert_int_eq(number_at(x + 999), 999 * 1024);
  ck_assert_int_eq(number_at(y + 998), 998 * 1024);
  succeed(cudaStreamDestroy(stream));
  succeed(cudaFree(x));
  succeed(cudaFree(y));
  mapper->device->quirk.fails_whole = fails_whole;
  mapper->device->quirk.begins_unflushed = unflushed;
}
END_TEST

START_TEST(an_interior_pointer_means_that_byte) {
  int *x = numbers(1000);
  succeed(scale_it(x + 333, 5, 2, NULL));
  ck_assert_int_eq(number_at(x + 332), 332);
  ck_assert_int_eq(number_at(x + 333), 333 * 5);
  ck_assert_int_eq(number_at(x + 334), 334 * 5);
  ck_assert_int_eq(number_at(x + 335), 335);
  succeed(cudaFree(x));
}
END_TEST

static uint64_t difference(const void *a, const void *b, bool *is_null_out) {
  uint64_t seen[2];
  void *out = device_memory(sizeof seen);
  succeed(VPTR_CUDA_LAUNCH(&same, one, one, 0, NULL, &out, &a, &b));
  succeed(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  succeed(cudaFree(out));
  *is_null_out = seen[0] != 0;
  return seen[1];
}

START_TEST(null_is_null_and_one_past_the_end_is_passed_on) {
  char *p = device_memory(1024);
  bool is_null;
  ck_assert_uint_eq(difference(NULL, NULL, &is_null), 0);
  ck_assert(is_null);
  ck_assert_uint_eq(difference(p, p + 1024, &is_null), 1024);
  ck_assert(!is_null);
  ck_assert_uint_eq(difference(p + 1, p + 7, &is_null), 6);
  succeed(cudaFree(p));
}
END_TEST

static int takes_plain(void) {
  int takes = -1;
  succeed(cudaDeviceGetAttribute(&takes, cudaDevAttrPageableMemoryAccess, 0));
  return takes;
}

/* As on machines where CUDA has pageable memory access. */
START_TEST(plain_memory_is_an_argument_where_the_device_takes_it) {
  static int fixed[10] = { 1, 2, 3 };
  struct {
    int n;
    void *p;
  } in = { 4, fixed + 1 };
  int *heap = malloc(40), *out = numbers(4), *end = heap + 10;
  struct cudaPointerAttributes what;
  bool is_null;
  if (takes_plain()) {
    heap[0] = 5;
    fixed[5] = 9;
    succeed(scale_it(fixed, 7, 3, NULL));
    succeed(scale_it(heap, 7, 1, NULL));
    succeed(VPTR_CUDA_LAUNCH(&inner, one, one, 0, NULL, &out, &in));
    succeed(cudaDeviceSynchronize());
    ck_assert(fixed[0] == 7 && fixed[1] == 14 && fixed[2] == 21 && heap[0] == 35);
    ck_assert_int_eq(number_at(out), 9);
    ck_assert_uint_eq(difference(heap, end, &is_null), 40);
    succeed(cudaHostRegister(fixed + 1, 20, cudaHostRegisterMapped)); /* where no buffer can begin */
    succeed(scale_it(fixed + 1, 2, 1, NULL));
    succeed(cudaHostUnregister(fixed + 1));
    ck_assert_int_eq(fixed[1], 28);
    succeed(cudaPointerGetAttributes(&what, heap + 1));
    ck_assert(what.type == cudaMemoryTypeUnregistered && what.devicePointer == heap + 1);
    expect(cudaErrorInvalidValue, scale_it((int *)(uintptr_t)1, 2, 1, NULL));
    expect(cudaErrorInvalidValue, scale_it(support_nowhere(), 2, 1, NULL));
  }
  succeed(cudaFree(out));
  free(heap);
}
END_TEST

START_TEST(where_a_managed_variable_ends_plain_memory_may_begin) {
  bool is_null;
  ck_assert_ptr_eq(globals.beside, total + 2);
  ck_assert_uint_eq(difference(total, total + 2, &is_null), sizeof total); /* beside the variable it is its end */
  if (!takes_plain())
    return;
  for (int i = 0; i < 4; i++)
    globals.beside[i] = i + 1;
  succeed(scale_it(globals.beside, 7, 4, NULL));
  succeed(cudaDeviceSynchronize());
  ck_assert(globals.beside[0] == 7 && globals.beside[3] == 28);
}
END_TEST

START_TEST(what_is_no_memory_of_the_device_is_refused) {
  int *x = numbers(10), host[10] = { 0 }, *gone;
  if (!takes_plain())
    expect(cudaErrorInvalidValue, scale_it(host, 2, 10, NULL));
  succeed(cudaMallocHost((void **)&gone, 40));
  succeed(cudaFreeHost(gone));
  expect(cudaErrorInvalidValue, scale_it(gone, 2, 10, NULL));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "argument 0"));
  expect(cudaErrorInvalidValue, scale_it(x + 11, 2, 10, NULL));
  expect(cudaErrorInvalidValue, scale_it((void *)0x1234, 2, 10, NULL));
  succeed(cudaFree(x));
  expect(cudaErrorInvalidValue, scale_it(x, 2, 10, NULL));
  ck_assert_int_eq(cudaGetLastError(), cudaErrorInvalidValue);
}
END_TEST

START_TEST(pinned_memory_is_an_argument_where_the_device_reaches_it) {
  int *pinned;
  succeed(cudaHostAlloc((void **)&pinned, 40, cudaHostAllocMapped));
  for (int i = 0; i < 10; i++)
    pinned[i] = i;
  void *device;
  bool reaches = cudaHostGetDevicePointer(&device, pinned, 0) == cudaSuccess;
  cudaGetLastError();
  cudaError_t error = scale_it(pinned + 2, 7, 3, NULL);
  ck_assert(reaches == (error == cudaSuccess));
  succeed(cudaDeviceSynchronize());
  ck_assert_int_eq(pinned[1], 1);
  ck_assert_int_eq(pinned[4], reaches ? 28 : 4);
  succeed(cudaFreeHost(pinned));
}
END_TEST

/* As on NVIDIA's devices; PoCL's kernels reach all memory of the host's. */
START_TEST(host_memory_that_kernels_reach_where_it_lies_has_one_address) {
  vptr_mapper *mapper;
  int *pinned, *managed, three = 3, registered[64];
  void *device;
  ck_assert_int_eq(vptr__mapper_for_device(0, &mapper), VPTR_SUCCESS);
  bool reaches = mapper->device->reaches_pinned;
  if (!support_has_opencl())
    return;
  mapper->device->reaches_pinned = true;
  succeed(cudaHostAlloc((void **)&pinned, 40, cudaHostAllocMapped));
  succeed(cudaMallocManaged((void **)&managed, 40, cudaMemAttachGlobal));
  succeed(cudaHostRegister(registered, sizeof registered, cudaHostRegisterMapped));
  succeed(cudaHostGetDevicePointer(&device, pinned + 2, 0));
  ck_assert_ptr_eq(device, pinned + 2);
  succeed(cudaHostGetDevicePointer(&device, registered + 1, 0));
  ck_assert_ptr_eq(device, registered + 1);
  for (int i = 0; i < 10; i++)
    pinned[i] = managed[i] = registered[i] = i;
  succeed(scale_it(pinned + 2, 7, 3, NULL));
  succeed(scale_it(managed + 2, 8, 3, NULL));
  succeed(scale_it(registered + 2, 9, 3, NULL));
  succeed(VPTR_CUDA_LAUNCH(&add_at, one, one, 0, NULL, &managed, &three));
  succeed(cudaDeviceSynchronize());
  ck_assert(pinned[1] == 1 && pinned[2] == 14 && pinned[4] == 28 && pinned[5] == 5);
  ck_assert(managed[0] == 3 && managed[1] == 1 && managed[2] == 16 && managed[4] == 32 && managed[5] == 5);
  ck_assert(registered[1] == 1 && registered[2] == 18 && registered[4] == 36 && registered[5] == 5);
  managed[0] = 40;
  succeed(VPTR_CUDA_LAUNCH(&add_at, one, one, 0, NULL, &managed, &three));
  succeed(cudaMemcpy(&three, managed, sizeof three, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(three, 43);
  uint64_t told[2];
  int *out = numbers(4), *end = managed + 10; /* one past it is passed on, as of all memory */
  succeed(VPTR_CUDA_LAUNCH(&same, one, one, 0, NULL, &out, &managed, &end));
  succeed(cudaMemcpy(told, out, sizeof told, cudaMemcpyDeviceToHost));
  ck_assert(told[0] == 0 && told[1] == 40);
  succeed(cudaFree(out));
  succeed(cudaFree(managed));
  succeed(cudaHostUnregister(registered));
  succeed(cudaFreeHost(pinned));
  expect(cudaErrorInvalidValue, scale_it(pinned, 2, 1, NULL));
  mapper->device->reaches_pinned = reaches;
}
END_TEST

START_TEST(a_pointer_in_a_structure_is_resolved_where_there_are_addresses) {
  struct {
    int n;
    void *p;
  } in = { 4, NULL };
  int *x = numbers(10);
  in.p = x + 1;
  cudaError_t error = VPTR_CUDA_LAUNCH(&inner, one, one, 0, NULL, &x, &in);
  if (support_has_opencl()) {
    succeed(error);
    ck_assert_int_eq(number_at(x), 5);
  } else {
    expect(cudaErrorNotSupported, error);
  }
  succeed(cudaFree(x));
}
END_TEST

START_TEST(arguments_are_read_before_the_call_returns) {
  int *x = numbers(4);
  cudaStream_t stream;
  succeed(cudaStreamCreate(&stream));
  for (int i = 0; i < 20; i++)
    succeed(scale_it(x, i % 2 == 0 ? 3 : 1, 4, stream));
  succeed(cudaStreamSynchronize(stream));
  ck_assert_int_eq(number_at(x + 1), 59049);
  succeed(cudaStreamDestroy(stream));
  succeed(cudaFree(x));
}
END_TEST

START_TEST(dynamic_shared_memory_is_as_large_as_asked) {
  int *out = numbers(1), n = 200;
  succeed(VPTR_CUDA_LAUNCH(&room, one, one, 200, NULL, &out, &n));
  ck_assert_int_eq(number_at(out), 199 * 200 / 2);
  succeed(VPTR_CUDA_LAUNCH(&room, one, one, 0, NULL, &out, &(int){ 0 }));
  ck_assert_int_eq(number_at(out), 0);
  expect(cudaErrorInvalidValue, VPTR_CUDA_LAUNCH(&room, one, one, 1 << 30, NULL, &out, &n));
  succeed(cudaFree(out));
}
END_TEST

START_TEST(parameters_beyond_the_device_s_limit_spill) {
  static const char large[] =
      "//vptr-module 1\n//vptr kernel name=k lowered=k entry=k_large\n"
      "//vptr param size=8 align=8 kind=pointer\n//vptr param size=40000 align=4 kind=value\n"
      "__kernel void k_large(ulong at) {\n  __global const uchar *all = (__global const uchar *)at;\n"
      "  *(__global int *)*(__global const ulong *)all = ((__global const int *)(all + 8))[9999]; }\n";
  static char stub;
  static const vptr_cuda_kernel kernel = { &stub, "k" };
  const vptr_cuda_module of = { sizeof of, large, sizeof large - 1, &kernel, 1, NULL, 0 };
  static int values[10000];
  void *other;
  if (!support_has_opencl())
    return; /* a device without addresses cannot */
  succeed(vptr_cuda_register_module(&of, &other));
  int *out = numbers(1);
  for (values[9999] = 0; values[9999] < 20; values[9999]++)
    succeed(VPTR_CUDA_LAUNCH(&stub, one, one, 0, NULL, &out, values));
  ck_assert_int_eq(number_at(out), 19);
  succeed(cudaFree(out));
  succeed(vptr_cuda_unregister_module(other));
}
END_TEST

/* ---- configurations ------------------------------------------------------------------------------------- */

START_TEST(grids_and_blocks_that_do_not_fit_are_refused) {
  int *x = numbers(10), by = 2, n = 10;
  const dim3 bad[][2] = { { { 0, 1, 1 }, { 1, 1, 1 } },       { { 1, 1, 1 }, { 1, 0, 1 } },
                          { { 1, 65536, 1 }, { 1, 1, 1 } },   { { 1, 1, 70000 }, { 1, 1, 1 } },
                          { { 1, 1, 1 }, { 1 << 20, 1, 1 } }, { { 0x80000000u, 1, 1 }, { 1, 1, 1 } } };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    expect(cudaErrorInvalidValue, VPTR_CUDA_LAUNCH(&scale, bad[i][0], bad[i][1], 0, NULL, &x, &by, &n));
  expect(cudaErrorInvalidValue, VPTR_CUDA_LAUNCH(&scale, one, ((dim3){ 129, 1, 1 }), 0, NULL, &x, &by, &n));
  ck_assert_int_eq(number_at(x + 9), 9);
  succeed(cudaFree(x));
}
END_TEST

START_TEST(kernels_that_are_none_say_so) {
  static char stranger;
  int n = 1;
  expect(cudaErrorInvalidDeviceFunction, VPTR_CUDA_LAUNCH(&stranger, one, one, 0, NULL, &n));
  expect(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(NULL, one, one, NULL, 0, NULL));
  expect(cudaErrorInvalidKernelImage, cudaLaunchKernel(&missing, one, one, NULL, 0, NULL));
  expect(cudaErrorInvalidValue, cudaLaunchKernel(&scale, one, one, NULL, 0, NULL));
  expect(cudaErrorInvalidResourceHandle, cudaLaunchKernel(&scale, one, one, NULL, 0, (cudaStream_t)&stranger));
}
END_TEST

static cudaError_t launch_with(const cudaLaunchAttribute *attribute, void **arguments) {
  cudaLaunchAttribute list[] = { *attribute, { .id = cudaLaunchAttributeIgnore } };
  cudaLaunchConfig_t config = { one, { 4, 1, 1 }, 0, NULL, list, 2 };
  return cudaLaunchKernelExC(&config, &scale, arguments);
}

START_TEST(attributes_that_change_nothing_are_taken) {
  int *x = numbers(4), by = 2, n = 4, count = 0;
  void *arguments[] = { &x, &by, &n };
  const cudaLaunchAttribute taken[] = {
    { .id = cudaLaunchAttributeIgnore },
    { .id = cudaLaunchAttributeAccessPolicyWindow,
      .val = { .accessPolicyWindow = { x, 16, 0.5f, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming } } },
    { .id = cudaLaunchAttributeCooperative, .val = { .cooperative = 1 } },
    { .id = cudaLaunchAttributeClusterDimension, .val = { .clusterDim = { 1, 1, 1 } } },
    { .id = cudaLaunchAttributeClusterSchedulingPolicyPreference,
      .val = { .clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicyLoadBalancing } },
    { .id = cudaLaunchAttributeProgrammaticStreamSerialization,
      .val = { .programmaticStreamSerializationAllowed = 1 } },
    { .id = cudaLaunchAttributePriority, .val = { .priority = -1 } },
    { .id = cudaLaunchAttributeMemSyncDomainMap, .val = { .memSyncDomainMap = { 0, 1 } } },
    { .id = cudaLaunchAttributeMemSyncDomain, .val = { .memSyncDomain = cudaLaunchMemSyncDomainRemote } },
    { .id = cudaLaunchAttributePreferredClusterDimension, .val = { .preferredClusterDim = { 2, 1, 1 } } },
    { .id = cudaLaunchAttributePreferredSharedMemoryCarveout, .val = { .sharedMemCarveout = 100 } },
    { .id = cudaLaunchAttributeNvlinkUtilCentricScheduling, .val = { .nvlinkUtilCentricScheduling = 1 } },
  };
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++, count++)
    succeed(launch_with(&taken[i], arguments));
  succeed(cudaLaunchCooperativeKernel(&scale, one, (dim3){ 4, 1, 1 }, arguments, 0, NULL));
  ck_assert_int_eq(number_at(x + 3), 3 << (count + 1));
  succeed(cudaFree(x));
}
END_TEST

START_TEST(attributes_that_would_change_something_are_refused) {
  int *x = numbers(4), by = 2, n = 4;
  void *arguments[] = { &x, &by, &n };
  const struct {
    cudaLaunchAttribute attribute;
    cudaError_t error;
    const char *said;
  } refused[] = {
    { { .id = cudaLaunchAttributeSynchronizationPolicy },
      cudaErrorInvalidValue,
      "3 (SynchronizationPolicy) is none of a launch's" },
    { { .id = cudaLaunchAttributeClusterDimension, .val = { .clusterDim = { 2, 1, 1 } } },
      cudaErrorNotSupported,
      "4 (ClusterDimension) is 2 x 1 x 1" },
    { { .id = cudaLaunchAttributeClusterSchedulingPolicyPreference,
        .val = { .clusterSchedulingPolicyPreference = (cudaClusterSchedulingPolicy)3 } },
      cudaErrorInvalidValue,
      "5 (ClusterSchedulingPolicyPreference) is 3, and can be 0 to 2" },
    { { .id = cudaLaunchAttributeProgrammaticEvent, .val = { .programmaticEvent = { .event = (cudaEvent_t)&n } } },
      cudaErrorNotSupported,
      "7 (ProgrammaticEvent): kernels record" },
    { { .id = cudaLaunchAttributeLaunchCompletionEvent,
        .val = { .launchCompletionEvent = { .event = (cudaEvent_t)&n } } },
      cudaErrorNotSupported,
      "12 (LaunchCompletionEvent): kernels" },
    { { .id = cudaLaunchAttributeProgrammaticEvent },
      cudaErrorInvalidResourceHandle,
      "7 (ProgrammaticEvent): the event is NULL" },
    { { .id = cudaLaunchAttributeDeviceUpdatableKernelNode },
      cudaErrorNotSupported,
      "13 (DeviceUpdatableKernelNode)" },
    { { .id = cudaLaunchAttributePreferredSharedMemoryCarveout, .val = { .sharedMemCarveout = 101 } },
      cudaErrorInvalidValue,
      "14 (PreferredSharedMemoryCarveout) is 101, and can be -1 to 100" },
    { { .id = (cudaLaunchAttributeID)15 }, cudaErrorInvalidValue, "15 (unknown) is none" },
    { { .id = (cudaLaunchAttributeID)99 }, cudaErrorInvalidValue, "99 (unknown) is none" },
  };
  cudaLaunchConfig_t config = { one, one, 0, NULL, NULL, 1 };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    expect(refused[i].error, launch_with(&refused[i].attribute, arguments));
    ck_assert_msg(strstr(vptr_last_error(), refused[i].said) != NULL, "%s", vptr_last_error());
  }
  expect(cudaErrorInvalidValue, cudaLaunchKernelExC(NULL, &scale, arguments));
  expect(cudaErrorInvalidValue, cudaLaunchKernelExC(&config, &scale, arguments));
  ck_assert_int_eq(number_at(x + 3), 3); /* none was launched */
  succeed(cudaFree(x));
}
END_TEST

START_TEST(a_configuration_is_popped_once) {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  expect(cudaErrorMissingConfiguration, vptr_cuda_pop_configuration(&grid, &block, &shared, &stream));
  succeed(vptr_cuda_push_configuration((dim3){ 2, 3, 4 }, (dim3){ 5, 6, 7 }, 8, cudaStreamPerThread));
  succeed(vptr_cuda_pop_configuration(&grid, &block, &shared, &stream));
  ck_assert(grid.x == 2 && grid.z == 4 && block.y == 6 && shared == 8 && stream == cudaStreamPerThread);
  expect(cudaErrorMissingConfiguration, vptr_cuda_pop_configuration(&grid, &block, &shared, &stream));
}
END_TEST

/* k<<<1, 1>>>(f()), where f() launches with three blocks; and what exceptions leave behind does not fill the stack. */
START_TEST(a_launch_may_be_an_argument_of_another) {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  for (unsigned stale = 0; stale < 100; stale++)
    succeed(vptr_cuda_push_configuration((dim3){ 99, 1, 1 }, one, stale, NULL));
  succeed(vptr_cuda_push_configuration((dim3){ 1, 1, 1 }, one, 0, NULL));
  succeed(vptr_cuda_push_configuration((dim3){ 3, 1, 1 }, one, 0, NULL));
  succeed(vptr_cuda_pop_configuration(&grid, &block, &shared, &stream));
  ck_assert_uint_eq(grid.x, 3);
  succeed(vptr_cuda_pop_configuration(&grid, &block, &shared, &stream));
  ck_assert_uint_eq(grid.x, 1);
  int left = 0;
  while (vptr_cuda_pop_configuration(&grid, &block, &shared, &stream) == cudaSuccess)
    left++;
  ck_assert_int_eq(left, 6);
  ck_assert_uint_eq(shared, 94);
}
END_TEST

/* ---- variables ------------------------------------------------------------------------------------------ */

START_TEST(variables_are_symbols) {
  int seen[4], *out = numbers(4), changed[4] = { 5, 6, 7, 8 };
  size_t size;
  void *address;
  succeed(VPTR_CUDA_LAUNCH(&read_table, one, one, 0, NULL, &out));
  succeed(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  ck_assert_mem_eq(seen, table, sizeof seen);
  succeed(cudaMemcpyToSymbol(table, changed, sizeof changed, 0, cudaMemcpyHostToDevice));
  succeed(VPTR_CUDA_LAUNCH(&read_table, one, one, 0, NULL, &out));
  succeed(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  ck_assert_mem_eq(seen, changed, sizeof seen);
  succeed(cudaGetSymbolSize(&size, table));
  ck_assert_uint_eq(size, sizeof table);
  succeed(cudaGetSymbolAddress(&address, table));
  succeed(scale_it(address, 2, 4, NULL));
  succeed(cudaMemcpyFromSymbol(seen, table, 4, 4, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(seen[0], 12);
  succeed(cudaFree(out));
}
END_TEST

START_TEST(an_extern_variable_is_whoever_defines_it) {
  int seen[4], *out = numbers(4);
  expect(cudaErrorInvalidValue, VPTR_CUDA_LAUNCH(&read_elsewhere, one, one, 0, NULL, &out));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "elsewhere"));
  succeed(vptr_cuda_register_symbol(elsewhere, "elsewhere", sizeof elsewhere, elsewhere, 0));
  succeed(VPTR_CUDA_LAUNCH(&read_elsewhere, one, one, 0, NULL, &out));
  succeed(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  ck_assert_mem_eq(seen, elsewhere, sizeof seen);
  succeed(vptr_cuda_unregister_symbol(elsewhere));
  succeed(cudaFree(out));
}
END_TEST

static void double_total(void *context) {
  (void)context;
  total[0] *= 2;
}

/* Also on a device that takes the host's bytes before their turn. */
START_TEST(a_managed_variable_is_one_in_each_kernel_and_host_function) {
  vptr_mapper *mapper;
  cudaStream_t stream;
  ck_assert_int_eq(vptr__mapper_for_device(0, &mapper), VPTR_SUCCESS);
  bool takes_early = mapper->device->quirk.takes_early;
  mapper->device->quirk.takes_early = takes_early || !support_has_opencl();
  succeed(cudaStreamCreate(&stream));
  total[0] = 1;
  for (int i = 0, one_more = 1; i < 5; i++) {
    succeed(VPTR_CUDA_LAUNCH(&add, one, one, 0, stream, &one_more));
    succeed(cudaLaunchHostFunc(stream, double_total, NULL));
    succeed(VPTR_CUDA_LAUNCH(&add, one, one, 0, i % 2 != 0 ? stream : NULL, &one_more));
    if (i % 2 == 0)
      succeed(cudaStreamSynchronize(stream));
  }
  succeed(cudaDeviceSynchronize());
  ck_assert_int_eq(total[0], 125);
  succeed(cudaStreamDestroy(stream));
  mapper->device->quirk.takes_early = takes_early;
}
END_TEST

static void try_reset(void *context) {
  *(cudaError_t *)context = cudaDeviceReset();
}

/* Also where there is a word of assertions to forget, which takes a wait for the very stream that asks. */
START_TEST(a_host_function_cannot_reset_the_device) {
  cudaStream_t stream;
  cudaError_t told = cudaSuccess;
  int none = 0;
  succeed(cudaStreamCreate(&stream));
  succeed(VPTR_CUDA_LAUNCH(&check, one, one, 0, stream, &none));
  succeed(cudaLaunchHostFunc(stream, try_reset, &told));
  succeed(cudaStreamSynchronize(stream));
  ck_assert_int_eq(told, cudaErrorNotPermitted);
  succeed(cudaStreamDestroy(stream));
}
END_TEST

/* The very first launch that uses the variable, too. */
START_TEST(the_first_launch_behind_a_host_function_finds_what_it_wrote) {
  vptr_mapper *mapper;
  cudaStream_t stream;
  int one_more = 1, copied = 0, *x;
  succeed(cudaDeviceReset());
  ck_assert_int_eq(vptr__mapper_for_device(0, &mapper), VPTR_SUCCESS);
  bool takes_early = mapper->device->quirk.takes_early;
  mapper->device->quirk.takes_early = takes_early || !support_has_opencl();
  succeed(cudaMalloc((void **)&x, 2 * sizeof *x));
  succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  total[0] = 21;
  succeed(cudaLaunchHostFunc(stream, double_total, NULL));
  succeed(VPTR_CUDA_LAUNCH(&add, one, one, 0, stream, &one_more));
  succeed(cudaMemcpyAsync(x, total, sizeof *x, cudaMemcpyDefault, stream));
  succeed(VPTR_CUDA_LAUNCH(&add, one, one, 0, stream, &one_more));
  succeed(cudaStreamSynchronize(stream));
  ck_assert_int_eq(total[0], 44);
  succeed(cudaMemcpy(&copied, x, sizeof copied, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(copied, 43);
  succeed(VPTR_CUDA_LAUNCH(&add, one, one, 0, NULL, &one_more));
  succeed(cudaMemcpy2D(x, 4, total, 2, 2, 2, cudaMemcpyHostToDevice)); /* no line, and waited for */
  succeed(cudaMemcpy(&copied, x, sizeof copied, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(copied & 0xffff, 45);
  succeed(cudaStreamDestroy(stream));
  succeed(cudaFree(x));
  mapper->device->quirk.takes_early = takes_early;
}
END_TEST

START_TEST(a_managed_variable_is_one_on_both_sides) {
  cudaStream_t streams[2];
  succeed(cudaStreamCreateWithFlags(&streams[0], cudaStreamNonBlocking));
  succeed(cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking));
  total[0] = 100;
  for (int i = 0; i < 10; i++)
    succeed(VPTR_CUDA_LAUNCH(&add, one, one, 0, streams[i % 2], &i));
  succeed(cudaDeviceSynchronize());
  ck_assert_int_eq(total[0], 145);
  int *second = &total[1], five = 5;
  succeed(VPTR_CUDA_LAUNCH(&add_at, one, one, 0, streams[0], &second, &five));
  succeed(cudaStreamSynchronize(streams[0]));
  ck_assert_int_eq(total[0], 145);
  ck_assert_int_eq(total[1], 5);
  succeed(cudaStreamDestroy(streams[0]));
  succeed(cudaStreamDestroy(streams[1]));
}
END_TEST

/* What orders such launches is none of the program's events, wherever in memory those come to lie after a reset. */
START_TEST(a_managed_variable_leaves_events_alone_after_a_reset) {
  enum { EVENTS = 64 };
  cudaEvent_t events[EVENTS];
  int one_more = 1;
  succeed(VPTR_CUDA_LAUNCH(&add, one, one, 0, NULL, &one_more));
  succeed(cudaDeviceReset());
  for (int i = 0; i < EVENTS; i++)
    succeed(cudaEventCreateWithFlags(&events[i], cudaEventDisableTiming));
  succeed(VPTR_CUDA_LAUNCH(&add, one, one, 0, NULL, &one_more));
  succeed(cudaDeviceSynchronize());
  for (int i = 0; i < EVENTS; i++) {
    ck_assert(!vptr__event_is_recorded((vptr__event *)events[i]));
    succeed(cudaEventDestroy(events[i]));
  }
}
END_TEST

START_TEST(a_managed_variable_is_a_symbol_on_the_host) {
  int seen[2] = { 0, 0 }, forty[2] = { 40, 41 }, two = 2;
  void *address;
  succeed(cudaGetSymbolAddress(&address, total));
  ck_assert_ptr_eq(address, total);
  succeed(cudaMemcpyToSymbol(total, forty, sizeof forty, 0, cudaMemcpyHostToDevice));
  ck_assert_int_eq(total[1], 41);
  succeed(VPTR_CUDA_LAUNCH(&add, one, one, 0, NULL, &two));
  succeed(cudaMemcpyFromSymbol(seen, total, sizeof seen, 0, cudaMemcpyDeviceToHost));
  ck_assert_int_eq(seen[0], 42);
  ck_assert_int_eq(seen[1], 41);
}
END_TEST

/* ---- modules that fail, and asserts --------------------------------------------------------------------- */

START_TEST(a_module_is_registered_whole_or_not_at_all) {
  static char stub;
  static const vptr_cuda_kernel unknown[] = { { &stub, "scale" }, { &stub, "nobody" } };
  static int shadow[4];
  static const vptr_cuda_variable small[] = { { shadow, "table", 4, 0 } };
  static const vptr_cuda_variable large[] = { { shadow, "table", 17, VPTR_CUDA_VARIABLE_ZERO } };
  vptr_cuda_module bad = { sizeof bad, text, sizeof text - 1, unknown, 2, NULL, 0 };
  void *none = &bad;
  expect(cudaErrorInvalidSymbol, vptr_cuda_register_module(&bad, &none));
  ck_assert_ptr_eq(none, &bad);
  expect(cudaErrorInvalidSymbol, cudaLaunchKernel(&stub, one, one, NULL, 0, NULL));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "nobody"));
  const char *name;
  expect(cudaErrorInvalidSymbol, cudaFuncGetName(&name, &stub));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "nobody"));
  bad = (vptr_cuda_module){ sizeof bad, text, sizeof text - 1, NULL, 0, small, 1 };
  expect(cudaErrorInvalidSymbol, vptr_cuda_register_module(&bad, &none));
  size_t size;
  expect(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, shadow));
  bad = (vptr_cuda_module){ sizeof bad, text, sizeof text - 1, NULL, 0, large, 1 };
  expect(cudaErrorInvalidSymbol, vptr_cuda_register_module(&bad, &none)); /* its content is shorter */
  bad = (vptr_cuda_module){ sizeof bad, text, sizeof text - 1, NULL, 0, variables, 1 };
  expect(cudaErrorInvalidSymbol, vptr_cuda_register_module(&bad, &none)); /* its shadow is known */
  bad = (vptr_cuda_module){ sizeof bad, "//vptr-module 1\n//vptr bad\n", 27, NULL, 0, NULL, 0 };
  expect(cudaErrorInvalidValue, vptr_cuda_register_module(&bad, &none));
  bad.struct_size = 4;
  expect(cudaErrorInvalidValue, vptr_cuda_register_module(&bad, &none));
  expect(cudaErrorInvalidValue, vptr_cuda_register_module(NULL, &none));
  succeed(cudaGetSymbolSize(&size, table));
  succeed(vptr_cuda_unregister_module(NULL));
}
END_TEST

START_TEST(a_text_that_does_not_build_says_why) {
  static const char broken[] = "//vptr-module 1\n//vptr kernel name=k lowered=k entry=k\n#error nothing to see\n";
  static char stub;
  static const vptr_cuda_kernel kernel = { &stub, "k" };
  const vptr_cuda_module bad = { sizeof bad, broken, sizeof broken - 1, &kernel, 1, NULL, 0 };
  void *other;
  succeed(vptr_cuda_register_module(&bad, &other));
  expect(cudaErrorInvalidKernelImage, cudaLaunchKernel(&stub, one, one, NULL, 0, NULL));
  succeed(vptr_cuda_unregister_module(other));
  expect(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(&stub, one, one, NULL, 0, NULL));
}
END_TEST

START_TEST(a_failed_assert_is_sticky_until_a_reset) {
  int none = 0, failed = 710;
  void *p;
  succeed(VPTR_CUDA_LAUNCH(&check, one, one, 0, NULL, &none));
  succeed(cudaDeviceSynchronize());
  succeed(VPTR_CUDA_LAUNCH(&check, one, one, 0, NULL, &failed));
  expect(cudaErrorAssert, cudaDeviceSynchronize());
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "assert"));
  expect(cudaErrorAssert, VPTR_CUDA_LAUNCH(&check, one, one, 0, NULL, &none));
  expect(cudaErrorAssert, cudaMalloc(&p, 8));
  ck_assert_int_eq(cudaGetLastError(), cudaErrorAssert);
  ck_assert_int_eq(cudaGetLastError(), cudaErrorAssert);
  succeed(cudaDeviceReset());
  cudaGetLastError();
  succeed(VPTR_CUDA_LAUNCH(&check, one, one, 0, NULL, &none));
  succeed(cudaDeviceSynchronize());
}
END_TEST

/* ---- life ----------------------------------------------------------------------------------------------- */

START_TEST(variables_begin_again_after_a_reset) {
  int *out = numbers(4), changed[4] = { 5, 6, 7, 8 };
  succeed(cudaMemcpyToSymbol(table, changed, sizeof changed, 0, cudaMemcpyHostToDevice));
  succeed(VPTR_CUDA_LAUNCH(&add, one, one, 0, NULL, changed));
  succeed(cudaDeviceReset());
  total[0] = 1;
  out = numbers(4);
  succeed(VPTR_CUDA_LAUNCH(&read_table, one, one, 0, NULL, &out));
  ck_assert_int_eq(number_at(out + 3), 4);
  succeed(VPTR_CUDA_LAUNCH(&add, one, one, 0, NULL, changed));
  succeed(cudaDeviceSynchronize());
  ck_assert_int_eq(total[0], 6);
  succeed(cudaFree(out));
}
END_TEST

START_TEST(freeing_and_unloading_wait_for_work_in_flight) {
  for (int round = 0; round < 10; round++) {
    int *x = numbers(1000);
    cudaStream_t stream;
    succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int i = 0; i < 10; i++)
      succeed(scale_it(x, 1, 1000, stream));
    succeed(cudaFree(x));
    succeed(scale_it(x = numbers(1000), 1, 1000, stream));
    succeed(vptr_cuda_unregister_module(handle));
    succeed(vptr_cuda_register_module(&module, &handle));
    succeed(cudaStreamDestroy(stream));
    succeed(cudaFree(x));
  }
}
END_TEST

enum { THREADS = 4, LAUNCHES = 100 };

static void *launch_often(void *where) {
  static char failed[] = "failed";
  int *x = where;
  for (int i = 0; i < LAUNCHES; i++)
    if (VPTR_CUDA_LAUNCH(&add_at, one, one, 0, cudaStreamPerThread, &x, &(int){ 1 }) != cudaSuccess)
      return failed;
  return cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess ? NULL : failed;
}

START_TEST(threads_launch_one_kernel_at_once) {
  pthread_t threads[THREADS];
  int *x = numbers(THREADS);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, launch_often, x + i), 0);
  for (int i = 0; i < THREADS; i++) {
    void *wrong;
    pthread_join(threads[i], &wrong);
    ck_assert_ptr_null(wrong);
  }
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(number_at(x + i), i + LAUNCHES);
  succeed(cudaFree(x));
}
END_TEST

START_TEST(memory_of_another_device_is_refused) {
  int count;
  succeed(cudaGetDeviceCount(&count));
  if (count < 2)
    return;
  int *here = numbers(4);
  cudaStream_t stream;
  succeed(cudaStreamCreate(&stream));
  succeed(cudaSetDevice(1));
  expect(cudaErrorInvalidValue, scale_it(here, 2, 4, NULL));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "device 0"));
  expect(cudaErrorInvalidResourceHandle, scale_it(here, 2, 4, stream));
  int *there = numbers(4), out;
  succeed(scale_it(there, 4, 4, NULL));
  ck_assert_int_eq(number_at(there + 3), 12);
  succeed(VPTR_CUDA_LAUNCH(&read_table, one, one, 0, NULL, &there));
  ck_assert_int_eq(number_at(there + 3), 4);
  succeed(cudaMemcpyFromSymbol(&out, table, 4, 0, cudaMemcpyDeviceToHost));
  succeed(cudaFree(there));
  succeed(cudaSetDevice(0));
  succeed(cudaStreamDestroy(stream));
  succeed(cudaFree(here));
}
END_TEST

/* ---- the fake device alone ------------------------------------------------------------------------------ */

START_TEST(a_grid_beyond_the_device_is_cut) {
  static const char counting[] = "//vptr-module 1\n//vptr kernel name=k lowered=k entry=k_count\nk_count\n";
  static char stub;
  static const vptr_cuda_kernel kernel = { &stub, "k" };
  const vptr_cuda_module of = { sizeof of, counting, sizeof counting - 1, &kernel, 1, NULL, 0 };
  void *other;
  if (support_has_opencl())
    return;
  succeed(vptr_cuda_register_module(&of, &other));
  items = pieces = 0;
  succeed(cudaLaunchKernel(&stub, (dim3){ 1000, 1, 1 }, (dim3){ 1000, 1, 1 }, NULL, 0, NULL));
  succeed(cudaDeviceSynchronize());
  ck_assert_uint_eq(items, 1000000);
  ck_assert_uint_eq(pieces, 1);
  items = pieces = 0;
  succeed(cudaLaunchKernel(&stub, (dim3){ 3000, 2, 1 }, (dim3){ 1000, 1, 1 }, NULL, 0, NULL));
  succeed(cudaDeviceSynchronize());
  ck_assert_uint_eq(items, 6000000);
  ck_assert_uint_eq(pieces, 6); /* 524 blocks each: of half of what the device counts */
  ck_assert_uint_eq(last_offset, 5);
  items = pieces = 0;
  succeed(cudaLaunchKernel(&stub, (dim3){ 1, 65535, 3 }, (dim3){ 1, 17, 1 }, NULL, 0, NULL));
  succeed(cudaDeviceSynchronize());
  ck_assert_uint_eq(items, UINT64_C(65535) * 17 * 3);
  ck_assert_uint_eq(pieces, 3);
  succeed(vptr_cuda_unregister_module(other));
}
END_TEST

static void device_faults(long n) {
  vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
}

static long not_registered;

/* All of it with the n-th call failing; whether something failed. */
static bool survives_fault(void (*fail_nth)(long n), long n, int *x) {
  int one_more = 1, zero = 0;
  fail_nth(n);
  cudaError_t errors[5] = { vptr_cuda_register_module(&module, &handle) };
  if (errors[0] == cudaSuccess) {
    errors[1] = scale_it(x, 1, 4, NULL);
    errors[2] = VPTR_CUDA_LAUNCH(&add, one, one, 0, NULL, &one_more);
    errors[3] = VPTR_CUDA_LAUNCH(&check, one, one, 0, cudaStreamPerThread, &zero);
    errors[4] = VPTR_CUDA_LAUNCH(&read_table, one, one, 0, NULL, &x);
  } else {
    handle = NULL;
  }
  fail_nth(0);
  cudaDeviceSynchronize();
  succeed(vptr_cuda_unregister_module(handle));
  handle = NULL;
  bool failed = false;
  for (int i = 0; i < 5; i++)
    failed = failed || errors[i] != cudaSuccess;
  cudaGetLastError();
  vptr__launch_forget_asserts(0);
  support_succeed(vptr_trim(NULL, 0));
  not_registered += errors[0] != cudaSuccess;
  return failed;
}

START_TEST(faults_break_nothing) {
  if (support_has_opencl())
    return;
  int *x = numbers(4), hits = 0;
  succeed(vptr_cuda_unregister_module(handle));
  survives_fault(device_faults, 0, x);         /* what is made once is made now */
  long live = vptr__memory_live(), slack = 10; /* of what streams and the heap keep, and grow when they need it */
  not_registered = 0;
  for (long n = 1; n < 120; n++)
    hits += survives_fault(vptr__memory_fail_nth, n, x);
  for (long n = 1; n < 120; n++)
    hits += survives_fault(device_faults, n, x);
  ck_assert_int_ge(hits, 20);
  ck_assert_int_le(vptr__memory_live(), live + not_registered + slack); /* such failures are remembered */
  succeed(vptr_cuda_register_module(&module, &handle));
  succeed(scale_it(x, 2, 4, NULL));
  succeed(cudaFree(x));
}
END_TEST

static Suite *cuda_launch_suite(void) {
  Suite *suite = suite_create("cuda_launch");
  TCase *arguments = tcase_create("arguments");
  tcase_add_checked_fixture(arguments, setup, teardown);
  tcase_add_test(arguments, a_kernel_does_its_work);
  tcase_add_test(arguments, what_is_sent_without_flush_and_event_is_in_order_all_the_same);
  tcase_add_test(arguments, an_interior_pointer_means_that_byte);
  tcase_add_test(arguments, null_is_null_and_one_past_the_end_is_passed_on);
  tcase_add_test(arguments, what_is_no_memory_of_the_device_is_refused);
  tcase_add_test(arguments, plain_memory_is_an_argument_where_the_device_takes_it);
  tcase_add_test(arguments, where_a_managed_variable_ends_plain_memory_may_begin);
  tcase_add_test(arguments, pinned_memory_is_an_argument_where_the_device_reaches_it);
  tcase_add_test(arguments, host_memory_that_kernels_reach_where_it_lies_has_one_address);
  tcase_add_test(arguments, a_pointer_in_a_structure_is_resolved_where_there_are_addresses);
  tcase_add_test(arguments, arguments_are_read_before_the_call_returns);
  tcase_add_test(arguments, dynamic_shared_memory_is_as_large_as_asked);
  tcase_add_test(arguments, parameters_beyond_the_device_s_limit_spill);
  tcase_add_test(arguments, memory_of_another_device_is_refused);
  suite_add_tcase(suite, arguments);
  TCase *launching = tcase_create("launching");
  tcase_add_checked_fixture(launching, setup, teardown);
  tcase_add_test(launching, grids_and_blocks_that_do_not_fit_are_refused);
  tcase_add_test(launching, kernels_that_are_none_say_so);
  tcase_add_test(launching, attributes_that_change_nothing_are_taken);
  tcase_add_test(launching, attributes_that_would_change_something_are_refused);
  tcase_add_test(launching, a_configuration_is_popped_once);
  tcase_add_test(launching, a_launch_may_be_an_argument_of_another);
  tcase_add_test(launching, a_module_is_registered_whole_or_not_at_all);
  tcase_add_test(launching, a_text_that_does_not_build_says_why);
  suite_add_tcase(suite, launching);
  TCase *variable = tcase_create("variables");
  tcase_add_checked_fixture(variable, setup, teardown);
  tcase_add_test(variable, variables_are_symbols);
  tcase_add_test(variable, an_extern_variable_is_whoever_defines_it);
  tcase_add_test(variable, a_managed_variable_is_one_on_both_sides);
  tcase_add_test(variable, a_managed_variable_is_one_in_each_kernel_and_host_function);
  tcase_add_test(variable, a_host_function_cannot_reset_the_device);
  tcase_add_test(variable, the_first_launch_behind_a_host_function_finds_what_it_wrote);
  tcase_add_test(variable, a_managed_variable_leaves_events_alone_after_a_reset);
  tcase_add_test(variable, a_managed_variable_is_a_symbol_on_the_host);
  suite_add_tcase(suite, variable);
  TCase *life = tcase_create("life");
  tcase_add_checked_fixture(life, setup, teardown);
  tcase_add_test(life, a_failed_assert_is_sticky_until_a_reset);
  tcase_add_test(life, variables_begin_again_after_a_reset);
  tcase_add_test(life, freeing_and_unloading_wait_for_work_in_flight);
  tcase_add_test(life, threads_launch_one_kernel_at_once);
  tcase_add_test(life, a_grid_beyond_the_device_is_cut);
  tcase_add_test(life, faults_break_nothing);
  suite_add_tcase(suite, life);
  return suite;
}

int main(void) {
  setenv("VPTR_CACHE", "off", 1);
  define_fakes();
  return support_run(cuda_launch_suite());
}
