/* SPDX-License-Identifier: MIT */
/*
 * test_interface_faults - the driver's interface where the host's memory or the device fails (lives.h): graphs of all
 * kinds of nodes, addresses that get their memory later, modules and linkers, arrays, pools and words of streams.
 */
#include <string.h>
#include <unistd.h>

#include "unit/lives.h"
#include "unit/modules.h"

enum { BYTES = 256, WORDS = BYTES / 4, GRANULE = 2 << 20 };

static const char text[] = "//vptr-module 1\n"
                           "//vptr variable name=word lowered=word size=4 align=4 kind=device initial=07000000\n"
                           "//vptr kernel name=add lowered=add entry=m_add\n"
                           "//vptr param size=8 align=8 kind=pointer\n"
                           "//vptr param size=4 align=4 kind=value\n"
                           "m_add\n";

static void set_up(void) {
  modules_define();
  ck_assert_int_eq(cuInit(0), CUDA_SUCCESS);
  ck_assert_int_eq(cudaSetDevice(0), cudaSuccess);
}

static void tear_down(void) {
  vptr__fake_fail_nth(0, CL_SUCCESS);
  vptr__memory_fail_nth(0);
}

/* ---- graphs ------------------------------------------------------------------------------------------------ */

/* Of nodes of all kinds; what it needs is made before. */
typedef struct plan {
  CUmodule module;
  CUfunction add;
  CUdeviceptr memory, allocated;
  CUevent event;
  CUgraph graph, child;
  CUgraphExec exec;
  CUgraphConditionalHandle handle;
  int host[2];
  int called;
} plan;

static void CUDA_CB count_call(void *context) {
  ++*(int *)context;
}

static CUresult add_kernel(const plan *it, CUgraph graph, CUdeviceptr to, int by, const CUgraphNode *from,
                           CUgraphNode *node_out) {
  void *arguments[] = { &to, &by };
  const CUDA_KERNEL_NODE_PARAMS params = { it->add, 1, 1, 1, 1, 1, 1, 0, arguments, NULL, NULL, NULL };
  return cuGraphAddKernelNode(node_out, graph, from, from != NULL, &params);
}

static CUresult add_copy(CUgraph graph, void *to, CUdeviceptr source, const CUgraphNode *from,
                         CUgraphNode *node_out) {
  CUDA_MEMCPY3D params;
  memset(&params, 0, sizeof params);
  params.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  params.srcDevice = source;
  params.dstMemoryType = CU_MEMORYTYPE_HOST;
  params.dstHost = to;
  params.WidthInBytes = 4;
  params.Height = params.Depth = 1;
  return cuGraphAddMemcpyNode(node_out, graph, from, 1, &params, NULL);
}

/* Memory of the graph's own: allocated, set, read by the host, freed. */
static CUresult add_memory(plan *it, const CUgraphNode *from, CUgraphNode *node_out) {
  CUDA_MEM_ALLOC_NODE_PARAMS params;
  memset(&params, 0, sizeof params);
  params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  params.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  params.bytesize = BYTES;
  CUresult result = cuGraphAddMemAllocNode(node_out, it->graph, from, 1, &params);
  const CUDA_MEMSET_NODE_PARAMS set = { it->allocated = params.dptr, 0, 40, 4, WORDS, 1 };
  if (result == CUDA_SUCCESS)
    result = cuGraphAddMemsetNode(node_out, it->graph, node_out, 1, &set, NULL);
  if (result == CUDA_SUCCESS)
    result = add_copy(it->graph, &it->host[1], it->allocated, node_out, node_out);
  return result == CUDA_SUCCESS ? cuGraphAddMemFreeNode(node_out, it->graph, node_out, 1, it->allocated) : result;
}

/* Two rounds of a loop, in each of which 10 is added. */
static CUresult add_loop(plan *it, const CUgraphNode *from, CUgraphNode *node_out) {
  CUgraphNodeParams params;
  CUgraphNode node;
  CUresult result = cuGraphConditionalHandleCreate(&it->handle, it->graph, NULL, 2, CU_GRAPH_COND_ASSIGN_DEFAULT);
  memset(&params, 0, sizeof params);
  params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  params.conditional.handle = it->handle;
  params.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
  params.conditional.size = 1;
  if (result == CUDA_SUCCESS)
    result = cuGraphAddNode(node_out, it->graph, from, NULL, 1, &params);
  if (result == CUDA_SUCCESS)
    result = add_kernel(it, params.conditional.phGraph_out[0], it->memory, 10, NULL, &node);
  if (result == CUDA_SUCCESS) /* a condition's handle is its word's address */
    result = add_kernel(it, params.conditional.phGraph_out[0], it->handle, -1, &node, &node);
  return result;
}

