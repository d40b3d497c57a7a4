/* SPDX-License-Identifier: MIT */
/*
 * work - what a node does, as a value that can be copied (graph.h).
 *
 * There is no data but constants. Work owns a kernel's arguments, the context of a library's call, a child graph, and
 * the bodies of a conditional node, of which a copy has none; and it holds an allocation's place and a condition, which
 * are counted. For child graphs, bodies, places and conditions the callers hold vptr__graph_lock(), of rank GRAPH
 * (graph.c); kernels and calls need no lock. Called by captured_work.c and graph.c, by library/captured.c, and by the
 * files of lib/cudart/replay. Nothing blocks.
 */
#include "graph/graph.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

const char *vptr__graph_type_name(enum cudaGraphNodeType type) {
  static const char *const names[] = {
    [cudaGraphNodeTypeKernel] = "kernel",           [cudaGraphNodeTypeMemcpy] = "memcpy",
    [cudaGraphNodeTypeMemset] = "memset",           [cudaGraphNodeTypeHost] = "host function",
    [cudaGraphNodeTypeGraph] = "child graph",       [cudaGraphNodeTypeEmpty] = "empty",
    [cudaGraphNodeTypeWaitEvent] = "event wait",    [cudaGraphNodeTypeEventRecord] = "event record",
    [cudaGraphNodeTypeMemAlloc] = "allocation",     [cudaGraphNodeTypeMemFree] = "free",
    [cudaGraphNodeTypeConditional] = "conditional",
  };
  const char *name = (unsigned)type < sizeof names / sizeof *names ? names[type] : NULL;
  return name != NULL ? name : "unknown";
}

/* ---- kernels -------------------------------------------------------------------------------------------- */

bool vptr__graph_kernel_is_there(const vptr__graph_kernel *kernel) {
  return vptr__function_of(kernel->stub) == kernel->function;
}

static vptr_status make_places(vptr__graph_kernel *kernel) {
  const vptr__image_kernel *image = vptr__function_image(kernel->function);
  const size_t bytes = image->parameter_bytes > 0 ? image->parameter_bytes : 1;
  kernel->arguments = vptr__memory_calloc(1, bytes);
  kernel->places = vptr__memory_calloc(image->param_count + (size_t)1, sizeof(void *));
  if (kernel->arguments == NULL || kernel->places == NULL) {
    vptr__memory_free(kernel->arguments);
    vptr__memory_free(kernel->places);
    return vptr__error_host_memory(bytes);
  }
  kernel->bytes = image->parameter_bytes;
  for (uint32_t i = 0; i < image->param_count; i++)
    kernel->places[i] = kernel->arguments + image->params[i].offset;
  return VPTR_SUCCESS;
}

static vptr_status check_arguments(const vptr__launch *launch, const vptr__image_kernel *image) {
  if (launch->arguments == NULL && launch->packed == NULL && image->param_count > 0)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s has %u parameters, and there are no arguments",
                       launch->what, image->name, image->param_count);
  if (launch->arguments == NULL && launch->packed_size < image->parameter_bytes)
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s has %zu bytes of parameters, and %zu are given",
                       launch->what, image->name, (size_t)image->parameter_bytes, launch->packed_size);
  for (uint32_t i = 0; launch->arguments != NULL && i < image->param_count; i++)
    if (launch->arguments[i] == NULL)
      return vptr__error(VPTR_ERROR_NULL_POINTER, "%s: %s: the address of argument %u is NULL", launch->what,
                         image->name, i);
  return VPTR_SUCCESS;
}

vptr_status vptr__graph_kernel_fill(const vptr__launch *launch, vptr__graph_kernel *kernel) {
  const vptr__image_kernel *image = vptr__function_image(kernel->function);
  vptr_status status = check_arguments(launch, image);
  if (status == VPTR_SUCCESS)
    status = make_places(kernel);
  if (status != VPTR_SUCCESS)
    return status;
  for (uint32_t i = 0; launch->arguments != NULL && i < image->param_count; i++)
    memcpy(kernel->places[i], launch->arguments[i], image->params[i].size);
  if (launch->arguments == NULL && kernel->bytes > 0)
    memcpy(kernel->arguments, launch->packed, kernel->bytes);
  memcpy(kernel->grid, launch->grid, sizeof kernel->grid);
  memcpy(kernel->block, launch->block, sizeof kernel->block);
  kernel->shared = launch->shared;
  kernel->is_cooperative = launch->is_cooperative;
  return VPTR_SUCCESS;
}

