/* SPDX-License-Identifier: MIT */
/*
 * fit - whether a step of an executable graph can do other work of its kind from now on.
 *
 * CUDA plans a copy for what its ends are, and a set for its rows, when a graph is instantiated, and refuses what would
 * need another plan. Nothing here would, but what passes here shall pass there: a program that tests an update's result
 * and instantiates anew finds the same. What CUDA's document leaves open is taken: a kind that is cudaMemcpyDefault
 * stands for what its addresses are. No data and no locks of its own: the exec's lock, vptr__exec.lock of rank EXEC, is
 * held by callers. Called by exec_node.c and update.c. Nothing blocks.
 */
#include "replay/exec.h"

#include "replay/call.h"
#include "transfer/endpoint.h"

static bool is_one_end(const struct cudaPitchedPtr *was, const struct cudaPitchedPtr *is, bool by_address) {
  vptr_mapper *owner_before, *owner;
  const vptr__memory_kind before = vptr__memory_kind_of(was->ptr, &owner_before),
                          now = vptr__memory_kind_of(is->ptr, &owner);
  if (owner_before != NULL && owner != NULL)
    return owner_before == owner;
  return !by_address || (before == VPTR__MEMORY_HOST) == (now == VPTR__MEMORY_HOST);
}

static bool fits_copy(const struct cudaMemcpy3DParms *was, const struct cudaMemcpy3DParms *is) {
  const bool by_address = was->kind == cudaMemcpyDefault || is->kind == cudaMemcpyDefault;
  if (was->kind != is->kind && !by_address)
    return false;
  if ((was->srcArray != NULL) != (is->srcArray != NULL) || (was->dstArray != NULL) != (is->dstArray != NULL))
    return false;
  return (is->srcArray != NULL || is_one_end(&was->srcPtr, &is->srcPtr, by_address)) &&
         (is->dstArray != NULL || is_one_end(&was->dstPtr, &is->dstPtr, by_address));
}

static bool fits_set(const struct cudaMemsetParams *was, const struct cudaMemsetParams *is) {
  const struct cudaPitchedPtr before = { .ptr = was->dst }, now = { .ptr = is->dst };
  if (was->height != is->height || !is_one_end(&before, &now, false))
    return false;
  return is->height == 1 ||
         (was->width == is->width && was->elementSize == is->elementSize && was->pitch == is->pitch);
}

bool vptr__step_fits(const vptr__step *step, const vptr__graph_work *work) {
  if (step->type == cudaGraphNodeTypeMemcpy)
    return fits_copy(&step->work.copy, &work->copy);
  return step->type != cudaGraphNodeTypeMemset || fits_set(&step->work.set, &work->set);
}

static bool is_line(const struct cudaMemcpy3DParms *copy) {
  return copy->extent.height == 1 && copy->extent.depth == 1 && copy->srcArray == NULL && copy->dstArray == NULL;
}

cudaError_t vptr__step_check_change(const char *call, const vptr__step *step, const vptr__graph_work *work) {
  if (step->type == cudaGraphNodeTypeMemcpy && (!is_line(&step->work.copy) || !is_line(&work->copy)))
    return vptr__graph_refuse(call,
                              "a copy of one row becomes another one; others, and copies with an array, stay as "
                              "they were instantiated");
  if (vptr__step_fits(step, work))
    return cudaSuccess;
  return vptr__graph_refuse(call,
                            step->type == cudaGraphNodeTypeMemcpy
                                ? "the direction, or the kind of memory at an end, cannot change, nor its device"
                                : "the height of a set cannot change, nor of more than one row width, "
                                  "elementSize and pitch, nor its device");
}
