/* SPDX-License-Identifier: MIT */
/*
 * test_cuda_symbol - variables of the device: registering, copying, and what became of their memory.
 *
 * No program in C can register a symbol with NVIDIA's runtime, so there is no conform_symbol.c.
 */
#include <vptr/cuda/vptr_symbol.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "device/fake.h"
#include "expect.h"
#include "mapper/mapper.h"

static unsigned char table[SIZE], content[SIZE];

static void register_table(const void *initial, unsigned flags) {
  succeed(vptr_cuda_register_symbol(table, "table", SIZE, initial, flags));
}

static void setup(void) {
  for (int i = 0; i < SIZE; i++)
    content[i] = (unsigned char)(i * 7 + 3);
  cudaGetLastError();
}

static void teardown(void) {
  vptr_cuda_unregister_symbol(table);
  cudaGetLastError();
  succeed(cudaDeviceSynchronize()); /* what it had goes behind work in flight */
  ck_assert_uint_eq(vptr_count(NULL), 0);
  support_succeed(vptr_check(NULL));
}

static void expect_content(const unsigned char *wanted) {
  unsigned char seen[SIZE];
  succeed(cudaMemcpyFromSymbol(seen, table, SIZE, 0, cudaMemcpyDeviceToHost));
  for (int i = 0; i < SIZE; i++)
    support_must(seen[i] == (wanted != NULL ? wanted[i] : 0));
}

/* ---- registering ---------------------------------------------------------------------------------------- */

START_TEST(registering_touches_no_memory) {
  register_table(content, 0);
  ck_assert_uint_eq(vptr_count(NULL), 0);
  size_t size = 0;
  succeed(cudaGetSymbolSize(&size, table));
  ck_assert_uint_eq(size, SIZE);
  ck_assert_uint_eq(vptr_count(NULL), 0);
}
END_TEST

START_TEST(what_makes_no_symbol_is_refused) {
  expect(cudaErrorInvalidValue, vptr_cuda_register_symbol(NULL, "table", SIZE, NULL, 0));
  expect(cudaErrorInvalidValue, vptr_cuda_register_symbol(table, NULL, SIZE, NULL, 0));
  expect(cudaErrorInvalidValue, vptr_cuda_register_symbol(table, "table", 0, NULL, 0));
  expect(cudaErrorInvalidValue, vptr_cuda_register_symbol(table, "table", (size_t)-8, NULL, 0));
  expect(cudaErrorInvalidValue, vptr_cuda_register_symbol(table, "table", SIZE, NULL, 2));
  expect(cudaErrorInvalidValue,
         vptr_cuda_register_symbol(table, "table", (64 << 10) + 1, NULL, VPTR_CUDA_SYMBOL_CONSTANT));
  succeed(vptr_cuda_register_symbol(table, "table", 64 << 10, NULL, VPTR_CUDA_SYMBOL_CONSTANT));
  expect(cudaErrorInvalidSymbol, vptr_cuda_register_symbol(table, "again", SIZE, NULL, 0));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "again"));
}
END_TEST

START_TEST(an_unknown_symbol_is_invalid_everywhere) {
  void *address = (void *)16;
  size_t size = 77;
  unsigned char byte = 1;
  register_table(NULL, 0);
  const void *unknown[] = { NULL, table + 1, content, &byte };
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    expect(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(unknown[i], &byte, 1, 0, cudaMemcpyHostToDevice));
    expect(cudaErrorInvalidSymbol, cudaMemcpyFromSymbol(&byte, unknown[i], 1, 0, cudaMemcpyDeviceToHost));
    expect(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, unknown[i]));
    expect(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, unknown[i]));
    expect(cudaErrorInvalidSymbol, vptr_cuda_unregister_symbol(unknown[i]));
  }
  expect(cudaErrorInvalidSymbol, cudaPeekAtLastError());
  ck_assert(address == (void *)16 && size == 77 && byte == 1);
}
END_TEST

