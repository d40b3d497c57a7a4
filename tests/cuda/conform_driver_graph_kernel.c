/* SPDX-License-Identifier: MIT */
/* conform_driver_graph_kernel - the driver's interface: nodes that are kernels, by function and by kernel. */
#include "conform_kernel.h"

enum { COUNT = CONFORM_BLOCKS * CONFORM_THREADS, BYTES = COUNT * 4 };

static const char text[] = "extern \"C\" __global__ void add(int *x, int by) {\n"
                           "  x[blockIdx.x * blockDim.x + threadIdx.x] += by;\n"
                           "}\n"
                           "extern \"C\" __global__ void scale(int *x, int by) {\n"
                           "  x[blockIdx.x * blockDim.x + threadIdx.x] *= by;\n"
                           "}\n";

static CUstream stream;
static CUdeviceptr x;

static int holds(int value) {
  static int host[COUNT];
  if (cuMemcpyDtoH(host, x, BYTES) != CUDA_SUCCESS)
    return 0;
  for (int i = 0; i < COUNT; i++)
    if (host[i] != value)
      return 0;
  return 1;
}

static CUDA_KERNEL_NODE_PARAMS params_of(CUfunction function, void **arguments) {
  CUDA_KERNEL_NODE_PARAMS params;
  memset(&params, 0, sizeof params);
  params.func = function;
  params.gridDimX = CONFORM_BLOCKS;
  params.blockDimX = CONFORM_THREADS;
  params.gridDimY = params.gridDimZ = params.blockDimY = params.blockDimZ = 1;
  params.kernelParams = arguments;
  return params;
}

static void launch(CUgraphExec exec, int before) {
  conform_true(cuMemsetD32(x, (unsigned)before, COUNT) == CUDA_SUCCESS);
  conform_true(cuCtxSynchronize() == CUDA_SUCCESS); /* no wait of the set's, and the stream is non-blocking */
  conform_true(cuGraphLaunch(exec, stream) == CUDA_SUCCESS);
  conform_true(cuStreamSynchronize(stream) == CUDA_SUCCESS);
}