static CUresult fill_graph(plan *it) {
  const CUDA_MEMSET_NODE_PARAMS set = { it->memory, 0, 1, 4, WORDS, 1 };
  const CUDA_HOST_NODE_PARAMS call = { count_call, &it->called };
  CUgraphNode node, last, ends[2];
  CUresult result = cuGraphAddEventWaitNode(&node, it->graph, NULL, 0, it->event);
  if (result == CUDA_SUCCESS)
    result = cuGraphAddMemsetNode(&node, it->graph, &node, 1, &set, NULL);
  if (result == CUDA_SUCCESS)
    result = add_kernel(it, it->child, it->memory, 100, NULL, &last);
  if (result == CUDA_SUCCESS)
    result = cuGraphAddChildGraphNode(&last, it->graph, &node, 1, it->child);
  if (result == CUDA_SUCCESS)
    result = add_loop(it, &last, &last);
  if (result == CUDA_SUCCESS)
    result = add_copy(it->graph, &it->host[0], it->memory, &last, &ends[0]);
  if (result == CUDA_SUCCESS)
    result = add_memory(it, &node, &ends[1]);
  if (result == CUDA_SUCCESS)
    result = cuGraphAddHostNode(&node, it->graph, ends, 2, &call);
  if (result == CUDA_SUCCESS)
    result = cuGraphAddEventRecordNode(&last, it->graph, &node, 1, it->event);
  return result;
}

static bool make_plan(plan *it) {
  return fine(cuModuleLoadData(&it->module, text)) && fine(cuModuleGetFunction(&it->add, it->module, "add")) &&
         fine(cuMemAlloc(&it->memory, BYTES)) && fine(cuEventCreate(&it->event, CU_EVENT_DISABLE_TIMING)) &&
         fine(cuGraphCreate(&it->graph, 0)) && fine(cuGraphCreate(&it->child, 0));
}

static void end_plan(const plan *it) {
  if (it->exec != NULL)
    in_the_end(cuGraphExecDestroy(it->exec));
  if (it->graph != NULL)
    in_the_end(cuGraphDestroy(it->graph));
  if (it->child != NULL)
    in_the_end(cuGraphDestroy(it->child));
  if (it->event != NULL)
    in_the_end(cuEventDestroy(it->event));
  if (it->memory != 0)
    in_the_end(cuMemFree(it->memory));
  if (it->module != NULL)
    in_the_end(cuModuleUnload(it->module));
}

/* Whatever became of one launch, the next one is whole, unless something fails in it as well. */
static void launch_plan(plan *it) {
  it->host[0] = it->host[1] = it->called = 0;
  const bool is_launched = fine(cuGraphLaunch(it->exec, stream)), is_over = fine(cuStreamSynchronize(stream));
  if (!is_over) /* the wait may be what failed */
    cuStreamSynchronize(stream);
  if (!is_over || !is_launched)
    return;
  ck_assert_int_eq(it->host[0], 121);
  ck_assert_int_eq(it->host[1], 40);
  ck_assert_int_eq(it->called, 1);
}

static void live_with_graphs(void) {
  plan it = { .module = NULL };
  CUgraphExecUpdateResultInfo info;
  if (make_plan(&it) && fine(fill_graph(&it)) && fine(cuGraphInstantiate(&it.exec, it.graph, 0))) {
    launch_plan(&it);
    fine(cuGraphExecUpdate(it.exec, it.graph, &info));
    fine(cuGraphUpload(it.exec, stream));
    launch_plan(&it);
  }
  cuStreamSynchronize(stream); /* what is left is over */
  end_plan(&it);
}

START_TEST(graphs) {
  fail_all(live_with_graphs);
}
END_TEST

/* ---- memory under addresses ------------------------------------------------------------------------------- */

static void use_range(CUdeviceptr range, CUmemGenericAllocationHandle handle) {
  const CUmemAccessDesc access = { { CU_MEM_LOCATION_TYPE_DEVICE, 0 }, CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
  CUmemGenericAllocationHandle again = 0;
  unsigned word = 0;
  if (!fine(cuMemMap(range, GRANULE, 0, handle, 0)))
    return;
  if (fine(cuMemSetAccess(range, GRANULE, &access, 1)) && fine(cuMemsetD32(range, 11, WORDS)) &&
      fine(cuMemcpyDtoH(&word, range + 4, 4)))
    ck_assert_uint_eq(word, 11);
  if (fine(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)range)))
    in_the_end(cuMemRelease(again));
  in_the_end(cuMemUnmap(range, GRANULE));
}