START_TEST(outputs_may_not_be_null) {
  register_table(NULL, 0);
  expect(cudaErrorInvalidValue, cudaGetSymbolAddress(NULL, table));
  expect(cudaErrorInvalidValue, cudaGetSymbolSize(NULL, table));
}
END_TEST

/* Out of order, so that the sorted table is made from both ends. */
START_TEST(many_symbols_are_told_apart) {
  for (int i = 0; i < SIZE; i++)
    succeed(vptr_cuda_register_symbol(&content[i * 7 % SIZE], "one", 1 + (size_t)(i * 7 % SIZE), NULL, 0));
  for (int i = 0; i < SIZE; i++) {
    size_t size = 0;
    if (cudaGetSymbolSize(&size, &content[i]) != cudaSuccess || size != 1 + (size_t)i)
      ck_abort_msg("symbol %d has size %zu", i, size);
  }
  for (int i = 0; i < SIZE; i++)
    succeed(vptr_cuda_unregister_symbol(&content[i]));
}
END_TEST

/* ---- contents ------------------------------------------------------------------------------------------- */

START_TEST(a_symbol_begins_with_its_initial_content) {
  register_table(content, 0);
  expect_content(content);
}
END_TEST

START_TEST(a_symbol_without_one_begins_with_zeros) {
  register_table(NULL, VPTR_CUDA_SYMBOL_CONSTANT);
  expect_content(NULL);
}
END_TEST

START_TEST(copies_reach_their_bytes_and_no_other) {
  unsigned char wanted[SIZE], some[50];
  register_table(content, 0);
  memcpy(wanted, content, SIZE);
  memset(some, 0xee, sizeof some);
  memset(wanted + 123, 0xee, sizeof some);
  succeed(cudaMemcpyToSymbol(table, some, sizeof some, 123, cudaMemcpyHostToDevice));
  expect_content(wanted);
  memset(some, 0, sizeof some);
  succeed(cudaMemcpyFromSymbol(some, table, 7, SIZE - 7, cudaMemcpyDeviceToHost));
  ck_assert_mem_eq(some, wanted + SIZE - 7, 7);
  ck_assert_int_eq(some[7], 0);
}
END_TEST

START_TEST(copies_are_work_of_a_stream_too) {
  unsigned char seen[SIZE] = { 0 };
  cudaStream_t stream;
  register_table(NULL, 0);
  succeed(cudaStreamCreate(&stream));
  succeed(cudaMemcpyToSymbolAsync(table, content, SIZE, 0, cudaMemcpyHostToDevice, stream));
  succeed(cudaMemcpyFromSymbolAsync(seen, table, SIZE - 5, 5, cudaMemcpyDeviceToHost, stream));
  succeed(cudaStreamSynchronize(stream));
  ck_assert_mem_eq(seen, content + 5, SIZE - 5);
  expect(cudaErrorInvalidValue, cudaMemcpyToSymbolAsync(table, content, SIZE, 1, cudaMemcpyHostToDevice, stream));
  expect(cudaErrorInvalidMemcpyDirection,
         cudaMemcpyFromSymbolAsync(seen, table, 1, 0, cudaMemcpyHostToDevice, stream));
  succeed(cudaStreamDestroy(stream));
}
END_TEST

/* Holds a blocking stream, and with it the legacy one, until they are let go: what goes on is no work of these. */
static atomic_bool held;

static void CUDART_CB hold(void *context) {
  (void)context;
  while (atomic_load(&held))
    usleep(100);
}

static cudaStream_t hold_legacy(void) {
  cudaStream_t stream;
  atomic_store(&held, true);
  succeed(cudaStreamCreate(&stream));
  succeed(cudaLaunchHostFunc(stream, hold, NULL));
  return stream;
}

static void let_go(cudaStream_t stream) {
  atomic_store(&held, false);
  succeed(cudaStreamSynchronize(stream));
  succeed(cudaStreamDestroy(stream));
}