static void kernels_run_in_order(CUfunction add, CUfunction scale) {
  CUgraph graph = NULL;
  CUgraphNode first = NULL, second = NULL;
  CUgraphExec exec = NULL;
  int by = 3, times = 5;
  void *added[] = { &x, &by }, *scaled[] = { &x, &times };
  CUDA_KERNEL_NODE_PARAMS params = params_of(add, added), told;
  conform_true(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
  conform_true(cuGraphAddKernelNode(&first, graph, NULL, 0, &params) == CUDA_SUCCESS);
  params = params_of(scale, scaled);
  conform_true(cuGraphAddKernelNode(&second, graph, &first, 1, &params) == CUDA_SUCCESS);
  by = times = 99; /* arguments were copied */
  conform_true(cuGraphInstantiate(&exec, graph, 0) == CUDA_SUCCESS);
  launch(exec, 1);
  conform_true(holds(20));
  conform_true(cuGraphKernelNodeGetParams(first, &told) == CUDA_SUCCESS);
  conform_true(told.func == add && told.gridDimX == CONFORM_BLOCKS && told.blockDimX == CONFORM_THREADS);
  conform_true(told.gridDimZ == 1 && told.sharedMemBytes == 0 && *(int *)told.kernelParams[1] == 3);
  by = 7;
  params = params_of(add, added);
  conform_true(cuGraphExecKernelNodeSetParams(exec, first, &params) == CUDA_SUCCESS);
  launch(exec, 1);
  conform_true(holds(40));
  by = 2;
  conform_true(cuGraphKernelNodeSetParams(first, &params) == CUDA_SUCCESS);
  conform_true(cuGraphKernelNodeGetParams(first, &told) == CUDA_SUCCESS && *(int *)told.kernelParams[1] == 2);
  conform_true(cuGraphExecDestroy(exec) == CUDA_SUCCESS);
  conform_true(cuGraphDestroy(graph) == CUDA_SUCCESS);
}

static void what_no_device_has_is_no_node(CUfunction add) {
  CUgraph graph = NULL;
  CUgraphNode node = NULL;
  int by = 3;
  void *arguments[] = { &x, &by };
  CUDA_KERNEL_NODE_PARAMS params = params_of(add, arguments);
  conform_true(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
  params.gridDimY = 0;
  conform_true(cuGraphAddKernelNode(&node, graph, NULL, 0, &params) == CUDA_ERROR_INVALID_VALUE);
  params.gridDimY = 65536;
  conform_true(cuGraphAddKernelNode(&node, graph, NULL, 0, &params) == CUDA_ERROR_INVALID_VALUE);
  params.gridDimY = 1;
  params.blockDimZ = 0;
  conform_true(cuGraphAddKernelNode(&node, graph, NULL, 0, &params) == CUDA_ERROR_INVALID_VALUE);
  params.blockDimZ = 1;
  params.blockDimX = 1 << 20;
  conform_true(cuGraphAddKernelNode(&node, graph, NULL, 0, &params) == CUDA_ERROR_INVALID_VALUE);
  params.blockDimX = CONFORM_THREADS;
  params.sharedMemBytes = 49152 + 4;
  conform_true(cuGraphAddKernelNode(&node, graph, NULL, 0, &params) == CUDA_ERROR_INVALID_VALUE);
  params.sharedMemBytes = 0;
  conform_true(node == NULL && cuGraphAddKernelNode(&node, graph, NULL, 0, &params) == CUDA_SUCCESS);
  params.blockDimX = 0;
  conform_true(cuGraphKernelNodeSetParams(node, &params) == CUDA_ERROR_INVALID_VALUE);
  conform_true(cuGraphDestroy(graph) == CUDA_SUCCESS);
}

static void attributes_are_kept(CUfunction add) {
  CUgraph graph = NULL;
  CUgraphNode node = NULL, other = NULL;
  int by = 3;
  void *arguments[] = { &x, &by };
  CUDA_KERNEL_NODE_PARAMS params = params_of(add, arguments);
  CUkernelNodeAttrValue value;
  memset(&value, 0, sizeof value);
  conform_true(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
  conform_true(cuGraphAddKernelNode(&node, graph, NULL, 0, &params) == CUDA_SUCCESS);
  conform_true(cuGraphAddKernelNode(&other, graph, NULL, 0, &params) == CUDA_SUCCESS);
  value.priority = -1;
  conform_true(cuGraphKernelNodeSetAttribute(node, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value) == CUDA_SUCCESS);
  conform_true(cuGraphKernelNodeCopyAttributes(other, node) == CUDA_SUCCESS);
  value.priority = 0;
  conform_true(cuGraphKernelNodeGetAttribute(other, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value) == CUDA_SUCCESS);
  conform_true(value.priority == -1);
  conform_true(cuGraphDestroy(graph) == CUDA_SUCCESS);
}

/* A kernel of a library has no context until it is launched. */
static void kernels_of_libraries(void) {
  CUlibrary library = NULL;
  CUkernel kernel = NULL;
  CUgraph graph = NULL;
  CUgraphNode node = NULL;
  CUgraphExec exec = NULL;
  CUgraphNodeParams params;
  char *image = conform_compile(text);
  int by = 4;
  void *arguments[] = { &x, &by };
  conform_true(cuLibraryLoadData(&library, image, NULL, NULL, 0, NULL, NULL, 0) == CUDA_SUCCESS);
  conform_true(cuLibraryGetKernel(&kernel, library, "add") == CUDA_SUCCESS);
  memset(&params, 0, sizeof params);
  params.type = CU_GRAPH_NODE_TYPE_KERNEL;
  params.kernel.kern = kernel;
  params.kernel.gridDimX = CONFORM_BLOCKS;
  params.kernel.blockDimX = CONFORM_THREADS;
  params.kernel.gridDimY = params.kernel.gridDimZ = params.kernel.blockDimY = params.kernel.blockDimZ = 1;
  params.kernel.kernelParams = arguments;
  conform_true(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
  conform_true(cuGraphAddNode(&node, graph, NULL, NULL, 0, &params) == CUDA_SUCCESS);
  conform_true(cuGraphInstantiate(&exec, graph, 0) == CUDA_SUCCESS);
  launch(exec, 5);
  conform_true(holds(9));
  by = 6;
  conform_true(cuGraphExecNodeSetParams(exec, node, &params) == CUDA_SUCCESS);
  launch(exec, 5);
  conform_true(holds(11));
  conform_true(cuGraphExecDestroy(exec) == CUDA_SUCCESS);
  conform_true(cuGraphDestroy(graph) == CUDA_SUCCESS);
  conform_true(cuLibraryUnload(library) == CUDA_SUCCESS);
  free(image);
}

/* What is captured through one interface is told by the other. */
static void captured_launches_are_told(CUfunction add) {
  CUgraph graph = NULL;
  CUgraphNode node = NULL;
  CUDA_KERNEL_NODE_PARAMS told;
  size_t count = 1;
  int by = 6;
  void *arguments[] = { &x, &by };
  conform_true(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
  conform_true(conform_launch(add, stream, arguments));
  conform_succeed(cudaStreamEndCapture(stream, &graph));
  conform_true(cuGraphGetNodes(graph, &node, &count) == CUDA_SUCCESS && count == 1);
  conform_true(cuGraphKernelNodeGetParams(node, &told) == CUDA_SUCCESS);
  conform_true(told.func == add && *(int *)told.kernelParams[1] == 6 && *(CUdeviceptr *)told.kernelParams[0] == x);
  conform_true(cuGraphDestroy(graph) == CUDA_SUCCESS);
}

/* It is refused, and its capture invalid then. */
static void what_no_device_has_is_not_captured(CUfunction add) {
  const unsigned shapes[][3] = { { 0, 1, 0 }, { 1, 0, 0 }, { 1, 1 << 20, 0 }, { 1, 1, 49152 + 4 } };
  void *arguments[] = { &x, &(int){ 1 } };
  for (int i = 0; i < 4; i++) {
    CUgraph graph = NULL;
    conform_true(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
    conform_true(cuLaunchKernel(add, shapes[i][0], 1, 1, shapes[i][1], 1, 1, shapes[i][2], stream, arguments, NULL) ==
                 CUDA_ERROR_INVALID_VALUE);
    conform_true(cuStreamEndCapture(stream, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED && graph == NULL);
  }
}

int main(void) {
  CUmodule module = conform_load(text);
  CUfunction add = conform_function(module, "add"), scale = conform_function(module, "scale");
  conform_true(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
  conform_true(cuMemAlloc(&x, BYTES) == CUDA_SUCCESS);
  kernels_run_in_order(add, scale);
  what_no_device_has_is_no_node(add);
  attributes_are_kept(add);
  kernels_of_libraries();
  captured_launches_are_told(add);
  what_no_device_has_is_not_captured(add);
  conform_true(cuMemFree(x) == CUDA_SUCCESS);
  conform_true(cuStreamDestroy(stream) == CUDA_SUCCESS);
  conform_true(cuModuleUnload(module) == CUDA_SUCCESS);
  return conform_done("conform_driver_graph_kernel");
}