static void share(CUmemGenericAllocationHandle handle) {
  CUmemGenericAllocationHandle other = 0;
  int file = -1;
  if (!fine(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0))) {
    ck_assert_int_eq(file, -1);
    return;
  }
  if (fine(cuMemImportFromShareableHandle(&other, (void *)(intptr_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)))
    in_the_end(cuMemRelease(other));
  else
    ck_assert_uint_eq(other, 0);
  close(file);
}

static void live_with_ranges(void) {
  CUmemAllocationProp prop;
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr range = 0;
  memset(&prop, 0, sizeof prop);
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  if (!fine(cuMemAddressReserve(&range, 2 * (size_t)GRANULE, 0, 0, 0))) {
    ck_assert_uint_eq(range, 0);
    return;
  }
  if (fine(cuMemCreate(&handle, GRANULE, &prop, 0))) {
    use_range(range + GRANULE, handle);
    share(handle);
    in_the_end(cuMemRelease(handle));
  } else {
    ck_assert_uint_eq(handle, 0);
  }
  in_the_end(cuMemAddressFree(range, 2 * (size_t)GRANULE));
}

START_TEST(ranges) {
  int is_there = 0;
  ck_assert_int_eq(cuDeviceGetAttribute(&is_there, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0),
                   CUDA_SUCCESS);
  ck_assert_int_eq(is_there, 1);
  fail_all(live_with_ranges);
}
END_TEST

/* ---- modules, linkers, contexts --------------------------------------------------------------------------- */

static void use_module(CUmodule module) {
  CUfunction add = NULL;
  CUdeviceptr word = 0;
  size_t size = 0;
  int by = 4, value = 0;
  void *arguments[] = { &word, &by };
  if (fine(cuModuleGetFunction(&add, module, "add")) && fine(cuModuleGetGlobal(&word, &size, module, "word")) &&
      fine(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL)) && fine(cuStreamSynchronize(stream)) &&
      fine(cuMemcpyDtoH(&value, word, 4)))
    ck_assert_int_eq(value, 11);
}

static void link_module(void) {
  CUlinkState state = NULL;
  CUmodule module = NULL;
  void *image = NULL;
  size_t size = 0;
  if (!fine(cuLinkCreate(0, NULL, NULL, &state))) {
    ck_assert_ptr_null(state);
    return;
  }
  if (fine(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)(uintptr_t)text, sizeof text, "text", 0, NULL, NULL)) &&
      fine(cuLinkComplete(state, &image, &size)) && fine(cuModuleLoadData(&module, image))) {
    use_module(module);
    in_the_end(cuModuleUnload(module));
  }
  in_the_end(cuLinkDestroy(state));
}

static void live_with_modules(void) {
  CUcontext context = NULL;
  CUlibrary library = NULL;
  CUkernel kernel = NULL;
  if (fine(cuCtxCreate(&context, NULL, 0, 0))) {
    link_module();
    fine(cuCtxDestroy(context)); /* gone, whatever work there failed with */
  } else {
    ck_assert_ptr_null(context);
  }
  if (fine(cuLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0))) {
    if (!fine(cuLibraryGetKernel(&kernel, library, "add")))
      ck_assert_ptr_null(kernel);
    in_the_end(cuLibraryUnload(library));
  }
}

START_TEST(modules) {
  fail_all(live_with_modules);
}
END_TEST

/* ---- arrays, textures, references ------------------------------------------------------------------------- */

static void use_array(CUarray array, CUdeviceptr memory) {
  CUtexref reference = NULL;
  size_t offset = 0;
  float host[WORDS] = { 1, 2, 3 }, back[3] = { 0 };
  if (fine(cuMemcpyHtoA(array, 0, host, BYTES)) && fine(cuMemcpyAtoH(back, array, 4, 8)))
    ck_assert(back[0] == 2 && back[1] == 3);
  if (!fine(cuTexRefCreate(&reference)))
    return;
  if (fine(cuTexRefSetFormat(reference, CU_AD_FORMAT_FLOAT, 1))) {
    fine(cuTexRefSetArray(reference, array, CU_TRSA_OVERRIDE_FORMAT));
    fine(cuTexRefSetAddress(&offset, reference, memory, BYTES));
  }
  in_the_end(cuTexRefDestroy(reference));
}

