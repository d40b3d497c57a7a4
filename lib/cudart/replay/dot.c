/* SPDX-License-Identifier: MIT */
/*
 * dot - cudaGraphDebugDotPrint(): a picture of a graph, for Graphviz.
 *
 * Nodes have a number, in the order of their making, and their kind; with a flag, what they do; a child graph is a
 * cluster of its own. The words are written into memory under vptr__graph_lock(), of rank GRAPH (graph/graph.c), which
 * guards the graph, and into the file without. No data. Called by programs, and by driver/graph.c. It waits for the
 * file.
 */
#include "base/error.h"
#include "cuda/error.h"
#include "replay/call.h"

#include <stdio.h>
#include <stdlib.h>

/* Flags that the driver's interface has alone. */
enum { DOT_ALLOC = 1 << 11, DOT_FREE = 1 << 12 };

static bool wants(unsigned flags, unsigned flag) {
  return (flags & (flag | cudaGraphDebugDotFlagsVerbose)) != 0;
}

static void write_kernel(FILE *out, const vptr__graph_kernel *kernel, unsigned flags) {
  fprintf(out, "\\n%s",
          vptr__graph_kernel_is_there(kernel) ? vptr__function_image(kernel->function)->name
                                              : "of an unloaded module");
  if (wants(flags, cudaGraphDebugDotFlagsKernelNodeParams))
    fprintf(out, "\\n<<<%u x %u x %u, %u x %u x %u, %zu>>>", kernel->grid[0], kernel->grid[1], kernel->grid[2],
            kernel->block[0], kernel->block[1], kernel->block[2], kernel->shared);
  if (!wants(flags, cudaGraphDebugDotFlagsKernelNodeAttributes))
    return;
  fprintf(out, "\\ncooperative %d, priority %d", kernel->is_cooperative, kernel->priority);
  if (kernel->wishes != NULL)
    fprintf(out, ", attributes 0x%x", kernel->wishes->are_set);
}

static void write_branch(FILE *out, const vptr__graph_branch *branch) {
  static const char *const types[] = {
    [cudaGraphCondTypeIf] = "if", [cudaGraphCondTypeWhile] = "while", [cudaGraphCondTypeSwitch] = "switch"
  };
  fprintf(out, "\\n%s, %u bodies\\nhandle %p", types[branch->type], branch->size, branch->condition->word->ptr);
}

/* What only some nodes have. */
static void write_rest(FILE *out, const vptr__graph_node *node, unsigned flags) {
  const vptr__graph_work *work = &node->work;
  if (node->type == cudaGraphNodeTypeMemAlloc && wants(flags, DOT_ALLOC))
    fprintf(out, "\\n%zu bytes at %p", work->alloc.params.bytesize, work->alloc.place->ptr);
  if (node->type == cudaGraphNodeTypeMemFree && wants(flags, DOT_FREE))
    fprintf(out, "\\n%p", work->free);
  if (node->type == cudaGraphNodeTypeConditional && wants(flags, cudaGraphDebugDotFlagsConditionalNodeParams))
    write_branch(out, &work->branch);
  if (node->type == cudaGraphNodeTypeEmpty && work->call.send != NULL)
    fprintf(out, "\\n%s", work->call.name);
  if (node->type == cudaGraphNodeTypeEmpty && work->prefetch.count > 0)
    fprintf(out, "\\nprefetch of %zu bytes at %p", work->prefetch.count, work->prefetch.ptr);
}

