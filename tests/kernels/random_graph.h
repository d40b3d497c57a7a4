/* SPDX-License-Identifier: MIT */
/*
 * random_graph - graphs of nodes of all kinds by chance, beside a model on the host that does the same one by one.
 *
 * Operations are drawn first (random_operation.h). The graph gets a node for each, behind the nodes that wrote what it
 * reads or writes, and that read what it writes, and behind no other; so what runs beside each other by mistake, or not
 * at all, or twice, leaves other numbers than the model. It is launched again and again, and changed in between: nodes
 * of the executable graph, the whole of it by its graph, and nodes switched off.
 *
 * For C, and for CUDA's C++. Who includes it gives succeed(), which ends the test on an error of CUDA's; require(), on
 * what is false; random_graph_add, the kernel (int *word, int by) that adds; and random_graph_store(), which adds a
 * node that makes a word's value a condition's.
 */
#ifndef VPTR_TESTS_RANDOM_GRAPH_H
#define VPTR_TESTS_RANDOM_GRAPH_H

#include "random_operation.h"

/* ---- the graph ------------------------------------------------------------------------------------------ */

/* While a graph is filled: who wrote each variable last, and who has read it since. */
typedef struct random_scope {
  random_graph *it;
  cudaGraph_t graph;
  cudaGraphNode_t writer[VARIABLES], readers[VARIABLES][MOST_NODES];
  int reader_count[VARIABLES];
  cudaGraphNode_t from[2 * MOST_NODES]; /* of the next node */
  size_t count;
} random_scope;

static void wait_for(random_scope *scope, cudaGraphNode_t node) {
  for (size_t i = 0; i < scope->count; i++)
    if (scope->from[i] == node)
      return;
  require(scope->count < 2 * MOST_NODES);
  if (node != NULL)
    scope->from[scope->count++] = node;
}

static void collect_dependencies(random_scope *scope, const random_operation *of) {
  scope->count = 0;
  for (int i = 0; i < VARIABLES; i++) {
    if (((of->reads | of->writes) >> i & 1) != 0)
      wait_for(scope, scope->writer[i]);
    for (int k = 0; (of->writes >> i & 1) != 0 && k < scope->reader_count[i]; k++)
      wait_for(scope, scope->readers[i][k]);
  }
  if (of->behind != NULL)
    wait_for(scope, of->behind->node);
}

static void note_node(random_scope *scope, const random_operation *of) {
  for (int i = 0; i < VARIABLES; i++) {
    if ((of->writes >> i & 1) != 0) {
      scope->writer[i] = of->node;
      scope->reader_count[i] = 0;
    } else if ((of->reads >> i & 1) != 0) {
      require(scope->reader_count[i] < MOST_NODES);
      scope->readers[i][scope->reader_count[i]++] = of->node;
    }
  }
}

static void CUDART_CB random_host_function(void *context) {
  const random_call *call = (const random_call *)context;
  *call->word = (int)((unsigned)*call->word * 3 + call->value);
}

static struct cudaHostNodeParams describe_call(random_graph *it, const random_operation *of, unsigned value) {
  struct cudaHostNodeParams params = { random_host_function, NULL };
  random_call *call = &it->calls[it->call_count++];
  require(it->call_count <= MOST_OPERATIONS);
  call->word = it->words[of->to];
  call->value = value;
  params.userData = call;
  return params;
}

static struct cudaMemsetParams describe_set(const random_graph *it, const random_operation *of, unsigned value) {
  const struct cudaMemsetParams params = { it->words[of->to], 0, value, 4, 1, 1 };
  return params;
}

/* The arguments point into what the caller has. */
static struct cudaKernelNodeParams describe_add(random_graph *it, random_operation *of, unsigned *value,
                                                void *arguments[2]) {
  struct cudaKernelNodeParams params;
  memset(&params, 0, sizeof params);
  arguments[0] = &it->words[of->to];
  arguments[1] = value;
  params.func = random_graph_add;
  params.gridDim.x = params.gridDim.y = params.gridDim.z = 1;
  params.blockDim.x = params.blockDim.y = params.blockDim.z = 1;
  params.kernelParams = arguments;
  return params;
}

