/* SPDX-License-Identifier: MIT */
/*
 * fit - whether a step of an executable graph can do other work of its kind from now on.
 *
 * CUDA plans a copy for what its ends are, and a set for its rows, when a graph is instantiated, and refuses what would
 * need another plan. Nothing here would, but what passes here shall pass there: a program that tests an update's result
 * and instantiates anew finds the same. As NVIDIA's runtime was seen to do, a kind stays the same, cudaMemcpyDefault
 * too, whose ends may be any then, and what is no row stays as it is. No data and no locks of its own: the exec's lock,
 * vptr__exec.lock of rank EXEC, is held by callers. Called by exec_node.c and update.c. Nothing blocks.
 */
#include "replay/exec.h"

#include "replay/call.h"
#include "transfer/endpoint.h"

static bool is_one_device(const void *was, const void *is) {
  vptr_mapper *before, *now;
  vptr__memory_kind_of(was, &before);
  vptr__memory_kind_of(is, &now);
  return before == NULL || now == NULL || before == now;
}

static bool is_line(const struct cudaMemcpy3DParms *copy) {
  return copy->extent.height == 1 && copy->extent.depth == 1 && copy->srcArray == NULL && copy->dstArray == NULL;
}

static bool is_one_place(const struct cudaPitchedPtr *was, const struct cudaPos *from,
                         const struct cudaPitchedPtr *is, const struct cudaPos *at) {
  return was->ptr == is->ptr && was->pitch == is->pitch && was->ysize == is->ysize && from->x == at->x &&
         from->y == at->y && from->z == at->z;
}

static bool is_one_copy(const struct cudaMemcpy3DParms *was, const struct cudaMemcpy3DParms *is) {
  return was->srcArray == is->srcArray && was->dstArray == is->dstArray && was->extent.width == is->extent.width &&
         was->extent.height == is->extent.height && was->extent.depth == is->extent.depth &&
         is_one_place(&was->srcPtr, &was->srcPos, &is->srcPtr, &is->srcPos) &&
         is_one_place(&was->dstPtr, &was->dstPos, &is->dstPtr, &is->dstPos);
}

static bool fits_copy(const struct cudaMemcpy3DParms *was, const struct cudaMemcpy3DParms *is) {
  if (was->kind != is->kind)
    return false;
  return is_line(was) && is_line(is)
             ? is_one_device(was->srcPtr.ptr, is->srcPtr.ptr) && is_one_device(was->dstPtr.ptr, is->dstPtr.ptr)
             : is_one_copy(was, is);
}

static bool fits_set(const struct cudaMemsetParams *was, const struct cudaMemsetParams *is) {
  if (was->height != is->height || !is_one_device(was->dst, is->dst))
    return false;
  return is->height == 1 ||
         (was->width == is->width && was->elementSize == is->elementSize && was->pitch == is->pitch);
}

bool vptr__step_fits(const vptr__step *step, const vptr__graph_work *work) {
  if (step->type == cudaGraphNodeTypeMemcpy)
    return fits_copy(&step->work.copy, &work->copy);
  return step->type != cudaGraphNodeTypeMemset || fits_set(&step->work.set, &work->set);
}

cudaError_t vptr__step_check_change(const char *call, const vptr__step *step, const vptr__graph_work *work) {
  if (vptr__step_fits(step, work))
    return cudaSuccess;
  return vptr__graph_refuse(
      call, step->type == cudaGraphNodeTypeMemcpy
                ? "a copy of one row becomes another one, of the same kind and between the same devices; others, "
                  "and copies with an array, stay as they were instantiated"
                : "the height of a set cannot change, nor of more than one row width, "
                  "elementSize and pitch, nor its device");
}