START_TEST(variants_copy_on_the_threads_own_stream) {
  unsigned char seen[SIZE] = { 0 };
  register_table(NULL, 0);
  expect_content(NULL); /* it has its memory now */
  cudaStream_t stream = hold_legacy();
  succeed(cudaMemcpyToSymbol_ptds(table, content, SIZE, 0, cudaMemcpyHostToDevice));
  succeed(cudaMemcpyFromSymbol_ptds(seen, table, SIZE, 0, cudaMemcpyDeviceToHost));
  ck_assert_mem_eq(seen, content, SIZE);
  seen[3] ^= 1;
  succeed(cudaMemcpyToSymbolAsync_ptsz(table, seen + 3, 1, 3, cudaMemcpyHostToDevice, NULL));
  succeed(cudaMemcpyFromSymbolAsync_ptsz(seen + 4, table, 1, 3, cudaMemcpyDeviceToHost, NULL));
  succeed(cudaStreamSynchronize(cudaStreamPerThread));
  ck_assert_int_eq(seen[3], seen[4]);
  let_go(stream);
}
END_TEST

START_TEST(copies_go_between_symbols_and_device_memory) {
  char *p = device_memory(SIZE);
  unsigned char seen[SIZE];
  register_table(content, 0);
  succeed(cudaMemcpyFromSymbol(p, table, SIZE, 0, cudaMemcpyDeviceToDevice));
  succeed(cudaMemcpy(seen, p, SIZE, cudaMemcpyDefault));
  ck_assert_mem_eq(seen, content, SIZE);
  succeed(cudaMemset(p, 5, SIZE));
  succeed(cudaMemcpyToSymbol(table, p, SIZE, 0, cudaMemcpyDefault));
  succeed(cudaMemcpyFromSymbol(seen, table, SIZE, 0, cudaMemcpyDefault));
  ck_assert_int_eq(seen[0] + seen[SIZE - 1], 10);
  succeed(cudaFree(p));
}
END_TEST

START_TEST(bounds_are_exact) {
  register_table(content, 0);
  unsigned char bytes[SIZE + 1] = { 0 };
  const struct {
    size_t count, offset;
    cudaError_t error;
  } cases[] = { { SIZE + 1, 0, cudaErrorInvalidValue },
                { 1, SIZE, cudaErrorInvalidValue },
                { 2, SIZE - 1, cudaErrorInvalidValue },
                { 0, SIZE + 1, cudaSuccess },
                { 8, (size_t)-4, cudaErrorInvalidValue },
                { (size_t)-4, 8, cudaErrorInvalidValue },
                { 0, SIZE, cudaSuccess },
                { 0, 0, cudaSuccess } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    expect(cases[i].error, cudaMemcpyToSymbol(table, bytes, cases[i].count, cases[i].offset, cudaMemcpyHostToDevice));
    expect(cases[i].error,
           cudaMemcpyFromSymbol(bytes, table, cases[i].count, cases[i].offset, cudaMemcpyDeviceToHost));
  }
  expect_content(content);
}
END_TEST

START_TEST(the_kind_must_name_the_device_at_the_symbol) {
  unsigned char byte = 9;
  register_table(content, 0);
  expect(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(table, &byte, 1, 0, cudaMemcpyDeviceToHost));
  expect(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(table, &byte, 1, 0, cudaMemcpyHostToHost));
  expect(cudaErrorInvalidMemcpyDirection, cudaMemcpyFromSymbol(&byte, table, 1, 0, cudaMemcpyHostToDevice));
  expect(cudaErrorInvalidMemcpyDirection, cudaMemcpyFromSymbol(&byte, table, 1, 0, cudaMemcpyHostToHost));
  expect(cudaErrorInvalidMemcpyDirection, cudaMemcpyFromSymbol(&byte, table, 1, 0, (enum cudaMemcpyKind)17));
  expect(cudaErrorInvalidValue, cudaMemcpyToSymbol(table, &byte, 1, 0, cudaMemcpyDeviceToDevice));
  ck_assert_int_eq(byte, 9);
  expect_content(content);
}
END_TEST

