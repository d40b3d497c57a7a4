/* SPDX-License-Identifier: MIT */
/*
 * test_graph_dot - pictures of graphs: every kind of node is told, with what it does where that is asked for, and the
 * text is one that Graphviz reads: braces and quotes that match, and edges between nodes that are there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "unit/graphs.h"

static cudaGraphNode_t nodes[10];

static void add_memory(cudaGraph_t graph, void **ptr) {
  struct cudaMemAllocNodeParams params;
  memset(&params, 0, sizeof params);
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = 4711;
  succeed(cudaGraphAddMemAllocNode(&nodes[0], graph, NULL, 0, &params));
  *ptr = params.dptr;
  succeed(cudaGraphAddMemFreeNode(&nodes[1], graph, nodes, 1, *ptr));
}

static cudaGraph_t add_loop(cudaGraph_t graph, cudaGraphConditionalHandle *handle) {
  struct cudaGraphNodeParams params;
  memset(&params, 0, sizeof params);
  succeed(cudaGraphConditionalHandleCreate(handle, graph, 0, cudaGraphCondAssignDefault));
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = *handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  succeed(cudaGraphAddNode(&nodes[2], graph, NULL, NULL, 0, &params));
  return params.conditional.phGraph_out[0];
}

/* Of each kind one, and two in parts: 12 nodes, three edges, two clusters. */
static void fill(cudaGraph_t graph, cudaEvent_t event, void **ptr, cudaGraphConditionalHandle *handle) {
  const struct cudaMemsetParams set = { device, 0, 77, 4, WORDS, 1 };
  const struct cudaHostNodeParams call = { count_call, NULL };
  int by = 3;
  void *arguments[] = { &device, &by };
  const struct cudaKernelNodeParams kernel = { &stub, { 5, 1, 1 }, { 6, 1, 1 }, 0, arguments, NULL };
  cudaGraph_t child;
  cudaGraphNode_t inner;
  add_memory(graph, ptr);
  succeed(cudaGraphAddEmptyNode(&inner, add_loop(graph, handle), NULL, 0));
  succeed(cudaGraphAddKernelNode(&nodes[3], graph, &nodes[1], 1, &kernel));
  succeed(cudaGraphAddMemsetNode(&nodes[4], graph, &nodes[3], 1, &set));
  succeed(cudaGraphAddMemcpyNode1D(&nodes[5], graph, NULL, 0, host, device, 44, cudaMemcpyDeviceToHost));
  succeed(cudaGraphAddHostNode(&nodes[6], graph, NULL, 0, &call));
  succeed(cudaGraphAddEventWaitNode(&nodes[7], graph, NULL, 0, event));
  succeed(cudaGraphAddEventRecordNode(&nodes[8], graph, NULL, 0, event));
  succeed(cudaGraphCreate(&child, 0));
  succeed(cudaGraphAddEmptyNode(&inner, child, NULL, 0));
  succeed(cudaGraphAddChildGraphNode(&nodes[9], graph, NULL, 0, child));
  succeed(cudaGraphDestroy(child));
}

static char *print(cudaGraph_t graph, unsigned flags) {
  char path[] = "test_graph_dot.XXXXXX";
  const int made = mkstemp(path);
  ck_assert_int_ge(made, 0);
  close(made);
  succeed(cudaGraphDebugDotPrint(graph, path, flags));
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  char *text = calloc(1, 1 << 16);
  ck_assert_ptr_nonnull(text);
  ck_assert_uint_gt(fread(text, 1, (1 << 16) - 1, file), 0);
  fclose(file);
  unlink(path);
  return text;
}

static int count(const char *text, const char *part) {
  int found = 0;
  for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
    found++;
  return found;
}

static void expect_readable(const char *text) {
  int depth = 0, quotes = 0;
  for (const char *at = text; *at != '\0'; at++) {
    quotes += *at == '"';
    depth += (*at == '{') - (*at == '}');
    ck_assert_int_ge(depth, 0);
    ck_assert(*at != '\n' || quotes % 2 == 0);
  }
  ck_assert_int_eq(depth, 0);
  ck_assert_int_eq(strncmp(text, "digraph ", 8), 0);
  ck_assert_int_eq(count(text, " [label=\""), 12);
  ck_assert_int_eq(count(text, " -> "), 3);
  ck_assert_int_eq(count(text, "subgraph cluster_"), 2);
}

static bool tells(const char *text, const char *format, const void *ptr) {
  char words[100];
  snprintf(words, sizeof words, format, ptr);
  return strstr(text, words) != NULL;
}

START_TEST(every_kind_of_node_is_told) {
  static const char *const kinds[] = { ": allocation",   ": free",        ": conditional",   ": kernel",
                                       ": memset",       ": memcpy",      ": host function", ": event wait",
                                       ": event record", ": child graph", ": empty" };
  static const unsigned flags[] = { 0, cudaGraphDebugDotFlagsVerbose };
  cudaGraph_t graph;
  cudaEvent_t event;
  cudaGraphConditionalHandle handle;
  void *ptr = NULL;
  succeed(cudaEventCreate(&event));
  succeed(cudaGraphCreate(&graph, 0));
  fill(graph, event, &ptr, &handle);
  for (int i = 0; i < 2; i++) {
    char *text = print(graph, flags[i]);
    expect_readable(text);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
      ck_assert_msg(strstr(text, kinds[k]) != NULL, "no%s in %s", kinds[k], text);
    const bool says_all = i == 1;
    ck_assert(tells(text, "4711 bytes at %p", ptr) == says_all);
    ck_assert(tells(text, "while, 1 bodies\\nhandle %p", (void *)(uintptr_t)handle) == says_all);
    ck_assert(tells(text, "event %p", event) == says_all);
    ck_assert(tells(text, "<<<5 x 1 x 1, 6 x 1 x 1, 0>>>", NULL) == says_all);
    ck_assert(tells(text, "value 77\\n%p", device) == says_all);
    ck_assert(tells(text, "free\\n%p", ptr) == says_all);
    free(text);
  }
  succeed(cudaGraphDestroy(graph));
  succeed(cudaEventDestroy(event));
}
END_TEST

START_TEST(flags_are_for_one_kind_each) {
  cudaGraph_t graph;
  cudaEvent_t event;
  cudaGraphConditionalHandle handle;
  void *ptr = NULL;
  succeed(cudaEventCreate(&event));
  succeed(cudaGraphCreate(&graph, 0));
  fill(graph, event, &ptr, &handle);
  char *text = print(graph, cudaGraphDebugDotFlagsConditionalNodeParams);
  ck_assert(tells(text, "handle %p", (void *)(uintptr_t)handle) && !tells(text, "4711", NULL));
  free(text);
  text = print(graph, 1 << 11); /* the driver's flag of allocations */
  ck_assert(tells(text, "4711 bytes at %p", ptr) && !tells(text, "handle", NULL));
  free(text);
  succeed(cudaGraphDestroy(graph));
  succeed(cudaEventDestroy(event));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("graph_dot");
  TCase *tests = tcase_create("dot");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, every_kind_of_node_is_told);
  tcase_add_test(tests, flags_are_for_one_kind_each);
  if (!support_has_opencl()) /* its kernels are the fake device's */
    suite_add_tcase(suite, tests);
  return support_run(suite);
}