static void add_alloc(random_scope *scope, random_operation *of) {
  struct cudaMemAllocNodeParams params;
  memset(&params, 0, sizeof params);
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = of->value;
  succeed(cudaGraphAddMemAllocNode(&of->node, scope->graph, scope->from, scope->count, &params));
  scope->it->words[of->to] = (int *)params.dptr;
}

static void fill_graph(random_graph *it, cudaGraph_t graph, random_operation *list, int is_copied);

static void add_child(random_scope *scope, random_operation *of) {
  cudaGraph_t child;
  succeed(cudaGraphCreate(&child, 0));
  fill_graph(scope->it, child, of->parts[0], 1);
  succeed(cudaGraphAddChildGraphNode(&of->node, scope->graph, scope->from, scope->count, child));
  succeed(cudaGraphDestroy(child));
}

static void add_branch(random_scope *scope, random_operation *of) {
  static const enum cudaGraphConditionalNodeType types[] = { cudaGraphCondTypeIf, cudaGraphCondTypeSwitch,
                                                             cudaGraphCondTypeWhile };
  struct cudaGraphNodeParams *params = (struct cudaGraphNodeParams *)calloc(1, sizeof *params); /* C++ makes none */
  require(params != NULL);
  params->type = cudaGraphNodeTypeConditional;
  params->conditional.handle = of->handle;
  params->conditional.type = types[of->kind - RANDOM_IF];
  params->conditional.size = (unsigned)of->part_count;
  succeed(cudaGraphAddNode(&of->node, scope->graph, scope->from, NULL, scope->count, params));
  for (int i = 0; i < of->part_count; i++)
    fill_graph(scope->it, params->conditional.phGraph_out[i], of->parts[i], 0);
  free(params);
}

static void add_store(random_scope *scope, random_operation *of) {
  if (of->branch->handle == 0)
    succeed(cudaGraphConditionalHandleCreate(&of->branch->handle, scope->it->graph, 0, 0));
  of->node =
      random_graph_store(scope->graph, scope->from, scope->count, of->branch->handle, scope->it->words[of->from]);
}

static void add_work(random_scope *scope, random_operation *of) {
  random_graph *it = scope->it;
  if (of->kind == RANDOM_ADD) {
    void *arguments[2];
    const struct cudaKernelNodeParams params = describe_add(it, of, &of->value, arguments);
    succeed(cudaGraphAddKernelNode(&of->node, scope->graph, scope->from, scope->count, &params));
  } else if (of->kind == RANDOM_SET) {
    const struct cudaMemsetParams params = describe_set(it, of, of->value);
    succeed(cudaGraphAddMemsetNode(&of->node, scope->graph, scope->from, scope->count, &params));
  } else if (of->kind == RANDOM_COPY) {
    succeed(cudaGraphAddMemcpyNode1D(&of->node, scope->graph, scope->from, scope->count, it->words[of->to],
                                     it->words[of->from], 4, cudaMemcpyDefault));
  } else {
    const struct cudaHostNodeParams params = describe_call(it, of, of->value);
    succeed(cudaGraphAddHostNode(&of->node, scope->graph, scope->from, scope->count, &params));
  }
}

static void add_operation(random_scope *scope, random_operation *of) {
  random_graph *it = scope->it;
  collect_dependencies(scope, of);
  if (of->kind <= RANDOM_CALL)
    add_work(scope, of);
  else if (of->kind == RANDOM_EMPTY)
    succeed(cudaGraphAddEmptyNode(&of->node, scope->graph, scope->from, scope->count));
  else if (of->kind == RANDOM_ALLOC)
    add_alloc(scope, of);
  else if (of->kind == RANDOM_FREE)
    succeed(cudaGraphAddMemFreeNode(&of->node, scope->graph, scope->from, scope->count, it->words[of->to]));
  else if (of->kind == RANDOM_WAIT)
    succeed(cudaGraphAddEventWaitNode(&of->node, scope->graph, scope->from, scope->count, it->waited));
  else if (of->kind == RANDOM_RECORD)
    succeed(cudaGraphAddEventRecordNode(&of->node, scope->graph, scope->from, scope->count, it->recorded));
  else if (of->kind == RANDOM_STORE)
    add_store(scope, of);
  else if (of->kind == RANDOM_CHILD)
    add_child(scope, of);
  else
    add_branch(scope, of);
  note_node(scope, of);
}

