/* SPDX-License-Identifier: MIT */
/*
 * leaving - modules and symbols that are given up while work of theirs is in flight: nothing is waited for, since that
 * may be done by a destructor, and everything goes when the work is over.
 *
 * On the fake device, whose work waits behind a function of the test's. A wait that must not be ends by a signal.
 */
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <vptr/cuda/cuda_runtime_api.h>
#include <vptr/cuda/vptr_kernel.h>
#include <vptr/cuda/vptr_symbol.h>
#include <vptr/vptr.h>

#include "base/memory.h"
#include "device/fake.h"
#include "module/leaving.h"
#include "support/support.h"
#include "unit/modules.h"

/* STAYS: tables that grow with what there is; what is left behind each time would soon be more. */
enum { LARGE = 40 << 20, ROUNDS = 50, STAYS = 10 };

static const char text[] = "//vptr-module 1\n"
                           "//vptr variable name=table lowered=table size=16 align=4 kind=device\n"
                           "//vptr kernel name=add lowered=add entry=m_add\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "//vptr kernel name=read lowered=read entry=m_read\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr hidden kind=variable name=table\n"
                           "m_add m_read\n";

/* What stands for kernels and variables on the host. */
static const char add_stub, read_stub;
static int table[4], large;

static vptr_mapper *mapper;
static cudaStream_t stream;
static sem_t gate;
static void *memory;

static void succeed(cudaError_t error) {
  ck_assert_msg(error == cudaSuccess, "%s: %s", cudaGetErrorName(error), vptr_last_error());
}

static void *load(void) {
  static const vptr_cuda_kernel kernels[] = { { &add_stub, "add" }, { &read_stub, "read" } };
  static const vptr_cuda_variable variables[] = { { table, "table", sizeof table, 0 } };
  const vptr_cuda_module module = { .struct_size = sizeof module,
                                    .text = text,
                                    .length = sizeof text - 1,
                                    .kernels = kernels,
                                    .kernel_count = 2,
                                    .variables = variables,
                                    .variable_count = 1 };
  void *handle;
  succeed(vptr_cuda_register_module(&module, &handle));
  return handle;
}

static void await_gate(void *context) {
  (void)context;
  sem_wait(&gate);
}

static void close_gate(void) {
  succeed(cudaLaunchHostFunc(stream, await_gate, NULL));
}

static void open_gate(void) {
  sem_post(&gate);
}

static void launch_add(void) {
  int by = 1;
  void *arguments[] = { &memory, &by };
  succeed(cudaLaunchKernel(&add_stub, (dim3){ 1, 1, 1 }, (dim3){ 1, 1, 1 }, arguments, 0, stream));
}

static void launch_read(void) {
  void *arguments[] = { &memory };
  succeed(cudaLaunchKernel(&read_stub, (dim3){ 1, 1, 1 }, (dim3){ 1, 1, 1 }, arguments, 0, stream));
}

static void begin(void) {
  succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  succeed(cudaMalloc(&memory, 16));
  succeed(cudaMemset(memory, 0, 16));
}

static void set_up(void) {
  succeed(cudaSetDevice(0));
  support_succeed(vptr__mapper_for_device(0, &mapper));
  begin();
  sem_init(&gate, 0, 0);
  atomic_store(&modules_added, 0);
  signal(SIGALRM, SIG_DFL);
  alarm(60);
  table[1] = 7;
}

static void tear_down(void) {
  succeed(cudaFree(memory));
  succeed(cudaStreamDestroy(stream));
  succeed(cudaDeviceSynchronize());
  ck_assert_uint_eq(vptr_count(mapper), 0);
  support_succeed(vptr_check(mapper));
  sem_destroy(&gate);
  alarm(0);
}

/* ---- modules -------------------------------------------------------------------------------------------- */

/* Work that has not begun does so when the module is forgotten, and finds all that it needs. */
START_TEST(a_module_is_given_up_behind_work_in_flight) {
  int back[4] = { 0 };
  void *module = load();
  close_gate();
  launch_read();
  launch_add();
  succeed(vptr_cuda_unregister_module(module));
  ck_assert_int_eq(atomic_load(&modules_added), 0);
  ck_assert_int_eq(cudaLaunchKernel(&add_stub, (dim3){ 1, 1, 1 }, (dim3){ 1, 1, 1 }, NULL, 0, stream),
                   cudaErrorInvalidDeviceFunction);
  open_gate();
  succeed(cudaMemcpyAsync(back, memory, sizeof back, cudaMemcpyDeviceToHost, stream));
  succeed(cudaStreamSynchronize(stream));
  ck_assert_int_eq(atomic_load(&modules_added), 1);
  ck_assert_int_eq(back[0], 1);
  ck_assert_int_eq(back[1], 7);
}
END_TEST

