/* SPDX-License-Identifier: MIT */
/*
 * plan - cufftCreate(), cufftDestroy(), and the settings of a plan; see plan.h.
 *
 * Locks: `lock`, of rank LEAF, guards the table of plans and who holds them; each plan's own, of rank UNIT, its
 * engines. Called by programs; by exec.c and make.c, for the plan of a handle; and by run.c, for its engines. Making
 * an engine waits for the driver's compiler; nothing else here waits.
 */
#include "cufft/plan.h"

#include "base/error.h"
#include "base/memory.h"
#include "device/behind.h"

#include <string.h>

enum { PLACES = 4096, USES = 1 << 18 };

static struct {
  vptr__lock lock;
  vptr__fft_plan *plans[PLACES];
  int uses[PLACES];
  int next; /* where a free place is looked for */
} table = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

/* ---- holds ------------------------------------------------------------------------------------------------ */

/* Handles are positive. */
static cufftHandle handle_of(int place) {
  return table.uses[place] * PLACES + place + 1;
}

static void drop_engines(vptr__fft_plan *plan) {
  for (int i = 0; i < plan->engine_count; i++)
    vptr__fft_engine_destroy(plan->engines[i].engine);
  plan->engine_count = 0;
}

static void end_plan(vptr__fft_plan *plan) {
  drop_engines(plan);
  vptr__lock_fini(&plan->lock);
  vptr__memory_free(plan);
}

cufftResult vptr__fft_plan_hold(const char *call, cufftHandle handle, vptr__fft_plan **plan_out) {
  vptr__fft_plan *plan = NULL;
  vptr__lock_take(&table.lock);
  if (handle > 0 && table.plans[(handle - 1) % PLACES] != NULL)
    plan = table.plans[(handle - 1) % PLACES];
  if (plan != NULL && plan->handle == handle)
    plan->holds++;
  else
    plan = NULL;
  vptr__lock_give(&table.lock);
  if (plan == NULL)
    return vptr__fft_refuse(CUFFT_INVALID_PLAN, call, "%d is no plan: it was destroyed, or never created", handle);
  *plan_out = plan;
  return CUFFT_SUCCESS;
}

void vptr__fft_plan_release(vptr__fft_plan *plan) {
  vptr__lock_take(&table.lock);
  bool was_last = --plan->holds == 0;
  vptr__lock_give(&table.lock);
  if (was_last)
    end_plan(plan);
}

/* ---- life ------------------------------------------------------------------------------------------------- */

/* Under the lock: a place for the plan, which gets its handle. */
static bool enter_plan(vptr__fft_plan *plan) {
  for (int i = 0; i < PLACES; i++) {
    int place = (table.next + i) % PLACES;
    if (table.plans[place] != NULL)
      continue;
    table.plans[place] = plan;
    table.next = (place + 1) % PLACES;
    plan->handle = handle_of(place);
    table.uses[place] = (table.uses[place] + 1) % USES;
    return true;
  }
  return false;
}

cufftResult cufftCreate(cufftHandle *handle) {
  if (handle == NULL)
    return vptr__fft_refuse(CUFFT_INVALID_VALUE, "cufftCreate", "there is no place for the handle");
  vptr__fft_plan *plan = vptr__memory_calloc(1, sizeof *plan);
  if (plan == NULL)
    return vptr__fft_result_of(vptr__error_host_memory(sizeof *plan));
  vptr__lock_init(&plan->lock, VPTR__RANK_UNIT);
  plan->holds = 1;
  plan->allocates = true;
  vptr__lock_take(&table.lock);
  bool is_entered = enter_plan(plan);
  cufftHandle entered = plan->handle;
  vptr__lock_give(&table.lock);
  if (!is_entered) {
    end_plan(plan);
    return vptr__fft_refuse(CUFFT_ALLOC_FAILED, "cufftCreate", "%d plans are live already, and that is the most",
                            PLACES);
  }
  *handle = entered;
  return CUFFT_SUCCESS;
}

