/* SPDX-License-Identifier: MIT */
/*
 * test_graph_random - random graphs of all kinds of nodes beside a model (kernels/random_graph.h), on the fake device.
 *
 * Its commands run in any order that the edges allow (vptr__fake_disorder()), in one thread and in several that have
 * graphs of their own. tests/kernels/graphs.cu is the same with kernels of CUDA's.
 */
#include <pthread.h>

#include "graph/memory.h"
#include "unit/graphs.h"

#define require(condition) ck_assert(condition)
#define random_graph_add (&stub)

/* A condition's handle is its word's address. */
static cudaGraphNode_t random_graph_store(cudaGraph_t graph, const cudaGraphNode_t *from, size_t count,
                                          cudaGraphConditionalHandle handle, const void *word) {
  cudaGraphNode_t node = NULL;
  succeed(cudaGraphAddMemcpyNode1D(&node, graph, from, count, (void *)(uintptr_t)handle, word, 4,
                                   cudaMemcpyDeviceToDevice));
  return node;
}

#include "kernels/random_graph.h"

enum { GRAPHS = 40, THREADS = 3 };

START_TEST(graphs_do_what_the_model_does) {
  static random_graph it;
  run_random_graphs(&it, (unsigned)_i + 1, GRAPHS);
  ck_assert_uint_eq(atomic_load(&vptr__graph_places), 0);
}
END_TEST

START_TEST(a_device_in_disorder_does_it_too) {
  static random_graph it;
  vptr__fake_disorder((uint64_t)_i + 1, 50);
  run_random_graphs(&it, (unsigned)_i + 100, GRAPHS / 4);
  vptr__fake_disorder(0, 0);
  ck_assert_uint_eq(atomic_load(&vptr__graph_places), 0);
}
END_TEST

static void *run_some(void *context) {
  static random_graph graphs[THREADS];
  const unsigned number = (unsigned)(uintptr_t)context;
  run_random_graphs(&graphs[number], number + 1000, GRAPHS / 4);
  return NULL;
}

START_TEST(threads_do_it_beside_each_other) {
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, run_some, (void *)i), 0);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("graph_random");
  TCase *tests = tcase_create("random");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_loop_test(tests, graphs_do_what_the_model_does, 0, 4);
  tcase_add_loop_test(tests, a_device_in_disorder_does_it_too, 0, 3);
  tcase_add_test(tests, threads_do_it_beside_each_other);
  if (!support_has_opencl()) /* its kernels are the fake device's */
    suite_add_tcase(suite, tests);
  return support_run(suite);
}