static void fill_graph(random_graph *it, cudaGraph_t graph, random_operation *list, int is_copied) {
  random_scope scope;
  memset(&scope, 0, sizeof scope);
  scope.it = it;
  scope.graph = graph;
  for (random_operation *each = list; each != NULL; each = each->next)
    add_operation(&scope, each);
  for (random_operation *each = list; each != NULL && is_copied; each = each->next)
    each->node = NULL;
}

/* An edge more between two that are in this order anyway; and, where edges may go, less. */
static void add_edges(random_graph *it) {
  for (random_operation *from = it->list; from != NULL; from = from->next)
    for (random_operation *to = from->next; to != NULL; to = to->next) {
      cudaGraphNode_t known[MOST_OPERATIONS];
      size_t count = MOST_OPERATIONS, i = 0;
      if (random_below(it, 20) != 0)
        continue;
      succeed(cudaGraphNodeGetDependencies(to->node, known, NULL, &count));
      while (i < count && known[i] != from->node)
        i++;
      if (i < count)
        continue;
      succeed(cudaGraphAddDependencies(it->graph, &from->node, &to->node, NULL, 1));
      if (!it->has_memory && random_below(it, 2) == 0)
        succeed(cudaGraphRemoveDependencies(it->graph, &from->node, &to->node, NULL, 1));
    }
}

/* ---- launches and changes ------------------------------------------------------------------------------- */

/* What the graph has allocated and not freed. */
static void free_rest(random_graph *it, cudaStream_t its_stream, int has_ended) {
  for (int i = 0; i < ALLOCATED; i++) {
    const int variable = DEVICE_WORDS + HOST_WORDS + i;
    int value = 0;
    if (!it->is_open[i])
      continue;
    if (has_ended) {
      succeed(cudaMemcpy(&value, it->words[variable], 4, cudaMemcpyDeviceToHost));
      require((unsigned)value == it->model[variable]);
    }
    if (has_ended && random_below(it, 2) == 0)
      succeed(cudaFree(it->words[variable]));
    else
      succeed(cudaFreeAsync(it->words[variable], its_stream));
  }
}

static void compare_with_model(random_graph *it) {
  for (int i = 0; i < DEVICE_WORDS + HOST_WORDS; i++) {
    int value = 0;
    succeed(cudaMemcpy(&value, it->words[i], 4, cudaMemcpyDefault));
    require((unsigned)value == it->model[i]);
  }
  if (it->told >= 0)
    require((unsigned)*it->outside == it->model[it->told]);
}

/* By CUDA's rules memory of the graph that is freed in one stream is freed when that stream comes to it, and the next
 * launch, which allocates it again, is the program's to order behind that. Of vptr the launch itself waits. */
static void order_behind_frees(random_graph *it, cudaStream_t its_stream, int before_launch) {
#ifndef VPTR_CUDA_RUNTIME_API_H
  if (before_launch)
    succeed(cudaStreamWaitEvent(its_stream, it->freed, 0));
  else
    succeed(cudaEventRecord(it->freed, its_stream));
#else
  (void)it, (void)its_stream, (void)before_launch;
#endif
}

static void launch_random(random_graph *it, cudaGraphExec_t exec) {
  cudaStream_t its_stream = it->streams[random_below(it, 2)];
  const int waits = random_below(it, 2) == 0;
  order_behind_frees(it, its_stream, 1);
  succeed(cudaGraphLaunch(exec, its_stream));
  run_model(it, it->list);
  if (it->told >= 0) {
    succeed(cudaStreamWaitEvent(it->streams[2], it->recorded, 0));
    succeed(cudaMemcpyAsync(it->outside, it->words[it->told], 4, cudaMemcpyDeviceToHost, it->streams[2]));
    succeed(cudaEventRecord(it->waited, it->streams[2]));
  }
  if (waits)
    succeed(cudaDeviceSynchronize());
  free_rest(it, its_stream, waits);
  order_behind_frees(it, its_stream, 0);
  if (waits)
    compare_with_model(it);
}

