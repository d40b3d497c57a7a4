/* SPDX-License-Identifier: MIT */
/* managed - see managed.h. */
#include "managed.h"

#include <unistd.h>

#include <vptr/cuda/vptr_kernel.h>
#include <vptr/cuda/vptr_symbol.h>

#include "base/memory.h"
#include "device/fake.h"
#include "mirror/address_index.h"

static const char text[] =
    "//vptr-module 1\n"
    "//vptr variable name=table lowered=table size=16 align=4 kind=device initial=01000000020000000300000004000000\n"
    "//vptr kernel name=add lowered=add entry=k_add\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr param size=4 align=4 kind=value\n"
    "//vptr param size=4 align=4 kind=value\n"
    "//vptr kernel name=duplicate lowered=duplicate entry=k_duplicate\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr param size=8 align=8 kind=pointer\n"
    "//vptr param size=4 align=4 kind=value\n"
    "#if VPTR_ADDRESSES\n"
    "#define POINTER(name) ulong name\n"
    "#define AT(name) ((__global uint *)name)\n"
    "#else\n"
    "#define POINTER(name) __global uchar *name, ulong name##_offset\n"
    "#define AT(name) ((__global uint *)(name + name##_offset))\n"
    "#endif\n"
    "__kernel void k_add(POINTER(x), int n, uint by) { for (int i = 0; i < n; i++) AT(x)[i] += by; }\n"
    "__kernel void k_duplicate(POINTER(to), POINTER(from), int n) {\n"
    "  for (int i = 0; i < n; i++) AT(to)[i] = AT(from)[i]; }\n";

char managed_add, managed_duplicate;
int managed_table[4] = { 1, 2, 3, 4 };
static void *handle;

static const vptr_cuda_kernel kernels[] = { { &managed_add, "add" }, { &managed_duplicate, "duplicate" } };
static const vptr_cuda_variable variables[] = { { managed_table, "table", sizeof managed_table, 0 } };
static const vptr_cuda_module module = { sizeof module, text, sizeof text - 1, kernels, 2, variables, 1 };

/* ---- the kernels on the fake device --------------------------------------------------------------------- */

static int *pointer_at(const vptr__fake_launch *launch, int index) {
  return (int *)((char *)launch->arguments[index] + *(cl_ulong *)launch->arguments[index + 1]);
}

static void fake_add(const vptr__fake_launch *launch) {
  unsigned *x = (unsigned *)pointer_at(launch, 0);
  for (int i = 0; i < *(int *)launch->arguments[2]; i++)
    x[i] += *(unsigned *)launch->arguments[3];
}

static void fake_duplicate(const vptr__fake_launch *launch) {
  for (int i = 0; i < *(int *)launch->arguments[4]; i++)
    pointer_at(launch, 0)[i] = pointer_at(launch, 2)[i];
}

/* ---- begin and end -------------------------------------------------------------------------------------- */

void managed_setup(void) {
  vptr__fake_define("k_add", fake_add);
  vptr__fake_define("k_duplicate", fake_duplicate);
  cudaGetLastError();
  succeed(cudaSetDevice(0));
  succeed(vptr_cuda_register_module(&module, &handle));
}

void managed_teardown(void) {
  vptr__fake_fail_nth(0, CL_SUCCESS);
  vptr__fake_fail_command(0, CL_SUCCESS);
  vptr__memory_fail_nth(0);
  succeed(vptr_cuda_unregister_module(handle));
  cudaGetLastError();
  ck_assert_uint_eq(vptr_count(NULL), 0);
  support_succeed(vptr_check(NULL));
}

/* ---- memory --------------------------------------------------------------------------------------------- */

int *managed_numbers(int n) {
  int *made = NULL;
  succeed(cudaMallocManaged((void **)&made, (size_t)n * sizeof *made, cudaMemAttachGlobal));
  for (int i = 0; i < n; i++)
    made[i] = i;
  return made;
}

bool managed_faults(const void *memory) {
  return vptr__address_index_has(memory);
}

vptr__mirror_counts managed_counts(const void *memory) {
  vptr__mirror_counts now;
  size_t offset;
  vptr__mirror *mirror = vptr__address_index_enter(memory, &offset);
  ck_assert_ptr_nonnull(mirror);
  vptr__mirror_get_counts(mirror, &now);
  vptr__address_index_leave(mirror);
  return now;
}

/* ---- kernels -------------------------------------------------------------------------------------------- */

static const dim3 one = { 1, 1, 1 };

cudaError_t managed_run_add(int *x, int n, int by, cudaStream_t stream) {
  return VPTR_CUDA_LAUNCH(&managed_add, one, one, 0, stream, &x, &n, &by);
}

cudaError_t managed_run_duplicate(int *to, const int *from, int n, cudaStream_t stream) {
  return VPTR_CUDA_LAUNCH(&managed_duplicate, one, one, 0, stream, &to, &from, &n);
}

/* ---- gates ---------------------------------------------------------------------------------------------- */

static void wait_at_gate(void *context) {
  managed_gate *gate = context;
  while (!atomic_load(&gate->opened))
    usleep(50);
}

static void *open_later(void *context) {
  managed_gate *gate = context;
  usleep(20000);
  atomic_store(&gate->opened, true);
  return NULL;
}

void managed_close_gate(managed_gate *gate, cudaStream_t stream) {
  atomic_store(&gate->opened, false);
  succeed(cudaLaunchHostFunc(stream, wait_at_gate, gate));
}

void managed_open_gate_later(managed_gate *gate) {
  ck_assert_int_eq(pthread_create(&gate->thread, NULL, open_later, gate), 0);
}

void managed_end_gate(managed_gate *gate) {
  pthread_join(gate->thread, NULL);
}