START_TEST(nodes_name_the_device_at_the_symbol_too) {
  cudaGraph_t graph;
  cudaGraphNode_t node = NULL;
  register_table(NULL, 0);
  succeed(cudaGraphCreate(&graph, 0));
  expect(cudaErrorInvalidMemcpyDirection,
         cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, table, content, 4, 0, cudaMemcpyDeviceToHost));
  expect(cudaErrorInvalidMemcpyDirection,
         cudaGraphAddMemcpyNodeFromSymbol(&node, graph, NULL, 0, content, table, 4, 0, cudaMemcpyHostToDevice));
  expect(cudaErrorInvalidMemcpyDirection,
         cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, table, content, 4, 0, (enum cudaMemcpyKind)17));
  expect(cudaErrorInvalidValue,
         cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, table, content, 0, 0, cudaMemcpyDefault));
  ck_assert_ptr_null(node);
  succeed(cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, table, content, 4, 0, cudaMemcpyDefault));
  succeed(cudaGraphDestroy(graph));
}
END_TEST

/* ---- memory --------------------------------------------------------------------------------------------- */

START_TEST(the_address_stays_and_is_device_memory) {
  void *first = NULL, *second = NULL;
  struct cudaPointerAttributes attributes;
  register_table(content, 0);
  succeed(cudaGetSymbolAddress(&first, table));
  succeed(cudaMemset(first, 4, SIZE));
  succeed(cudaGetSymbolAddress(&second, table));
  ck_assert_ptr_eq(first, second);
  ck_assert_uint_eq((uintptr_t)first % 256, 0);
  succeed(cudaPointerGetAttributes(&attributes, (char *)first + SIZE - 1));
  ck_assert_int_eq(attributes.type, cudaMemoryTypeDevice);
  expect(cudaErrorInvalidValue, cudaMemset(first, 4, SIZE + 1));
}
END_TEST

START_TEST(a_symbol_cannot_be_freed) {
  void *address = NULL;
  register_table(content, 0);
  succeed(cudaGetSymbolAddress(&address, table));
  expect(cudaErrorInvalidValue, cudaFree(address));
  expect_content(content);
}
END_TEST

/* vptr_clear() knows nothing of symbols. The allocation that follows may well get the symbol's old address. */
START_TEST(a_lost_symbol_begins_again) {
  unsigned char zeros[SIZE] = { 0 };
  register_table(content, 0);
  succeed(cudaMemcpyToSymbol(table, zeros, SIZE, 0, cudaMemcpyHostToDevice));
  support_succeed(vptr_clear(NULL));
  char *p = device_memory(SIZE + 256);
  succeed(cudaMemset(p, 9, SIZE + 256));
  expect_content(content);
  succeed(cudaFree(p));
}
END_TEST

START_TEST(unregistering_frees_and_forgets) {
  void *address = NULL;
  unsigned char byte;
  register_table(content, 0);
  succeed(cudaGetSymbolAddress(&address, table));
  ck_assert_uint_eq(vptr_count(NULL), 1);
  succeed(vptr_cuda_unregister_symbol(table));
  ck_assert_uint_eq(vptr_count(NULL), 0);
  expect(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, table));
  expect(cudaErrorInvalidValue, cudaMemcpy(&byte, address, 1, cudaMemcpyDeviceToHost));
  register_table(NULL, 0);
  expect_content(NULL);
}
END_TEST

/* ---- faults and threads --------------------------------------------------------------------------------- */