static void change_in_graph(random_graph *it, random_operation *of) {
  void *arguments[2];
  const struct cudaKernelNodeParams add = describe_add(it, of, &of->graph_value, arguments);
  const struct cudaMemsetParams set = describe_set(it, of, of->graph_value);
  if (of->kind == RANDOM_ADD) {
    succeed(cudaGraphKernelNodeSetParams(of->node, &add));
  } else if (of->kind == RANDOM_SET) {
    succeed(cudaGraphMemsetNodeSetParams(of->node, &set));
  } else {
    const struct cudaHostNodeParams call = describe_call(it, of, of->graph_value);
    succeed(cudaGraphHostNodeSetParams(of->node, &call));
  }
}

static void change_in_exec(random_graph *it, random_operation *of) {
  void *arguments[2];
  const struct cudaKernelNodeParams add = describe_add(it, of, &of->value, arguments);
  const struct cudaMemsetParams set = describe_set(it, of, of->value);
  if (of->kind == RANDOM_ADD) {
    succeed(cudaGraphExecKernelNodeSetParams(it->exec, of->node, &add));
  } else if (of->kind == RANDOM_SET) {
    succeed(cudaGraphExecMemsetNodeSetParams(it->exec, of->node, &set));
  } else {
    const struct cudaHostNodeParams call = describe_call(it, of, of->value);
    succeed(cudaGraphExecHostNodeSetParams(it->exec, of->node, &call));
  }
}

/* Some nodes get another number, in the executable graph or in the graph; some are switched. */
static void change_some(random_graph *it, random_operation *list, int is_body) {
  for (; list != NULL; list = list->next) {
    const int has_value = list->kind == RANDOM_ADD || list->kind == RANDOM_SET || list->kind == RANDOM_CALL;
    const unsigned drawn = random_below(it, 6), value = random_below(it, 1000) + 1;
    for (int i = 0; list->kind >= RANDOM_IF && i < list->part_count; i++)
      change_some(it, list->parts[i], 1);
    if (list->is_fixed || list->node == NULL)
      continue;
#ifndef VPTR_CUDA_RUNTIME_API_H /* NVIDIA's takes no address of memory that only a running graph has */
    if (list->to >= DEVICE_WORDS + HOST_WORDS)
      continue;
#endif
    if (has_value && drawn == 0) {
      list->value = value;
      change_in_exec(it, list);
    } else if (has_value && drawn == 1) {
      list->graph_value = value;
      change_in_graph(it, list);
#ifndef VPTR_CUDA_RUNTIME_API_H /* of NVIDIA's, who waits for a set that is off does not wait for who is before it */
    } else if (list->kind == RANDOM_SET && drawn == 2) {
#endif
    } else if (list->kind <= RANDOM_COPY && drawn == 2 && !is_body) {
      list->is_off = !list->is_off;
      succeed(cudaGraphNodeSetEnabled(it->exec, list->node, !list->is_off));
    }
  }
}

static void take_values_of_graph(random_operation *list) {
  for (; list != NULL; list = list->next) {
    list->value = list->graph_value;
    for (int i = 0; i < list->part_count; i++)
      take_values_of_graph(list->parts[i]);
  }
}

static void update_all(random_graph *it) {
  cudaGraphExecUpdateResultInfo info;
  succeed(cudaGraphExecUpdate(it->exec, it->graph, &info));
  require(info.result == cudaGraphExecUpdateSuccess);
  take_values_of_graph(it->list);
}