static void live_with_arrays(void) {
  const CUDA_ARRAY_DESCRIPTOR line = { WORDS, 0, CU_AD_FORMAT_FLOAT, 1 };
  CUarray array = NULL;
  CUdeviceptr memory = 0, pitched = 0;
  size_t pitch = 0;
  if (fine(cuMemAlloc(&memory, BYTES)) && fine(cuArrayCreate(&array, &line)))
    use_array(array, memory);
  if (array != NULL)
    in_the_end(cuArrayDestroy(array));
  if (memory != 0)
    in_the_end(cuMemFree(memory));
  if (fine(cuMemAllocPitch(&pitched, &pitch, 100, 10, 4)))
    in_the_end(cuMemFree(pitched));
  else
    ck_assert_uint_eq(pitched, 0);
}

START_TEST(arrays) {
  fail_all(live_with_arrays);
}
END_TEST

/* ---- streams, pools, words -------------------------------------------------------------------------------- */

static void CUDA_CB note_status(CUstream of, CUresult status, void *context) {
  (void)of;
  *(CUresult *)context = status;
}

static void use_pool(CUmemoryPool pool) {
  CUdeviceptr memory = 0;
  unsigned word = 0;
  if (!fine(cuMemAllocFromPoolAsync(&memory, BYTES, pool, stream))) {
    ck_assert_uint_eq(memory, 0);
    return;
  }
  if (fine(cuMemsetD32Async(memory, 5, WORDS, stream)) && fine(cuStreamSynchronize(stream)) &&
      fine(cuMemcpyDtoH(&word, memory, 4)))
    ck_assert_uint_eq(word, 5);
  in_the_end(cuMemFreeAsync(memory, stream));
}

static void use_words(CUdeviceptr memory) {
  CUstreamBatchMemOpParams both[2];
  unsigned word = 0;
  memset(both, 0, sizeof both);
  both[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  both[0].writeValue.address = memory;
  both[0].writeValue.value = 9;
  both[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  both[1].waitValue.address = memory;
  both[1].waitValue.value = 9;
  both[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  if (fine(cuStreamBatchMemOp(stream, 2, both, 0)) && fine(cuStreamSynchronize(stream)) &&
      fine(cuMemcpyDtoH(&word, memory, 4)))
    ck_assert_uint_eq(word, 9);
}

/* In a graph they are done at each launch. */
static void capture_words(CUdeviceptr memory) {
  CUgraph graph = NULL;
  CUgraphExec exec = NULL;
  unsigned word = 0;
  if (!fine(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED)))
    return;
  const bool is_captured = fine(cuStreamWaitValue32(stream, memory + 4, 0, CU_STREAM_WAIT_VALUE_GEQ)) &&
                           fine(cuStreamWriteValue32(stream, memory, 12, 0));
  if (fine(cuStreamEndCapture(stream, &graph)) && is_captured && fine(cuGraphInstantiate(&exec, graph, 0)) &&
      fine(cuGraphLaunch(exec, stream)) && fine(cuStreamSynchronize(stream)) && fine(cuMemcpyDtoH(&word, memory, 4)))
    ck_assert_uint_eq(word, 12);
  if (exec != NULL)
    in_the_end(cuGraphExecDestroy(exec));
  if (graph != NULL)
    in_the_end(cuGraphDestroy(graph));
}

static void live_with_streams(void) {
  CUmemPoolProps props;
  CUmemoryPool pool = NULL;
  CUdeviceptr memory = 0;
  CUresult told = CUDA_ERROR_UNKNOWN;
  memset(&props, 0, sizeof props);
  props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  if (fine(cuMemPoolCreate(&pool, &props))) {
    use_pool(pool);
    in_the_end(cuMemPoolDestroy(pool));
  } else {
    ck_assert_ptr_null(pool);
  }
  if (fine(cuMemAlloc(&memory, BYTES))) {
    use_words(memory);
    if (fine(cuMemsetD32Async(memory, 0, WORDS, stream)))
      capture_words(memory);
    in_the_end(cuMemFree(memory));
  }
  const bool comes = fine(cuStreamAddCallback(stream, note_status, &told, 0));
  if (fine(cuStreamSynchronize(stream)) && comes)
    ck_assert_int_eq(told, CUDA_SUCCESS);
  while (cuStreamSynchronize(stream) != CUDA_SUCCESS) /* `told` goes */
    ;
}

START_TEST(streams) {
  fail_all(live_with_streams);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("interface_faults");
  TCase *tests = tcase_create("faults");
  tcase_set_timeout(tests, 300);
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, graphs);
  tcase_add_test(tests, ranges);
  tcase_add_test(tests, modules);
  tcase_add_test(tests, arrays);
  tcase_add_test(tests, streams);
  if (!support_has_opencl()) /* its failures are the fake device's */
    suite_add_tcase(suite, tests);
  return support_run(suite);
}