static void write_work(FILE *out, const vptr__graph_node *node, unsigned flags) {
  const vptr__graph_work *work = &node->work;
  if (node->type == cudaGraphNodeTypeKernel)
    write_kernel(out, &work->kernel, flags);
  if (node->type == cudaGraphNodeTypeMemcpy && wants(flags, cudaGraphDebugDotFlagsMemcpyNodeParams))
    fprintf(out, "\\n%zu x %zu x %zu, kind %d\\n%p to %p", work->copy.extent.width, work->copy.extent.height,
            work->copy.extent.depth, (int)work->copy.kind,
            work->copy.srcArray != NULL ? (void *)work->copy.srcArray : work->copy.srcPtr.ptr,
            work->copy.dstArray != NULL ? (void *)work->copy.dstArray : work->copy.dstPtr.ptr);
  if (node->type == cudaGraphNodeTypeMemset && wants(flags, cudaGraphDebugDotFlagsMemsetNodeParams))
    fprintf(out, "\\n%zu x %zu of %u bytes, value %u\\n%p", work->set.width, work->set.height, work->set.elementSize,
            work->set.value, work->set.dst);
  if (node->type == cudaGraphNodeTypeHost && wants(flags, cudaGraphDebugDotFlagsHostNodeParams))
    fprintf(out, "\\nuserData %p", work->host.userData);
  if ((node->type == cudaGraphNodeTypeWaitEvent || node->type == cudaGraphNodeTypeEventRecord) &&
      wants(flags, cudaGraphDebugDotFlagsEventNodeParams))
    fprintf(out, "\\nevent %p", (void *)work->event);
  write_rest(out, node, flags);
}

static void write_nodes(FILE *out, const vptr__graph *graph, unsigned flags);

static void write_cluster(FILE *out, const vptr__graph_node *node, const char *what, const vptr__graph *graph,
                          unsigned flags) {
  fprintf(out, "subgraph cluster_%llu {\nlabel=\"%s of %u\";\n", (unsigned long long)graph->id, what, node->index);
  write_nodes(out, graph, flags);
  fprintf(out, "}\n");
}

static void write_nodes(FILE *out, const vptr__graph *graph, unsigned flags) {
  for (uint32_t i = 0; i < graph->nodes.count; i++) {
    const vptr__graph_node *node = graph->nodes.items[i];
    fprintf(out, "n%llu [label=\"%u: %s", (unsigned long long)node->id, i, vptr__graph_type_name(node->type));
    write_work(out, node, flags);
    if (wants(flags, cudaGraphDebugDotFlagsHandles))
      fprintf(out, "\\n%p", (const void *)node);
    fprintf(out, "\"];\n");
    for (uint32_t k = 0; k < node->to.count; k++)
      fprintf(out, "n%llu -> n%llu;\n", (unsigned long long)node->id, (unsigned long long)node->to.items[k]->id);
    if (node->type == cudaGraphNodeTypeGraph)
      write_cluster(out, node, "child graph", node->work.child, flags);
    for (unsigned k = 0; node->type == cudaGraphNodeTypeConditional && k < node->work.branch.size; k++)
      write_cluster(out, node, "body", node->work.branch.bodies[k], flags);
  }
}

/* Under the lock. */
static cudaError_t write_text(const vptr__graph *graph, unsigned flags, char **text_out, size_t *size_out) {
  FILE *out = open_memstream(text_out, size_out);
  if (out == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(1));
  fprintf(out, "digraph graph_%llu {\nnode [shape=box];\n", (unsigned long long)graph->id);
  write_nodes(out, graph, flags);
  fprintf(out, "}\n");
  bool fits = ferror(out) == 0;
  fits = fclose(out) == 0 && fits;
  if (fits)
    return cudaSuccess;
  free(*text_out);
  return vptr__cuda_from_status(vptr__error_host_memory(1));
}

static cudaError_t write_file(const char *path, const char *text, size_t size) {
  FILE *file = fopen(path, "w");
  bool fits = file != NULL && fwrite(text, 1, size, file) == size;
  if (file != NULL)
    fits = fclose(file) == 0 && fits;
  if (fits)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cudaGraphDebugDotPrint: %s cannot be written", path);
  return cudaErrorOperatingSystem;
}

static cudaError_t print_graph(cudaGraph_t handle, const char *path, unsigned flags) {
  static const char call[] = "cudaGraphDebugDotPrint";
  vptr__graph *graph = NULL;
  char *text = NULL;
  size_t size = 0;
  if (path == NULL)
    return vptr__cuda_null_output(call, "path");
  vptr__graph_lock();
  cudaError_t error = vptr__graph_find(call, handle, &graph);
  if (error == cudaSuccess)
    error = write_text(graph, flags, &text, &size);
  vptr__graph_unlock();
  if (error != cudaSuccess)
    return error;
  error = write_file(path, text, size);
  free(text);
  return error;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags) {
  return vptr__cuda_record(print_graph(graph, path, flags));
}