/* Of a graph that may be copied. It has the graph's values, and no node of it is off. */
static void launch_clone(random_graph *it) {
  cudaGraph_t clone;
  cudaGraphExec_t exec;
  for (const random_operation *each = it->list; each != NULL; each = each->next)
    if (each->is_off)
      return;
  succeed(cudaGraphClone(&clone, it->graph));
  succeed(cudaGraphInstantiate(&exec, clone, 0));
  succeed(cudaGraphDestroy(clone));
  update_all(it); /* so that the model does what both do */
  succeed(cudaDeviceSynchronize());
  launch_random(it, exec);
  succeed(cudaDeviceSynchronize());
  succeed(cudaGraphExecDestroy(exec));
}

/* ---- a graph's life ------------------------------------------------------------------------------------- */

static void draw_graph(random_graph *it) {
  random_operation **end = &it->list;
  it->operation_count = it->call_count = it->has_memory = it->has_condition = 0;
  it->last_free = it->list = NULL;
  memset(it->is_open, 0, sizeof it->is_open);
  memset(it->was_open, 0, sizeof it->was_open);
  it->told = random_below(it, 2) == 0 ? (int)random_below(it, DEVICE_WORDS) : -1;
  if (it->told >= 0)
    push(&end, make_operation(it, RANDOM_WAIT, it->told, -1, 0));
  *end = draw_list(it, 0, 0, random_below(it, 3) != 0, 0);
  while (*end != NULL)
    end = &(*end)->next;
  if (it->told >= 0)
    push(&end, make_operation(it, RANDOM_RECORD, -1, it->told, 0));
}

static void run_random_graph(random_graph *it) {
  draw_graph(it);
  succeed(cudaGraphCreate(&it->graph, 0));
  fill_graph(it, it->graph, it->list, 0);
  add_edges(it);
  succeed(cudaGraphInstantiate(&it->exec, it->graph, 0));
  if (random_below(it, 8) == 0)
    succeed(cudaGraphUpload(it->exec, it->streams[0]));
  for (int i = 0; i < 4; i++) {
    launch_random(it, it->exec);
    if (random_below(it, 2) == 0)
      change_some(it, it->list, 0);
    if (random_below(it, 3) == 0)
      update_all(it);
    if (!it->has_memory && !it->has_condition && random_below(it, 4) == 0)
      launch_clone(it);
  }
  succeed(cudaDeviceSynchronize());
  compare_with_model(it);
  succeed(cudaGraphExecDestroy(it->exec));
  succeed(cudaGraphDestroy(it->graph));
}

/* So many graphs, one behind the other, with the same words. */
static void run_random_graphs(random_graph *it, unsigned seed, int count) {
  memset(it, 0, sizeof *it);
  it->state = seed;
  for (int i = 0; i < DEVICE_WORDS + HOST_WORDS; i++) {
    if (is_of_device(i))
      succeed(cudaMalloc((void **)&it->words[i], 4));
    else
      succeed(cudaMallocHost((void **)&it->words[i], 4));
    succeed(cudaMemset(it->words[i], 0, 4));
  }
  succeed(cudaMallocHost((void **)&it->outside, 4));
  for (int i = 0; i < 3; i++)
    succeed(cudaStreamCreateWithFlags(&it->streams[i], cudaStreamNonBlocking));
  succeed(cudaEventCreateWithFlags(&it->waited, cudaEventDisableTiming));
  succeed(cudaEventCreateWithFlags(&it->recorded, cudaEventDisableTiming));
  succeed(cudaEventCreateWithFlags(&it->freed, cudaEventDisableTiming));
  for (int i = 0; i < count; i++)
    run_random_graph(it);
  succeed(cudaEventDestroy(it->waited));
  succeed(cudaEventDestroy(it->recorded));
  succeed(cudaEventDestroy(it->freed));
  for (int i = 0; i < 3; i++)
    succeed(cudaStreamDestroy(it->streams[i]));
  succeed(cudaFreeHost(it->outside));
  for (int i = 0; i < DEVICE_WORDS + HOST_WORDS; i++)
    succeed(is_of_device(i) ? cudaFree(it->words[i]) : cudaFreeHost(it->words[i]));
}

#endif