static void device_faults(long n) {
  vptr__fake_fail_nth(n, CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

/* Registers, uses and forgets a symbol while the n-th thing fails; whether anything did. */
static bool use_symbol(void (*arm)(long n), long n) {
  arm(n);
  unsigned char byte = 0;
  cudaError_t made = vptr_cuda_register_symbol(table, "table", SIZE, content, 0);
  cudaError_t used = cudaMemcpyFromSymbol(&byte, table, 1, 10, cudaMemcpyDeviceToHost);
  arm(0);
  ck_assert(made == cudaSuccess || made == cudaErrorMemoryAllocation);
  if (made == cudaSuccess) {
    ck_assert(used == cudaSuccess || used == cudaErrorMemoryAllocation);
    ck_assert_int_eq(byte, used == cudaSuccess ? content[10] : 0);
    expect_content(content);
    succeed(vptr_cuda_unregister_symbol(table));
  }
  ck_assert_uint_eq(vptr_count(NULL), 0);
  support_succeed(vptr_trim(NULL, 0));
  cudaGetLastError();
  return made != cudaSuccess || used != cudaSuccess;
}

static int use_symbol_with_each_fault(void) {
  int hits = 0;
  for (long n = 1; n < 40; n++)
    hits += use_symbol(vptr__memory_fail_nth, n);
  for (long n = 1; n < 20 && !support_has_opencl(); n++)
    hits += use_symbol(device_faults, n);
  return hits;
}

START_TEST(faults_break_nothing) {
  use_symbol_with_each_fault(); /* what is made once, and kept, is made now */
  long live = vptr__memory_live();
  ck_assert_int_ge(use_symbol_with_each_fault(), 2);
  ck_assert_int_le(vptr__memory_live(), live);
}
END_TEST

enum { THREADS = 8 };

static void *ask_for_address(void *address) {
  static char failed[] = "failed";
  for (int i = 0; i < 100; i++)
    if (cudaGetSymbolAddress(address, table) != cudaSuccess)
      return failed;
  return NULL;
}

START_TEST(threads_agree_on_one_memory) {
  for (int round = 0; round < 20; round++) {
    pthread_t threads[THREADS];
    void *addresses[THREADS];
    register_table(content, 0);
    for (int i = 0; i < THREADS; i++)
      ck_assert_int_eq(pthread_create(&threads[i], NULL, ask_for_address, &addresses[i]), 0);
    for (int i = 0; i < THREADS; i++) {
      void *wrong;
      pthread_join(threads[i], &wrong);
      ck_assert_ptr_null(wrong);
      ck_assert_ptr_eq(addresses[i], addresses[0]);
    }
    ck_assert_uint_eq(vptr_count(NULL), 1);
    expect_content(content);
    succeed(vptr_cuda_unregister_symbol(table));
  }
}
END_TEST

static Suite *cuda_symbol_suite(void) {
  Suite *suite = suite_create("cuda_symbol");
  TCase *registering = tcase_create("registering");
  tcase_add_checked_fixture(registering, setup, teardown);
  tcase_add_test(registering, registering_touches_no_memory);
  tcase_add_test(registering, what_makes_no_symbol_is_refused);
  tcase_add_test(registering, an_unknown_symbol_is_invalid_everywhere);
  tcase_add_test(registering, outputs_may_not_be_null);
  tcase_add_test(registering, many_symbols_are_told_apart);
  suite_add_tcase(suite, registering);
  TCase *contents = tcase_create("contents");
  tcase_add_checked_fixture(contents, setup, teardown);
  tcase_add_test(contents, a_symbol_begins_with_its_initial_content);
  tcase_add_test(contents, a_symbol_without_one_begins_with_zeros);
  tcase_add_test(contents, copies_reach_their_bytes_and_no_other);
  tcase_add_test(contents, copies_are_work_of_a_stream_too);
  tcase_add_test(contents, variants_copy_on_the_threads_own_stream);
  tcase_add_test(contents, copies_go_between_symbols_and_device_memory);
  tcase_add_test(contents, bounds_are_exact);
  tcase_add_test(contents, the_kind_must_name_the_device_at_the_symbol);
  tcase_add_test(contents, nodes_name_the_device_at_the_symbol_too);
  suite_add_tcase(suite, contents);
  TCase *memory = tcase_create("memory");
  tcase_add_checked_fixture(memory, setup, teardown);
  tcase_add_test(memory, the_address_stays_and_is_device_memory);
  tcase_add_test(memory, a_symbol_cannot_be_freed);
  tcase_add_test(memory, a_lost_symbol_begins_again);
  tcase_add_test(memory, unregistering_frees_and_forgets);
  tcase_add_test(memory, faults_break_nothing);
  tcase_add_test(memory, threads_agree_on_one_memory);
  suite_add_tcase(suite, memory);
  return suite;
}

int main(void) {
  return support_run(cuda_symbol_suite());
}