/* Loaded again, its stubs and shadows are those of the new one. */
static void leave_once(void) {
  void *module = load();
  close_gate();
  launch_read();
  succeed(vptr_cuda_unregister_module(module));
  module = load();
  launch_read();
  open_gate();
  succeed(vptr_cuda_unregister_module(module));
}

START_TEST(what_it_had_goes_with_the_work) {
  long live = 0;
  for (int round = 0; round < ROUNDS; round++) {
    leave_once();
    succeed(cudaDeviceSynchronize());
    ck_assert_uint_eq(vptr_count(mapper), 1);
    if (round == 0)
      live = vptr__memory_live();
  }
  ck_assert_int_lt(vptr__memory_live(), live + STAYS);
}
END_TEST

/* Programs that never wait for the device do use kernels of theirs for the first time. */
START_TEST(the_first_use_of_a_kernel_looks_for_what_may_go) {
  for (int round = 0; round < ROUNDS; round++) {
    leave_once();
    succeed(cudaStreamSynchronize(stream));
    ck_assert_uint_le(vptr_count(mapper), 3);
  }
}
END_TEST

START_TEST(a_reset_takes_it_along) {
  long live = 0;
  for (int round = 0; round < 2; round++) {
    if (round > 0)
      leave_once();
    succeed(cudaDeviceReset());
    live = vptr__memory_live() - live;
    begin();
  }
  ck_assert_int_lt(live, STAYS);
}
END_TEST

START_TEST(without_work_in_flight_it_goes_at_once) {
  void *module = load();
  launch_read();
  succeed(cudaDeviceSynchronize());
  ck_assert_uint_eq(vptr_count(mapper), 2);
  succeed(vptr_cuda_unregister_module(module));
  ck_assert_uint_eq(vptr_count(mapper), 1);
}
END_TEST

/* What was sent later is not waited for: there is always a gate that is closed. */
START_TEST(a_stream_that_never_runs_empty_lets_it_go) {
  void *module = load();
  close_gate();
  launch_read();
  succeed(vptr_cuda_unregister_module(module));
  for (int tries = 0; vptr_count(mapper) > 1 && tries < 10000; tries++) {
    close_gate();
    open_gate();
    vptr__leaving_look();
  }
  ck_assert_uint_eq(vptr_count(mapper), 1);
  open_gate();
}
END_TEST

/* ---- symbols -------------------------------------------------------------------------------------------- */

START_TEST(a_symbol_is_given_up_behind_work_in_flight) {
  void *address;
  succeed(vptr_cuda_register_symbol(&large, "large", LARGE, NULL, 0));
  succeed(cudaGetSymbolAddress(&address, &large));
  close_gate();
  succeed(cudaMemsetAsync(address, 1, LARGE, stream));
  succeed(vptr_cuda_unregister_symbol(&large));
  ck_assert_uint_eq(vptr_count(mapper), 2);
  ck_assert_int_eq(vptr_cuda_unregister_symbol(&large), cudaErrorInvalidSymbol);
  open_gate();
  succeed(cudaDeviceSynchronize());
  ck_assert_uint_eq(vptr_count(mapper), 1);
}
END_TEST

/* There is room for one that is so large. */
START_TEST(a_full_device_takes_what_was_given_up) {
  void *address;
  succeed(vptr_cuda_register_symbol(&large, "large", LARGE, NULL, 0));
  succeed(cudaGetSymbolAddress(&address, &large));
  close_gate();
  succeed(cudaMemsetAsync(address, 1, LARGE, stream));
  succeed(vptr_cuda_unregister_symbol(&large));
  ck_assert_int_eq(cudaMalloc(&address, LARGE), cudaErrorMemoryAllocation);
  open_gate();
  succeed(cudaStreamSynchronize(stream));
  succeed(cudaMalloc(&address, LARGE));
  succeed(cudaFree(address));
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------------------ */

static Suite *leaving_suite(void) {
  Suite *suite = suite_create("leaving");
  TCase *tests = tcase_create("leaving");
  if (support_has_opencl())
    return suite; /* its kernels are the fake device's */
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, a_module_is_given_up_behind_work_in_flight);
  tcase_add_test(tests, what_it_had_goes_with_the_work);
  tcase_add_test(tests, the_first_use_of_a_kernel_looks_for_what_may_go);
  tcase_add_test(tests, a_reset_takes_it_along);
  tcase_add_test(tests, without_work_in_flight_it_goes_at_once);
  tcase_add_test(tests, a_stream_that_never_runs_empty_lets_it_go);
  tcase_add_test(tests, a_symbol_is_given_up_behind_work_in_flight);
  tcase_add_test(tests, a_full_device_takes_what_was_given_up);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  setenv("VPTR_CACHE", "off", 1);
  setenv("VPTR_FAKE_BYTES", "64M", 1);
  modules_define();
  return support_run(leaving_suite());
}