/* Of threads that destroy one plan at once, one succeeds. What was sent goes on. */
cufftResult cufftDestroy(cufftHandle handle) {
  vptr__fft_plan *plan = NULL;
  cufftResult result = vptr__fft_plan_hold("cufftDestroy", handle, &plan);
  if (result != CUFFT_SUCCESS)
    return result;
  vptr__lock_take(&table.lock);
  vptr__fft_plan **place = &table.plans[(handle - 1) % PLACES];
  bool was_there = *place == plan;
  if (was_there) {
    *place = NULL;
    plan->holds--;
  }
  vptr__lock_give(&table.lock);
  vptr__fft_plan_release(plan);
  return was_there ? CUFFT_SUCCESS
                   : vptr__fft_refuse(CUFFT_INVALID_PLAN, "cufftDestroy", "%d is destroyed already", handle);
}

/* ---- engines ---------------------------------------------------------------------------------------------- */

/* The oldest makes room: what it sent keeps what it needs. */
static void drop_oldest(vptr__fft_plan *plan) {
  vptr__fft_engine_destroy(plan->engines[0].engine);
  plan->engine_count--;
  memmove(plan->engines, plan->engines + 1, (size_t)plan->engine_count * sizeof *plan->engines);
}

vptr_status vptr__fft_plan_engine(vptr__fft_plan *plan, const vptr__fft_request *request,
                                  vptr__fft_engine **engine_out) {
  vptr__device *device = plan->mapper->device;
  if (plan->generation != device->generation)
    drop_engines(plan);
  plan->generation = device->generation;
  for (int i = 0; i < plan->engine_count; i++)
    if (vptr__fft_request_is(&plan->engines[i].request, request)) {
      *engine_out = plan->engines[i].engine;
      return VPTR_SUCCESS;
    }
  vptr_status status = vptr__fft_engine_create(vptr__device_behind(device), request, engine_out);
  if (status != VPTR_SUCCESS)
    return status;
  if (plan->engine_count == VPTR__FFT_ENGINES)
    drop_oldest(plan);
  plan->engines[plan->engine_count].request = *request;
  plan->engines[plan->engine_count++].engine = *engine_out;
  return VPTR_SUCCESS;
}

/* ---- settings --------------------------------------------------------------------------------------------- */

/* A stream of another device, or one that is destroyed, is told when it is to be used. */
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  vptr__fft_plan *plan = NULL;
  cufftResult result = vptr__fft_plan_hold("cufftSetStream", handle, &plan);
  if (result != CUFFT_SUCCESS)
    return result;
  plan->stream = stream;
  vptr__fft_plan_release(plan);
  return CUFFT_SUCCESS;
}

cufftResult cufftSetAutoAllocation(cufftHandle handle, int autoAllocate) {
  vptr__fft_plan *plan = NULL;
  cufftResult result = vptr__fft_plan_hold("cufftSetAutoAllocation", handle, &plan);
  if (result != CUFFT_SUCCESS)
    return result;
  plan->allocates = autoAllocate != 0;
  vptr__fft_plan_release(plan);
  return CUFFT_SUCCESS;
}

cufftResult cufftSetWorkArea(cufftHandle handle, void *workArea) {
  vptr__fft_plan *plan = NULL;
  cufftResult result = vptr__fft_plan_hold("cufftSetWorkArea", handle, &plan);
  if (result != CUFFT_SUCCESS)
    return result;
  plan->work_area = workArea;
  vptr__fft_plan_release(plan);
  return CUFFT_SUCCESS;
}

cufftResult cufftGetSize(cufftHandle handle, size_t *workSize) {
  static const char call[] = "cufftGetSize";
  vptr__fft_plan *plan = NULL;
  cufftResult result = vptr__fft_plan_hold(call, handle, &plan);
  if (result != CUFFT_SUCCESS)
    return result;
  if (workSize == NULL)
    result = vptr__fft_refuse(CUFFT_INVALID_VALUE, call, "the output is NULL");
  else if (!plan->is_made)
    result =
        vptr__fft_refuse(CUFFT_INVALID_PLAN, call, "%d has no plan yet; call cufftMakePlan1d() or its kin", handle);
  else
    *workSize = plan->work_size;
  vptr__fft_plan_release(plan);
  return result;
}