void vptr__graph_kernel_keep_attributes(vptr__graph_kernel *is, vptr__graph_kernel *was) {
  vptr__graph_wishes *none = is->wishes;
  is->priority = was->priority;
  is->is_cooperative = was->is_cooperative;
  is->wishes = was->wishes;
  was->wishes = none;
}

vptr_status vptr__graph_kernel_copy_attributes(vptr__graph_kernel *to, const vptr__graph_kernel *from) {
  vptr__graph_wishes *wishes = from->wishes != NULL ? vptr__memory_calloc(1, sizeof *wishes) : NULL;
  if (from->wishes != NULL && wishes == NULL)
    return vptr__error_host_memory(sizeof *wishes);
  if (wishes != NULL)
    *wishes = *from->wishes;
  vptr__memory_free(to->wishes);
  to->wishes = wishes;
  to->priority = from->priority;
  to->is_cooperative = from->is_cooperative;
  return VPTR_SUCCESS;
}

/* ---- calls of libraries ---------------------------------------------------------------------------------- */

static vptr_status copy_call(const vptr__graph_call *from, vptr__graph_call *to) {
  if (from->bytes == 0)
    return VPTR_SUCCESS;
  to->context = vptr__memory_calloc(1, from->bytes);
  if (to->context == NULL)
    return vptr__error_host_memory(from->bytes);
  memcpy(to->context, from->context, from->bytes);
  return VPTR_SUCCESS;
}

/* Into a copy of its fields, which owns nothing of them yet. */
static vptr_status copy_kernel(const vptr__graph_kernel *from, vptr__graph_kernel *to) {
  to->wishes = NULL;
  vptr_status status = make_places(to);
  if (status != VPTR_SUCCESS)
    return status;
  status = vptr__graph_kernel_copy_attributes(to, from);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(to->arguments);
    vptr__memory_free(to->places);
    return status;
  }
  if (from->bytes > 0)
    memcpy(to->arguments, from->arguments, from->bytes);
  return VPTR_SUCCESS;
}

/* ---- all kinds ------------------------------------------------------------------------------------------ */

vptr_status vptr__graph_work_copy(enum cudaGraphNodeType type, const vptr__graph_work *work,
                                  vptr__graph_work *copy_out) {
  *copy_out = *work;
  if (type == cudaGraphNodeTypeGraph)
    return vptr__graph_clone(work->child, &copy_out->child);
  if (type == cudaGraphNodeTypeMemAlloc)
    vptr__graph_memory_hold(work->alloc.place);
  if (type == cudaGraphNodeTypeConditional) {
    vptr__condition_hold(work->branch.condition);
    copy_out->branch.bodies = NULL;
  }
  if (type == cudaGraphNodeTypeEmpty)
    return copy_call(&work->call, &copy_out->call);
  if (type != cudaGraphNodeTypeKernel)
    return VPTR_SUCCESS;
  if (!vptr__graph_kernel_is_there(&work->kernel))
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "a node's kernel is gone: its module was unloaded");
  return copy_kernel(&work->kernel, &copy_out->kernel);
}

/* The condition can be another node's again, unless that was a copy's. */
static void free_branch(vptr__graph_branch *branch, struct vptr__user_holding **holdings) {
  for (unsigned i = 0; i < branch->size && branch->bodies != NULL; i++)
    if (branch->bodies[i] != NULL)
      vptr__graph_destroy(branch->bodies[i], holdings);
  if (branch->bodies != NULL)
    branch->condition->is_used = false;
  vptr__memory_free(branch->bodies);
  vptr__condition_let_go(branch->condition);
}

void vptr__graph_work_free(enum cudaGraphNodeType type, vptr__graph_work *work,
                           struct vptr__user_holding **holdings) {
  if (type == cudaGraphNodeTypeGraph)
    vptr__graph_destroy(work->child, holdings);
  if (type == cudaGraphNodeTypeMemAlloc)
    vptr__graph_memory_let_go(work->alloc.place);
  if (type == cudaGraphNodeTypeConditional)
    free_branch(&work->branch, holdings);
  if (type == cudaGraphNodeTypeEmpty)
    vptr__memory_free(work->call.context);
  if (type != cudaGraphNodeTypeKernel)
    return;
  vptr__memory_free(work->kernel.arguments);
  vptr__memory_free(work->kernel.places);
  vptr__memory_free(work->kernel.wishes);
}
